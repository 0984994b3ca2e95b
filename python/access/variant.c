/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of Python as variants and back, as `to_variant` and `from_variant` of the package. */
#include "access.h"

#include <string.h>

/* Lists within lists, as deep as a user's data may be; deeper ones go the long way. */
#define MAX_DEPTH 32

/* --- to a variant --- */

static GVariant *to_variant (PyObject *value, int depth);

static GVariant *
int_to_variant (PyObject *value)
{
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow (value, &overflow);

  if (overflow != 0 || (number == -1 && PyErr_Occurred ())) {
    PyErr_Clear ();
    return NULL;
  }
  return g_variant_new_int64 (number);
}

const char *
access_peek_text (PyObject *value)
{
  Py_ssize_t size = 0;
  const char *text = PyUnicode_Check (value) ? PyUnicode_AsUTF8AndSize (value, &size) : NULL;

  if (text == NULL)
    PyErr_Clear ();
  return text != NULL && strlen (text) == (gsize) size ? text : NULL;
}

static GVariant *
text_to_variant (PyObject *value)
{
  const char *text = access_peek_text (value);

  return text != NULL ? g_variant_new_string (text) : NULL;
}

static GVariant *
sequence_to_variant (PyObject *value, int depth)
{
  gboolean is_list = PyList_CheckExact (value);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("av"));
  for (Py_ssize_t i = 0; i < (is_list ? PyList_Size (value) : PyTuple_Size (value)); i++) {
    GVariant *item =
        to_variant (is_list ? PyList_GetItem (value, i) : PyTuple_GetItem (value, i), depth + 1);

    if (item == NULL) {
      g_variant_builder_clear (&builder);
      return NULL;
    }
    g_variant_builder_add_value (&builder, g_variant_new_variant (item));
  }
  return g_variant_builder_end (&builder);
}

static GVariant *
entry_to_variant (PyObject *key, PyObject *value, int depth)
{
  GVariant *name = PyUnicode_CheckExact (key) ? text_to_variant (key) : NULL;
  GVariant *item = name != NULL ? to_variant (value, depth + 1) : NULL;

  if (item != NULL)
    return g_variant_new_dict_entry (name, g_variant_new_variant (item));
  if (name != NULL)
    g_variant_unref (g_variant_ref_sink (name));
  return NULL;
}

static GVariant *
dict_to_variant (PyObject *value, int depth)
{
  PyObject *key;
  PyObject *item;
  Py_ssize_t place = 0;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  while (PyDict_Next (value, &place, &key, &item)) {
    GVariant *entry = entry_to_variant (key, item, depth);

    if (entry == NULL) {
      g_variant_builder_clear (&builder);
      return NULL;
    }
    g_variant_builder_add_value (&builder, entry);
  }
  return g_variant_builder_end (&builder);
}

static gboolean
has_slot (PyObject *value, int slot)
{
  return PyType_GetSlot (Py_TYPE (value), slot) != NULL;
}

/* NumPy's doubles are floats of Python, too; what is more than a number goes the long way. */
static gboolean
is_float (PyObject *value)
{
  if (PyFloat_CheckExact (value))
    return TRUE;
  return PyFloat_Check (value) && !has_slot (value, Py_nb_index) && !has_slot (value, Py_tp_iter);
}

static GVariant *
to_variant (PyObject *value, int depth)
{
  if (is_float (value))
    return g_variant_new_double (PyFloat_AsDouble (value));
  if (PyBool_Check (value))
    return g_variant_new_boolean (value == Py_True);
  if (PyLong_CheckExact (value))
    return int_to_variant (value);
  if (PyUnicode_CheckExact (value))
    return text_to_variant (value);
  if (value == Py_None)
    return g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL);
  if (depth >= MAX_DEPTH)
    return NULL;
  if (PyList_CheckExact (value) || PyTuple_CheckExact (value))
    return sequence_to_variant (value, depth);
  return PyDict_CheckExact (value) ? dict_to_variant (value, depth) : NULL;
}

GVariant *
access_to_variant (PyObject *value)
{
  return to_variant (value, 0);
}

/* --- from a variant --- */

static PyObject *
number_from_variant (GVariant *value)
{
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_BOOLEAN:
    return PyBool_FromLong (g_variant_get_boolean (value));
  case G_VARIANT_CLASS_BYTE:
    return PyLong_FromLong (g_variant_get_byte (value));
  case G_VARIANT_CLASS_INT16:
    return PyLong_FromLong (g_variant_get_int16 (value));
  case G_VARIANT_CLASS_UINT16:
    return PyLong_FromLong (g_variant_get_uint16 (value));
  case G_VARIANT_CLASS_INT32:
    return PyLong_FromLong (g_variant_get_int32 (value));
  case G_VARIANT_CLASS_UINT32:
    return PyLong_FromUnsignedLong (g_variant_get_uint32 (value));
  case G_VARIANT_CLASS_INT64:
    return PyLong_FromLongLong (g_variant_get_int64 (value));
  case G_VARIANT_CLASS_UINT64:
    return PyLong_FromUnsignedLongLong (g_variant_get_uint64 (value));
  case G_VARIANT_CLASS_HANDLE:
    return PyLong_FromLong (g_variant_get_handle (value));
  case G_VARIANT_CLASS_DOUBLE:
    return PyFloat_FromDouble (g_variant_get_double (value));
  default:
    PyErr_Format (PyExc_NotImplementedError, "unsupported GVariant type %s",
                  g_variant_get_type_string (value));
    return NULL;
  }
}

static PyObject *
take_child (GVariant *value, gsize index)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (value, index);

  return access_from_variant (child);
}

