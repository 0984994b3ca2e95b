/* SPDX-License-Identifier: BSD-3-Clause */
/* `component.data`: reads fields in the memory of the record, and writes those of actuators.
 *
 * The package derives its Data from the type here and has what is left: arrays, images and whatever
 * goes wrong, by `_missing`, `_item` and `_write`. */
#include "access.h"

#define TIMESTAMP (-1)

/* Where the fields of a record are: made once for a component, and kept in its `__dict__`, without
 * a way back to it, so that nothing lives longer than it did. */
typedef struct {
  PyObject_HEAD OrreryRecord *record;
  PyObject *places; /* of each name, which of the schema's fields it is */
} Layout;

typedef struct {
  PyObject_HEAD PyObject *part;
  PyObject *layout; /* nullable: the last that was used */
} Data;

typedef struct {
  PyObject_HEAD PyObject *plain; /* a property, which refuses to be set or deleted */
  PyTypeObject *type;
} Attribute;

static PyTypeObject *layout_type;
static PyTypeObject *data_type;

/* Names that are looked up. */
static PyObject *dict_name;
static PyObject *layout_name;
static PyObject *simulation_name;
static PyObject *missing_name;
static PyObject *item_name;
static PyObject *write_name;

/* --- where fields are --- */

static void
layout_dealloc (PyObject *self)
{
  Layout *layout = (Layout *) self;
  PyTypeObject *type = Py_TYPE (self);

  g_clear_pointer (&layout->record, orrery_record_unref);
  Py_CLEAR (layout->places);
  ((freefunc) PyType_GetSlot (type, Py_tp_free)) (self);
  Py_DECREF (type);
}

/* A name that Data itself has is not the field's: methods come first. */
static int
add_place (PyObject *places, PyTypeObject *type, const char *name, long index)
{
  PyObject *key = PyUnicode_InternFromString (name);
  PyObject *place = key != NULL ? PyLong_FromLong (index) : NULL;
  int result = -1;

  if (place != NULL)
    result = PyObject_HasAttr ((PyObject *) type, key) ? 0 : PyDict_SetItem (places, key, place);
  Py_XDECREF (key);
  Py_XDECREF (place);
  return result;
}

static gboolean
is_plain (OrreryFieldType type)
{
  return type >= ORRERY_FIELD_BOOL && type <= ORRERY_FIELD_MAT4;
}

static PyObject *
list_places (PyTypeObject *type, OrrerySchema *schema)
{
  guint n = orrery_schema_get_n_fields (schema);
  PyObject *places = PyDict_New ();
  int result = places != NULL ? add_place (places, type, "timestamp", TIMESTAMP) : -1;

  for (guint i = 0; i < n && result == 0; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (is_plain (field->type))
      result = add_place (places, type, field->name, (long) i);
  }
  if (result < 0)
    Py_CLEAR (places);
  return places;
}

static PyObject *
layout_new (PyTypeObject *type, OrreryRecord *record)
{
  PyObject *places = list_places (type, orrery_record_get_schema (record));
  PyObject *self = places != NULL ? PyType_GenericAlloc (layout_type, 0) : NULL;

  if (self == NULL) {
    Py_XDECREF (places);
    return NULL;
  }
  ((Layout *) self)->record = orrery_record_ref (record);
  ((Layout *) self)->places = places;
  return self;
}

static gboolean
is_layout_of (PyObject *layout, OrreryRecord *record)
{
  return layout != NULL && Py_TYPE (layout) == layout_type && ((Layout *) layout)->record == record;
}

/* The layout that the part keeps; made if there is none of this record. A new reference. */
static PyObject *
find_layout (Data *self, OrreryRecord *record)
{
  PyObject *dict = PyObject_GetAttr (self->part, dict_name);
  PyObject *layout = dict != NULL ? PyDict_GetItemWithError (dict, layout_name) : NULL;

  if (is_layout_of (layout, record)) {
    Py_INCREF (layout);
  } else {
    layout = dict != NULL && !PyErr_Occurred () ? layout_new (Py_TYPE (self), record) : NULL;
    if (layout != NULL && PyDict_SetItem (dict, layout_name, layout) < 0)
      Py_CLEAR (layout);
  }
  Py_XDECREF (dict);
  return layout;
}

/* The layout of the record that the component has now: setup may give it another one. Borrowed;
 * NULL without an exception: the part is no component any more. */
static Layout *
get_layout (Data *self)
{
  GObject *component = access_peek_object (self->part, ORRERY_TYPE_COMPONENT);
  OrreryRecord *record =
      component != NULL ? orrery_component_get_record ((OrreryComponent *) component) : NULL;
  PyObject *found;
  PyObject *former;

  if (record == NULL)
    return NULL;
  if (is_layout_of (self->layout, record))
    return (Layout *) self->layout;
  found = find_layout (self, record);
  former = self->layout;
  self->layout = found;
  Py_XDECREF (former);
  return (Layout *) found;
}

/* --- reading --- */

