/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-catalogue.h"

/* Limits of definitions, which come from outside. */
#define ORRERY_MESSAGE_MAX_TEXT (256 * 1024) /* bytes of a file */
#define ORRERY_MESSAGE_MAX_FIELDS 1024
#define ORRERY_MESSAGE_MAX_DEPTH 32
#define ORRERY_MESSAGE_MAX_SIZE (16 * 1024 * 1024) /* bytes of a struct */

/* A field as it is written; types inside are named, not found yet. */
typedef struct {
  char *name;
  char *spelling;
  OrreryMessageKind kind;
  OrreryMessageShape shape;
  gsize count;
  gsize text_bound;
  gboolean is_byte; /* `byte`, which ROS 2 describes apart from uint8, and ROS 1 has as int8 */
  char *nested;     /* (nullable): PACKAGE/NAME */
  char *initial;    /* (nullable): a default value as it is written */
  guint line;
} OrreryMessageEntry;

typedef struct {
  char *name;
  char *spelling;
  char *value;
} OrreryMessageNamedValue;

/* One definition: a message, or one of the parts of a service or an action. */
typedef struct {
  GArray *entries;   /* (element-type OrreryMessageEntry) */
  GArray *constants; /* (element-type OrreryMessageNamedValue) */
} OrreryMessageDefinition;

/* How JSON and CBOR show a field. */
typedef struct {
  char *text; /* `,"NAME":` */
  gsize length;
  char *cbor; /* NAME with its head */
  gsize cbor_length;
  OrreryMessageKind kind; /* a Time of ROS 1 has no sign */
} OrreryMessageKey;

/* Fields that begin here and lie in memory as in the bytes of ROS 1 and CDR: numbers of one size
 * without gaps. */
typedef struct {
  gsize unit; /* bytes of a number; 0: the first field is none of these */
  gsize n;    /* numbers */
  guint end;  /* the field behind the last */
} OrreryMessageRun;

struct _OrreryMessageType {
  char *name;
  OrreryMessageDialect dialect;
  OrreryMessageDefinition *definition; /* owns the texts of the fields */
  OrreryMessageField *fields;
  OrreryMessageKey *keys;
  OrreryMessageRun *runs;
  guint n_fields;
  gsize size;
  gsize alignment;
  guint depth;             /* of messages inside; 0: none */
  gsize unit;              /* bytes of each number, if it has no other fields and no gaps; else 0 */
  gsize least;             /* bytes on the wire, at least */
  gboolean is_plain;       /* nothing in it is allocated */
  gboolean has_wide_texts; /* also inside */
  gboolean has_defaults;   /* also inside */
  gpointer defaults; /* (nullable): a message of its own defaults; messages inside are empty */
  char *md5;
  char *hash;
  char *text; /* see orrery_message_type_get_definition() */
};

/* Reads the parts of a text, which lines of three dashes separate: 1 of a message, 2 of a service,
 * 3 of an action. @package: what names without one belong to. Returns: (element-type
 * OrreryMessageDefinition): exactly @n_parts, or NULL with an error that names @file and the line
 */
GPtrArray *orrery_message_definition_parse (const char *text, const char *file, const char *package,
                                            OrreryMessageDialect dialect, guint n_parts,
                                            GError **error);
void orrery_message_definition_free (OrreryMessageDefinition *definition);

/* Finds a type inside another one: PACKAGE/NAME. */
typedef const OrreryMessageType *(*OrreryMessageFindFunc) (gpointer data, const char *name,
                                                           GError **error);
/* Lays out a type. @definition: taken. @file: for messages */
OrreryMessageType *orrery_message_type_new (const char *name, OrreryMessageDialect dialect,
                                            OrreryMessageDefinition *definition, const char *file,
                                            OrreryMessageFindFunc find, gpointer data,
                                            GError **error);
void orrery_message_type_free (OrreryMessageType *type);

/* The sums and the text of a type that is laid out. */
char *orrery_message_reckon_md5 (const OrreryMessageType *type);
char *orrery_message_reckon_hash (const OrreryMessageType *type);
char *orrery_message_write_definition (const OrreryMessageType *type);
/* What goes into the sum of ROS 1: that of a service is of the texts of its parts. */
char *orrery_message_write_md5_text (const OrreryMessageType *type);
/* Bytes of an element of a field in memory, and, at least, on the wire; 0 of an empty message. */
gsize orrery_message_get_element_size (const OrreryMessageField *field);
gsize orrery_message_get_least_bytes (const OrreryMessageField *field);
/* Whether it is the time or the duration that ROS 1 has as a type of its own. */
const char *orrery_message_get_ros1_time (const OrreryMessageType *type);
/* How JSON and CBOR show a field: ROS 1 has its times as `secs` and `nsecs`. */
const char *orrery_message_get_shown_name (const OrreryMessageType *type, guint i);
OrreryMessageKind orrery_message_get_shown_kind (const OrreryMessageType *type, guint i);

/* Reads the defaults of a type that is laid out. @file: for messages */
gboolean orrery_message_make_defaults (OrreryMessageType *type, const char *file, GError **error);
/* Empties and frees the messages inside; what is left needs no type inside to be freed. */
void orrery_message_drop_nested (const OrreryMessageType *type, char *message);
void orrery_message_free_defaults (const OrreryMessageType *type);
/* Room for @length bytes, whose content is undefined; the length of the text is not set. */
void orrery_message_text_reserve (OrreryMessageText *text, gsize length);
/* Makes a sequence of @n elements without setting the new ones: numbers are undefined, texts and
 * messages are empty or what they were when the sequence was as long last. All elements up to the
 * room of a sequence are valid. */
void orrery_message_array_prepare (OrreryMessageArray *array, const OrreryMessageField *field,
                                   gsize n);
