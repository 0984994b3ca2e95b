/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a channel that takes values out. */
#define _GNU_SOURCE
#include "channel/orrery-receiver.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-monotonic-private.h"
#include "channel/orrery-channel-private.h"
#include "record/orrery-buffer.h"
#include "record/orrery-flat-private.h"
#include "record/orrery-record.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

G_DEFINE_BOXED_TYPE (OrreryReceiver, orrery_receiver, orrery_receiver_ref, orrery_receiver_unref)

/* How long a receiver spins before it sleeps: as long as sleeping and waking cost both sides. */
#define LOOK_SPAN G_GINT64_CONSTANT (15000)
/* Spins between two reads of the clock */
#define LOOKS 16
/* If a sleep was shorter than this, spinning would have been better. */
#define NAP (2 * LOOK_SPAN)
/* Slots of a ring that is deep enough to be filled while a receiver waits for a processor. */
#define DEEP 256
/* At most so many waits in a row sleep at once. */
#define MAX_UNLUCKY 4095

/* A value that is kept beyond the next reading. */
typedef struct {
  OrreryReceiver *receiver;
  guint slot;
} Hold;

static gboolean
open_memory (OrreryReceiver *receiver, GError **error)
{
  OrreryChannel *channel = receiver->channel;

  /* Values of other processes are mapped read-only. */
  if (channel->fd < 0)
    receiver->memory = orrery_memory_ref (channel->memory);
  else
    receiver->memory = orrery_memory_new (channel->fd, channel->n_slots, FALSE, error);
  if (receiver->memory == NULL)
    return orrery_prefix_error (error, "%s: ", channel->name);
  receiver->header = receiver->memory->header;
  return TRUE;
}

/* Starts with the oldest value that is still there. */
static void
attach_ring (OrreryReceiver *receiver)
{
  guint depth = receiver->n_slots - 1;

  receiver->head = __atomic_load_n (&receiver->header->head, __ATOMIC_ACQUIRE);
  receiver->next = receiver->head > depth ? receiver->head - depth : 0;
  receiver->slot = (guint) (receiver->next % receiver->n_slots);
}

OrreryReceiver *
orrery_receiver_new (OrreryChannel *channel, GError **error)
{
  OrreryReceiver *receiver;

  g_return_val_if_fail (channel != NULL, NULL);

  receiver = g_new0 (OrreryReceiver, 1);
  g_atomic_ref_count_init (&receiver->ref_count);
  receiver->channel = orrery_channel_ref (channel);
  receiver->n_slots = channel->n_slots;
  receiver->latest = channel->transport == ORRERY_TRANSPORT_LATEST;
  receiver->quick = ORRERY_QUICK_NONE;
  receiver->lock_fd = -1;
  receiver->poll_fd = -1;
  pthread_mutex_init (&receiver->lock, NULL);
  if (!open_memory (receiver, error) ||
      (receiver->latest && !orrery_receiver_attach_latest (receiver, error))) {
    orrery_receiver_unref (receiver);
    return NULL;
  }
  if (!receiver->latest)
    attach_ring (receiver);
  return receiver;
}

static void
receiver_free (OrreryReceiver *receiver)
{
  orrery_receiver_detach_latest (receiver);
  if (receiver->poll_fd >= 0)
    close (receiver->poll_fd);
  g_clear_pointer (&receiver->memory, orrery_memory_unref);
  orrery_ready_clear (&receiver->ready);
  free (receiver->copy);
  free (receiver->spare);
  pthread_mutex_destroy (&receiver->lock);
  orrery_channel_unref (receiver->channel);
  g_free (receiver);
}

ORRERY_DEFINE_COUNTED (OrreryReceiver, orrery_receiver, ref_count, receiver_free)

OrreryChannel *
orrery_receiver_get_channel (OrreryReceiver *receiver)
{
  g_return_val_if_fail (receiver != NULL, NULL);

  return receiver->channel;
}

static inline gboolean
read_next (OrreryReceiver *receiver)
{
  return receiver->latest ? orrery_receiver_read_latest (receiver)
                          : orrery_receiver_read_ring (receiver);
}

