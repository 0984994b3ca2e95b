/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "tick/orrery-order-private.h"

/* Trees of scripts: written down in the notation of docs/order.md, or drawn at random. */

typedef struct {
  GArray *objects;  /* (element-type OrreryOrderObject) */
  GPtrArray *names; /* (element-type utf8) */
} Tree;

static inline Tree
tree_new (void)
{
  return (Tree){ g_array_new (FALSE, TRUE, sizeof (OrreryOrderObject)),
                 g_ptr_array_new_with_free_func (g_free) };
}

static inline void
tree_clear (Tree *tree)
{
  g_array_unref (tree->objects);
  g_ptr_array_unref (tree->names);
}

static inline OrreryScriptSettings
read_settings (const char *letters, gsize n)
{
  OrreryScriptSettings settings = { .is_there = TRUE, .enabled = TRUE };

  for (gsize i = 0; i < n; i++)
    switch (letters[i]) {
    case 'f':
      settings.priority = ORRERY_PRIORITY_FIRST;
      break;
    case 'l':
      settings.priority = ORRERY_PRIORITY_LAST;
      break;
    case 'F':
      settings.traversal = ORRERY_TRAVERSAL_FORWARD;
      break;
    case 'P':
      settings.traversal = ORRERY_TRAVERSAL_PARENT;
      break;
    case 'd':
      settings.enabled = FALSE;
      break;
    default:
      break;
    }
  return settings;
}

/*
 * `name(letters){children}`, `-name` without a script. Letters: f first, l last, F forward, P
 * parent, d disabled, x nothing at or below is called. A name that begins with c has a
 * customization script, any other a child script; an object's priority is that of its script.
 */
static inline const char *
tree_read (Tree *tree, const char *text, int parent)
{
  while (*text != '\0' && *text != '}') {
    OrreryOrderObject object = { .parent = parent };
    gboolean plain = *text == '-';
    const char *name = text += plain;
    const char *letters = text += strcspn (name, "({,}");
    gsize n = *text == '(' ? strcspn (text, ")") : 0;
    OrreryScriptSettings settings = read_settings (letters, n);

    g_ptr_array_add (tree->names, g_strndup (name, (gsize) (letters - name)));
    object.priority = settings.priority;
    object.inactive = memchr (letters, 'x', n) != NULL;
    settings.is_there = !plain;
    object.scripts[*name == 'c' ? ORRERY_SCRIPT_CUSTOMIZATION : ORRERY_SCRIPT_CHILD] = settings;
    g_array_append_val (tree->objects, object);
    text += n > 0 ? n + 1 : 0;
    if (*text == '{')
      text = tree_read (tree, text + 1, (int) tree->objects->len - 1) + 1;
    text += strspn (text, ", ");
  }
  return text;
}

static inline OrreryOrderInput
tree_get_input (const Tree *tree, OrreryOrderRule rule)
{
  return (OrreryOrderInput){ .rule = rule,
                             .objects = (gpointer) tree->objects->data,
                             .n_objects = tree->objects->len };
}

static inline OrreryScriptSettings
draw_settings (GRand *rand)
{
  return (OrreryScriptSettings){
    .is_there = g_rand_int_range (rand, 0, 4) != 0,
    .enabled = g_rand_int_range (rand, 0, 6) != 0,
    .priority = g_rand_int_range (rand, -1, 2),
    .traversal = g_rand_int_range (rand, 0, 3),
  };
}

/* Up to @max objects; a parent is any of the last few before, so that there are long branches. */
static inline void
tree_draw (Tree *tree, GRand *rand, guint max)
{
  guint n = (guint) g_rand_int_range (rand, 1, (gint32) max + 1);
  gint32 reach = g_rand_int_range (rand, 1, 12);

  for (guint i = 0; i < n; i++) {
    int parent = (int) i - g_rand_int_range (rand, 1, reach + 2);
    OrreryOrderObject object = {
      .parent = MAX (-1, parent),
      .priority = g_rand_int_range (rand, -1, 2),
      .inactive = g_rand_int_range (rand, 0, 20) == 0,
      .scripts = { draw_settings (rand), draw_settings (rand) },
    };

    g_array_append_val (tree->objects, object);
    g_ptr_array_add (tree->names, g_strdup_printf ("%u", i));
  }
}
