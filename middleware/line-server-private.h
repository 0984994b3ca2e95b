/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "line-access.h"
#include "line-server.h"

#include <pthread.h>
#include <stdatomic.h>

/* What the files of the line server share: line-server.c, all that the consumer calls; line-io.c,
 * the I/O thread; line-thread.c, how it begins and ends; line-peer.c, who gets in; line-input.c and
 * line-output.c, one connection. Marks: [io] of the I/O thread alone, [tick] of the consumer alone,
 * [lock] of whoever holds the lock. What has no mark is set before anybody else sees it. */

#define LINE_SCRATCH_SIZE ((gsize) 64 * 1024)
/* A client's number is its serial number and its slot. */
#define LINE_SLOT_BITS 16
#define LINE_MAX_SLOTS (1u << LINE_SLOT_BITS)
/* Raw bytes of a listener that may wait; more stays in the kernel. */
#define LINE_MAX_RAW ((gsize) 64 * 1024)
/* How much of a refused line is reported. */
#define LINE_EXCERPT ((gsize) 64)

typedef enum {
  LINE_SOURCE_WAKE,
  LINE_SOURCE_LISTENER,
  LINE_SOURCE_CLIENT,
  LINE_SOURCE_STRANGER,
} LineSourceKind;

/* What epoll gives back: the first member of everything that is watched. */
typedef struct {
  LineSourceKind kind;
  int fd;
  LineServer *server; /* NULL: of the thread */
} LineSource;

typedef struct _LineClient LineClient;
typedef struct _LineStranger LineStranger;

/* Lines of a listener that some client has still to get. Line number n lies at n modulo the size of
 * the ring. A client's queue is a number, so a line is stored and queued once for all clients. */
typedef struct {
  LineBlock **ring;
  guint mask;
  guint64 first;
  guint64 end;
  gsize bytes;
} LineLog;

/* Small lines of a listener side by side, sent in one call to every client that stands at `first`.
 */
typedef struct {
  LineListener *listener;
  char *text;
  gsize length;
  guint64 first;
  guint64 end;
  guint64 log_end;
} LineGather;

struct _LineListener {
  LineSource source;
  LineServer *server;
  LineInput input;
  LineEnd end;
  guint max_clients;
  guint16 port;
  gpointer data;
  LineListener *next;       /* [lock] */
  LineListener *next_dirty; /* [io] */
  gboolean dirty;           /* [io] in the list of those to look at */
  gboolean asleep;          /* [io] not watched: full, or the system had no descriptor */
  LineClient *clients;      /* [io] */
  LineLog log;              /* [io] */
  gsize raw_waiting;        /* [lock] */
  gboolean late;
  guint64 reach; /* [tick] the newest client when a line was last published */
  atomic_ullong newest;
  atomic_uint n_clients;
  atomic_ullong counts[LINE_N_COUNTS];
};

/* [io], but for what is marked */
struct _LineClient {
  LineSource source;
  LineListener *listener;
  guint64 number;
  LineClient *previous;
  LineClient *next; /* of the listener, or of the dead */
  LineClient *next_ready;
  gboolean ready; /* in the list of those with a new reply */
  gboolean dead;
  gboolean paused;   /* not read now */
  gboolean ended;    /* sends no more */
  gboolean leaving;  /* closed when it has its replies */
  gboolean lost;     /* takes no more; what it sent before is still read */
  gboolean blocked;  /* the kernel takes no more now */
  gint64 progress;   /* ms, when it last took something, while blocked */
  gboolean is_local; /* the system knows whose it is */
  gboolean judged;   /* it does not begin as HTTP does */
  gboolean foreign;  /* its first lines are those of HTTP: none is passed on */
  guint n_lines;     /* that came, up to 3; of raw bytes: 1 once the first line is judged */
  guint n_token;     /* of raw bytes: how many are the beginning of a token's line */
  gint64 half_until; /* ms, when they are taken for what they are */
  gsize n_start;
  char start[9]; /* its first bytes, until it is judged */

