/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "urdf.h"

#define MAX_LINKS 10000

/* Classes of what drives a joint. */
#define POSITION "orrery.actuators.joint.Position"
#define VELOCITY "orrery.actuators.joint.Velocity"
#define EFFORT "orrery.actuators.joint.Effort"

typedef struct {
  char *name;
  GPtrArray *shapes; /* (element-type OrreryShape) */
  gboolean has_inertial;
  double mass;
  OrreryTransform origin; /* of the inertial */
  double inertia[6];      /* xx, yy, zz, xy, xz, yz */
  int joint;              /* that carries it, or -1 */
  GArray *joints;         /* (element-type int): that it carries */
  OrreryObject *object;   /* once it is made */
} Link;

typedef struct {
  char *name;
  char *type;
  char *parent;
  char *child;
  OrreryTransform origin;
  OrreryJoint joint;
  gboolean has_limit;
  gboolean mimics;
} Joint;

/* What a transmission says: it may come before its joint. */
typedef struct {
  char *joint;
  const char *motor;
} Drive;

typedef struct {
  const char *path;
  char *folder;
  GPtrArray *links;       /* (element-type Link) */
  GPtrArray *joints;      /* (element-type Joint) */
  GHashTable *by_name;    /* (element-type utf8 Link) */
  GHashTable *materials;  /* (element-type utf8 OrreryMaterial) */
  GPtrArray *elements;    /* (element-type utf8): open ones */
  Link *link;             /* that is open, or NULL */
  Joint *joint;           /* the same */
  OrreryTransform origin; /* of the visual, collision or inertial that is open */
  OrreryShape *shape;     /* of the visual or collision that is open */
  OrreryMaterial *material;
  char *material_name;
  char *mesh; /* file of the visual or collision that is open */
  OrreryVec3 scale;
  guint n_shapes;
  guint n_mimics;
  GArray *drives; /* (element-type Drive) */
} Urdf;

/* Sets an error that names the file; returns FALSE. */
G_GNUC_PRINTF (3, 4)
gboolean urdf_fail (const Urdf *urdf, GError **error, const char *format, ...);
/* urdf-tree.c: links and joints that were read as objects, parents first, and what drives them. */
gboolean urdf_add_links (Urdf *urdf, OrreryImport *import, GError **error);
