/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-message.h"
#include "roles/orrery-component.h"
#include "roles/orrery-stream-options.h"

G_BEGIN_DECLS

/**
 * OrreryDatastream:
 *
 * A codec between the record of one component and messages; it does no input or output itself. It
 * looks up what it needs of the component (name, frequency, record) in `setup`.
 */
#define ORRERY_TYPE_DATASTREAM (orrery_datastream_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryDatastream, orrery_datastream, ORRERY, DATASTREAM, OrreryPart)

/**
 * OrreryDatastreamClass:
 * @encode: writes one message; writing nothing sends nothing
 * @decode: reads one message into the whole record; an error refuses the message and leaves the
 *   record as it was
 *
 * A class has one of the two, or both.
 */
struct _OrreryDatastreamClass {
  OrreryPartClass parent_class;

  void (*encode) (OrreryDatastream *self, OrreryRecord *record, OrreryWriter *writer,
                  GError **error);
  void (*decode) (OrreryDatastream *self, OrreryReader *reader, OrreryRecord *record,
                  GError **error);

  /*< private >*/
  gpointer _reserved[8];
};

/**
 * orrery_datastream_get_epoch:
 *
 * Simulated time is set back by a reset, by a start after a stop, by another scene and by a state
 * that is restored: times of records of two epochs do not compare. For codecs and managers whose
 * protocol has room for it. Tick thread.
 *
 * Returns: the epoch of the records: 1 at first, one more whenever time was set anew after a tick
 */
ORRERY_API guint64 orrery_datastream_get_epoch (OrreryDatastream *self);

/**
 * orrery_datastream_get_encoding:
 *
 * The manager of a stream says how the bytes of typed messages are laid out: `ros1`, `cdr`, `json`,
 * `cbor`. Known from `setup` on.
 *
 * Returns: (nullable): the encoding that the manager of its stream has; %NULL: the codec's own
 */
ORRERY_API const char *orrery_datastream_get_encoding (OrreryDatastream *self);

/**
 * OrreryDirection:
 * @ORRERY_DIRECTION_OUT: from the record to the outside
 * @ORRERY_DIRECTION_IN: from the outside to the record
 *
 * Which way the messages of a stream go.
 */
typedef enum {
  ORRERY_DIRECTION_OUT,
  ORRERY_DIRECTION_IN,
} OrreryDirection;

/**
 * OrreryStream:
 *
 * An open entry of `component_datastream`: it connects a component's codec and a manager.
 * Reference-counted; thread-safe where a function says so.
 */
#define ORRERY_TYPE_STREAM (orrery_stream_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryStream, orrery_stream, ORRERY, STREAM, GObject)

/**
 * orrery_stream_get_component:
 *
 * The component whose record the stream sends or fills. Any thread, though what it says of itself
 * is the tick's.
 *
 * Returns: (transfer none): the component; as long as the stream
 */
ORRERY_API OrreryComponent *orrery_stream_get_component (OrreryStream *stream);
/**
 * orrery_stream_get_codec:
 *
 * The datastream that makes messages of the record, or reads them: its topics are those of the
 * stream.
 *
 * Returns: (transfer none): the codec; as long as the stream
 */
ORRERY_API OrreryDatastream *orrery_stream_get_codec (OrreryStream *stream);
/**
 * orrery_stream_get_name:
 *
 * The full name of the component, by which managers name what they open for a stream: `robot.pose`.
 * Several streams of one component have the same. Any thread.
 *
 * Returns: the name; as long as the stream
 */
ORRERY_API const char *orrery_stream_get_name (OrreryStream *stream);
/**
 * orrery_stream_get_direction:
 *
 * The direction of the entry, which never changes. Any thread.
 *
 * Returns: which way its messages go
 */
ORRERY_API OrreryDirection orrery_stream_get_direction (OrreryStream *stream);
/**
 * orrery_stream_get_options:
 *
 * Of the class that its manager gave to orrery_datastream_manager_class_set_stream_options().
 *
 * Returns: (transfer none): what its entry says to the manager
 */
ORRERY_API OrreryStreamOptions *orrery_stream_get_options (OrreryStream *stream);
/**
 * orrery_stream_set_listening:
 * @stream: an outgoing stream
 * @listening: whether anybody would get a message; %FALSE at first
 *
 * The host does not encode while no client listens. Any thread.
 */
ORRERY_API void orrery_stream_set_listening (OrreryStream *stream, gboolean listening);
/**
 * orrery_stream_set_topic_listening:
 * @stream: an outgoing stream
 * @topic: index of a topic of its codec, below %ORRERY_MAX_TOPICS
 * @listening: whether anybody would get a message of this topic; %FALSE at first
 *
 * The same for one topic of several. A stream listens as long as one of its topics does. Any
 * thread.
 */
ORRERY_API void orrery_stream_set_topic_listening (OrreryStream *stream, guint topic,
                                                   gboolean listening);
/**
 * orrery_stream_is_listening:
 * @stream: an outgoing stream
 *
 * Any thread.
 *
 * Returns: whether anybody would get a message
 */
ORRERY_API gboolean orrery_stream_is_listening (OrreryStream *stream);
/**
 * orrery_stream_get_n_reads:
 * @stream: an incoming stream
 *
 * A manager that takes new clients as MORSE does, by the steps of the component, counts these.
 * Tick thread.
 *
 * Returns: how many steps of the component have looked for a message
 */
ORRERY_API guint64 orrery_stream_get_n_reads (OrreryStream *stream);
/**
 * orrery_stream_put:
 * @stream: an incoming stream
 * @source: which client it came from: any number that tells them apart
 * @data: (array length=length) (element-type guint8): one whole message; copied
 * @length: bytes
 *
 * Passes a message to the host, for the next intake. Of several in one tick the last one is used.
 * Any thread.
 */
ORRERY_API void orrery_stream_put (OrreryStream *stream, guint64 source, const char *data,
                                   gsize length);
/**
 * orrery_stream_set_user_data: (skip)
 * @data: what the manager wants to find again
 * @destroy: (nullable): for @data
 *
 * Keeps something of the manager with the stream. What was kept before is freed now, and this with
 * the stream. Nothing locks it: set it in `open`, before other threads know the stream.
 */
ORRERY_API void orrery_stream_set_user_data (OrreryStream *stream, gpointer data,
                                             GDestroyNotify destroy);
/**
 * orrery_stream_get_user_data: (skip)
 *
 * What orrery_stream_set_user_data() was given last.
 *
 * Returns: the pointer; %NULL: nothing yet
 */
ORRERY_API gpointer orrery_stream_get_user_data (OrreryStream *stream);

G_END_DECLS
