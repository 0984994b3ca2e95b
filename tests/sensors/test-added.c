/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <string.h>

/* What is added to a scene while it runs is met by the parts that the scene had before, exactly as
 * in a scene whose `spawnables` it was among from the start. */

#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions (void);

/* Drivers of OpenGL keep what they have until the process ends. */
__attribute__ ((visibility ("default"))) const char *
__lsan_default_suppressions (void)
{
  return "leak:libEGL\nleak:libGL\nleak:libLLVM\nleak:libOSMesa\nleak:_dri.so\n";
}
#endif

#define DYNAMIC "{'start': 0, 'frequency': 60, 'import': 'empty'}"
#define PLAIN "{'start': 0, 'frequency': 60, " STAGE_KINEMATIC "}"

#define PART(name, classpath, more)                                                                \
  "{'name': '" name "', 'classpath': 'orrery." classpath "', 'frequency': 60" more "}"
#define ROBOT(more, parts)                                                                         \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot'" more ", 'objects': [" parts "]}"
#define SHAPES "'shapes': [{'kind': 'box', 'size': [0.4, 0.4, 0.4], 'color': [1, 0, 0]}]"
#define THING(body, properties)                                                                    \
  "{'name': 'thing', 'position': [0, 0, 90], 'body': {" body "}, " SHAPES                          \
  ", 'properties': {" properties "}}"
#define STATIC "'type': 'static'"
#define RIGID "'type': 'rigid', 'mass': 2"
/* Comes before the thing, and is not what is looked for. */
#define OTHER                                                                                      \
  "{'name': 'other', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 80], "             \
  "'properties': {'External_Robot_Tag': true, 'Type': 'Crate'}, " SHAPES "}"
#define SIZE "'cam_width': 64, 'cam_height': 48"

typedef struct {
  const char *environment;
  const char *objects;
  const char *thing;
  const char *part; /* whose records are compared */
  const char *ask;  /* (nullable): its service, whose answers are */
  const char *met;  /* (nullable): pattern of its record once the thing is spawned */
  OrreryVec3 at;    /* where it is */
} Trial;

/* The scene that had both from the start, and the one to which they are added. */
typedef struct {
  const Trial *trial;
  Stage *first;
  Stage *later;
} Pair;

