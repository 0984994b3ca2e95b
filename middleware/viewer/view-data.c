/* SPDX-License-Identifier: BSD-3-Clause */
/* What changes from tick to tick as bytes: poses and records. */
#include "view.h"

#include <math.h>
#include <string.h>

/* Arrays of at most so many numbers are text. */
#define SMALL 32

static float *
begin_poses (GByteArray *out, guint n, guint n_contacts, OrreryTime time, guint64 tick)
{
  double seconds = orrery_time_to_seconds (time);
  guint32 head[2] = { n, (guint32) tick };

  g_byte_array_set_size (out, VIEW_POSE_HEAD + VIEW_POSE_SIZE * n + VIEW_CONTACT_SIZE * n_contacts);
  memcpy (out->data, &seconds, sizeof seconds);
  memcpy (out->data + sizeof seconds, head, sizeof head);
  return (float *) (gpointer) (out->data + VIEW_POSE_HEAD);
}

static void
write_row (float *row, const OrreryTransform *pose)
{
  row[0] = (float) pose->position.x;
  row[1] = (float) pose->position.y;
  row[2] = (float) pose->position.z;
  row[3] = (float) pose->rotation.x;
  row[4] = (float) pose->rotation.y;
  row[5] = (float) pose->rotation.z;
  row[6] = (float) pose->rotation.w;
}

static void
write_absence (float *row)
{
  for (guint i = 0; i < 7; i++)
    row[i] = NAN;
}

static void
write_object (float *row, const ViewObject *object, OrrerySnapshot *snapshot, guint index)
{
  if (object->spawnable != NULL && !orrery_object_is_present (object->spawnable))
    write_absence (row);
  else
    write_row (row, orrery_snapshot_get_pose (snapshot, index));
}

static void
write_contact (float *row, const OrreryContact *contact)
{
  row[0] = (float) contact->point.x;
  row[1] = (float) contact->point.y;
  row[2] = (float) contact->point.z;
  row[3] = (float) contact->normal.x;
  row[4] = (float) contact->normal.y;
  row[5] = (float) contact->normal.z;
  row[6] = (float) contact->impulse;
}

void
view_write_start (View *view, GByteArray *out)
{
  float *row = begin_poses (out, view->n_objects, 0, view->begin, 0);

  for (guint i = 0; i < view->n_objects; i++, row += 7)
    if (view->objects[i].starts_absent)
      write_absence (row);
    else
      write_row (row, &view->objects[i].pose);
}

gboolean
view_has (View *view, guint object, const GByteArray *poses)
{
  gsize place = VIEW_POSE_HEAD + (gsize) VIEW_POSE_SIZE * object;
  float x;

  if (view->objects[object].spawnable == NULL)
    return TRUE;
  if (place + sizeof x > poses->len)
    return !view->objects[object].starts_absent;
  memcpy (&x, poses->data + place, sizeof x);
  return !isnan (x);
}

void
view_write_poses (View *view, OrrerySnapshot *snapshot, OrreryTime time, guint64 tick,
                  GByteArray *out)
{
  OrreryWorld *beside =
      view->playback != NULL ? orrery_playback_get_beside (view->playback, NULL) : NULL;
  guint n_contacts = 0;
  const OrreryContact *contacts = orrery_snapshot_get_contacts (snapshot, &n_contacts);
  guint n_shown = MIN (n_contacts, VIEW_MAX_CONTACTS);
  float *row = begin_poses (out, view->n_objects, n_shown, time, tick);

  for (guint i = 0; i < view->n_own; i++, row += 7)
    write_object (row, &view->objects[i], snapshot, i);
  for (guint i = view->n_own; i < view->n_objects; i++, row += 7)
    write_object (row, &view->objects[i], orrery_world_get_snapshot (beside), i - view->n_own);
  for (guint i = 0; i < n_shown; i++, row += 7)
    write_contact (row, &contacts[i]);
}

/* --- records --- */

/* Returns: (transfer full) (nullable): what is not written as text */
static OrreryBuffer *
find_array (OrreryRecord *record, const OrreryField *field)
{
  g_autoptr (OrreryBuffer) buffer = NULL;

  if (field->type != ORRERY_FIELD_ARRAY && field->type != ORRERY_FIELD_POINTS &&
      field->type != ORRERY_FIELD_BUFFER)
    return NULL;
  buffer = orrery_record_get_buffer (record, field->name);
  return buffer != NULL && orrery_buffer_get_size (buffer) > SMALL * sizeof (double)
             ? g_steal_pointer (&buffer)
             : NULL;
}

static void
write_key (OrreryWriter *out, const char *name)
{
  orrery_writer_append_char (out, ',');
  orrery_writer_append_json_text (out, name);
  orrery_writer_append_char (out, ':');
}

/* Where the bytes are, behind the head. */
static void
write_array (OrreryWriter *out, OrreryBuffer *buffer, gsize *at)
{
  orrery_writer_append_text (out, "{\"$\":");
  orrery_writer_append_json_text (out,
                                  orrery_element_get_name (orrery_buffer_get_element (buffer)));
  orrery_writer_append_text (out, ",\"shape\":");
  for (guint i = 0; i < orrery_buffer_get_n_dimensions (buffer); i++) {
    orrery_writer_append_char (out, i == 0 ? '[' : ',');
    orrery_writer_append_int (out, (gint64) orrery_buffer_get_length (buffer, i));
  }
  orrery_writer_append_text (out, "],\"at\":");
  orrery_writer_append_int (out, (gint64) *at);
  orrery_writer_append_char (out, '}');
  *at += (orrery_buffer_get_size (buffer) + 7) & ~(gsize) 7;
}

static void
write_head (OrreryRecord *record, OrreryWriter *head)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  gsize at = 0;

  orrery_writer_append_text (head, "{\"timestamp\":");
  orrery_writer_append_json_double (head,
                                    orrery_time_to_seconds (orrery_record_get_timestamp (record)));
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);
    g_autoptr (OrreryBuffer) buffer = find_array (record, field);
    g_autoptr (GVariant) value = NULL;

    write_key (head, field->name);
    if (buffer != NULL) {
      write_array (head, buffer, &at);
    } else {
      value = orrery_record_get_value (record, field->name);
      if (value != NULL)
        orrery_writer_append_json_variant (head, value);
      else
        orrery_writer_append_text (head, "null");
    }
  }
  orrery_writer_append_char (head, '}');
}

void
view_write_record (OrreryRecord *record, OrreryWriter *out)
{
  static const char blanks[8] = "        ";
  static const guint8 zeros[8] = { 0 };
  g_autoptr (OrreryWriter) head = orrery_writer_new ();
  OrrerySchema *schema = orrery_record_get_schema (record);
  gsize length;
  const char *text;
  guint32 n;

  write_head (record, head);
  text = orrery_writer_get_data (head, &length);
  /* Arrays begin at a multiple of eight. */
  n = (guint32) ((length + 4 + 7) & ~(gsize) 7) - 4;
  orrery_writer_append (out, &n, sizeof n);
  orrery_writer_append (out, text, length);
  orrery_writer_append (out, blanks, n - length);
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    g_autoptr (OrreryBuffer) buffer = find_array (record, orrery_schema_get_field (schema, i));
    gsize size = buffer != NULL ? orrery_buffer_get_size (buffer) : 0;

    if (buffer != NULL) {
      orrery_writer_append (out, orrery_buffer_get_data (buffer), size);
      orrery_writer_append (out, zeros, -size & 7);
    }
  }
}
