/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mesh.h"

#include <mujoco/mujoco.h>

/* One visible thing that is drawn at once. */
typedef struct {
  guint object;
  OrreryTransform offset; /* in the object's frame */
  OrreryVec3 center;      /* in the object's frame: of a sphere around it */
  double radius;
  gboolean closed; /* its inner side cannot be seen from outside */
  OrreryVec3 half; /* half extents of a box about its origin that holds it */
  mjvGeom geom;    /* everything but its pose */
  gboolean has_grid;
  int laid; /* a mesh in its place that has coordinates of textures, as `dataid`; -1: none */
} Piece;

/* What the material of the world looks like that an object is given. */
typedef struct {
  float rgba[4];
  float emission;
  float specular;
  float shininess;
  int texture; /* -1: none */
} DrawingMaterial;

/* What MuJoCo's model has of each mesh. */
typedef enum {
  DRAWING_MESH_VERTEX,
  DRAWING_MESH_N_VERTICES,
  DRAWING_MESH_COORDINATES,
  DRAWING_MESH_FACE,
  DRAWING_MESH_N_FACES,
  DRAWING_MESH_GRAPH,
  DRAWING_TEXTURE_TYPE,
  DRAWING_TEXTURE_HEIGHT,
  DRAWING_TEXTURE_WIDTH,
  DRAWING_TEXTURE_DATA,
  DRAWING_N_NUMBERS,
} DrawingNumber;

/*
 * Everything of the world that is drawn: pieces, and their meshes and textures in the form of
 * MuJoCo's renderer. MuJoCo's compiler is bypassed, because it refuses flat meshes and is slow for
 * large ones.
 */
typedef struct {
  GArray *pieces;                     /* (element-type Piece) */
  GPtrArray *lamps;                   /* (element-type OrreryObject), borrowed */
  gboolean shadows;                   /* whether any lamp throws shadows */
  GArray *numbers[DRAWING_N_NUMBERS]; /* (element-type int) */
  Mesh mesh;                          /* of all pieces together */
  GArray *faces;                      /* (element-type int) */
  GByteArray *texture_rgb;
  GArray *materials; /* (element-type DrawingMaterial): those of the world */
} Drawing;

/* Whatever this returns, drawing_clear() ends it. */
gboolean drawing_build (Drawing *drawing, OrreryWorld *world, GError **error);
void drawing_clear (Drawing *drawing);
/* Everything of a piece but its shape. */
void drawing_set_look (mjvGeom *geom, const DrawingMaterial *look);
/* Makes a model that shows the meshes and textures; it borrows them. */
void drawing_fill_model (const Drawing *drawing, mjModel *model);
