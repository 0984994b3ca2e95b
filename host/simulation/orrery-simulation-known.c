/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States that this scene has made or taken. They need not be read and compared again, and those
 * that it has taken need no copy of the present state to go back to.
 */
#include "simulation/orrery-simulation-private.h"

#include "part/orrery-part-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* Larger ones are read each time, so that memory stays small. */
#define MAX_SIZE (256 * 1024)

/* Of one state, so that memory stays small. */
#define MAX_NODES 16384u

/* Whether all its values have one size, so that they are read as one array. */
static gboolean
is_plain (const char *type)
{
  return strpbrk (type, "sogamv") == NULL;
}

/* Returns: floating */
static GVariant *
put_together (const GVariantType *type, GVariant *const *children, gsize n)
{
  if (g_variant_type_is_array (type))
    return g_variant_new_array (g_variant_type_element (type), children, n);
  if (g_variant_type_is_maybe (type))
    return g_variant_new_maybe (NULL, children[0]);
  if (g_variant_type_is_variant (type))
    return g_variant_new_variant (children[0]);
  if (g_variant_type_is_dict_entry (type))
    return g_variant_new_dict_entry (children[0], children[1]);
  return g_variant_new_tuple (children, n);
}

/*
 * The same value, with its children at hand. Each look at a child of serialised data makes a new
 * variant, which costs more than all else in a restore. @n: nodes that may still be made.
 * Returns: (transfer full): never floating
 */
static GVariant *
unfold (GVariant *value, guint *n)
{
  const GVariantType *type = g_variant_get_type (value);
  gsize n_children = g_variant_is_container (value) ? g_variant_n_children (value) : 0;
  g_autoptr (GPtrArray) children = NULL;

  if (n_children == 0 || n_children > *n ||
      (g_variant_type_is_array (type) && is_plain (g_variant_get_type_string (value) + 1)))
    return g_variant_ref (value);
  *n -= (guint) n_children;
  children = g_ptr_array_new_full ((guint) n_children, (GDestroyNotify) g_variant_unref);
  for (gsize i = 0; i < n_children; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

    g_ptr_array_add (children, unfold (child, n));
  }
  return g_variant_ref_sink (put_together (type, (GVariant *const *) children->pdata, n_children));
}

/* --- what is at hand of a state --- */

static void
clear_part (gpointer data)
{
  OrrerySavedPart *part = data;

  g_clear_pointer (&part->state, g_variant_unref);
  g_clear_pointer (&part->busy, g_variant_unref);
  g_clear_pointer (&part->options, g_array_unref);
  g_clear_pointer (&part->strings, g_ptr_array_unref);
}

/* Returns: (transfer none): as long as the part has it */
static GVariant *
hold (OrrerySavedPart *part, GVariant *value)
{
  g_ptr_array_add (part->strings, value);
  return value;
}

static void
read_options (OrrerySavedPart *part, GVariant *options)
{
  gsize n = g_variant_n_children (options);

  part->options = g_array_sized_new (FALSE, FALSE, sizeof (OrreryOptionValue), (guint) n);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (options, i);
    g_autoptr (GVariant) boxed = g_variant_get_child_value (entry, 1);
    OrreryOptionValue option;

    option.name = g_variant_get_string (hold (part, g_variant_get_child_value (entry, 0)), NULL);
    option.value = hold (part, g_variant_get_variant (boxed));
    g_array_append_val (part->options, option);
  }
}

/* Of a part: name, its own state, options, the call that it works on. */
static void
read_part (OrrerySavedPart *part, GVariant *one)
{
  g_autoptr (GVariant) boxed = g_variant_get_child_value (one, 1);
  g_autoptr (GVariant) options = g_variant_get_child_value (one, 2);
  g_autoptr (GVariant) busy = g_variant_get_child_value (one, 3);
  g_autoptr (GVariant) state = g_variant_get_maybe (boxed);

  part->strings = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  part->name = g_variant_get_string (hold (part, g_variant_get_child_value (one, 0)), NULL);
  part->state = state != NULL ? g_variant_get_variant (state) : NULL;
  part->busy = g_variant_get_maybe (busy);
  read_options (part, options);
}

GArray *
orrery_saved_parts_read (GVariant *list)
{
  guint n = (guint) g_variant_n_children (list);
  GArray *parts = g_array_sized_new (FALSE, TRUE, sizeof (OrrerySavedPart), n);

  g_array_set_clear_func (parts, clear_part);
  g_array_set_size (parts, n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

    read_part (&g_array_index (parts, OrrerySavedPart, i), one);
  }
  return parts;
}

/* --- states that are known --- */

static void
clear (OrreryKnownState *known)
{
  g_clear_pointer (&known->parts, g_array_unref);
  g_clear_pointer (&known->bytes, g_bytes_unref);
  g_clear_pointer (&known->state, g_variant_unref);
}

static OrreryKnownState *
find (OrreryInstance *self, GBytes *bytes)
{
  for (guint i = 0; i < ORRERY_N_KNOWN_STATES; i++)
    if (self->known[i].bytes != NULL &&
        (self->known[i].bytes == bytes || g_bytes_equal (self->known[i].bytes, bytes)))
      return &self->known[i];
  return NULL;
}

GVariant *
orrery_instance_find_known (OrreryInstance *self, GBytes *bytes, guint64 scene,
                            const OrreryKnownState **proven)
{
  OrreryKnownState *known = find (self, bytes);

  if (known == NULL || known->scene != scene)
    return NULL;
  /* Another process may refuse what it took before. */
  if (known->is_proven && orrery_runner_get_workers (self->runner) == NULL)
    *proven = known;
  return g_variant_ref (known->state);
}

void
orrery_instance_know (OrreryInstance *self, GBytes *bytes, GVariant *state, guint64 scene,
                      gboolean is_proven)
{
  OrreryKnownState *known = find (self, bytes);
  OrreryKnownState old;
  guint n_nodes = MAX_NODES;

  if (g_bytes_get_size (bytes) > MAX_SIZE)
    return;
  if (known == NULL)
    known = &self->known[self->next_known++ % ORRERY_N_KNOWN_STATES];
  old = *known;
  *known =
      (OrreryKnownState){ .bytes = g_bytes_ref (bytes),
                          .state = is_proven ? unfold (state, &n_nodes) : g_variant_ref (state),
                          .scene = scene,
                          .is_proven = is_proven };
  if (is_proven) {
    g_autoptr (GVariant) parts = g_variant_get_child_value (known->state, ORRERY_STATE_PARTS);

    known->parts = orrery_saved_parts_read (parts);
    known->values = orrery_world_count_set_values (self->world);
  }
  clear (&old);
}

void
orrery_instance_forget (OrreryInstance *self, GBytes *bytes)
{
  OrreryKnownState *known = find (self, bytes);

  if (known != NULL)
    clear (known);
}

void
orrery_instance_clear_known (OrreryInstance *self)
{
  for (guint i = 0; i < ORRERY_N_KNOWN_STATES; i++)
    clear (&self->known[i]);
}
