/* SPDX-License-Identifier: BSD-3-Clause */
/* Records, frames and the scene as Foxglove knows them: JSON and its schemas. */
#include "view-gltf.h"
#include "view.h"

#include <math.h>
#include <string.h>

/* Bytes of meshes that a SceneUpdate brings; what is beyond is left out. */
#define MAX_MODELS (6 * 1024 * 1024)

static void
append_number (OrreryWriter *out, const char *key, double value)
{
  orrery_writer_append_text (out, key);
  orrery_writer_append_json_double (out, value);
}

/* --- schemas --- */

static const char *
find_schema (OrreryFieldType type)
{
  static const char *const schemas[] = {
    [ORRERY_FIELD_BOOL] = "\"type\":\"boolean\"",
    [ORRERY_FIELD_INT64] = "\"type\":\"integer\"",
    [ORRERY_FIELD_DOUBLE] = "\"type\":\"number\"",
    [ORRERY_FIELD_TIME] = "\"type\":\"number\"",
    [ORRERY_FIELD_TEXT] = "\"type\":\"string\"",
    [ORRERY_FIELD_VEC3] = "\"type\":\"array\",\"items\":{\"type\":\"number\"}",
    [ORRERY_FIELD_EULER] = "\"type\":\"object\",\"properties\":{\"yaw\":{\"type\":\"number\"},"
                           "\"pitch\":{\"type\":\"number\"},\"roll\":{\"type\":\"number\"}}",
    [ORRERY_FIELD_QUAT] = "\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"},"
                          "\"y\":{\"type\":\"number\"},\"z\":{\"type\":\"number\"},"
                          "\"w\":{\"type\":\"number\"}}",
    [ORRERY_FIELD_MAT3] =
        "\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}",
    [ORRERY_FIELD_MAT4] =
        "\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}",
    [ORRERY_FIELD_ARRAY] = "\"type\":\"array\",\"items\":{\"type\":\"number\"}",
    [ORRERY_FIELD_POINTS] =
        "\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}",
    [ORRERY_FIELD_RECORD] = "\"type\":\"object\"",
  };

  /* Bytes are a text, other buffers lists; a variant may be anything. */
  return type < G_N_ELEMENTS (schemas) ? schemas[type] : NULL;
}

void
view_write_schema (const ViewPart *part, OrreryWriter *out)
{
  guint n = part->schema != NULL ? orrery_schema_get_n_fields (part->schema) : 0;

  orrery_writer_append_text (out, "{\"type\":\"object\",\"title\":");
  orrery_writer_append_json_text (out, part->classpath != NULL ? part->classpath : part->name);
  orrery_writer_append_text (out, ",\"properties\":{\"timestamp\":{\"type\":\"number\","
                                  "\"description\":\"s\"}");
  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (part->schema, i);
    const char *schema = find_schema (field->type);
    g_autofree char *words =
        field->unit != NULL && *field->unit != '\0'
            ? g_strdup_printf ("%s: %s", field->unit, field->words != NULL ? field->words : "")
            : g_strdup (field->words != NULL ? field->words : "");

    orrery_writer_append_char (out, ',');
    orrery_writer_append_json_text (out, field->name);
    orrery_writer_append_text (out, ":{");
    if (schema != NULL) {
      orrery_writer_append_text (out, schema);
      orrery_writer_append_char (out, ',');
    }
    orrery_writer_append_text (out, "\"description\":");
    orrery_writer_append_json_text (out, words);
    orrery_writer_append_char (out, '}');
  }
  orrery_writer_append_text (out, "}}");
}

/* --- frames --- */