OrreryReading
orrery_receiver_read (OrreryReceiver *receiver)
{
  struct epoll_event event;
  gboolean fresh;

  g_return_val_if_fail (receiver != NULL, ORRERY_READING_NONE);

  fresh = read_next (receiver);
  /* Check again after the descriptor was reset, because a value may have been emitted just
   * before. */
  if (!fresh && receiver->poll_fd >= 0 && epoll_wait (receiver->poll_fd, &event, 1, 0) > 0)
    fresh = read_next (receiver);
  if (fresh) {
    receiver->any = TRUE;
    return ORRERY_READING_FRESH;
  }
  return receiver->any ? ORRERY_READING_STALE : ORRERY_READING_NONE;
}

gconstpointer
orrery_receiver_get_data (OrreryReceiver *receiver, gsize *size)
{
  g_return_val_if_fail (receiver != NULL, NULL);

  if (size != NULL)
    *size = receiver->size;
  return receiver->data;
}

ORRERY_DEFINE_GETTER (OrreryTime, orrery_receiver_get_time, OrreryReceiver, ORRERY_IS_STRUCT,
                      self->time)
ORRERY_DEFINE_GETTER (guint64, orrery_receiver_get_n_dropped, OrreryReceiver, ORRERY_IS_STRUCT,
                      self->n_dropped)

GVariant *
orrery_receiver_get_parameters (OrreryReceiver *receiver)
{
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_return_val_if_fail (receiver != NULL, NULL);

  if (receiver->n_parameters == 0)
    return NULL;
  bytes = g_bytes_new ((const char *) receiver->data +
                           orrery_memory_get_extent (receiver->size, receiver->n_parameters) -
                           receiver->n_parameters,
                       receiver->n_parameters);
  boxed = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, bytes, FALSE));
  normal = g_variant_get_normal_form (boxed);
  return g_variant_get_variant (normal);
}

GBytes *
orrery_receiver_dup_bytes (OrreryReceiver *receiver)
{
  g_return_val_if_fail (receiver != NULL, NULL);

  return receiver->any ? g_bytes_new (receiver->data, receiver->size) : NULL;
}

ORRERY_DEFINE_GETTER (gsize, orrery_receiver_get_size, OrreryReceiver, ORRERY_IS_STRUCT, self->size)

GVariant *
orrery_receiver_dup_variant (OrreryReceiver *receiver)
{
  g_autoptr (GVariant) parameters = orrery_receiver_get_parameters (receiver);
  g_autoptr (GVariant) boxed = NULL;
  g_autoptr (GVariant) normal = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (parameters == NULL || !g_variant_is_of_type (parameters, G_VARIANT_TYPE_STRING) ||
      strcmp (g_variant_get_string (parameters, NULL), ORRERY_CHANNEL_VARIANT) != 0)
    return NULL;
  bytes = g_bytes_new (receiver->data, receiver->size);
  boxed = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, bytes, FALSE));
  normal = g_variant_get_normal_form (boxed);
  return g_variant_get_variant (normal);
}

/* --- buffers --- */

typedef struct {
  OrreryElement element;
  guint n_dimensions;
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
} Form;

/* Whether the parameters are those of a buffer of as many bytes. */
static gboolean
read_form (GVariant *parameters, gsize size, Form *form)
{
  g_autoptr (GVariantIter) shape = NULL;
  const char *element;
  gsize n_bytes, n_dimensions;
  gint64 length;

  if (parameters == NULL || !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sax)")))
    return FALSE;
  g_variant_get (parameters, "(&sax)", &element, &shape);
  n_dimensions = g_variant_iter_n_children (shape);
  if (!orrery_element_from_name (element, &form->element) || n_dimensions < 1 ||
      n_dimensions > ORRERY_BUFFER_MAX_DIMENSIONS)
    return FALSE;
  n_bytes = orrery_element_get_size (form->element);
  form->n_dimensions = 0;
  while (g_variant_iter_next (shape, "x", &length)) {
    if (length < 0 || !g_size_checked_mul (&n_bytes, n_bytes, (gsize) length))
      return FALSE;
    form->shape[form->n_dimensions++] = (gsize) length;
  }
  return n_bytes == size;
}

