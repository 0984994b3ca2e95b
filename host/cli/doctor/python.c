/* SPDX-License-Identifier: BSD-3-Clause */
/* The interpreter that runs builder scripts and classes in Python, and what it imports. */
#include "doctor.h"

#include <string.h>

/* Lines `NAME<tab>VERSION` (or `-`) of what is there, and `NAME<tab><tab>REASON` of what is not. */
static const char probe[] =
    "import sys\n"
    "def say(name, version, reason=''):\n"
    "    print(name, version, ' '.join(reason.split()), sep='\\t', flush=True)\n"
    "say('python', '%d.%d.%d' % sys.version_info[:3])\n"
    "for name in 'orrery.builder', 'gi', 'numpy':\n"
    "    try:\n"
    "        module = __import__(name)\n"
    "        say(name, str(getattr(module, '__version__', '-')))\n"
    "    except Exception as error:\n"
    "        say(name, '', str(error))\n"
    "try:\n"
    "    import gi\n"
    "    gi.require_version('Orrery', '1')\n"
    "    from gi.repository import Orrery\n"
    "    say('typelib', '-')\n"
    "except Exception as error:\n"
    "    say('typelib', '', str(error))\n"
    "try:\n"
    "    from orrery._version import describe_access\n"
    "    say('access', describe_access().partition(': ')[2])\n"
    "except Exception as error:\n"
    "    say('access', '', str(error))\n";

typedef struct {
  const char *name;
  DoctorStatus status; /* where it is missing */
  const char *use;
  const char *remedy;
} Need;

static const Need needs[] = {
  { "python", DOCTOR_WRONG, "the interpreter", NULL },
  { "orrery.builder", DOCTOR_WRONG, "it runs builder scripts", "install Orrery again, as a whole" },
  { "gi", DOCTOR_MISSING, "PyGObject, for classes and programs in Python",
    "apt install python3-gi; in a virtual environment, one made with --system-site-packages" },
  { "numpy", DOCTOR_MISSING, "arrays of images, and of vectors of simulations",
    "apt install python3-numpy, or pip install numpy in a virtual environment" },
  { "typelib", DOCTOR_MISSING, "Orrery for PyGObject",
    "apt install gir1.2-orrery-1; from a clone, build where gobject-introspection is installed" },
  { "access", DOCTOR_MISSING, "how it reaches simulations", NULL },
};

static const Need *
find_need (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (needs); i++)
    if (g_str_equal (needs[i].name, name))
      return &needs[i];
  return NULL;
}

static void
add_line (DoctorReport *report, const char *line)
{
  g_auto (GStrv) columns = g_strsplit (line, "\t", 3);
  const Need *need = g_strv_length (columns) == 3 ? find_need (columns[0]) : NULL;

  if (need == NULL)
    return;
  if (*columns[1] != '\0')
    doctor_report_add (report, DOCTOR_OK, NULL, "%s: %s%s%s", need->name, need->use,
                       *columns[1] != '-' ? ", " : "", *columns[1] != '-' ? columns[1] : "");
  else
    doctor_report_add (report, need->status, need->remedy, "%s (%s): %s", need->name, need->use,
                       columns[2]);
}

void
doctor_check_python (DoctorReport *report)
{
  g_autofree char *python = orrery_get_python ();
  const char *const argv[] = { python, "-P", "-c", probe, NULL };
  const char *const older[] = { python, "-c", probe, NULL };
  g_autofree char *end = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) lines = NULL;

  doctor_report_begin (report, "python");
  cli_python_prepare (TRUE);
  /* The directory where the program happens to run has no modules for it. */
  g_setenv ("PYTHONSAFEPATH", "1", TRUE);
  output = doctor_run (argv, 60, &end);
  if (end != NULL && *output == '\0') {
    g_free (output);
    g_free (end);
    output = doctor_run (older, 60, &end);
  }
  doctor_report_add (report, end == NULL ? DOCTOR_OK : DOCTOR_WRONG,
                     end == NULL ? NULL : "ORRERY_PYTHON names another interpreter", "%s%s%s",
                     python, end != NULL ? " " : "", end != NULL ? end : "");
  lines = g_strsplit (output, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    add_line (report, *line);
}
