/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * orrery_escape_text:
 * @text: a text that comes from outside, as from a file, a client or another process
 * @indent: whether line breaks are the text's own: what follows one is indented by four spaces, so
 *   that it does not look like a line of its own
 *
 * Makes a text safe to print. Control characters (tabs and line breaks excepted), characters that
 * change the direction of what follows, separators of lines, and bytes that are not UTF-8 become
 * `\xNN` or `\uNNNN`. Applied twice it changes nothing more. Any thread.
 *
 * Returns: (transfer full): the text
 */
ORRERY_API char *orrery_escape_text (const char *text, gboolean indent);

G_END_DECLS
