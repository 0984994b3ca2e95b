/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenGL without a display, which cameras draw with. */
#include "doctor.h"

#include <dlfcn.h>
#include <string.h>

/* From the headers of EGL 1.4 and OpenGL, which a build need not have. */
#define EGL_PLATFORM_SURFACELESS_MESA 0x31dd
#define EGL_OPENGL_API 0x30a2
#define EGL_SURFACE_TYPE 0x3033
#define EGL_PBUFFER_BIT 0x0001
#define EGL_RENDERABLE_TYPE 0x3040
#define EGL_OPENGL_BIT 0x0008
#define EGL_NONE 0x3038
#define GL_RENDERER 0x1f01
#define GL_VERSION 0x1f02

typedef struct {
  gpointer (*get_proc_address) (const char *name);
  gpointer (*get_display) (gpointer native);
  unsigned (*initialize) (gpointer display, int *major, int *minor);
  unsigned (*bind_api) (unsigned api);
  unsigned (*choose) (gpointer display, const int *attributes, gpointer *configs, int size, int *n);
  gpointer (*create) (gpointer display, gpointer config, gpointer share, const int *attributes);
  unsigned (*make_current) (gpointer display, gpointer draw, gpointer read, gpointer context);
} Egl;

/* --- in a process of its own --- */

static gboolean
load (Egl *egl, gpointer library)
{
  egl->get_proc_address = dlsym (library, "eglGetProcAddress");
  egl->get_display = dlsym (library, "eglGetDisplay");
  egl->initialize = dlsym (library, "eglInitialize");
  egl->bind_api = dlsym (library, "eglBindAPI");
  egl->choose = dlsym (library, "eglChooseConfig");
  egl->create = dlsym (library, "eglCreateContext");
  egl->make_current = dlsym (library, "eglMakeCurrent");
  return egl->get_proc_address != NULL && egl->get_display != NULL && egl->initialize != NULL &&
         egl->bind_api != NULL && egl->choose != NULL && egl->create != NULL &&
         egl->make_current != NULL;
}

/* Returns: (nullable): one that needs no window */
static gpointer
open_display (Egl *egl)
{
  gpointer (*get_platform_display) (unsigned, gpointer, const int *) =
      egl->get_proc_address ("eglGetPlatformDisplayEXT");
  gpointer display = get_platform_display != NULL
                         ? get_platform_display (EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL)
                         : NULL;

  if (display != NULL && egl->initialize (display, NULL, NULL))
    return display;
  display = egl->get_display (NULL);
  return display != NULL && egl->initialize (display, NULL, NULL) ? display : NULL;
}

static gboolean
enter_context (Egl *egl, gpointer display)
{
  static const int attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT, EGL_NONE };
  gpointer config = NULL, context = NULL;
  int n = 0;

  if (egl->bind_api (EGL_OPENGL_API) && egl->choose (display, attributes, &config, 1, &n) && n > 0)
    context = egl->create (display, config, NULL, NULL);
  return context != NULL && egl->make_current (display, NULL, NULL, context);
}

/* Returns: (nullable): why EGL does not do; NULL after printing what it is */
static const char *
probe_egl (void)
{
  gpointer library = dlopen ("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
  const guchar *(*get_string) (unsigned name);
  Egl egl = { 0 };
  gpointer display;

  if (library == NULL || !load (&egl, library))
    return "no libEGL.so.1";
  if (dlopen ("libGL.so.1", RTLD_NOW | RTLD_GLOBAL) == NULL)
    return "no libGL.so.1";
  display = open_display (&egl);
  if (display == NULL)
    return "EGL has no display without a window";
  if (!enter_context (&egl, display))
    return "EGL makes no context for OpenGL";
  get_string = egl.get_proc_address ("glGetString");
  if (get_string == NULL || get_string (GL_RENDERER) == NULL)
    return "EGL makes a context that does not work";
  fprintf (stdout, "EGL: %s, OpenGL %s\n", (const char *) get_string (GL_RENDERER),
           (const char *) get_string (GL_VERSION));
  return NULL;
}

int
doctor_probe_graphics (void)
{
  const char *reason = probe_egl ();

  if (reason == NULL)
    return CLI_OK;
  if (dlopen ("libOSMesa.so.8", RTLD_NOW | RTLD_GLOBAL) != NULL) {
    fprintf (stdout, "OSMesa, by the processor; %s\n", reason);
    return CLI_OK;
  }
  fprintf (stdout, "%s, no libOSMesa.so.8\n", reason);
  return CLI_MISSING;
}

/* --- in that of the doctor --- */

void
doctor_check_graphics (DoctorReport *report)
{
  g_autofree char *end = NULL;
  g_autofree char *line = NULL;

  doctor_report_begin (report, "graphics");
  line = doctor_probe ("graphics", 30, &end);
  line[strcspn (line, "\n")] = '\0';
  if (end == NULL)
    doctor_report_add (report, DOCTOR_OK, NULL, "%s", line);
  else if (*line != '\0')
    doctor_report_add (report, DOCTOR_MISSING,
                       "apt install libegl1 libgl1 libgl1-mesa-dri, or libosmesa6",
                       "no OpenGL without a display, so cameras draw nothing: %s", line);
  else
    doctor_report_add (report, DOCTOR_WRONG, "libosmesa6 draws without a driver",
                       "the process that makes an OpenGL context %s", end);
  if (strstr (line, "llvmpipe") != NULL || strstr (line, "softpipe") != NULL)
    doctor_report_add (report, DOCTOR_NOTE, NULL, "the processor draws, not a graphics card");
}