static PyObject *
read_place (OrreryRecord *record, long place)
{
  OrrerySchema *schema = orrery_record_get_schema (record);

  if (place != TIMESTAMP)
    return access_read_field (record, orrery_schema_get_field (schema, (guint) place));
  return orrery_record_has_timestamp (record)
             ? PyFloat_FromDouble (orrery_time_to_seconds (orrery_record_get_timestamp (record)))
             : NULL;
}

/* NULL without an exception: no field of that name lies in the record as a plain value. Only a
 * plain str is looked up: one of a class of its own might run code of its own meanwhile. */
static PyObject *
read_field (Data *self, PyObject *name)
{
  Layout *layout = PyUnicode_CheckExact (name) ? get_layout (self) : NULL;
  PyObject *place = layout != NULL ? PyDict_GetItemWithError (layout->places, name) : NULL;

  return place != NULL ? read_place (layout->record, PyLong_AsLong (place)) : NULL;
}

/* What the derived class has for it. */
static PyObject *
call_own (PyObject *self, PyObject *method, PyObject *name, PyObject *value)
{
  PyObject *function = PyObject_GetAttr ((PyObject *) Py_TYPE (self), method);
  PyObject *result =
      function != NULL ? PyObject_CallFunctionObjArgs (function, self, name, value, NULL) : NULL;

  Py_XDECREF (function);
  return result;
}

static PyObject *
data_getattro (PyObject *self, PyObject *name)
{
  PyObject *value = read_field ((Data *) self, name);

  if (value != NULL || PyErr_Occurred ())
    return value;
  value = PyObject_GenericGetAttr (self, name);
  if (value != NULL || !PyErr_ExceptionMatches (PyExc_AttributeError))
    return value;
  PyErr_Clear ();
  return call_own (self, missing_name, name, NULL);
}

static PyObject *
data_subscript (PyObject *self, PyObject *name)
{
  PyObject *value = read_field ((Data *) self, name);

  return value != NULL || PyErr_Occurred () ? value : call_own (self, item_name, name, NULL);
}

/* --- writing --- */

/* The simulation of a part, as `simulation_of` of the package finds it: a new reference, or NULL
 * without an exception. */
static PyObject *
find_simulation (PyObject *part)
{
  PyObject *dict = PyObject_GetAttr (part, dict_name);
  PyObject *find = dict != NULL ? PyDict_GetItemWithError (dict, simulation_name) : NULL;
  PyObject *simulation = NULL;

  if (find != NULL) {
    Py_INCREF (find);
    simulation = PyObject_CallNoArgs (find);
    Py_DECREF (find);
  }
  Py_XDECREF (dict);
  PyErr_Clear ();
  return simulation;
}

/* FALSE: not done, nothing has changed, and no exception is raised. Whatever is wrong is found
 * again by
 * `_write`, which has the words for it. */
static gboolean
write_field (Data *self, PyObject *name, PyObject *value)
{
  PyObject *wrapper = find_simulation (self->part);
  GObject *simulation =
      wrapper != NULL ? access_peek_object (wrapper, ORRERY_TYPE_SIMULATION) : NULL;
  GObject *component = access_peek_object (self->part, ORRERY_TYPE_COMPONENT);
  const char *field = simulation != NULL && component != NULL ? access_peek_text (name) : NULL;
  GVariant *variant = field != NULL ? access_to_variant (value) : NULL;
  gboolean done = variant != NULL &&
                  orrery_simulation_write ((OrrerySimulation *) simulation,
                                           (OrreryComponent *) component, field, variant, NULL);

  Py_XDECREF (wrapper);
  PyErr_Clear ();
  return done;
}

static int
data_setattro (PyObject *self, PyObject *name, PyObject *value)
{
  PyObject *result;

  if (value == NULL)
    return PyObject_GenericSetAttr (self, name, NULL);
  if (write_field ((Data *) self, name, value))
    return 0;
  result = call_own (self, write_name, name, value);
  Py_XDECREF (result);
  return result != NULL ? 0 : -1;
}

/* --- the types --- */

static PyObject *
data_make (PyTypeObject *type, PyObject *part)
{
  PyObject *self = PyType_GenericAlloc (type, 0);

  if (self != NULL)
    ((Data *) self)->part = Py_NewRef (part);
  return self;
}

static PyObject *
data_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  PyObject *part;

  if (!PyArg_ParseTuple (arguments, "O:Data", &part) ||
      access_get_object (part, ORRERY_TYPE_COMPONENT, "Component") == NULL)
    return NULL;
  return data_make (type, part);
}

static int
data_traverse (PyObject *self, visitproc visit, void *arg)
{
  Py_VISIT (Py_TYPE (self));
  Py_VISIT (((Data *) self)->part);
  Py_VISIT (((Data *) self)->layout);
  return 0;
}

static int
data_clear (PyObject *self)
{
  /* The part stays what it is: a method may still be called in the middle of a collection. */
  Py_CLEAR (((Data *) self)->layout);
  return 0;
}

static void
data_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);

  PyObject_GC_UnTrack (self);
  Py_CLEAR (((Data *) self)->part);
  Py_CLEAR (((Data *) self)->layout);
  ((freefunc) PyType_GetSlot (type, Py_tp_free)) (self);
  Py_DECREF (type);
}

