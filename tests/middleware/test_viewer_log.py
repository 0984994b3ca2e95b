# SPDX-License-Identifier: BSD-3-Clause
"""The log and the faults of parts, as clients of the viewer get them and as its page shows them."""

import json
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import need  # noqa: E402

import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from test_viewer import FOXGLOVE, OWN, PAGE, ViewerCase, decode_poses  # noqa: E402
from test_viewer_commands import Commander  # noqa: E402

KEPT = 1000  # lines that the server and the page keep, each

# Says so many lines in a step, and what it is told to; fails in each step from some tick on.
TALKER = r"""
#include <orrery.h>
#include <string.h>

typedef struct {
  double x;
} TalkerData;

static const OrreryField fields[] = { ORRERY_FIELD (TalkerData, x, "m", "nothing") };

G_DECLARE_FINAL_TYPE (AcmeTalker, acme_talker, ACME, TALKER, OrrerySensor)
struct _AcmeTalker {
  OrrerySensor parent_instance;

  int lines;
  gboolean fails;
  char *words;
  char *said;
  guint n;
};
G_DEFINE_FINAL_TYPE (AcmeTalker, acme_talker, ORRERY_TYPE_SENSOR)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_INT (AcmeTalker, lines, "lines", 0, 10000, 0, "Lines in the next step"),
  ORRERY_PROPERTY_BOOLEAN (AcmeTalker, fails, "fails", FALSE, "Whether each step fails"),
  ORRERY_PROPERTY_STRING (AcmeTalker, words, "words", "", "A warning, when it is another one"),
};

static void
acme_talker_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  AcmeTalker *self = ACME_TALKER (sensor);

  for (; self->lines > 0; self->lines--)
    orrery_part_info (self, "line %u", ++self->n);
  if (g_strcmp0 (self->words, self->said) != 0 && *self->words != '\0')
    orrery_part_warning (self, "%s", self->words);
  g_free (self->said);
  self->said = g_strdup (self->words);
  if (self->fails)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "no voice \xff");
}

static void
acme_talker_class_init (AcmeTalkerClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = acme_talker_sense;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_DATA (klass, TalkerData, fields);
}

static void
acme_talker_init (AcmeTalker *self)
{
}

ORRERY_PLUGIN ("Says what it is told to", "BSD-3-Clause",
               ORRERY_CLASS (Talker, AcmeTalker, acme_talker))
"""

SCENE = json.dumps({
    "orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
    "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
        {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
        {"name": "talker", "classpath": "acme.talker.Talker"}]}],
    "component_service": {"robot.talker": ["morse.middleware.socket_request_manager.SocketRequestManager"]}})


class TalkerCase(ViewerCase):
    def setUp(self):
        super().setUp()
        self.build_plugin("acme/talker.so", TALKER)
        self.view("--control", "--plugin-dir", self.path("plugins"), scene=SCENE)

    def read_on(self):
        """A run whose log nobody reads stops when the pipe is full."""
        reader = threading.Thread(target=self.process.stderr.read)
        reader.start()
        self.addCleanup(reader.join)
        self.addCleanup(self.process.kill)


class LogClient(Commander):
    def set(self, **values):
        self.send("setParameters", parameters=[{"name": "robot.talker." + name, "value": value}
                                               for name, value in values.items()])

    def entry(self, number=1):
        """The next message of a subscription to the log, or to faults: its time and what it says."""
        stamp, body = self.data(number)
        said = json.loads(body)
        self.assert_time(said, stamp)
        return said

    @staticmethod
    def assert_time(said, stamp):
        time = said.pop("timestamp")
        assert time["sec"] * 10**9 + time["nsec"] == stamp, (time, stamp)


