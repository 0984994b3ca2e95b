/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Records that the tests of records share: one field of each type. */

#include "base/orrery-error.h"
#include "base/orrery-random.h"
#include "record/orrery-buffer.h"
#include "record/orrery-record.h"

#include <math.h>
#include <string.h>

/* One field of each type, and between them what is no field and nobody else's business. */
typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  char own[5];
  OrreryStamp time;
  OrreryText text;
  OrreryVec3 position;
  OrreryEuler angles;
  OrreryQuat rotation;
  OrreryMat3 mat3;
  OrreryMat4 mat4;
  OrreryArray ranges;
  OrreryPoints points;
  OrreryBuffer *image;
  OrreryRecord *other;
  GVariant *anything;
} All;

static const OrreryField all_fields[] = {
  ORRERY_FIELD (All, flag, "", "flag"),         ORRERY_FIELD (All, count, "", "count"),
  ORRERY_FIELD (All, x, "m", "place"),          ORRERY_FIELD (All, time, "s", "time"),
  ORRERY_FIELD (All, text, "", "text"),         ORRERY_FIELD (All, position, "m", "position"),
  ORRERY_FIELD (All, angles, "rad", "angles"),  ORRERY_FIELD (All, rotation, "", "rotation"),
  ORRERY_FIELD (All, mat3, "", "matrix"),       ORRERY_FIELD (All, mat4, "", "matrix"),
  ORRERY_FIELD (All, ranges, "m", "ranges"),    ORRERY_FIELD (All, points, "m", "points"),
  ORRERY_FIELD (All, image, "", "image"),       ORRERY_FIELD (All, other, "", "another"),
  ORRERY_FIELD (All, anything, "", "anything"),
};

typedef struct {
  double depth;
  OrreryText label;
} Other;

static const OrreryField other_fields[] = {
  ORRERY_FIELD (Other, depth, "m", "depth"),
  ORRERY_FIELD (Other, label, "", "label"),
};

static inline OrreryRecord *
other_new (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (other_fields, G_N_ELEMENTS (other_fields), sizeof (Other));

  return orrery_record_new (schema);
}

static inline OrreryRecord *
empty_new (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (all_fields, G_N_ELEMENTS (all_fields), sizeof (All));

  return orrery_record_new (schema);
}

static inline void
fill_buffers (All *data)
{
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT16, 2, (gsize[]){ 2, 3 });
  ((guint16 *) orrery_buffer_get_data (data->image))[4] = 513;
  orrery_array_set (&data->ranges, (double[]){ 1.5, INFINITY, 2.5 }, 3);
  orrery_points_set (&data->points, (double[]){ 1, 2, 3, 4, 5, 6 }, 2);
}

/* A record of which every field holds something. */
static inline OrreryRecord *
full_new (void)
{
  OrreryRecord *record = empty_new ();
  All *data = orrery_record_data (record);

  data->flag = true;
  data->count = -5;
  data->x = 0.1;
  memcpy (data->own, "mine", 5);
  data->time.ns = 1500000000;
  orrery_text_set (&data->text, "Transit");
  data->position = (OrreryVec3){ 1, 2, 3 };
  data->angles = (OrreryEuler){ .roll = 0.1, .pitch = 0.2, .yaw = 0.3 };
  data->rotation = (OrreryQuat){ .w = 1, .x = 2, .y = 3, .z = 4 };
  for (int i = 0; i < 9; i++)
    data->mat3.m[i] = i;
  for (int i = 0; i < 16; i++)
    data->mat4.m[i] = i;
  fill_buffers (data);
  data->other = other_new ();
  data->anything = g_variant_ref_sink (g_variant_new_parsed ("{'a': <[1, 2]>}"));
  return record;
}

static inline guint64
hash_of (OrreryRecord *record)
{
  return orrery_record_hash (record, 1, 0);
}

static inline char *
print_value (OrreryRecord *record, const char *name)
{
  g_autoptr (GVariant) value = orrery_record_get_value (record, name);

  g_assert_false (g_variant_is_floating (value));
  return g_variant_print (value, TRUE);
}

static inline void
assert_value (OrreryRecord *record, const char *name, const char *expected)
{
  g_autofree char *text = print_value (record, name);

  g_assert_cmpstr (text, ==, expected);
}

static inline gboolean
set_value (OrreryRecord *record, const char *name, const char *text, GError **error)
{
  return orrery_record_set_value (record, name, g_variant_new_parsed (text), error);
}
