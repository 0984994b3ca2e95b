/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with a web server inside: does what the lines on its standard input say, and prints
 * one line for each thing that happens. */
#include "../../middleware/web/web-server.h"

#include <stdio.h>
#include <string.h>

#define MAX_WORDS 6
#define MAX_SHOWN 60

static WebServer *server;
static GPtrArray *clients; /* (element-type WebClient); of the I/O thread */

static void
say (const char *format, ...)
{
  static GMutex lock;
  va_list list;

  g_mutex_lock (&lock);
  va_start (list, format);
  vprintf (format, list);
  va_end (list);
  putchar ('\n');
  fflush (stdout);
  g_mutex_unlock (&lock);
}

/* --- what clients get --- */

static void
on_open (gpointer data, WebClient *client)
{
  const char *protocol = web_client_get_protocol (client);

  g_ptr_array_add (clients, client);
  say ("open %" G_GUINT64_FORMAT " %s %s", web_client_get_number (client), (const char *) data,
       protocol != NULL ? protocol : "-");
}

static void
on_close (gpointer data, WebClient *client)
{
  g_ptr_array_remove (clients, client);
  say ("close %" G_GUINT64_FORMAT " dropped %" G_GUINT64_FORMAT, web_client_get_number (client),
       web_client_get_dropped (client));
}

static void
on_message (gpointer data, WebClient *client, WebKind kind, const char *text, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, length);

  if (g_str_equal (data, "echo"))
    web_client_send (client, kind, bytes);
  else
    say ("message %s %zu %.*s", kind == WEB_TEXT ? "text" : "binary", (size_t) length,
         (int) MIN (length, MAX_SHOWN), text);
}

static const WebSocketFuncs funcs = { on_open, on_message, on_close };

static void
on_request (gpointer data, WebRequest *request)
{
  const char *word = request->query != NULL ? g_hash_table_lookup (request->query, "word") : "";

  g_autofree char *text = g_strdup_printf ("%s %s %s %zu", request->method, request->path,
                                           word != NULL ? word : "", (size_t) request->length);

  request->status = 200;
  request->answer = g_bytes_new (text, strlen (text));
}

/* --- lines --- */

typedef struct {
  gboolean is_data;
  guint64 channel;
  guint keep;
} How;

static void
send_to_all (const WebMail *mail)
{
  g_autoptr (GBytes) bytes = web_mail_dup_bytes (mail);
  How *how = mail->data;

  for (guint i = 0; i < clients->len; i++) {
    if (how->is_data)
      web_client_send_newest (clients->pdata[i], WEB_TEXT, bytes, how->channel, how->keep);
    else
      web_client_send (clients->pdata[i], WEB_TEXT, bytes);
  }
}

static void
tell_done (const WebMail *mail)
{
  say ("done %" G_GUINT64_FORMAT, mail->number);
}

static guint64
channel_number (char **words, guint i)
{
  return g_ascii_strtoull (words[i], NULL, 10);
}

static guint
number (char **words, guint i)
{
  return (guint) channel_number (words, i);
}

/* Each begins with its number. */
static void
send_many (How *how, guint count, guint length)
{
  g_autofree char *text = g_strnfill (length + 16, 'x');

  for (guint i = 0; i < count; i++) {
    g_autofree char *head = g_strdup_printf ("%u ", i);

    memcpy (text, head, strlen (head));
    web_server_mail (server, send_to_all, how, 0, text, MAX (length, strlen (head)), !how->is_data);
    web_server_flush (server);
  }
  web_server_mail (server, tell_done, NULL, count, "", 0, TRUE);
  web_server_flush (server);
}

static How *
keep_how (gboolean is_data, guint64 channel, guint keep)
{
  static GPtrArray *all;
  How *how = g_new0 (How, 1);

  *how = (How){ is_data, channel, keep };
  if (all == NULL)
    all = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (all, how);
  return how;
}

/* publish CHANNEL KEEP COUNT LENGTH */
static void
publish (char **words)
{
  send_many (keep_how (TRUE, channel_number (words, 1), number (words, 2)), number (words, 3),
             number (words, 4));
}

/* send COUNT LENGTH */
static void
send_all (char **words)
{
  send_many (keep_how (FALSE, 0, 0), number (words, 1), number (words, 2));
}

static void
close_all (const WebMail *mail)
{
  for (guint i = 0; i < clients->len; i++)
    web_client_close (clients->pdata[i], (guint) mail->number, mail->text);
}

/* bye CODE */
static void
bye (char **words)
{
  web_server_mail (server, close_all, NULL, number (words, 1), "so long", 8, TRUE);
  web_server_flush (server);
}

