/* SPDX-License-Identifier: BSD-3-Clause */
/* The abstract type of each role, and what a class of a role must have. */
#include "roles/orrery-role-private.h"

#include "roles/orrery-component-private.h"

static GType (*const get_types[]) (void) = {
  [ORRERY_ROLE_SENSOR] = orrery_sensor_get_type,
  [ORRERY_ROLE_ACTUATOR] = orrery_actuator_get_type,
  [ORRERY_ROLE_ROBOT] = orrery_robot_get_type,
  [ORRERY_ROLE_MODIFIER] = orrery_modifier_get_type,
  [ORRERY_ROLE_DATASTREAM] = orrery_datastream_get_type,
  [ORRERY_ROLE_DATASTREAM_MANAGER] = orrery_datastream_manager_get_type,
  [ORRERY_ROLE_REQUEST_MANAGER] = orrery_request_manager_get_type,
  [ORRERY_ROLE_OVERLAY] = orrery_overlay_get_type,
  [ORRERY_ROLE_PHYSICS] = orrery_physics_get_type,
  [ORRERY_ROLE_SCRIPT] = orrery_script_get_type,
  [ORRERY_ROLE_IMPORTER] = orrery_importer_get_type,
  [ORRERY_ROLE_RAYCASTER] = orrery_raycaster_get_type,
  [ORRERY_ROLE_RENDERER] = orrery_renderer_get_type,
  [ORRERY_ROLE_OBSERVER] = orrery_observer_get_type,
};

GType
orrery_role_get_type (OrreryRole role)
{
  g_assert (role > ORRERY_ROLE_NONE && role < G_N_ELEMENTS (get_types));
  return get_types[role]();
}

OrreryRole
orrery_role_from_type (GType type)
{
  for (guint i = ORRERY_ROLE_NONE + 1; i < G_N_ELEMENTS (get_types); i++)
    if (g_type_is_a (type, get_types[i]()))
      return i;
  return ORRERY_ROLE_NONE;
}

void
orrery_role_register_types (void)
{
  for (guint i = ORRERY_ROLE_NONE + 1; i < G_N_ELEMENTS (get_types); i++)
    get_types[i]();
}

static const char *
find_missing_of_manager (OrreryDatastreamManagerClass *klass)
{
  if (klass->open == NULL)
    return "open";
  return klass->send == NULL && klass->send_messages == NULL && klass->intake == NULL
             ? "send, send_messages or intake"
             : NULL;
}

static const char *
find_missing_of_requests (OrreryRequestManagerClass *klass)
{
  if (klass->start == NULL)
    return "start";
  return klass->intake == NULL ? "intake" : NULL;
}

static const char *
find_missing_of_physics (OrreryPhysicsClass *klass)
{
  if (klass->build == NULL)
    return "build";
  if (klass->apply == NULL)
    return "apply";
  if (klass->step == NULL)
    return "step";
  return klass->read == NULL ? "read" : NULL;
}

static const char *
find_missing_of_raycaster (OrreryRaycasterClass *klass)
{
  if (klass->build == NULL)
    return "build";
  if (klass->update == NULL)
    return "update";
  return klass->cast == NULL ? "cast" : NULL;
}

static const char *
find_missing_of_renderer (OrreryRendererClass *klass)
{
  if (klass->build == NULL)
    return "build";
  return klass->render == NULL ? "render" : NULL;
}

static const char *
find_missing_of_observer (OrreryObserverClass *klass)
{
  if (klass->open == NULL)
    return "open";
  if (klass->close == NULL)
    return "close";
  return klass->record == NULL && klass->tick == NULL ? "record or tick" : NULL;
}

static const char *
find_missing_of_modifier (OrreryModifierClass *klass)
{
  for (guint i = 0; i < klass->n_methods && klass->modify == NULL; i++)
    if (klass->methods[i].func == NULL)
      return "modify, which runs its named methods";
  return klass->modify == NULL && klass->n_methods == 0 ? "modify or a named method" : NULL;
}

static const char *
find_missing_of_codec (const OrreryClassDesc *desc, OrreryDatastreamClass *klass)
{
  if (desc->direction != NULL && g_str_equal (desc->direction, "OUT"))
    return klass->encode == NULL ? "encode to go OUT" : NULL;
  if (desc->direction != NULL)
    return klass->decode == NULL ? "decode to go IN" : NULL;
  return klass->encode == NULL && klass->decode == NULL ? "encode or decode" : NULL;
}

const char *
orrery_class_desc_find_missing (const OrreryClassDesc *desc, gpointer klass)
{
  if (ORRERY_IS_COMPONENT_CLASS (klass) &&
      orrery_component_class_is_unfit (ORRERY_COMPONENT_CLASS (klass)))
    return "fields that are declared well";
  switch (desc->role) {
  case ORRERY_ROLE_SENSOR:
    return ORRERY_SENSOR_CLASS (klass)->sense == NULL ? "sense" : NULL;
  case ORRERY_ROLE_ACTUATOR:
    return ORRERY_ACTUATOR_CLASS (klass)->act == NULL ? "act" : NULL;
  case ORRERY_ROLE_MODIFIER:
    return find_missing_of_modifier (klass);
  case ORRERY_ROLE_DATASTREAM:
    return find_missing_of_codec (desc, klass);
  case ORRERY_ROLE_DATASTREAM_MANAGER:
    return find_missing_of_manager (klass);
  case ORRERY_ROLE_REQUEST_MANAGER:
    return find_missing_of_requests (klass);
  case ORRERY_ROLE_IMPORTER:
    return ORRERY_IMPORTER_CLASS (klass)->load == NULL ? "load" : NULL;
  case ORRERY_ROLE_RENDERER:
    return find_missing_of_renderer (klass);
  case ORRERY_ROLE_OBSERVER:
    return find_missing_of_observer (klass);
  case ORRERY_ROLE_PHYSICS:
    return find_missing_of_physics (klass);
  case ORRERY_ROLE_RAYCASTER:
    return find_missing_of_raycaster (klass);
  default:
    return NULL;
  }
}
