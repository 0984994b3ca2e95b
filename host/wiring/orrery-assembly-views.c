/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-assembly-private.h"

#include "roles/orrery-part-private.h"

/* What draws: made when the first camera asks, so that a scene without any touches no library. */

static OrreryRenderer *
make_renderer (OrreryAssembly *assembly, GError **error)
{
  const OrreryEnvironment *environment = &assembly->scene->environment;
  const OrreryClass *klass =
      orrery_registry_find_class (assembly->registry, environment->renderer, error);
  g_autoptr (OrreryPart) part = NULL;
  GError *local = NULL;

  if (klass == NULL)
    return NULL;
  part = orrery_registry_create (assembly->registry, klass, ORRERY_ROLE_RENDERER, error);
  if (part == NULL)
    return NULL;
  orrery_part_identify (part, "renderer", klass->classpath, assembly->seed);
  orrery_assembly_obey (assembly, part, klass, NULL);
  if (!orrery_assembly_apply_class (assembly, part, klass, error))
    return NULL;
  ORRERY_RENDERER_GET_CLASS (part)->build (ORRERY_RENDERER (part), assembly->world, &local);
  orrery_part_mark_started (part);
  if (local == NULL)
    return ORRERY_RENDERER (g_steal_pointer (&part));
  g_prefix_error (&local, "%s: ", klass->classpath);
  g_propagate_error (error, local);
  return NULL;
}

OrreryRenderer *
orrery_assembly_get_renderer (gpointer host, GError **error)
{
  OrreryAssembly *assembly = host;

  /* Rays see it, too, where nothing can draw. */
  orrery_scene_dress (assembly->scene);
  if (assembly->renderer == NULL && assembly->no_renderer == NULL)
    assembly->renderer = make_renderer (assembly, &assembly->no_renderer);
  if (assembly->renderer == NULL)
    g_propagate_error (error, g_error_copy (assembly->no_renderer));
  return assembly->renderer;
}
