/* SPDX-License-Identifier: BSD-3-Clause */
#include "order-fixture.h"
#include "roles/orrery-callback-private.h"

/* Who is called when: by the examples, by what holds of every tree, and by a slow second reading.
 */

#define N_TREES 1000

static GArray *
order_tree (const Tree *tree, OrreryOrderRule rule)
{
  OrreryOrderInput input = tree_get_input (tree, rule);

  return orrery_order_scripts (&input);
}

static char *
show (const Tree *tree, GArray *order)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < order->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? " " : "",
        (char *) tree->names->pdata[g_array_index (order, OrreryOrderEntry, i).index]);
  return g_string_free (text, FALSE);
}

static char *
order_text (const char *text, OrreryOrderRule rule)
{
  Tree tree = tree_new ();
  g_autoptr (GArray) order = NULL;
  char *shown;

  tree_read (&tree, text, -1);
  order = order_tree (&tree, rule);
  shown = show (&tree, order);
  tree_clear (&tree);
  return shown;
}

/* --- examples --- */

typedef struct {
  const char *name;
  OrreryOrderRule rule;
  const char *tree;
  const char *order;
} Example;

static const Example examples[] = {
  { "none", ORRERY_ORDER_TREE, "", "" },
  { "priority", ORRERY_ORDER_TREE, "1, 2(f), 3(l)", "2 1 3" },
  { "ties", ORRERY_ORDER_TREE, "1(l), 2(f), 3, 4(l), 5(f), 6", "2 5 3 6 1 4" },
  { "reverse", ORRERY_ORDER_TREE, "P{C}", "C P" },
  { "forward", ORRERY_ORDER_TREE, "P(F){C}", "P C" },
  { "scene", ORRERY_ORDER_TREE,
    "A(l){A1}, B(f){B1(F){-x, B2(lP){-y, B3{B4, B5(l)}}}}, -C{C1(l), -C2{C3(F){C4}}}",
    "B1 B2 B4 B5 B3 B C3 C4 C1 A1 A" },
  { "siblings-alone", ORRERY_ORDER_TREE, "-g1{a(l), b}, -g2{e(f), d}", "b a e d" },
  { "parent-of-nobody", ORRERY_ORDER_TREE, "P(P){C(P)}", "C P" },
  { "parent-of-forward", ORRERY_ORDER_TREE, "P(F){Q(P){R(P)}}", "P Q R" },
  { "past-a-plain-one", ORRERY_ORDER_TREE, "P(F){-Q{R(P){S}}}", "P R S" },
  { "disabled-settings-count", ORRERY_ORDER_TREE, "a, P(fFd){Q(P){R(P)}}", "Q R a" },
  { "inactive", ORRERY_ORDER_TREE, "a, b(x){d{e}}, f(Fx){g}", "a" },
  { "priority-without-script", ORRERY_ORDER_TREE, "-a(l){a1}, b", "a1 b" },
  { "types", ORRERY_ORDER_TREE, "c1{s1}, s2{c2}, s3(f), c3(f)", "s3 s1 s2 c3 c1 c2" },
  /* A type's settings are none of the other's. */
  { "types-apart", ORRERY_ORDER_TREE, "c1(F){s1(P){s2(P){c2(P)}}}", "s2 s1 c1 c2" },
  { "level", ORRERY_ORDER_LEVEL, "s5{s3}, s6{c9{s1, c8}}, s7{s4{s2}}",
    "s1 s2 s3 s4 s5 s6 s7 c8 c9" },
  { "level-of-objects", ORRERY_ORDER_LEVEL, "-a(l){a1(l), a2}, b{b1, -b2(f){b3}}",
    "b3 b1 a2 a1 b" },
  { "level-inactive", ORRERY_ORDER_LEVEL, "a{b(x){d}, e(d), f}", "f a" },
  { "level-traversal", ORRERY_ORDER_LEVEL, "P(F){C}", "C P" },
};

static void
test_example (gconstpointer data)
{
  const Example *example = data;
  g_autofree char *order = order_text (example->tree, example->rule);

  g_assert_cmpstr (order, ==, example->order);
}