static void
tell_counts (char **words)
{
  static const char *const names[] = { "accepted", "accept-failed", "crowded",  "denied", "late",
                                       "opened",   "closed",        "stalled",  "broken", "in",
                                       "out",      "dropped",       "mail-lost" };
  g_autoptr (GString) text = g_string_new ("counts");

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == WEB_N_COUNTS);
  for (guint i = 0; i < WEB_N_COUNTS; i++)
    g_string_append_printf (text, " %s=%" G_GUINT64_FORMAT, names[i],
                            web_server_get_count (server, (WebCount) i));
  g_string_append_printf (text, " clients=%u", web_server_get_n_clients (server));
  say ("%s", text->str);
}

static const struct {
  const char *name;
  guint n_words;
  void (*func) (char **words);
} commands[] = {
  { "bye", 2, bye },
  { "counts", 1, tell_counts },
  { "publish", 5, publish },
  { "send", 3, send_all },
};

static void
run_line (char *line)
{
  g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", MAX_WORDS);
  guint n = g_strv_length (words);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (n != commands[i].n_words || !g_str_equal (words[0], commands[i].name))
      continue;
    commands[i].func (words);
    return;
  }
  say ("unknown command");
}

/* --- options: NAME=VALUE --- */

typedef struct {
  char *users;
  char *token;
  char **hosts;
  char **origins;
} Access;

static gboolean
set_number (WebServerOptions *options, const char *name, guint64 value)
{
  const struct {
    const char *name;
    guint *to;
    gsize *to_size;
  } known[] = {
    { "clients", &options->max_clients, NULL }, { "doors", &options->max_doors, NULL },
    { "door-ms", &options->door_ms, NULL },     { "stall-ms", &options->stall_ms, NULL },
    { "tries", &options->tries, NULL },         { "body", NULL, &options->max_body },
    { "message", NULL, &options->max_message }, { "data", NULL, &options->max_data },
    { "control", NULL, &options->max_control }, { "mail", NULL, &options->max_mail },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (!g_str_equal (name, known[i].name))
      continue;
    if (known[i].to != NULL)
      *known[i].to = (guint) value;
    else
      *known[i].to_size = (gsize) value;
    return TRUE;
  }
  return FALSE;
}

static void
set_option (WebServerOptions *options, Access *access, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, "=", 2);

  if (g_str_equal (words[0], "users"))
    access->users = g_strdup (words[1]);
  else if (g_str_equal (words[0], "token"))
    access->token = g_strdup (words[1]);
  else if (g_str_equal (words[0], "hosts"))
    access->hosts = g_strsplit (words[1], ",", -1);
  else if (g_str_equal (words[0], "origins"))
    access->origins = g_strsplit (words[1], ",", -1);
  else if (g_str_equal (words[0], "address"))
    options->address = g_intern_string (words[1]);
  else if (g_str_equal (words[0], "port"))
    options->port = (guint16) g_ascii_strtoull (words[1], NULL, 10);
  else if (g_str_equal (words[0], "send-buffer"))
    options->send_buffer = (int) g_ascii_strtoll (words[1], NULL, 10);
  else if (!set_number (options, words[0], g_ascii_strtoull (words[1], NULL, 10)))
    say ("unknown option %s", words[0]);
}

static void
serve_all (void)
{
  static const char *const protocols[] = { "trial.v2", "trial.v1", NULL };
  g_autoptr (GBytes) page = g_bytes_new_static ("<title>page</title>", 19);

  web_server_add_asset (server, "/", "text/html; charset=utf-8", page);
  web_server_add_handler (server, "/ask", on_request, NULL);
  web_server_add_socket (server, "/", NULL, &funcs, "plain");
  web_server_add_socket (server, "/echo", NULL, &funcs, "echo");
  web_server_add_socket (server, "/chosen", protocols, &funcs, "chosen");
}

int
main (int argc, char **argv)
{
  WebServerOptions options;
  Access access = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  char line[4096];

  web_server_options_init (&options);
  for (int i = 1; i < argc; i++)
    set_option (&options, &access, argv[i]);
  options.hosts = (const char *const *) access.hosts;
  options.origins = (const char *const *) access.origins;
  options.access = line_access_new (access.users, access.token, &why);
  clients = g_ptr_array_new ();
  server = options.access != NULL ? web_server_new (&options, &error) : NULL;
  if (server == NULL) {
    say ("error %s", why != NULL ? why : error->message);
    return 1;
  }
  serve_all ();
  if (!web_server_start (server, &error)) {
    say ("error %s", error->message);
    return 1;
  }
  say ("port %u", web_server_get_port (server));
  while (fgets (line, sizeof line, stdin) != NULL)
    run_line (line);
  web_server_stop (server, 1000);
  web_server_free (server);
  say ("stopped");
  return 0;
}
