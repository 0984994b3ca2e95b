/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"
#include "order-fixture.h"

#include <string.h>

/* The run is the order: what Trace tells of a run is what `orrery order` says, phase by phase. */

#define N_TREES 1000
#define TRACE "orrery.scripts.trace.Trace"

/* --- scenes --- */

static const char *const types[] = { "child", "customization" };
static const char *const priorities[] = { "first", "normal", "last" };
static const char *const traversals[] = { "reverse", "forward", "parent" };

static const char *
get_priority (OrreryPriority priority)
{
  return priorities[priority - ORRERY_PRIORITY_FIRST];
}

static void
write_script (GString *text, const char *type, const OrreryScriptSettings *settings)
{
  g_string_append_printf (text,
                          "{'type': '%s', 'classpath': '" TRACE "', 'priority': '%s', "
                          "'traversal': '%s', 'enabled': %s}, ",
                          type, get_priority (settings->priority), traversals[settings->traversal],
                          settings->enabled ? "true" : "false");
}

/* JSON has no comma before a bracket. */
static void
end_list (GString *text)
{
  if (g_str_has_suffix (text->str, ", "))
    g_string_truncate (text, text->len - 2);
  g_string_append (text, "]");
}

static void
write_objects (GString *text, const Tree *tree, int parent)
{
  g_string_append (text, "[");
  for (guint i = 0; i < tree->objects->len; i++) {
    const OrreryOrderObject *object = &g_array_index (tree->objects, OrreryOrderObject, i);

    if (object->parent != parent)
      continue;
    g_string_append_printf (text, "{'name': '%s', 'priority': '%s', 'scripts_inactive': %s, ",
                            (char *) tree->names->pdata[i], get_priority (object->priority),
                            object->inactive ? "true" : "false");
    g_string_append (text, "'scripts': [");
    for (guint k = 0; k < G_N_ELEMENTS (types); k++)
      if (object->scripts[k].is_there)
        write_script (text, types[k], &object->scripts[k]);
    end_list (text);
    g_string_append (text, ", 'objects': ");
    write_objects (text, tree, (int) i);
    g_string_append (text, "}, ");
  }
  end_list (text);
}

static Stage *
load (const Tree *tree, OrreryOrderRule rule)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text,
                          "{'orrery': 1, 'environment': {'start': 0, 'script_order': '%s', "
                          "'add_ons': [{'classpath': '" TRACE "'}], "
                          "'sandbox': {'classpath': '" TRACE "'}, " STAGE_KINEMATIC
                          "}, 'objects': ",
                          rule == ORRERY_ORDER_TREE ? "tree" : "level");
  write_objects (text, tree, -1);
  g_string_append (text, "}");
  stage_log_clear ();
  return stage_new (text->str, NULL);
}

/* --- what is said, and what was done --- */

typedef enum { CHILDREN = 1, OTHERS = 2, ALL = 3 } Which;

static gboolean
is_one_of (const char *type, Which which)
{
  return (which & (g_str_equal (type, "child") ? CHILDREN : OTHERS)) != 0;
}

/* `object/type`, a line each. */
static char *
get_order (Stage *stage, const char *phase, Which which)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) order = orrery_simulation_get_order (stage->simulation, phase, &error);
  GString *text = g_string_new (NULL);
  const char *object, *type;
  GVariantIter iter;

  g_assert_no_error (error);
  g_variant_iter_init (&iter, order);
  while (g_variant_iter_next (&iter, "(&s&s&s&s)", NULL, &object, &type, NULL))
    if (is_one_of (type, which))
      g_string_append_printf (text, "%s/%s\n", object, type);
  return g_string_free (text, FALSE);
}

/* The same of the log; of scripts of the program the name says the type alone. */
static char *
get_run (const char *phase, const char *ending, Which which)
{
  g_autofree char *pattern = g_strdup_printf ("* %s tick *%s", phase, ending);
  g_auto (GStrv) lines = stage_log_list (G_LOG_LEVEL_MESSAGE, pattern);
  GString *text = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++) {
    g_autofree char *name = g_strndup (*line, strcspn (*line, " "));
    const char *type = g_str_has_prefix (name, "add-on/") ? "add-on" : strrchr (name, '/');
    gboolean program = g_str_equal (name, "sandbox") || g_str_has_prefix (name, "add-on/");

    type = type == NULL ? name : type + (*type == '/');
    if (is_one_of (type, which))
      g_string_append_printf (text, "%s%s\n", program ? "-/" : "", program ? type : name);
  }
  return g_string_free (text, FALSE);
}

static void
check_phase (Stage *stage, const char *phase, const char *ending, Which which)
{
  g_autofree char *order = get_order (stage, phase, which);
  g_autofree char *run = get_run (phase, ending, which);

  g_assert_cmpstr (run, ==, order);
}

/* One of each callback that a scene without contacts and joints has. */
static void
live (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  stage_step (stage, 1);
  orrery_simulation_pause (stage->simulation);
  orrery_simulation_idle (stage->simulation, 1, &error);
  g_assert_no_error (error);
  orrery_simulation_resume (stage->simulation);
  orrery_simulation_stop (stage->simulation, &error);
  g_assert_no_error (error);
  orrery_simulation_idle (stage->simulation, 1, &error);
  g_assert_no_error (error);
  orrery_simulation_close (stage->simulation);
}

