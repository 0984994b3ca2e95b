/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulations of one scene, stepped one after the other, with arrays of what they take and give. */
#include "vector/orrery-vector.h"

#include "record/orrery-expression.h"
#include "vector/orrery-vector-columns-private.h"

#include <math.h>
#include <string.h>

/* Of one array, 2 GiB. */
#define MAX_NUMBERS (G_GUINT64_CONSTANT (1) << 28)

typedef struct {
  OrrerySimulation *simulation;
  GArray *observed;  /* (element-type OrreryColumnPlace) */
  GArray *acted;     /* (element-type OrreryColumnPlace) */
  GPtrArray *values; /* (element-type OrreryExpression) */
  OrreryTime begin;  /* of the run */
  gboolean rewound;  /* it has not begun since */
  gboolean begun;    /* since it was rewound, and has not failed */
  char *failure;
} Row;

/* Doubles, a row for each simulation; the memory outlives the vector while somebody looks at it. */
typedef struct {
  double *numbers;
  guint width;
} Matrix;

struct _OrreryVector {
  GObject parent_instance;

  OrreryRegistry *registry;
  char *path;
  OrreryOptions *options; /* (nullable) */
  GArray *observed;       /* (element-type OrreryColumns) */
  GArray *acted;          /* (element-type OrreryColumns) */
  GPtrArray *values;      /* (element-type utf8): expressions */
  Row *rows;
  guint n;
  Matrix observations, actions, results;
  guint8 *held;
};

G_DEFINE_FINAL_TYPE (OrreryVector, orrery_vector, G_TYPE_OBJECT)

static void
clear_row (Row *row)
{
  g_clear_pointer (&row->values, g_ptr_array_unref);
  g_clear_pointer (&row->observed, g_array_unref);
  g_clear_pointer (&row->acted, g_array_unref);
  if (row->simulation != NULL)
    orrery_simulation_close (row->simulation);
  g_clear_object (&row->simulation);
  g_clear_pointer (&row->failure, g_free);
}

static void
orrery_vector_finalize (GObject *object)
{
  OrreryVector *self = ORRERY_VECTOR (object);

  for (guint i = 0; self->rows != NULL && i < self->n; i++)
    clear_row (&self->rows[i]);
  g_free (self->rows);
  g_clear_pointer (&self->observations.numbers, g_atomic_rc_box_release);
  g_clear_pointer (&self->actions.numbers, g_atomic_rc_box_release);
  g_clear_pointer (&self->results.numbers, g_atomic_rc_box_release);
  g_clear_pointer (&self->held, g_atomic_rc_box_release);
  g_array_unref (self->observed);
  g_array_unref (self->acted);
  g_ptr_array_unref (self->values);
  g_clear_object (&self->options);
  g_clear_object (&self->registry);
  g_free (self->path);
  G_OBJECT_CLASS (orrery_vector_parent_class)->finalize (object);
}

static void
orrery_vector_class_init (OrreryVectorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_vector_finalize;
}

static GArray *
new_columns (void)
{
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (OrreryColumns));

  g_array_set_clear_func (columns, orrery_columns_clear);
  return columns;
}

static void
orrery_vector_init (OrreryVector *self)
{
  self->observed = new_columns ();
  self->acted = new_columns ();
  self->values = g_ptr_array_new_with_free_func (g_free);
}

/* --- one simulation --- */

/* That somebody reads a component is why it steps. */
static void
on_record (OrreryComponent *component, gpointer user_data)
{
}

static gboolean
subscribe (Row *row, OrreryComponent *component, GError **error)
{
  return orrery_simulation_subscribe (row->simulation, component, on_record, NULL, NULL, error) !=
         0;
}

