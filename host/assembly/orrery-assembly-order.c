/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the components within a tick by the tree, by the priorities of its objects, and by which
 * component reads which; or as MORSE does, by their age. */
#include "assembly/orrery-assembly-private.h"

#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-setup-private.h"

/* More actuators that command the same are counted, not named. */
#define MAX_RIVALS 10u

/* Components by the order of their objects: parents first, siblings by priority. */
static GPtrArray *
list_in_order (OrreryAssembly *assembly)
{
  OrreryOrderInput input = orrery_scene_get_order_input (assembly->scene);
  g_autoptr (GArray) order = orrery_order_objects (input.objects, input.n_objects);
  g_autofree OrreryComponent **of_object = g_new0 (OrreryComponent *, input.n_objects);
  GPtrArray *ordered = g_ptr_array_new ();

  for (guint i = 0; i < assembly->components->len; i++) {
    OrreryComponent *component = assembly->components->pdata[i];

    of_object[orrery_object_get_index (orrery_component_get_object (component))] = component;
  }
  for (guint i = 0; i < order->len; i++)
    if (of_object[g_array_index (order, guint, i)] != NULL)
      g_ptr_array_add (ordered, of_object[g_array_index (order, guint, i)]);
  return ordered;
}

/* --- MORSE's order --- */

/* The lists that MORSE's objects are in, one behind the other: those of OrreryMorseOrder, then the
 * components that no script has constructed. */
#define LIST_OTHERS (ORRERY_MORSE_ORDER_TOUCH + 1)

typedef struct {
  OrreryComponent *component;
  guint list;
  guint created;
  guint place; /* among all components */
} Age;

/* What a class brings along is made by the constructor of what it belongs to. */
static guint
find_created (const guint *created, OrreryObject *object)
{
  for (; object != NULL; object = orrery_object_get_parent (object))
    if (created[orrery_object_get_index (object)] != G_MAXUINT)
      return created[orrery_object_get_index (object)];
  return G_MAXUINT;
}

static guint *
list_created (OrreryAssembly *assembly)
{
  guint n = orrery_world_get_n_objects (assembly->world);
  guint *created = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    created[i] = G_MAXUINT;
  for (guint i = 0; i < assembly->components->len; i++) {
    const OrreryMember *member = orrery_assembly_get_place (assembly, i);

    created[orrery_object_get_index (member->object)] = member->keys.created;
  }
  return created;
}

static int
compare_ages (gconstpointer a, gconstpointer b)
{
  const Age *one = a, *two = b;
  gboolean newest_first =
      one->list == ORRERY_MORSE_ORDER_NEWEST || one->list == ORRERY_MORSE_ORDER_TOUCH;

  if (one->list != two->list)
    return one->list < two->list ? -1 : 1;
  if (one->created != two->created)
    return (one->created > two->created) == newest_first ? -1 : 1;
  /* Of one constructor: its parts were made in the order of the class. */
  return (one->place > two->place) == newest_first ? -1 : 1;
}

static GPtrArray *
list_by_age (OrreryAssembly *assembly)
{
  g_autofree guint *created = list_created (assembly);
  g_autoptr (GArray) ages = g_array_new (FALSE, FALSE, sizeof (Age));
  GPtrArray *ordered = g_ptr_array_new ();

  for (guint i = 0; i < assembly->components->len; i++) {
    const OrreryMember *member = orrery_assembly_get_place (assembly, i);
    OrreryComponent *component = assembly->components->pdata[i];
    Age age = { component, ORRERY_COMPONENT_GET_CLASS (component)->morse_order,
                find_created (created, member->object), i };

    if (age.created == G_MAXUINT)
      age.list = LIST_OTHERS;
    g_array_append_val (ages, age);
  }
  g_array_sort (ages, compare_ages);
  for (guint i = 0; i < ages->len; i++)
    g_ptr_array_add (ordered, g_array_index (ages, Age, i).component);
  return ordered;
}

/* --- the components of a phase --- */

static GPtrArray *
pick (GPtrArray *components, GType type, guint first)
{
  GPtrArray *picked = g_ptr_array_new ();

  for (guint i = 0; i < components->len; i++)
    if (g_type_is_a (G_OBJECT_TYPE (components->pdata[i]), type) &&
        orrery_assembly_is_from (components->pdata[i], first))
      g_ptr_array_add (picked, components->pdata[i]);
  return picked;
}

