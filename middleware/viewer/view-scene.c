/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene as JSON, for our own page. */
#include "view-gltf.h"
#include "view.h"

static const char *const kinds[] = {
  "box", "sphere", "cylinder", "capsule", "cone", "hull", "mesh"
};

static void
write_numbers (OrreryWriter *out, const char *key, const double *values, guint n)
{
  orrery_writer_append_text (out, key);
  for (guint i = 0; i < n; i++) {
    orrery_writer_append_char (out, i == 0 ? '[' : ',');
    orrery_writer_append_json_double (out, values[i]);
  }
  orrery_writer_append_char (out, ']');
}

static void
write_pose (OrreryWriter *out, const OrreryTransform *pose)
{
  const OrreryVec3 *p = &pose->position;
  const OrreryQuat *q = &pose->rotation;
  const double values[] = { p->x, p->y, p->z, q->x, q->y, q->z, q->w };

  write_numbers (out, "\"pose\":", values, 7);
}

static void
write_material (OrreryWriter *out, OrreryMaterial *material)
{
  orrery_writer_append_text (out, ",\"material\":{");
  write_numbers (out, "\"color\":", orrery_material_get_color (material), 4);
  orrery_writer_append_text (out, ",\"roughness\":");
  orrery_writer_append_json_double (out, view_material_get_roughness (material));
  orrery_writer_append_text (out, ",\"emission\":");
  orrery_writer_append_json_double (out, orrery_material_get_emission (material));
  orrery_writer_append_char (out, '}');
}

static void
write_shape (View *view, OrreryWriter *out, OrreryShape *shape)
{
  OrreryShapeKind kind = orrery_shape_get_kind (shape);
  const OrreryVec3 *s = orrery_shape_get_size (shape);
  const double size[] = { s->x, s->y, s->z };
  const char *asset;

  orrery_writer_append_text (out, "{\"kind\":");
  orrery_writer_append_json_text (out, kinds[kind]);
  orrery_writer_append_char (out, ',');
  write_pose (out, orrery_shape_get_pose (shape));
  if (kind != ORRERY_SHAPE_HULL && kind != ORRERY_SHAPE_MESH) {
    write_numbers (out, ",\"size\":", size, 3);
  } else if ((asset = view_get_shape_asset (view, shape)) != NULL) {
    orrery_writer_append_text (out, ",\"asset\":");
    orrery_writer_append_json_text (out, asset);
  }
  if (orrery_shape_get_n_materials (shape) > 0)
    write_material (out, orrery_shape_get_material (shape, 0));
  orrery_writer_append_char (out, '}');
}

static void
write_lamp (OrreryWriter *out, const OrreryLamp *lamp)
{
  static const char *const words[] = { "point", "spot", "sun" };
  const double color[] = { lamp->color.x, lamp->color.y, lamp->color.z };
  const double direction[] = { lamp->direction.x, lamp->direction.y, lamp->direction.z };
  const double rest[] = { lamp->energy, lamp->distance, lamp->angle, lamp->blend };

  orrery_writer_append_text (out, ",\"lamp\":{\"kind\":");
  orrery_writer_append_json_text (out, words[lamp->kind]);
  write_numbers (out, ",\"color\":", color, 3);
  write_numbers (out, ",\"direction\":", direction, 3);
  write_numbers (out, ",\"values\":", rest, 4);
  orrery_writer_append_char (out, '}');
}

static void
write_object (View *view, OrreryWriter *out, const ViewObject *object)
{
  orrery_writer_append_text (out, "{\"name\":");
  orrery_writer_append_json_text (out, object->name);
  orrery_writer_append_text (out, ",\"base\":");
  orrery_writer_append_json_text (out, object->basename);
  orrery_writer_append_text (out, ",\"parent\":");
  orrery_writer_append_int (out, object->parent);
  orrery_writer_append_char (out, ',');
  write_pose (out, &object->pose);
  if (!object->is_visible)
    orrery_writer_append_text (out, ",\"hidden\":true");
  if (object->spawnable != NULL)
    orrery_writer_append_text (out, ",\"spawnable\":true");
  if (object->is_beside)
    orrery_writer_append_text (out, ",\"beside\":true");
  if (object->is_lamp)
    write_lamp (out, &object->lamp);
  if (object->shapes->len > 0) {
    orrery_writer_append_text (out, ",\"shapes\":");
    for (guint i = 0; i < object->shapes->len; i++) {
      orrery_writer_append_char (out, i == 0 ? '[' : ',');
      write_shape (view, out, object->shapes->pdata[i]);
    }
    orrery_writer_append_char (out, ']');
  }
  orrery_writer_append_char (out, '}');
}

