/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes OpenGL contexts without a window, by EGL or OSMesa. */
#include "gl.h"

#include <orrery.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#define MAX_DEVICES 16

/* OSMesa's header is in a package of its own that nothing else needs. */
typedef void *OSMesaContext;
#define OSMESA_RGBA 0x1908
#define OSMESA_UNSIGNED_BYTE 0x1401

typedef struct {
  gpointer library;
  EGLDisplay display;
  EGLContext context;
  PFNEGLGETPROCADDRESSPROC get_proc_address;
  PFNEGLMAKECURRENTPROC make_current;
  PFNEGLDESTROYCONTEXTPROC destroy_context;
} Egl;

typedef struct {
  gpointer library;
  OSMesaContext context;
  guint8 *buffer; /* the surface that every EGL context needs; nothing is drawn there */
  OSMesaContext (*create) (unsigned format, int depth, int stencil, int accumulation,
                           OSMesaContext shared);
  void (*destroy) (OSMesaContext context);
  unsigned char (*make_current) (OSMesaContext context, void *buffer, unsigned type, int width,
                                 int height);
  void (*(*get_proc_address) (const char *name)) (void);
} OsMesa;

struct _GlContext {
  GlKind kind;
  Egl egl;
  OsMesa osmesa;
};

/* MuJoCo looks for the functions of OpenGL among those of the whole process. */
static gpointer
open_library (const char *name, GString *tried)
{
  gpointer library = dlopen (name, RTLD_NOW | RTLD_GLOBAL);

  if (library == NULL)
    g_string_append_printf (tried, "%s%s", tried->len > 0 ? "; " : "", dlerror ());
  return library;
}

static void
note (GString *tried, const char *what)
{
  g_string_append_printf (tried, "%s%s", tried->len > 0 ? "; " : "", what);
}

/* --- EGL --- */

static EGLDisplay
find_device (Egl *egl, PFNEGLGETPLATFORMDISPLAYEXTPROC get_display, PFNEGLINITIALIZEPROC initialize)
{
  PFNEGLQUERYDEVICESEXTPROC query =
      (PFNEGLQUERYDEVICESEXTPROC) egl->get_proc_address ("eglQueryDevicesEXT");
  EGLDeviceEXT devices[MAX_DEVICES];
  EGLint n = 0;

  if (query == NULL || !query (MAX_DEVICES, devices, &n))
    return EGL_NO_DISPLAY;
  for (EGLint i = 0; i < n; i++) {
    EGLDisplay display = get_display (EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);

    if (display != EGL_NO_DISPLAY && initialize (display, NULL, NULL))
      return display;
  }
  return EGL_NO_DISPLAY;
}

static EGLDisplay
find_display (Egl *egl)
{
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC) egl->get_proc_address ("eglGetPlatformDisplayEXT");
  PFNEGLINITIALIZEPROC initialize = (PFNEGLINITIALIZEPROC) dlsym (egl->library, "eglInitialize");
  EGLDisplay display;

  if (get_display == NULL || initialize == NULL)
    return EGL_NO_DISPLAY;
  display = get_display (EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  if (display != EGL_NO_DISPLAY && initialize (display, NULL, NULL))
    return display;
  return find_device (egl, get_display, initialize);
}

static EGLContext
create_context (Egl *egl)
{
  static const EGLint attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                       EGL_OPENGL_BIT, EGL_NONE };
  PFNEGLBINDAPIPROC bind = (PFNEGLBINDAPIPROC) dlsym (egl->library, "eglBindAPI");
  PFNEGLCHOOSECONFIGPROC choose = (PFNEGLCHOOSECONFIGPROC) dlsym (egl->library, "eglChooseConfig");
  PFNEGLCREATECONTEXTPROC create =
      (PFNEGLCREATECONTEXTPROC) dlsym (egl->library, "eglCreateContext");
  EGLConfig config;
  EGLint n = 0;

  if (bind == NULL || choose == NULL || create == NULL || !bind (EGL_OPENGL_API) ||
      !choose (egl->display, attributes, &config, 1, &n) || n == 0)
    return EGL_NO_CONTEXT;
  return create (egl->display, config, EGL_NO_CONTEXT, NULL);
}

