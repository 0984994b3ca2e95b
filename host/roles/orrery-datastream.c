/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of codecs, which make messages of records and records of messages. */
#include "roles/orrery-datastream.h"

ORRERY_DEFINE_ABSTRACT_TYPE (OrreryDatastream, orrery_datastream, ORRERY_TYPE_PART)

static void
orrery_datastream_class_init (OrreryDatastreamClass *klass)
{
}