static void
pair_clear (Pair *pair)
{
  g_clear_pointer (&pair->first, stage_free);
  g_clear_pointer (&pair->later, stage_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

static Stage *
make (const Trial *trial, const char *tables)
{
  g_autofree char *scene = stage_scene (trial->environment, tables, trial->objects);

  return stage_new (scene, NULL);
}

static void
add (Stage *stage, const char *object, guint count)
{
  g_autofree char *json = g_strdelimit (g_strdup (object), "'", '"');
  g_autoptr (GError) error = NULL;

  orrery_simulation_add_spawnable (stage->simulation, json, count, NULL, &error);
  g_assert_no_error (error);
}

/* --- comparing --- */

static char *
ask (const Pair *pair, Stage *stage)
{
  g_autoptr (GVariant) answer = stage_call (stage, pair->trial->part, pair->trial->ask, NULL);

  return answer != NULL ? g_variant_print (answer, TRUE) : g_strdup ("");
}

static gboolean
has_part (Stage *stage, const char *part)
{
  return orrery_simulation_find_component (stage->simulation, part) != NULL;
}

static void
compare_poses (const Pair *pair)
{
  OrrerySnapshot *a = stage_get_snapshot (pair->first), *b = stage_get_snapshot (pair->later);
  guint n = MIN (orrery_snapshot_get_n_objects (a), orrery_snapshot_get_n_objects (b));

  for (guint i = 0; i < n; i++)
    g_assert_cmpmem (orrery_snapshot_get_pose (a, i), sizeof (OrreryTransform),
                     orrery_snapshot_get_pose (b, i), sizeof (OrreryTransform));
}

static void
compare (const Pair *pair)
{
  const Trial *trial = pair->trial;
  g_autofree char *a = NULL, *b = NULL;

  compare_poses (pair);
  if (!has_part (pair->later, trial->part))
    return;
  a = stage_json (pair->first, trial->part);
  b = stage_json (pair->later, trial->part);
  g_assert_cmpstr (a, ==, b);
}

static void
compare_answers (const Pair *pair)
{
  g_autofree char *a = NULL, *b = NULL;

  if (pair->trial->ask == NULL)
    return;
  a = ask (pair, pair->first);
  b = ask (pair, pair->later);
  g_assert_cmpstr (a, ==, b);
}

static void
step (const Pair *pair, guint n)
{
  for (guint i = 0; i < n; i++) {
    stage_step (pair->first, 1);
    stage_step (pair->later, 1);
    compare (pair);
  }
}

/* The record without its time. Returns: (transfer full) (nullable): NULL: there is no such part */
static char *
get_record (const Pair *pair)
{
  g_autofree char *json = NULL;
  const char *rest;

  if (!has_part (pair->later, pair->trial->part))
    return NULL;
  json = stage_json (pair->later, pair->trial->part);
  rest = strchr (json, ',');
  g_assert_nonnull (rest);
  return g_strdup (rest);
}

/* --- a run --- */

static void
begin (Pair *pair, const Trial *trial)
{
  g_autofree char *tables =
      g_strdup_printf ("'spawnables': [{'object': " OTHER "}, {'count': 2, 'object': %s}],",
                       trial->thing);

  pair->trial = trial;
  pair->first = make (trial, tables);
  pair->later = make (trial, "");
  step (pair, 3);
  add (pair->later, OTHER, 1);
  step (pair, 3);
  add (pair->later, trial->thing, 2);
  compare_answers (pair);
  step (pair, 3);
}

static void
spawn (const Pair *pair, const char *kind, const OrreryVec3 *at)
{
  g_autofree char *a = stage_spawn (pair->first, kind, at->x, at->y, at->z);
  g_autofree char *b = stage_spawn (pair->later, kind, at->x, at->y, at->z);

  g_assert_cmpstr (a, ==, b);
}

static void
assert_met (const Pair *pair, const char *before)
{
  const char *met = pair->trial->met;
  g_autofree char *now = get_record (pair);

  g_assert_cmpstr (now, !=, before);
  if (met == NULL)
    return;
  if (!g_pattern_match_simple (met, now))
    g_test_message ("%s does not match %s", now, met);
  g_assert_true (g_pattern_match_simple (met, now));
  g_assert_false (before != NULL && g_pattern_match_simple (met, before));
}

static void
meet (const Pair *pair, guint n)
{
  g_autofree char *before = get_record (pair);

  spawn (pair, "other", &(OrreryVec3){ pair->trial->at.x, pair->trial->at.y + 1, 0.6 });
  step (pair, 2);
  spawn (pair, "thing", &pair->trial->at);
  step (pair, n);
  assert_met (pair, before);
  compare_answers (pair);
}

static void
reset (Stage *stage)
{
  g_autoptr (GError) error = NULL;

  orrery_simulation_reset (stage->simulation, &error);
  g_assert_no_error (error);
}

/* What was added stays after a reset. */
static void
play (const Trial *trial, guint n)
{
  g_auto (Pair) pair = { NULL };

  begin (&pair, trial);
  meet (&pair, n);
  reset (pair.first);
  reset (pair.later);
  step (&pair, 2);
  meet (&pair, n);
}

/* --- touch --- */

#define TOUCHED                                                                                    \
  ", 'position': [0, 0, 1], 'body': {'type': 'rigid', 'mass': 10, 'gravity': false}, " SHAPES
#define FORCE(links) PART ("touch", "sensors.contact_force.ContactForce", links)

static void
test_contact (void)
{
  static const Trial trial = { DYNAMIC,
                               ROBOT (TOUCHED, PART ("touch", "sensors.contact.Contact", "")),
                               THING (RIGID, ""),
                               "robot.touch",
                               .met = "*thing_1*",
                               .at = { 0, 0, 1.41 } };

  g_test_summary ("Contact names a body that was added");
  play (&trial, 12);
}

static void
test_contact_force (void)
{
  static const Trial trials[] = {
    { DYNAMIC, ROBOT (TOUCHED, FORCE (", 'properties': {'Links': '*'}")), THING (RIGID, ""),
      "robot.touch", .met = "*thing_1*", .at = { 0, 0, 1.41 } },
    { DYNAMIC, ROBOT (TOUCHED, FORCE ("")), THING (RIGID, ""), "robot.touch", .met = "*thing_1*",
      .at = { 0, 0, 1.41 } },
  };

  g_test_summary ("ContactForce tells of a body that was added, which is not its robot's");
  for (guint i = 0; i < G_N_ELEMENTS (trials); i++)
    play (&trials[i], 12);
}

#define BOT                                                                                        \
  "{'name': 'thing', 'classpath': 'orrery.core.robot.Robot', 'position': [0, 0, 90], 'body': "     \
  "{" RIGID "}, " SHAPES ", 'objects': [" FORCE (", 'properties': {'Links': '*'}") "]}"

static void
test_own (void)
{
  static const Trial trial = { DYNAMIC,         ROBOT ("", ""),     BOT,
                               "thing_1.touch", .met = "*thing_1*", .at = { 0, 0, 0.21 } };

  g_test_summary ("A robot that was added has parts that know their own robot");
  play (&trial, 12);
}

/* --- sight --- */

static void
test_proximity (void)
{
  static const Trial trials[] = {
    { PLAIN, ROBOT ("", PART ("near", "sensors.proximity.Proximity", "")),
      "{'name': 'thing', 'classpath': 'orrery.core.robot.Robot'}", "robot.near", .met = "*thing_1*",
      .at = { 2, 0, 0 } },
    { PLAIN,
      ROBOT ("", PART ("near", "sensors.proximity.Proximity", ", 'properties': {'Track': 'Cup'}")),
      THING (STATIC, "'Cup': false"), "robot.near", .met = "*thing_1*", .at = { 2, 0, 0 } },
  };

  g_test_summary ("Proximity lists robots and tagged objects that were added, others not");
  for (guint i = 0; i < G_N_ELEMENTS (trials); i++)
    play (&trials[i], 2);
}

static void
test_remission (void)
{
  static const Trial trial = {
    PLAIN,
    ROBOT ("", PART ("laser", "sensors.laserscanner.RSSILaserScanner",
                     ", 'properties': {'laser_range': 30, 'scan_window': 0, 'resolution': 1}")),
    THING (STATIC, "'Remission': 0.25"),
    "robot.laser",
    .met = "*\"remission_list\": ?0.25?*",
    .at = { 2, 0, 0 }
  };

  g_test_summary ("A laser has the remission of what was added");
  play (&trial, 2);
}

#define SEGMENTS(class, rays)                                                                      \
  ROBOT ("", PART ("eye", "sensors.segmentation_camera." class,                                    \
                   ", 'properties': {" SIZE ", 'with_rays': " rays "}"))                           \
  ", {'name': 'crate', 'position': [5, 1, 0], 'properties': {'Type': 'Crate'}, " SHAPES "}"
#define EYE(class) ROBOT ("", PART ("eye", "sensors." class, ", 'properties': {" SIZE "}"))

static void
test_ids (void)
{
  static const Trial trials[] = {
    { PLAIN, SEGMENTS ("SegmentationCamera", "true"), THING (STATIC, "'Type': 'Cup'"), "robot.eye",
      .ask = "get_labels", .met = "*\"name\": \"thing_1\", \"class\": \"Cup\"*",
      .at = { 3, 0, 0 } },
    { PLAIN, SEGMENTS ("BoundingBoxCamera", "true"), THING (STATIC, ""), "robot.eye",
      .ask = "get_labels", .met = "*\"name\": \"thing_1\", \"class\": \"unlabelled\"*",
      .at = { 3, 0, 0 } },
  };

  g_test_summary ("Cameras give ids to objects and classes that were added, behind the others");
  for (guint i = 0; i < G_N_ELEMENTS (trials); i++)
    play (&trials[i], 2);
}

#define MANY 1000u
#define TIMES 66u
#define ROOMY "{'start': 0, 'frequency': 60, 'room': 100000, " STAGE_KINEMATIC "}"

static void
test_too_many (void)
{
  static const Trial trial = { ROOMY, SEGMENTS ("SegmentationCamera", "true"), NULL, "robot.eye" };
  g_autoptr (Stage) stage = make (&trial, "");
  g_autoptr (GString) object = g_string_new ("{'name': 'many', 'objects': [{'name': 'first'}");

  g_test_summary ("A camera that has no ids for all that was added says so");
  stage_step (stage, 2);
  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (object, ", {'name': 'part%u'}", i);
  g_string_append (object, "]}");
  add (stage, object->str, TIMES);
  stage_call_fails (stage, "robot.eye", "get_labels", NULL, ORRERY_CALL_FAILED,
                    "the scene has * objects, the picture has ids for 65535");
  stage_step (stage, 2);
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*the picture has ids for 65535*"), >, 0);
}

static void
test_pictures (void)
{
  static const Trial trials[] = {
    { PLAIN, SEGMENTS ("SegmentationCamera", "false"), THING (STATIC, "'Type': 'Cup'"), "robot.eye",
      .ask = "get_labels", .met = "*\"thing_1\"*", .at = { 3, 0, 0 } },
    { PLAIN, EYE ("video_camera.VideoCamera"), THING (STATIC, ""), "robot.eye", .at = { 3, 0, 0 } },
    { PLAIN, EYE ("depth_camera.DepthCamera"), THING (STATIC, ""), "robot.eye", .at = { 3, 0, 0 } },
  };
  g_autoptr (OrreryRegistry) registry = orrery_registry_new ();

  g_test_summary ("What was added is drawn");
  if (orrery_registry_find_class (registry, "orrery.renderers.mujoco.MuJoCo", NULL) == NULL) {
    g_test_skip ("nothing that draws is built");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (trials); i++)
    play (&trials[i], 2);
}

static void
test_semantic (void)
{
  static const Trial trial = { PLAIN,
                               ROBOT ("", PART ("eye", "sensors.semantic_camera.SemanticCamera",
                                                ", 'properties': {" SIZE ", 'tag': 'Cup'}")),
                               THING (STATIC, "'Type': 'Cup', 'Label': 'mug'"),
                               "robot.eye",
                               .met = "*\"mug\"*",
                               .at = { 3, 0, 0 } };

  g_test_summary ("SemanticCamera looks for what was added");
  play (&trial, 2);
}

static void
test_search (void)
{
  static const Trial trial = { PLAIN,
                               ROBOT ("", PART ("search",
                                                "sensors.search_and_rescue.SearchAndRescue", "")),
                               THING (STATIC, "'Injured': true, 'Severity': 7"),
                               "robot.search",
                               .met = "*thing_1*",
                               .at = { 3, 0, 0 } };

  g_test_summary ("SearchAndRescue finds a victim that was added");
  play (&trial, 2);
}

static void
test_thermometer (void)
{
  static const Trial trial = { PLAIN,
                               ROBOT ("", PART ("air", "sensors.thermometer.Thermometer",
                                                ", 'properties': {'Alpha': 0}")),
                               THING (STATIC, "'Fire': 5.5"),
                               "robot.air",
                               .met = "*\"temperature\": 20.5*",
                               .at = { 3, 0, 0 } };

  g_test_summary ("Thermometer feels a fire that was added");
  play (&trial, 2);
}

/* --- hands --- */

/* Calls a service of both. Returns: the answer */
static char *
call (const Pair *pair, const char *part, const char *service, const char *arguments)
{
  g_autoptr (GVariant) a = stage_call (pair->first, part, service, arguments);
  g_autoptr (GVariant) b = stage_call (pair->later, part, service, arguments);
  char *text = b != NULL ? g_variant_print (b, FALSE) : g_strdup ("");
  g_autofree char *same = a != NULL ? g_variant_print (a, FALSE) : g_strdup ("");

  g_assert_cmpstr (text, ==, same);
  return text;
}

/* It is held in the air, and falls once it is let go. */
static void
check_held (const Pair *pair)
{
  step (pair, 30);
  g_assert_cmpfloat (stage_get_place (pair->later, "thing_1")->z, >, 1.99);
}

static void
test_grasp (void)
{
  static const Trial trial = {
    DYNAMIC,
    ROBOT (", 'position': [0, 0, 2]",
           PART ("hand", "actuators.grasp.Grasp", ", 'rotation': [0, 1.5707963267948966, 0]")),
    THING (RIGID, "'Graspable': true"), "robot.hand", .at = { 0.4, 0, 2 }
  };
  g_auto (Pair) pair = { NULL };
  g_autofree char *name = NULL, *before = NULL;

  g_test_summary ("Grasp takes hold of what was added");
  begin (&pair, &trial);
  before = call (&pair, "robot.hand", "grab", NULL);
  g_assert_cmpstr (before, ==, "");
  spawn (&pair, "thing", &trial.at);
  step (&pair, 1);
  name = call (&pair, "robot.hand", "grab", NULL);
  g_assert_cmpstr (name, ==, "'thing_1'");
  check_held (&pair);
}

static void
test_hand (void)
{
  static const Trial trial = {
    DYNAMIC,
    "{'name': 'robot', 'classpath': 'orrery.core.grasping_robot.GraspingRobot', 'position': [0, 0, "
    "2], 'objects': [{'name': 'hand', 'properties': {'Grasper': true}}, " PART ("pose",
                                                                                "sensors.pose.Pose",
                                                                                "") "]}",
    THING (RIGID, "'Graspable': true"), "robot.pose", .at = { 0.4, 0, 2 }
  };
  g_auto (Pair) pair = { NULL };
  g_autofree char *none = NULL;

  g_test_summary ("The hand of a robot takes what was added");
  begin (&pair, &trial);
  stage_call_fails (pair.later, "robot", "grasp", "[<true>, <'thing_1'>]", ORRERY_CALL_FAILED,
                    "there is nothing called thing_1*");
  spawn (&pair, "thing", &trial.at);
  step (&pair, 1);
  none = call (&pair, "robot", "grasp", "[<true>, <'thing_1'>]");
  check_held (&pair);
}

/* --- radars --- */

/* The thing stands beside the cones, where rays do not meet it: its margin reaches into one. */
static void
test_radar (void)
{
  static const Trial trial = {
    PLAIN,
    ROBOT (", 'position': [1, 2, 0.5]", PART ("waypoint", "actuators.waypoint.Waypoint", "")),
    THING (STATIC ", 'margin': 0.5", ""), "robot.waypoint", .at = { 5, 1, 1.3 }
  };
  g_auto (Pair) pair = { NULL };
  g_autofree char *set = NULL;

  g_test_summary ("Waypoint goes round what was added");
  begin (&pair, &trial);
  set = call (&pair, "robot.waypoint", "setdest", "[<15.0>, <2.1>, <0.0>]");
  spawn (&pair, "thing", &trial.at);
  step (&pair, 60 * 5);
  /* The straight way is not beyond 2.1 m. */
  g_assert_cmpfloat (stage_get_place (pair.later, "robot")->y, >, 2.2);
}

/* --- a state --- */

static void
test_state (void)
{
  static const Trial trial = { PLAIN,
                               ROBOT ("", PART ("search",
                                                "sensors.search_and_rescue.SearchAndRescue", "")),
                               THING (STATIC, "'Injured': true, 'Severity': 7"),
                               "robot.search",
                               .met = "*thing_1*",
                               .at = { 3, 0, 0 } };
  g_auto (Pair) pair = { NULL };
  g_autoptr (Stage) third = make (&trial, "");
  g_autoptr (GBytes) state = NULL;
  g_autofree char *a = NULL, *b = NULL;

  g_test_summary ("A state with what was added is restored where it was not");
  begin (&pair, &trial);
  meet (&pair, 2);
  state = stage_save (pair.later);
  stage_restore (third, state);
  stage_step (third, 1);
  step (&pair, 1);
  a = stage_json (pair.later, trial.part);
  b = stage_json (third, trial.part);
  g_assert_cmpstr (a, ==, b);
  g_assert_nonnull (strstr (b, "thing_1"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/sensors/added/contact", test_contact);
  g_test_add_func ("/sensors/added/contact-force", test_contact_force);
  g_test_add_func ("/sensors/added/own", test_own);
  g_test_add_func ("/sensors/added/proximity", test_proximity);
  g_test_add_func ("/sensors/added/remission", test_remission);
  g_test_add_func ("/sensors/added/ids", test_ids);
  g_test_add_func ("/sensors/added/too-many", test_too_many);
  g_test_add_func ("/sensors/added/pictures", test_pictures);
  g_test_add_func ("/sensors/added/semantic", test_semantic);
  g_test_add_func ("/sensors/added/search", test_search);
  g_test_add_func ("/sensors/added/thermometer", test_thermometer);
  g_test_add_func ("/sensors/added/grasp", test_grasp);
  g_test_add_func ("/sensors/added/hand", test_hand);
  g_test_add_func ("/sensors/added/radar", test_radar);
  g_test_add_func ("/sensors/added/state", test_state);
  return g_test_run ();
}
