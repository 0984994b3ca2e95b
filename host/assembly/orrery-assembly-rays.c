/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the ray caster of a simulation when a part first asks for one. */
#include "assembly/orrery-assembly-private.h"

#include "base/orrery-error.h"
#include "part/orrery-part-private.h"
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
  orrery_assembly_set_log_levels (assembly, part, klass, NULL);
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

/* A ray caster that is installed but does not load is worth a warning; one that was not built is
 * not. */
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
  const char *named = orrery_keys_text (assembly->scene->environment.raycaster, NULL);

  if (assembly->rays == NULL)
    assembly->rays =
        named != NULL ? create_named (assembly, named, error) : create_default (assembly, error);
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
    g_set_error (&error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s has the role %s; rays are cast by "
                 "a raycaster",
                 klass->classpath, orrery_role_get_name (klass->desc->role));
  if (error != NULL)
    orrery_assembly_problem (assembly, named, error);
}