static gboolean
find_observed (OrreryVector *self, Row *row, GError **error)
{
  for (guint i = 0; i < self->observed->len; i++) {
    OrreryComponent *component;

    if (!orrery_columns_find (row->simulation,
                              g_array_index (self->observed, OrreryColumns, i).name, row->observed,
                              &component, error) ||
        !subscribe (row, component, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_told (const OrreryColumnPlace *place)
{
  return place->buffer == NULL && place->number.place != NULL &&
         (place->number.type == ORRERY_FIELD_DOUBLE || place->number.type == ORRERY_FIELD_INT64 ||
          place->number.type == ORRERY_FIELD_BOOL);
}

static gboolean
find_acted (OrreryVector *self, Row *row, GError **error)
{
  for (guint i = 0; i < self->acted->len; i++) {
    OrreryColumns *columns = &g_array_index (self->acted, OrreryColumns, i);
    guint begin = row->acted->len;
    OrreryComponent *component;

    if (!orrery_columns_find (row->simulation, columns->name, row->acted, &component, error))
      return FALSE;
    if (!ORRERY_IS_ACTUATOR (component))
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "%.200s: an action is of an actuator, which %s is not",
                               columns->name, orrery_part_get_name (ORRERY_PART (component)));
    if (!is_told (&g_array_index (row->acted, OrreryColumnPlace, begin)))
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "%.200s: an action is a number, true or false, or a vector",
                               columns->name);
    columns->width = row->acted->len - begin;
  }
  return TRUE;
}

typedef struct {
  Row *row;
  GError *error;
  char *missing; /* (nullable): what was looked for last, if it is no component */
} Search;

static void
clear_search (Search *search)
{
  g_clear_error (&search->error);
  g_clear_pointer (&search->missing, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, clear_search)

/* An OrreryFindRecordFunc. */
static OrreryRecord *
find_record (const char *name, gpointer user_data)
{
  Search *search = user_data;
  OrreryComponent *component = orrery_simulation_find_component (search->row->simulation, name);

  g_free (search->missing);
  search->missing = component == NULL ? g_strdup (name) : NULL;
  if (component == NULL)
    return NULL;
  if (search->error == NULL)
    subscribe (search->row, component, &search->error);
  return orrery_component_get_record (component);
}

/* Which components the path may mean that is refused: the parser looks for the whole path last, and
 * knows no other names. */
static char *
print_nearest (const Search *search)
{
  OrrerySimulation *simulation = search->row->simulation;
  const char *dot = search->missing != NULL ? strrchr (search->missing, '.') : NULL;
  g_autofree char *name = NULL, *nearest = NULL;
  g_autofree const char **names = NULL;

  if (dot == NULL)
    return g_strdup ("");
  name = g_strndup (search->missing, (gsize) (dot - search->missing));
  if (orrery_simulation_find_component (simulation, name) != NULL)
    return g_strdup ("");
  names = orrery_simulation_get_component_names (simulation);
  nearest = orrery_nearest_names (name, names);
  return g_strdup_printf ("; no component is named %.80s%s", name, nearest);
}

static gboolean
compile_values (OrreryVector *self, Row *row, GError **error)
{
  for (guint i = 0; i < self->values->len; i++) {
    g_auto (Search) search = { row, NULL, NULL };
    g_autoptr (GError) problem = NULL;
    const char *text = self->values->pdata[i];
    OrreryExpression *expression = orrery_expression_new (text, find_record, &search, &problem);

    if (expression == NULL) {
      g_autofree char *nearest = print_nearest (&search);

      g_set_error (error, problem->domain, problem->code, "%.80s: %s%s", text, problem->message,
                   nearest);
      return FALSE;
    }
    g_ptr_array_add (row->values, expression);
    if (search.error != NULL) {
      g_propagate_error (error, g_steal_pointer (&search.error));
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
load_row (OrreryVector *self, Row *row, GError **error)
{
  clear_row (row);
  row->observed = g_array_new (FALSE, TRUE, sizeof (OrreryColumnPlace));
  row->acted = g_array_new (FALSE, TRUE, sizeof (OrreryColumnPlace));
  row->values = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_expression_free);
  row->simulation =
      orrery_simulation_load_with_options (self->registry, self->path, self->options, error);
  return row->simulation != NULL && find_observed (self, row, error) &&
         find_acted (self, row, error) && compile_values (self, row, error);
}

/* Every simulation has as many columns as the first. */
static void
set_widths (OrreryVector *self, Row *row)
{
  const Row *first = &self->rows[0];

  for (guint i = 0; i < row->observed->len; i++)
    g_array_index (row->observed, OrreryColumnPlace, i).width =
        g_array_index (first->observed, OrreryColumnPlace, i).width;
}

/* --- how large it is --- */

static gboolean
find_width (OrreryVector *self, Row *row, const char **without)
{
  guint begin = 0;

  for (guint i = 0; i < self->observed->len; i++) {
    OrreryColumns *columns = &g_array_index (self->observed, OrreryColumns, i);
    g_autoptr (GArray) places = g_array_new (FALSE, TRUE, sizeof (OrreryColumnPlace));
    OrreryComponent *component;

    /* How many places it has, by looking them up once more. */
    orrery_columns_find (row->simulation, columns->name, places, &component, NULL);
    *without = columns->name;
    if (!orrery_columns_measure (places, 0, &columns->width))
      return FALSE;
    memcpy (&g_array_index (row->observed, OrreryColumnPlace, begin), places->data,
            places->len * sizeof (OrreryColumnPlace));
    begin += places->len;
  }
  return TRUE;
}

/* An array is as long as its sensor makes it, so the first simulation runs until all are there. */
static gboolean
measure (OrreryVector *self, GError **error)
{
  Row *row = &self->rows[0];
  guint64 ticks = (guint64) ceil (orrery_simulation_get_frequency (row->simulation)) + 1;
  const char *without = NULL;

  for (guint64 i = 0; i < ticks; i++) {
    if (find_width (self, row, &without))
      return TRUE;
    if (!orrery_simulation_step (row->simulation, 1, error))
      return FALSE;
  }
  return orrery_set_error (
      error, ORRERY_ERROR_INVALID,
      "%.200s: has no values within the first second, so that nobody knows how "
      "many columns it has",
      without);
}

static guint
sum_widths (GArray *columns)
{
  guint64 sum = 0;

  for (guint i = 0; i < columns->len; i++)
    sum += g_array_index (columns, OrreryColumns, i).width;
  return (guint) MIN (sum, G_MAXUINT);
}

static gboolean
make_matrix (OrreryVector *self, Matrix *matrix, guint width, GError **error)
{
  if ((guint64) width * self->n > MAX_NUMBERS)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%u columns of %u simulations are more than 2 GiB", width, self->n);
  matrix->width = width;
  matrix->numbers = g_atomic_rc_box_alloc0 (MAX (1, (gsize) width * self->n) * sizeof (double));
  return TRUE;
}

static gboolean
load (OrreryVector *self, GError **error)
{
  if (!load_row (self, &self->rows[0], error) || !measure (self, error))
    return FALSE;
  if (!make_matrix (self, &self->observations, sum_widths (self->observed), error) ||
      !make_matrix (self, &self->actions, sum_widths (self->acted), error) ||
      !make_matrix (self, &self->results, self->values->len, error))
    return FALSE;
  self->held = g_atomic_rc_box_alloc0 (self->n);
  memset (self->held, 1, self->n);
  for (guint i = 1; i < self->n; i++) {
    if (!load_row (self, &self->rows[i], error))
      return FALSE;
    set_widths (self, &self->rows[i]);
  }
  return TRUE;
}

static void
add_names (GArray *columns, const char *const *names)
{
  for (; names != NULL && *names != NULL; names++) {
    OrreryColumns each = { .name = g_strdup (*names) };

    g_array_append_val (columns, each);
  }
}

OrreryVector *
orrery_vector_new (OrreryRegistry *registry, const char *path, OrreryOptions *options, guint n,
                   const char *const *observations, const char *const *actions,
                   const char *const *values, GError **error)
{
  g_autoptr (OrreryVector) self = NULL;

  g_return_val_if_fail (ORRERY_IS_REGISTRY (registry), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (options == NULL || ORRERY_IS_OPTIONS (options), NULL);

  if (n < 1 || n > ORRERY_VECTOR_MAX_SIMULATIONS) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%u simulations: it takes 1 to %d", n,
                      ORRERY_VECTOR_MAX_SIMULATIONS);
    return NULL;
  }
  self = g_object_new (ORRERY_TYPE_VECTOR, NULL);
  self->registry = g_object_ref (registry);
  self->path = g_strdup (path);
  self->options = options != NULL ? g_object_ref (options) : NULL;
  self->n = n;
  self->rows = g_new0 (Row, n);
  add_names (self->observed, observations);
  add_names (self->acted, actions);
  for (; values != NULL && *values != NULL; values++)
    g_ptr_array_add (self->values, g_strdup (*values));
  return load (self, error) ? g_steal_pointer (&self) : NULL;
}

/* --- running --- */

static double *
get_row (const Matrix *matrix, guint index)
{
  return matrix->numbers + (gsize) index * matrix->width;
}

static void
fail (OrreryVector *self, guint index, GError *error)
{
  Row *row = &self->rows[index];

  g_free (row->failure);
  row->failure = g_strdup (error->message);
  row->begun = FALSE;
  self->held[index] = 1;
  for (guint i = 0; i < self->observations.width; i++)
    get_row (&self->observations, index)[i] = NAN;
  for (guint i = 0; i < self->results.width; i++)
    get_row (&self->results, index)[i] = NAN;
}

static void
look (OrreryVector *self, guint index)
{
  Row *row = &self->rows[index];
  double time = orrery_time_to_seconds (orrery_simulation_get_time (row->simulation) - row->begin);

  orrery_columns_read (row->observed, get_row (&self->observations, index));
  for (guint i = 0; i < row->values->len; i++)
    get_row (&self->results, index)[i] = orrery_expression_step (row->values->pdata[i], time);
}

static gboolean
check_actions (OrreryVector *self, guint index, GError **error)
{
  const double *numbers = get_row (&self->actions, index);
  int wrong = orrery_columns_check (self->rows[index].acted, numbers);
  guint column = 0;

  if (wrong < 0)
    return TRUE;
  for (guint i = 0; i < self->acted->len; i++) {
    const OrreryColumns *columns = &g_array_index (self->acted, OrreryColumns, i);

    column += columns->width;
    if ((guint) wrong < column)
      return orrery_set_error (error, ORRERY_ERROR_INVALID,
                               "simulation %u, %s: an action cannot be %g", index, columns->name,
                               numbers[wrong]);
  }
  return orrery_set_error (error, ORRERY_ERROR_INTERNAL, "an action of no field");
}

/* A caller may have released one that has failed, or that has not begun. */
static gboolean
is_stepped (OrreryVector *self, guint index)
{
  return !self->held[index] && self->rows[index].begun;
}

int
orrery_vector_step (OrreryVector *vector, guint64 n_ticks, GError **error)
{
  int failed = 0;

  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), -1);
  g_return_val_if_fail (n_ticks > 0, -1);

  for (guint i = 0; i < vector->n; i++)
    if (is_stepped (vector, i) && !check_actions (vector, i, error))
      return -1;
  for (guint i = 0; i < vector->n; i++) {
    g_autoptr (GError) local = NULL;

    if (!is_stepped (vector, i))
      continue;
    orrery_columns_write (vector->rows[i].acted, get_row (&vector->actions, i));
    if (orrery_simulation_step (vector->rows[i].simulation, n_ticks, &local)) {
      look (vector, i);
    } else {
      fail (vector, i, local);
      failed++;
    }
  }
  return failed;
}

static gboolean
rewind_row (OrreryVector *self, Row *row, guint64 seed, GError **error)
{
  if (row->failure != NULL) {
    if (!load_row (self, row, error))
      return FALSE;
    set_widths (self, row);
  }
  if (!orrery_simulation_reset_with_seed (row->simulation, seed, error))
    return FALSE;
  for (guint i = 0; i < row->values->len; i++)
    orrery_expression_reset (row->values->pdata[i]);
  row->rewound = TRUE;
  return TRUE;
}

gboolean
orrery_vector_rewind (OrreryVector *vector, guint index, guint64 seed, GError **error)
{
  GError *local = NULL;

  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), FALSE);
  g_return_val_if_fail (index < vector->n, FALSE);

  vector->held[index] = 1;
  vector->rows[index].begun = FALSE;
  if (rewind_row (vector, &vector->rows[index], seed, &local))
    return TRUE;
  fail (vector, index, local);
  g_propagate_prefixed_error (error, local, "simulation %u: ", index);
  return FALSE;
}

