/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "base/orrery-waker-private.h"
#include "roles/orrery-datastream-manager.h"

/* @options: NULL: all stand at their defaults */
OrreryStream *orrery_stream_new (OrreryComponent *component, OrreryDatastream *codec,
                                 OrreryDirection direction, OrreryStreamOptions *options);

/* Sets one that the options have, and notes that it was given. */
gboolean orrery_stream_options_set (OrreryStreamOptions *options, const char *name, GVariant *value,
                                    GError **error);

/*
 * Keeps the flag whether somebody listens at @place, where the tick finds it beside those of its
 * other streams: to be read atomically, as long as @block, an atomic box of GLib that holds it. The
 * place before is left.
 */
void orrery_stream_place_listening (OrreryStream *stream, gpointer block, int *place);

/* A bit for each topic of the codec that somebody listens to; all for
 * orrery_stream_set_listening(). Any thread. */
guint64 orrery_stream_get_wanted (const OrreryStream *stream);

/*
 * Intake: takes the newest message that waits, if one does, so that the rest of the tick sees only
 * that. Returns whether there is a message, new or left from an earlier intake.
 */
gboolean orrery_stream_take (OrreryStream *stream);
/* The message that was taken; it is gone with the next orrery_stream_drop(). */
const char *orrery_stream_get_message (OrreryStream *stream, gsize *length);
/* The same, for a step of its component; counted. */
const char *orrery_stream_read (OrreryStream *stream, gsize *length);
void orrery_stream_drop (OrreryStream *stream);
/* Messages that others displaced since the start, and whether several clients write. */
guint64 orrery_stream_get_n_displaced (OrreryStream *stream);
gboolean orrery_stream_has_rivals (OrreryStream *stream);

/* See orrery_datastream_get_epoch(). */
void orrery_datastream_set_epoch (OrreryDatastream *codec, guint64 epoch);
/* See orrery_datastream_get_encoding(); @encoding: a constant, or of a class. */
void orrery_datastream_set_encoding (OrreryDatastream *codec, const char *encoding);

/* The host's side of a manager: what its wake-up wakes. */
void orrery_datastream_manager_attach (OrreryDatastreamManager *manager, OrreryWaker *waker);
/* (element-type utf8) (nullable): what orrery_datastream_manager_note_loss() was told; borrowed. */
GPtrArray *orrery_datastream_manager_get_lost (OrreryDatastreamManager *manager);
/* The directory below which it writes files; NULL: the current one. */
void orrery_datastream_manager_set_output_directory (OrreryDatastreamManager *manager,
                                                     const char *directory);
/* (element-type utf8): names of the components on its streams, borrowed; once it is attached. */
GPtrArray *orrery_datastream_manager_get_streams (OrreryDatastreamManager *manager);
