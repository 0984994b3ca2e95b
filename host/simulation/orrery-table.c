/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads chosen numbers of many components into one buffer. */
#include "simulation/orrery-table.h"

#include "record/orrery-number-place-private.h"

struct _OrreryTable {
  GObject parent_instance;

  GPtrArray *records; /* (element-type OrreryRecord) */
  guint n_columns;
  GArray *cells; /* (element-type OrreryNumberPlace), row by row */
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
  self->cells = g_array_new (FALSE, FALSE, sizeof (OrreryNumberPlace));
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
    OrreryNumberPlace cell;

    if (!orrery_number_place_find (&cell, record, name, *field, error))
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
    out[i] = orrery_number_place_get (&g_array_index (table->cells, OrreryNumberPlace, i));
  return buffer;
}
