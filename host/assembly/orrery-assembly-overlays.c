/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and publishes the overlays of the table `overlays` of a component_config. */
#include "assembly/orrery-assembly-private.h"

#include "scene/orrery-settings-private.h"

#include "roles/orrery-overlay-private.h"

#include <string.h>

static gboolean
publish_overlay (OrreryAssembly *assembly, OrreryRequestManager *manager, OrreryOverlay *overlay,
                 GError **error)
{
  OrreryPart *part = ORRERY_PART (overlay);
  const char *name = ORRERY_OVERLAY_GET_CLASS (overlay)->get_published_name (overlay);

  if (name != NULL && *name != '\0' && strpbrk (name, " \t\r\n\v\f") == NULL)
    return orrery_calls_map (assembly->calls, manager, name, part, error);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "%s answers to '%s'; a name is one word, without blanks",
                           orrery_part_get_name (part), name != NULL ? name : "");
}

static void
add_overlay (OrreryAssembly *assembly, OrreryRequestManager *manager, OrreryComponent *component,
             OrreryNode *place, OrreryNode *options)
{
  g_autofree char *name =
      orrery_assembly_name_attached (assembly, component, orrery_node_get_text (place));
  OrreryPart *part = orrery_assembly_create (assembly, place, orrery_node_get_text (place),
                                             ORRERY_ROLE_OVERLAY, name);
  OrreryOverlay *overlay;
  GError *error = NULL;

  if (part == NULL)
    return;
  options = orrery_scene_settle (assembly->scene, name, options);
  overlay = ORRERY_OVERLAY (part);
  g_ptr_array_add (assembly->parts, part);
  orrery_overlay_set_component (overlay, component);
  if (!orrery_assembly_set_options (assembly, part, options) ||
      !orrery_assembly_setup (assembly, place, part, component, options))
    return;
  if (!publish_overlay (assembly, manager, overlay, &error))
    orrery_assembly_problem (assembly, place, error);
  orrery_calls_map_inside (assembly->calls, name, part);
}

/* A classpath, or a list. The items of a list are classpaths, each followed by its options, or
 * further such lists. */
static void
add_overlays (OrreryAssembly *assembly, OrreryRequestManager *manager, OrreryComponent *component,
              OrreryNode *entry)
{
  guint n = orrery_node_get_kind (entry) == ORRERY_NODE_LIST ? orrery_node_get_length (entry) : 0;

  if (orrery_node_get_kind (entry) == ORRERY_NODE_TEXT) {
    add_overlay (assembly, manager, component, entry, NULL);
    return;
  }
  if (n == 0)
    orrery_assembly_refuse (
        assembly, entry,
        "an overlay is a classpath, a list of classpaths, or [classpath, {arguments}], not %s",
        orrery_node_get_kind (entry) == ORRERY_NODE_LIST ? "an empty list"
                                                         : orrery_node_get_kind_name (entry));
  for (guint i = 0; i < n; i++) {
    OrreryNode *item = orrery_node_get_item (entry, i);
    OrreryNode *next = i + 1 < n ? orrery_node_get_item (entry, i + 1) : NULL;
    gboolean with = next != NULL && orrery_node_get_kind (next) == ORRERY_NODE_DICT;

    if (orrery_node_get_kind (item) == ORRERY_NODE_LIST)
      add_overlays (assembly, manager, component, item);
    else if (orrery_node_get_kind (item) == ORRERY_NODE_TEXT)
      add_overlay (assembly, manager, component, item, with ? next : NULL);
    else
      orrery_assembly_refuse (assembly, item, "an overlay is named by its classpath, not by %s",
                              orrery_node_get_kind_name (item));
    i += with ? 1 : 0;
  }
}

void
orrery_assembly_add_overlays (OrreryAssembly *assembly)
{
  OrreryNode *table = assembly->tables.overlays;

  for (guint i = 0; table != NULL && i < orrery_node_get_length (table); i++) {
    OrreryNode *components = orrery_node_get_item (table, i);
    OrreryRequestManager *manager =
        orrery_assembly_get_request_manager (assembly, components, orrery_node_get_key (table, i));

    if (orrery_node_get_kind (components) != ORRERY_NODE_DICT) {
      orrery_assembly_refuse (assembly, components,
                              "the overlays of a manager are a dictionary, not %s",
                              orrery_node_get_kind_name (components));
      continue;
    }
    for (guint j = 0; manager != NULL && j < orrery_node_get_length (components); j++) {
      OrreryComponent *component = orrery_assembly_find_component (assembly, components, j);

      if (component != NULL)
        add_overlays (assembly, manager, component, orrery_node_get_item (components, j));
    }
  }
}
