# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of CONTRIBUTING.md, followed in a copy of the tree: the files that they name, and no others, are enough."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

SOURCE = os.path.realpath(os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(os.path.dirname(__file__), "../..")))
BUILD = os.path.realpath(os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build")))
NOT_COPIED = ".git", "build", "pictures", "gallery", "__pycache__"

SENSOR = r"""/* SPDX-License-Identifier: BSD-3-Clause */
/* The height of the sensor above the origin. */
#include <orrery.h>

typedef struct {
  double z;
} HeightData;

static const OrreryField fields[] = {
  ORRERY_FIELD (HeightData, z, "m", "Height above the origin"),
};

G_DECLARE_FINAL_TYPE (OrreryHeight, orrery_height, ORRERY, HEIGHT, OrrerySensor)
struct _OrreryHeight {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryHeight, orrery_height, ORRERY_TYPE_SENSOR)

static void
orrery_height_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  HeightData *data = orrery_record_data (record);

  data->z = orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position.z;
}

static void
orrery_height_class_init (OrreryHeightClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_height_sense;
  ORRERY_CLASS_SET_DATA (klass, HeightData, fields);
}

static void
orrery_height_init (OrreryHeight *self)
{
}

ORRERY_PLUGIN ("Height", "BSD-3-Clause", ORRERY_CLASS (Height, OrreryHeight, orrery_height))
"""

SENSOR_TEST = r"""/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

static void
test_height (void)
{
  g_autoptr (OrrerySimulation) sim = orrery_test_load (ORRERY_TEST_KINEMATIC (
      "{'name': 'robot', 'classpath': 'orrery.robots.fakerobot.FakeRobot', 'position': [0, 0, 3], 'objects': ["
      "{'name': 'height', 'classpath': 'orrery.sensors.height.Height'}]}"));

  g_test_summary ("the height of a robot above the origin");
  orrery_test_step (sim, 1);
  assert_near (orrery_test_get (sim, "robot.height", "z"), 3, 1e-9);
}

int
main (int argc, char **argv)
{
  orrery_test_init (&argc, &argv);
  g_test_add_func ("/sensors/height", test_height);
  return g_test_run ();
}
"""

CODEC = r"""/* SPDX-License-Identifier: BSD-3-Clause */
/* A codec that writes how many fields a record has. */
#include <orrery.h>

G_DECLARE_FINAL_TYPE (OrreryTally, orrery_tally, ORRERY, TALLY, OrreryDatastream)
struct _OrreryTally {
  OrreryDatastream parent_instance;
};
G_DEFINE_FINAL_TYPE (OrreryTally, orrery_tally, ORRERY_TYPE_DATASTREAM)

static void
orrery_tally_encode (OrreryDatastream *codec, OrreryRecord *record, OrreryWriter *writer, GError **error)
{
  orrery_writer_append_text (writer, "fields: ");
  orrery_writer_append_int (writer, orrery_schema_get_n_fields (orrery_record_get_schema (record)));
  orrery_writer_append_char (writer, '\n');
}

static void
orrery_tally_class_init (OrreryTallyClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_tally_encode;
}

static void
orrery_tally_init (OrreryTally *self)
{
}

ORRERY_PLUGIN ("Tally", "BSD-3-Clause", ORRERY_CLASS (Tally, OrreryTally, orrery_tally, .direction = "OUT"))
"""

CODEC_TEST = r'''# SPDX-License-Identifier: BSD-3-Clause
"""What the codec writes into the file of its stream."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap

SCENE = {
    "orrery": 1,
    "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
    "objects": [{"name": "robot", "classpath": "orrery.robots.fakerobot.FakeRobot", "objects": [
        {"name": "clock", "classpath": "orrery.sensors.pose.Pose"}]}],
    "component_datastream": {"robot.clock": [["orrery.middleware.text_datastream.TextDatastreamManager",
                                              "orrery.middleware.tally.Tally", {}]]},
}


class Tally(unittest.TestCase):
    def test_tally(self):
        with tempfile.TemporaryDirectory() as place:
            with open(os.path.join(place, "scene.json"), "w") as file:
                json.dump(SCENE, file)
            subprocess.run([os.path.join(os.environ["ORRERY_TEST_BUILDDIR"], "bin/orrery"), "run", "scene.json", "--fast",
                            "--offline", "--ticks", "2"], cwd=place, check=True)
            with open(os.path.join(place, "robot.clock.txt")) as file:
                self.assertIn("fields: ", file.read())


if __name__ == "__main__":
    tap.main()
'''

KEY_TEST = r"""
/* A key that is absent, given, and out of its range. */
static void
test_lift (void)
{
  static const char *const scenes[] = { "{}", "{ \"lift\": 2.5 }", "{ \"lift\": -3 }" };
  static const double expected[] = { 0, 2.5, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++) {
    g_autoptr (OrreryNode) node = parse (scenes[i]);
    OrreryObjectKeys keys;
    OrreryProblems problems;

    orrery_problems_init (&problems);
    orrery_keys_read (&problems, node, &orrery_object_keys, &keys);
    g_assert_cmpfloat (keys.lift, ==, expected[i]);
    orrery_problems_clear (&problems);
  }
}
"""

# How the recipes are followed: by title, NAME and what becomes of each file, a new text or lines added to the old one.
NEW, ADD = "new", "add"
RECIPES = {
    "A new sensor": ("height", {
        "plugins/sensors/NAME.c": (NEW, SENSOR),
        "plugins/sensors/local.mk": (ADD, ("sensor_plugins += gyroscope\n", "sensor_plugins += height\n")),
        "tests/sensors/test-NAME.c": (NEW, SENSOR_TEST),
        "tests/sensors/local.mk": (ADD, ("sensors_tests += %D%/test-gps\n", "sensors_tests += %D%/test-height\n")),
    }),
    "A new scene key": ("lift", {
        "host/scene/orrery-scene-keys.c": (ADD, (
            '          "rad: roll, pitch, yaw: Rz(yaw) Ry(pitch) Rx(roll)"),\n',
            '  NUMBER ("lift", OrreryObjectKeys, lift, 0, 100, 0, "m, added to the height"),\n')),
        "host/scene/orrery-scene-keys-private.h": (ADD, ("  gboolean scripts_inactive;\n", "  double lift; /* m */\n")),
        "host/scene/orrery-scene.c": (ADD, ("  *position = orrery_vec3_add (position, &keys->position);\n",
                                            "  position->z += keys->lift;\n")),
        "tests/scene/test-scene-keys.c": (ADD, ("  g_assert_no_error (error);\n  return node;\n}\n", KEY_TEST), (
            '  g_test_add_func ("/scene-keys/tables", test_tables);\n',
            '  g_test_add_func ("/scene-keys/lift", test_lift);\n')),
        "tests/builder/test_schema.py": (ADD, ('    "object": ("joint", "visual"', ', "lift"')),
    }),
    "A new codec": ("tally", {
        "middleware/NAME.c": (NEW, CODEC),
        "middleware/local.mk": (ADD, ("MODULES += $(PLUGINTREE)/orrery/middleware/text_datastream.so\n",
                                      "MODULES += $(PLUGINTREE)/orrery/middleware/tally.so\nEXTRA_DIST += %D%/tally.c\n")),
        "tests/middleware/test_NAME.py": (NEW, CODEC_TEST),
        "tests/middleware/local.mk": (ADD, ("TESTS += $(middleware_clients)\n",
                                            "TESTS += %D%/test_tally.py\nEXTRA_DIST += %D%/test_tally.py\n")),
    }),
}
TARGETS = ("lib/orrery-1/plugins/orrery/sensors/height.so", "lib/orrery-1/plugins/orrery/middleware/tally.so",
           "tests/sensors/test-height", "lib/liborrery-1.so", "docs/scene.schema.json", "docs/scene.md",
           "tests/scene/test-scene-keys")

LIFTED = """{"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"}, "objects": [
  {"name": "robot", "classpath": "orrery.robots.fakerobot.FakeRobot", "position": [0, 0, 1],
   "lift": %s, "objects": [{"name": "pose", "classpath": "orrery.sensors.pose.Pose"}]}],
  "component_datastream": {"robot.pose": [["orrery.middleware.text_datastream.TextDatastreamManager",
                                           "orrery.middleware.text_datastream.Publisher", {}]]}}
"""


def recipe_files(text, title):
    """The files that the table below a heading names."""
    chapter = re.search(r"^### %s\n(.*?)(?=^##|\Z)" % re.escape(title), text, re.M | re.S).group(1)
    return re.findall(r"^\| `([^`]+)` \|", chapter, re.M)


def run(command, place, **environment):
    result = subprocess.run(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**{name: value for name, value in os.environ.items()
                                    if not name.startswith(("MAKE", "MFLAGS"))}, **environment})
    if result.returncode != 0:
        raise AssertionError("%s: %d\n%s" % (" ".join(command), result.returncode, result.stdout[-4000:]))
    return result.stdout


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.path.dirname(BUILD) != SOURCE or not os.access(SOURCE, os.W_OK):
            raise unittest.SkipTest("the build is not a folder of the source")
        if not shutil.which("automake"):
            raise unittest.SkipTest("no automake")
        place = tempfile.mkdtemp(prefix="orrery-recipes-")
        cls.addClassCleanup(shutil.rmtree, place, ignore_errors=True)
        cls.tree = os.path.join(place, "tree")
        cls.build = os.path.join(cls.tree, os.path.basename(BUILD))
        shutil.copytree(SOURCE, cls.tree, symlinks=True,
                        ignore=lambda folder, names: [name for name in names if name in NOT_COPIED or
                                                      name.startswith("build") and folder == SOURCE and name != "build-aux"])
        subprocess.run(["cp", "-a", BUILD, cls.build], check=True)
        cls.move_build()
        with open(os.path.join(SOURCE, "CONTRIBUTING.md"), encoding="utf-8") as file:
            cls.page = file.read()
        cls.follow()
        run(["make", "-s"] + list(TARGETS), cls.build)

    @classmethod
    def move_build(cls):
        """A build that was configured by an absolute path belongs to the copy now, with its dependencies."""
        names = [os.path.join(cls.build, name) for name in ("Makefile", "config.status")]
        names += [os.path.join(folder, name) for folder, _, files in os.walk(cls.build) for name in files
                  if name.endswith((".Po", ".module.d"))]
        for path in names:
            status = os.stat(path)
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            if SOURCE in text:
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text.replace(SOURCE, cls.tree))
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    @classmethod
    def follow(cls):
        for name, files in RECIPES.values():
            for file, (how, *changes) in files.items():
                path = os.path.join(cls.tree, file.replace("NAME", name))
                text = changes[0]
                if how == ADD:
                    with open(path, encoding="utf-8") as stream:
                        text = stream.read()
                    for change in changes:
                        assert text.count(change[0]) == 1, (path, change[0])
                        text = text.replace(change[0], "".join(change))
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text)

    def check_files(self, title):
        self.assertEqual(sorted(recipe_files(self.page, title)), sorted(RECIPES[title][1]))

    def check(self, command):
        said = run(command, self.build, ORRERY_TEST_BUILDDIR=self.build, ORRERY_TEST_SRCDIR=self.tree)
        self.assertIn("ok 1 ", said)
        self.assertNotIn("not ok", said)

    def test_a_sensor(self):
        self.check_files("A new sensor")
        self.check(["tests/sensors/test-height"])
        said = run(["bin/orrery", "plugins", "orrery.sensors.height.Height"], self.build)
        self.assertIn("Height above the origin", said)

    def test_a_codec(self):
        self.check_files("A new codec")
        self.check([sys.executable, os.path.join(self.tree, "tests/middleware/test_tally.py")])

    def test_a_scene_key(self):
        self.check_files("A new scene key")
        self.check(["tests/scene/test-scene-keys", "-p", "/scene-keys/lift"])
        with open(os.path.join(self.build, "docs/scene.schema.json"), encoding="utf-8") as stream:
            key = json.load(stream)["$defs"]["object"]["properties"]["lift"]
        self.assertEqual((key["type"], key["minimum"], key["maximum"]), ("number", 0, 100))
        with open(os.path.join(self.build, "docs/scene.md"), encoding="utf-8") as stream:
            self.assertRegex(stream.read(), r"\n\| `lift` \| .*0 to 100.* \| 0 \| m, added to the height \|\n")
        self.check([sys.executable, os.path.join(self.tree, "tests/builder/test_schema.py")])

        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "lifted.json")
            command = [os.path.join(self.build, "bin/orrery"), "run", path, "--fast", "--offline", "--ticks", "1"]
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(LIFTED % "2.5")
            run(command, place)
            with open(os.path.join(place, "robot.pose.txt"), encoding="utf-8") as stream:
                self.assertIn("\tz = 3.5", stream.read())

            with open(path, "w", encoding="utf-8") as stream:
                stream.write(LIFTED % "-3")
            with self.assertRaisesRegex(AssertionError, r"lifted\.json:3:\d+: 'lift' is -3, .*0 to 100"):
                run(command, place)

    def test_files_of_a_recipe(self):
        page = "### One\n\n| file | what |\n|---|---|\n| `a/b.c` | `c.d` |\n\n### Two\n\n| `e.f` | g |\n"
        self.assertEqual(recipe_files(page, "One"), ["a/b.c"])


if __name__ == "__main__":
    tap.main()