/* Only sources of the same phase matter; data of another phase is complete in any case. */
static GArray *
list_sources (GPtrArray *components)
{
  GArray *sources = g_array_new (FALSE, FALSE, sizeof (OrreryOrderSource));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < components->len; i++)
    g_hash_table_insert (places, components->pdata[i], GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < components->len; i++) {
    GPtrArray *given = orrery_part_get_sources (components->pdata[i]);

    for (guint j = 0; given != NULL && j < given->len; j++) {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, given->pdata[j]));
      OrreryOrderSource source = { i, place - 1 };

      if (place > 0)
        g_array_append_val (sources, source);
    }
  }
  return sources;
}

static void
refuse_ring (OrreryAssembly *assembly, GPtrArray *components, GArray *ring)
{
  OrreryComponent *first = components->pdata[g_array_index (ring, guint, 0)];
  g_autoptr (GString) text = g_string_new (orrery_part_get_name (ORRERY_PART (first)));
  guint place = 0;

  for (guint i = 1; i < ring->len; i++)
    g_string_append_printf (text, "%s%s", i == 1 ? " reads " : ", which reads ",
                            orrery_part_get_name (
                                components->pdata[g_array_index (ring, guint, i)]));
  g_ptr_array_find (assembly->components, first, &place);
  orrery_assembly_refuse (assembly, orrery_assembly_get_place (assembly, place)->node,
                          "%s%s reads %s: no order suits that", text->str,
                          ring->len > 1 ? ", which" : "",
                          ring->len > 1 ? orrery_part_get_name (ORRERY_PART (first)) : "itself");
}

/* The components of one phase in calling order. If they read each other in a ring, which is
 * refused, they keep their order in the tree. */
static GPtrArray *
order_phase (OrreryAssembly *assembly, GPtrArray *all, GType type, guint first)
{
  g_autoptr (GPtrArray) components = pick (all, type, first);
  g_autoptr (GArray) sources = list_sources (components);
  g_autoptr (GArray) ring = NULL;
  g_autoptr (GArray) order =
      orrery_order_sources (components->len, (const OrreryOrderSource *) (gpointer) sources->data,
                            sources->len, &ring);
  GPtrArray *ordered;

  if (order == NULL) {
    refuse_ring (assembly, components, ring);
    return g_steal_pointer (&components);
  }
  ordered = g_ptr_array_new ();
  for (guint i = 0; i < order->len; i++)
    g_ptr_array_add (ordered, components->pdata[g_array_index (order, guint, i)]);
  return ordered;
}

/* --- pipelines --- */

static gboolean
is_thread_safe (OrreryAssembly *assembly, OrreryComponent *component)
{
  const OrreryClass *klass =
      orrery_registry_find_class (assembly->registry,
                                  orrery_part_get_classpath (ORRERY_PART (component)), NULL);

  return klass != NULL && klass->desc->thread_safe;
}

static void
warn_of_frequency (OrreryAssembly *assembly, OrreryComponent *component, double frequency,
                   double base)
{
  g_autofree char *words =
      g_strdup_printf ("%g Hz is more than the simulation's %g: it runs every tick", frequency,
                       base);
  OrreryNode *node;
  guint place = 0;

  g_ptr_array_find (assembly->components, component, &place);
  node = orrery_assembly_get_place (assembly, place)->node;
  if (orrery_node_find (node, "frequency") != NULL)
    node = orrery_node_find (node, "frequency");
  orrery_assembly_warn (node, ORRERY_PART (component), words);
}

static void
add_pipeline (OrreryAssembly *assembly, OrreryComponent *component)
{
  double base = orrery_runner_get_settings (assembly->runner)->frequency;
  double frequency = orrery_component_get_frequency (component);
  OrreryPipeline *pipeline =
      orrery_pipeline_new (component, frequency, base, is_thread_safe (assembly, component));

  if (frequency > base)
    warn_of_frequency (assembly, component, frequency, base);
  orrery_runner_add_pipeline (assembly->runner, pipeline);
  g_hash_table_insert (assembly->pipelines, component, pipeline);
}

