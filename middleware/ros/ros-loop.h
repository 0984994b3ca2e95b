/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>
#include <netinet/in.h>

/* What the I/O thread of a node waits for: sockets, times, jobs of other threads, and addresses of
 * names. All but ros_loop_do() and ros_loop_wake() is for that thread alone. */

typedef struct _RosLoop RosLoop;

typedef struct {
  int fd; /* -1: closed */
  guint32 events;
  void (*func) (gpointer data, guint32 events);
  gpointer data;
} RosWatch;

typedef struct {
  gint64 due; /* ms */
  gboolean set;
  void (*func) (gpointer data);
  gpointer data;
} RosTimer;

typedef struct _RosLookup RosLookup;
/* @address: NULL: there is none of that name */
typedef void (*RosLookupFunc) (gpointer data, const struct sockaddr_in *address);

RosLoop *ros_loop_new (GError **error);
/* Does what was not done yet and frees what was buried. */
void ros_loop_free (RosLoop *loop);
gint64 ros_loop_get_now (RosLoop *loop);
/* One wait, of @limit ms at most, and what follows from it. */
void ros_loop_round (RosLoop *loop, int limit);
/* Adds the watch, or changes what it waits for. */
void ros_loop_watch (RosLoop *loop, RosWatch *watch, guint32 events);
/* Closes its socket as well. */
void ros_loop_unwatch (RosLoop *loop, RosWatch *watch);
void ros_loop_set_timer (RosLoop *loop, RosTimer *timer, gint64 ms);
void ros_loop_clear_timer (RosLoop *loop, RosTimer *timer);
/* Frees @data when the round has ended: functions that are being run may still look at it. */
void ros_loop_bury (RosLoop *loop, gpointer data, GDestroyNotify destroy);

/* Has @func run on the I/O thread; from any thread. */
void ros_loop_do (RosLoop *loop, void (*func) (gpointer data), gpointer data);
void ros_loop_wake (RosLoop *loop);

/* Numbers and localhost are answered at once, within the call, and NULL is returned; others by a
 * thread. */
RosLookup *ros_loop_look_up (RosLoop *loop, const char *host, RosLookupFunc func, gpointer data);
/* @func is not called any more. */
void ros_loop_forget_lookup (RosLoop *loop, RosLookup *lookup);
