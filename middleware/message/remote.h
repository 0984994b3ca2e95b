/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * Calls of services that others offer, for request managers: the service `call_remote`. A request
 * is checked and encoded at once. What comes back is taken at the start of a tick as an input of
 * the run, so that a replay needs nobody to answer. All of it is for the thread of the tick, unless
 * it says otherwise.
 */

/* Arguments of the service, and its words. */
#define REMOTE_SIGNATURE "service:s type:s request:v=null timeout:d=5"
#define REMOTE_WORDS                                                                               \
  "Calls a service of another node: its name, its type, a dictionary of the fields of the "        \
  "request, seconds of simulated time; answers with the fields of the response"

typedef struct _RemoteCalls RemoteCalls;

typedef struct {
  OrreryRequestManager *manager;    /* borrowed */
  OrreryMessageCatalogue *messages; /* as long as the calls */
  OrreryMessageDialect dialect;
  OrreryMessageEncoding encoding;
} RemoteOptions;

/* @max_answer: bytes; a longer one need not be read, and is refused in any case */
typedef void (*RemoteSendFunc) (gpointer data, guint64 key, const char *name,
                                const OrreryMessageService *type, gsize max_answer,
                                GBytes *request);
typedef void (*RemoteDropFunc) (gpointer data, guint64 key);

/* As long as nothing is connected, answers are those that are fed. */
RemoteCalls *remote_calls_new (const RemoteOptions *options);
void remote_calls_free (RemoteCalls *calls);
/* Connections have begun, or with NULL have ended. @send: sends a request; what comes of it is put
 * with this key, on any thread. @drop: nobody waits for it any more; it is not sent, if it was not
 * yet. */
void remote_calls_connect (RemoteCalls *calls, RemoteSendFunc send, RemoteDropFunc drop,
                           gpointer data);
/* The service: begins a call, or sets the error. @max_answer: bytes */
void remote_calls_start (RemoteCalls *calls, OrreryCall *call, gsize max_answer, GError **error);
/* Nobody waits for this call any more. */
void remote_calls_cancel (RemoteCalls *calls, OrreryCall *call);
/* Takes what has come, and ends calls whose time is over. */
void remote_calls_tick (RemoteCalls *calls, OrreryTick *tick);
/* Fails all calls. */
void remote_calls_end (RemoteCalls *calls, const char *why);

/* Any thread: a server has the request; an answer; why there is none. */
void remote_calls_put_sent (RemoteCalls *calls, guint64 key);
void remote_calls_put_answer (RemoteCalls *calls, guint64 key, GBytes *answer);
void remote_calls_put_failure (RemoteCalls *calls, guint64 key, const char *why);
