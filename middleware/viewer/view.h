/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>
#include <stdatomic.h>

/*
 * A scene as the server of the viewer knows it. It is made on the tick's thread when the scene is
 * opened and does not change; clients are served from it on the I/O thread, where what they ask for
 * is made when somebody first asks.
 */

typedef struct {
  char *name;           /* full */
  char *basename;       /* its last part */
  int parent;           /* -1: none */
  OrreryTransform pose; /* in the world, at the start */
  gboolean is_visible;
  gboolean is_beside; /* of the run that is shown together with this one */
  GPtrArray *shapes;  /* (element-type OrreryShape) */
  gboolean is_lamp;
  OrreryLamp lamp;
  OrreryObject *spawnable; /* (nullable): it comes and goes; the tick's thread's */
  gboolean starts_absent;
} ViewObject;

typedef struct {
  char *name; /* of its object */
  char *type; /* what it means; "" */
  OrreryVec3 low, high;
} ViewZone;

/* What a camera sees, along x of its frame. */
typedef struct {
  guint width; /* px; 0: it is none */
  guint height;
  double fov; /* rad, between left and right */
  double near;
  double far;
} ViewCamera;

typedef struct {
  OrreryComponent *component; /* to be used on the tick's thread, or under the lock while open */
  char *name;
  char *topic; /* the name with slashes */
  char *classpath;
  const char *role;
  guint object;
  OrrerySchema *schema; /* (nullable) */
  ViewCamera camera;
  GPtrArray *fixed;     /* (element-type utf8): properties that cannot be changed any more */
  guint n_readers;      /* the I/O thread's: subscriptions of both channels */
  atomic_uint n_text;   /* of the channel of JSON */
  atomic_uint n_binary; /* of the other one */
  guint waiting;        /* [hub's lock]: records that the I/O thread has not taken yet */
  GBytes *late[2];      /* [hub's lock] (nullable): of each kind the last one that found no room */
} ViewPart;

/* A material that objects may be given. */
typedef struct {
  OrreryShape *sample; /* a triangle that has it */
  OrreryVec3 color;    /* the mean of what is seen of it in white light */
} ViewMaterial;

/* What the shapes of an object have in place of what the scene says: one colour, another size. */
typedef struct {
  gboolean was_changed; /* at some time */
  gboolean is_painted;
  gboolean is_scaled;
  OrreryVec3 color;
  OrreryVec3 scale;
} ViewPaint;

typedef struct {
  gatomicrefcount refs;
  char *title;  /* the name of the scene, without a directory */
  char *beside; /* (nullable): that of the run that is shown together with it */
  char *session;
  double frequency;
  OrreryTime begin; /* the time when it was made */
  ViewObject *objects;
  guint n_objects;
  guint n_own; /* the first ones: those of the run itself */
  gboolean has_spawnables;
  ViewPart *parts;
  guint n_parts;
  GArray *materials; /* (element-type ViewMaterial): those of the run, then of the other one */
  guint n_own_materials;
  GArray *zones;            /* (element-type ViewZone) */
  GHashTable *by_component; /* (element-type OrreryComponent guint): number from 1; tick's thread */

  struct _Control *control; /* (nullable): by which clients command the run */
  OrreryPlayback *playback; /* (nullable): by which they move it in time */

  OrreryObserver *observer;
  GMutex lock;
  gboolean open; /* [lock]: components may be watched */

  /* The I/O thread's. */
  GBytes *scene;        /* (nullable): JSON */
  GHashTable *assets;   /* (element-type utf8 GBytes): glTF files by SHA-256 */
  GHashTable *by_shape; /* (element-type OrreryShape utf8): their SHA-256 */
  GBytes *update;       /* (nullable): a foxglove.SceneUpdate, of a scene that does not change */
  GArray *looks;        /* (nullable) (element-type OrreryLook): what is not as the scene says */
  ViewPaint *paints;    /* (nullable): of each object; NULL: none has ever changed */
} View;

