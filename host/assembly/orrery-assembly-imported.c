/* SPDX-License-Identifier: BSD-3-Clause */
/* What files that are imported add to the five tables of component_config. */
#include "assembly/orrery-assembly-private.h"

#include "text/orrery-node-private.h"

typedef OrreryNode *(*JoinFunc) (OrreryAssembly *assembly, OrreryNode *given, OrreryNode *added);

static gboolean
is_list (OrreryNode *node)
{
  return orrery_node_get_kind (node) == ORRERY_NODE_LIST;
}

static void
append_items (OrreryNode *list, OrreryNode *from)
{
  for (guint i = 0; i < orrery_node_get_length (from); i++)
    orrery_node_append (list, orrery_node_ref (orrery_node_get_item (from, i)));
}

/* Modifiers of a file come first: they are a part of the sensor. */
static OrreryNode *
join_modifiers (OrreryAssembly *assembly, OrreryNode *given, OrreryNode *added)
{
  OrreryNode *list = orrery_node_new_at (ORRERY_NODE_LIST, given);

  append_items (list, added);
  append_items (list, given);
  return list;
}

/* Of a stream; NULL: it has none. */
static const char *
get_manager (OrreryNode *entry)
{
  OrreryNode *first = is_list (entry) && orrery_node_get_length (entry) > 0
                          ? orrery_node_get_item (entry, 0)
                          : NULL;
  gboolean is_text = first != NULL && orrery_node_get_kind (first) == ORRERY_NODE_TEXT;

  return is_text ? orrery_node_get_text (first) : NULL;
}

/* Whether one of the entries is a stream of that manager. */
static gboolean
is_on_manager (OrreryAssembly *assembly, OrreryNode *entries, const char *name)
{
  const OrreryClass *wanted = orrery_registry_find_class (assembly->registry, name, NULL);

  for (guint i = 0; i < orrery_node_get_length (entries); i++) {
    OrreryNode *entry = orrery_node_get_item (entries, i);
    const char *manager = get_manager (entry);

    if (manager != NULL && wanted != NULL &&
        orrery_registry_find_class (assembly->registry, manager, NULL) == wanted)
      return TRUE;
  }
  return FALSE;
}

static OrreryNode *
join_streams (OrreryAssembly *assembly, OrreryNode *given, OrreryNode *added)
{
  OrreryNode *list = orrery_node_new_at (ORRERY_NODE_LIST, given);

  append_items (list, given);
  for (guint i = 0; i < orrery_node_get_length (added); i++) {
    OrreryNode *entry = orrery_node_get_item (added, i);

    if (!is_on_manager (assembly, given, get_manager (entry)))
      orrery_node_append (list, orrery_node_ref (entry));
  }
  return list;
}

static OrreryNode *
join_services (OrreryAssembly *assembly, OrreryNode *given, OrreryNode *added)
{
  OrreryNode *list = orrery_node_new_at (ORRERY_NODE_LIST, given);

  if (is_list (given))
    append_items (list, given);
  else
    orrery_node_append (list, orrery_node_ref (given));
  append_items (list, added);
  return list;
}

/* Entries that are no list are reported where they are read. */
static gboolean
can_join (OrreryNode *given, JoinFunc join)
{
  return is_list (given) ||
         (join == join_services && orrery_node_get_kind (given) == ORRERY_NODE_TEXT);
}

/* A table of the config with what files add for its components and for others. */
static OrreryNode *
merge_table (OrreryAssembly *assembly, OrreryNode *given, OrreryNode *added, JoinFunc join)
{
  OrreryNode *table;

  if (added == NULL)
    return given;
  table = orrery_node_new_at (ORRERY_NODE_DICT, given != NULL ? given : added);
  g_ptr_array_add (assembly->scene->nodes, table);
  for (guint i = 0; given != NULL && i < orrery_node_get_length (given); i++) {
    OrreryNode *entries = orrery_node_get_item (given, i);
    OrreryNode *more = orrery_node_find (added, orrery_node_get_key (given, i));

    orrery_node_add_pair (table, given, i,
                          more != NULL && can_join (entries, join) ? join (assembly, entries, more)
                                                                   : orrery_node_ref (entries));
  }
  for (guint i = 0; i < orrery_node_get_length (added); i++)
    if (given == NULL || orrery_node_find (given, orrery_node_get_key (added, i)) == NULL)
      orrery_node_add_here (table, orrery_node_get_key (added, i),
                            orrery_node_ref (orrery_node_get_item (added, i)));
  return table;
}

/* No config covers the components of an imported file, so the socket manager serves them unless a
 * config does. */
static OrreryNode *
add_socket (OrreryAssembly *assembly, OrreryNode *given, OrreryNode *offered, guint first)
{
  OrreryNode *root = assembly->scene->root;
  GPtrArray *components = assembly->scene->imported_components;
  OrreryNode *table;

  if (!assembly->options->listen || components->len == first)
    return offered;
  table = orrery_node_new_at (ORRERY_NODE_DICT, root);
  g_ptr_array_add (assembly->scene->nodes, table);
  for (guint i = first; i < components->len; i++) {
    const char *name = orrery_object_get_name (components->pdata[i]);
    OrreryNode *more = offered != NULL ? orrery_node_find (offered, name) : NULL;
    OrreryNode *list = orrery_node_new_at (ORRERY_NODE_LIST, root);

    if (more != NULL)
      append_items (list, more);
    if (given == NULL || orrery_node_find (given, name) == NULL)
      orrery_node_append (list, orrery_node_new_text_at (ORRERY_SOCKET_REQUEST_MANAGER, root));
    orrery_node_add_here (table, name, list);
  }
  return table;
}

void
orrery_assembly_take_tables (OrreryAssembly *assembly, const OrreryConfigKeys *given, guint first)
{
  const OrreryConfigKeys *imported = &assembly->scene->imported;
  OrreryConfigKeys *tables = &assembly->tables;

  tables->modifiers = merge_table (assembly, given->modifiers, imported->modifiers, join_modifiers);
  tables->streams = merge_table (assembly, given->streams, imported->streams, join_streams);
  tables->services = merge_table (assembly, given->services,
                                  add_socket (assembly, given->services, imported->services, first),
                                  join_services);
}

void
orrery_assembly_merge_imported (OrreryAssembly *assembly)
{
  const OrreryConfigKeys given = assembly->tables;

  orrery_assembly_take_tables (assembly, &given, 0);
}
