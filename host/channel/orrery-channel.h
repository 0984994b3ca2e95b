/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryTransport:
 * @ORRERY_TRANSPORT_LOCAL: a ring in one process; values in order, the oldest is dropped
 * @ORRERY_TRANSPORT_QUEUE: the same between processes
 * @ORRERY_TRANSPORT_LATEST: one value between processes, the newest wins; read in place
 *
 * How values are passed from an emitter to its receivers.
 */
typedef enum {
  ORRERY_TRANSPORT_LOCAL,
  ORRERY_TRANSPORT_QUEUE,
  ORRERY_TRANSPORT_LATEST,
} OrreryTransport;

/**
 * ORRERY_CHANNEL_DEPTH:
 *
 * Number of values that a ring keeps by default.
 */
#define ORRERY_CHANNEL_DEPTH 5

/**
 * ORRERY_CHANNEL_MAX_DEPTH:
 *
 * Most values that a ring can keep.
 */
#define ORRERY_CHANNEL_MAX_DEPTH 65535

/**
 * ORRERY_CHANNEL_MAX_SIZE:
 *
 * Size of the largest value, bytes.
 */
#define ORRERY_CHANNEL_MAX_SIZE (G_GUINT64_CONSTANT (1000) << 20)

/**
 * ORRERY_CHANNEL_MAX_RECEIVERS:
 *
 * Most receivers that a `latest` channel has at a time; other channels have no limit.
 */
#define ORRERY_CHANNEL_MAX_RECEIVERS 64

/**
 * OrreryChannel:
 *
 * Connects one emitter to its receivers. Between processes it is anonymous memory of a sealed size,
 * so that nothing is left behind in the file system when a process is killed. Opaque and
 * reference-counted, from any thread; its ends keep a reference.
 */
#define ORRERY_TYPE_CHANNEL (orrery_channel_get_type ())
ORRERY_API GType orrery_channel_get_type (void);

/**
 * orrery_transport_get_name:
 * @transport: a transport
 *
 * The text is static.
 *
 * Returns: (transfer none): "local", "queue" or "latest"
 */
ORRERY_API const char *orrery_transport_get_name (OrreryTransport transport);

/**
 * orrery_transport_from_name:
 * @name: a name as of orrery_transport_get_name()
 * @transport: (out): the transport; untouched if there is none of that name
 *
 * Upper and lower case differ.
 *
 * Returns: whether there is a transport of that name
 */
ORRERY_API gboolean orrery_transport_from_name (const char *name, OrreryTransport *transport);

/**
 * orrery_channel_new_local: (constructor)
 * @name: what messages call it; at most 63 bytes of it are kept
 * @depth: values that are kept, at most %ORRERY_CHANNEL_MAX_DEPTH; 0 is %ORRERY_CHANNEL_DEPTH
 *
 * A ring in this process. Each receiver reads every value once, in order, then the last one again
 * as stale. A receiver that is more than @depth values behind loses the oldest, and counts them.
 *
 * Returns: (transfer full): a channel, or %NULL with %ORRERY_ERROR_IO: no memory
 */
ORRERY_API OrreryChannel *orrery_channel_new_local (const char *name, guint depth, GError **error);

/**
 * orrery_channel_new_queue: (constructor)
 * @name: what messages call it; at most 63 bytes of it are kept
 * @depth: values that are kept, at most %ORRERY_CHANNEL_MAX_DEPTH; 0 is %ORRERY_CHANNEL_DEPTH
 *
 * As orrery_channel_new_local(), between processes. Emitting never waits.
 *
 * Returns: (transfer full): a channel, or %NULL with %ORRERY_ERROR_IO: no memory, no descriptor
 */
ORRERY_API OrreryChannel *orrery_channel_new_queue (const char *name, guint depth, GError **error);

/**
 * orrery_channel_new_latest: (constructor)
 * @name: what messages call it; at most 63 bytes of it are kept
 * @size: bytes of a value as far as known: memory is made ready for it; 0 leaves that to the first
 * @fixed: whether values of another size are refused: than @size, or than the first if it is 0
 *
 * One value between processes: a receiver reads the newest, or the last one again as stale. It is
 * read in place, and does not change until that receiver releases it. Emitting never waits.
 *
 * Returns: (transfer full): a channel, or %NULL with %ORRERY_ERROR_IO: no memory, no descriptor; or
 *   with %ORRERY_ERROR_INVALID: @size above %ORRERY_CHANNEL_MAX_SIZE
 */
ORRERY_API OrreryChannel *orrery_channel_new_latest (const char *name, gsize size, gboolean fixed,
                                                     GError **error);

/**
 * orrery_channel_ref:
 * @channel: a channel
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @channel
 */
ORRERY_API OrreryChannel *orrery_channel_ref (OrreryChannel *channel);
/**
 * orrery_channel_unref:
 * @channel: a channel
 *
 * Drops a reference. The last one of this process frees its view of the channel; the values go with
 * the last process that has one. Any thread.
 */
ORRERY_API void orrery_channel_unref (OrreryChannel *channel);

/**
 * orrery_channel_get_name:
 *
 * Valid as long as the channel. Of a channel that was received it is made valid UTF-8.
 *
 * Returns: (transfer none): what messages call it
 */
ORRERY_API const char *orrery_channel_get_name (OrreryChannel *channel);

/**
 * orrery_channel_get_transport:
 *
 * The same for the life of the channel, in each of its processes.
 *
 * Returns: its transport
 */
ORRERY_API OrreryTransport orrery_channel_get_transport (OrreryChannel *channel);

/**
 * orrery_channel_send:
 * @channel: a channel between processes
 * @socket: a Unix socket, connected; of streams or of packets
 *
 * Passes the channel to the process that calls orrery_channel_receive() on the other end, which can
 * then create its emitter or receivers. @channel may be released at once afterwards.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_IO; with %ORRERY_ERROR_INVALID: a `local` one
 */
ORRERY_API gboolean orrery_channel_send (OrreryChannel *channel, int socket, GError **error);

/**
 * orrery_channel_receive:
 * @socket: a Unix socket, connected
 *
 * Waits for a channel, at most for the SO_RCVTIMEO of the socket. Memory that is received is
 * checked before it is used: memory that could be truncated while it is read is refused.
 *
 * Returns: (transfer full): the channel, or %NULL with %ORRERY_ERROR_IO: nothing came; or with
 *   %ORRERY_ERROR_INVALID: it is no channel
 */
ORRERY_API OrreryChannel *orrery_channel_receive (int socket, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryChannel, orrery_channel_unref)

G_END_DECLS
