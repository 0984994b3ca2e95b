/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <math.h>

#define SIZE 64
#define FAR 10.0

typedef struct {
  OrreryBuffer *image;
  OrreryBuffer *depth;
  OrreryBuffer *points;
  gint64 count;
  OrreryQuat turn;
  OrreryMat3 matrix;
  GVariant *near;
  OrreryBuffer *serials;
} SeenData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SeenData, image, "", "Red, green, blue, alpha: four by the column"),
  ORRERY_FIELD (SeenData, depth, "m", "1 m and a tenth by the column; 10 in the last one"),
  ORRERY_FIELD (SeenData, points, "m", "Points 5 m away; each eighth is 0, 0, 0"),
  ORRERY_FIELD (SeenData, count, "", "1000"),
  ORRERY_FIELD (SeenData, turn, "", "None"),
  ORRERY_FIELD (SeenData, matrix, "", "Ones"),
  ORRERY_FIELD (SeenData, near, "m", "A number by name"),
  ORRERY_FIELD (SeenData, serials, "", "Whole numbers that no double holds"),
};

/* Pictures and clouds of which every number is known. */
G_DECLARE_FINAL_TYPE (TrialSeen, trial_seen, TRIAL, SEEN, OrrerySensor)
struct _TrialSeen {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (TrialSeen, trial_seen, ORRERY_TYPE_SENSOR)

static gpointer
prepare (OrreryBuffer **place, OrreryElement element, guint n_dimensions, const gsize *shape)
{
  if (*place == NULL || !orrery_buffer_is_writable (*place)) {
    g_clear_pointer (place, orrery_buffer_unref);
    *place = orrery_buffer_new (element, n_dimensions, shape);
  }
  return orrery_buffer_get_data (*place);
}

static void
count (SeenData *out)
{
  static const gsize shape[] = { SIZE };
  gint64 *serials = prepare (&out->serials, ORRERY_ELEMENT_INT64, 1, shape);

  for (guint i = 0; i < SIZE; i++)
    serials[i] = ((gint64) 1 << 60) + 2 * i + 1;
}

static void
fill (SeenData *out)
{
  static const gsize image_shape[] = { SIZE, SIZE, 4 }, cloud_shape[] = { SIZE * SIZE, 3 };
  guint8 *image = prepare (&out->image, ORRERY_ELEMENT_UINT8, 3, image_shape);
  float *depth = prepare (&out->depth, ORRERY_ELEMENT_FLOAT, 2, image_shape);
  float *points = prepare (&out->points, ORRERY_ELEMENT_FLOAT, 2, cloud_shape);

  for (guint i = 0; i < SIZE * SIZE; i++) {
    guint column = i % SIZE;
    gboolean nothing = i % 8 == 7;

    image[4 * i] = image[4 * i + 1] = image[4 * i + 2] = (guint8) (4 * column);
    image[4 * i + 3] = 255;
    depth[i] = column == SIZE - 1 ? (float) FAR : 1 + 0.1f * (float) column;
    points[3 * i] = nothing ? 0 : 3;
    points[3 * i + 1] = nothing ? 0 : 0;
    points[3 * i + 2] = nothing ? 0 : 4;
  }
}

static void
trial_seen_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  SeenData *out = orrery_record_data (record);

  fill (out);
  count (out);
  out->count = 1000;
  out->turn = (OrreryQuat){ 1, 0, 0, 0 };
  for (int i = 0; i < 9; i++)
    out->matrix.m[i] = 1;
  g_clear_pointer (&out->near, g_variant_unref);
  out->near = g_variant_ref_sink (g_variant_new_parsed ("{'a': 2.0, 'b': 3.0}"));
}

static void
trial_seen_limit (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  if (field->offset == offsetof (SeenData, depth))
    *limits = (OrreryFieldLimits){ 0, FAR, FAR, FALSE };
}

static void
trial_seen_class_init (TrialSeenClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = trial_seen_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = trial_seen_limit;
  ORRERY_CLASS_SET_DATA (klass, SeenData, fields);
}

static void
trial_seen_init (TrialSeen *self)
{
}

ORRERY_PLUGIN ("Known pictures for tests", "BSD-3-Clause",
               ORRERY_CLASS (Seen, TrialSeen, trial_seen, .thread_safe = TRUE))