static gboolean
open_egl (Egl *egl, GString *tried)
{
  egl->library = open_library ("libEGL.so.1", tried);
  if (egl->library == NULL)
    return FALSE;
  egl->get_proc_address = (PFNEGLGETPROCADDRESSPROC) dlsym (egl->library, "eglGetProcAddress");
  egl->make_current = (PFNEGLMAKECURRENTPROC) dlsym (egl->library, "eglMakeCurrent");
  egl->destroy_context = (PFNEGLDESTROYCONTEXTPROC) dlsym (egl->library, "eglDestroyContext");
  if (egl->get_proc_address == NULL || egl->make_current == NULL || egl->destroy_context == NULL) {
    note (tried, "libEGL.so.1 lacks functions of EGL 1.4");
    return FALSE;
  }
  /* MuJoCo takes its functions from there whatever the context is made with. */
  if (open_library ("libGL.so.1", tried) == NULL)
    return FALSE;
  egl->display = find_display (egl);
  if (egl->display == EGL_NO_DISPLAY) {
    note (tried, "EGL has no display without a window: no driver of Mesa, no device");
    return FALSE;
  }
  egl->context = create_context (egl);
  if (egl->context != EGL_NO_CONTEXT)
    return TRUE;
  note (tried, "EGL makes no context for OpenGL");
  return FALSE;
}

/* --- OSMesa --- */

static gboolean
open_osmesa (OsMesa *osmesa, GString *tried)
{
  osmesa->library = open_library ("libOSMesa.so.8", tried);
  if (osmesa->library == NULL)
    return FALSE;
  osmesa->create = dlsym (osmesa->library, "OSMesaCreateContextExt");
  osmesa->destroy = dlsym (osmesa->library, "OSMesaDestroyContext");
  osmesa->make_current = dlsym (osmesa->library, "OSMesaMakeCurrent");
  osmesa->get_proc_address = dlsym (osmesa->library, "OSMesaGetProcAddress");
  if (osmesa->create == NULL || osmesa->destroy == NULL || osmesa->make_current == NULL ||
      osmesa->get_proc_address == NULL) {
    note (tried, "libOSMesa.so.8 lacks functions of OSMesa");
    return FALSE;
  }
  osmesa->context = osmesa->create (OSMESA_RGBA, 24, 8, 0, NULL);
  if (osmesa->context == NULL) {
    note (tried, "OSMesa makes no context");
    return FALSE;
  }
  osmesa->buffer = g_malloc0 (4 * 16 * 16);
  return TRUE;
}

/* --- whichever --- */

static void
clear_egl (Egl *egl)
{
  /* Libraries and display are not closed, because other code of this process may use them. */
  if (egl->context != NULL && egl->context != EGL_NO_CONTEXT)
    egl->destroy_context (egl->display, egl->context);
  egl->context = EGL_NO_CONTEXT;
}

static void
clear_osmesa (OsMesa *osmesa)
{
  if (osmesa->context != NULL)
    osmesa->destroy (osmesa->context);
  osmesa->context = NULL;
  g_clear_pointer (&osmesa->buffer, g_free);
}

GlContext *
gl_context_new (GlKind wanted, GError **error)
{
  GlContext *context = g_new0 (GlContext, 1);
  g_autoptr (GString) tried = g_string_new (NULL);

  context->kind = GL_EGL;
  if (wanted != GL_OSMESA && open_egl (&context->egl, tried))
    return context;
  clear_egl (&context->egl);
  context->kind = GL_OSMESA;
  if (wanted != GL_EGL && open_osmesa (&context->osmesa, tried))
    return context;
  gl_context_free (context);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                    "no OpenGL without a display: %s; the Debian packages are libegl1, libgl1 and "
                    "libgl1-mesa-dri, or libosmesa6",
                    tried->str);
  return NULL;
}

void
gl_context_free (GlContext *context)
{
  clear_egl (&context->egl);
  clear_osmesa (&context->osmesa);
  g_free (context);
}

gboolean
gl_context_enter (GlContext *context, GError **error)
{
  Egl *egl = &context->egl;
  OsMesa *osmesa = &context->osmesa;
  gboolean fine = context->kind == GL_EGL
                      ? egl->make_current (egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                                           egl->context) == EGL_TRUE
                      : osmesa->make_current (osmesa->context, osmesa->buffer, OSMESA_UNSIGNED_BYTE,
                                              16, 16) != 0;

  if (!fine)
    orrery_set_error (error, ORRERY_ERROR_IO, "the OpenGL context cannot be used on this thread");
  return fine;
}

void
gl_context_leave (GlContext *context)
{
  Egl *egl = &context->egl;

  if (context->kind == GL_EGL)
    egl->make_current (egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  else
    context->osmesa.make_current (NULL, NULL, OSMESA_UNSIGNED_BYTE, 0, 0);
}

gpointer
gl_context_find (GlContext *context, const char *name)
{
  return context->kind == GL_EGL ? (gpointer) context->egl.get_proc_address (name)
                                 : (gpointer) context->osmesa.get_proc_address (name);
}

GlKind
gl_context_get_kind (GlContext *context)
{
  return context->kind;
}