  guint64 position;   /* number of the next line of the log */
  LineBlock *current; /* begun, and not yet sent as a whole */
  gsize offset;       /* bytes of it that are sent */
  LineList replies;

  LineBlock *half;                      /* the line that is coming in */
  LineBlock *rest;                      /* read, but not looked at: the inbox is full */
  gboolean skipping;                    /* up to the end of a line that was refused */
  guint64 generation;                   /* [lock] the inbox that the next two are about */
  guint waiting;                        /* [lock] lines in it */
  LineBlock *oldest_line, *newest_line; /* [lock] */
};

/* What goes out belongs to the thread, so that it leaves in one order; what comes in, to servers.
 */
struct _LineThread {
  LineSource wake_source;
  int epoll_fd;
  int diag_fd; /* line_peer_open() */
  pthread_t thread;
  guint references;      /* [tick] */
  gpointer owner;        /* [tick] weak: whose thread it is; NULL: nobody's */
  gboolean running;      /* [tick] */
  atomic_bool signalled; /* the I/O thread was told to look at what it is given */
  atomic_bool napping;   /* it looks every millisecond or two anyway */

  pthread_mutex_t lock;
  pthread_cond_t has_ended; /* a server has */
  LineServer *servers;      /* [lock] */
  LineList queue;           /* [lock] on the way to the I/O thread */
  LineList used_out;        /* [lock] on the way back */
  gboolean quit;            /* [lock] */

  LinePool tick_pool;  /* [tick] */
  LineList publishing; /* [tick] */
  gboolean untold;     /* [tick] something was handed over without a signal */

  LineServer *known;    /* [io] the servers, as of this round */
  LineList done_out;    /* [io] to go back */
  gboolean quitting;    /* [io] */
  gint64 now;           /* [io] ms */
  gint64 last_lines;    /* [io] ms, when lines were last published */
  gint64 line_interval; /* [io] ms, from the time before */
  gboolean idle;        /* [io] the last round was given no lines */
};

struct _LineServer {
  LineServerOptions options;
  LineThread *thread;
  LineServer *next; /* of the thread */
  gboolean running; /* [tick] */
  gboolean ended;   /* the lock of the thread: nothing of it is left there */

  pthread_mutex_t lock;
  LineListener *listeners; /* [lock] */
  LineList inbox;          /* [lock] */
  LineList used_in;        /* [lock] on the way back */
  guint64 generation;      /* [lock] which inbox this is, from 1 */
  guint n_paused;          /* [lock] */
  gboolean stop;           /* [lock] */
  gint64 deadline;         /* [lock] ms, of the stop */

  LineList sending; /* [tick] */
  LineList taken;   /* [tick] */
  LineList given;   /* [tick] of what was taken: those that the consumer has seen */

  LinePool io_pool;        /* [io] */
  LineClient **slots;      /* [io] (array length=max_clients) */
  guint n_slots;           /* [io] of which so many were ever used */
  guint n_clients;         /* [io] */
  guint64 serial;          /* [io] */
  LineListener *dirty;     /* [io] */
  LineClient *ready;       /* [io] */
  LineClient *dead;        /* [io] freed at the end of the round */
  guint n_blocked;         /* [io] */
  guint n_asleep;          /* [io] */
  guint n_ended;           /* [io] clients of LINE_END_REPORT that send no more */
  gint64 looked;           /* [io] ms, when it was last asked whether they have gone */
  LineStranger *strangers; /* [io] who still has to say the token */
  guint n_strangers;       /* [io] */
  gboolean half_tokens;    /* [io] some client's bytes may be the beginning of a token's line */
  gboolean news;           /* [io] something to take came in this round */
  gboolean stopping;       /* [io] */
  gint64 stop_deadline;    /* [io] ms */
  gint64 now;              /* [io] ms */
  LineGather gather;       /* [io] */
  char *scratch;           /* [io] */
};

static inline void
line_count (LineListener *listener, LineCount what, guint64 n)
{
  atomic_fetch_add_explicit (&listener->counts[what], n, memory_order_relaxed);
}

/* line-thread.c */

