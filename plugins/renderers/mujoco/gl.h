/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/*
 * An OpenGL context without a window, from whichever library is there: EGL, which needs no display,
 * or OSMesa, which needs no driver either. The libraries are looked for when a context is made, not
 * before. A context belongs to one thread between gl_context_enter() and gl_context_leave().
 */
typedef struct _GlContext GlContext;

typedef enum { GL_ANY, GL_EGL, GL_OSMESA } GlKind;

/* NULL: no library, or none that draws; the error says what was tried. */
GlContext *gl_context_new (GlKind wanted, GError **error);
void gl_context_free (GlContext *context);
gboolean gl_context_enter (GlContext *context, GError **error);
void gl_context_leave (GlContext *context);
/* A function of OpenGL. NULL: there is none of that name. */
gpointer gl_context_find (GlContext *context, const char *name);
GlKind gl_context_get_kind (GlContext *context);
