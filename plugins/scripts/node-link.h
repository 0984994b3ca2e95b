/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * A line sent, a line received, over TCP. A thread of its own connects; a server that is not there,
 * or goes, is tried again every second. Lines are sent and received in the caller's thread, which
 * waits anyway: a hand-over would cost two more wake-ups.
 */
typedef struct _NodeLink NodeLink;

/* At most so many bytes in a line. */
#define NODE_LINK_MAX_LINE (16 * 1024 * 1024)

/* @greeting: (nullable): a line that is sent first, without its end */
NodeLink *node_link_new (const char *host, guint16 port, const char *greeting, GError **error);
void node_link_free (NodeLink *link);
/*
 * Gives a line to send, without its end, and waits at most @wait us for the answer to it; where
 * there is none, the answer is the newest that came. NULL: none ever. @fresh: whether it is the
 * answer to this line. @connected: whether the server is there.
 */
char *node_link_exchange (NodeLink *link, const char *line, gint64 wait, gboolean *fresh,
                          gboolean *connected);
/* Why the server refuses this node, since the last call; NULL: it does not. */
char *node_link_take_refusal (NodeLink *link);
