/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of objects that may be spawned and removed. A parked body stands aside: no loop of a tick
 * meets it. */
#include "bodies.h"

void
body_set_park (BodySet *set, Body *body)
{
  set->calls->set_present (set, body, FALSE);
  body->parked = TRUE;
  g_ptr_array_remove (set->bodies, body);
  g_ptr_array_add (set->parked, body);
}

static void
forget (BodySet *set, Body *body)
{
  set->n_pinned -= body->pinned;
  set->n_held -= body->holder != NULL;
  body->suspended = body->pinned = body->exact = FALSE;
  body->report = body_reports (body);
  body->falls = body->settings->gravity;
  body->holder = NULL;
  body->held = (OrreryTransform){ 0 };
  body->linear = body->angular = (OrreryVec3){ 0 };
}

/* In the order of the objects. */
static void
list_again (BodySet *set, Body *body)
{
  guint place = set->bodies->len;

  while (place > 0 && ((Body *) set->bodies->pdata[place - 1])->index > body->index)
    place--;
  g_ptr_array_remove_fast (set->parked, body);
  g_ptr_array_insert (set->bodies, (int) place, body);
  body->parked = FALSE;
}

static void
unpark (BodySet *set, Body *body)
{
  list_again (set, body);
  set->calls->set_present (set, body, TRUE);
}

void
body_set_begin_presence (BodySet *set)
{
  for (guint i = set->parked->len; i > 0; i--) {
    Body *body = set->parked->pdata[i - 1];

    if (orrery_object_is_present (body->object))
      list_again (set, body);
  }
  for (guint i = set->bodies->len; i > 0; i--) {
    Body *body = set->bodies->pdata[i - 1];

    if (orrery_object_is_present (body->object))
      continue;
    body->parked = TRUE;
    g_ptr_array_remove_index (set->bodies, i - 1);
    g_ptr_array_add (set->parked, body);
  }
}

/* What an object held is let go when it is no longer there. */
static void
let_go (BodySet *set, guint holder)
{
  for (guint i = 0; i < set->bodies->len && set->n_held > 0; i++) {
    Body *body = set->bodies->pdata[i];

    if (body->holder == NULL || orrery_object_get_index (body->holder) != holder)
      continue;
    set->n_held--;
    body->holder = NULL;
    set->calls->set_freedom (set, body);
  }
}

/* A link is where its joint has it. */
static void
place (BodySet *set, Body *body)
{
  const OrreryJointState *state =
      orrery_snapshot_get_joint (orrery_world_get_snapshot (set->world), body->index);
  OrreryTransform parent, local = body->local;

  if (state != NULL)
    orrery_joint_place (orrery_object_get_joint (body->object),
                        orrery_object_get_start (body->object), state, &local);
  body_set_get_parent_pose (set, body, &parent);
  orrery_transform_multiply (&parent, &local, &body->pose);
}

void
body_set_take_presence (BodySet *set, const OrreryCommand *command)
{
  Body *body = set->by_object[command->object];

  let_go (set, command->object);
  if (body == NULL || set->calls->set_present == NULL)
    return;
  if (!body->parked)
    body_set_park (set, body);
  forget (set, body);
  body_set_refresh (set, body);
  if (!command->flag)
    return;
  body->local = command->pose;
  body_set_take_joint (set, body);
  body->seen = (OrreryTransform){ 0 };
  place (set, body);
  unpark (set, body);
}
