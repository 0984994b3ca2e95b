# SPDX-License-Identifier: BSD-3-Clause
"""orrery.batch(): runs in processes, records as arrays; orrery.build(): scripts from Python."""

import json
import textwrap
import unittest

from native import missing

from support import SCENE, SCRIPT, ProgramCase

import tap

NOISY = SCENE.replace('"component_service"', '''"component_modifier": {
    "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {}]] },
  "component_service"''')

# A sensor whose record has all that is hard to stack, and which ends its process with seed 3.
ODD = """
#include <orrery.h>
#include <signal.h>
#include <stdio.h>

typedef struct {
  OrreryVec3 place;
  OrreryArray grows;
  OrreryText words;
} OddData;

static const OrreryField fields[] = {
  ORRERY_FIELD (OddData, place, "m", "somewhere"),
  ORRERY_FIELD (OddData, grows, "", "one more each tick"),
  ORRERY_FIELD (OddData, words, "", "a text"),
};

G_DECLARE_FINAL_TYPE (AcmeOdd, acme_odd, ACME, ODD, OrrerySensor)
struct _AcmeOdd {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (AcmeOdd, acme_odd, ORRERY_TYPE_SENSOR)

static void
acme_odd_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OddData *data = orrery_record_data (record);
  double values[16] = { 0 };

  data->place = (OrreryVec3){ 1, 2, 3 };
  orrery_array_set (&data->grows, values, (orrery_tick_get_number (tick) + 1) % 16);
  if (g_file_test ("abort", G_FILE_TEST_EXISTS) && remove ("abort") == 0)
    raise (SIGKILL);
}

static void
acme_odd_class_init (AcmeOddClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = acme_odd_sense;
  ORRERY_CLASS_SET_DATA (klass, OddData, fields);
}

static void
acme_odd_init (AcmeOdd *self)
{
}

ORRERY_PLUGIN ("Odd", "BSD-3-Clause", ORRERY_CLASS (Odd, AcmeOdd, acme_odd))
"""


