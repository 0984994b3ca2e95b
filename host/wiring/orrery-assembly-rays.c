/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-assembly-private.h"

#include "base/orrery-error.h"
#include "roles/orrery-part-private.h"
#include "roles/orrery-raycaster-private.h"

/* In the order in which they are tried where the scene names none. */
static const char *const choices[] = { "orrery.raycasters.embree.Embree",
                                       "orrery.raycasters.exact.Exact", NULL };

static OrreryRaycaster *
create (OrreryAssembly *assembly, const char *classpath, GError **error)
{
  const OrreryClass *klass = orrery_registry_find_class (assembly->registry, classpath, error);
  g_autoptr (OrreryPart) part =
      klass != NULL
          ? orrery_registry_create (assembly->registry, klass, ORRERY_ROLE_RAYCASTER, error)
          : NULL;

  if (part == NULL)
    return NULL;
  orrery_part_identify (part, klass->classpath, klass->classpath, assembly->seed);
  orrery_assembly_obey (assembly, part, klass, NULL);
  if (!orrery_assembly_apply_class (assembly, part, klass, error))
    return NULL;
  orrery_part_mark_started (part);
  orrery_raycaster_bind (ORRERY_RAYCASTER (part), assembly->world);
  return ORRERY_RAYCASTER (g_steal_pointer (&part));
}

static OrreryRaycaster *
create_named (OrreryAssembly *assembly, const char *classpath, GError **error)
{
  OrreryRaycaster *rays = create (assembly, classpath, error);

  if (rays == NULL)
    g_prefix_error (error, "no ray caster: ");
  return rays;
}

/* One that is there but does not load is worth a word; one that was not built is not. */
static OrreryRaycaster *
create_default (OrreryAssembly *assembly, GError **error)
{
  g_autoptr (GError) local = NULL;

  for (guint i = 0; choices[i] != NULL; i++) {
    OrreryRaycaster *rays = create (assembly, choices[i], &local);

    if (rays != NULL)
      return rays;
    if (!g_error_matches (local, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND))
      g_message ("%s", local->message);
    if (choices[i + 1] != NULL)
      g_clear_error (&local);
  }
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
               "no ray caster is installed: %s; install one, or name your own by 'raycaster' in "
               "the environment",
               local->message);
  return NULL;
}

OrreryRaycaster *
orrery_assembly_get_rays (gpointer data, GError **error)
{
  OrreryAssembly *assembly = data;
  const char *named = assembly->scene->environment.raycaster;

  if (assembly->rays == NULL)
    assembly->rays =
        named != NULL ? create_named (assembly, named, error) : create_default (assembly, error);
  return assembly->rays;
}

void
orrery_assembly_check_rays (OrreryAssembly *assembly)
{
  const OrreryEnvironment *env = &assembly->scene->environment;
  const OrreryClass *klass;
  GError *error = NULL;

  if (env->raycaster == NULL)
    return;
  klass = orrery_registry_find_class (assembly->registry, env->raycaster, &error);
  if (klass != NULL && klass->desc->role != ORRERY_ROLE_RAYCASTER)
    g_set_error (&error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s has the role %s; rays are cast by "
                 "a raycaster",
                 klass->classpath, orrery_role_get_name (klass->desc->role));
  if (error != NULL)
    orrery_assembly_problem (assembly, env->raycaster_node, error);
}
