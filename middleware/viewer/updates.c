/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells clients of the viewer which properties of components were set, by whomever. */
#include "commands.h"

/*
 * Properties say by themselves that they were set. Components are listened to only while a client
 * wants to know of them, so a tick costs nothing without one. What is set in the course of a tick
 * is told behind it, once, with the value that it has then.
 */

typedef struct {
  OrreryPart *part;
  GParamSpec *pspec;
} Change;

static guint
change_hash (gconstpointer key)
{
  const Change *change = key;

  return g_direct_hash (change->part) * 31 + g_direct_hash (change->pspec);
}

static gboolean
change_equal (gconstpointer a, gconstpointer b)
{
  const Change *one = a, *other = b;

  return one->part == other->part && one->pspec == other->pspec;
}

void
updates_init (OrreryViewerControl *self)
{
  g_mutex_init (&self->lock);
  self->followers = g_ptr_array_new_with_free_func ((GDestroyNotify) control_request_free);
  self->changed = g_hash_table_new (change_hash, change_equal);
  self->changes = g_ptr_array_new_with_free_func (g_free);
}

void
updates_clear (OrreryViewerControl *self)
{
  g_clear_pointer (&self->followers, g_ptr_array_unref);
  g_clear_pointer (&self->changed, g_hash_table_unref);
  g_clear_pointer (&self->changes, g_ptr_array_unref);
  g_mutex_clear (&self->lock);
}

/* --- what is set --- */

/* On the tick's thread, or on one of those on which sensors step. */
static void
note (OrreryPart *part, GParamSpec *pspec, OrreryViewerControl *self)
{
  Change change = { part, pspec };
  gboolean is_first = FALSE;

  g_mutex_lock (&self->lock);
  if (!g_hash_table_contains (self->changed, &change)) {
    Change *copy = g_memdup2 (&change, sizeof change);

    is_first = self->changes->len == 0;
    g_hash_table_add (self->changed, copy);
    g_ptr_array_add (self->changes, copy);
  }
  g_mutex_unlock (&self->lock);
  /* A paused run has no end of a tick. */
  if (is_first)
    orrery_request_manager_wake (ORRERY_REQUEST_MANAGER (self));
}

/* (transfer full): in the order in which they were set first */
static GPtrArray *
take_changes (OrreryViewerControl *self)
{
  GPtrArray *taken;

  g_mutex_lock (&self->lock);
  taken = g_steal_pointer (&self->changes);
  self->changes = g_ptr_array_new_with_free_func (g_free);
  g_hash_table_remove_all (self->changed);
  g_mutex_unlock (&self->lock);
  return taken;
}

/* --- who is told --- */

static void
listen (OrreryViewerControl *self, gboolean on)
{
  GPtrArray *components = control_get_components (self->control);

  for (guint i = 0; i < components->len; i++)
    if (on)
      g_signal_connect (components->pdata[i], "notify", G_CALLBACK (note), self);
    else
      g_signal_handlers_disconnect_by_data (components->pdata[i], self);
  if (!on)
    g_ptr_array_unref (take_changes (self));
}

void
updates_follow (OrreryViewerControl *self, ControlRequest *request)
{
  g_ptr_array_add (self->followers, request);
  if (self->followers->len == 1)
    listen (self, TRUE);
}

void
updates_unfollow (OrreryViewerControl *self, const ControlRequest *gone)
{
  gboolean were_some = self->followers->len > 0;

  for (guint i = self->followers->len; i > 0; i--) {
    const ControlRequest *one = self->followers->pdata[i - 1];

    if (gone == NULL || (one->hub == gone->hub && one->client == gone->client))
      g_ptr_array_remove_index (self->followers, i - 1);
  }
  if (were_some && self->followers->len == 0)
    listen (self, FALSE);
}

/* --- telling --- */

/* (transfer full) (nullable): as clients know it; NULL: it is for the part itself */
static char *
find_name (const Change *change)
{
  g_auto (GStrv) names = orrery_part_get_option_names (change->part);
  g_autofree GParamSpec **specs = NULL;
  guint n;

  specs = orrery_part_class_list_options (ORRERY_PART_GET_CLASS (change->part), &n);
  for (guint i = 0; i < n && names[i] != NULL; i++)
    if (specs[i] == change->pspec)
      return g_strdup (names[i]);
  return NULL;
}

/* One server has several clients, and knows which of them want to know of which parameter. */
static void
tell_all (OrreryViewerControl *self, OrreryWriter *text)
{
  for (guint i = 0; i < self->followers->len; i++) {
    const ControlRequest *one = self->followers->pdata[i];
    gboolean was_told = FALSE;

    for (guint j = 0; j < i; j++)
      was_told |= ((ControlRequest *) self->followers->pdata[j])->hub == one->hub;
    if (!was_told)
      commands_answer (self, one->hub, HUB_ANSWER_PARAMETER, 0, text);
  }
}

static void
tell (OrreryViewerControl *self, const Change *change)
{
  g_autofree char *property = find_name (change);
  g_autoptr (GVariant) value =
      property != NULL ? orrery_part_get_option (change->part, property) : NULL;
  g_autofree char *name = NULL;

  if (value == NULL)
    return;
  name = g_strconcat (orrery_part_get_name (change->part), ".", property, NULL);
  orrery_writer_clear (self->writer);
  commands_write_parameter (self->writer, name, value);
  tell_all (self, self->writer);
}

void
updates_flush (OrreryViewerControl *self)
{
  g_autoptr (GPtrArray) changes = NULL;

  if (self->followers->len == 0)
    return;
  changes = take_changes (self);
  for (guint i = 0; i < changes->len; i++)
    tell (self, changes->pdata[i]);
}
