/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes one connection without ever waiting for it. */
#define _GNU_SOURCE
#include "ros-link.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define READ_SIZE ((gsize) 256 * 1024)
#define BLOCKS_PER_SEND 32
/* Blocks of a pool are not kept beyond this number and this size. */
#define MAX_POOLED 1024
#define MAX_POOLED_SIZE ((gsize) 64 * 1024)
#define FINISH_MS 2000
/* An input buffer above this size is given back when it is empty. */
#define KEPT_INPUT ((gsize) 1024 * 1024)

/* --- blocks --- */

static RosBlock *
take_pooled (RosPool *pool, gsize length)
{
  RosBlock *block;

  g_mutex_lock (&pool->lock);
  block = pool->blocks;
  if (block != NULL && block->room >= length) {
    pool->blocks = block->next;
    pool->count--;
  } else
    block = NULL;
  g_mutex_unlock (&pool->lock);
  return block;
}

RosBlock *
ros_block_new (RosPool *pool, gsize length)
{
  RosBlock *block = pool != NULL ? take_pooled (pool, length) : NULL;
  gsize room = block != NULL ? block->room : MAX (length, 64);

  if (block == NULL)
    block = g_malloc (sizeof *block + room);
  *block = (RosBlock){ .references = 1, .pool = pool, .length = length, .room = room };
  return block;
}

RosBlock *
ros_block_new_for (RosPool *pool, GBytes *bytes)
{
  RosBlock *block = ros_block_new (pool, 0);

  block->bytes = g_bytes_ref (bytes);
  block->length = g_bytes_get_size (bytes);
  return block;
}

void
ros_block_set_prefix (RosBlock *block, guint n, guint8 ok)
{
  guint32 length = (guint32) block->length;

  block->n_prefix = (guint8) n;
  block->prefix[0] = ok;
  for (guint i = 0; i < 4; i++)
    block->prefix[n - 4 + i] = (guint8) (length >> 8 * i);
}

void
ros_block_unref (RosBlock *block)
{
  RosPool *pool = block->pool;

  if (--block->references > 0)
    return;
  g_clear_pointer (&block->bytes, g_bytes_unref);
  if (pool != NULL && block->room <= MAX_POOLED_SIZE) {
    g_mutex_lock (&pool->lock);
    if (pool->count < MAX_POOLED) {
      block->next = pool->blocks;
      pool->blocks = block;
      pool->count++;
      block = NULL;
    }
    g_mutex_unlock (&pool->lock);
  }
  g_free (block);
}

void
ros_pool_clear (RosPool *pool)
{
  while (pool->blocks != NULL) {
    RosBlock *block = pool->blocks;

    pool->blocks = block->next;
    g_free (block);
  }
  pool->count = 0;
}

/* --- the connection --- */

static void on_event (gpointer data, guint32 events);

static void
update_watch (RosLink *link)
{
  gboolean writes = link->connecting || link->output.length > 0;
  guint32 events = (link->paused ? EPOLLRDHUP : EPOLLIN) | (writes ? EPOLLOUT : 0);

  if (!link->closed)
    ros_loop_watch (link->loop, &link->watch, events);
}

static void
free_link (gpointer data)
{
  RosLink *link = data;
  RosBlock *block;

  while ((block = g_queue_pop_head (&link->output)) != NULL)
    ros_block_unref (block);
  g_byte_array_unref (link->input);
  g_free (link);
}

void
ros_link_close (RosLink *link)
{
  if (link->closed)
    return;
  link->closed = TRUE;
  ros_loop_clear_timer (link->loop, &link->timer);
  ros_loop_unwatch (link->loop, &link->watch);
  ros_loop_bury (link->loop, link, free_link);
}

static void
lose (RosLink *link, const char *why)
{
  if (link->closed)
    return;
  ros_link_close (link);
  if (link->funcs != NULL)
    link->funcs->on_closed (link->data, link, why);
}

static void
on_timeout (gpointer data)
{
  lose (data, "it took too long");
}

RosLink *
ros_link_new (RosLoop *loop, int fd, const RosLinkFuncs *funcs, gpointer data)
{
  RosLink *link = g_new0 (RosLink, 1);
  int yes = 1;

  link->loop = loop;
  link->watch = (RosWatch){ fd, 0, on_event, link };
  link->timer = (RosTimer){ .func = on_timeout, .data = link };
  link->funcs = funcs;
  link->data = data;
  link->max_input = READ_SIZE;
  link->input = g_byte_array_new ();
  g_queue_init (&link->output);
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  update_watch (link);
  return link;
}

RosLink *
ros_link_connect (RosLoop *loop, const struct sockaddr_in *address, const RosLinkFuncs *funcs,
                  gpointer data)
{
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  RosLink *link;

  if (fd < 0)
    return NULL;
  if (connect (fd, (const struct sockaddr *) address, sizeof *address) < 0 &&
      errno != EINPROGRESS) {
    int saved = errno;

    close (fd);
    errno = saved;
    return NULL;
  }
  link = ros_link_new (loop, fd, funcs, data);
  link->connecting = TRUE;
  update_watch (link);
  return link;
}

void
ros_link_set_limit (RosLink *link, gint64 ms)
{
  if (ms > 0)
    ros_loop_set_timer (link->loop, &link->timer, ms);
  else
    ros_loop_clear_timer (link->loop, &link->timer);
}

/* --- in --- */

const guint8 *
ros_link_peek (RosLink *link, gsize *length)
{
  *length = link->input->len - link->taken;
  return link->input->data + link->taken;
}

