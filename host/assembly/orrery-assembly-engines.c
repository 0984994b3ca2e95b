/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the engines of a scene: physics at once, the ray caster and the renderer when a part first
 * asks for them, so that a scene without cameras loads no graphics library. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-raycaster-private.h"
#include "scene/orrery-settings-private.h"
#include "world/orrery-world-private.h"

#define DEFAULT_RENDERER "orrery.renderers.mujoco.MuJoCo"

/* In the order in which they are tried where the scene names none. */
static const char *const raycasters[] = { "orrery.raycasters.embree.Embree",
                                          "orrery.raycasters.exact.Exact", NULL };

OrreryPart *
orrery_assembly_create_part (OrreryAssembly *assembly, const char *classpath, OrreryRole role,
                             const char *name, GError **error)
{
  const OrreryClass *klass = orrery_registry_find_class (assembly->registry, classpath, error);
  g_autoptr (OrreryPart) part =
      klass != NULL ? orrery_registry_create (assembly->registry, klass, role, error) : NULL;

  if (part == NULL)
    return NULL;
  orrery_part_identify (part, name != NULL ? name : klass->classpath, klass->classpath,
                        assembly->seed);
  orrery_assembly_set_log_levels (assembly, part, klass, NULL);
  if (orrery_assembly_apply_class (assembly, part, klass))
    return g_steal_pointer (&part);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: its properties are wrong", klass->classpath);
  return NULL;
}

/* --- physics --- */

/* What imported files say of the engine. */
static void
apply_options (OrreryAssembly *assembly, OrreryPart *part)
{
  for (guint i = 0; i < assembly->scene->options->len; i++) {
    const OrrerySceneOption *option =
        &g_array_index (assembly->scene->options, OrrerySceneOption, i);
    g_autoptr (GError) error = NULL;

    if (g_str_equal (option->name, "gravity") || g_str_equal (option->name, "timestep"))
      continue;
    if (orrery_part_set_option (part, option->name, option->value, &error))
      g_message ("%s: its %s is that of %s", option->place, option->name,
                 orrery_part_get_classpath (part));
    else
      orrery_part_log_plain (part, G_LOG_LEVEL_WARNING, "%s: its %s is left out: %s", option->place,
                             option->name, error->message);
  }
}

void
orrery_assembly_add_physics (OrreryAssembly *assembly)
{
  OrreryNode *name = assembly->scene->environment.physics;
  OrreryNode *options = orrery_scene_settle (assembly->scene, "physics", NULL);
  OrreryPart *part =
      orrery_assembly_create (assembly, name, orrery_keys_text (name, ORRERY_DEFAULT_PHYSICS),
                              ORRERY_ROLE_PHYSICS, "physics");

  if (part == NULL)
    return;
  apply_options (assembly, part);
  orrery_assembly_set_options (assembly, part, options);
  assembly->physics = ORRERY_PHYSICS (part);
  orrery_runner_set_physics (assembly->runner, assembly->physics);
  orrery_assembly_setup (assembly, name, part, NULL, NULL);
}

/* Loops of a mechanism that the engine does not close. */
static void
name_open_constraints (OrreryAssembly *assembly)
{
  OrreryObject *first = NULL;
  guint n = 0;

  for (guint i = 0; i < orrery_world_get_n_objects (assembly->world); i++) {
    OrreryObject *object = orrery_world_get_object (assembly->world, i);
    GArray *list = orrery_object_get_constraints (object);

    for (guint k = 0; list != NULL && k < list->len; k++) {
      const OrreryConstraint *constraint = &g_array_index (list, OrreryConstraint, k);

      if (constraint->taken || constraint->kind == ORRERY_CONSTRAINT_COUPLING ||
          constraint->kind == ORRERY_CONSTRAINT_EXCLUDE)
        continue;
      first = n++ == 0 ? object : first;
    }
  }
  if (n > 0)
    orrery_part_log_plain (
        assembly->physics, G_LOG_LEVEL_WARNING,
        "%s holds no bodies to each other: %u such constraints are left open, the first of "
        "them of '%s'; orrery.physics.mujoco.MuJoCo holds those of bodies that move",
        orrery_part_get_classpath (ORRERY_PART (assembly->physics)), n,
        orrery_object_get_name (first));
}