static void
append_time (OrreryWriter *out, OrreryTime time)
{
  orrery_writer_append_text (out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (out, time / ORRERY_SECOND);
  orrery_writer_append_text (out, ",\"nsec\":");
  orrery_writer_append_int (out, time % ORRERY_SECOND);
  orrery_writer_append_text (out, "},");
}

static void
append_vector (OrreryWriter *out, double x, double y, double z)
{
  append_number (out, "{\"x\":", x);
  append_number (out, ",\"y\":", y);
  append_number (out, ",\"z\":", z);
  orrery_writer_append_char (out, '}');
}

static void
append_rotation (OrreryWriter *out, const float *xyzw)
{
  append_number (out, "{\"x\":", (double) xyzw[0]);
  append_number (out, ",\"y\":", (double) xyzw[1]);
  append_number (out, ",\"z\":", (double) xyzw[2]);
  append_number (out, ",\"w\":", (double) xyzw[3]);
  orrery_writer_append_char (out, '}');
}

void
view_write_transforms (View *view, const guint8 *poses, gsize length, OrreryTime time,
                       OrreryWriter *out)
{
  guint n = (guint) MIN ((length - VIEW_POSE_HEAD) / VIEW_POSE_SIZE, view->n_objects);
  guint n_written = 0;
  float row[7];

  orrery_writer_append_text (out, "{\"transforms\":[");
  for (guint i = 0; i < n; i++) {
    memcpy (row, poses + VIEW_POSE_HEAD + i * VIEW_POSE_SIZE, sizeof row);
    if (isnan (row[0]))
      continue;
    if (n_written++ > 0)
      orrery_writer_append_char (out, ',');
    append_time (out, time);
    orrery_writer_append_text (out, "\"parent_frame_id\":\"world\",\"child_frame_id\":");
    orrery_writer_append_json_text (out, view->objects[i].name);
    orrery_writer_append_text (out, ",\"translation\":");
    append_vector (out, (double) row[0], (double) row[1], (double) row[2]);
    orrery_writer_append_text (out, ",\"rotation\":");
    append_rotation (out, row + 3);
    orrery_writer_append_char (out, '}');
  }
  orrery_writer_append_text (out, "]}");
}

/* --- the scene --- */

typedef struct {
  View *view;
  OrreryWriter *cubes, *spheres, *cylinders, *models;
  guint n_cubes, n_spheres, n_cylinders, n_models;
  gsize bytes;
  guint left;
  const OrreryVec3 *paint; /* (nullable): in place of the colours of the materials */
  const OrreryVec3 *scale; /* (nullable): of its shapes */
} Entity;

static void
append_pose (OrreryWriter *out, const OrreryTransform *pose, double up)
{
  const OrreryVec3 lift = { 0, 0, up };
  const OrreryQuat *q = &pose->rotation;
  const float xyzw[4] = { (float) q->x, (float) q->y, (float) q->z, (float) q->w };
  OrreryVec3 at;

  orrery_transform_apply (pose, &lift, &at);
  orrery_writer_append_text (out, "{\"pose\":{\"position\":");
  append_vector (out, at.x, at.y, at.z);
  orrery_writer_append_text (out, ",\"orientation\":");
  append_rotation (out, xyzw);
  orrery_writer_append_char (out, '}');
}

static void
append_color (OrreryWriter *out, OrreryShape *shape, const OrreryVec3 *paint)
{
  static const double plain[] = { 0.7, 0.7, 0.7, 1 };
  OrreryMaterial *material = orrery_shape_get_material (shape, 0);
  const double *color = material != NULL ? orrery_material_get_color (material) : plain;

  append_number (out, ",\"color\":{\"r\":", paint != NULL ? paint->x : color[0]);
  append_number (out, ",\"g\":", paint != NULL ? paint->y : color[1]);
  append_number (out, ",\"b\":", paint != NULL ? paint->z : color[2]);
  append_number (out, ",\"a\":", color[3]);
  orrery_writer_append_char (out, '}');
}

static OrreryWriter *
begin (OrreryWriter *out, guint *n, OrreryShape *shape, double up)
{
  if ((*n)++ > 0)
    orrery_writer_append_char (out, ',');
  append_pose (out, orrery_shape_get_pose (shape), up);
  return out;
}

static void
add_simple (Entity *self, OrreryWriter *out, guint *n, OrreryShape *shape, const OrreryVec3 *half,
            double up)
{
  begin (out, n, shape, up);
  orrery_writer_append_text (out, ",\"size\":");
  append_vector (out, 2 * half->x, 2 * half->y, 2 * half->z);
  append_color (out, shape, self->paint);
}

static void
add_cylinder (Entity *self, OrreryShape *shape, double top)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  const OrreryVec3 half = { s->x, s->x, s->z };

  add_simple (self, self->cylinders, &self->n_cylinders, shape, &half, 0);
  append_number (self->cylinders, ",\"bottom_scale\":1,\"top_scale\":", top);
  orrery_writer_append_char (self->cylinders, '}');
}

static void
add_ball (Entity *self, OrreryShape *shape, double up)
{
  double r = orrery_shape_get_size (shape)->x;

  add_simple (self, self->spheres, &self->n_spheres, shape, &(OrreryVec3){ r, r, r }, up);
  orrery_writer_append_char (self->spheres, '}');
}

static void
add_model (Entity *self, OrreryShape *shape)
{
  const char *sha256 = self->scale == NULL ? view_get_shape_asset (self->view, shape) : NULL;
  /* One of another size is a file of its own, and is not kept. */
  g_autoptr (GBytes) scaled = self->scale != NULL ? view_gltf_new (shape) : NULL;
  GBytes *bytes = sha256 != NULL ? g_hash_table_lookup (self->view->assets, sha256) : scaled;
  g_autofree char *text = NULL;
  const guint8 *data;
  gsize length;

  if (bytes == NULL || self->bytes + g_bytes_get_size (bytes) > MAX_MODELS) {
    self->left++;
    return;
  }
  self->bytes += g_bytes_get_size (bytes);
  data = g_bytes_get_data (bytes, &length);
  text = g_base64_encode (data, length);
  begin (self->models, &self->n_models, shape, 0);
  orrery_writer_append_text (self->models,
                             ",\"scale\":{\"x\":1,\"y\":1,\"z\":1},\"override_color\":");
  orrery_writer_append_text (self->models, self->paint != NULL ? "true" : "false");
  append_color (self->models, shape, self->paint);
  orrery_writer_append_text (self->models, ",\"url\":\"\",\"media_type\":\"model/gltf-binary\","
                                           "\"data\":\"");
  orrery_writer_append_text (self->models, text);
  orrery_writer_append_text (self->models, "\"}");
}