static void
check_run (Stage *stage)
{
  static const char *const phases[] = { "sensing",       "actuation",         "thread",
                                        "suspend",       "suspended",         "resume",
                                        "dyn",           "before_simulation", "after_simulation",
                                        "non_simulation" };

  live (stage);
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    check_phase (stage, phases[i], g_str_equal (phases[i], "dyn") ? "before substep 1" : "", ALL);
  /* Child scripts live for a run, others longer. */
  check_phase (stage, "init", "", CHILDREN);
  check_phase (stage, "init", "", OTHERS);
  check_phase (stage, "cleanup", "", CHILDREN);
  check_phase (stage, "cleanup", "", OTHERS);
}

/* --- examples --- */

static const struct {
  const char *name;
  OrreryOrderRule rule;
  const char *tree;
  const char *order;
} examples[] = {
  { "priority", ORRERY_ORDER_TREE, "1, 2(f), 3(l)", "2 1 3" },
  { "reverse", ORRERY_ORDER_TREE, "P{C}", "C P" },
  { "forward", ORRERY_ORDER_TREE, "P(F){C}", "P C" },
  { "scene", ORRERY_ORDER_TREE,
    "A(l){A1}, B(f){B1(F){-x, B2(lP){-y, B3{B4, B5(l)}}}}, -C{C1(l), -C2{C3(F){C4}}}",
    "B1 B2 B4 B5 B3 B C3 C4 C1 A1 A" },
  { "siblings", ORRERY_ORDER_TREE, "-g1{a(l), b}, -g2{e(f), d}", "b a e d" },
  { "level", ORRERY_ORDER_LEVEL, "s5{s3}, s6{c9{s1, c8}}, s7{s4{s2}}",
    "s1 s2 s3 s4 s5 s6 s7 c8 c9" },
};

/* The last parts of the names of those that sensed, without those of the program. */
static char *
show_sensing (void)
{
  g_autofree char *run = get_run ("sensing", "", ALL);
  g_auto (GStrv) lines = g_strsplit (run, "\n", -1);
  GString *text = g_string_new (NULL);

  for (char **line = lines; *line != NULL && !g_str_has_prefix (*line, "-/"); line++) {
    const char *dot;

    *strchr (*line, '/') = '\0';
    dot = strrchr (*line, '.');
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", dot != NULL ? dot + 1 : *line);
  }
  return g_string_free (text, FALSE);
}

static void
test_example (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  Tree tree = tree_new ();
  g_autoptr (Stage) stage = NULL;
  g_autofree char *shown = NULL;

  tree_read (&tree, examples[i].tree, -1);
  stage = load (&tree, examples[i].rule);
  check_run (stage);
  shown = show_sensing ();
  g_assert_cmpstr (shown, ==, examples[i].order);
  tree_clear (&tree);
}

/* --- trees --- */

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20170405);

  g_test_summary ("1,000 trees run in the order that is printed, in every phase");
  for (guint i = 0; i < N_TREES && !g_test_failed (); i++) {
    Tree tree = tree_new ();
    g_autoptr (Stage) stage = NULL;

    tree_draw (&tree, rand, 16);
    stage = load (&tree, i % 2 == 0 ? ORRERY_ORDER_TREE : ORRERY_ORDER_LEVEL);
    check_run (stage);
    if (g_test_failed ())
      g_test_message ("tree %u", i);
    tree_clear (&tree);
  }
}

/* The comparison sees what runs in another order. */
static void
test_control (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint n_seen = 0;

  g_test_summary ("a run by one rule is not the order by the other");
  for (guint i = 0; i < 50; i++) {
    Tree tree = tree_new ();
    g_autoptr (Stage) stage = NULL;
    g_autoptr (Stage) other = NULL;
    g_autofree char *order = NULL;
    g_autofree char *run = NULL;

    tree_draw (&tree, rand, 16);
    other = load (&tree, ORRERY_ORDER_LEVEL);
    order = get_order (other, "sensing", ALL);
    stage = load (&tree, ORRERY_ORDER_TREE);
    stage_step (stage, 1);
    run = get_run ("sensing", "", ALL);
    n_seen += !g_str_equal (run, order);
    tree_clear (&tree);
  }
  g_assert_cmpuint (n_seen, >, 25);
}

static void
test_add_ons (void)
{
  g_autofree char *scene =
      stage_scene ("{'start': 0, " STAGE_KINEMATIC ", 'add_ons': ["
                   "{'classpath': '" TRACE "', 'priority': 'last'}, {'classpath': '" TRACE "'}, "
                   "{'classpath': '" TRACE "', 'priority': 'first'}, "
                   "{'classpath': '" TRACE "', 'enabled': false}, "
                   "{'classpath': '" TRACE "'}]}",
                   "", "");
  g_autoptr (Stage) stage = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *all = NULL;

  stage_log_clear ();
  stage = stage_new (scene, NULL);
  stage_step (stage, 1);
  lines = stage_log_list (G_LOG_LEVEL_MESSAGE, "* sensing *");
  all = g_strjoinv ("\n", lines);
  g_assert_cmpstr (all, ==,
                   "add-on/Trace#2 sensing tick 0 time 0.016667\n"
                   "add-on/Trace#1 sensing tick 0 time 0.016667\n"
                   "add-on/Trace#4 sensing tick 0 time 0.016667\n"
                   "add-on/Trace#0 sensing tick 0 time 0.016667");
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *path = g_strconcat ("/scripts/order/example/", examples[i].name, NULL);

    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_example);
  }
  g_test_add_func ("/scripts/order/add-ons", test_add_ons);
  g_test_add_func ("/scripts/order/random", test_random);
  g_test_add_func ("/scripts/order/control", test_control);
  return g_test_run ();
}
