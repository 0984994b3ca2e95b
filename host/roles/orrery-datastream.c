/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of codecs, which make messages of records and records of messages. */
#include "roles/orrery-stream-private.h"

typedef struct {
  guint64 epoch;
  const char *encoding;
} OrreryDatastreamPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryDatastream, orrery_datastream, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryDatastreamPrivate *) orrery_datastream_get_instance_private (self))

static void
orrery_datastream_class_init (OrreryDatastreamClass *klass)
{
}

static void
orrery_datastream_init (OrreryDatastream *self)
{
  PRIVATE (self)->epoch = 1;
}

ORRERY_DEFINE_GETTER (guint64, orrery_datastream_get_epoch, OrreryDatastream, ORRERY_IS_DATASTREAM,
                      PRIVATE (self)->epoch)

void
orrery_datastream_set_epoch (OrreryDatastream *codec, guint64 epoch)
{
  PRIVATE (codec)->epoch = epoch;
}

ORRERY_DEFINE_GETTER (const char *, orrery_datastream_get_encoding, OrreryDatastream,
                      ORRERY_IS_DATASTREAM, PRIVATE (self)->encoding)

void
orrery_datastream_set_encoding (OrreryDatastream *codec, const char *encoding)
{
  PRIVATE (codec)->encoding = g_intern_string (encoding);
}