@unittest.skipIf(missing(), missing())
class Batch(ProgramCase):
    def python(self, code, scene=NOISY):
        self.write("scene.json", scene)
        self.write("program.py", "import orrery\n" + textwrap.dedent(code))
        done = self.orrery("python", "program.py")
        self.check(done, 0)
        return done.stdout.split()

    def test_records_are_arrays_of_runs_and_samples(self):
        out = self.python("""
            b = orrery.batch("scene.json", seeds=[5, 9, 7], ticks=30, workers=2)
            print(len(b), list(b.records), b["robot.pose"].x.shape, b["robot.pose"].x.dtype, b.errors)
            print(b["robot.pose"].timestamp[1, 29], len(set(b.hashes)))
            """)
        self.assertEqual(" ".join(out), "3 ['robot.pose'] (3, 30) float64 {} 0.5 3")

    def test_runs_are_those_of_the_program(self):
        out = self.python("""
            print(*orrery.batch("scene.json", seeds=[2, 1], for_=0.5, workers=1).hashes)
            print(*orrery.batch("scene.json", seeds=range(1, 3), for_=0.5, workers=2).hashes)
            """)
        self.assertEqual(out[:2], out[:1:-1])
        done = self.orrery("run", "scene.json", "--fast", "--for", "0.5", "--seed", "2", "--start", "0", "--hash")
        self.assertIn(out[0], done.stdout)

    def test_every_and_record(self):
        out = self.python("""
            b = orrery.batch("scene.json", seeds=[0], ticks=10, every=4, record=["robot.motion", "robot"])
            print(list(b.records), b["robot.motion"].v.shape, abs(b["robot"].time[0, -1] - 10 / 60) < 1e-8)
            """)
        self.assertEqual(" ".join(out), "['robot.motion', 'robot'] (1, 3) True")

    def test_rows_are_records(self):
        """A sensor of 10 Hz has ten rows in a second, with their times, and one that drops records has fewer"""
        scene = json.loads(SCENE)
        scene["objects"][0]["objects"] += [{"name": "slow", "classpath": "morse.sensors.pose.Pose", "frequency": 10},
                             {"name": "gaps", "classpath": "morse.sensors.pose.Pose", "frequency": 30}]
        scene["component_modifier"] = {"robot.gaps": [["orrery.modifiers.noise.DropOut", {"probability": 0.5}]]}
        out = self.python("""
            b = orrery.batch("scene.json", seeds=[0, 1], for_=1, workers=1, record=["robot.slow", "robot.gaps", "robot.motion"])
            slow, gaps, motion = b["robot.slow"], b["robot.gaps"], b["robot.motion"]
            print(slow.x.shape, slow.timestamp.shape, set((slow.timestamp[0, 1:] - slow.timestamp[0, :-1]).round(6)))
            print(0 < len(gaps.x[0]) < 30, len(set(gaps.timestamp[0])) == len(gaps.x[0]), motion.timestamp.shape)
            b = orrery.batch("scene.json", seeds=[0], for_=1, workers=1, every=30, record=["robot.slow"])
            print(b["robot.slow"].timestamp.tolist(), b.errors)
            """, json.dumps(scene))
        self.assertEqual(" ".join(out), "(2, 10) (2, 10) {0.1} True True (2, 60) [[0.416666666, 0.916666666]] {}")

    def test_odd_fields_and_a_crash(self):
        self.build_plugin("acme/odd.so", ODD)
        open(self.path("abort"), "w", encoding="utf-8").close()
        out = self.python("""
            b = orrery.batch("scene.json", seeds=range(4), ticks=3, workers=1, plugin_dirs=["plugins"])
            odd = b["robot.pose"]
            print(odd.place.shape, odd.place[1, 0].tolist(), odd.grows.dtype, len(odd.grows[1, 2]), list(b.errors))
            print(b.errors[0], odd.place[0, 0])
            """, SCENE.replace("morse.sensors.pose.Pose", "acme.odd.Odd"))
        self.assertEqual(" ".join(out), "(4, 3, 3) [1.0, 2.0, 3.0] object 3 [0] killed by signal 9 [nan nan nan]")

    def test_a_scene_that_is_wrong(self):
        out = self.python("""
            b = orrery.batch("scene.json", seeds=[4], ticks=1)
            print("Nose" in b.errors[4], b.records)
            try:
                b["robot.pose"]
            except KeyError as error:
                print(error.args[0])
            """, SCENE.replace("pose.Pose", "pose.Nose"))
        self.assertEqual(out[:2], ["True", "{}"])
        self.assertRegex(" ".join(out[2:]), "no records of robot.pose; there are none; 1 of 1 runs failed, the first with: .*Nose")

    def test_a_script(self):
        self.write("script.py", SCRIPT)
        out = self.python("""
            print(orrery.batch("script.py", seeds=[0, 1], ticks=2)["robot.pose"].z.shape)
            orrery.build("script.py", "built")
            print(len(orrery.load("built")))
            """)
        self.assertEqual(" ".join(out), "(2, 2) 2")

    def test_a_script_that_is_wrong(self):
        self.write("script.py", "from morse.builder import *\nrobot = ATVR()\n")
        out = self.python("""
            from gi.repository import GLib
            try:
                orrery.build("script.py", "built")
            except GLib.Error as error:
                print("ATRV" in error.message and "script.py" in error.message)
            """)
        self.assertEqual(out, ["True"])

    def test_wrong_arguments(self):
        out = self.python("""
            for options in (dict(), dict(ticks=1, for_=1), dict(ticks=0), dict(ticks=1.5), dict(for_=-1),
                            dict(for_=float("nan")), dict(ticks=1, every=0), dict(ticks=1, workers=0),
                            dict(ticks=1, seeds=[-1]), dict(ticks=1, seeds=[2**64]), dict(ticks=1, seeds=[1, 1]),
                            dict(ticks=1, seeds=[1.5]), dict(ticks=1, seeds=3), dict(ticks=1, seeds="ab"),
                            dict(ticks=1, record="robot.pose")):
                try:
                    orrery.batch("scene.json", **options)
                    print(options)
                except (TypeError, ValueError):
                    pass
            print(len(orrery.batch("scene.json", seeds=[], ticks=1)))
            """)
        self.assertEqual(out, ["0"])


tap.main()
