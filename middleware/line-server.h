/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "line-block.h"

#include "line-access.h"

/* A server for lines of text over TCP, any number of ports behind one I/O thread, which servers can
 * share.
 *
 * Two threads meet here. The consumer (the tick) makes listeners, publishes, sends, flushes and
 * takes; no call of it blocks, waits for a client or, in a steady state, allocates. The I/O thread
 * owns every connection. They meet under one lock, once per flush, per take and per round of the
 * I/O thread; a flush makes at most one system call, none if the I/O thread looks anyway.
 *
 * Out: what is handed over, by all servers of a thread, leaves in one order: each line is given to
 * the system as a whole before the next one's first byte. A line published to a listener is stored
 * once and sent to every client that was there. Lines of one listener that follow one another are
 * sent together. A client that does not read loses its oldest whole lines beyond
 * `max_queued_lines` or `max_queued_bytes` (never a part: what was begun is finished) and, after
 * `stall_ms` without any progress, its connection. Lines sent to one client are never dropped: past
 * `max_reply_bytes` the client is closed instead.
 *
 * Whoever connects is let in by the rules of #LineAccess, or gets one line, FAILURE and why. A
 * client that begins as HTTP does gets an error of HTTP and is closed before a line of it is read.
 *
 * In: a line ends at '\n', which is not part of it; a '\r' before it is. A longer line than
 * `max_line` is reported once, with its beginning, and skipped up to its end. Half a line at the
 * end of a connection is dropped and counted. What waits to be taken is bounded: see #LineInput. */

/**
 * LineThread:
 *
 * The I/O thread of one or several servers, which one consumer uses.
 */
typedef struct _LineThread LineThread;

/**
 * LineInput:
 * @LINE_INPUT_IGNORE: what clients send is thrown away
 * @LINE_INPUT_ALL: every line counts; a client with too many waiting is not read until they are
 * taken
 * @LINE_INPUT_NEWEST: of each client the newest `max_newest_lines` are kept, older ones dropped and
 * counted
 * @LINE_INPUT_RAW: bytes are counted, not kept; see line_listener_take_raw()
 *
 * What becomes of what clients send.
 */
typedef enum {
  LINE_INPUT_IGNORE,
  LINE_INPUT_ALL,
  LINE_INPUT_NEWEST,
  LINE_INPUT_RAW,
} LineInput;

/**
 * LineEnd:
 * @LINE_END_CLOSE: it has gone
 * @LINE_END_STAY: it may still read, and has gone when it takes no line any more
 * @LINE_END_REPORT: it may wait for answers: after its last line comes %LINE_EVENT_END, and then
 * line_server_hang_up() is due; when it has gone for good, %LINE_EVENT_GONE
 *
 * What becomes of a client that sends no more. Over TCP nobody can tell one that has gone from one
 * that has shut down its side, until something is sent: so whoever stays is closed by the next
 * line, by the system's keep-alive within two minutes, or when a new client needs the place.
 */
typedef enum {
  LINE_END_CLOSE,
  LINE_END_STAY,
  LINE_END_REPORT,
} LineEnd;

/**
 * LineCount:
 * @LINE_COUNT_ACCEPTED: connections taken
 * @LINE_COUNT_REFUSED: connections closed at once since there were `max_clients`
 * @LINE_COUNT_ACCEPT_FAILED: times that no connection could be taken for want of descriptors or
 * memory
 * @LINE_COUNT_DENIED: connections that were not let in
 * @LINE_COUNT_FOREIGN: connections closed since they spoke HTTP
 * @LINE_COUNT_CLOSED: connections that ended, for whatever reason
 * @LINE_COUNT_STALLED: connections closed because the client did not read
 * @LINE_COUNT_IN: lines that came in
 * @LINE_COUNT_IN_DROPPED: lines that came in and were dropped for newer ones
 * @LINE_COUNT_IN_TOO_LONG: lines refused for their length
 * @LINE_COUNT_IN_HALF: connections that ended within a line
 * @LINE_COUNT_OUT: lines handed to the system, one for each client
 * @LINE_COUNT_OUT_LOST: lines that a client was too slow for, one for each client
 *
 * What is counted for each listener, from its start.
 */
