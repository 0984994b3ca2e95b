/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"
#include "roles/orrery-plugin.h"

/* The memory of one loaded file. Everything that a descriptor points to must lie in it, so that a
 * corrupt descriptor is checked without following its pointers anywhere else. */
#define ORRERY_IMAGE_MAX_PARTS 32

typedef struct {
  guintptr start, end;
  gboolean is_code;
} OrreryImagePart;

typedef struct {
  OrreryImagePart parts[ORRERY_IMAGE_MAX_PARTS];
  guint n_parts;
} OrreryImage;

/* Finds the image of the file that contains @address; FALSE if there is none. */
gboolean orrery_image_find (OrreryImage *image, gconstpointer address);
gboolean orrery_image_has (const OrreryImage *image, gconstpointer address, gsize size);

/* A copy of a descriptor in the form of this host: members that did not exist when the plugin was
 * compiled are zero. */
typedef struct {
  guint abi_major, abi_minor;
  const char *summary;
  const char *licence;
  OrreryClassDesc *classes; /* n_classes, then one without a name */
  guint n_classes;
} OrreryDescriptor;

void orrery_descriptor_free (OrreryDescriptor *descriptor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryDescriptor, orrery_descriptor_free)

/* Checks everything that can be checked without calling the plugin. */
OrreryDescriptor *orrery_descriptor_judge (const OrreryImage *image, gconstpointer address,
                                           GError **error);
/* The same for the classes alone. */
gboolean orrery_descriptor_judge_classes (const OrreryImage *image,
                                          const OrreryDescriptor *descriptor, GError **error);
const OrreryClassDesc *orrery_descriptor_find_class (const OrreryDescriptor *descriptor,
                                                     const char *name);
/* Index of the default level; -1 for a class without levels. */
int orrery_class_desc_get_default_level (const OrreryClassDesc *desc);
