/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of memory for lines, kept for reuse by size. */
#include "line-block.h"

/* The smallest class holds a usual line; each next one twice as much, up to 16 MiB. */
#define SMALLEST_SIZE ((gsize) 256)
#define NO_CLASS LINE_POOL_CLASSES
/* How many blocks are on their way between two threads depends on when these run: there are some of
 * the smaller ones to spare. */
#define N_SPARE 8
#define MAX_SPARE ((gsize) 4096)

void
line_list_append (LineList *list, LineBlock *block)
{
  block->next = NULL;
  block->previous = list->tail;
  if (list->tail != NULL)
    list->tail->next = block;
  else
    list->head = block;
  list->tail = block;
  list->bytes += block->length;
  list->count++;
}

void
line_list_remove (LineList *list, LineBlock *block)
{
  if (block->previous != NULL)
    block->previous->next = block->next;
  else
    list->head = block->next;
  if (block->next != NULL)
    block->next->previous = block->previous;
  else
    list->tail = block->previous;
  block->next = NULL;
  block->previous = NULL;
  list->bytes -= block->length;
  list->count--;
}

LineBlock *
line_list_pop (LineList *list)
{
  LineBlock *block = list->head;

  if (block != NULL)
    line_list_remove (list, block);
  return block;
}

void
line_list_splice (LineList *list, LineList *from)
{
  if (from->head == NULL)
    return;
  from->head->previous = list->tail;
  if (list->tail != NULL)
    list->tail->next = from->head;
  else
    list->head = from->head;
  list->tail = from->tail;
  list->bytes += from->bytes;
  list->count += from->count;
  *from = (LineList){ 0 };
}

static gsize
size_of_class (guint size_class)
{
  return SMALLEST_SIZE << size_class;
}

static guint
class_of_size (gsize size)
{
  guint size_class = 0;

  while (size_class < NO_CLASS && size_of_class (size_class) < size)
    size_class++;
  return size_class;
}

LineBlock *
line_pool_take (LinePool *pool, gsize room)
{
  gsize size = sizeof (LineBlock) + room + 1;
  guint size_class = class_of_size (size);
  LineBlock *block = NULL;

  if (size_class < NO_CLASS) {
    size = size_of_class (size_class);
    block = pool->free_blocks[size_class];
  }
  if (block != NULL) {
    pool->free_blocks[size_class] = block->next;
    pool->kept -= size;
  } else {
    for (guint i = 0; i < N_SPARE && size <= MAX_SPARE; i++) {
      LineBlock *spare = g_malloc (size);

      spare->size_class = size_class;
      line_pool_give (pool, spare);
    }
    block = g_malloc (size);
  }
  *block =
      (LineBlock){ .references = 1, .size_class = size_class, .room = size - sizeof (LineBlock) };
  return block;
}

void
line_pool_give (LinePool *pool, LineBlock *block)
{
  gsize size;

  if (block->size_class == NO_CLASS) {
    g_free (block);
    return;
  }
  size = size_of_class (block->size_class);
  if (pool->kept + size > LINE_POOL_MAX_KEPT) {
    g_free (block);
    return;
  }
  block->next = pool->free_blocks[block->size_class];
  pool->free_blocks[block->size_class] = block;
  pool->kept += size;
}

void
line_pool_give_list (LinePool *pool, LineList *list)
{
  LineBlock *block = list->head;

  while (block != NULL) {
    LineBlock *next = block->next;

    line_pool_give (pool, block);
    block = next;
  }
  *list = (LineList){ 0 };
}

void
line_pool_clear (LinePool *pool)
{
  for (guint i = 0; i < LINE_POOL_CLASSES; i++) {
    LineBlock *block = g_steal_pointer (&pool->free_blocks[i]);

    while (block != NULL) {
      LineBlock *next = block->next;

      g_free (block);
      block = next;
    }
  }
  pool->kept = 0;
}
