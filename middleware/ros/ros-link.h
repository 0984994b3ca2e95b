/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "ros-loop.h"

/* A connection: what came in and was not taken, and what waits to go out. On the I/O thread. */

typedef struct _RosLink RosLink;
typedef struct _RosBlock RosBlock;
typedef struct _RosPool RosPool;

/* Bytes on their way out, behind a length that TCPROS puts before them. Its sender fills it; from
 * then on it is the I/O thread's. */
struct _RosBlock {
  RosBlock *next;
  guint references;
  RosPool *pool; /* NULL: it is freed after use */
  guint8 prefix[5];
  guint8 n_prefix;
  gsize length;
  gsize room;
  GBytes *bytes; /* the data; NULL: they stand here */
  guint8 data[];
};

/* Blocks of a sender that were used, for the next ones. */
struct _RosPool {
  GMutex lock;
  RosBlock *blocks; /* [lock] */
  guint count;      /* [lock] */
};

typedef struct {
  /* More came; returns whether the link still is open. */
  void (*on_input) (gpointer data, RosLink *link);
  /* It is gone, and will be freed; @why: NULL: the other end closed it. */
  void (*on_closed) (gpointer data, RosLink *link, const char *why);
} RosLinkFuncs;

struct _RosLink {
  RosLoop *loop;
  RosWatch watch;
  RosTimer timer; /* closes it */
  const RosLinkFuncs *funcs;
  gpointer data;
  gsize max_input;
  GByteArray *input;
  gsize taken; /* of the input */
  GQueue output;
  gsize output_bytes;
  gsize offset;
  gboolean connecting;
  gboolean finishing;
  gboolean closed;
  gboolean paused; /* is not read */
};

RosBlock *ros_block_new (RosPool *pool, gsize length);
RosBlock *ros_block_new_for (RosPool *pool, GBytes *bytes);
/* @n: 4: the length; 5: @ok before it */
void ros_block_set_prefix (RosBlock *block, guint n, guint8 ok);
void ros_block_unref (RosBlock *block);
void ros_pool_clear (RosPool *pool);

/* A socket that is connected; the link owns it. */
RosLink *ros_link_new (RosLoop *loop, int fd, const RosLinkFuncs *funcs, gpointer data);
/* One that is being connected, or NULL with errno. */
RosLink *ros_link_connect (RosLoop *loop, const struct sockaddr_in *address,
                           const RosLinkFuncs *funcs, gpointer data);
/* Closes it without a word to anybody. */
void ros_link_close (RosLink *link);
/* Closes it when all is sent and the other end has read it, at the latest in two seconds. */
void ros_link_finish (RosLink *link);
/* Closes it in @ms with `it took too long`; 0: never. */
void ros_link_set_limit (RosLink *link, gint64 ms);
const guint8 *ros_link_peek (RosLink *link, gsize *length);
void ros_link_take (RosLink *link, gsize length);
void ros_link_pause (RosLink *link, gboolean paused);
void ros_link_send (RosLink *link, RosBlock *block);
void ros_link_send_bytes (RosLink *link, GBytes *bytes);
/* Drops the oldest block that is not begun; FALSE: there is none. */
gboolean ros_link_drop_oldest (RosLink *link);
/* Sends what the system takes. */
void ros_link_write (RosLink *link);