typedef enum {
  LINE_COUNT_ACCEPTED,
  LINE_COUNT_REFUSED,
  LINE_COUNT_ACCEPT_FAILED,
  LINE_COUNT_DENIED,
  LINE_COUNT_FOREIGN,
  LINE_COUNT_CLOSED,
  LINE_COUNT_STALLED,
  LINE_COUNT_IN,
  LINE_COUNT_IN_DROPPED,
  LINE_COUNT_IN_TOO_LONG,
  LINE_COUNT_IN_HALF,
  LINE_COUNT_OUT,
  LINE_COUNT_OUT_LOST,
  LINE_N_COUNTS,
} LineCount;

/**
 * LineServerOptions:
 * @max_clients: of all listeners together
 * @max_line: bytes of an incoming line
 * @max_waiting_lines: incoming lines of one client that wait to be taken (%LINE_INPUT_ALL)
 * @max_newest_lines: the same (%LINE_INPUT_NEWEST)
 * @max_waiting_bytes: of all clients together
 * @max_queued_lines: lines of a listener that wait for a slow client
 * @max_queued_bytes: the same in bytes; the newest line is kept whatever its size
 * @max_reply_bytes: bytes sent to one client that it has not read
 * @stall_ms: milliseconds without progress until a client that does not read is closed
 * @lines_per_send: lines of a listener that go out in one system call, to each client in turn; 0
 *   for as many as fit
 * @send_buffer: the kernel's buffer of each connection, bytes; 0 for what the system gives
 * @access: (nullable): who may connect; taken over by line_server_new(); %NULL: the usual rules
 * @thread: (nullable): that it shares with others; taken over by line_server_new(), as @access is;
 *   %NULL: it has one of its own
 * @wake: (nullable): called in the I/O thread when something is there to take
 * @wake_data: for @wake
 */
typedef struct {
  guint max_clients;
  gsize max_line;
  guint max_waiting_lines;
  guint max_newest_lines;
  gsize max_waiting_bytes;
  guint max_queued_lines;
  gsize max_queued_bytes;
  gsize max_reply_bytes;
  guint stall_ms;
  guint lines_per_send;
  int send_buffer;
  LineAccess *access;
  LineThread *thread;
  void (*wake) (gpointer data);
  gpointer wake_data;
} LineServerOptions;

/**
 * LineListenOptions:
 * @address: (nullable): IPv4 or IPv6 address, "localhost" or %NULL for 127.0.0.1, "*" for all
 * @port: the first port to try; 0 for any
 * @tries: how many ports from there on; 0 counts as 1
 * @max_clients: further ones wait until one leaves; 0 for no limit but the server's
 * @input: what becomes of what clients send
 * @end: and of those that send no more
 * @late: the first line that is published when a new client is there is not for it yet
 * @data: for line_listener_get_data()
 */
typedef struct {
  const char *address;
  guint16 port;
  guint tries;
  guint max_clients;
  LineInput input;
  LineEnd end;
  gboolean late;
  gpointer data;
} LineListenOptions;

/**
 * LineEvent:
 * @kind: what happened
 * @listener: where
 * @client: the client's number, never used twice
 * @text: the line, ended by NUL; may hold others; valid until the next take
 * @length: bytes of @text
 */
typedef struct {
  LineEventKind kind;
  LineListener *listener;
  guint64 client;
  const char *text;
  gsize length;
} LineEvent;

/**
 * line_thread_share:
 * @owner: (type GObject) (nullable): what those who share it have in common; %NULL: nothing
 *
 * The thread of this owner; started if there is none now.
 *
 * Returns: (transfer full) (nullable): for line_server_new(); ends when the last server that uses
 * it is stopped; %NULL with errno set: no descriptor, no thread
 */
