/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Who may connect: processes of the user of the simulation, and of root; others where that was
 * said, by their user or by a token that they send. */

typedef struct _LineAccess LineAccess;

/* Characters of a token. */
#define LINE_TOKEN_MIN 16
#define LINE_TOKEN_MAX 256

/**
 * line_access_new:
 * @users: (nullable): "any", or numbers of users with commas between
 * @token_file: (nullable): a file of one's own that nobody else can read; its first line is the
 * token
 * @why: (out): what is wrong, in words
 *
 * Returns: (transfer full) (nullable): the rules, or %NULL with @why
 */
LineAccess *line_access_new (const char *users, const char *token_file, char **why);
void line_access_free (LineAccess *access);
/* Whether an address that other machines reach may be listened on: somebody said who may connect.
 */
gboolean line_access_covers (const LineAccess *access, const char *address, char **why);
/* NULL: nobody gets in by a token. */
const char *line_access_get_token (const LineAccess *access);
/* Whether @text is the token; takes the same time whatever it is. */
gboolean line_access_is_token (const LineAccess *access, const char *text, gsize length);
/* Whether the other end of a connection is let in; if not, why. @access: NULL: the usual rules.
 * @is_local: whether the system knows the other end. */
gboolean line_access_admits (const LineAccess *access, int diag, int fd, gboolean *is_local,
                             char **why);

struct sockaddr_in;
/* The same for who sends datagrams from there. */
gboolean line_access_admits_datagrams (const LineAccess *access, const struct sockaddr_in *from,
                                       char **why);

/* line_peer_open: a socket for line_peer_find(), or -1: the system answers no such questions */
int line_peer_open (void);

/**
 * line_peer_find:
 * @diag: from line_peer_open()
 * @fd: a connected TCP socket
 * @uid: (out): the user whose process has the other end
 *
 * Asks the system by sock_diag(7).
 *
 * Returns: %FALSE: nobody can tell: it is on another machine or in another network namespace, or no
 * process has it any more
 */
gboolean line_peer_find (int diag, int fd, guint *uid);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LineAccess, line_access_free)
