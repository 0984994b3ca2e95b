/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Two recordings, compared: what `orrery diff` says of them. */

#include <gio/gio.h>
#include <orrery.h>

/* A field that both have as a number, or as lists or bytes of one length */
typedef struct {
  char *name; /* with dots; of a long list that of the list */
  double largest;
  OrreryTime time;     /* of the largest difference */
  double sum;          /* of squares; of a list their mean */
  guint64 n;           /* messages that were compared, without those that are the same bytes */
  double sum_of_items; /* of the present message */
  guint64 n_items;
  gboolean differs;
} CompareField;

/* An object of /orrery/poses; where the last messages put it */
typedef struct {
  char *name;
  gboolean known[2];
  OrreryTransform pose[2];
  char *parent[2]; /* the frame that its pose is given in */
  double distance; /* the largest, m */
  OrreryTime time_of_distance;
  double angle; /* the largest, rad */
  OrreryTime time_of_angle;
  gboolean differs;
} CompareObject;

typedef struct {
  char *topic;
  gboolean has_schema; /* it was read */
  GHashTable *units;   /* (element-type utf8 utf8): of fields, by their names in the schema */
  GHashTable *bytes;   /* (element-type utf8): fields that are base64 */
  GHashTable *float32; /* (element-type utf8): fields that one of the two has as float32 */
  char **left_out[2];  /* (nullable): fields that each has left out */
  GPtrArray *skipped;  /* (element-type utf8): of these, those that the other one has */
  gboolean is_poses;
  gboolean has_poses[2]; /* each had some */
  guint64 n[2];
  guint64 n_pairs;     /* messages of equal time */
  guint64 n_same;      /* of these, those that are the same bytes */
  guint64 n_different; /* of these */
  guint64 n_alone[2];  /* messages to which the other recording has none of their time */
  gboolean has_first;
  OrreryTime first; /* time of the first message that differs */
  char *field;      /* what of it */
  char *values[2];  /* as JSON; NULL: there is none */
  GHashTable *fields;
  GPtrArray *field_order; /* (element-type CompareField) */
  GHashTable *objects;
  GPtrArray *object_order; /* (element-type CompareObject) */
  GPtrArray *pending;      /* (element-type CompareMessage): of the second recording */
  guint n_taken;           /* of these */
} CompareTopic;

typedef struct {
  CompareTopic *topic;
  GBytes *data;
  gboolean is_json;
} CompareMessage;

typedef struct {
  const char *paths[2];
  char **only; /* (nullable): topics */
  double from, to;
  double tolerance;
  gboolean is_relative;   /* times count from the first message of each */
  OrreryTime start;       /* of the first recording */
  OrreryTime offset;      /* of the second one's times from the first one's */
  OrreryTime begin;       /* earlier messages only say where objects are */
  OrreryTime spans[2][2]; /* first and last time of each, as the first one counts */
  GHashTable *by_name;    /* (element-type utf8 CompareTopic) */
  GPtrArray *topics;      /* (element-type CompareTopic) */
  CompareTopic *present;  /* topic of the messages that are compared, */
  OrreryTime time;        /* their time, */
  gboolean differs;       /* and whether they differ */
  gboolean rounds;        /* the present field is compared as float32 */
  GString *name;          /* of the field that is compared */
  GPtrArray *touched;     /* (element-type CompareField): by these messages */
  GPtrArray *moved;       /* (element-type CompareObject): by these messages */
} Compare;

/* --- compare.c --- */

Compare *compare_new (const char *a, const char *b);
void compare_free (Compare *compare);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Compare, compare_free)
/* Walks both files side by side. */
gboolean compare_run (Compare *compare, GError **error);
gboolean compare_topic_differs (const CompareTopic *topic);
gboolean compare_has_difference (const Compare *compare);
/* The present messages differ. The first difference of a topic is kept.
 * @field: what differs
 * @a, @b: (nullable) (transfer full): values as JSON */
void compare_note (Compare *compare, const char *field, char *a, char *b);

/* --- compare-fields.c --- */

/* Reads in which form records are. @which: 0 or 1: of which recording the channel is */
void compare_read_form (CompareTopic *topic, const OrreryRecordingChannel *channel, guint which);
/* Reads units of fields, and which of them are base64. */
void compare_read_schema (CompareTopic *topic, const OrreryRecordingChannel *channel);
/* @a, @b: (nullable): messages of one time that are not the same bytes */
void compare_nodes (Compare *compare, OrreryNode *a, OrreryNode *b);
/* Returns: (transfer full): as JSON; of what is long, what it is in words */
char *compare_print_node (OrreryNode *node);
char *compare_print_double (double value);
char *compare_print_text (const char *text);
/* Returns: the unit, "" if none is known */
const char *compare_find_unit (const CompareTopic *topic, const char *field);
void compare_field_free (gpointer field);

/* --- compare-poses.c --- */

/* @which: 0 or 1: of which recording the message is
 * Returns: whether it has the form of poses */
gboolean compare_take_poses (Compare *compare, OrreryNode *message, guint which);
/* Compares the poses of the objects of the messages that were taken. */
void compare_poses (Compare *compare);
void compare_object_free (gpointer object);

/* --- compare-report.c --- */

void compare_print (Compare *compare);
void compare_print_json (Compare *compare);
