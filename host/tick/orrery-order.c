/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts scripts and components into the order in which a tick calls them. */
#include "tick/orrery-order-private.h"

#include "base/orrery-heap-private.h"

#define NONE (-1)

static const OrreryPriority priorities[] = { ORRERY_PRIORITY_FIRST, ORRERY_PRIORITY_NORMAL,
                                             ORRERY_PRIORITY_LAST };

/* --- the tree, with its siblings in order --- */

/* Indices of objects, or NONE. */
typedef struct {
  const OrreryOrderObject *objects;
  guint n;
  int root;   /* the first root */
  int *first; /* of an object: its first child */
  int *next;  /* its next sibling */
} Walk;

typedef OrreryPriority (*PriorityFunc) (const OrreryOrderObject *object);

static OrreryPriority
get_object_priority (const OrreryOrderObject *object)
{
  return object->priority;
}

static OrreryPriority
get_script_priority (const OrreryScriptSettings *script)
{
  return script->is_there ? script->priority : ORRERY_PRIORITY_NORMAL;
}

static OrreryPriority
get_child_priority (const OrreryOrderObject *object)
{
  return get_script_priority (&object->scripts[ORRERY_SCRIPT_CHILD]);
}

static OrreryPriority
get_customization_priority (const OrreryOrderObject *object)
{
  return get_script_priority (&object->scripts[ORRERY_SCRIPT_CUSTOMIZATION]);
}

/* Lists of siblings are built back to front, so the last objects are inserted first. */
static void
walk_init (Walk *walk, const OrreryOrderObject *objects, guint n, PriorityFunc get_priority)
{
  *walk = (Walk){ objects, n, NONE, g_new (int, n), g_new (int, n) };
  for (guint i = 0; i < n; i++)
    walk->first[i] = NONE;
  for (guint p = G_N_ELEMENTS (priorities); p-- > 0;)
    for (guint i = n; i-- > 0;) {
      int *list = objects[i].parent != NONE ? &walk->first[objects[i].parent] : &walk->root;

      if (get_priority (&objects[i]) != priorities[p])
        continue;
      walk->next[i] = *list;
      *list = (int) i;
    }
}

static void
walk_clear (Walk *walk)
{
  g_free (walk->first);
  g_free (walk->next);
}

/* --- scripts, by branches --- */

typedef struct {
  Walk walk;
  OrreryScriptType type;
  gboolean *forward; /* of each object: how it is traversed */
  GArray *out;       /* (element-type OrreryOrderEntry) */
} Branches;

static void
call (GArray *out, OrreryScriptType type, const OrreryScriptSettings *script, guint index)
{
  OrreryOrderEntry entry = { type, index };

  if (script->is_there && script->enabled)
    g_array_append_val (out, entry);
}

static void
call_own (Branches *branches, int object, gboolean forward)
{
  const OrreryOrderObject *objects = branches->walk.objects;

  if (branches->forward[object] == forward)
    call (branches->out, branches->type, &objects[object].scripts[branches->type], (guint) object);
}

static gboolean
find_forward (Branches *branches, int object)
{
  const OrreryOrderObject *o = &branches->walk.objects[object];
  const OrreryScriptSettings *script = &o->scripts[branches->type];

  if (script->is_there && script->traversal != ORRERY_TRAVERSAL_PARENT)
    return script->traversal == ORRERY_TRAVERSAL_FORWARD;
  return o->parent != NONE && branches->forward[o->parent];
}

/* Returns: the object to descend to, or NONE */
static int
enter (Branches *branches, int object)
{
  if (branches->walk.objects[object].inactive)
    return NONE;
  branches->forward[object] = find_forward (branches, object);
  call_own (branches, object, TRUE);
  return branches->walk.first[object];
}

/* All objects below this one were visited, which finishes it and every ancestor that ends with it.
 * Returns: the next object */
static int
leave (Branches *branches, int object)
{
  const Walk *walk = &branches->walk;

  for (; object != NONE; object = walk->objects[object].parent) {
    if (!walk->objects[object].inactive)
      call_own (branches, object, FALSE);
    if (walk->next[object] != NONE)
      return walk->next[object];
  }
  return NONE;
}

