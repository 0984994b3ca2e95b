/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics that the node publishes: what waits for each subscriber, and what is dropped. */
#include "ros-node-private.h"

#include <string.h>

/* So much may wait for one subscriber; the newest message is kept whatever its size. */
#define MAX_QUEUED ((gsize) 512 * 1024 * 1024)

static void
tell_listening (RosPublisher *publisher)
{
  atomic_store (&publisher->n_subscribers, publisher->links->len);
  if (publisher->listening != NULL)
    publisher->listening (publisher->data, publisher->links->len);
}

static void
send_block (RosPublisher *publisher, RosPeer *peer, RosBlock *block)
{
  RosLink *link = peer->link;

  while (link->output.length > 0 && (link->output.length >= publisher->queue_length + 1 ||
                                     link->output_bytes + block->length > MAX_QUEUED)) {
    if (!ros_link_drop_oldest (link))
      break;
    atomic_fetch_add (&publisher->n_dropped, 1);
  }
  ros_link_send (link, block);
}

void
ros_publisher_add_peer (RosPublisher *publisher, RosPeer *peer)
{
  peer->publisher = publisher;
  g_ptr_array_add (publisher->links, peer);
  if (publisher->latch != NULL)
    ros_link_send (peer->link, publisher->latch);
  ros_link_write (peer->link);
  tell_listening (publisher);
}

void
ros_publisher_remove_peer (RosPublisher *publisher, RosPeer *peer)
{
  if (g_ptr_array_remove_fast (publisher->links, peer))
    tell_listening (publisher);
}

/* --- from the thread of the simulation --- */

static void
hand_over (RosPublisher *publisher, RosBlock *block)
{
  RosNode *node = publisher->node;
  RosBlock *oldest = NULL;

  ros_block_set_prefix (block, 4, 0);
  g_mutex_lock (&node->lock);
  *publisher->last = block;
  publisher->last = &block->next;
  /* The I/O thread gets no processor: the oldest goes. */
  if (++publisher->n_waiting > publisher->queue_length) {
    oldest = publisher->first;
    publisher->first = oldest->next;
    publisher->n_waiting--;
  }
  if (!publisher->dirty) {
    publisher->dirty = TRUE;
    publisher->next_dirty = NULL;
    *node->last_dirty = publisher;
    node->last_dirty = &publisher->next_dirty;
  }
  g_mutex_unlock (&node->lock);
  node->untold = TRUE;
  if (oldest != NULL) {
    ros_block_unref (oldest);
    atomic_fetch_add (&publisher->n_dropped, 1);
  }
}

static gboolean
is_wanted (RosPublisher *publisher)
{
  return publisher->node->running && !publisher->gone &&
         (publisher->latched || atomic_load (&publisher->n_subscribers) > 0);
}

void
ros_publisher_send (RosPublisher *publisher, gconstpointer message, gsize length)
{
  RosBlock *block;

  if (!is_wanted (publisher) || length > G_MAXUINT32)
    return;
  block = ros_block_new (&publisher->pool, length);
  if (length > 0)
    memcpy (block->data, message, length);
  hand_over (publisher, block);
}

void
ros_publisher_send_bytes (RosPublisher *publisher, GBytes *message)
{
  if (is_wanted (publisher) && g_bytes_get_size (message) <= G_MAXUINT32)
    hand_over (publisher, ros_block_new_for (&publisher->pool, message));
}

guint
ros_publisher_get_n_subscribers (RosPublisher *publisher)
{
  return atomic_load (&publisher->n_subscribers);
}

guint64
ros_publisher_get_n_dropped (RosPublisher *publisher)
{
  return atomic_load (&publisher->n_dropped);
}

/* --- on the I/O thread --- */

static void
keep_latched (RosPublisher *publisher, RosBlock *block)
{
  if (!publisher->latched)
    return;
  g_clear_pointer (&publisher->latch, ros_block_unref);
  block->references++;
  publisher->latch = block;
}

static void
forward (RosPublisher *publisher, RosBlock *block)
{
  while (block != NULL) {
    RosBlock *next = block->next;

    for (guint i = 0; i < publisher->links->len; i++)
      send_block (publisher, g_ptr_array_index (publisher->links, i), block);
    keep_latched (publisher, block);
    ros_block_unref (block);
    block = next;
  }
  /* A link that is lost leaves the array. */
  for (guint i = publisher->links->len; i > 0; i--)
    if (i <= publisher->links->len)
      ros_link_write (((RosPeer *) g_ptr_array_index (publisher->links, i - 1))->link);
}

void
ros_publishers_forward (RosNode *node)
{
  RosPublisher *publisher = NULL;
  RosBlock *block = NULL;

  do {
    g_mutex_lock (&node->lock);
    publisher = node->dirty;
    if (publisher != NULL) {
      node->dirty = publisher->next_dirty;
      if (node->dirty == NULL)
        node->last_dirty = &node->dirty;
      publisher->dirty = FALSE;
      block = publisher->first;
      publisher->first = NULL;
      publisher->last = &publisher->first;
      publisher->n_waiting = 0;
    }
    g_mutex_unlock (&node->lock);
    if (publisher != NULL)
      forward (publisher, block);
  } while (publisher != NULL);
}

void
ros_publisher_free (gpointer data)
{
  RosPublisher *publisher = data;

  while (publisher->first != NULL) {
    RosBlock *block = publisher->first;

    publisher->first = block->next;
    ros_block_unref (block);
  }
  g_clear_pointer (&publisher->latch, ros_block_unref);
  ros_pool_clear (&publisher->pool);
  g_mutex_clear (&publisher->pool.lock);
  g_ptr_array_unref (publisher->links);
  g_free (publisher->topic);
  g_free (publisher->type);
  g_free (publisher->md5);
  g_free (publisher->definition);
  g_free (publisher);
}
