/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text/orrery-node.h"

/* A file of JSON classes, read and checked as far as one file can be. */

/* Reads the file; NULL with ORRERY_ERROR_CONFIG or _IO. */
OrreryNode *orrery_json_classes_load (const char *file, GError **error);
/* The dictionary of its classes. */
OrreryNode *orrery_json_classes_get (OrreryNode *document);
/* A text of the document beside the classes, as "summary"; NULL if it has none. */
const char *orrery_json_classes_get_text (OrreryNode *document, const char *key);
/* Names of its classes, for messages: (transfer container). */
const char **orrery_json_classes_get_names (OrreryNode *document);