static void
let_go (gpointer data)
{
  Hold *hold = data;

  orrery_receiver_drop_slot (hold->receiver, hold->slot);
  orrery_receiver_unref (hold->receiver);
  g_free (hold);
}

OrreryBuffer *
orrery_receiver_hold_part (gpointer data, OrreryElement element, guint n_dimensions,
                           const gsize *shape, gconstpointer bytes)
{
  OrreryReceiver *receiver = data;
  Hold *hold = g_new (Hold, 1);
  OrreryBuffer *buffer;

  hold->receiver = orrery_receiver_ref (receiver);
  hold->slot = receiver->slot;
  orrery_receiver_hold_slot (receiver, hold->slot);
  buffer = orrery_buffer_new_read_only (element, n_dimensions, shape, bytes, let_go, hold);
  if (buffer == NULL)
    let_go (hold);
  return buffer;
}

OrreryBuffer *
orrery_receiver_hold_buffer (OrreryReceiver *receiver)
{
  g_autoptr (GVariant) parameters = NULL;
  OrreryBuffer *buffer;
  Form form;

  g_return_val_if_fail (receiver != NULL, NULL);

  if (!receiver->any)
    return NULL;
  parameters = orrery_receiver_get_parameters (receiver);
  if (!read_form (parameters, receiver->size, &form))
    form = (Form){ ORRERY_ELEMENT_UINT8, 1, { receiver->size } };
  if (receiver->latest)
    return orrery_receiver_hold_part (receiver, form.element, form.n_dimensions, form.shape,
                                      receiver->data);
  buffer = orrery_buffer_new (form.element, form.n_dimensions, form.shape);
  if (buffer != NULL && receiver->size > 0)
    memcpy (orrery_buffer_get_data (buffer), receiver->data, receiver->size);
  return buffer;
}

/* --- records and users' types --- */

static gboolean
check_any (OrreryReceiver *receiver, GError **error)
{
  if (receiver->any)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: nothing was read yet",
                           receiver->channel->name);
}

gboolean
orrery_receiver_get_record (OrreryReceiver *receiver, OrreryRecord *record, GError **error)
{
  g_return_val_if_fail (receiver != NULL && record != NULL, FALSE);

  if (!check_any (receiver, error))
    return FALSE;
  if (orrery_flat_read (record, receiver->data, receiver->size, error))
    return TRUE;
  return orrery_prefix_error (error, "%s: ", receiver->channel->name);
}

gboolean
orrery_receiver_get_value (OrreryReceiver *receiver, OrreryValue *value, GError **error)
{
  g_autoptr (GVariant) parameters = NULL;

  g_return_val_if_fail (receiver != NULL && ORRERY_IS_VALUE (value), FALSE);

  if (!check_any (receiver, error))
    return FALSE;
  parameters = orrery_receiver_get_parameters (receiver);
  return orrery_value_read (value, parameters, receiver->data, receiver->size, error);
}

/* --- waiting --- */

static inline gboolean
has_news (OrreryReceiver *receiver)
{
  guint64 head = __atomic_load_n (&receiver->header->head, __ATOMIC_SEQ_CST);

  return receiver->latest ? head != 0 && head != receiver->next : head != receiver->next;
}

