/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Blocks: the goods that cross between the tick and an I/O thread. Each is a line with a header;
 * they come from a pool and go back to it, so that a steady stream allocates nothing. */

#define LINE_POOL_CLASSES 17
/* A pool keeps no more than this many bytes of free blocks; the rest goes back to the heap. */
#define LINE_POOL_MAX_KEPT ((gsize) 32 * 1024 * 1024)

typedef struct _LineBlock LineBlock;
typedef struct _LineListener LineListener;
typedef struct _LineServer LineServer;

/**
 * LineEventKind:
 * @LINE_EVENT_LINE: a complete line came in
 * @LINE_EVENT_TOO_LONG: a line was refused because of its length; the text is how it starts
 * @LINE_EVENT_END: a client of %LINE_END_REPORT sends no more
 * @LINE_EVENT_GONE: a client of %LINE_END_REPORT has gone, and takes no answers
 *
 * What an I/O thread reports.
 */
typedef enum {
  LINE_EVENT_LINE,
  LINE_EVENT_TOO_LONG,
  LINE_EVENT_END,
  LINE_EVENT_GONE,
} LineEventKind;

/**
 * LineBlock:
 * @next: the next one of whichever list it is in
 * @previous: the one before in a #LineList
 * @next_of_client: the next one from the same client, while it waits in the inbox
 * @server: of a line that goes out: whose client it is for
 * @listener: where it goes or came from
 * @client: whom it goes to or came from; 0 for all clients of @listener
 * @reach: of a line for all clients: no younger one gets it
 * @length: bytes of text
 * @room: bytes that fit, one more for a NUL included
 * @references: who still has to send it; touched by one thread at a time
 */
struct _LineBlock {
  LineBlock *next;
  LineBlock *previous;
  LineBlock *next_of_client;
  LineServer *server;
  LineListener *listener;
  guint64 client;
  guint64 reach;
  gsize length;
  gsize room;
  guint references;
  guint size_class;
  LineEventKind kind;
  char text[];
};

typedef struct {
  LineBlock *head;
  LineBlock *tail;
  gsize bytes;
  guint count;
} LineList;

void line_list_append (LineList *list, LineBlock *block);
void line_list_remove (LineList *list, LineBlock *block);
/** line_list_pop: the first one, or %NULL */
LineBlock *line_list_pop (LineList *list);
/** line_list_splice: moves all of @from behind @list */
void line_list_splice (LineList *list, LineList *from);

/**
 * LinePool:
 *
 * Free blocks by size. Belongs to the thread that takes blocks from it; another thread that is done
 * with them hands them back in a list.
 */
typedef struct {
  LineBlock *free_blocks[LINE_POOL_CLASSES];
  gsize kept;
} LinePool;

/**
 * line_pool_take:
 * @pool: a pool
 * @room: bytes of text that must fit
 *
 * Returns: (transfer full): a block with one reference and no text
 */
LineBlock *line_pool_take (LinePool *pool, gsize room);
void line_pool_give (LinePool *pool, LineBlock *block);
/** line_pool_give_list: gives back all blocks of @list, which is empty then */
void line_pool_give_list (LinePool *pool, LineList *list);
void line_pool_clear (LinePool *pool);
