/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads chosen numbers of many components into one buffer. */
#include "simulation/orrery-table.h"

#include "record/orrery-field-private.h"

#include <string.h>

/* One number: its address, and how it is read. */
typedef struct {
  OrreryRecord *record; /* borrowed from the table */
  gconstpointer place;  /* NULL: the timestamp */
  double (*to_double) (gconstpointer place);
} Cell;

struct _OrreryTable {
  GObject parent_instance;

  GPtrArray *records; /* (element-type OrreryRecord) */
  guint n_columns;
  GArray *cells; /* (element-type Cell), row by row */
};

G_DEFINE_FINAL_TYPE (OrreryTable, orrery_table, G_TYPE_OBJECT)

static void
orrery_table_finalize (GObject *object)
{
  OrreryTable *self = ORRERY_TABLE (object);

  g_clear_pointer (&self->cells, g_array_unref);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  G_OBJECT_CLASS (orrery_table_parent_class)->finalize (object);
}

static void
orrery_table_class_init (OrreryTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_table_finalize;
}

static void
orrery_table_init (OrreryTable *self)
{
  self->records = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_record_unref);
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
}

static gboolean
find_in_field (Cell *cell, const OrreryField *field, const char *part)
{
  const OrreryFieldClass *klass = orrery_field_class_get (field->type);
  const char *place = (const char *) orrery_record_data (cell->record) + field->offset;

  cell->place = place;
  cell->to_double = klass->to_double;
  if (klass->to_double != NULL)
    return *part == '\0';
  cell->to_double = orrery_double_field_class.to_double;
  for (guint i = 0; i < klass->n_members; i++) {
    cell->place = place + klass->members[i].offset;
    if (strcmp (klass->members[i].name, part) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
find_cell (Cell *cell, const char *component, const char *name, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (cell->record);
  const char *dot = strchr (name, '.');
  g_autofree char *first = dot != NULL ? g_strndup (name, dot - name) : g_strdup (name);
  const OrreryField *field;

  if (strcmp (name, "timestamp") == 0 && orrery_record_has_timestamp (cell->record))
    return TRUE;
  field = orrery_schema_find_field (schema, first);
  if (field == NULL) {
    g_autofree const char **names = orrery_schema_get_names (schema);
    g_autofree char *nearest = orrery_nearest_names (first, names);

    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s: no field %.60s%s", component,
                             first, nearest);
  }
  if (find_in_field (cell, field, dot != NULL ? dot + 1 : ""))
    return TRUE;
  return orrery_set_error (
      error, ORRERY_ERROR_INVALID,
      "%s: %.60s is not a number; name an element of a vector, such as %.60s.x", component, name,
      first);
}

static gboolean
add_row (OrreryTable *self, OrrerySimulation *simulation, const char *name,
         const char *const *fields, GError **error)
{
  OrreryComponent *component = orrery_simulation_find_component (simulation, name);
  OrreryRecord *record;

  if (component == NULL) {
    g_autofree const char **names = orrery_simulation_get_component_names (simulation);
    g_autofree char *nearest = orrery_nearest_names (name, names);

    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no component %.60s%s", name, nearest);
  }
  record = orrery_component_get_record (component);
  g_ptr_array_add (self->records, orrery_record_ref (record));
  for (const char *const *field = fields; *field != NULL; field++) {
    Cell cell = { .record = record };

    if (!find_cell (&cell, name, *field, error))
      return FALSE;
    g_array_append_val (self->cells, cell);
  }
  return TRUE;
}

OrreryTable *
orrery_table_new (OrrerySimulation *simulation, const char *const *components,
                  const char *const *fields, GError **error)
{
  g_autoptr (OrreryTable) self = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (components != NULL && fields != NULL, NULL);

  self = g_object_new (ORRERY_TYPE_TABLE, NULL);
  self->n_columns = g_strv_length ((char **) fields);
  for (const char *const *name = components; *name != NULL; name++)
    if (!add_row (self, simulation, *name, fields, error))
      return NULL;
  return g_steal_pointer (&self);
}

static double
get_number (const Cell *cell)
{
  if (cell->place == NULL)
    return orrery_time_to_seconds (orrery_record_get_timestamp (cell->record));
  return cell->to_double (cell->place);
}

OrreryBuffer *
orrery_table_read (OrreryTable *table)
{
  gsize shape[2];
  OrreryBuffer *buffer;
  double *out;

  g_return_val_if_fail (ORRERY_IS_TABLE (table), NULL);

  shape[0] = table->records->len;
  shape[1] = table->n_columns;
  buffer = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, shape);
  out = orrery_buffer_get_data (buffer);
  for (guint i = 0; i < table->cells->len; i++)
    out[i] = get_number (&g_array_index (table->cells, Cell, i));
  return buffer;
}