gboolean
orrery_assembly_build_physics (OrreryAssembly *assembly, GError **error)
{
  OrreryPhysics *physics = assembly->physics;
  GError *local = NULL;

  if (physics == NULL)
    return TRUE;
  ORRERY_PART_CALL (physics, "build",
                    ORRERY_PHYSICS_GET_CLASS (physics)->build (physics, assembly->world, &local));
  if (local == NULL) {
    name_open_constraints (assembly);
    return TRUE;
  }
  g_prefix_error (&local, "%s: ", orrery_part_get_classpath (ORRERY_PART (physics)));
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
orrery_assembly_extend_physics (OrreryAssembly *assembly, guint n_objects, GError **error)
{
  OrreryPhysics *physics = assembly->physics;
  OrreryPhysicsClass *klass = physics != NULL ? ORRERY_PHYSICS_GET_CLASS (physics) : NULL;
  GError *local = NULL;

  if (physics == NULL)
    return TRUE;
  if (klass->extend == NULL)
    orrery_set_error (&local, ORRERY_ERROR_CONFIG,
                      "not supported: its model of the world is made once for all; make it one of "
                      "the scene's 'spawnables'");
  else
    ORRERY_PART_CALL (physics, "extend", klass->extend (physics, n_objects, &local));
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "%s: ", orrery_part_get_classpath (ORRERY_PART (physics)));
  g_propagate_error (error, local);
  return FALSE;
}

/* Physics is built again once everything is set up. */
gboolean
orrery_assembly_reckon_inertia (gpointer data, GError **error)
{
  OrreryAssembly *assembly = data;
  OrreryPhysics *physics = assembly->physics;
  GError *local = NULL;

  if (assembly->is_extended)
    return orrery_assembly_extend_physics (assembly, orrery_world_get_n_objects (assembly->world),
                                           error);
  if (!assembly->has_inertia)
    ORRERY_PART_CALL (physics, "build",
                      ORRERY_PHYSICS_GET_CLASS (physics)->build (physics, assembly->world, &local));
  assembly->has_inertia = local == NULL;
  if (local != NULL)
    g_propagate_error (error, local);
  return assembly->has_inertia;
}

static gboolean
ask_physics (OrreryPhysics *physics, OrreryMeasurement what, OrreryObject *object, GError **error)
{
  OrreryPhysicsClass *klass = ORRERY_PHYSICS_GET_CLASS (physics);
  gboolean can = FALSE;

  if (klass->measures != NULL) {
    ORRERY_PART_CALL (physics, "measures", can = klass->measures (physics, what, object, error));
    return can;
  }
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "it measures no %s; orrery.physics.bullet.Bullet does",
                           what == ORRERY_MEASURE_WRENCH ? "wrenches of joints"
                                                         : "forces of contacts");
}

/* An OrreryMeasureFunc. */
gboolean
orrery_assembly_measure (gpointer data, OrreryMeasurement what, OrreryObject *object,
                         GError **error)
{
  OrreryAssembly *assembly = data;
  OrreryPhysics *physics = assembly->physics;

  if (assembly->is_extended && what == ORRERY_MEASURE_WRENCH)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "wrenches of joints are measured from the start on, not for what is "
                             "added while the scene runs");
  if (!ask_physics (physics, what, object, error)) {
    g_prefix_error (error, "%s: ", orrery_part_get_classpath (ORRERY_PART (physics)));
    return FALSE;
  }
  orrery_world_measure (assembly->world, what, object);
  return TRUE;
}

/* --- the ray caster --- */