static void
add_by_branches (const OrreryOrderInput *input, OrreryScriptType type, GArray *out)
{
  Branches branches = { .type = type, .out = out, .forward = g_new0 (gboolean, input->n_objects) };
  int object;

  walk_init (&branches.walk, input->objects, input->n_objects,
             type == ORRERY_SCRIPT_CHILD ? get_child_priority : get_customization_priority);
  for (object = branches.walk.root; object != NONE;) {
    int below = enter (&branches, object);

    object = below != NONE ? below : leave (&branches, object);
  }
  walk_clear (&branches.walk);
  g_free (branches.forward);
}

/* --- objects, and scripts by depth --- */

static int
next_in_walk (const Walk *walk, int object)
{
  if (walk->first[object] != NONE)
    return walk->first[object];
  for (; object != NONE; object = walk->objects[object].parent)
    if (walk->next[object] != NONE)
      return walk->next[object];
  return NONE;
}

GArray *
orrery_order_objects (const OrreryOrderObject *objects, guint n)
{
  GArray *out = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  Walk walk;

  walk_init (&walk, objects, n, get_object_priority);
  for (int object = walk.root; object != NONE; object = next_in_walk (&walk, object))
    g_array_append_val (out, object);
  walk_clear (&walk);
  return out;
}

/* Computes for each object its depth, and whether it or one of its ancestors is inactive. */
typedef struct {
  guint *depth;
  gboolean *inactive;
  guint n_depths;
} Levels;

static Levels
find_levels (const OrreryOrderInput *input)
{
  Levels levels = { g_new (guint, input->n_objects), g_new (gboolean, input->n_objects), 0 };

  for (guint i = 0; i < input->n_objects; i++) {
    int parent = input->objects[i].parent;

    levels.depth[i] = parent != NONE ? levels.depth[parent] + 1 : 0;
    levels.inactive[i] = input->objects[i].inactive || (parent != NONE && levels.inactive[parent]);
    levels.n_depths = MAX (levels.n_depths, levels.depth[i] + 1);
  }
  return levels;
}

/* Sorts the traversal of the objects by depth, deepest first. A counting sort keeps the order of
 * objects of the same depth. */
static GArray *
sort_by_depth (const OrreryOrderInput *input, const Levels *levels)
{
  g_autoptr (GArray) walk = orrery_order_objects (input->objects, input->n_objects);
  GArray *out = g_array_sized_new (FALSE, FALSE, sizeof (guint), walk->len);
  g_autofree guint *starts = g_new0 (guint, levels->n_depths + 1);

  for (guint i = 0; i < input->n_objects; i++)
    starts[levels->depth[i]]++;
  for (guint depth = levels->n_depths, sum = 0; depth-- > 0;) {
    guint n = starts[depth];

    starts[depth] = sum;
    sum += n;
  }
  g_array_set_size (out, walk->len);
  for (guint i = 0; i < walk->len; i++) {
    guint object = g_array_index (walk, guint, i);

    g_array_index (out, guint, starts[levels->depth[object]]++) = object;
  }
  return out;
}

static void
add_by_depth (const OrreryOrderInput *input, GArray *out)
{
  Levels levels = find_levels (input);
  g_autoptr (GArray) sorted = sort_by_depth (input, &levels);

  for (OrreryScriptType type = 0; type < ORRERY_ORDER_N_TREE_TYPES; type++)
    for (guint i = 0; i < sorted->len; i++) {
      guint object = g_array_index (sorted, guint, i);

      if (!levels.inactive[object])
        call (out, type, &input->objects[object].scripts[type], object);
    }
  g_free (levels.depth);
  g_free (levels.inactive);
}

/* --- all scripts --- */

static void
add_add_ons (const OrreryOrderInput *input, GArray *out)
{
  for (guint p = 0; p < G_N_ELEMENTS (priorities); p++)
    for (guint i = 0; i < input->n_add_ons; i++)
      if (input->add_ons[i].priority == priorities[p])
        call (out, ORRERY_SCRIPT_ADD_ON, &input->add_ons[i], i);
}