/* --- who commands the same --- */

static const char *
name_kind (guint kind)
{
  return kind == ORRERY_COMMAND_POSE       ? "the pose"
         : kind == ORRERY_COMMAND_WHEEL    ? "the wheels"
         : kind == ORRERY_COMMAND_VELOCITY ? "the velocity"
                                           : "the same";
}

static void
append_rivals (GString *words, GPtrArray *rivals)
{
  guint n = MIN (rivals->len, MAX_RIVALS);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (words, "%s%s",
                            i == 0                 ? ""
                            : i + 1 == rivals->len ? " and "
                                                   : ", ",
                            orrery_part_get_name (rivals->pdata[i]));
  if (n < rivals->len)
    g_string_append_printf (words, " and %u more", rivals->len - n);
}

static void
warn_of_rivals (OrreryAssembly *assembly, const OrreryDeclared *what, GPtrArray *rivals)
{
  OrreryPart *last = rivals->pdata[rivals->len - 1];
  g_autoptr (GString) words = g_string_new (NULL);
  guint place = 0;

  append_rivals (words, rivals);
  g_string_append_printf (words,
                          " command %s of %s: in a tick the one that acts last wins, which is %s",
                          name_kind (what->kind),
                          orrery_object_get_name (
                              orrery_world_get_object (assembly->world, what->object)),
                          orrery_part_get_name (last));
  g_ptr_array_find (assembly->components, last, &place);
  orrery_assembly_warn (orrery_assembly_get_place (assembly, place)->node, last, words->str);
}

/* A plugin may say anything, and a worker may send it. */
static gboolean
is_of_world (OrreryAssembly *assembly, const OrreryDeclared *declared)
{
  return declared->object < orrery_world_get_n_objects (assembly->world) &&
         declared->kind <= ORRERY_COMMAND_WHEEL;
}

/* @actuators: in the order in which they act; the order of the warnings is that of their first. */
static void
find_rivals (OrreryAssembly *assembly, GPtrArray *actuators)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, NULL);
  g_autoptr (GPtrArray) groups =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();

  for (guint i = 0; i < actuators->len; i++) {
    GArray *commands = orrery_part_get_commands (actuators->pdata[i]);

    for (guint j = 0; commands != NULL && j < commands->len; j++) {
      OrreryDeclared *declared = &g_array_index (commands, OrreryDeclared, j);
      GPtrArray *group = g_hash_table_lookup (known, declared);

      if (!is_of_world (assembly, declared))
        continue;
      if (group == NULL) {
        group = g_ptr_array_new ();
        g_ptr_array_add (groups, group);
        g_ptr_array_add (keys, declared);
        g_hash_table_insert (known, declared, group);
      }
      if (!g_ptr_array_find (group, actuators->pdata[i], NULL))
        g_ptr_array_add (group, actuators->pdata[i]);
    }
  }
  for (guint i = 0; i < groups->len; i++)
    if (((GPtrArray *) groups->pdata[i])->len > 1)
      warn_of_rivals (assembly, keys->pdata[i], groups->pdata[i]);
}

static void
add_phase (OrreryAssembly *assembly, GPtrArray *all, GType type, guint first)
{
  g_autoptr (GPtrArray) ordered = order_phase (assembly, all, type, first);

  if (type == ORRERY_TYPE_ACTUATOR)
    find_rivals (assembly, ordered);

  for (guint i = 0; i < ordered->len; i++)
    add_pipeline (assembly, ordered->pdata[i]);
}

void
orrery_assembly_add_pipelines (OrreryAssembly *assembly, guint first)
{
  gboolean morse = assembly->scene->environment.component_order == ORRERY_COMPONENT_ORDER_MORSE;
  g_autoptr (GPtrArray) others = morse ? list_by_age (assembly) : list_in_order (assembly);

  /* Robots see nothing of each other: their order is that of the tree. */
  add_phase (assembly, morse ? assembly->components : others, ORRERY_TYPE_ROBOT, first);
  add_phase (assembly, others, ORRERY_TYPE_SENSOR, first);
  add_phase (assembly, others, ORRERY_TYPE_ACTUATOR, first);
}