static void
test_program (void)
{
  const OrreryScriptSettings there = { .is_there = TRUE, .enabled = TRUE };
  OrreryScriptSettings add_ons[] = { there, there, there, there };
  OrreryOrderObject object = { .parent = -1, .scripts = { there, there } };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GArray) order = NULL;

  g_test_summary ("types one behind the other; add-ons by priority, then in the order added");
  add_ons[0].priority = ORRERY_PRIORITY_LAST;
  add_ons[2].priority = ORRERY_PRIORITY_FIRST;
  add_ons[1].enabled = FALSE;
  for (OrreryOrderRule rule = ORRERY_ORDER_TREE; rule <= ORRERY_ORDER_LEVEL; rule++) {
    OrreryOrderInput input = { rule, &object, 1, add_ons, G_N_ELEMENTS (add_ons), there };
    g_autoptr (GArray) found = orrery_order_scripts (&input);

    for (guint i = 0; i < found->len; i++)
      g_string_append_printf (text, "%u:%u ", g_array_index (found, OrreryOrderEntry, i).type,
                              g_array_index (found, OrreryOrderEntry, i).index);
  }
  g_assert_cmpstr (text->str, ==, "0:0 1:0 2:2 2:3 2:0 3:0 0:0 1:0 2:2 2:3 2:0 3:0 ");
}

/* --- a second reading of the rules, slow and by the letter --- */

/* Rules that are read wrongly on purpose: the comparison has to see each of them. */
typedef enum {
  AS_WRITTEN,
  FORWARD_BY_DEFAULT,
  PARENT_IS_REVERSE,
  DISABLED_SETS_NOTHING,
  PRIORITY_OF_OBJECTS,
  LATER_SIBLINGS_FIRST,
  INACTIVE_IS_ALONE,
  SHALLOW_FIRST,
  N_READINGS,
} Reading;

typedef struct {
  const OrreryOrderObject *objects;
  guint n;
  OrreryOrderRule rule;
  OrreryScriptType type;
  Reading reading;
  guint depth; /* in which scripts are noted; rule level */
  GArray *out;
} Reader;

static int
weigh (const Reader *reader, guint i)
{
  const OrreryScriptSettings *script = &reader->objects[i].scripts[reader->type];

  if ((reader->rule == ORRERY_ORDER_LEVEL) != (reader->reading == PRIORITY_OF_OBJECTS))
    return reader->objects[i].priority;
  return script->is_there ? (int) script->priority : 0;
}

static int
compare_siblings (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint *x = a, *y = b;
  int by_priority = weigh (data, *x) - weigh (data, *y);
  int by_place = (int) *x - (int) *y;

  return by_priority != 0                                     ? by_priority
         : ((Reader *) data)->reading == LATER_SIBLINGS_FIRST ? -by_place
                                                              : by_place;
}

static GArray *
list_children (Reader *reader, int parent)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < reader->n; i++)
    if (reader->objects[i].parent == parent)
      g_array_append_val (children, i);
  g_array_sort_with_data (children, compare_siblings, reader);
  return children;
}

static void
note (Reader *reader, guint i)
{
  const OrreryScriptSettings *script = &reader->objects[i].scripts[reader->type];
  OrreryOrderEntry entry = { reader->type, i };

  if (script->is_there && script->enabled)
    g_array_append_val (reader->out, entry);
}

static void visit_children (Reader *reader, int parent, gboolean forward, guint depth);

static void
visit (Reader *reader, guint i, gboolean forward, guint depth)
{
  const OrreryOrderObject *object = &reader->objects[i];
  const OrreryScriptSettings *script = &object->scripts[reader->type];

  if (script->is_there && script->traversal != ORRERY_TRAVERSAL_PARENT &&
      (script->enabled || reader->reading != DISABLED_SETS_NOTHING))
    forward = script->traversal == ORRERY_TRAVERSAL_FORWARD;
  if (script->is_there && script->traversal == ORRERY_TRAVERSAL_PARENT &&
      reader->reading == PARENT_IS_REVERSE)
    forward = FALSE;
  if (object->inactive && reader->reading != INACTIVE_IS_ALONE)
    return;
  if (object->inactive)
    visit_children (reader, (int) i, forward, depth + 1);
  else if (reader->rule == ORRERY_ORDER_LEVEL) {
    if (depth == reader->depth)
      note (reader, i);
    visit_children (reader, (int) i, FALSE, depth + 1);
  } else if (forward) {
    note (reader, i);
    visit_children (reader, (int) i, TRUE, depth + 1);
  } else {
    visit_children (reader, (int) i, FALSE, depth + 1);
    note (reader, i);
  }
}