static inline void
relax (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Whether the emitter ran on this processor when it last woke a receiver. */
static gboolean
shares_processor (OrreryReceiver *receiver)
{
  return __atomic_load_n (&receiver->header->bell_cpu, __ATOMIC_RELAXED) ==
         (guint32) sched_getcpu () + 1;
}

/* Whether the channel has room for values that are emitted meanwhile; a `latest` channel has
 * none. */
static gboolean
can_give_way (OrreryReceiver *receiver)
{
  return !receiver->latest && receiver->n_slots > DEEP;
}

/* Returns: whether spinning was worth it */
static gboolean
give_way (OrreryReceiver *receiver)
{
  guint64 n;

  sched_yield ();
  n = __atomic_load_n (&receiver->header->head, __ATOMIC_SEQ_CST) - receiver->next;
  return n > 0 && n < receiver->n_slots;
}

static gboolean
look (OrreryReceiver *receiver)
{
  OrreryTime end = orrery_monotonic_now () + LOOK_SPAN;

  do {
    for (guint i = 0; i < LOOKS; i++) {
      relax ();
      if (has_news (receiver))
        return TRUE;
    }
  } while (orrery_monotonic_now () < end);
  return FALSE;
}

/*
 * Sleeping and waking cost either side some microseconds. If both share a processor, each message
 * even costs a context switch, because the woken receiver displaces the emitter. If messages come
 * faster than that, it is better to spin for a while, or to yield to the emitter. When this is in
 * vain, or loses values, it is done less often.
 */
static gboolean
look_for_news (OrreryReceiver *receiver)
{
  gboolean shares = shares_processor (receiver);

  if (shares && !can_give_way (receiver))
    return FALSE;
  if (receiver->n_skipped < receiver->n_unlucky) {
    receiver->n_skipped++;
    return FALSE;
  }
  receiver->n_skipped = 0;
  if (shares ? give_way (receiver) : look (receiver))
    receiver->n_unlucky /= 2;
  else
    receiver->n_unlucky = MIN (2 * receiver->n_unlucky + 1, MAX_UNLUCKY);
  return has_news (receiver);
}

/* Sleeps until the emitter clears the mark; returns at once if it already has. */
static void
sleep_on (OrreryHeader *header, guint32 asleep, OrreryTime left)
{
  struct timespec limit = { .tv_sec = left / ORRERY_SECOND, .tv_nsec = left % ORRERY_SECOND };

  syscall (SYS_futex, &header->asleep, FUTEX_WAIT, asleep, left >= 0 ? &limit : NULL, NULL, 0);
}

static gboolean
sleep_for_news (OrreryReceiver *receiver, OrreryTime begin, OrreryTime timeout)
{
  OrreryHeader *header = receiver->header;
  OrreryTime left = timeout;
  guint32 asleep;

  for (;;) {
    /* Set the mark before checking for a value: either the emitter sees the mark, or the check sees
     * its value. */
    asleep = __atomic_or_fetch (&header->asleep, ORRERY_ASLEEP_WAITING, __ATOMIC_SEQ_CST);
    if (has_news (receiver))
      return TRUE;
    if (timeout >= 0 && left <= 0)
      return FALSE;
    sleep_on (header, asleep, left);
    if (timeout >= 0)
      left = begin + timeout - orrery_monotonic_now ();
  }
}

gboolean
orrery_receiver_wait (OrreryReceiver *receiver, OrreryTime timeout)
{
  OrreryTime begin;
  gboolean any;

  g_return_val_if_fail (receiver != NULL, FALSE);

  if (has_news (receiver) || (timeout != 0 && look_for_news (receiver)))
    return TRUE;
  begin = orrery_monotonic_now ();
  any = sleep_for_news (receiver, begin, timeout);
  if (any && orrery_monotonic_now () - begin < NAP)
    receiver->n_unlucky = 0;
  return any;
}

static gboolean
open_poll (OrreryReceiver *receiver)
{
  struct epoll_event event = { .events = EPOLLIN | EPOLLET };
  int event_fd = orrery_channel_ensure_event_fd (receiver->channel);
  guint64 one = 1;

  if (event_fd < 0)
    return FALSE;
  receiver->poll_fd = epoll_create1 (EPOLL_CLOEXEC);
  if (receiver->poll_fd < 0)
    return FALSE;
  /* One eventfd serves all receivers. It is never read; each receiver gets its edges by epoll. */
  if (epoll_ctl (receiver->poll_fd, EPOLL_CTL_ADD, event_fd, &event) != 0) {
    close (receiver->poll_fd);
    receiver->poll_fd = -1;
    return FALSE;
  }
  __atomic_fetch_or (&receiver->header->asleep, ORRERY_ASLEEP_POLLING, __ATOMIC_SEQ_CST);
  /* For values that were emitted before. */
  return write (event_fd, &one, sizeof one) == sizeof one || errno == EAGAIN;
}

int
orrery_receiver_get_fd (OrreryReceiver *receiver, GError **error)
{
  g_return_val_if_fail (receiver != NULL, -1);

  if (receiver->poll_fd < 0 && !open_poll (receiver))
    orrery_channel_fail_io (receiver->channel, "cannot make a descriptor to wait for", error);
  return receiver->poll_fd;
}