static PyObject *
data_get_holder (PyObject *self, void *closure)
{
  return Py_NewRef (((Data *) self)->part);
}

static PyObject *
attribute_get (PyObject *self, PyObject *part, PyObject *owner)
{
  if (part == NULL || part == Py_None)
    return Py_NewRef (self);
  if (access_get_object (part, ORRERY_TYPE_COMPONENT, "Component") == NULL)
    return NULL;
  return data_make (((Attribute *) self)->type, part);
}

static int
attribute_set (PyObject *self, PyObject *part, PyObject *value)
{
  PyObject *plain = ((Attribute *) self)->plain;
  PyObject *result = value != NULL ? PyObject_CallMethod (plain, "__set__", "OO", part, value)
                                   : PyObject_CallMethod (plain, "__delete__", "O", part);

  Py_XDECREF (result);
  return result != NULL ? 0 : -1;
}

static PyObject *
attribute_new (PyTypeObject *type, PyObject *arguments, PyObject *named)
{
  PyObject *plain;
  PyObject *made;
  PyObject *self;

  if (!PyArg_ParseTuple (arguments, "OO!:Attribute", &plain, &PyType_Type, &made))
    return NULL;
  if (!PyType_IsSubtype ((PyTypeObject *) made, data_type)) {
    PyErr_SetString (PyExc_TypeError, "Attribute: a class derived from Data is needed");
    return NULL;
  }
  self = PyType_GenericAlloc (type, 0);
  if (self != NULL) {
    ((Attribute *) self)->plain = Py_NewRef (plain);
    ((Attribute *) self)->type = (PyTypeObject *) Py_NewRef (made);
  }
  return self;
}

static int
attribute_traverse (PyObject *self, visitproc visit, void *arg)
{
  Py_VISIT (Py_TYPE (self));
  Py_VISIT (((Attribute *) self)->plain);
  Py_VISIT (((Attribute *) self)->type);
  return 0;
}

static void
attribute_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);

  PyObject_GC_UnTrack (self);
  Py_CLEAR (((Attribute *) self)->plain);
  Py_CLEAR (((Attribute *) self)->type);
  ((freefunc) PyType_GetSlot (type, Py_tp_free)) (self);
  Py_DECREF (type);
}

static PyType_Slot layout_slots[] = {
  { Py_tp_dealloc, layout_dealloc },
  { 0, NULL },
};

static PyGetSetDef data_getset[] = {
  { "_holder", data_get_holder, NULL, NULL, NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot data_slots[] = {
  { Py_tp_doc, "The fields of a component's record, in the memory of the library." },
  { Py_tp_new, data_new },
  { Py_tp_dealloc, data_dealloc },
  { Py_tp_traverse, data_traverse },
  { Py_tp_clear, data_clear },
  { Py_tp_getattro, data_getattro },
  { Py_tp_setattro, data_setattro },
  { Py_mp_subscript, data_subscript },
  { Py_tp_getset, data_getset },
  { 0, NULL },
};

static PyType_Slot attribute_slots[] = {
  { Py_tp_doc, "An attribute of components: a new Data of the component each time." },
  { Py_tp_new, attribute_new },
  { Py_tp_dealloc, attribute_dealloc },
  { Py_tp_traverse, attribute_traverse },
  { Py_tp_descr_get, attribute_get },
  { Py_tp_descr_set, attribute_set },
  { 0, NULL },
};

static PyType_Spec layout_spec = { "orrery._access.Layout", sizeof (Layout), 0, Py_TPFLAGS_DEFAULT,
                                   layout_slots };
static PyType_Spec data_spec = { "orrery._access.Data", sizeof (Data), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                 data_slots };
static PyType_Spec attribute_spec = { "orrery._access.Attribute", sizeof (Attribute), 0,
                                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, attribute_slots };

static int
intern_names (void)
{
  const struct {
    PyObject **name;
    const char *text;
  } names[] = {
    { &dict_name, "__dict__" },
    { &layout_name, "_orrery_layout" },
    { &simulation_name, "_orrery_simulation" },
    { &missing_name, "_missing" },
    { &item_name, "_item" },
    { &write_name, "_write" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    *names[i].name = PyUnicode_InternFromString (names[i].text);
    if (*names[i].name == NULL)
      return -1;
  }
  return 0;
}

int
access_add_data (PyObject *module)
{
  PyObject *attribute_type;

  if (intern_names () < 0)
    return -1;
  layout_type = (PyTypeObject *) PyType_FromSpec (&layout_spec);
  data_type = layout_type != NULL ? (PyTypeObject *) PyType_FromSpec (&data_spec) : NULL;
  attribute_type = data_type != NULL ? PyType_FromSpec (&attribute_spec) : NULL;
  if (attribute_type == NULL)
    return -1;
  if (PyModule_AddObjectRef (module, "Attribute", attribute_type) < 0)
    return -1;
  return PyModule_AddObjectRef (module, "Data", (PyObject *) data_type);
}
