/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

#define BOX(size, at)                                                                              \
  "'shapes': [{'kind': 'box', 'size': " size ", 'position': " at ", 'solid': false}]"
#define ZONE(name, type, more)                                                                     \
  "{'name': '" name "', 'properties': {'Zone_Tag': true, " type "}, " more "}"
#define SCENE(more)                                                                                \
  ORRERY_TEST_KINEMATIC (                                                                          \
      ZONE ("dock", "'Type': 'Charging'",                                                          \
            "'position': [10, 20, 30], 'rotation': [0, 0, 0.7], " BOX (                            \
                "[2, 4, 6]",                                                                       \
                "[0, 0, 0]")) ", " ZONE ("wide", "'Type': 'Parking'",                              \
                                         BOX ("[1, 1, 1]",                                         \
                                              "[5, 0, 0]")) ", {'name': 'plain', 'properties': "   \
                                                            "{'Type': 'Charging'}}"                \
                                                            ", {'name': 'off', 'properties': "     \
                                                            "{'Zone_Tag': false, 'Type': "         \
                                                            "'Charging'}}" more)

static void
test_find (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (""));
  OrreryWorld *world = orrery_simulation_get_world (sim);
  g_autoptr (GArray) all = orrery_world_find_zones (world, NULL, NULL);
  g_autoptr (GArray) charging = orrery_world_find_zones (world, "Charging", NULL);
  g_autoptr (GArray) none = orrery_world_find_zones (world, "charging", NULL);

  g_test_summary ("zones are objects that are tagged, in scene order, of all types or of one");
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpuint (charging->len, ==, 1);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpstr (orrery_object_get_name (g_array_index (all, OrreryZone, 0).object), ==, "dock");
  g_assert_cmpstr (orrery_object_get_name (g_array_index (all, OrreryZone, 1).object), ==, "wide");
  assert_near (g_array_index (all, OrreryZone, 1).low.x, 4.5, 1e-12);
  assert_near (g_array_index (all, OrreryZone, 1).high.x, 5.5, 1e-12);
}

static void
test_tagged_later (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (""));
  OrreryWorld *world = orrery_simulation_get_world (sim);
  OrreryObject *dock = orrery_world_find_object (world, "dock");
  OrreryObject *wide = orrery_world_find_object (world, "wide");
  g_autoptr (GArray) one = NULL;
  g_autoptr (GArray) both = NULL;

  g_test_summary ("what is tagged and untagged in a run counts; the order is that of the scene");
  orrery_object_set_value (dock, "Zone_Tag", NULL);
  one = orrery_world_find_zones (world, NULL, NULL);
  g_assert_cmpuint (one->len, ==, 1);
  g_assert_true (g_array_index (one, OrreryZone, 0).object == wide);
  orrery_object_set_value (dock, "Zone_Tag", g_variant_new_boolean (TRUE));
  both = orrery_world_find_zones (world, NULL, NULL);
  g_assert_cmpuint (both->len, ==, 2);
  g_assert_true (g_array_index (both, OrreryZone, 0).object == dock);
}

/* s, for as many searches as there are objects */
static double
search_all (guint n)
{
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  gint64 start;

  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("thing%u", i);

    g_assert_nonnull (orrery_world_add_object (world, name, NULL, NULL));
  }
  start = g_get_monotonic_time ();
  for (guint i = 0; i < n; i++) {
    g_autoptr (GArray) zones = orrery_world_find_zones (world, "Charging", NULL);

    g_assert_cmpuint (zones->len, ==, 0);
  }
  return (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

static void
test_linear (void)
{
  g_test_summary (
      "a search looks at what is tagged only: 20,000 among 20,000 objects take no time");
  g_assert_cmpfloat (search_all (20000), <, 1.0);
}

static void
test_contains (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (SCENE (""));
  OrreryWorld *world = orrery_simulation_get_world (sim);
  g_autoptr (GArray) zones = orrery_world_find_zones (world, "Charging", NULL);
  const OrreryZone *zone = &g_array_index (zones, OrreryZone, 0);

  g_test_summary ("faces belong to the zone and lie along the world's axes");
  g_assert_true (orrery_zone_contains (zone, &(OrreryVec3){ 10, 20, 30 }));
  g_assert_true (orrery_zone_contains (zone, &(OrreryVec3){ 11, 22, 33 }));
  g_assert_true (orrery_zone_contains (zone, &(OrreryVec3){ 9, 18, 27 }));
  g_assert_false (orrery_zone_contains (zone, &(OrreryVec3){ 11.0001, 20, 30 }));
  g_assert_false (orrery_zone_contains (zone, &(OrreryVec3){ 10, 17.9999, 30 }));
  g_assert_false (orrery_zone_contains (zone, &(OrreryVec3){ 10, 20, 33.0001 }));
  g_assert_false (orrery_zone_contains (zone, &(OrreryVec3){ NAN, 20, 30 }));
}

static void
test_no_extent (void)
{
  g_autoptr (OrrerySimulation) sim =
      orrery_test_load (SCENE (", " ZONE ("point", "'Type': 'Odd'", "'position': [0, 0, 0]")));
  g_autoptr (GError) error = NULL;

  g_test_summary ("a zone without extent is an error where it is asked for");
  g_assert_null (orrery_world_find_zones (orrery_simulation_get_world (sim), "Odd", &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_nonnull (strstr (error->message, "zone 'point' has no extent"));
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/world/zone/find", test_find);
  g_test_add_func ("/world/zone/tagged-later", test_tagged_later);
  g_test_add_func ("/world/zone/linear", test_linear);
  g_test_add_func ("/world/zone/contains", test_contains);
  g_test_add_func ("/world/zone/no-extent", test_no_extent);
  return g_test_run ();
}