gboolean
orrery_vector_begin (OrreryVector *vector, guint index, guint64 n_ticks, GError **error)
{
  Row *row;
  GError *local = NULL;

  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), FALSE);
  g_return_val_if_fail (index < vector->n && n_ticks > 0, FALSE);

  row = &vector->rows[index];
  if (row->failure != NULL)
    return orrery_set_error (error, ORRERY_ERROR_STATE, "simulation %u has failed: %s", index,
                             row->failure);
  if (!row->rewound)
    return orrery_set_error (error, ORRERY_ERROR_STATE, "simulation %u is rewound before it begins",
                             index);
  row->rewound = FALSE;
  /* The caller may have restored a state of another time. */
  row->begin = orrery_simulation_get_time (row->simulation);
  if (orrery_simulation_step (row->simulation, n_ticks, &local)) {
    vector->held[index] = 0;
    row->begun = TRUE;
    look (vector, index);
    return TRUE;
  }
  fail (vector, index, local);
  g_propagate_prefixed_error (error, local, "simulation %u: ", index);
  return FALSE;
}

/* --- reading --- */

OrrerySimulation *
orrery_vector_get_simulation (OrreryVector *vector, guint index)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), NULL);
  g_return_val_if_fail (index < vector->n, NULL);
  return vector->rows[index].simulation;
}