static OrreryRaycaster *
create_rays (OrreryAssembly *assembly, const char *classpath, GError **error)
{
  OrreryPart *part =
      orrery_assembly_create_part (assembly, classpath, ORRERY_ROLE_RAYCASTER, NULL, error);

  if (part == NULL)
    return NULL;
  orrery_part_mark_started (part);
  orrery_raycaster_bind (ORRERY_RAYCASTER (part), assembly->world);
  return ORRERY_RAYCASTER (part);
}

/* A ray caster that is installed but does not load is worth a warning; one that was not built is
 * not. */
static OrreryRaycaster *
create_default_rays (OrreryAssembly *assembly, GError **error)
{
  g_autoptr (GError) local = NULL;

  for (guint i = 0; raycasters[i] != NULL; i++) {
    OrreryRaycaster *rays;

    g_clear_error (&local);
    rays = create_rays (assembly, raycasters[i], &local);
    if (rays != NULL)
      return rays;
    if (!g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
      g_message ("%s", local->message);
  }
  orrery_set_error (
      error, ORRERY_ERROR_NOT_FOUND,
      "no ray caster is installed: %s; install one, or name your own by 'raycaster' in "
      "the environment",
      local->message);
  return NULL;
}

OrreryRaycaster *
orrery_assembly_get_rays (gpointer data, GError **error)
{
  OrreryAssembly *assembly = data;
  const char *named = orrery_keys_text (assembly->scene->environment.raycaster, NULL);

  if (assembly->rays != NULL)
    return assembly->rays;
  assembly->rays =
      named != NULL ? create_rays (assembly, named, error) : create_default_rays (assembly, error);
  if (assembly->rays == NULL && named != NULL)
    g_prefix_error (error, "no ray caster: ");
  return assembly->rays;
}

void
orrery_assembly_check_rays (OrreryAssembly *assembly)
{
  OrreryNode *named = assembly->scene->environment.raycaster;
  const OrreryClass *klass;
  GError *error = NULL;

  if (named == NULL)
    return;
  klass = orrery_registry_find_class (assembly->registry, orrery_node_get_text (named), &error);
  if (klass != NULL && klass->desc->role != ORRERY_ROLE_RAYCASTER)
    orrery_set_error (&error, ORRERY_ERROR_CONFIG,
                      "%s has the role %s; rays are cast by a raycaster", klass->classpath,
                      orrery_role_get_name (klass->desc->role));
  if (error != NULL)
    orrery_assembly_problem (assembly, named, error);
}

/* --- the renderer --- */

static OrreryRenderer *
create_renderer (OrreryAssembly *assembly, GError **error)
{
  const char *name = orrery_keys_text (assembly->scene->environment.renderer, DEFAULT_RENDERER);
  g_autoptr (OrreryPart) part =
      orrery_assembly_create_part (assembly, name, ORRERY_ROLE_RENDERER, "renderer", error);
  GError *local = NULL;

  if (part == NULL)
    return NULL;
  ORRERY_RENDERER_GET_CLASS (part)->build (ORRERY_RENDERER (part), assembly->world, &local);
  orrery_part_mark_started (part);
  if (local == NULL)
    return ORRERY_RENDERER (g_steal_pointer (&part));
  g_prefix_error (&local, "%s: ", orrery_part_get_classpath (part));
  g_propagate_error (error, local);
  return NULL;
}

OrreryRenderer *
orrery_assembly_get_renderer (gpointer data, GError **error)
{
  OrreryAssembly *assembly = data;

  /* Ray casters see visuals, too, so they are applied even if there is no renderer. */
  orrery_scene_apply_visuals (assembly->scene);
  if (assembly->renderer == NULL && assembly->no_renderer == NULL)
    assembly->renderer = create_renderer (assembly, &assembly->no_renderer);
  if (assembly->renderer == NULL)
    g_propagate_error (error, g_error_copy (assembly->no_renderer));
  return assembly->renderer;
}
