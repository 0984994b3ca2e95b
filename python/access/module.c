/* SPDX-License-Identifier: BSD-3-Clause */
/* The module `orrery._access`: steps, calls of services and components by name, without GObject
 * Introspection between Python and the library. */
#include "access.h"

static gboolean
check_count (const char *function, Py_ssize_t given, Py_ssize_t needed)
{
  if (given == needed)
    return TRUE;
  PyErr_Format (PyExc_TypeError, "%s() takes %zd arguments (%zd given)", function, needed, given);
  return FALSE;
}

/* Whatever is not understood here is left to PyGObject, which has the words for what is wrong. */
static PyObject *
leave_it (void)
{
  PyErr_Clear ();
  return Py_NewRef (Py_NotImplemented);
}

static OrrerySimulation *
peek_simulation (PyObject *wrapper)
{
  return (OrrerySimulation *) access_peek_object (wrapper, ORRERY_TYPE_SIMULATION);
}

static PyObject *
step (PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments)
{
  GError *error = NULL;
  unsigned long long n;
  OrrerySimulation *simulation;
  gboolean fine;

  if (!check_count ("step", n_arguments, 2))
    return NULL;
  simulation = peek_simulation (arguments[0]);
  n = simulation != NULL ? PyLong_AsUnsignedLongLong (arguments[1]) : 0;
  if (simulation == NULL || PyErr_Occurred ())
    return leave_it ();

  /* Other threads run meanwhile; a part in Python takes the lock for its own step. */
  Py_BEGIN_ALLOW_THREADS;
  fine = orrery_simulation_step (simulation, n, &error);
  Py_END_ALLOW_THREADS;
  if (error != NULL)
    return access_raise (error);
  return PyBool_FromLong (fine);
}

static PyObject *
find_component (PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments)
{
  OrrerySimulation *simulation;
  OrreryComponent *component;
  const char *name;

  if (!check_count ("find_component", n_arguments, 2))
    return NULL;
  simulation = peek_simulation (arguments[0]);
  name = access_peek_text (arguments[1]);
  if (simulation == NULL || name == NULL)
    return leave_it ();
  component = orrery_simulation_find_component (simulation, name);
  return component != NULL ? access_wrap (component) : Py_NewRef (Py_None);
}

/* The value of a call that has succeeded; otherwise, or if it is wanted, the call itself. */
static PyObject *
take_answer (OrreryCall *call, gboolean wants_call)
{
  GVariant *value;

  if (wants_call || !orrery_call_is_done (call) || orrery_call_get_fault (call) != ORRERY_CALL_OK)
    return access_wrap (call);
  value = orrery_call_get_result (call, NULL);
  return value != NULL ? access_from_variant (value) : Py_NewRef (Py_None);
}

static PyObject *
call_service (PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments)
{
  OrrerySimulation *simulation;
  const char *part;
  const char *service;
  GVariant *values;
  OrreryCall *call;
  PyObject *answer;

  if (!check_count ("call", n_arguments, 5))
    return NULL;
  simulation = peek_simulation (arguments[0]);
  part = access_peek_text (arguments[1]);
  service = access_peek_text (arguments[2]);
  values =
      simulation != NULL && part != NULL && service != NULL && PyTuple_CheckExact (arguments[3])
          ? access_to_variant (arguments[3])
          : NULL;
  if (values == NULL)
    return leave_it ();

  Py_BEGIN_ALLOW_THREADS;
  call = orrery_simulation_call (simulation, part, service, values);
  Py_END_ALLOW_THREADS;
  answer = take_answer (call, arguments[4] == Py_True);
  g_object_unref (call);
  return answer;
}

static PyMethodDef methods[] = {
  { "call", (PyCFunction) (void (*) (void)) call_service, METH_FASTCALL,
    "The value of a service; the call, if it is wanted, failed or is not done." },
  { "find_component", (PyCFunction) (void (*) (void)) find_component, METH_FASTCALL,
    "The component of that name, or None." },
  { "step", (PyCFunction) (void (*) (void)) step, METH_FASTCALL, "Runs ticks." },
  { NULL, NULL, 0, NULL },
};

static PyModuleDef definition = { PyModuleDef_HEAD_INIT,
                                  "orrery._access",
                                  "Fast access to what the typelib offers.",
                                  -1,
                                  methods,
                                  NULL,
                                  NULL,
                                  NULL,
                                  NULL };

PyMODINIT_FUNC PyInit__access (void);

PyMODINIT_FUNC
PyInit__access (void)
{
  PyObject *module = access_begin_objects () == 0 ? PyModule_Create (&definition) : NULL;

  if (module != NULL && access_add_data (module) < 0)
    Py_CLEAR (module);
  return module;
}
