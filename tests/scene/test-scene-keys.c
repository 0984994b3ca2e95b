/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of keys: their defaults, what they read, and that the world's own defaults agree. */
#include "scene/orrery-scene-keys-private.h"

#include <math.h>
#include <orrery.h>
#include <string.h>

static OrreryNode *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  OrreryNode *node = orrery_node_parse_json (text, strlen (text), "scene", &error);

  g_assert_no_error (error);
  return node;
}

/* Members that have no default stay 0 in both. */
static void
test_world (void)
{
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  OrreryObject *object = orrery_world_add_object (world, "a", NULL, NULL);
  OrreryBody body = *orrery_object_get_body (object);
  OrreryLamp lamp = *orrery_object_add_lamp (object);
  OrreryJoint joint, expected;

  orrery_keys_init (&orrery_body_keys, &body);
  g_assert_cmpmem (&body, sizeof body, orrery_object_get_body (object), sizeof body);
  orrery_keys_init (&orrery_lamp_keys, &lamp);
  g_assert_cmpmem (&lamp, sizeof lamp, orrery_object_get_lamp (object), sizeof lamp);

  orrery_joint_init (&expected, ORRERY_JOINT_FIXED);
  joint = expected;
  orrery_keys_init (&orrery_joint_keys, &joint);
  g_assert_true (isnan (joint.initial) && isnan (joint.lower) && isnan (joint.upper));
  joint.kind = expected.kind;
  joint.initial = joint.lower = joint.upper = 0;
  g_assert_cmpmem (&joint, sizeof joint, &expected, sizeof expected);

  /* The control: a value that is read makes them differ. */
  body.mass = 7;
  g_assert_cmpint (memcmp (&body, orrery_object_get_body (object), sizeof body), !=, 0);
}

static void
test_values (void)
{
  g_autoptr (OrreryNode) node =
      parse ("{ \"kind\": \"sphere\", \"radius\": 2, \"solid\": false, \"color\": [1, 0, 0.5],"
             "  \"points\": [[1, 2, 3]] }");
  OrreryShapeKeys keys;
  OrreryProblems problems;

  orrery_problems_init (&problems);
  g_assert_true (orrery_keys_read (&problems, node, &orrery_shape_keys, &keys));
  g_assert_cmpuint (problems.n, ==, 0);
  g_assert_cmpint (keys.kind, ==, ORRERY_SHAPE_SPHERE);
  g_assert_cmpfloat (keys.radius, ==, 2);
  g_assert_true (isnan (keys.height) && isnan (keys.size.x));
  g_assert_false (keys.solid);
  g_assert_true (keys.visible);
  g_assert_cmpfloat (keys.color.z, ==, 0.5);
  g_assert_true (keys.points == orrery_node_find (node, "points"));
  orrery_problems_clear (&problems);
}

/* What the order of components needs: a script's components are numbered, others are not. */
static void
test_order (void)
{
  g_autoptr (OrreryNode) plain = parse ("{ \"name\": \"a\" }");
  g_autoptr (OrreryNode) first = parse ("{ \"name\": \"a\", \"created\": 0 }");
  g_autoptr (OrreryNode) environment = parse ("{ \"component_order\": \"morse\" }");
  OrreryEnvironment env;
  OrreryObjectKeys keys;
  OrreryProblems problems;

  orrery_problems_init (&problems);
  g_assert_true (orrery_keys_read (&problems, plain, &orrery_object_keys, &keys));
  g_assert_cmpuint (keys.created, ==, G_MAXUINT);
  g_assert_true (orrery_keys_read (&problems, first, &orrery_object_keys, &keys));
  g_assert_cmpuint (keys.created, ==, 0);
  orrery_keys_init (&orrery_environment_keys, &env);
  g_assert_cmpint (env.component_order, ==, ORRERY_COMPONENT_ORDER_SCENE);
  g_assert_true (orrery_keys_read (&problems, environment, &orrery_environment_keys, &env));
  g_assert_cmpint (env.component_order, ==, ORRERY_COMPONENT_ORDER_MORSE);
  g_assert_cmpuint (problems.n, ==, 0);
  orrery_problems_clear (&problems);
}

/* What is wrong is told of and keeps its default; a required key that is wrong fails the whole. */
static void
test_problems (void)
{
  g_autoptr (OrreryNode) node =
      parse ("{ \"kind\": \"spere\", \"radius\": -1, \"visible\": 1, \"colour\": [1, 0, 0] }");
  static const char *const told[] = { "scene:1:48: a shape has no key 'colour'; did you mean color",
                                      "scene:1:11: no kind is called 'spere'; did you mean sphere",
                                      "scene:1:30: 'radius' is -1, out of range: 1e-06 to 1e+06",
                                      "scene:1:45: 'visible' is an integer, not a bool" };
  OrreryShapeKeys keys;
  OrreryProblems problems;

  orrery_problems_init (&problems);
  g_assert_false (orrery_keys_read (&problems, node, &orrery_shape_keys, &keys));
  g_assert_cmpuint (problems.lines->len, ==, G_N_ELEMENTS (told));
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_assert_cmpstr (problems.lines->pdata[i], ==, told[i]);
  g_assert_true (isnan (keys.radius));
  g_assert_true (keys.visible);
  orrery_problems_clear (&problems);
}

/* Every key has a member of its own, and its default is in its range. */
static void
test_tables (void)
{
  for (guint i = 0; i < orrery_n_scene_tables; i++)
    for (guint j = 0; j < orrery_scene_tables[i]->n_keys; j++) {
      const OrreryKey *key = &orrery_scene_tables[i]->keys[j];

      g_test_message ("%s.%s", orrery_scene_tables[i]->name, key->name);
      for (guint k = 0; k < j; k++) {
        const OrreryKey *other = &orrery_scene_tables[i]->keys[k];

        g_assert_cmpstr (key->name, !=, other->name);
        g_assert_true (key->member != other->member || other->type == ORRERY_KEY_VERSION);
      }
      if ((key->type == ORRERY_KEY_NUMBER || key->type == ORRERY_KEY_COUNT) &&
          !isnan (key->value[0])) {
        g_assert_cmpfloat (key->value[0], >=, key->low);
        g_assert_cmpfloat (key->value[0], <=, key->high);
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene-keys/world", test_world);
  g_test_add_func ("/scene-keys/values", test_values);
  g_test_add_func ("/scene-keys/order", test_order);
  g_test_add_func ("/scene-keys/problems", test_problems);
  g_test_add_func ("/scene-keys/tables", test_tables);
  return g_test_run ();
}