/* The key of the owner's data under which servers of this release find the thread. */
char *line_thread_name_shared (void);
/* One with a reference, or NULL with errno. [tick], as the next two. */
LineThread *line_thread_new (void);
LineThread *line_thread_ref (LineThread *thread);
void line_thread_unref (LineThread *thread);
/* Tells it to look at what it is given. */
void line_thread_signal (LineThread *thread);

/* line-io.c */

/* The I/O thread. */
void *line_io_main (void *data);
gint64 line_now_ms (void);
/* epoll_ctl() with @how. */
int line_watch (LineServer *server, LineSource *source, int how, guint32 events);
/* Puts in force what paused and blocked say. */
void line_client_watch (LineServer *server, LineClient *client);
void line_client_close (LineServer *server, LineClient *client);
/* A connection that was let in. @is_local: the system knows whose it is. */
/* Whether one more client can be added. */
gboolean line_has_place (LineServer *server, LineListener *listener);
void line_client_add (LineServer *server, LineListener *listener, int fd, gboolean is_local);
/* The same when the other side is gone, after what it sent before that was read. */
void line_client_lose (LineServer *server, LineClient *client);

/* line-peer.c */

/* A connection that was accepted: a client, or whoever is turned away. */
void line_receive (LineServer *server, LineListener *listener, int fd);
void line_stranger_read (LineServer *server, LineStranger *stranger);
void line_strangers_tend (LineServer *server, gboolean all);
/* ms until they want to be tended; -1: there are none */
int line_strangers_timeout (LineServer *server);
/* Whether it speaks HTTP by its first bytes; it is told so, and closed. */
gboolean line_client_is_foreign (LineServer *server, LineClient *client, const char *text,
                                 gsize length);
/* Whether the line that just came makes it one that speaks HTTP, whatever the method. */
gboolean line_client_is_http (LineClient *client, const char *text, gsize length);
/* Tells one that speaks HTTP so, and closes it. */
void line_client_answer_http (LineServer *server, LineClient *client);
/* Whether a line is the token that it need not have sent. */
gboolean line_client_is_token (LineServer *server, LineClient *client, const char *text,
                               gsize length);
/* The same for raw bytes: how many of those that have come by now are no line of a token. */
gsize line_client_cut_token (LineServer *server, LineClient *client, const char *text,
                             gsize length);
/* Counts those that began as a token's line does, and did not go on so. */
void line_half_tokens_tend (LineServer *server);
/* A close with bytes unread resets the connection, and the client loses what is still under way. */
void line_say_goodbye (LineServer *server, int fd);
/* The same for one that has been sent much: reads on while that is under way, until @deadline. */
void line_say_goodbye_until (LineServer *server, int fd, gint64 deadline);

/* line-input.c */

/* Reports that it has gone, after its last line. */
void line_client_report_gone (LineServer *server, LineClient *client);

gboolean line_client_read (LineServer *server, LineClient *client);
/* Looks at what was held back, and reads on if there is room. */
void line_client_resume (LineServer *server, LineClient *client);
/* Raw bytes that have come and are no token. */
void line_client_count_bytes (LineServer *server, LineClient *client, gsize length);

/* line-output.c */

gboolean line_client_has_output (const LineClient *client);
/* Sends until nothing is left or the kernel takes no more. */
void line_client_write (LineServer *server, LineClient *client);
/* Has the listener's log looked at in this round: it has new lines, or some that nobody needs. */
void line_listener_touch (LineServer *server, LineListener *listener);
/* Queues a line for all clients of its listener, or for one. */
void line_listener_queue (LineServer *server, LineBlock *block);
void line_client_queue (LineServer *server, LineClient *client, LineBlock *block);
/* Closes it when it has its replies. */
void line_client_dismiss (LineServer *server, LineClient *client);
/* Sends what was queued in this round. */
void line_server_write_all (LineServer *server);
void line_block_done (LineServer *server, LineBlock *block);
/* Drops what is left in the log. */
void line_listener_forget (LineServer *server, LineListener *listener);
