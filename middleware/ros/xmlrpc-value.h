/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Calls and answers of XML-RPC, as text and as values. A value is a GVariant: `b`, `i` (`x` where
 * 32 bits do not hold it), `d`, `s`, `ay` for base64, `av` for an array, `a{sv}` for a struct, and
 * `()` for nil. */

/* Values within values. */
#define XMLRPC_MAX_DEPTH 16
#define XMLRPC_MAX_BODY ((gsize) 1024 * 1024)

/**
 * xmlrpc_parse_call:
 * @text: the body of a request; not ended by 0
 * @method: (out) (transfer full): name of the method
 * @parameters: (out) (transfer full): an `av`
 */
gboolean xmlrpc_parse_call (const char *text, gsize length, char **method, GVariant **parameters,
                            GError **error);
/**
 * xmlrpc_parse_answer:
 *
 * Returns: (transfer full) (nullable): the value; a fault is a %G_IO_ERROR_FAILED with its text
 */
GVariant *xmlrpc_parse_answer (const char *text, gsize length, GError **error);

/* @parameters: (transfer floating): an array or a tuple */
void xmlrpc_write_call (GString *text, const char *method, GVariant *parameters);
/* @value: (transfer floating) */
void xmlrpc_write_answer (GString *text, GVariant *value);
void xmlrpc_write_fault (GString *text, int code, const char *words);