class Server(TalkerCase):
    def client(self, protocol=OWN):
        client = LogClient(self.port, self.token, protocol)
        self.addCleanup(client.close)
        return client

    def test_lines(self):
        """What a part says reaches clients of both protocols, in order."""
        clients = [self.client(OWN), self.client(FOXGLOVE)]
        for client in clients:
            self.assertEqual(client.channels["/orrery/log"]["schemaName"], "foxglove.Log")
            json.loads(client.channels["/orrery/log"]["schema"])
            client.subscribe_to(1, "/orrery/log")
        clients[0].set(lines=3, words="watch out")
        for client in clients:
            said = [client.entry() for _ in range(4)]
            self.assertEqual([(one["level"], one["name"], one["message"]) for one in said],
                             [(2, "robot.talker", "line %d" % n) for n in (1, 2, 3)] + [(3, "robot.talker", "watch out")])
            self.assertGreater(said[0]["tick"], 0)
            client.send("unsubscribe", subscriptionIds=[1])

    def test_who_comes_later(self):
        """The newest lines are kept for it, whether somebody looked or nobody did."""
        self.read_on()
        first = self.client()
        first.subscribe_to(1, "/orrery/log")
        first.set(lines=10)
        self.assertEqual(first.entry()["message"], "line 1")
        self.call("robot.talker", "set_property", "lines", "2490")
        first.close()
        # Until it is done, nobody is there.
        second = self.client()
        second.subscribe_to(1, "/poses")
        start = decode_poses(second.data(1)[1])[1]
        while decode_poses(second.data(1)[1])[1] < start + 5:
            pass
        second.subscribe_to(2, "/orrery/log")
        # The host may have said of it that it took long.
        said = [second.entry(2) for _ in range(KEPT)]
        said = [one["message"] for one in said if one["message"].startswith("line ")]
        self.assertEqual(said, ["line %d" % n for n in range(2501 - len(said), 2501)])
        self.assertGreater(len(said), KEPT - 10)
        second.set(lines=1)
        self.assertEqual(second.entry(2)["message"], "line 2501")

    def test_faults(self):
        """Of a part that fails in each step clients hear now and then, with the number."""
        client = self.client()
        schema = json.loads(client.channels["/orrery/faults"]["schema"])
        client.subscribe_to(1, "/orrery/faults")
        client.set(fails=True)
        first = client.entry()
        self.assertEqual({name: first[name] for name in ("kind", "part", "class", "where", "message")},
                         {"kind": "step", "part": "robot.talker", "class": "acme.talker.Talker", "where": "sense",
                          "message": "no voice \ufffd"})
        self.assertLessEqual(set(first), set(schema["properties"]))
        counts = [client.entry()["count"] for _ in range(5)]
        self.assertEqual(counts, sorted(set(counts)))
        self.assertGreater(counts[-1], first["count"] + 10)
        # Who comes later hears of it once.
        later = self.client(FOXGLOVE)
        later.set(fails=False)
        later.subscribe_to(1, "/orrery/faults")
        self.assertGreaterEqual(later.entry()["count"], counts[-1])

    def test_the_token_is_not_sent(self):
        client = self.client()
        client.subscribe_to(1, "/orrery/log")
        client.set(words="it is " + self.token)
        self.wait_for(self.process, self.token)
        client.set(words="that is all")
        self.assertEqual(client.entry()["message"], "that is all")


