/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-look.h"

/* What Object.type says. */
#define BLEND_EMPTY 0
#define BLEND_MESH 1
#define BLEND_LAMP 10
#define BLEND_CAMERA 11
#define BLEND_ARMATURE 25

/* One object of a file, on its way into the world. */
typedef struct {
  BlendStruct object;
  char *name;
  int kind;
  int parent;           /* index in the same list, or -1 */
  OrreryTransform pose; /* in the world */
  OrreryMat3 scale;     /* what the pose leaves over of its matrix */
  gboolean is_compound; /* its shapes and those of its children are one */
  OrreryObject *out;
} BlendObject;

void blend_object_init (BlendObject *self, const BlendStruct *object);
void blend_object_clear (BlendObject *self);
/* Body and shapes; with a compound parent the shapes are the parent's. FALSE: too many triangles.
 */
gboolean blend_object_read_body (const BlendObject *self, const BlendObject *parent,
                                 BlendLook *look);
/* Whether cameras see it, and its lamp. */
void blend_object_read_look (const BlendObject *self);
/* The game's properties. */
void blend_object_read_values (const BlendObject *self);
