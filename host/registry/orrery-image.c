/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that an address lies in the memory of a loaded shared object. */
#define _GNU_SOURCE
#include "registry/orrery-descriptor-private.h"

#include <link.h>

typedef struct {
  OrreryImage *image;
  gconstpointer address;
} Search;

gboolean
orrery_image_has (const OrreryImage *image, gconstpointer address, gsize size)
{
  guintptr start = (guintptr) address;

  for (guint i = 0; i < image->n_parts; i++) {
    const OrreryImagePart *part = &image->parts[i];

    if (start >= part->start && start < part->end && size <= part->end - start)
      return TRUE;
  }
  return FALSE;
}

static int
visit_file (struct dl_phdr_info *info, gsize size, gpointer user_data)
{
  Search *search = user_data;
  OrreryImage *image = search->image;

  image->n_parts = 0;
  for (guint i = 0; i < info->dlpi_phnum && image->n_parts < ORRERY_IMAGE_MAX_PARTS; i++) {
    const ElfW (Phdr) *header = &info->dlpi_phdr[i];
    OrreryImagePart *part = &image->parts[image->n_parts];

    if (header->p_type != PT_LOAD || !(header->p_flags & PF_R))
      continue;
    part->start = info->dlpi_addr + header->p_vaddr;
    part->end = part->start + header->p_memsz;
    part->is_code = (header->p_flags & PF_X) != 0;
    image->n_parts++;
  }
  return orrery_image_has (image, search->address, 1);
}

gboolean
orrery_image_find (OrreryImage *image, gconstpointer address)
{
  Search search = { image, address };

  return dl_iterate_phdr (visit_file, &search) != 0;
}
