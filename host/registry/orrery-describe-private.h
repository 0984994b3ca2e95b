/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "registry/orrery-registry-private.h"

/* Adds to @dict, a{sv}, what the descriptor, or a JSON class and its bases, say about a class. */
void orrery_describe_class (GVariantBuilder *dict, const OrreryClass *klass);

/* Adds the list `services` of a class of parts; fails where a signature is none. */
gboolean orrery_describe_services (GVariantBuilder *dict, gpointer type_class, GError **error);

/* Adds nothing for NULL. */
void orrery_dict_add_text (GVariantBuilder *dict, const char *key, const char *text);
/* A member that is a list of that type; what is added goes to the list until it is closed. */
void orrery_dict_open_list (GVariantBuilder *dict, const char *key, const char *type);
void orrery_dict_close_list (GVariantBuilder *dict);
/* Ends @dict. */
char *orrery_dict_to_json (GVariantBuilder *dict);
