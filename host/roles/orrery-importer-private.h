/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "roles/orrery-importer.h"

#define ORRERY_IMPORT_READ_LIMIT 10
/* @seconds: of processor time; @cancellable: (nullable): of whoever waits for the file */
void orrery_import_limit (OrreryImport *import, guint seconds, GCancellable *cancellable);

/* Everything that the file has, as roots of the world. */
OrreryImport *orrery_import_new (OrreryWorld *world);
/* What one object is made of: the first object that is chosen becomes @target, others go below it.
 * Chosen is what is called @object, or begins with @prefix, with all that is below it; where both
 * are NULL, everything but names that begin with `_`. The rest is read and left. */
OrreryImport *orrery_import_new_into (OrreryWorld *world, OrreryObject *target, const char *object,
                                      const char *prefix);
/* Once the file is read: places what was chosen with regard to @target, whose start is its pose in
 * the file. FALSE, with the nearest names: nothing was chosen. */
gboolean orrery_import_settle (OrreryImport *import, GError **error);

/* Fills in @to what a file gave to @from, which had a world of its own, as if it were read anew.
 * Shapes are shared. */
gboolean orrery_import_copy (OrreryImport *from, OrreryImport *to, GError **error);

/* Once the file is read. Returns: (transfer full) (nullable): which names it had for more than one
 * object, and what they are called now; NULL: none */
char *orrery_import_list_renamed (OrreryImport *import);

/* Returns: (element-type utf8) (nullable): what orrery_import_note_file() was told */
GPtrArray *orrery_import_get_files (OrreryImport *import);

/* A component or script that the file has. */
typedef struct {
  OrreryObject *object; /* of a component: its parent */
  char *name;           /* NULL: it is a script */
  OrreryTransform pose;
  char *classpath;
  double frequency;     /* Hz; 0: that of its class */
  GVariant *properties; /* a{sv} */
  GPtrArray *modifiers; /* (element-type GVariant): (sa{sv}): classpath, options; NULL: none */
} OrreryImportPart;

/* Returns: (element-type OrreryImportPart): those of objects that were chosen, as they were added
 */
GArray *orrery_import_get_parts (OrreryImport *import);
/* Returns: (transfer full): a{s(sv)} as a{sv}: what the file says of the simulation as
 * a whole, and where; once */
GVariant *orrery_import_get_options (OrreryImport *import);