void
ros_link_take (RosLink *link, gsize length)
{
  link->taken += length;
}

static void
compact (RosLink *link)
{
  gsize left = link->input->len - link->taken;

  if (link->taken == 0)
    return;
  if (left == 0 && link->input->len > KEPT_INPUT) {
    g_byte_array_unref (link->input);
    link->input = g_byte_array_new ();
  } else {
    memmove (link->input->data, link->input->data + link->taken, left);
    g_byte_array_set_size (link->input, (guint) left);
  }
  link->taken = 0;
}

void
ros_link_pause (RosLink *link, gboolean paused)
{
  link->paused = paused;
  update_watch (link);
}

/* Returns bytes read; 0 at the end, -1 with errno. */
static ssize_t
read_some (RosLink *link)
{
  gsize before = link->input->len;
  gsize size = MIN (READ_SIZE, link->max_input > before ? link->max_input - before : 1);
  ssize_t n;

  g_byte_array_set_size (link->input, (guint) (before + size));
  do {
    n = recv (link->watch.fd, link->input->data + before, size, MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  g_byte_array_set_size (link->input, (guint) (before + (gsize) MAX (n, 0)));
  return n;
}

static void
read_link (RosLink *link)
{
  ssize_t n = read_some (link);

  if (n < 0 && errno == EAGAIN)
    return;
  if (n <= 0) {
    lose (link, n < 0 ? g_strerror (errno) : NULL);
    return;
  }
  if (link->finishing || link->funcs == NULL) {
    link->taken = link->input->len;
    compact (link);
    return;
  }
  link->funcs->on_input (link->data, link);
  if (!link->closed)
    compact (link);
}

/* --- out --- */

void
ros_link_send (RosLink *link, RosBlock *block)
{
  if (link->closed)
    return;
  block->references++;
  g_queue_push_tail (&link->output, block);
  link->output_bytes += block->length;
}

void
ros_link_send_bytes (RosLink *link, GBytes *bytes)
{
  RosBlock *block = ros_block_new_for (NULL, bytes);

  ros_link_send (link, block);
  ros_block_unref (block);
  ros_link_write (link);
}

gboolean
ros_link_drop_oldest (RosLink *link)
{
  RosBlock *block = g_queue_pop_nth (&link->output, link->offset > 0 ? 1 : 0);

  if (block == NULL)
    return FALSE;
  link->output_bytes -= block->length;
  ros_block_unref (block);
  return TRUE;
}

static const guint8 *
block_data (const RosBlock *block)
{
  return block->bytes != NULL ? g_bytes_get_data (block->bytes, NULL) : block->data;
}

static guint
collect_pieces (RosLink *link, struct iovec pieces[2 * BLOCKS_PER_SEND])
{
  gsize skip = link->offset;
  guint n = 0;

  for (GList *item = link->output.head; item != NULL && n < 2 * BLOCKS_PER_SEND;
       item = item->next) {
    RosBlock *block = item->data;
    gsize prefix = block->n_prefix - MIN (skip, block->n_prefix);
    gsize past = skip - MIN (skip, block->n_prefix);

    pieces[n++] = (struct iovec){ block->prefix + block->n_prefix - prefix, prefix };
    pieces[n++] = (struct iovec){ (guint8 *) block_data (block) + past, block->length - past };
    skip = 0;
  }
  return n;
}

static void
advance (RosLink *link, gsize n)
{
  link->offset += n;
  while (link->output.length > 0) {
    RosBlock *block = g_queue_peek_head (&link->output);
    gsize whole = block->n_prefix + block->length;

    if (link->offset < whole)
      return;
    link->offset -= whole;
    link->output_bytes -= block->length;
    g_queue_pop_head (&link->output);
    ros_block_unref (block);
  }
}

static void
note_sent (RosLink *link)
{
  if (link->finishing && link->output.length == 0)
    shutdown (link->watch.fd, SHUT_WR);
  update_watch (link);
}

void
ros_link_write (RosLink *link)
{
  while (!link->closed && !link->connecting && link->output.length > 0) {
    struct iovec pieces[2 * BLOCKS_PER_SEND];
    struct msghdr message = { .msg_iov = pieces };
    ssize_t n;

    message.msg_iovlen = collect_pieces (link, pieces);
    n = sendmsg (link->watch.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno == EAGAIN)
      break;
    if (n < 0) {
      lose (link, g_strerror (errno));
      return;
    }
    advance (link, (gsize) n);
  }
  if (!link->closed)
    note_sent (link);
}

void
ros_link_finish (RosLink *link)
{
  if (link->closed || link->finishing)
    return;
  link->finishing = TRUE;
  link->paused = FALSE;
  ros_link_set_limit (link, FINISH_MS);
  ros_link_write (link);
}

static void
end_connecting (RosLink *link)
{
  int status = 0;
  socklen_t size = sizeof status;

  getsockopt (link->watch.fd, SOL_SOCKET, SO_ERROR, &status, &size);
  if (status != 0) {
    lose (link, g_strerror (status));
    return;
  }
  link->connecting = FALSE;
}

static void
on_event (gpointer data, guint32 events)
{
  RosLink *link = data;

  if (link->connecting && (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0)
    end_connecting (link);
  if (link->closed || link->connecting)
    return;
  if ((events & EPOLLOUT) != 0)
    ros_link_write (link);
  if (link->closed)
    return;
  if ((events & EPOLLIN) != 0 && !link->paused)
    read_link (link);
  else if ((events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) != 0)
    lose (link, NULL);
}
