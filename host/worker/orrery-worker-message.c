/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads the pieces of the messages between host and worker. */
#include "worker/orrery-worker-message-private.h"

#include "record/orrery-flat-private.h"
#include "world/orrery-quantity-private.h"

#include <string.h>

gpointer
orrery_message_add (GByteArray *message, gsize n)
{
  guint at = message->len;
  gsize padding = -n & 7;

  g_byte_array_set_size (message, (guint) (at + n + padding));
  memset (message->data + at + n, 0, padding);
  return message->data + at;
}

void
orrery_message_add_bytes (GByteArray *message, gconstpointer data, gsize n)
{
  gpointer room = orrery_message_add (message, n);

  if (n > 0)
    memcpy (room, data, n);
}

guint64
orrery_message_add_record (GByteArray *message, OrreryRecord *record)
{
  gsize size = orrery_flat_measure_shallow (record);

  orrery_flat_write_shallow (record, orrery_message_add (message, size), size);
  return size;
}

guint64
orrery_message_add_variant (GByteArray *message, GVariant *variant)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (variant);
  gsize size = g_variant_get_size (held);

  g_variant_store (held, orrery_message_add (message, size));
  return size;
}

/* The properties of an object, besides its pose, that cameras see. */
#define LOOK_VISIBLE 1u
#define LOOK_LIT 2u
#define LOOK_PARKED 4u

static guint8
get_look (const OrreryObject *object)
{
  return (object->visible ? LOOK_VISIBLE : 0) | (object->lit ? LOOK_LIT : 0) |
         (object->parked ? LOOK_PARKED : 0);
}

static void
set_look (OrreryObject *object, guint8 look)
{
  object->visible = (look & LOOK_VISIBLE) != 0;
  object->lit = (look & LOOK_LIT) != 0;
  object->parked = (look & LOOK_PARKED) != 0;
}

/* What lamps and shapes look like in place of what the scene says. */
static void
add_own_looks (GByteArray *message, OrreryWorld *world)
{
  g_autoptr (GArray) looks =
      orrery_world_has_looks (world) ? orrery_world_list_changed_looks (world) : NULL;
  const guint64 n = looks != NULL ? looks->len : 0;

  orrery_message_add_bytes (message, &n, sizeof n);
  if (looks != NULL)
    orrery_message_add_bytes (message, looks->data, looks->len * sizeof (OrreryLook));
}

void
orrery_message_add_snapshot (GByteArray *message, OrreryWorld *world, OrrerySnapshot *snapshot)
{
  gsize n = snapshot->n_objects;
  guint8 *looks;

  orrery_snapshot_complete (snapshot);
  orrery_message_add_bytes (message, snapshot->poses, n * sizeof *snapshot->poses);
  orrery_message_add_bytes (message, snapshot->linear, n * sizeof *snapshot->linear);
  orrery_message_add_bytes (message, snapshot->angular, n * sizeof *snapshot->angular);
  orrery_message_add_bytes (message, snapshot->joints,
                            snapshot->n_joints * sizeof *snapshot->joints);
  looks = orrery_message_add (message, n);
  for (guint i = 0; i < n; i++)
    looks[i] = get_look (orrery_world_get_object (world, i));
  add_own_looks (message, world);
  orrery_message_add_bytes (message, snapshot->contacts->data,
                            snapshot->contacts->len * sizeof (OrreryContact));
}

gconstpointer
orrery_cursor_take (OrreryCursor *cursor, gsize n)
{
  gconstpointer bytes = cursor->bytes + cursor->at;
  gsize padded = (n + 7) & ~(gsize) 7;

  if (padded < n || padded > cursor->size - cursor->at)
    return NULL;
  cursor->at += padded;
  return bytes;
}

GVariant *
orrery_cursor_take_variant (OrreryCursor *cursor, guint64 n, const char *type)
{
  gconstpointer bytes = orrery_cursor_take (cursor, n);
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (GVariant) variant = NULL;

  if (bytes == NULL)
    return NULL;
  copy = g_bytes_new (bytes, n);
  variant = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (type), copy, FALSE));
  return g_variant_get_normal_form (variant);
}

static gboolean
take_into (OrreryCursor *cursor, gpointer to, gsize n)
{
  gconstpointer bytes = orrery_cursor_take (cursor, n);

  if (bytes != NULL && n > 0)
    memcpy (to, bytes, n);
  return bytes != NULL;
}

static gboolean
take_own_looks (OrreryCursor *cursor, OrreryWorld *world)
{
  gconstpointer looks;
  guint64 n;

  if (!take_into (cursor, &n, sizeof n) || n > cursor->size / sizeof (OrreryLook))
    return FALSE;
  looks = orrery_cursor_take (cursor, n * sizeof (OrreryLook));
  return looks != NULL && orrery_world_put_looks (world, looks, (guint) n);
}

gboolean
orrery_cursor_take_snapshot (OrreryCursor *cursor, OrreryWorld *world, guint n_objects,
                             guint n_contacts)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  gsize n = n_objects;
  const guint8 *looks;

  if (n_objects != snapshot->n_objects ||
      !take_into (cursor, snapshot->poses, n * sizeof *snapshot->poses) ||
      !take_into (cursor, snapshot->linear, n * sizeof *snapshot->linear) ||
      !take_into (cursor, snapshot->angular, n * sizeof *snapshot->angular) ||
      !take_into (cursor, snapshot->joints, snapshot->n_joints * sizeof *snapshot->joints))
    return FALSE;
  looks = orrery_cursor_take (cursor, n);
  if (looks == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    set_look (orrery_world_get_object (world, i), looks[i]);
  if (!take_own_looks (cursor, world))
    return FALSE;
  orrery_snapshot_keep_all (snapshot);
  snapshot->serial++;
  g_array_set_size (snapshot->contacts, n_contacts);
  return take_into (cursor, snapshot->contacts->data, n_contacts * sizeof (OrreryContact));
}
