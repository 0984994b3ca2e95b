/* SPDX-License-Identifier: BSD-3-Clause */
#include "scene/orrery-scene-private.h"

#include <glib/gstdio.h>

/* What a scene says of scripts and of their order; that it is refused where it is wrong is shown by
 * broken/. */

typedef struct {
  OrreryRegistry *registry;
  OrreryWorld *world;
  OrreryProblems problems;
  OrreryScene *scene;
} Fixture;

/* @text: members of the scene, in JSON with ' for ". */
static void
load (Fixture *f, const char *text)
{
  g_autofree char *dir = g_dir_make_tmp ("orrery-scripts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "scene.json", NULL);
  g_autofree char *json = g_strconcat ("{'orrery': 1, ", text, "}", NULL);
  GError *error = NULL;

  f->registry = orrery_registry_new ();
  f->world = orrery_world_new ();
  orrery_problems_init (&f->problems);
  f->scene = orrery_scene_new (f->registry, f->world, &f->problems);
  g_assert_true (g_file_set_contents (path, g_strdelimit (json, "'", '"'), -1, NULL));
  orrery_scene_read (f->scene, path, &error);
  g_assert_no_error (error);
  orrery_scene_build (f->scene);
  orrery_problems_report (&f->problems, &error);
  g_assert_no_error (error);
  g_remove (path);
  g_rmdir (dir);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  orrery_scene_free (f->scene);
  orrery_problems_clear (&f->problems);
  g_clear_object (&f->world);
  g_clear_object (&f->registry);
}

/* `object/type classpath`, in the order of calls. */
static void
assert_order (Fixture *f, const char *expected)
{
  OrreryOrderInput input = orrery_scene_get_order_input (f->scene);
  g_autoptr (GArray) order = orrery_order_scripts (&input);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < order->len; i++) {
    OrreryOrderEntry *entry = &g_array_index (order, OrreryOrderEntry, i);

    for (guint j = 0; j < f->scene->scripts.places->len; j++) {
      OrreryScriptPlace *place = &g_array_index (f->scene->scripts.places, OrreryScriptPlace, j);

      if (place->type == entry->type && place->index == entry->index)
        g_string_append_printf (text, "%s/%d %s; ",
                                place->object != NULL ? orrery_object_get_name (place->object) : "",
                                place->type, place->classpath);
    }
  }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_settings (Fixture *f, gconstpointer data)
{
  const OrreryOrderObject *a;
  OrreryOrderInput input;

  g_test_summary ("each key is where it belongs; what is absent has its default");
  load (f, "'objects': [{ 'name': 'a', 'priority': 'last', 'scripts_inactive': true, 'scripts': ["
           " { 'type': 'customization', 'classpath': 'x.Y', 'priority': 'first',"
           "   'traversal': 'forward', 'enabled': false },"
           " { 'type': 'child', 'classpath': 'x.Z', 'properties': { 'speed': 1 } }],"
           " 'objects': [{ 'name': 'b', 'priority': 'first' }] }]");
  input = orrery_scene_get_order_input (f->scene);
  g_assert_cmpint (input.rule, ==, ORRERY_ORDER_TREE);
  g_assert_cmpuint (input.n_objects, ==, 2);
  a = &input.objects[0];
  g_assert_cmpint (a->parent, ==, -1);
  g_assert_cmpint (a->priority, ==, ORRERY_PRIORITY_LAST);
  g_assert_true (a->inactive);
  g_assert_true (a->scripts[ORRERY_SCRIPT_CUSTOMIZATION].is_there);
  g_assert_false (a->scripts[ORRERY_SCRIPT_CUSTOMIZATION].enabled);
  g_assert_cmpint (a->scripts[ORRERY_SCRIPT_CUSTOMIZATION].priority, ==, ORRERY_PRIORITY_FIRST);
  g_assert_cmpint (a->scripts[ORRERY_SCRIPT_CUSTOMIZATION].traversal, ==, ORRERY_TRAVERSAL_FORWARD);
  g_assert_true (a->scripts[ORRERY_SCRIPT_CHILD].is_there);
  g_assert_true (a->scripts[ORRERY_SCRIPT_CHILD].enabled);
  g_assert_cmpint (a->scripts[ORRERY_SCRIPT_CHILD].priority, ==, ORRERY_PRIORITY_NORMAL);
  g_assert_cmpint (a->scripts[ORRERY_SCRIPT_CHILD].traversal, ==, ORRERY_TRAVERSAL_REVERSE);
  g_assert_cmpint (input.objects[1].parent, ==, 0);
  g_assert_cmpint (input.objects[1].priority, ==, ORRERY_PRIORITY_FIRST);
  g_assert_false (input.objects[1].scripts[ORRERY_SCRIPT_CHILD].is_there);
  g_assert_false (input.sandbox.is_there);
}

#define SCENE                                                                                      \
  "'objects': ["                                                                                   \
  " { 'name': 'a', 'scripts': [{ 'type': 'child', 'classpath': 'x.A' }], 'objects': ["             \
  "   { 'name': 'b', 'objects': ["                                                                 \
  "     { 'name': 'c', 'scripts': [{ 'type': 'customization', 'classpath': 'x.C' },"               \
  "                                { 'type': 'child', 'classpath': 'x.D' }] }] },"                 \
  "   { 'name': 'e', 'priority': 'first', 'scripts': ["                                            \
  "     { 'type': 'child', 'classpath': 'x.E', 'priority': 'last' }] }] }]"
#define PROGRAM                                                                                    \
  "'add_ons': [{ 'classpath': 'x.Late', 'priority': 'last' }, { 'classpath': 'x.Off',"             \
  " 'enabled': false }, { 'classpath': 'x.Add' }], 'sandbox': { 'classpath': 'x.Sand' }"

static void
test_order (Fixture *f, gconstpointer data)
{
  load (f, "'environment': {" PROGRAM "}," SCENE);
  assert_order (f,
                "a.b.c/0 x.D; a.e/0 x.E; a/0 x.A; a.b.c/1 x.C; /2 x.Add; /2 x.Late; /3 x.Sand; ");
}

static void
test_level (Fixture *f, gconstpointer data)
{
  load (f, "'environment': { 'script_order': 'level' }," SCENE);
  assert_order (f, "a.b.c/0 x.D; a.e/0 x.E; a/0 x.A; a.b.c/1 x.C; ");
}

static void
test_level_by_objects (Fixture *f, gconstpointer data)
{
  g_test_summary ("by level, the priority of the object counts, not that of its script");
  load (f, "'environment': { 'script_order': 'level' }, 'objects': ["
           "{ 'name': 'a', 'scripts': [{ 'type': 'child', 'classpath': 'x.A',"
           "  'priority': 'first' }] },"
           "{ 'name': 'b', 'priority': 'first', 'scripts': [{ 'type': 'child',"
           "  'classpath': 'x.B', 'priority': 'last' }] }]");
  assert_order (f, "b/0 x.B; a/0 x.A; ");
}

static void
test_later_objects (Fixture *f, gconstpointer data)
{
  OrreryOrderInput input;
  OrreryObject *object;

  g_test_summary ("objects that come into the world behind the scene are there, too");
  load (f, SCENE);
  object = orrery_world_add_object (f->world, "late", orrery_world_get_object (f->world, 1), NULL);
  g_assert_nonnull (object);
  input = orrery_scene_get_order_input (f->scene);
  g_assert_cmpuint (input.n_objects, ==, 5);
  g_assert_cmpint (input.objects[4].parent, ==, 1);
  g_assert_false (input.objects[4].scripts[ORRERY_SCRIPT_CHILD].is_there);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/scene/scene-scripts/settings", Fixture, NULL, NULL, test_settings, teardown);
  g_test_add ("/scene/scene-scripts/order", Fixture, NULL, NULL, test_order, teardown);
  g_test_add ("/scene/scene-scripts/level", Fixture, NULL, NULL, test_level, teardown);
  g_test_add ("/scene/scene-scripts/level-by-objects", Fixture, NULL, NULL, test_level_by_objects,
              teardown);
  g_test_add ("/scene/scene-scripts/later-objects", Fixture, NULL, NULL, test_later_objects,
              teardown);
  return g_test_run ();
}