static gboolean
has_type (const OrreryOrderInput *input, OrreryScriptType type)
{
  for (guint i = 0; i < input->n_objects; i++)
    if (input->objects[i].scripts[type].is_there)
      return TRUE;
  return FALSE;
}

GArray *
orrery_order_scripts (const OrreryOrderInput *input)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (OrreryOrderEntry));

  if (input->rule == ORRERY_ORDER_LEVEL)
    add_by_depth (input, out);
  else
    for (OrreryScriptType type = 0; type < ORRERY_ORDER_N_TREE_TYPES; type++)
      if (has_type (input, type))
        add_by_branches (input, type, out);
  add_add_ons (input, out);
  call (out, ORRERY_SCRIPT_SANDBOX, &input->sandbox, 0);
  return out;
}

/* --- sources --- */

/* The readers of part i are readers[starts[i]] to readers[starts[i + 1] - 1]. */
typedef struct {
  guint n;
  guint *starts;
  guint *readers;
  guint *n_missing; /* of each part: number of sources that are not placed yet */
} Sources;

static void
sources_init (Sources *self, guint n, const OrreryOrderSource *sources, guint n_sources)
{
  self->n = n;
  self->starts = g_new0 (guint, n + 2);
  self->readers = g_new (guint, n_sources);
  self->n_missing = g_new0 (guint, n);
  for (guint i = 0; i < n_sources; i++) {
    self->starts[sources[i].source + 2]++;
    self->n_missing[sources[i].reader]++;
  }
  for (guint i = 2; i < n + 2; i++)
    self->starts[i] += self->starts[i - 1];
  for (guint i = 0; i < n_sources; i++)
    self->readers[self->starts[sources[i].source + 1]++] = sources[i].reader;
}

static void
sources_clear (Sources *self)
{
  g_free (self->starts);
  g_free (self->readers);
  g_free (self->n_missing);
}

static void
push_ready (OrreryHeap *ready, guint part)
{
  orrery_heap_push (ready, (OrreryHeapEntry){ .key = part });
}

/* Places the parts that wait for no source, lowest number first, until there are no more. */
static GArray *
place_parts (Sources *self)
{
  GArray *out = g_array_sized_new (FALSE, FALSE, sizeof (guint), self->n);
  OrreryHeap ready = { 0 };

  for (guint i = 0; i < self->n; i++)
    if (self->n_missing[i] == 0)
      push_ready (&ready, i);
  while (ready.n > 0) {
    guint part = (guint) ready.entries[0].key;

    orrery_heap_drop_first (&ready);
    g_array_append_val (out, part);
    for (guint i = self->starts[part]; i < self->starts[part + 1]; i++)
      if (--self->n_missing[self->readers[i]] == 0)
        push_ready (&ready, self->readers[i]);
  }
  g_free (ready.entries);
  return out;
}

/* Each part that is left waits for another one that is left, so following the sources ends in a
 * cycle. */
static GArray *
find_ring (Sources *self, const OrreryOrderSource *sources, guint n_sources)
{
  GArray *ring = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *towards = g_new0 (guint, self->n);
  g_autofree gboolean *seen = g_new0 (gboolean, self->n);
  guint part = 0;
  guint first;

  for (guint i = n_sources; i-- > 0;)
    if (self->n_missing[sources[i].source] > 0)
      towards[sources[i].reader] = sources[i].source;
  while (self->n_missing[part] == 0)
    part++;
  for (; !seen[part]; part = towards[part])
    seen[part] = TRUE;
  first = part;
  do {
    g_array_append_val (ring, part);
    part = towards[part];
  } while (part != first);
  return ring;
}

GArray *
orrery_order_sources (guint n, const OrreryOrderSource *sources, guint n_sources, GArray **cycle)
{
  g_autoptr (GArray) out = NULL;
  Sources self;

  sources_init (&self, n, sources, n_sources);
  out = place_parts (&self);
  *cycle = out->len < n ? find_ring (&self, sources, n_sources) : NULL;
  sources_clear (&self);
  return *cycle == NULL ? g_steal_pointer (&out) : NULL;
}
