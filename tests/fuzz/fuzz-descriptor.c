/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include "registry/orrery-descriptor-private.h"

#include <string.h>

/* The bytes are a loaded file that begins with its descriptor. A word whose upper half says RELO is
 * an address: its lower half is the distance from the start, which may lie behind the end. */
#define RELO G_GUINT64_CONSTANT (0x52454c4f)
#define CODE_SIZE 16

static void
relocate (guint8 *file, gsize size)
{
  for (gsize at = 0; at + sizeof (guint64) <= size; at += sizeof (guint64)) {
    guint64 word;

    memcpy (&word, file + at, sizeof word);
    if (word >> 32 != RELO)
      continue;
    word = (guint64) (guintptr) file + (guint32) word;
    memcpy (file + at, &word, sizeof word);
  }
}

/* Whatever was accepted can be read without looking where it lies. */
static void
check_descriptor (const OrreryDescriptor *descriptor)
{
  g_assert_cmpuint (descriptor->n_classes, >, 0);
  g_assert_cmpuint (strlen (descriptor->summary), >, 0);
  for (guint i = 0; i < descriptor->n_classes; i++) {
    const OrreryClassDesc *desc = &descriptor->classes[i];

    g_assert_true (orrery_descriptor_find_class (descriptor, desc->name) == desc);
    g_assert_cmpuint (strlen (desc->type_name), >=, 3);
    g_assert_nonnull (desc->get_type);
    for (const OrreryAlias *alias = desc->aliases; alias != NULL && alias->name != NULL; alias++)
      g_assert_nonnull (strchr (alias->component, '.'));
    g_assert_true ((orrery_class_desc_get_default_level (desc) < 0) == (desc->levels == NULL));
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree guint8 *file = g_malloc (size + 1);
  g_autoptr (OrreryDescriptor) descriptor = NULL;
  g_autoptr (GError) error = NULL;
  OrreryImage image = { .n_parts = 2 };

  if (size > 0)
    memcpy (file, data, size);
  relocate (file, size);
  image.parts[0].start = image.parts[1].start = (guintptr) file;
  image.parts[0].end = (guintptr) file + size;
  image.parts[1].end = (guintptr) file + MIN (size, CODE_SIZE);
  image.parts[1].is_code = TRUE;
  descriptor = orrery_descriptor_judge (&image, file, &error);
  g_assert_true ((descriptor == NULL) == (error != NULL));
  if (descriptor != NULL)
    check_descriptor (descriptor);
  return 0;
}
