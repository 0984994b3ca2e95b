/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../web/web-server.h"
#include "hub-log.h"
#include "view.h"

/* The server's side that clients see: pages, assets, subscriptions. */

typedef struct _Hub Hub;

/**
 * hub_new:
 * @server: one that has not been started
 * @view: the scene; a reference is taken
 * @page: (nullable): directory of our own page
 *
 * Has the server serve the page and the scene.
 */
Hub *hub_new (WebServer *server, View *view, const char *page);
/** hub_end: the server is freed, and nobody is answered any more */
void hub_end (Hub *hub);
/** hub_ref: any thread, as hub_unref() */
Hub *hub_ref (Hub *hub);
void hub_unref (Hub *hub);
/** hub_get_log: what clients are told of the log of parts and their faults */
HubLog *hub_get_log (Hub *hub);
/** hub_has_page: whether the page is there */
gboolean hub_has_page (Hub *hub);

/* --- tick's thread --- */

/** hub_set_view: has another scene served; clients are asked to connect anew */
void hub_set_view (Hub *hub, View *view);
/** hub_keep_poses: for whoever asks for poses next */
void hub_keep_poses (Hub *hub, View *view, OrrerySnapshot *snapshot, OrreryTime time, guint64 tick);
/** hub_keep_looks: the same for lamps and colours, which seldom change */
void hub_keep_looks (Hub *hub, View *view, OrreryWorld *world);
/** hub_send_poses: has the poses that were kept last sent to all that subscribe to them */
void hub_send_poses (Hub *hub);
/** hub_send_record: to whoever subscribes to it */
void hub_send_record (Hub *hub, View *view, guint part, OrreryTime time);
/** hub_send_playback: an #OrreryPlaybackFunc: to all clients */
void hub_send_playback (const OrreryPlaybackState *state, gpointer hub);

/**
 * HubAnswer:
 * @HUB_ANSWER_TEXT: a message for a client, if it is still there
 * @HUB_ANSWER_FAILED: the same, which ends a call
 * @HUB_ANSWER_CALL: a message of bytes, which ends a call
 * @HUB_ANSWER_PARAMETER: a parameter, as JSON, for all clients that want to know of it
 */
typedef enum {
  HUB_ANSWER_TEXT,
  HUB_ANSWER_FAILED,
  HUB_ANSWER_CALL,
  HUB_ANSWER_PARAMETER,
} HubAnswer;
/** hub_answer: with the next hub_flush() */
void hub_answer (Hub *hub, HubAnswer kind, guint64 client, GBytes *bytes);
void hub_flush (Hub *hub);