static void
visit_children (Reader *reader, int parent, gboolean forward, guint depth)
{
  g_autoptr (GArray) children = list_children (reader, parent);

  for (guint i = 0; i < children->len; i++)
    visit (reader, g_array_index (children, guint, i), forward, depth);
}

static GArray *
read_by_the_letter (const Tree *tree, OrreryOrderRule rule, Reading reading)
{
  Reader reader = { .objects = (gpointer) tree->objects->data,
                    .n = tree->objects->len,
                    .rule = rule,
                    .reading = reading,
                    .out = g_array_new (FALSE, FALSE, sizeof (OrreryOrderEntry)) };

  for (reader.type = 0; reader.type < ORRERY_ORDER_N_TREE_TYPES; reader.type++)
    if (rule == ORRERY_ORDER_TREE)
      visit_children (&reader, -1, reading == FORWARD_BY_DEFAULT, 0);
    else
      for (guint i = 0; i < reader.n; i++) {
        reader.depth = reading == SHALLOW_FIRST ? i : reader.n - 1 - i;
        visit_children (&reader, -1, FALSE, 0);
      }
  return reader.out;
}

static gboolean
is_same (GArray *a, GArray *b)
{
  return a->len == b->len &&
         (a->len == 0 || memcmp (a->data, b->data, a->len * g_array_get_element_size (a)) == 0);
}

/* How many of the random trees a reading orders otherwise than the resolver does. */
static guint
count_differences (OrreryOrderRule rule, Reading reading, guint n_trees)
{
  guint n = 0;

  for (guint i = 0; i < n_trees; i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (i);
    g_autoptr (GArray) found = NULL;
    g_autoptr (GArray) expected = NULL;
    Tree tree = tree_new ();

    tree_draw (&tree, rand, 40);
    found = order_tree (&tree, rule);
    expected = read_by_the_letter (&tree, rule, reading);
    n += !is_same (found, expected);
    tree_clear (&tree);
  }
  return n;
}

static void
test_random (void)
{
  g_test_summary ("random trees are ordered as a slow reading of the rules orders them");
  g_assert_cmpuint (count_differences (ORRERY_ORDER_TREE, AS_WRITTEN, N_TREES), ==, 0);
  g_assert_cmpuint (count_differences (ORRERY_ORDER_LEVEL, AS_WRITTEN, N_TREES), ==, 0);
}

static void
test_wrong_readings (void)
{
  g_test_summary ("the same comparison sees each rule that is read wrongly");
  for (Reading reading = AS_WRITTEN + 1; reading < N_READINGS; reading++) {
    guint n = count_differences (ORRERY_ORDER_TREE, reading, 100);
    guint n_level = count_differences (ORRERY_ORDER_LEVEL, reading, 100);

    if (reading != SHALLOW_FIRST)
      g_assert_cmpuint (n, >, 5);
    if (reading >= PRIORITY_OF_OBJECTS)
      g_assert_cmpuint (n_level, >, 5);
  }
}

/* --- what holds of every tree --- */

/* Every object has one enabled script with default settings, of its own in a scene of its own. */
static void
make_plain (Tree *tree)
{
  for (guint i = 0; i < tree->objects->len; i++) {
    OrreryOrderObject *object = &g_array_index (tree->objects, OrreryOrderObject, i);

    *object = (OrreryOrderObject){ .parent = object->parent };
    object->scripts[ORRERY_SCRIPT_CHILD].is_there = TRUE;
    object->scripts[ORRERY_SCRIPT_CHILD].enabled = TRUE;
  }
}

static void
add_post_order (const Tree *tree, int parent, GArray *out)
{
  for (guint i = 0; i < tree->objects->len; i++) {
    OrreryOrderEntry entry = { ORRERY_SCRIPT_CHILD, i };

    if (g_array_index (tree->objects, OrreryOrderObject, i).parent != parent)
      continue;
    add_post_order (tree, (int) i, out);
    g_array_append_val (out, entry);
  }
}

static void
check_children_first (const Tree *tree, GArray *order)
{
  g_autofree guint *place = g_new0 (guint, tree->objects->len);

  g_assert_cmpuint (order->len, ==, tree->objects->len);
  for (guint i = 0; i < order->len; i++)
    place[g_array_index (order, OrreryOrderEntry, i).index] = i + 1;
  for (guint i = 0; i < tree->objects->len; i++) {
    int parent = g_array_index (tree->objects, OrreryOrderObject, i).parent;

    g_assert_cmpuint (place[i], >, 0);
    if (parent >= 0)
      g_assert_cmpuint (place[i], <, place[parent]);
  }
}