static PyObject *
list_from_variant (GVariant *value)
{
  gsize n = g_variant_n_children (value);
  gboolean is_tuple = g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE);
  PyObject *items = is_tuple ? PyTuple_New ((Py_ssize_t) n) : PyList_New ((Py_ssize_t) n);

  for (gsize i = 0; i < n && items != NULL; i++) {
    PyObject *item = take_child (value, i);

    if (item == NULL)
      Py_CLEAR (items);
    else if (is_tuple)
      PyTuple_SetItem (items, (Py_ssize_t) i, item);
    else
      PyList_SetItem (items, (Py_ssize_t) i, item);
  }
  return items;
}

static int
add_entry (PyObject *items, GVariant *entry)
{
  PyObject *key = take_child (entry, 0);
  PyObject *item = key != NULL ? take_child (entry, 1) : NULL;
  int result = item != NULL ? PyDict_SetItem (items, key, item) : -1;

  Py_XDECREF (key);
  Py_XDECREF (item);
  return result;
}

static PyObject *
dict_from_variant (GVariant *value)
{
  gsize n = g_variant_n_children (value);
  PyObject *items = PyDict_New ();

  for (gsize i = 0; i < n && items != NULL; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);

    if (add_entry (items, entry) < 0)
      Py_CLEAR (items);
  }
  return items;
}

PyObject *
access_from_variant (GVariant *value)
{
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_STRING:
  case G_VARIANT_CLASS_OBJECT_PATH:
  case G_VARIANT_CLASS_SIGNATURE:
    return PyUnicode_FromString (g_variant_get_string (value, NULL));
  case G_VARIANT_CLASS_VARIANT:
    return take_child (value, 0);
  case G_VARIANT_CLASS_MAYBE:
    return g_variant_n_children (value) == 0 ? Py_NewRef (Py_None) : take_child (value, 0);
  case G_VARIANT_CLASS_ARRAY:
    return g_variant_is_of_type (value, G_VARIANT_TYPE_DICTIONARY) ? dict_from_variant (value)
                                                                   : list_from_variant (value);
  case G_VARIANT_CLASS_TUPLE:
    return list_from_variant (value);
  default:
    return number_from_variant (value);
  }
}

/* --- fields of a record --- */

static PyObject *
read_members (const double *numbers, const char *const *names, const int *places)
{
  PyObject *items = PyDict_New ();

  for (int i = 0; names[i] != NULL && items != NULL; i++) {
    PyObject *number = PyFloat_FromDouble (numbers[places[i]]);

    if (number == NULL || PyDict_SetItemString (items, names[i], number) < 0)
      Py_CLEAR (items);
    Py_XDECREF (number);
  }
  return items;
}

static PyObject *
read_row (const double *numbers, Py_ssize_t n)
{
  PyObject *row = PyList_New (n);

  for (Py_ssize_t i = 0; i < n && row != NULL; i++) {
    PyObject *number = PyFloat_FromDouble (numbers[i]);

    if (number == NULL)
      Py_CLEAR (row);
    else
      PyList_SetItem (row, i, number);
  }
  return row;
}

static PyObject *
read_matrix (const double *numbers, Py_ssize_t n)
{
  PyObject *rows = PyList_New (n);

  for (Py_ssize_t i = 0; i < n && rows != NULL; i++) {
    PyObject *row = read_row (numbers + i * n, n);

    if (row == NULL)
      Py_CLEAR (rows);
    else
      PyList_SetItem (rows, i, row);
  }
  return rows;
}

static PyObject *
read_vec3 (const OrreryVec3 *vector)
{
  PyObject *x = PyFloat_FromDouble (vector->x);
  PyObject *y = PyFloat_FromDouble (vector->y);
  PyObject *z = PyFloat_FromDouble (vector->z);
  PyObject *numbers = x != NULL && y != NULL && z != NULL ? PyTuple_Pack (3, x, y, z) : NULL;

  Py_XDECREF (x);
  Py_XDECREF (y);
  Py_XDECREF (z);
  return numbers;
}

static PyObject *
read_text (const OrreryText *text)
{
  const char *words = orrery_text_get (text);

  return PyUnicode_DecodeUTF8 (words, (Py_ssize_t) strlen (words), "replace");
}

PyObject *
access_read_field (OrreryRecord *record, const OrreryField *field)
{
  /* In the order of orrery_record_get_value(), from the members' places in the structs. */
  static const char *const euler_names[] = { "yaw", "pitch", "roll", NULL };
  static const int euler_places[] = { 2, 1, 0 };
  static const char *const quat_names[] = { "x", "y", "z", "w", NULL };
  static const int quat_places[] = { 1, 2, 3, 0 };
  gconstpointer place = (const char *) orrery_record_data (record) + field->offset;

  switch (field->type) {
  case ORRERY_FIELD_DOUBLE:
    return PyFloat_FromDouble (*(const double *) place);
  case ORRERY_FIELD_INT64:
    return PyLong_FromLongLong (*(const gint64 *) place);
  case ORRERY_FIELD_BOOL:
    return PyBool_FromLong (*(const OrreryBool *) place);
  case ORRERY_FIELD_TIME:
    return PyFloat_FromDouble (orrery_time_to_seconds (((const OrreryStamp *) place)->ns));
  case ORRERY_FIELD_TEXT:
    return read_text (place);
  case ORRERY_FIELD_VEC3:
    return read_vec3 (place);
  case ORRERY_FIELD_EULER:
    return read_members (place, euler_names, euler_places);
  case ORRERY_FIELD_QUAT:
    return read_members (place, quat_names, quat_places);
  case ORRERY_FIELD_MAT3:
    return read_matrix (place, 3);
  case ORRERY_FIELD_MAT4:
    return read_matrix (place, 4);
  default:
    return NULL;
  }
}