const char *
orrery_vector_get_failure (OrreryVector *vector, guint index)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), NULL);
  g_return_val_if_fail (index < vector->n, NULL);
  return vector->rows[index].failure;
}

static guint
get_width (GArray *columns, guint index)
{
  return index < columns->len ? g_array_index (columns, OrreryColumns, index).width : 0;
}

guint
orrery_vector_get_observation_width (OrreryVector *vector, guint index)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), 0);
  return get_width (vector->observed, index);
}

guint
orrery_vector_get_action_width (OrreryVector *vector, guint index)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), 0);
  return get_width (vector->acted, index);
}

static OrreryBuffer *
dup_matrix (OrreryVector *self, const Matrix *matrix)
{
  const gsize shape[] = { self->n, matrix->width };

  return orrery_buffer_new_wrapped (ORRERY_ELEMENT_DOUBLE, 2, shape, matrix->numbers,
                                    g_atomic_rc_box_release,
                                    g_atomic_rc_box_acquire (matrix->numbers));
}

OrreryBuffer *
orrery_vector_dup_observations (OrreryVector *vector)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), NULL);
  return dup_matrix (vector, &vector->observations);
}

OrreryBuffer *
orrery_vector_dup_actions (OrreryVector *vector)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), NULL);
  return dup_matrix (vector, &vector->actions);
}

OrreryBuffer *
orrery_vector_dup_values (OrreryVector *vector)
{
  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), NULL);
  return dup_matrix (vector, &vector->results);
}

OrreryBuffer *
orrery_vector_dup_held (OrreryVector *vector)
{
  gsize shape;

  g_return_val_if_fail (ORRERY_IS_VECTOR (vector), NULL);

  shape = vector->n;
  return orrery_buffer_new_wrapped (ORRERY_ELEMENT_UINT8, 1, &shape, vector->held,
                                    g_atomic_rc_box_release,
                                    g_atomic_rc_box_acquire (vector->held));
}