static void
test_properties (void)
{
  g_test_summary ("default settings: post-order by tree; by level, children before parents; each "
                  "object once");
  for (guint i = 0; i < N_TREES; i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (i);
    g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (OrreryOrderEntry));
    g_autoptr (GArray) by_tree = NULL;
    g_autoptr (GArray) by_level = NULL;
    Tree tree = tree_new ();

    tree_draw (&tree, rand, 60);
    make_plain (&tree);
    add_post_order (&tree, -1, expected);
    by_tree = order_tree (&tree, ORRERY_ORDER_TREE);
    by_level = order_tree (&tree, ORRERY_ORDER_LEVEL);
    g_assert_true (is_same (by_tree, expected));
    check_children_first (&tree, by_level);
    tree_clear (&tree);
  }
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (OrreryOrderEntry));
}

static void
test_same_set (void)
{
  g_test_summary ("both rules call the same scripts, each once, whatever the settings");
  for (guint i = 0; i < N_TREES; i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (i);
    g_autoptr (GArray) by_tree = NULL;
    g_autoptr (GArray) by_level = NULL;
    Tree tree = tree_new ();

    tree_draw (&tree, rand, 60);
    by_tree = order_tree (&tree, ORRERY_ORDER_TREE);
    by_level = order_tree (&tree, ORRERY_ORDER_LEVEL);
    g_array_sort (by_tree, compare_entries);
    g_array_sort (by_level, compare_entries);
    g_assert_true (is_same (by_tree, by_level));
    for (guint j = 1; j < by_tree->len; j++)
      g_assert_cmpint (compare_entries (&g_array_index (by_tree, OrreryOrderEntry, j - 1),
                                        &g_array_index (by_tree, OrreryOrderEntry, j)),
                       !=, 0);
    tree_clear (&tree);
  }
}

static void
test_deep (void)
{
  const guint n = 1000000;
  Tree tree = tree_new ();
  g_autoptr (GArray) by_tree = NULL;
  g_autoptr (GArray) by_level = NULL;

  g_test_summary ("a branch may be longer than any stack");
  g_array_set_size (tree.objects, n);
  for (guint i = 0; i < n; i++)
    g_array_index (tree.objects, OrreryOrderObject, i).parent = (int) i - 1;
  make_plain (&tree);
  by_tree = order_tree (&tree, ORRERY_ORDER_TREE);
  by_level = order_tree (&tree, ORRERY_ORDER_LEVEL);
  g_assert_cmpuint (by_tree->len, ==, n);
  g_assert_true (is_same (by_tree, by_level));
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (g_array_index (by_tree, OrreryOrderEntry, i).index, ==, n - 1 - i);
  tree_clear (&tree);
}

/* --- components --- */

static char *
show_numbers (GArray *numbers)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; numbers != NULL && i < numbers->len; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? " " : "", g_array_index (numbers, guint, i));
  return g_string_free (text, FALSE);
}

static void
test_objects (void)
{
  Tree tree = tree_new ();
  g_autoptr (GArray) order = NULL;
  g_autofree char *shown = NULL;

  g_test_summary ("parents before children, siblings by their own priority, then as in the scene");
  tree_read (&tree, "0(l){1(l), 2, 3(f)}, 4{5, 6(f){7}}, 8(f)", -1);
  order =
      orrery_order_objects (&g_array_index (tree.objects, OrreryOrderObject, 0), tree.objects->len);
  shown = show_numbers (order);
  g_assert_cmpstr (shown, ==, "8 4 6 7 5 0 3 2 1");
  tree_clear (&tree);
}

typedef struct {
  const char *name;
  OrreryOrderSource sources[4];
  guint n_sources;
  const char *order;
  const char *cycle;
} Reads;

/* Of five parts, 0 to 4. */
static const Reads reads[] = {
  { "nothing", { { 0, 0 } }, 0, "0 1 2 3 4", "" },
  { "what-is-before", { { 3, 1 } }, 1, "0 1 2 3 4", "" },
  { "what-is-behind", { { 0, 2 } }, 1, "1 2 0 3 4", "" },
  { "several", { { 0, 2 }, { 0, 4 }, { 1, 2 } }, 3, "2 1 3 4 0", "" },
  { "chain", { { 0, 1 }, { 1, 3 } }, 2, "2 3 1 0 4", "" },
  { "twice", { { 0, 1 }, { 0, 1 } }, 2, "1 0 2 3 4", "" },
  { "itself", { { 2, 2 } }, 1, "", "2" },
  { "ring", { { 1, 3 }, { 3, 4 }, { 4, 1 } }, 3, "", "1 3 4" },
  { "behind-a-ring", { { 0, 1 }, { 1, 3 }, { 3, 1 } }, 3, "", "1 3" },
};

