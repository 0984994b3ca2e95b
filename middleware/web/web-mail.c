/* SPDX-License-Identifier: BSD-3-Clause */
/* What the owner of a web server hands over to its thread. */
#include "web-server-private.h"

#include <string.h>

/* A buffer that a burst has left behind is not kept. */
#define MAX_KEPT ((gsize) 4 * 1024 * 1024)

static gsize
padded (gsize length)
{
  return (length + 7) & ~(gsize) 7;
}

static gboolean
has_room (WebServer *server, gsize length, gboolean must)
{
  gsize waiting = atomic_load_explicit (&server->n_ready, memory_order_relaxed);

  if (must || waiting + server->writing->len + length <= server->options.max_mail)
    return TRUE;
  web_count (server, WEB_COUNT_MAIL_LOST);
  return FALSE;
}

static void
append (WebServer *server, const WebMail *mail, const char *text)
{
  gsize length = mail->bytes == NULL ? padded (mail->length) : 0;
  guint start = server->writing->len;

  g_byte_array_append (server->writing, (const guint8 *) mail, sizeof *mail);
  g_byte_array_set_size (server->writing, start + (guint) (sizeof *mail + length));
  if (length > 0)
    memcpy (server->writing->data + start + sizeof *mail, text, mail->length);
}

void
web_server_mail (WebServer *server, WebMailFunc func, gpointer data, guint64 number,
                 const char *text, gsize length, gboolean must)
{
  WebMail mail = { .func = func, .data = data, .number = number, .length = length };

  if (has_room (server, length, must))
    append (server, &mail, text);
}

void
web_server_mail_bytes (WebServer *server, WebMailFunc func, gpointer data, guint64 number,
                       GBytes *bytes, gboolean must)
{
  WebMail mail = { .func = func, .data = data, .number = number };

  if (!has_room (server, sizeof mail, must))
    return;
  mail.bytes = g_bytes_ref (bytes);
  mail.length = g_bytes_get_size (bytes);
  append (server, &mail, NULL);
}

static void
swap (GByteArray **one, GByteArray **other)
{
  GByteArray *kept = *one;

  *one = *other;
  *other = kept;
}

void
web_server_flush (WebServer *server)
{
  if (server->writing->len == 0)
    return;
  g_mutex_lock (&server->lock);
  if (server->ready->len == 0) {
    swap (&server->writing, &server->ready);
  } else {
    g_byte_array_append (server->ready, server->writing->data, server->writing->len);
    g_byte_array_set_size (server->writing, 0);
  }
  atomic_store_explicit (&server->n_ready, server->ready->len, memory_order_relaxed);
  g_mutex_unlock (&server->lock);
  if (!atomic_exchange (&server->has_mail, TRUE))
    g_main_context_wakeup (server->context);
}

GBytes *
web_mail_dup_bytes (const WebMail *mail)
{
  return mail->bytes != NULL ? g_bytes_ref (mail->bytes) : g_bytes_new (mail->text, mail->length);
}

static gsize
read_one (GByteArray *from, gsize at, WebMail *mail)
{
  memcpy (mail, from->data + at, sizeof *mail);
  if (mail->bytes != NULL) {
    mail->text = g_bytes_get_data (mail->bytes, NULL);
    return sizeof *mail;
  }
  mail->text = (const char *) from->data + at + sizeof *mail;
  return sizeof *mail + padded (mail->length);
}

static void
go_through (GByteArray *mails, gboolean deliver)
{
  for (gsize at = 0; at < mails->len;) {
    WebMail mail;

    at += read_one (mails, at, &mail);
    if (deliver)
      mail.func (&mail);
    g_clear_pointer (&mail.bytes, g_bytes_unref);
  }
}

void
web_server_take_mail (WebServer *server)
{
  atomic_store (&server->has_mail, FALSE);
  g_mutex_lock (&server->lock);
  swap (&server->ready, &server->reading);
  atomic_store_explicit (&server->n_ready, 0, memory_order_relaxed);
  g_mutex_unlock (&server->lock);
  go_through (server->reading, TRUE);
  if (server->reading->len > MAX_KEPT) {
    g_byte_array_unref (server->reading);
    server->reading = g_byte_array_new ();
  }
  g_byte_array_set_size (server->reading, 0);
}

void
web_server_drop_mail (WebServer *server)
{
  go_through (server->writing, FALSE);
  go_through (server->ready, FALSE);
  g_byte_array_unref (server->writing);
  g_byte_array_unref (server->ready);
  g_byte_array_unref (server->reading);
}
