/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-look.h"

/* Values of Object.type. */
#define BLEND_EMPTY 0
#define BLEND_MESH 1
#define BLEND_LAMP 10
#define BLEND_CAMERA 11
#define BLEND_ARMATURE 25

/* One bone of an armature, in its frame. */
typedef struct {
  char *name;
  OrreryTransform rest;
  OrreryTransform posed; /* as it was when the file was saved */
  OrreryObject *out;
} BlendBone;

/* One object of a file, on its way into the world. */
typedef struct {
  BlendStruct object;
  char *name;
  int kind;
  int parent;           /* index in the same list, or -1 */
  OrreryTransform pose; /* in the world */
  OrreryMat3 scale;     /* the part of its matrix that is not in the pose */
  gboolean is_compound; /* its shapes and those of its children are one */
  OrreryObject *out;
  GArray *bones; /* (element-type BlendBone): of an armature whose bones are read; else NULL */
} BlendObject;

/* Splits a matrix into a rotation and the rest. FALSE, and no rotation: its columns are linearly
 * dependent. */
gboolean blend_matrix_split (const double columns[3][3], OrreryQuat *rotation, OrreryMat3 *scale);
void blend_object_init (BlendObject *self, const BlendStruct *object);
void blend_object_clear (BlendObject *self);
/* Body and shapes; with a compound parent the shapes are the parent's. FALSE: too many triangles.
 */
gboolean blend_object_read_body (const BlendObject *self, const BlendObject *parent,
                                 BlendLook *look);
/* Whether cameras see it, and its lamp. */
void blend_object_read_look (const BlendObject *self);
/* Lens and distances of a camera, as properties that camera components have. */
void blend_object_read_camera (const BlendObject *self);
/* The game's properties. */
void blend_object_read_values (const BlendObject *self);
