/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-mesh.h"

/* Materials, pictures, lamps: what cameras see. */
typedef struct {
  GHashTable *textures; /* (element-type gpointer OrreryBuffer): of an image, NULL: it has none */
  gsize n_bytes;        /* of pictures that were read */
  guint n_triangles;    /* that were read */
  char *directory;      /* of the file */
  GPtrArray *missing;   /* (element-type utf8): pictures that were not found, or are none */
} BlendLook;

void blend_look_init (BlendLook *look, const char *path);
void blend_look_clear (BlendLook *look);
/* Gives a mesh its materials. */
void blend_look_paint (BlendLook *look, OrreryShape *shape, const BlendMesh *mesh,
                       const BlendStruct *object, const BlendStruct *data);
void blend_look_add_lamp (OrreryObject *out, const BlendStruct *data);