static void
test_reads (gconstpointer data)
{
  const Reads *r = data;
  g_autoptr (GArray) cycle = NULL;
  g_autoptr (GArray) order = orrery_order_sources (5, r->sources, r->n_sources, &cycle);
  g_autofree char *shown = show_numbers (order);
  g_autofree char *shown_cycle = show_numbers (cycle);

  g_assert_cmpstr (shown, ==, r->order);
  g_assert_cmpstr (shown_cycle, ==, r->cycle);
}

static gboolean
can_go (guint part, const OrreryOrderSource *sources, guint n, const gboolean *placed)
{
  for (guint i = 0; i < n; i++)
    if (sources[i].reader == part && !placed[sources[i].source])
      return FALSE;
  return TRUE;
}

/* Again and again: the first that can go. */
static GArray *
place_slowly (guint n_parts, const OrreryOrderSource *sources, guint n)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree gboolean *placed = g_new0 (gboolean, n_parts);
  guint part = 0;

  while (part < n_parts)
    if (!placed[part] && can_go (part, sources, n, placed)) {
      g_array_append_val (out, part);
      placed[part] = TRUE;
      part = 0;
    } else {
      part++;
    }
  return out;
}

static gboolean
reads_directly (guint reader, guint source, const OrreryOrderSource *sources, guint n)
{
  for (guint i = 0; i < n; i++)
    if (sources[i].reader == reader && sources[i].source == source)
      return TRUE;
  return FALSE;
}

static void
check_ring (GArray *ring, const OrreryOrderSource *sources, guint n)
{
  for (guint i = 0; i < ring->len; i++)
    g_assert_true (reads_directly (g_array_index (ring, guint, i),
                                   g_array_index (ring, guint, (i + 1) % ring->len), sources, n));
}

static void
test_random_reads (void)
{
  guint n_rings = 0;

  g_test_summary ("always the first that misses nothing; a ring is one");
  for (guint i = 0; i < N_TREES; i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (i);
    OrreryOrderSource sources[24];
    guint n = (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (sources));
    g_autoptr (GArray) cycle = NULL;
    g_autoptr (GArray) order = NULL;
    g_autoptr (GArray) expected = NULL;

    for (guint j = 0; j < n; j++)
      sources[j] = (OrreryOrderSource){ (guint) g_rand_int_range (rand, 0, 20),
                                        (guint) g_rand_int_range (rand, 0, 20) };
    order = orrery_order_sources (20, sources, n, &cycle);
    expected = place_slowly (20, sources, n);
    g_assert_true ((order != NULL) == (expected->len == 20));
    g_assert_true ((order == NULL) == (cycle != NULL));
    if (order != NULL)
      g_assert_true (is_same (order, expected));
    else
      check_ring (cycle, sources, n);
    n_rings += cycle != NULL;
  }
  /* Both happen. */
  g_assert_cmpuint (n_rings, >, N_TREES / 20);
  g_assert_cmpuint (n_rings, <, N_TREES * 19 / 20);
}

/* --- callbacks --- */

static void
be_called (OrreryScript *script, OrreryTick *tick, GError **error)
{
}

static gboolean
be_asked (OrreryScript *script, OrreryTick *tick, GError **error)
{
  return TRUE;
}

