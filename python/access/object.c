/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects that PyGObject made: the way from them to the library's, and back. */
#include "access.h"

#include <string.h>

/* The beginning of what PyGObject's <pygobject.h> declares for modules in C. It has been the same
 * since PyGTK, and whoever compiled against it relies on it; later versions only add at the end. */
typedef struct {
  PyObject_HEAD GObject *object;
} Wrapper;

typedef struct {
  gpointer register_class;
  gpointer register_wrapper;
  gpointer lookup_class;
  PyObject *(*wrap) (GObject *object);
} Functions;

static const Functions *functions;
static PyTypeObject *wrapper_type;
static PyObject *error_type;

/* An object says in its repr where the GObject lies. What is read from its memory must be that: a
 * PyGObject that has it elsewhere is not used. */
static int
check_layout (PyObject *object)
{
  g_autofree char *place = g_strdup_printf ("at %p)", (gpointer) ((Wrapper *) object)->object);
  PyObject *text = PyObject_Repr (object);
  PyObject *words = text != NULL ? PyUnicode_AsUTF8String (text) : NULL;
  gboolean fits = words != NULL && strstr (PyBytes_AsString (words), place) != NULL;

  Py_XDECREF (text);
  Py_XDECREF (words);
  if (fits)
    return 0;
  PyErr_Clear ();
  PyErr_SetString (PyExc_ImportError, "this PyGObject lays out its objects in another way");
  return -1;
}

static int
check_wrapper_type (void)
{
  PyObject *size = PyObject_GetAttrString ((PyObject *) wrapper_type, "__basicsize__");
  gboolean is_large = size != NULL && PyLong_AsSsize_t (size) >= (Py_ssize_t) sizeof (Wrapper);
  PyObject *object;
  int result;

  Py_XDECREF (size);
  object = is_large ? PyObject_CallFunction ((PyObject *) wrapper_type, NULL) : NULL;
  if (object == NULL) {
    if (!PyErr_Occurred ())
      PyErr_SetString (PyExc_ImportError, "this PyGObject has other objects");
    return -1;
  }
  result = check_layout (object);
  Py_DECREF (object);
  return result;
}

static PyObject *
import_from (const char *module, const char *name)
{
  PyObject *imported = PyImport_ImportModule (module);
  PyObject *found = imported != NULL ? PyObject_GetAttrString (imported, name) : NULL;

  Py_XDECREF (imported);
  return found;
}

/* What PyGObject has in C below GObject.Object, whose overrides are in Python. */
static PyTypeObject *
find_root_type (void)
{
  PyObject *type = import_from ("gi.repository.GObject", "Object");
  PyObject *order = type != NULL ? PyObject_GetAttrString (type, "__mro__") : NULL;
  Py_ssize_t n = order != NULL ? PyTuple_Size (order) : -1;
  PyObject *root = n >= 2 ? PyTuple_GetItem (order, n - 2) : NULL;

  Py_XINCREF (root);
  Py_XDECREF (order);
  Py_XDECREF (type);
  return (PyTypeObject *) root;
}

int
access_begin_objects (void)
{
  PyObject *capsule = import_from ("gi._gobject", "_PyGObject_API");

  if (capsule == NULL)
    return -1;
  functions = PyCapsule_GetPointer (capsule, "gobject._PyGObject_API");
  Py_DECREF (capsule);
  if (functions == NULL)
    return -1;
  wrapper_type = find_root_type ();
  error_type = wrapper_type != NULL ? import_from ("gi.repository.GLib", "Error") : NULL;
  return error_type != NULL ? check_wrapper_type () : -1;
}

GObject *
access_peek_object (PyObject *wrapper, GType type)
{
  GObject *object;

  if (!PyObject_TypeCheck (wrapper, wrapper_type))
    return NULL;
  object = ((Wrapper *) wrapper)->object;
  return object != NULL && G_TYPE_CHECK_INSTANCE_TYPE (object, type) ? object : NULL;
}

gpointer
access_get_object (PyObject *wrapper, GType type, const char *kind)
{
  GObject *object = access_peek_object (wrapper, type);
  PyObject *name;

  if (object != NULL)
    return object;
  name = PyObject_GetAttrString ((PyObject *) Py_TYPE (wrapper), "__name__");
  if (name != NULL)
    PyErr_Format (PyExc_TypeError, "argument self: Expected Orrery.%s, but got %U", kind, name);
  Py_XDECREF (name);
  return NULL;
}

PyObject *
access_wrap (gpointer object)
{
  return functions->wrap (object);
}

PyObject *
access_raise (GError *error)
{
  PyObject *raised = PyObject_CallFunction (error_type, "ssi", error->message,
                                            g_quark_to_string (error->domain), error->code);

  g_error_free (error);
  if (raised != NULL)
    PyErr_SetObject (error_type, raised);
  Py_XDECREF (raised);
  return NULL;
}
