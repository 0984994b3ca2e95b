/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-datastream.h"

G_BEGIN_DECLS

/**
 * OrreryDatastreamManager:
 *
 * A transport: opens streams and moves messages. All functions are called on the tick thread and
 * must not block; use a thread of the manager's own for everything that can block.
 */
#define ORRERY_TYPE_DATASTREAM_MANAGER (orrery_datastream_manager_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryDatastreamManager, orrery_datastream_manager, ORRERY,
                          DATASTREAM_MANAGER, OrreryPart)

/**
 * OrreryDatastreamManagerClass:
 * @open: takes a stream. A class of #OrreryStreamOptions has its options; without one they are in
 *   the dictionary (`a{sv}`), and one that it does not know is an error that names the nearest.
 *   Called in the order of the config, before the first tick;
 * opens no port and no file yet
 * @start: opens ports and files; called once after the last `open`, when everything else is set up,
 *   and never by a mere check. Whoever is not there yet, as a broker, is %ORRERY_ERROR_BUSY with
 * the address in the message: the run begins all the same, unless it is a strict one, and the host
 *   calls this again between ticks, after a second and then less often
 * @send: takes one encoded message of a stream that somebody listens to; @data is valid in the call
 * @send_messages: the same for a manager of codecs with topics, in place of `send`: takes all
 *   messages that one step of a component wrote, with orrery_writer_get_message() or
 *   orrery_writer_dup_message()
 * @tick: once in each tick, after `intake` and before sensors, when its time is known
 * @flush: once after each phase in which it was given something: wake the thread here
 * @intake: once per tick, before messages are looked at: hand over with orrery_stream_put() what
 *   waits; for managers that do not call that from their own thread
 * @gate: whether the next tick may begin; %FALSE holds the simulation, which answers calls
 *   meanwhile, until orrery_datastream_manager_wake() makes it ask again
 * @close: ends everything in bounded time; called once, also where `open` or `start` failed
 * @add: optional, after `start`, between two ticks: takes one more stream, as `open` does, and
 * opens what it needs at once. An error is logged, and the stream is left out; without it, what is
 * added to a scene that runs has no streams of this class
 */
struct _OrreryDatastreamManagerClass {
  OrreryPartClass parent_class;

  void (*open) (OrreryDatastreamManager *self, OrreryStream *stream, GVariant *options,
                GError **error);
  void (*start) (OrreryDatastreamManager *self, GError **error);
  void (*send) (OrreryDatastreamManager *self, OrreryStream *stream, const char *data,
                gsize length);
  void (*flush) (OrreryDatastreamManager *self);
  void (*intake) (OrreryDatastreamManager *self);
  gboolean (*gate) (OrreryDatastreamManager *self);
  void (*close) (OrreryDatastreamManager *self);
  void (*send_messages) (OrreryDatastreamManager *self, OrreryStream *stream, OrreryWriter *writer);
  void (*tick) (OrreryDatastreamManager *self, OrreryTick *tick);
  void (*add) (OrreryDatastreamManager *self, OrreryStream *stream, GVariant *options,
               GError **error);

  /*< private >*/
  GType stream_options;
  gpointer _reserved[4];
};

/**
 * OrreryDatastreamManagerClass::send:
 * @self: a manager
 * @stream: one that it has opened
 * @data: (array length=length) (element-type guint8): one encoded message
 * @length: bytes of @data
 */

/**
 * orrery_datastream_manager_class_set_stream_options:
 * @klass: a class, in its class_init
 * @type: a class derived from #OrreryStreamOptions
 *
 * The properties of @type are the options of each of its streams: the host makes one for each, and
 * refuses what neither it nor the codec has. orrery_stream_get_options() returns it.
 */
ORRERY_API void
orrery_datastream_manager_class_set_stream_options (OrreryDatastreamManagerClass *klass,
                                                    GType type);

/**
 * orrery_datastream_manager_wake:
 * @manager: a manager whose gate is shut
 *
 * Makes a simulation that a gate holds check the gate again. Any thread.
 */
ORRERY_API void orrery_datastream_manager_wake (OrreryDatastreamManager *manager);

/**
 * orrery_datastream_manager_note_loss:
 * @manager: a manager that keeps records for later, as in files
 * @output: what is not whole, and why: "robot.pose.txt: No space left on device"
 *
 * Says that records are lost, once for each output. The report of the run has it under `lost`, and
 * `orrery run` ends with exit code 74. Tick thread, also in `close`.
 */
ORRERY_API void orrery_datastream_manager_note_loss (OrreryDatastreamManager *manager,
                                                     const char *output);

/**
 * orrery_datastream_manager_get_output_directory:
 * @manager: a manager that writes files
 *
 * What a scene names is written below this directory only: the `directory` of #OrreryOutputRules.
 *
 * Returns: (type filename): the directory, "." for the current one
 */
ORRERY_API const char *
orrery_datastream_manager_get_output_directory (OrreryDatastreamManager *manager);

G_END_DECLS
