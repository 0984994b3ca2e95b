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
/* The value that a class gives to a property itself; NULL: none. @node: the class. */
OrreryNode *orrery_json_class_find_property (OrreryNode *node, const char *name);
/* Adds the key "messages", the types of messages that a mapping makes or takes, in order. Both are
 * values of properties of a codec, which may be anything here: (nullable).
 * @messages: of one that makes them. @type: of one that takes them. */
void orrery_json_class_add_messages (GVariantBuilder *dict, OrreryNode *messages, OrreryNode *type);
