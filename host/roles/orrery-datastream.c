/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles/orrery-datastream.h"

G_DEFINE_ABSTRACT_TYPE (OrreryDatastream, orrery_datastream, ORRERY_TYPE_PART)

static void
orrery_datastream_class_init (OrreryDatastreamClass *klass)
{
}

static void
orrery_datastream_init (OrreryDatastream *self)
{
}
