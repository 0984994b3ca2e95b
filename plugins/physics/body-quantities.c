/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities of bodies and of the world that change while a scene runs. The world has their values;
 * the engine is told where it keeps something of its own. */
#include "bodies.h"

#include <string.h>

void
body_note_quantities (Body *body)
{
  const OrreryBody *s = body->settings;

  body->known = (BodyQuantities){ s->mass, s->friction, s->restitution };
}

/* Shapes of an object that is scaled are others. Which ones the body was made of shows whether it
 * is any concern of the engine. */
static void
refresh_pieces (BodySet *set, Body *body)
{
  g_autoptr (GArray) now = NULL;

  /* What carries links without having a body has no pieces. */
  if (set->shapes == orrery_world_get_shapes_serial (set->world) ||
      body->settings->type == ORRERY_BODY_NONE)
    return;
  now = body_collect_pieces (body->object);
  if (now->len == body->pieces->len &&
      memcmp (now->data, body->pieces->data, now->len * sizeof (Piece)) == 0)
    return;
  g_array_unref (body->pieces);
  body->pieces = g_steal_pointer (&now);
  set->calls->change (set, body, ORRERY_QUANTITY_SCALE);
}

void
body_set_refresh (BodySet *set, Body *body)
{
  const OrreryBody *s = body->settings;
  BodyQuantities known = body->known;

  refresh_pieces (set, body);
  body_note_quantities (body);
  /* Any difference counts, to the last bit. */
  if (known.mass != s->mass && body_is_dynamic (body) && !body->hollow)
    set->calls->change (set, body, ORRERY_QUANTITY_MASS);
  if (known.friction != s->friction)
    set->calls->change (set, body, ORRERY_QUANTITY_FRICTION);
  if (known.restitution != s->restitution)
    set->calls->change (set, body, ORRERY_QUANTITY_RESTITUTION);
}

static void
refresh_gravity (BodySet *set)
{
  const OrreryVec3 *now = orrery_world_get_gravity (set->world);
  OrreryVec3 known = set->gravity;

  set->gravity = *now;
  if (known.x != now->x || known.y != now->y || known.z != now->z)
    set->calls->change (set, NULL, ORRERY_QUANTITY_GRAVITY);
}

void
body_set_refresh_all (BodySet *set)
{
  refresh_gravity (set);
  set->calls->change (set, NULL, ORRERY_QUANTITY_WIND);
  for (guint i = 0; i < set->bodies->len; i++)
    body_set_refresh (set, set->bodies->pdata[i]);
  for (guint i = 0; i < set->parked->len; i++)
    body_set_refresh (set, set->parked->pdata[i]);
}

void
body_set_take_quantity (BodySet *set, const OrreryCommand *command)
{
  OrreryQuantityKind which = orrery_command_get_quantity (command);
  Body *body;

  if (orrery_quantity_get (which)->of_world) {
    /* A state that was taken before this command has brought its own gravity of each body. */
    set->gravity = *orrery_world_get_gravity (set->world);
    set->calls->change (set, NULL, which);
    return;
  }
  body = body_set_find_whole (set, orrery_world_get_object (set->world, command->object));
  if (body != NULL)
    body_set_refresh (set, body);
}

double
body_get_mass_ratio (const Body *body)
{
  return body->settings->mass / body->first_mass;
}

/* Of an object with a body in the scene, which the caller has looked at. */
gboolean
body_set_changes (BodySet *set, const OrreryQuantity *quantity, OrreryObject *object,
                  GError **error)
{
  Body *body;

  if (object == NULL || set->by_object == NULL || quantity->kind == ORRERY_QUANTITY_SCALE)
    return TRUE;
  body = body_set_find (set, object);
  if (body == NULL)
    return body_fail (error, object, "it has no solid shape, so the engine has no body for it");
  if (quantity->kind != ORRERY_QUANTITY_MASS)
    return TRUE;
  if (!body_is_dynamic (body))
    return body_fail (error, object, "its motor moves it, whatever its mass is");
  if (body->hollow || !(body->first_mass > 0))
    return body_fail (error, object, "it has no mass in the scene");
  return TRUE;
}