LineThread *line_thread_share (gpointer owner);

/** line_server_options_init: sets the limits that are meant for everyday use */
void line_server_options_init (LineServerOptions *options);

/**
 * line_server_new:
 * @options: copied
 *
 * Starts the I/O thread, if none is given.
 *
 * Returns: (transfer full) (nullable): a server, or %NULL with errno set: no descriptor, no thread
 */
LineServer *line_server_new (const LineServerOptions *options);

/**
 * line_server_listen:
 * @server: a server that was not stopped
 * @options: where and how
 * @listener: (out) (transfer none): lives as long as the server
 *
 * Returns: 0, or the errno of the last try: EADDRINUSE if no port was free, EINVAL for an address
 * that is none
 */
int line_server_listen (LineServer *server, const LineListenOptions *options,
                        LineListener **listener);

/** line_server_describe_address: for a log: " of all addresses", " of 192.0.2.1", "" for the usual
 * loopback; freed by the caller */
char *line_server_describe_address (const char *address);

/** line_server_strerror: what line_server_listen() returned, in words */
const char *line_server_strerror (int status);

guint16 line_listener_get_port (LineListener *listener);
gpointer line_listener_get_data (LineListener *listener);
/** line_listener_get_count: any thread */
guint64 line_listener_get_count (LineListener *listener, LineCount what);

/** line_listener_get_n_clients: how many are connected now; any thread */
guint line_listener_get_n_clients (LineListener *listener);

/** line_listener_get_newest: the number of the client that came last; 0: none did; any thread */
guint64 line_listener_get_newest (LineListener *listener);

/**
 * line_server_publish:
 * @server: a server
 * @listener: to all of its clients
 * @text: (array length=length): a line without its newline; copied
 * @length: bytes
 *
 * Does nothing if nobody listens. The line goes out with the next flush.
 */
void line_server_publish (LineServer *server, LineListener *listener, const char *text,
                          gsize length);

/** line_server_send: the same to one client; nothing happens if that has gone */
void line_server_send (LineServer *server, guint64 client, const char *text, gsize length);

/** line_server_hang_up: closes the client once it has been sent what was sent to it before */
void line_server_hang_up (LineServer *server, guint64 client);

/**
 * line_server_flush:
 *
 * Hands what was published, by all servers of the thread, and then what this one sent, to the I/O
 * thread. Answers go out at once; lines that are
 * published more than 25 times a second within 2 ms, which spares the caller to wake a thread.
 */
void line_server_flush (LineServer *server);

/** line_server_hurry: has what was flushed sent at once: a client waits for it before it goes on */
void line_server_hurry (LineServer *server);

/**
 * line_server_take:
 *
 * Makes what has come in since the last take available to line_server_next(), in the order in which
 * it came. What the last take gave becomes invalid.
 *
 * Returns: how many events there are
 */
guint line_server_take (LineServer *server);

/** line_server_next: the next event of the last take; %FALSE if there is none left */
gboolean line_server_next (LineServer *server, LineEvent *event);

/**
 * line_listener_take_raw:
 * @listener: one with %LINE_INPUT_RAW
 * @max: at most so many bytes
 *
 * Returns: how many bytes had arrived and now count as read
 */
gsize line_listener_take_raw (LineListener *listener, gsize max);

/**
 * line_server_stop:
 * @server: a server
 * @timeout_ms: how long clients get to read what was flushed
 *
 * Takes no more connections, sends what is queued, closes all, ends the I/O thread unless others
 * use it. What came in before can still be taken. A second call does nothing.
 */
void line_server_stop (LineServer *server, guint timeout_ms);

/** line_server_free: stops at once if it still runs; all of its listeners become invalid */
void line_server_free (LineServer *server);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LineServer, line_server_free)
