#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The topic /orrery/faults of recordings: components, scripts and workers that failed."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap
from sanitized import is_sanitized

PROBES = os.path.join(support.BUILD, "tests/plugins/tree")
RECORDER = "orrery.observers.recorder.Recorder "

# In ticks 3 to 5, with what is no UTF-8.
FAILING = """
#include <orrery.h>

typedef struct {
  double x;
} BadData;

static const OrreryField fields[] = { ORRERY_FIELD (BadData, x, "m", "nothing") };

G_DECLARE_FINAL_TYPE (AcmeBad, acme_bad, ACME, BAD, OrrerySensor)
struct _AcmeBad {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (AcmeBad, acme_bad, ORRERY_TYPE_SENSOR)

static void
acme_bad_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  guint64 n = orrery_tick_get_number (tick);

  if (n >= 3 && n <= 5)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "\\"tick\\" %u\\n\\xff", (guint) n);
}

static void
acme_bad_class_init (AcmeBadClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = acme_bad_sense;
  ORRERY_CLASS_SET_DATA (klass, BadData, fields);
}

static void
acme_bad_init (AcmeBad *self)
{
}

ORRERY_PLUGIN ("Fails", "BSD-3-Clause", ORRERY_CLASS (Bad, AcmeBad, acme_bad))
"""


class Faults(support.ProgramCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("plugins"))

    def record(self, *parts, scripts=(), **properties):
        scene = {"orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
                 "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": list(parts),
                              "scripts": list(scripts)}]}
        self.write("scene.json", json.dumps(scene))
        words = RECORDER + json.dumps(dict(properties, file=self.path("run.mcap"), wait=True))
        done = self.orrery("run", "scene.json", "--for", "2", "--fast", "--offline", "--start", "0", "--plugin-dir", PROBES,
                           "--plugin-dir", self.path("plugins"), "--quiet", "--observer", words)
        self.check(done, 0)
        done = self.orrery("recording", "cat", self.path("run.mcap"), "--topic", "/orrery/faults")
        self.check(done, 0)
        return [json.loads(line)["data"] for line in done.stdout.splitlines()]

    def check_times(self, faults):
        for each in faults:
            time = each["timestamp"]["sec"] + each["timestamp"]["nsec"] * 1e-9
            self.assertAlmostEqual(time, (each["tick"] + 1) / 60, delta=1e-6)

    def test_steps(self):
        self.build_plugin("acme/bad.so", FAILING)
        faults = self.record({"name": "bad", "classpath": "acme.bad.Bad"})
        self.check_times(faults)
        for each in faults:
            del each["timestamp"]
        self.assertEqual(faults, [{"tick": 2 + n, "kind": "step", "part": "robot.bad", "class": "acme.bad.Bad",
                                   "where": "sense", "message": '"tick" %d\n\ufffd' % (2 + n), "count": n, "dropped": 0}
                                  for n in (1, 2, 3)])

    def test_scripts(self):
        """One fails before the recorder comes, one in the fifth tick, one never."""
        def script(kind, callback, at):
            return {"type": kind, "classpath": "probe.scripts.Probe",
                    "properties": {"in": callback, "at": at, "does": "fail"}}
        sound = {"name": "sound", "classpath": "orrery.sensors.pose.Pose",
                 "scripts": [{"type": "child", "classpath": "probe.scripts.Probe"}]}
        faults = self.record(sound, scripts=[script("child", "init", 1), script("customization", "actuation", 5)])
        self.check_times(faults)
        self.assertEqual([(each["tick"], each["kind"], each["class"], each["where"], each["message"]) for each in faults],
                         [(0, "script", "probe.scripts.Probe", "init", "as told"),
                          (4, "script", "probe.scripts.Probe", "actuation", "as told")])
        self.assertEqual(len({each["part"] for each in faults}), 2)

    @unittest.skipIf(is_sanitized(), "the sanitizer has handlers of its own, which stay")
    def test_workers(self):
        faults = self.record({"name": "bad", "classpath": "probe.faults.Faulty", "placement": "worker",
                              "properties": {"how": "abort", "where": "sense", "at": 5}})
        self.check_times(faults)
        first = faults[0]
        self.assertEqual([first[key] for key in ("tick", "kind", "part", "class", "where", "count")],
                         [5, "worker", "robot.bad", "probe.faults.Faulty", "robot.bad", 1])
        self.assertIn("SIGABRT", first["message"])

    def test_none(self):
        """The control: a run without a fault has the topic, and no message."""
        self.assertEqual(self.record({"name": "pose", "classpath": "orrery.sensors.pose.Pose"}), [])
        done = self.orrery("recording", "info", self.path("run.mcap"))
        self.assertIn("/orrery/faults", done.stdout)

    def test_replay(self):
        """Faults change nothing of a replay, which has them again."""
        self.build_plugin("acme/bad.so", FAILING)
        faults = self.record({"name": "bad", "classpath": "acme.bad.Bad"})
        done = self.orrery("replay", self.path("run.mcap"), "--record", self.path("again.mcap"), "--plugin-dir",
                           self.path("plugins"))
        self.check(done, 0, "goes as it went")
        done = self.orrery("recording", "cat", self.path("again.mcap"), "--topic", "/orrery/faults")
        self.assertEqual([json.loads(line)["data"] for line in done.stdout.splitlines()], faults)


if __name__ == "__main__":
    tap.main()