static void
test_callbacks (void)
{
  OrreryScriptClass klass = { .sensing = be_called, .joint = be_asked, .cleanup = be_called };

  g_test_summary ("each has its name and its place in the class; names also as CoppeliaSim's");
  for (OrreryCallback i = 0; i < ORRERY_N_CALLBACKS; i++) {
    g_assert_cmpint (orrery_callback_find (orrery_callback_get_name (i)), ==, i);
    g_assert_true (orrery_callback_is_in_class (i, &klass) ==
                   (i == ORRERY_CALLBACK_SENSING || i == ORRERY_CALLBACK_JOINT ||
                    i == ORRERY_CALLBACK_CLEANUP));
    g_assert_true (orrery_callback_is_reverse (i) == (i == ORRERY_CALLBACK_CONTACT));
  }
  g_assert_cmpint (orrery_callback_find ("beforeInstanceSwitch"), ==,
                   ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH);
  g_assert_cmpint (orrery_callback_find ("nonSimulation"), ==, ORRERY_CALLBACK_NON_SIMULATION);
  g_assert_cmpint (orrery_callback_find ("sysCall_sensing"), ==, ORRERY_CALLBACK_SENSING);
  g_assert_cmpint (orrery_callback_find ("sysCall_nonSimulation"), ==,
                   ORRERY_CALLBACK_NON_SIMULATION);
  g_assert_cmpint (orrery_callback_find ("sysCall_afterInstanceSwitch"), ==,
                   ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH);
  g_assert_cmpint (orrery_callback_find ("sysCall_dyn"), ==, ORRERY_CALLBACK_DYN);
  g_assert_cmpint (orrery_callback_find ("sysCall_dynCallback"), ==, ORRERY_CALLBACK_DYN);
  g_assert_cmpint (orrery_callback_find ("sysCall_contactCallback"), ==, ORRERY_CALLBACK_CONTACT);
  g_assert_cmpint (orrery_callback_find ("sysCall_jointCallback"), ==, ORRERY_CALLBACK_JOINT);
  g_assert_cmpint (orrery_callback_find ("sysCall_sensingCallback"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("sysCall_non_simulation"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("dynCallback"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("sysCall_"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("syscall_sensing"), ==, -1);
  g_assert_cmpint (orrery_callback_find (""), ==, -1);
  g_assert_cmpint (orrery_callback_find ("Sensing"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("sense"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("beforesimulation"), ==, -1);
  g_assert_cmpint (orrery_callback_find ("before"), ==, -1);
}

/* A letter for each type that has it. */
static void
check_types (OrreryCallback callback, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (OrreryScriptType type = 0; type <= ORRERY_SCRIPT_SANDBOX; type++)
    if (orrery_callback_is_of_type (callback, type))
      g_string_append_c (text, "COAS"[type]);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_callback_types (void)
{
  check_types (ORRERY_CALLBACK_INIT, "COAS");
  check_types (ORRERY_CALLBACK_BEFORE_SIMULATION, "OAS");
  check_types (ORRERY_CALLBACK_AFTER_SIMULATION, "OAS");
  check_types (ORRERY_CALLBACK_SENSING, "COAS");
  check_types (ORRERY_CALLBACK_ACTUATION, "COAS");
  check_types (ORRERY_CALLBACK_NON_SIMULATION, "OAS");
  check_types (ORRERY_CALLBACK_SUSPEND, "COAS");
  check_types (ORRERY_CALLBACK_SUSPENDED, "COAS");
  check_types (ORRERY_CALLBACK_RESUME, "COAS");
  check_types (ORRERY_CALLBACK_THREAD, "COAS");
  check_types (ORRERY_CALLBACK_DYN, "CO");
  check_types (ORRERY_CALLBACK_CONTACT, "CO");
  check_types (ORRERY_CALLBACK_JOINT, "COAS");
  check_types (ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH, "OAS");
  check_types (ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH, "OAS");
  check_types (ORRERY_CALLBACK_CLEANUP, "COAS");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *path = g_strconcat ("/tick/order/example/", examples[i].name, NULL);

    g_test_add_data_func (path, &examples[i], test_example);
  }
  g_test_add_func ("/tick/order/program", test_program);
  g_test_add_func ("/tick/order/random", test_random);
  g_test_add_func ("/tick/order/wrong-readings", test_wrong_readings);
  g_test_add_func ("/tick/order/properties", test_properties);
  g_test_add_func ("/tick/order/same-set", test_same_set);
  g_test_add_func ("/tick/order/deep", test_deep);
  g_test_add_func ("/tick/order/objects", test_objects);
  for (guint i = 0; i < G_N_ELEMENTS (reads); i++) {
    g_autofree char *path = g_strconcat ("/tick/order/reads/", reads[i].name, NULL);

    g_test_add_data_func (path, &reads[i], test_reads);
  }
  g_test_add_func ("/tick/order/random-reads", test_random_reads);
  g_test_add_func ("/tick/order/callbacks", test_callbacks);
  g_test_add_func ("/tick/order/callback-types", test_callback_types);
  return g_test_run ();
}