/* --- tick's thread --- */

/* @title: (nullable): in place of the name of the scene's file */
View *view_new (OrreryObserver *observer, const OrreryObserved *observed, const char *title);
/* Simulated time when it is opened: after a reset, or where a state was restored. */
OrreryTime view_find_time (const OrreryObserved *observed);
/* Whether it is of this scene, and nothing was added. */
gboolean view_is_of (View *view, const OrreryObserved *observed);
/* From here on, and no longer, components may be watched. */
void view_open (View *view);
void view_close (View *view);

/* --- any thread --- */

View *view_ref (View *view);
void view_unref (View *view);

/* --- I/O thread --- */

void view_watch (View *view, guint part, gboolean watched);
/* The scene for our own page: objects, shapes, materials, lamps, parts with class and fields. */
GBytes *view_get_scene (View *view);
/* (nullable): a file by its SHA-256. */
GBytes *view_find_asset (View *view, const char *sha256);
/* (nullable): the SHA-256 of the file of a mesh or hull. */
const char *view_get_shape_asset (View *view, OrreryShape *shape);

/* --- words of the protocol --- */

/* Poses of all objects: time, count, then position and quaternion (x y z w) as float32, all of them
 * NaN for what is not in the world: it is one of the scene's spawnables. Behind them
 * are the first contacts: point, normal (m, world) and impulse (N s). */
#define VIEW_POSE_HEAD 16
#define VIEW_POSE_SIZE 28
#define VIEW_CONTACT_SIZE 28
#define VIEW_MAX_CONTACTS 1000
void view_write_start (View *view, GByteArray *out);
void view_write_poses (View *view, OrrerySnapshot *snapshot, OrreryTime time, guint64 tick,
                       GByteArray *out);

/* A record: length of the head, the head as JSON, arrays of numbers as bytes. */
void view_write_record (OrreryRecord *record, OrreryWriter *out);
void view_write_schema (const ViewPart *part, OrreryWriter *out);
void view_write_transforms (View *view, const guint8 *poses, gsize length, OrreryTime time,
                            OrreryWriter *out);
/* Whether an object is in the world. @poses: none: those of the start */
gboolean view_has (View *view, guint object, const GByteArray *poses);
/* @changing: only spawnables and what has had other colours, but with the deletion of all that are
 * not there at @time; @left: (out): meshes that were left out since they are too large */
GBytes *view_make_update (View *view, const GByteArray *poses, gboolean changing, OrreryTime time,
                          guint *left);

/* --- view-looks.c: lamps, colours, materials and sizes that are not as the scene says --- */

/* The tick's thread, at the start. @beside: (nullable) */
void view_add_materials (View *view, OrreryWorld *world, OrreryWorld *beside);

/* Of each of them: object and what it is (0: energy, 1: colour of the light, 2: colour of the
 * shapes, 3: their material, by its place in the list of the scene, from 1, 4: their scale) as
 * uint32, then three numbers as float32. */
#define VIEW_LOOK_SIZE 20
/* @looks: (nullable) */
void view_write_looks (GArray *looks, GByteArray *out);
/* The tick's thread: changes with each of them. */
guint64 view_get_looks_serial (View *view, OrreryWorld *world);
/* The tick's thread; (transfer full) (element-type OrreryLook): by the numbers of the view. */
GArray *view_list_looks (View *view, OrreryWorld *world);
/* The I/O thread, as what follows. Returns: whether shapes have another colour or size than before
 */
gboolean view_set_looks (View *view, GArray *looks);
/* (nullable): NULL: the materials say it */
const OrreryVec3 *view_get_paint (View *view, guint object);
/* (nullable): NULL: as in the scene */
const OrreryVec3 *view_get_scale (View *view, guint object);
/* Whether it is painted or scaled, or was. */
gboolean view_was_changed (View *view, guint object);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (View, view_unref)
