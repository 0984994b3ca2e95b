/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-error.h"
#include "roles/orrery-plugin.h"

/* Where the bytes of one loaded file lie. What a descriptor points to must lie there, so that one
 * that is rubbish is judged without following it anywhere else. */
#define ORRERY_IMAGE_MAX_PARTS 32

typedef struct {
  guintptr start, end;
  gboolean is_code;
} OrreryImagePart;

typedef struct {
  OrreryImagePart parts[ORRERY_IMAGE_MAX_PARTS];
  guint n_parts;
} OrreryImage;

/* The image of the file that @address lies in; FALSE if it lies in none. */
gboolean orrery_image_find (OrreryImage *image, gconstpointer address);
gboolean orrery_image_has (const OrreryImage *image, gconstpointer address, gsize size);

/* A descriptor as this host sees it: what was not known when the plugin was compiled is zero. */
typedef struct {
  guint abi_major, abi_minor;
  const char *summary;
  const char *licence;
  OrreryClassDesc *classes; /* n_classes and one without a name */
  guint n_classes;
} OrreryDescriptor;

void orrery_descriptor_free (OrreryDescriptor *descriptor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryDescriptor, orrery_descriptor_free)

/* Judges all that can be judged without calling anything. */
OrreryDescriptor *orrery_descriptor_judge (const OrreryImage *image, gconstpointer address,
                                           GError **error);
/* The part of it that is about classes. */
gboolean orrery_descriptor_judge_classes (const OrreryImage *image,
                                          const OrreryDescriptor *descriptor, GError **error);
const OrreryClassDesc *orrery_descriptor_find_class (const OrreryDescriptor *descriptor,
                                                     const char *name);
/* Index of the level taken where none is named; -1 for a class without levels. */
int orrery_class_desc_get_default_level (const OrreryClassDesc *desc);