class LogPage(TalkerCase):
    def setUp(self):
        super().setUp()
        if not os.path.exists(os.path.join(PAGE, "page.js")):
            self.skipTest("built without esbuild")
        need(self, None if find_chromium() else "no chromium; `./bootstrap check` installs it")

    def open(self, **size):
        page = Browser("http://127.0.0.1:%d/#token=%s" % (self.port, self.token), **size)
        self.addCleanup(page.close)
        page.wait("orrery.ready && orrery.connection.services.size > 0")
        return page

    def set(self, page, **values):
        page.run("orrery.connection.send({ op: 'setParameters', parameters: %s })" % json.dumps(
            [{"name": "robot.talker." + name, "value": value} for name, value in values.items()]))

    ROWS = "[...document.querySelectorAll('#log .line')]"
    WORDS = ROWS + ".map((one) => one.querySelector('.text').textContent)"
    SHOWN = "getComputedStyle(document.getElementById('log')).display !== 'none'"

    def test_it_is_opened_and_read(self):
        page = self.open(width=1000, height=600)
        self.assertFalse(page.run(self.SHOWN))
        self.set(page, lines=5, words="watch out")
        # While it is closed, warnings are counted, and said to who does not see.
        page.wait("document.querySelector('.opens-log .badge').textContent === '1'")
        self.assertEqual(page.run("document.querySelector('.opens-log').ariaLabel"), "Log, 1 new warnings and faults")
        page.run("document.querySelector('.opens-log').click()")
        page.wait("%s.length === 6 && %s" % (self.ROWS, self.SHOWN))
        self.assertEqual(page.run(self.WORDS), ["line %d" % n for n in range(1, 6)] + ["watch out"])
        self.assertEqual(page.run("document.querySelector('.opens-log .badge').textContent"), "")
        self.assertEqual(page.run(self.ROWS + ".at(-1).dataset.rank"), "warning")
        self.assertRegex(page.run(self.ROWS + ".at(-1).querySelector('.time').textContent"), r"^\d+\.\d\d s$")
        # By level, by words, by part.
        level, words = "document.querySelector('#log select')", "document.querySelector('#log input')"
        page.run("%s.value = '3', %s.dispatchEvent(new Event('change'))" % (level, level))
        page.wait("%s.length === 1" % self.ROWS)
        page.run("%s.value = '1', %s.dispatchEvent(new Event('change'))" % (level, level))
        for text, n in (("LINE 4", 1), ("talker", 6), ("nothing such", 0), ("", 6)):
            page.run("%s.value = '%s', %s.dispatchEvent(new Event('input'))" % (words, text, words))
            page.wait("%s.length === %d && document.querySelector('#log output').textContent === '%d of 6'"
                      % (self.ROWS, n, n))
        # A message chooses its part.
        page.run(self.ROWS + "[0].click()")
        page.wait("orrery.scene.objects[orrery.chosen]?.name === 'robot.talker'")
        page.wait("document.querySelector('#details h2').textContent === 'talker'")
        # What is refused, or of a part that is none of the scene, chooses nothing.
        page.run("orrery.choose(-1), orrery.choosePart('nobody.there'), orrery.choosePart('')")
        self.assertEqual(page.run("orrery.chosen"), -1)
        page.run("orrery.choosePart('robot.pose/Gaussian#0')")
        self.assertEqual(page.run("orrery.scene.objects[orrery.chosen].name"), "robot.pose")
        self.assertEqual(page.console, [])

    def test_keys(self):
        page = self.open(width=1000, height=600)
        self.set(page, lines=5)
        page.press("l", code="KeyL")
        page.wait("document.activeElement === document.querySelector('#log input') && %s.length === 5" % self.ROWS)
        self.assertEqual(page.run("[document.querySelector('#log [role=log]').ariaLabel, "
                                  "document.getElementById('log').ariaLabel]"), ["Messages", "Log and faults"])
        # One message is a stop of the key Tab.
        self.assertEqual(page.run("document.querySelectorAll('#log .line[tabindex=\"0\"]').length"), 1)
        page.run("document.querySelector('#log .line[tabindex=\"0\"]').focus()")
        for key, at in (("Home", 0), ("ArrowDown", 1), ("End", 4), ("ArrowUp", 3), ("End", 4), ("ArrowDown", 4)):
            page.press(key)
            page.wait("document.activeElement === %s[%d]" % (self.ROWS, at))
        page.press("Enter")
        page.wait("orrery.scene.objects[orrery.chosen]?.name === 'robot.talker'")
        page.press("Escape")
        page.wait("!(%s) && document.activeElement.className === 'opens-log'" % self.SHOWN)
        # The chosen object stays chosen.
        self.assertEqual(page.run("orrery.scene.objects[orrery.chosen].name"), "robot.talker")

    def test_many_lines(self):
        """The newest ones are kept, of which the last is in view."""
        self.read_on()
        page = self.open(width=1000, height=600)
        page.run("orrery.toggleLog()")
        self.set(page, lines=2500)
        page.wait("%s.at(-1) === 'line 2500'" % self.WORDS)
        self.set(page, lines=10)
        page.wait("%s.at(-1) === 'line 2510'" % self.WORDS)
        self.assertEqual(page.run("[orrery.log.entries.length, %s.length, orrery.log.fresh.length]" % self.ROWS),
                         [KEPT, KEPT, 0])
        self.assertEqual(page.run(self.WORDS + "[0]"), "line 1511")
        page.wait("(() => { const list = document.querySelector('#log [role=log]');"
                  " return list.scrollTop + list.clientHeight > list.scrollHeight - 8; })()")
        # With the panel closed, too.
        page.run("orrery.toggleLog()")
        self.set(page, lines=1500, words="done")
        page.wait("orrery.log.entries.at(-1).text === 'done'")
        self.assertEqual(page.run("[orrery.log.entries.length, orrery.log.fresh.length <= orrery.log.entries.length]"),
                         [KEPT, True])

    def test_faults(self):
        page = self.open(width=1000, height=600)
        page.run("orrery.toggleLog()")
        self.set(page, fails=True)
        fault = "%s.filter((one) => one.dataset.rank === 'fault')" % self.ROWS
        page.wait("%s.length === 1 && / \\([0-9]+ times\\)$/.test(%s[0].textContent)" % (fault, fault))
        count = "Number(%s[0].textContent.match(/\\((\\d+) times/)[1])" % fault
        first = page.run(count)
        page.wait("%s > %d && %s.length === 1" % (count, first, fault))
        # The host warns once, and a reload of the page is told the same.
        self.assertEqual(page.run("%s.length" % self.ROWS), 2)
        page.run("location.reload(), 0")
        page.wait("window.orrery?.log.faults.size === 1 && orrery.log.entries.length === 2")

    def test_a_telephone(self):
        page = self.open(width=380, height=640)
        self.set(page, lines=2, words="watch out for what is in your way, however long it takes to say all of that")
        page.wait("document.querySelector('[data-panel=log] .badge').textContent === '1'")
        page.run("document.querySelector('[data-panel=log]').click()")
        page.wait("%s && %s.length === 3" % (self.SHOWN, self.ROWS))
        self.assertFalse(page.run("document.documentElement.scrollWidth > innerWidth"))
        self.assertEqual(page.run("[...document.querySelectorAll('nav.tabs [aria-pressed=true]')]"
                                  ".map((one) => one.dataset.panel)"), ["log"])
        page.click(*page.run("(() => { const at = %s[2].getBoundingClientRect(); return [at.x + 60, at.y + 8]; })()"
                             % self.ROWS))
        page.wait("document.getElementById('details').classList.contains('shown') && !(%s)" % self.SHOWN)
        self.assertEqual(page.run("document.querySelector('#details h2').textContent"), "talker")


if __name__ == "__main__":
    tap.main()
