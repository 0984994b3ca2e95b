/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "unread.h"
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
  int line;
  GArray *joints;       /* (element-type int): that it carries */
  OrreryObject *object; /* once it is made */
} Link;

typedef struct {
  char *name;
  char *type;
  char *parent;
  char *child;
  OrreryTransform origin;
  OrreryJoint joint;
  gboolean has_limit;
  int line;
  char *mimics; /* name of the joint that it follows, or NULL */
  double multiplier;
  double offset;
} Joint;

/* What a transmission says: it may come before its joint. */
typedef struct {
  char *joint;
  const char *motor; /* NULL: it is not driven */
} Drive;

/* A sensor of Gazebo's. */
typedef struct {
  char *link;
  char *name;
  char *type;
  int line;
  GHashTable *texts; /* (element-type utf8 utf8): by the way down to it, as ray/scan/range */
  GPtrArray *ways;   /* (element-type utf8): of those, in the order of the file */
  GHashTable *read;  /* (element-type utf8): the ways that were asked for */
} Device;

typedef struct {
  const char *path;
  OrreryImport *import; /* borrowed */
  char *folder;
  GPtrArray *links;        /* (element-type Link) */
  GPtrArray *joints;       /* (element-type Joint) */
  GHashTable *by_name;     /* (element-type utf8 Link) */
  GHashTable *joint_names; /* (element-type utf8 utf8) */
  GHashTable *meshes;      /* that were read */
  GHashTable *materials;   /* (element-type utf8 OrreryMaterial) */
  GPtrArray *elements;     /* (element-type utf8): open ones */
  Link *link;              /* that is open, or NULL */
  Joint *joint;            /* the same */
  OrreryTransform origin;  /* of the visual, collision or inertial that is open */
  OrreryShape *shape;      /* of the visual or collision that is open */
  OrreryMaterial *material;
  char *material_name;
  char *mesh; /* file of the visual or collision that is open */
  OrreryVec3 scale;
  guint n_shapes;
  GArray *drives; /* (element-type Drive) */
  int line;       /* of the element that begins */

  GPtrArray *devices;    /* (element-type Device) */
  GHashTable *frictions; /* (element-type utf8 double), by links */
  GString *words;        /* of the element of <gazebo> that is open */
  char *reference;       /* of the <gazebo> that is open, or NULL */
  guint n_plugins;
  Unread *unread;
} Urdf;

/* Sets an error that names the file; returns FALSE. */
G_GNUC_PRINTF (3, 4)
gboolean urdf_fail (const Urdf *urdf, GError **error, const char *format, ...);
/* Notes that an element, which begins now, is not read. */
void urdf_leave (Urdf *urdf, const char *element, const char *why);
const char *urdf_find_attribute (const char **names, const char **values, const char *name);

/* urdf-files.c: the path of a file that the file names, of the link that is open. */
char *urdf_find_file (const Urdf *urdf, const char *name, GError **error);

/* urdf-lump.c: gives a root without a mass that of what is fixed to it, if it is to float. */
void urdf_lump_root (Urdf *urdf, Link *root);

/* urdf-gazebo.c: what lies in <gazebo>. */
void urdf_gazebo_init (Urdf *urdf);
void urdf_gazebo_clear (Urdf *urdf);
gboolean urdf_gazebo_begin (Urdf *urdf, const char *element, const char **names,
                            const char **values, GError **error);
/* @element: is no longer among the open ones. */
void urdf_gazebo_end (Urdf *urdf, const char *element);
/* Once the links are there: sensors as components, and a message of what is left out. */
void urdf_gazebo_add (const Urdf *urdf, OrreryImport *import);

/* urdf-tree.c: links and joints that were read as objects, parents first, and what drives them. */
gboolean urdf_add_links (Urdf *urdf, OrreryImport *import, GError **error);
