/* SPDX-License-Identifier: BSD-3-Clause */
/* The extension module of the Python package; nothing here is needed, all of it is faster.
 *
 * Built for CPython's limited API, so that one file serves every interpreter from 3.10 on. */
#pragma once

/* Before Python.h, which needs nothing of ours. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <orrery.h>

/* --- objects of PyGObject --- */

/* Looks up what PyGObject offers to modules in C. 0, or -1 with an exception. */
int access_begin_objects (void);
/* The object behind what PyGObject made of it; borrowed, it lives as long as @wrapper does. NULL
 * without an exception: @wrapper is nothing of the kind, or was never set up. */
GObject *access_peek_object (PyObject *wrapper, GType type);
/* The same, and a TypeError in PyGObject's words if it is none; @kind as in "Simulation". */
gpointer access_get_object (PyObject *wrapper, GType type, const char *kind);
/* PyGObject's object for one of the library's: a new reference, or NULL with an exception. */
PyObject *access_wrap (gpointer object);
/* Raises the GLib.Error for an error, which is freed. Returns NULL. */
PyObject *access_raise (GError *error);

/* --- values --- */

/* A str as UTF-8, which lives as long as it does. NULL without an exception: it is no str, or none
 * that C can say. */
const char *access_peek_text (PyObject *value);
/* A value as the variant that services take, floating; NULL without an exception: it is not of the
 * plain kinds, and `to_variant` of the package says what becomes of it. */
GVariant *access_to_variant (PyObject *value);
/* What GLib.Variant.unpack() gives; a new reference, or NULL with an exception. */
PyObject *access_from_variant (GVariant *value);
/* A field of a record as Data shows it: a new reference, or NULL; without an exception if such a
 * field is none of the plain kinds. */
PyObject *access_read_field (OrreryRecord *record, const OrreryField *field);

/* --- records --- */

/* Adds the types Data and Attribute to the module. 0, or -1 with an exception. */
int access_add_data (PyObject *module);
