/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the HTTP around XML-RPC. */
#define _GNU_SOURCE
#include "xmlrpc-http.h"

#include "xmlrpc-value.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  gboolean has_length;
  gboolean is_xml;
  gboolean origin;
  gboolean coded; /* chunks, or packed */
  gboolean close;
  gboolean keep;
  guint64 length;
} Fields;

static XmlrpcHttpState
refuse (XmlrpcHttp *http, int status, const char *why)
{
  http->status = status;
  http->why = why;
  return XMLRPC_HTTP_BAD;
}

static gboolean
read_length (const char *value, Fields *fields)
{
  guint64 length;

  if (!g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, &length, NULL) ||
      (fields->has_length && length != fields->length))
    return FALSE;
  fields->has_length = TRUE;
  fields->length = length;
  return TRUE;
}

/* FALSE: a field that contradicts another, or is none. */
static gboolean
read_field (char *line, Fields *fields)
{
  char *value = strchr (line, ':');

  if (value == NULL || value == line)
    return FALSE;
  *value++ = '\0';
  g_strstrip (value);
  if (g_ascii_strcasecmp (line, "Content-Length") == 0)
    return read_length (value, fields);
  if (g_ascii_strcasecmp (line, "Content-Type") == 0)
    fields->is_xml = g_ascii_strncasecmp (value, "text/xml", 8) == 0 ||
                     g_ascii_strncasecmp (value, "application/xml", 15) == 0;
  else if (g_ascii_strcasecmp (line, "Origin") == 0)
    fields->origin = TRUE;
  else if (g_ascii_strcasecmp (line, "Transfer-Encoding") == 0 ||
           g_ascii_strcasecmp (line, "Content-Encoding") == 0)
    fields->coded = g_ascii_strcasecmp (value, "identity") != 0;
  else if (g_ascii_strcasecmp (line, "Connection") == 0) {
    fields->close = g_ascii_strcasecmp (value, "close") == 0;
    fields->keep = g_ascii_strcasecmp (value, "keep-alive") == 0;
  }
  return TRUE;
}

/* The lines up to the empty one; @size: bytes with it. */
static XmlrpcHttpState
cut_head (const char *data, gsize length, char ***lines, gsize *size, XmlrpcHttp *http)
{
  const char *end = memmem (data, MIN (length, XMLRPC_MAX_HEAD), "\r\n\r\n", 4);
  g_autofree char *head = NULL;

  if (end == NULL && length >= XMLRPC_MAX_HEAD)
    return refuse (http, 431, "a head of HTTP that is too long");
  if (end == NULL)
    return XMLRPC_HTTP_MORE;
  *size = (gsize) (end - data) + 4;
  if (memchr (data, '\0', *size) != NULL)
    return refuse (http, 400, "a head of HTTP with a byte 0");
  head = g_strndup (data, (gsize) (end - data));
  *lines = g_strsplit (head, "\r\n", -1);
  return XMLRPC_HTTP_WHOLE;
}

static XmlrpcHttpState
parse (const char *data, gsize length, char ***lines, Fields *fields, XmlrpcHttp *http)
{
  XmlrpcHttpState state;
  gsize head = 0;

  *http = (XmlrpcHttp){ 0 };
  state = cut_head (data, length, lines, &head, http);
  if (state != XMLRPC_HTTP_WHOLE)
    return state;
  for (char **line = *lines + (**lines != NULL); *line != NULL; line++)
    if (!read_field (*line, fields))
      return refuse (http, 400, "a field of HTTP that makes no sense");
  if (fields->coded)
    return refuse (http, 501, "a body in chunks, or packed");
  if (!fields->has_length)
    return refuse (http, 411, "a body without its length");
  if (fields->length > XMLRPC_MAX_BODY)
    return refuse (http, 413, "a body that is too long");
  http->body = data + head;
  http->length = (gsize) fields->length;
  http->whole = head + http->length;
  return http->whole <= length ? XMLRPC_HTTP_WHOLE : XMLRPC_HTTP_MORE;
}

XmlrpcHttpState
xmlrpc_http_parse_request (const char *data, gsize length, XmlrpcHttp *http)
{
  g_auto (GStrv) lines = NULL;
  Fields fields = { 0 };
  XmlrpcHttpState state;

  /* Whatever else speaks HTTP or something else is known at once. */
  *http = (XmlrpcHttp){ 0 };
  if (strncmp (data, "POST ", MIN (length, 5)) != 0)
    return refuse (http, 405, "only POST is answered here");
  state = parse (data, length, &lines, &fields, http);
  if (lines == NULL || (state == XMLRPC_HTTP_BAD && !fields.origin))
    return state;
  if (fields.origin)
    return refuse (http, 403, "pages of a browser are not answered here");
  if (!fields.is_xml)
    return refuse (http, 415, "only text/xml is answered here");
  if (g_str_has_suffix (lines[0], " HTTP/1.0"))
    http->keep = fields.keep;
  else if (g_str_has_suffix (lines[0], " HTTP/1.1"))
    http->keep = !fields.close;
  else
    return refuse (http, 505, "only HTTP/1.0 and 1.1 are answered here");
  return state;
}

XmlrpcHttpState
xmlrpc_http_parse_answer (const char *data, gsize length, XmlrpcHttp *http)
{
  g_auto (GStrv) lines = NULL;
  Fields fields = { 0 };
  XmlrpcHttpState state;
  int minor;

  *http = (XmlrpcHttp){ 0 };
  if (strncmp (data, "HTTP/1.", MIN (length, 7)) != 0)
    return refuse (http, 400, "an answer that is no HTTP");
  state = parse (data, length, &lines, &fields, http);
  if (lines == NULL)
    return state;
  if (sscanf (lines[0], "HTTP/1.%1d %3d", &minor, &http->status) != 2 || http->status != 200)
    return refuse (http, 400, "an answer of HTTP other than 200");
  return state;
}

GBytes *
xmlrpc_http_make_request (const char *host, guint16 port, const GString *body)
{
  char *text = g_strdup_printf ("POST /RPC2 HTTP/1.1\r\nHost: %s:%u\r\nUser-Agent: Orrery\r\n"
                                "Content-Type: text/xml\r\nContent-Length: %zu\r\n"
                                "Connection: close\r\n\r\n%s",
                                host, port, (size_t) body->len, body->str);

  return g_bytes_new_take (text, strlen (text));
}

static const char *
describe_status (int status)
{
  return status == 200 ? "OK" : status == 403 ? "Forbidden" : status == 503 ? "Busy" : "Refused";
}

GBytes *
xmlrpc_http_make_answer (int status, gboolean keep, const GString *body)
{
  char *text = g_strdup_printf ("HTTP/1.1 %d %s\r\nServer: Orrery\r\nContent-Type: text/xml\r\n"
                                "Content-Length: %zu\r\nConnection: %s\r\n\r\n%s",
                                status, describe_status (status), (size_t) body->len,
                                keep ? "keep-alive" : "close", body->str);

  return g_bytes_new_take (text, strlen (text));
}