static void
add_shape (Entity *self, OrreryShape *shape)
{
  const OrreryVec3 *s = orrery_shape_get_size (shape);

  switch (orrery_shape_get_kind (shape)) {
  case ORRERY_SHAPE_BOX:
    add_simple (self, self->cubes, &self->n_cubes, shape, s, 0);
    orrery_writer_append_char (self->cubes, '}');
    return;
  case ORRERY_SHAPE_SPHERE:
    add_ball (self, shape, 0);
    return;
  case ORRERY_SHAPE_CAPSULE:
    add_cylinder (self, shape, 1);
    add_ball (self, shape, s->z);
    add_ball (self, shape, -s->z);
    return;
  case ORRERY_SHAPE_CYLINDER:
    add_cylinder (self, shape, 1);
    return;
  case ORRERY_SHAPE_CONE:
    add_cylinder (self, shape, 0);
    return;
  case ORRERY_SHAPE_HULL:
  case ORRERY_SHAPE_MESH:
    add_model (self, shape);
    return;
  }
}

static void
append_list (OrreryWriter *out, const char *key, OrreryWriter *list)
{
  gsize length;
  const char *text = orrery_writer_get_data (list, &length);

  orrery_writer_append_text (out, key);
  orrery_writer_append (out, text, length);
  orrery_writer_append_char (out, ']');
  orrery_writer_clear (list);
}

static void
add_object (Entity *self, const ViewObject *object, OrreryWriter *out)
{
  self->n_cubes = self->n_spheres = self->n_cylinders = self->n_models = 0;
  self->paint = view_get_paint (self->view, (guint) (object - self->view->objects));
  self->scale = view_get_scale (self->view, (guint) (object - self->view->objects));
  for (guint i = 0; i < object->shapes->len; i++) {
    OrreryShape *shape = object->shapes->pdata[i];
    g_autoptr (OrreryShape) scaled =
        self->scale != NULL ? orrery_shape_new_scaled (shape, self->scale) : NULL;

    add_shape (self, scaled != NULL ? scaled : shape);
  }
  append_time (out, 0);
  orrery_writer_append_text (out, "\"frame_id\":");
  orrery_writer_append_json_text (out, object->name);
  orrery_writer_append_text (out, ",\"id\":");
  orrery_writer_append_json_text (out, object->name);
  orrery_writer_append_text (out, ",\"lifetime\":{\"sec\":0,\"nsec\":0},\"frame_locked\":true,"
                                  "\"metadata\":[],\"arrows\":[],\"lines\":[],\"triangles\":[],"
                                  "\"texts\":[]");
  append_list (out, ",\"cubes\":[", self->cubes);
  append_list (out, ",\"spheres\":[", self->spheres);
  append_list (out, ",\"cylinders\":[", self->cylinders);
  append_list (out, ",\"models\":[", self->models);
  orrery_writer_append_char (out, '}');
}

static gboolean
is_drawn (const ViewObject *object)
{
  return object->is_visible && object->shapes->len > 0;
}

/* An entity is deleted if it is older, and all are of time 0. */
static void
append_deletions (View *view, const GByteArray *poses, OrreryTime time, OrreryWriter *out)
{
  guint n = 0;

  for (guint i = 0; i < view->n_objects; i++) {
    if (!is_drawn (&view->objects[i]) || view_has (view, i, poses))
      continue;
    if (n++ > 0)
      orrery_writer_append_char (out, ',');
    append_time (out, time);
    orrery_writer_append_text (out, "\"type\":0,\"id\":");
    orrery_writer_append_json_text (out, view->objects[i].name);
    orrery_writer_append_char (out, '}');
  }
}

GBytes *
view_make_update (View *view, const GByteArray *poses, gboolean changing, OrreryTime time,
                  guint *left)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  g_autoptr (OrreryWriter) cubes = orrery_writer_new ();
  g_autoptr (OrreryWriter) spheres = orrery_writer_new ();
  g_autoptr (OrreryWriter) cylinders = orrery_writer_new ();
  g_autoptr (OrreryWriter) models = orrery_writer_new ();
  Entity self = { view, cubes, spheres, cylinders, models, 0, 0, 0, 0, 0, 0, NULL };
  guint n = 0;

  orrery_writer_append_text (out, "{\"deletions\":[");
  if (changing)
    append_deletions (view, poses, time, out);
  orrery_writer_append_text (out, "],\"entities\":[");
  for (guint i = 0; i < view->n_objects; i++) {
    const ViewObject *object = &view->objects[i];

    if (!is_drawn (object) || !view_has (view, i, poses) ||
        (changing && object->spawnable == NULL && !view_was_changed (view, i)))
      continue;
    if (n++ > 0)
      orrery_writer_append_char (out, ',');
    add_object (&self, object, out);
  }
  orrery_writer_append_text (out, "]}");
  *left = self.left;
  return orrery_writer_dup_bytes (out);
}
