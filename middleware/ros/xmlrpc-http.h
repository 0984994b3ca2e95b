/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* As much of HTTP/1.0 and 1.1 as XML-RPC needs: POST with a length, and its answer. */

#define XMLRPC_MAX_HEAD ((gsize) 16 * 1024)

typedef enum {
  XMLRPC_HTTP_MORE,  /* it has not come as a whole */
  XMLRPC_HTTP_WHOLE, /* the message is there */
  XMLRPC_HTTP_BAD,   /* no such message; the connection is of no more use */
} XmlrpcHttpState;

typedef struct {
  const char *body; /* within what was parsed */
  gsize length;     /* of the body */
  gsize whole;      /* bytes of the message */
  gboolean keep;    /* the connection is kept */
  int status;       /* of an answer; of what is bad: the status to answer it with */
  const char *why;  /* what is bad, in words */
} XmlrpcHttp;

/* Looks at what has come so far. What a page in a browser may send without asking first (an Origin,
 * another type than XML) is bad. */
XmlrpcHttpState xmlrpc_http_parse_request (const char *data, gsize length, XmlrpcHttp *http);
XmlrpcHttpState xmlrpc_http_parse_answer (const char *data, gsize length, XmlrpcHttp *http);

/* (transfer full): a message with @body; of an answer @status is 200 or an error */
GBytes *xmlrpc_http_make_request (const char *host, guint16 port, const GString *body);
GBytes *xmlrpc_http_make_answer (int status, gboolean keep, const GString *body);
