# SPDX-License-Identifier: BSD-3-Clause
"""Properties that a class does not have, in scripts and scenes; and --strict, where warnings are failures."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import SCENE, SCRIPT, ProgramCase  # noqa: E402

import tap  # noqa: E402

# Line 6 sets what the class does not have.
UNKNOWN = SCRIPT.replace(
    "robot.append(pose)\n", "pose.properties(Cov_mtricx=0.5, Other=1)\nrobot.append(pose)\n"
)

FAILING = """
#include <orrery.h>

typedef struct {
  double x;
} FailingData;

static const OrreryField fields[] = { ORRERY_FIELD (FailingData, x, "m", "nothing") };

G_DECLARE_FINAL_TYPE (AcmeFailing, acme_failing, ACME, FAILING, OrrerySensor)
struct _AcmeFailing {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (AcmeFailing, acme_failing, ORRERY_TYPE_SENSOR)

static void
acme_failing_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  if (orrery_tick_get_number (tick) > 2)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "it is dark");
}

static void
acme_failing_class_init (AcmeFailingClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = acme_failing_sense;
  ORRERY_CLASS_SET_DATA (klass, FailingData, fields);
}

static void
acme_failing_init (AcmeFailing *self)
{
}

ORRERY_PLUGIN ("Fails from the third tick on", "BSD-3-Clause", ORRERY_CLASS (Failing, AcmeFailing, acme_failing))
"""


class UnknownProperties(ProgramCase):
    def test_a_script_of_morse_runs(self):
        """A warning names the line of the script and the property; the scene is fine."""
        self.write("scene.py", UNKNOWN)
        for command in (["check"], ["run", "--fast", "--offline", "--ticks", "2"]):
            done = self.orrery(*command, "scene.py")
            self.assertEqual(done.returncode, 0, done.stderr)
            told = [line for line in done.stderr.splitlines() if "warning: " in line]
            self.assertEqual(len(told), 2, done.stderr)
            for line, name in zip(told, ("Cov_mtricx", "Other")):
                self.assertRegex(line, r"warning: scene\.py:6: .*robot\.pose: .*\b%s\b" % name)

    def test_the_nearest_name_is_told(self):
        self.write("scene.py", UNKNOWN.replace("Pose()", "Battery()").replace("Cov_mtricx", "DischargingRat"))
        done = self.orrery("check", "scene.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"warning: scene\.py:6: .*'DischargingRat'.*DischargingRate")

    def test_it_is_told_once_of_a_component_in_a_worker(self):
        self.write("scene.py", UNKNOWN.replace("robot.append(pose)", "pose.placement('worker'); robot.append(pose)"))
        done = self.orrery("run", "--fast", "--offline", "--ticks", "2", "scene.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("'Other'"), 1, done.stderr)

    def test_elsewhere_it_is_an_error(self):
        """In scripts that do not speak of MORSE, and in scenes that are written by hand."""
        self.write("scene.py", UNKNOWN.replace("morse.builder", "orrery.builder"))
        self.check(self.orrery("check", "scene.py"), 65, "scene.py:6: ", "Cov_mtricx", "Other")
        scene = json.loads(SCENE)
        scene["objects"][0]["objects"][0]["properties"] = {"Other": 1}
        self.write("scene.json", json.dumps(scene))
        self.check(self.orrery("check", "scene.json"), 65, "Other")
        scene["environment"]["unknown_properties"] = "warn"
        self.write("scene.json", json.dumps(scene))
        self.check(self.orrery("check", "scene.json"), 0, "ok")

    def test_wrong_values_stay_errors(self):
        self.write("scene.py", UNKNOWN.replace("Pose()", "Battery()").replace("Other=1", "DischargingRate='x'"))
        self.check(self.orrery("check", "scene.py"), 65, "scene.py:6: ", "DischargingRate")


class Strict(ProgramCase):
    def assert_refused(self, code, words, *arguments):
        done = self.orrery(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("--strict: " + words, done.stderr)
        return done

    def test_warnings_of_the_host(self):
        self.write("scene.py", UNKNOWN)
        self.check(self.orrery("build", "scene.py", "--strict", "-o", "built"), 0)
        for scene in ("scene.py", "built"):
            self.assert_refused(65, "2 warnings", "check", "--strict", scene)
            done = self.assert_refused(
                65, "2 warnings", "run", "--strict", "--offline", "--ticks", "2", "--result", "result.json", scene
            )
            self.assertNotIn("[SCENE INITIALIZED]", done.stderr)
            with open(self.path("result.json"), encoding="utf-8") as stream:
                result = json.load(stream)
            self.assertEqual(result["exit"], 65)
            self.assertRegex(result["error"], "^--strict: 2 warnings while the scene was set up, the first: .*Cov_mtricx")

    def test_nothing_is_opened_for_a_scene_that_warns(self):
        """No port, no connection, no file of hashes or of a stream: all of that comes after the judgement."""
        self.write("scene.py", UNKNOWN.replace("add_stream('socket')", "add_stream('socket'); pose.add_stream('text')"))
        run = ["run", "--fast", "--ticks", "2", "--hash=hashes", "scene.py"]
        done = self.assert_refused(65, "2 warnings", *run, "--strict")
        self.assertNotIn("now listening on port", done.stderr)
        self.assertEqual(sorted(os.listdir(self.directory)), ["scene.py"])
        # The control: without --strict they are.
        done = self.orrery(*run)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("now listening on port", done.stderr)
        self.assertEqual(len(os.listdir(self.directory)), 3, os.listdir(self.directory))

    def test_warnings_of_the_builder(self):
        self.write("scene.py", SCRIPT + "env.set_horizon_color()\nenv.fullscreen()\n")
        self.check(self.orrery("build", "scene.py", "-o", "built"), 0)
        self.assert_refused(65, "2 warnings", "build", "--strict", "scene.py", "-o", "other")
        self.assertFalse(os.path.exists(self.path("other")))
        self.assert_refused(65, "2 warnings", "check", "--strict", "scene.py")
        self.assert_refused(65, "2 warnings", "run", "--strict", "--offline", "--ticks", "1", "scene.py")
        self.assert_refused(
            65, "2 warnings", "batch", "--strict", "--runs", "1", "--ticks", "1", "--out", "runs", "scene.py"
        )

    def test_steps_that_fail(self):
        self.build_plugin("acme/failing.so", FAILING)
        scene = json.loads(SCENE)
        scene["objects"][0]["objects"][0] = {"name": "eye", "classpath": "acme.failing.Failing"}
        del scene["component_datastream"]["robot.pose"]
        self.write("scene.json", json.dumps(scene))
        run = ["run", "--plugin-dir", "plugins", "--fast", "--offline", "scene.json", "--quiet"]
        self.assertEqual(self.orrery(*run, "--ticks", "7").returncode, 0)
        done = self.assert_refused(70, "a step failed in", *run, "--ticks", "7", "--strict")
        self.assertIn("robot.eye", done.stderr.splitlines()[-1])
        self.orrery(*run, "--ticks", "7", "--strict", "--result", "result.json")
        with open(self.path("result.json"), encoding="utf-8") as stream:
            result = json.load(stream)
        self.assertEqual((result["exit"], result["error"]),
                         (70, "--strict: a step failed in sense of robot.eye (acme.failing.Failing), tick 3: it is dark; "
                              "failed steps in all: 4"))
        self.assertEqual(result["failures"], [{"name": "robot.eye", "class": "acme.failing.Failing", "phase": "sense",
                                               "tick": 3, "why": "it is dark"}])
        self.assertEqual(self.orrery(*run, "--ticks", "3", "--strict").returncode, 0)
        self.check(self.orrery("check", "--strict", "--plugin-dir", "plugins", "scene.json"), 0, "ok")

    def test_runs_of_a_batch(self):
        self.write("scene.py", UNKNOWN)
        batch = ["batch", "scene.py", "--runs", "2", "--ticks", "2"]
        self.check(self.orrery(*batch, "--out", "loose"), 0, "0 failed")
        done = self.orrery(*batch, "--out", "tight", "--strict")
        self.check(done, 1, "2 failed")
        with open(self.path("tight/run-00000/log.txt"), encoding="utf-8") as stream:
            self.assertIn("--strict: 2 warnings", stream.read())
        self.check(self.orrery(*batch, "--out", "loose", "--strict"), 65, "strict")
        done = self.orrery(*batch, "--out", "jobs", "--strict", "--slurm")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("jobs/job.sh"), encoding="utf-8") as stream:
            self.assertIn(" --strict", stream.read())

    def test_a_scene_without_warnings_passes(self):
        """The control."""
        self.write("scene.py", SCRIPT)
        self.check(self.orrery("build", "scene.py", "--strict", "-o", "built"), 0)
        self.check(self.orrery("check", "scene.py", "--strict"), 0, "ok")
        self.check(self.orrery("run", "scene.py", "--strict", "--fast", "--offline", "--ticks", "3"), 0, "3 ticks")


if __name__ == "__main__":
    tap.main()
