/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects transforms of several streams into one message. */
#include "dds-transforms.h"

#include <string.h>

struct _DdsTransforms {
  const OrreryMessageType *type;
  const OrreryMessageField *field; /* its transforms */
  gsize size, place, child;        /* of one of them; of the sequence; of the name of its child */
  gboolean keeps, has_new;
  gpointer all, read;
  OrreryWriter *writer;
};

DdsTransforms *
dds_transforms_new (const OrreryMessageType *type, gboolean keeps)
{
  DdsTransforms *self = g_new0 (DdsTransforms, 1);

  self->type = type;
  self->field = orrery_message_type_find (type, "transforms", &self->place, NULL);
  orrery_message_type_find (self->field->type, "child_frame_id", &self->child, NULL);
  self->size = orrery_message_type_get_size (self->field->type);
  self->keeps = keeps;
  self->all = orrery_message_new (type);
  self->read = orrery_message_new (type);
  self->writer = orrery_writer_new ();
  return self;
}

void
dds_transforms_free (DdsTransforms *self)
{
  orrery_message_free (self->type, self->all);
  orrery_message_free (self->type, self->read);
  orrery_writer_unref (self->writer);
  g_free (self);
}

static OrreryMessageArray *
get_array (const DdsTransforms *self, gpointer message)
{
  return (OrreryMessageArray *) (void *) ((char *) message + self->place);
}

static char *
get_element (const DdsTransforms *self, gpointer message, gsize i)
{
  return (char *) get_array (self, message)->data + i * self->size;
}

static gboolean
has_same_child (const DdsTransforms *self, const char *a, const char *b)
{
  const OrreryMessageText *x = (const OrreryMessageText *) (const void *) (a + self->child);
  const OrreryMessageText *y = (const OrreryMessageText *) (const void *) (b + self->child);

  return x->length == y->length && (x->length == 0 || memcmp (x->data, y->data, x->length) == 0);
}

/* Where @element goes: behind the others, or where its child is. */
static gsize
find_place (DdsTransforms *self, const char *element)
{
  OrreryMessageArray *all = get_array (self, self->all);

  for (gsize i = 0; self->keeps && i < all->length; i++)
    if (has_same_child (self, get_element (self, self->all, i), element))
      return i;
  orrery_message_array_resize (all, self->field, all->length + 1);
  return all->length - 1;
}

/* What is in @a and @b changes places, with the memory of each. */
static void
swap (char *a, char *b, gsize size)
{
  for (gsize i = 0; i < size; i++) {
    char kept = a[i];

    a[i] = b[i];
    b[i] = kept;
  }
}

gboolean
dds_transforms_add (DdsTransforms *self, const char *data, gsize length, GError **error)
{
  gsize n;

  if (!orrery_message_read (self->type, self->read, ORRERY_MESSAGE_ENCODING_CDR,
                            (const guint8 *) data, length, error))
    return FALSE;
  n = get_array (self, self->read)->length;
  for (gsize i = 0; i < n; i++) {
    char *element = get_element (self, self->read, i);

    swap (get_element (self, self->all, find_place (self, element)), element, self->size);
  }
  self->has_new |= n > 0;
  return TRUE;
}

void
dds_transforms_send (DdsTransforms *self, DdsPublisher *publisher)
{
  const char *data;
  gsize length;

  if (!self->has_new)
    return;
  self->has_new = FALSE;
  orrery_writer_clear (self->writer);
  if (orrery_message_write (self->type, self->all, ORRERY_MESSAGE_ENCODING_CDR, self->writer,
                            NULL)) {
    data = orrery_writer_get_data (self->writer, &length);
    dds_publisher_send (publisher, data, length);
  }
  if (!self->keeps)
    orrery_message_array_resize (get_array (self, self->all), self->field, 0);
}
