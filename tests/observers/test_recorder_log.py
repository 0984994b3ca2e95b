# SPDX-License-Identifier: BSD-3-Clause
"""The topic /orrery/log of recordings: what parts log, with level, part and tick."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

# Two lines in each of the ticks 10 to 12; in tick 100 more than wait at once.
TALKER = """
#define G_LOG_DOMAIN "acme"
#include <orrery.h>

typedef struct {
  double x;
} TalkerData;

static const OrreryField fields[] = { ORRERY_FIELD (TalkerData, x, "m", "nothing") };

G_DECLARE_FINAL_TYPE (AcmeTalker, acme_talker, ACME, TALKER, OrrerySensor)
struct _AcmeTalker {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (AcmeTalker, acme_talker, ORRERY_TYPE_SENSOR)

static void
acme_talker_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  guint64 n = orrery_tick_get_number (tick);

  if (n >= 10 && n <= 12) {
    orrery_part_warning (sensor, "\\"tick\\" %u\\n\\xff", (guint) n);
    orrery_part_info (sensor, "more");
    orrery_part_debug (sensor, "hidden");
  }
  for (guint i = 0; n == 100 && i < 5000; i++)
    orrery_part_info (sensor, "line %u", i);
}

static void
acme_talker_class_init (AcmeTalkerClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = acme_talker_sense;
  ORRERY_CLASS_SET_DATA (klass, TalkerData, fields);
}

static void
acme_talker_init (AcmeTalker *self)
{
}

ORRERY_PLUGIN ("Logs", "BSD-3-Clause", ORRERY_CLASS (Talker, AcmeTalker, acme_talker))
"""


class Log(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.build_plugin("acme/talker.so", TALKER)
        scene = json.loads(support.SCENE)
        scene["objects"][0]["objects"].append({"name": "talker", "classpath": "acme.talker.Talker"})
        self.write("scene.json", json.dumps(scene))

    def run_recorded(self, **properties):
        words = "orrery.observers.recorder.Recorder " + json.dumps(dict(properties, file=self.path("run.mcap"), wait=True))
        self.check(self.orrery("run", "scene.json", "--for", "2", "--fast", "--offline", "--start", "0", "--plugin-dir",
                               self.path("plugins"), "--quiet", "--observer", words), 0)

    def record(self):
        self.run_recorded()
        done = self.orrery("recording", "cat", self.path("run.mcap"), "--topic", "/orrery/log")
        self.check(done, 0)
        return [json.loads(line)["data"] for line in done.stdout.splitlines()]

    def test_lines(self):
        messages = [each for each in self.record() if each["tick"] < 100]
        self.assertEqual([(each["tick"], each["level"], each["name"]) for each in messages],
                         [(tick, level, "robot.talker") for tick in (10, 11, 12) for level in (3, 2)])
        self.assertEqual(messages[0]["message"], '"tick" 10\n\ufffd')
        for each in messages:
            time = each["timestamp"]["sec"] + each["timestamp"]["nsec"] * 1e-9
            self.assertAlmostEqual(time, each["tick"] / 60, delta=1.01 / 60)

    def test_too_many(self):
        messages = [each for each in self.record() if each["tick"] >= 100]
        kept = [each for each in messages if each["message"].startswith("line ")]
        dropped = [each for each in messages if "came too fast" in each["message"]]
        # A few lines of others may wait among the 1,000.
        self.assertGreaterEqual(len(kept), 900)
        self.assertEqual(len(kept) + sum(int(each["message"].split()[0]) for each in dropped), 5000)

    def test_left_out(self):
        self.run_recorded(log=False)
        done = self.orrery("recording", "info", self.path("run.mcap"))
        self.check(done, 0, "/orrery/poses")
        self.assertNotIn("/orrery/log", done.stdout)


if __name__ == "__main__":
    tap.main()
