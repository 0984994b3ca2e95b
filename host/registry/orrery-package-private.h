/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

char *orrery_package_get_words (const char *module);
void orrery_package_amend_error (const char *module, GError **error);