static void
write_field (OrreryWriter *out, const OrreryField *field)
{
  orrery_writer_append_text (out, "{\"name\":");
  orrery_writer_append_json_text (out, field->name);
  orrery_writer_append_text (out, ",\"type\":");
  orrery_writer_append_json_text (out, orrery_field_type_get_name (field->type));
  orrery_writer_append_text (out, ",\"unit\":");
  orrery_writer_append_json_text (out, field->unit != NULL ? field->unit : "");
  orrery_writer_append_text (out, ",\"words\":");
  orrery_writer_append_json_text (out, field->words != NULL ? field->words : "");
  orrery_writer_append_char (out, '}');
}

static void
write_camera (OrreryWriter *out, const ViewCamera *camera)
{
  const double size[] = { camera->width, camera->height };

  if (camera->width == 0)
    return;
  write_numbers (out, ",\"camera\":{\"size\":", size, 2);
  orrery_writer_append_text (out, ",\"fov\":");
  orrery_writer_append_json_double (out, camera->fov);
  orrery_writer_append_text (out, ",\"near\":");
  orrery_writer_append_json_double (out, camera->near);
  orrery_writer_append_text (out, ",\"far\":");
  orrery_writer_append_json_double (out, camera->far);
  orrery_writer_append_char (out, '}');
}

static void
write_part (OrreryWriter *out, const ViewPart *part)
{
  guint n = part->schema != NULL ? orrery_schema_get_n_fields (part->schema) : 0;

  orrery_writer_append_text (out, "{\"name\":");
  orrery_writer_append_json_text (out, part->name);
  orrery_writer_append_text (out, ",\"class\":");
  orrery_writer_append_json_text (out, part->classpath != NULL ? part->classpath : "");
  orrery_writer_append_text (out, ",\"role\":");
  orrery_writer_append_json_text (out, part->role);
  orrery_writer_append_text (out, ",\"object\":");
  orrery_writer_append_int (out, part->object);
  write_camera (out, &part->camera);
  orrery_writer_append_text (out, ",\"fields\":[");
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    write_field (out, orrery_schema_get_field (part->schema, i));
  }
  orrery_writer_append_text (out, "],\"fixed\":[");
  for (guint i = 0; i < part->fixed->len; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    orrery_writer_append_json_text (out, part->fixed->pdata[i]);
  }
  orrery_writer_append_text (out, "]}");
}

static void
write_zone (OrreryWriter *out, const ViewZone *zone)
{
  const double low[] = { zone->low.x, zone->low.y, zone->low.z };
  const double high[] = { zone->high.x, zone->high.y, zone->high.z };

  orrery_writer_append_text (out, "{\"name\":");
  orrery_writer_append_json_text (out, zone->name);
  orrery_writer_append_text (out, ",\"type\":");
  orrery_writer_append_json_text (out, zone->type);
  write_numbers (out, ",\"low\":", low, 3);
  write_numbers (out, ",\"high\":", high, 3);
  orrery_writer_append_char (out, '}');
}

GBytes *
view_get_scene (View *view)
{
  g_autoptr (OrreryWriter) out = NULL;

  if (view->scene != NULL)
    return view->scene;
  out = orrery_writer_new ();
  orrery_writer_append_text (out, "{\"title\":");
  orrery_writer_append_json_text (out, view->title);
  if (view->beside != NULL) {
    orrery_writer_append_text (out, ",\"beside\":");
    orrery_writer_append_json_text (out, view->beside);
  }
  orrery_writer_append_text (out, ",\"session\":");
  orrery_writer_append_json_text (out, view->session);
  orrery_writer_append_text (out, ",\"frequency\":");
  orrery_writer_append_json_double (out, view->frequency);
  orrery_writer_append_text (out, ",\"objects\":[");
  for (guint i = 0; i < view->n_objects; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    write_object (view, out, &view->objects[i]);
  }
  orrery_writer_append_text (out, "],\"materials\":[");
  for (guint i = 0; i < view->materials->len; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    orrery_writer_append_json_text (
        out, view_get_shape_asset (view, g_array_index (view->materials, ViewMaterial, i).sample));
  }
  orrery_writer_append_text (out, "],\"parts\":[");
  for (guint i = 0; i < view->n_parts; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    write_part (out, &view->parts[i]);
  }
  orrery_writer_append_text (out, "],\"zones\":[");
  for (guint i = 0; i < view->zones->len; i++) {
    if (i > 0)
      orrery_writer_append_char (out, ',');
    write_zone (out, &g_array_index (view->zones, ViewZone, i));
  }
  orrery_writer_append_text (out, "]}");
  view->scene = orrery_writer_dup_bytes (out);
  return view->scene;
}
