/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Expressions, by which the fields of a message follow from a record, and the other way round:
 * `-radians (property.scan_window) / 2`. They are compiled in the setup; all that has a name is
 * looked up there, so that evaluating one follows pointers. */

typedef enum {
  MAP_NUMBER,
  MAP_TIME,       /* nanoseconds */
  MAP_VECTOR,     /* x, y, z */
  MAP_EULER,      /* roll, pitch, yaw, rad */
  MAP_QUATERNION, /* x, y, z, w */
  MAP_NUMBERS,    /* many of one element type */
  MAP_TEXT,
  MAP_TEXTS,
  MAP_BUFFER,
  MAP_VARIANT,
  MAP_RECORD,
  N_MAP_KINDS,
} MapKind;

/* A value is valid until the expression is evaluated again, or what it was read from changes. */
typedef struct {
  union {
    double number;
    OrreryTime time;
    double v[4];
    struct {
      gconstpointer data;
      gsize n;
      OrreryElement element;
    } numbers;
    struct {
      const char *data;
      gsize length;
    } text;
    const char *const *texts; /* ended by NULL */
    OrreryBuffer *buffer;     /* NULL: none */
    GVariant *variant;        /* NULL: none */
    OrreryRecord *record;
  };
} MapValue;

#define MAP_MAX_ARGUMENTS 4

typedef struct _MapNode MapNode;
/* FALSE: @error */
typedef gboolean (*MapEval) (const MapNode *node, MapValue *value, GError **error);

/* What an evaluation reads comes first, within one line of the cache: of many robots, each has
 * nodes of its own, which are far from the processor when their turn comes. */
struct _MapNode {
  MapEval eval;
  MapKind kind;
  gboolean is_brief;        /* its texts are gone when it is evaluated again within one message */
  const double *numbers[3]; /* of a vector of a record's plain numbers */
  gconstpointer place;      /* what a source reads */
  double number;            /* a constant, an index */
  char *text;               /* a constant; a name for errors */
  MapNode *arguments[MAP_MAX_ARGUMENTS];
  guint n_arguments;
  int type;         /* how @place is laid out */
  gpointer scratch; /* room that is used again */
  GDestroyNotify free_scratch;
};

/*
 * Looks up a name with dots: @names is ended by NULL, @n_used says how many of them the source
 * takes; those that are left are members of its value. Returns: (nullable): NULL: @error
 */
typedef MapNode *(*MapResolve) (gpointer data, const char *const *names, guint *n_used,
                                GError **error);

MapNode *map_node_new (MapKind kind, MapEval eval);
void map_node_free (MapNode *node);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MapNode, map_node_free)

MapNode *map_number_new (double number);
MapNode *map_text_new (const char *text);

/* Returns: (nullable): NULL: ORRERY_ERROR_CONFIG, with the expression and the place in it */
MapNode *map_expression_parse (const char *text, MapResolve resolve, gpointer data, GError **error);
static inline gboolean
map_node_eval (const MapNode *node, MapValue *value, GError **error)
{
  return node->eval (node, value, error);
}
const char *map_kind_get_name (MapKind kind);

/* The element at @i of numbers. */
double map_numbers_get (const MapValue *numbers, gsize i);
/* Numbers of a buffer, all of them, in a row. */
void map_numbers_from_buffer (MapValue *value, OrreryBuffer *buffer);

/* function.c: calls the function @name; takes the arguments over. */
MapNode *map_function_new (const char *name, MapNode **arguments, guint n_arguments,
                           GError **error);
/* A member of a value, as `x`, `roll`, or an element of numbers; takes @of over. */
MapNode *map_member_new (MapNode *of, const char *name, GError **error);
MapNode *map_element_new (MapNode *of, guint index, GError **error);

/* python.c: as Python's repr of an OrderedDict, as MORSE has it. */
void map_write_python (OrreryWriter *writer, OrreryRecord *record);

/* lisp.c: what a SemanticCamera sees, as MORSE writes it for Lisp. */
void map_write_lisp (OrreryWriter *writer, GVariant *objects);

/* source.c: what an outgoing message is made from. */
typedef struct {
  OrreryComponent *component;
  OrreryRecord *record;
  /* Texts that options give; constant after the setup. */
  const char *frame;
  const char *parent_frame;
  const char *child_frame;
  gboolean pub_tf;
  GVariant **item; /* NULL: outside of a list that is made of a record's */
} MapSources;
MapNode *map_sources_resolve (gpointer sources, const char *const *names, guint *n_used,
                              GError **error);

/* Returns: (nullable): where the number is, if the node only reads it there */
const double *map_source_get_number (const MapNode *node);

/* incoming.c: what a message says that came in. */
typedef struct {
  const OrreryMessageType *type;
  gconstpointer message;
} MapMessage;
MapNode *map_message_resolve (gpointer message, const char *const *names, guint *n_used,
                              GError **error);
