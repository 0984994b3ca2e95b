/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the renderer when the first camera asks for it, so that a scene without cameras loads no
 * graphics library. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-part-private.h"

#define DEFAULT_RENDERER "orrery.renderers.mujoco.MuJoCo"

static OrreryRenderer *
make_renderer (OrreryAssembly *assembly, GError **error)
{
  const char *name = orrery_keys_text (assembly->scene->environment.renderer, DEFAULT_RENDERER);
  const OrreryClass *klass = orrery_registry_find_class (assembly->registry, name, error);
  g_autoptr (OrreryPart) part = NULL;
  GError *local = NULL;

  if (klass == NULL)
    return NULL;
  part = orrery_registry_create (assembly->registry, klass, ORRERY_ROLE_RENDERER, error);
  if (part == NULL)
    return NULL;
  orrery_part_identify (part, "renderer", klass->classpath, assembly->seed);
  orrery_assembly_set_log_levels (assembly, part, klass, NULL);
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

  /* Ray casters see visuals, too, so they are applied even if there is no renderer. */
  orrery_scene_apply_visuals (assembly->scene);
  if (assembly->renderer == NULL && assembly->no_renderer == NULL)
    assembly->renderer = make_renderer (assembly, &assembly->no_renderer);
  if (assembly->renderer == NULL)
    g_propagate_error (error, g_error_copy (assembly->no_renderer));
  return assembly->renderer;
}
