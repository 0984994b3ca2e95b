/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What `orrery doctor` looks at. */

#include "../commands.h"
#include "../support/cli.h"

/* --- report.c: what was found --- */

typedef enum {
  DOCTOR_OK,
  DOCTOR_NOTE,    /* nothing is wrong, but somebody may want to know */
  DOCTOR_MISSING, /* something optional is not there */
  DOCTOR_WRONG,   /* something that is there does not work */
} DoctorStatus;

typedef struct _DoctorReport DoctorReport;

DoctorReport *doctor_report_new (void);
void doctor_report_free (DoctorReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DoctorReport, doctor_report_free)
/* What is added from now on belongs to a part, as `ports`. */
void doctor_report_begin (DoctorReport *report, const char *part);
/* @remedy: (nullable): what to do; @words may come from outside */
void doctor_report_add (DoctorReport *report, DoctorStatus status, const char *remedy,
                        const char *words, ...) G_GNUC_PRINTF (4, 5);
/* Whether a part has something of that kind; @part: NULL: any has. */
gboolean doctor_report_has (DoctorReport *report, const char *part, DoctorStatus status);
/* For people, one part after the other. */
void doctor_report_print (DoctorReport *report);
void doctor_report_print_json (DoctorReport *report, int status);

/* --- probe.c: other programs, and this one, in processes of their own --- */

/* Runs a program with a limit of time, s.
 * @end: (out) (nullable): NULL where it ended with 0, else how it ended; transfer full
 * Returns: (transfer full): what it wrote */
char *doctor_run (const char *const *argv, guint seconds, char **end);
/* The same of `orrery doctor --probe=WHAT`, which this program is for. */
char *doctor_probe (const char *what, guint seconds, char **end);

/* --- the parts: each adds what it finds --- */

void doctor_check_program (DoctorReport *report);
void doctor_check_plugins (DoctorReport *report, char **plugin_dirs);
void doctor_check_python (DoctorReport *report);
void doctor_check_graphics (DoctorReport *report);
void doctor_check_ports (DoctorReport *report);
void doctor_check_limits (DoctorReport *report);
void doctor_check_directories (DoctorReport *report);
/* @seconds: how long it runs */
void doctor_check_speed (DoctorReport *report, double seconds);

/* graphics.c, in a process of its own: prints a line on the OpenGL that is there. */
int doctor_probe_graphics (void);
/* speed.c, in a process of its own: prints ticks per second. */
int doctor_probe_speed (double seconds);

/* --- libraries.c --- */

/* Returns: (nullable): Debian's package of a shared library, by its name as libegl.so.1 */
const char *doctor_find_package (const char *library);
/* Returns: (transfer full): what installs it, or how to find out */
char *doctor_make_remedy (const char *library);
