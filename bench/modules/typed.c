/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

/*
 * bench.typed: a manager of typed messages that takes each one and drops it, so that what is
 * measured is how a record becomes a message. Silent has nobody who listens.
 */

typedef struct {
  OrreryDatastreamManager parent_instance;
} BenchTypedManager;
ORRERY_DEFINE_CLASS (BenchTypedManager, bench_typed_manager, OrreryDatastreamManager,
                     orrery_datastream_manager)

static void
open_listening (OrreryDatastreamManager *manager, OrreryStream *stream, GVariant *options,
                GError **error)
{
  orrery_stream_set_listening (stream, TRUE);
}

static void
open_silent (OrreryDatastreamManager *manager, OrreryStream *stream, GVariant *options,
             GError **error)
{
}

/* As a transport does: small ones are read, large ones kept for a moment. */
static void
take (OrreryDatastreamManager *manager, OrreryStream *stream, OrreryWriter *writer)
{
  const char *data;
  gsize length;

  for (guint i = 0; i < orrery_writer_get_n_messages (writer); i++) {
    orrery_writer_get_message (writer, i, &data, &length);
    if (length >= 16384)
      g_bytes_unref (orrery_writer_dup_message (writer, i));
  }
}

static void
bench_typed_manager_class_init (BenchTypedManagerClass *klass)
{
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->open = open_listening;
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->send_messages = take;
}

typedef struct {
  BenchTypedManager parent_instance;
} BenchSilentManager;
ORRERY_DEFINE_CLASS (BenchSilentManager, bench_silent_manager, BenchTypedManager,
                     bench_typed_manager)

static void
bench_silent_manager_class_init (BenchSilentManagerClass *klass)
{
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->open = open_silent;
}

ORRERY_PLUGIN ("Typed messages that go nowhere", "BSD-3-Clause",
               ORRERY_CLASS (Typed, BenchTypedManager, bench_typed_manager, .encoding = "ros1"),
               ORRERY_CLASS (Silent, BenchSilentManager, bench_silent_manager,
                             .role = ORRERY_ROLE_DATASTREAM_MANAGER, .encoding = "ros1"))
