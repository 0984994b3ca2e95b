# SPDX-License-Identifier: BSD-3-Clause
"""`orrery run`: limits, log, report, signals; and the clients `echo` and `call`."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import unittest

from support import PROGRAM, SCENE, SCRIPT, ProgramCase

import tap
from sanitized import is_raced

STUCK = """
#include <orrery.h>

typedef struct {
  double x;
} StuckData;

static const OrreryField fields[] = { ORRERY_FIELD (StuckData, x, "m", "nothing") };

G_DECLARE_FINAL_TYPE (AcmeStuck, acme_stuck, ACME, STUCK, OrrerySensor)
struct _AcmeStuck {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (AcmeStuck, acme_stuck, ORRERY_TYPE_SENSOR)

static void
acme_stuck_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  g_warning ("stuck");
  g_usleep (60 * G_USEC_PER_SEC);
}

static void
acme_stuck_class_init (AcmeStuckClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = acme_stuck_sense;
  ORRERY_CLASS_SET_DATA (klass, StuckData, fields);
}

static void
acme_stuck_init (AcmeStuck *self)
{
}

ORRERY_PLUGIN ("Sleeps", "BSD-3-Clause", ORRERY_CLASS (Stuck, AcmeStuck, acme_stuck))
"""


class Observers(ProgramCase):
    def refuse(self, observer, status, *words):
        scene = self.write("scene.json", SCENE)
        self.check(self.orrery("run", scene, "--fast", "--ticks", "3", "--observer", observer), status, *words)

    def test_wrong_observers(self):
        self.refuse("acme.nothing.Nothing", 69, "acme.nothing.Nothing", "no module")
        self.refuse("orrery.sensors.pose.Pose", 69, "has the role sensor, observer is needed here")
        self.refuse("acme.nothing.Nothing {", 65, "--observer:1:")
        self.refuse("acme.nothing.Nothing [1]", 65, "a JSON object of properties is needed")


class Limits(ProgramCase):
    def test_ticks_and_seconds(self):
        scene = self.write("scene.json", SCENE)
        self.check(self.orrery("run", scene, "--fast", "--ticks", "37"), 0, "37 ticks")
        self.check(self.orrery("run", scene, "--fast", "--for", "10"), 0, "600 ticks", "10.000 s simulated")
        self.check(self.orrery("run", scene, "--fast", "--for", "0.55", "--ticks", "99"), 0, "33 ticks")

    def test_wall(self):
        start = time.monotonic()
        self.check(self.orrery("run", self.write("scene.json", SCENE), "--wall", "0.5"), 0, " ticks, ")
        self.assertLess(time.monotonic() - start, 10)

    def test_start(self):
        done = self.orrery("run", self.write("scene.json", SCENE), "--fast", "--ticks", "1", "--start", "-5.5")
        self.check(done, 0, "start -5.500000000")

    def test_a_run_is_as_its_seed_and_inputs_say(self):
        scene = self.write("scene.json", SCENE)
        hashes = [re.search("^hash ([0-9a-f]+)", self.orrery("run", scene, "--fast", "--ticks", "60", "--hash",
                                                             *more).stdout, re.M).group(1)
                  for more in ([], ["--start", "1000"], ["--quiet"])]
        self.assertEqual(len(set(hashes)), 1, hashes)
        moved = self.write("moved.json", SCENE.replace('"morse.robots.atrv.ATRV",',
                                                       '"morse.robots.atrv.ATRV", "position": [1e-9, 0, 0],'))
        other = self.orrery("run", moved, "--fast", "--ticks", "60", "--hash").stdout
        self.assertNotIn(hashes[0], other)

    def test_threads(self):
        """The same with any number of them; tests/tick/test-threads looks closer."""
        noise = ["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.1}]
        robots = [{"name": "r%d" % i, "classpath": "morse.robots.atrv.ATRV", "position": [0, 5 * i, 0], "objects": [
            {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
            {"name": "odometry", "classpath": "morse.sensors.odometry.Odometry"}]} for i in range(5)]
        scene = self.write("scene.json", json.dumps({
            "orrery": 1, "environment": {"import": "empty", "seed": 3}, "objects": robots,
            "component_modifier": {"r%d.pose" % i: [noise] for i in range(5)}}))
        hashes = set()
        for n in ("0", "1", "2", "5"):
            done = self.orrery("run", scene, "--fast", "--ticks", "100", "--start", "0", "--hash", "--threads", n)
            self.check(done, 0, "100 ticks")
            hashes.update(re.findall("^hash ([0-9a-f]+)", done.stdout, re.M))
        self.assertEqual(len(hashes), 1, hashes)


class Log(ProgramCase):
    def test_the_lines_that_tools_wait_for(self):
        done = self.orrery("run", self.write("script", SCRIPT), "--fast", "--ticks", "1")
        self.check(done, 0)
        places = [done.stderr.find(words) for words in
                  ("\n[PRE-INITIALIZATION]\n", "Orrery Version: ", "PID: ", "\n\n[SCENE INITIALIZATION]\n",
                   "Component robot.pose (level: default) added to robot\n",
                   "Morse configured in Fixed Simulation Step Mode with time step of 0.016667 sec ( 1.0 /  60)\n",
                   "\n\n[SUPERVISION SERVICES INITIALIZATION]\n",
                   "] Socket Mw Server now listening on port ", "] Socket service manager now listening on port ",
                   "\n[SUPERVISION SERVICES INITIALIZED]\n", "\n[SCENE INITIALIZED]\n", "\n\n[COMPONENTS FINALIZATION]\n",
                   "\n[CLOSING REQUEST MANAGERS...]\n", "\n[CLOSING DATASTREAMS...]\n", "\n[CLOSING OVERLAYS...]\n",
                   "\n[EXITING SIMULATION]\n")]
        self.assertNotIn(-1, places, done.stderr)
        self.assertEqual(places, sorted(places))
        first = next(line for line in done.stderr.splitlines() if "PID" in line)
        self.assertTrue(first.split()[-1].isdigit(), first)
        self.assertRegex(first, r"^\[ *\d+\.\d{3}\] PID: ")

    def test_quiet(self):
        done = self.orrery("run", self.write("scene.json", SCENE), "--fast", "--ticks", "1", "--quiet")
        self.check(done, 0)
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_the_report(self):
        done = self.orrery("run", self.write("scene.json", SCENE), "--fast", "--ticks", "60")
        self.check(done, 0, "real-time factor", "ticks dropped", "robot.pose", "robot.motion", "us/step")

    def test_no_colours_in_a_pipe(self):
        done = self.orrery("run", self.write("broken.json", "{"))
        self.check(done, 65, "INITIALIZATION ERROR: ", "broken.json:1:2")
        self.assertNotIn("\033", done.stdout + done.stderr)

    def test_colours_on_a_terminal(self):
        ours, theirs = self.open_terminal()
        done = subprocess.run([PROGRAM, "check", self.path("absent")], stderr=theirs, cwd=self.directory,
                              env=dict(self.environment(), TERM="xterm"))
        os.close(theirs)
        self.assertEqual(done.returncode, 66)
        self.assertIn(b"\033[31m", os.read(ours, 4096))
        os.close(ours)

    def test_progress_on_a_terminal(self):
        ours, theirs = self.open_terminal()
        done = subprocess.run([PROGRAM, "run", self.write("scene.json", SCENE), "--for", "1"], stdout=theirs,
                              stderr=subprocess.PIPE, cwd=self.directory, env=dict(self.environment(), TERM="xterm"))
        os.close(theirs)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(os.read(ours, 65536), rb"\r\033\[K0\.\d s  tick \d+ of 60")
        os.close(ours)

    def test_a_script_that_fails_starts_nothing(self):
        done = self.orrery("run", self.write("bad.py", "from morse.builder import *\nrobot = ATRW()\n"))
        self.check(done, 69, "bad.py:2", "did you mean ATRV", "[ERROR][MORSE]")
        self.assertNotIn("SCENE INITIALIZED", done.stderr)

    def test_the_mark_of_morse_is_for_its_scripts(self):
        """Where tools of MORSE read it: `run` of a script that takes the builder by MORSE's name."""
        for text, is_of_morse in (("from morse.builder import *\nx = 1 / 0\n", True),
                                  ("from morse.builder import *\nx = (\n", True),
                                  ("from orrery.builder import *\nx = 1 / 0\n", False),
                                  ("from orrery.builder import *\nx = (\n", False),
                                  ("# no more from morse.builder import\nx = 1 / 0\n", False)):
            with self.subTest(text):
                done = self.orrery("run", "--quiet", self.write("bad.py", text))
                self.assertEqual(done.returncode, 65, done.stderr)
                lines = done.stderr.splitlines()
                self.assertIn("bad.py:2: ", lines[0])
                self.assertEqual(lines[1:], ["[ERROR][MORSE] the script failed, nothing was started"] * is_of_morse)
                done = self.orrery("check", self.path("bad.py"))
                self.assertEqual(done.stderr.splitlines(), lines[:1])

    def test_the_traceback_is_for_debug(self):
        script = self.write("bad.py", "from orrery.builder import *\nATRV().append(None)\n")
        for command in (["run", "--quiet"], ["check"], ["build", "-o", "out"], ["order"]):
            self.assertNotIn("Traceback", self.orrery(*command, script).stderr)
            done = self.orrery(*command, "--debug", script)
            self.check(done, 65, "Traceback", "abstractcomponent.py", "bad.py:2: append: want a component, not None")

    def test_words_of_morse_are_for_its_scripts(self):
        for scene in (self.write("scene.json", SCENE), self.write("a.py", SCRIPT.replace("morse.builder", "orrery.builder"))):
            done = self.orrery("run", scene, "--fast", "--offline", "--ticks", "1")
            self.check(done, 0)
            self.assertNotIn("morse", done.stderr.lower())
            self.assertIn("60 ticks per second of simulated time, ", done.stderr)

    def test_a_scene_that_fails(self):
        script = self.write("bad.py", SCRIPT.replace("robot.append", "pose.properties(foo=1)\nrobot.append")
                            .replace("morse.builder", "orrery.builder"))
        done = self.orrery("run", script)
        self.check(done, 65, "INITIALIZATION ERROR: %s:6: robot.pose:" % script, "no property 'foo'",
                   "[INITIALIZATION FAILED!]\n", "[EXITING SIMULATION]\n")
        self.assertNotIn("SCENE INITIALIZED", done.stderr)
        self.check(self.orrery("check", script), 65, "%s:6: robot.pose: " % script)

    def test_arguments_of_the_script(self):
        script = "import sys\nprint(sys.argv[1:], file=sys.stderr)\n" + SCRIPT
        done = self.orrery("run", self.write("a.py", script), "--fast", "--ticks", "1", "--", "--fast", "x y")
        self.check(done, 0)
        self.assertIn("['--fast', 'x y']", done.stderr)


class Listening(ProgramCase):
    MANAGER = "morse.middleware.socket_datastream.SocketDatastreamManager"

    def run_with(self, options, *more):
        scene = json.loads(SCENE)
        scene["stream_manager"] = {self.MANAGER: options}
        done = self.orrery("run", self.write("scene.json", json.dumps(scene)), "--fast", "--ticks", "1", *more)
        self.check(done, 0)
        return done.stderr

    def test_what_listens_where_is_said(self):
        """As MORSE says it on loopback; who opens more reads it in the same line."""
        options = {"time_sync": True, "sync_port": 5000}
        log = self.run_with(options)
        self.assertRegex(log, r"now listening on port \d+ for component robot\.pose\.\n")
        self.assertRegex(log, r"Socket service manager now listening on port \d+\.\n")
        self.assertIn("Creating clock synchronisation on port 5000\n", log)
        log = self.run_with(dict(options, address="*"), "--allow-users=any")
        self.assertRegex(log, r"now listening on port \d+ of all addresses for component robot\.pose\.\n")
        self.assertIn("Creating clock synchronisation on port 5000 of all addresses\n", log)


@unittest.skipIf(is_raced(), "the thread sanitizer keeps signals back")
class Signals(ProgramCase):
    def stop(self, number, code):
        process = self.start("run", self.write("scene.json", SCENE))
        self.wait_for(process, "[SCENE INITIALIZED]")
        start = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code)
        self.assertLess(time.monotonic() - start, 20)
        self.assertIn("[EXITING SIMULATION]", err)
        self.assertIn(" ticks, ", out)

    def test_interrupt(self):
        self.stop(signal.SIGINT, 130)

    def test_terminate(self):
        self.stop(signal.SIGTERM, 143)

    def test_the_second_signal_ends_at_once(self):
        # A sensor that holds the tick for a minute: what one signal alone cannot end.
        self.build_plugin("acme/stuck.so", STUCK)
        scene = self.write("scene.json", SCENE.replace("morse.sensors.pose.Pose", "acme.stuck.Stuck"))
        process = self.start("run", scene, "--plugin-dir", self.path("plugins"))
        self.wait_for(process, "stuck")
        process.send_signal(signal.SIGTERM)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)

    def test_while_the_builder_runs(self):
        script = "import sys, time\nprint('here', file=sys.stderr, flush=True)\ntime.sleep(60)\n"
        process = self.start("run", self.write("slow.py", script))
        self.wait_for(process, "here")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 143)


class Clients(ProgramCase):
    def test_echo_and_call(self):
        process = self.start("run", self.write("scene.json", SCENE))
        port = self.services_port(process)

        done = self.orrery("echo", "robot.pose", "--count", "3", "--port", port)
        self.check(done, 0)
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(messages), 3)
        self.assertLess(messages[0]["timestamp"], messages[2]["timestamp"])

        self.check(self.orrery("call", "--port", port, "simulation", "list_robots"), 0, '["robot"]')
        self.check(self.orrery("call", "--port", port, "simulation", "get_stream_port", "robot.pose"), 0, "6")
        self.check(self.orrery("call", "--port", port, "simulation", "get_stream_port", '["robot.pose"]'), 0, "6")
        self.check(self.orrery("call", "--port", port, "robot.motion", "set_speed", "0.5", "0"), 0)
        self.check(self.orrery("call", "--port", port, "robot.motion", "set_speed", "--", "-0.5", "0"), 0)
        self.check(self.orrery("call", "robot.motion", "set_speed", "-0.5", "-1e-1", "--port", port), 0)
        self.check(self.orrery("call", "--port", port, "robot.motion", "set_speed", "-fast", "0"), 64, "option")

        self.check(self.orrery("call", "--port", port, "robot.motion", "no_such"), 69, "no_such")
        self.check(self.orrery("call", "--port", port, "simulation", "get_stream_port"), 64, "parameter")
        self.check(self.orrery("echo", "robot.poze", "--port", port), 69, "robot.poze")

        self.check(self.orrery("call", "--port", port, "simulation", "quit"), 0)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0)

    def test_which_name_is_wrong(self):
        """The component, the service, or the component has no services or no stream; and how to publish them."""
        process = self.start("run", self.write("scene.json", SCENE))
        port = self.services_port(process)
        for words, said in (
                (("call", "robot.motoin", "set_speed"), "no component is named 'robot.motoin'; did you mean robot.motion"),
                (("call", "simulatoin", "quit"), "no component is named 'simulatoin'; did you mean simulation"),
                (("call", "robot.motion", "set_sped"), "robot.motion has no service 'set_sped'; did you mean set_speed"),
                (("call", "robot.pose", "get_local_data"), "robot.pose publishes no services on sockets; `add_service ('socket')`"),
                (("call", "robot", "get_local_data"), "robot publishes no services on sockets; `add_service ('socket')`"),
                (("echo", "robot.poze"), "no component is named 'robot.poze'; did you mean robot.pose"),
                (("echo", "robot"), "robot has no stream on a socket; `add_stream ('socket')`")):
            with self.subTest(words):
                self.check(self.orrery(words[0], "--port", port, *words[1:]), 69, said)
        # What else fails keeps its own words.
        self.check(self.orrery("call", "--port", port, "simulation", "activate", "robot.x"), 69, "robot.x")

    def test_a_value_of_nothing_is_printed(self):
        scene = json.loads(SCENE)
        scene["environment"]["start"] = 0
        process = self.start("run", "--paused", self.write("scene.json", json.dumps(scene)))
        port = self.services_port(process)
        done = self.orrery("call", "--port", port, "time", "now")
        self.assertEqual((done.returncode, done.stdout), (0, "0.0\n"), done.stderr)
        done = self.orrery("call", "--port", port, "robot.motion", "set_speed", "0", "0")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_client_that_comes_first(self):
        """It waits until the simulation answers, and as long as it was told to."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = str(server.getsockname()[1])
        call = self.start("call", "--wait", "60", "--port", port, "simulation", "list_robots")
        echo = self.start("echo", "--wait", "60", "--port", port, "robot.pose", "--count", "1")
        for words in ("echo", "robot.pose"), ("call", "simulation", "quit"):
            self.check(self.orrery(*words, "--wait", "0.1", "--port", port), 74, "no simulation answers on port " + port)
            self.check(self.orrery(*words, "--wait", "soon"), 64, "--wait: 'soon' is no number of seconds")
        self.assertEqual((call.poll(), echo.poll()), (None, None))
        scene = json.loads(SCENE)
        scene["stream_manager"] = {"orrery.middleware.socket_request_manager.SocketRequestManager": {"port": int(port)}}
        process = self.start("run", self.write("scene.json", json.dumps(scene)))
        self.assertEqual(self.services_port(process), port)
        self.assertEqual(call.communicate(timeout=60), ('["robot"]\n', ""))
        self.assertIn('"x"', echo.communicate(timeout=60)[0])

    def test_nobody_there(self):
        for words in (("echo", "robot.pose"), ("call", "simulation", "quit")):
            self.check(self.orrery(*words, "--port", "1"), 74, "no simulation answers on port 1; is one running?")
        self.check(self.orrery("echo", "robot.pose", "--host", "127.0.0.2", "--port", "1"), 74,
                   "no simulation answers on port 1 of 127.0.0.2; is one running?")


class Demo(ProgramCase):
    def test_the_first_scene(self):
        scene = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/first_scene.py")
        done = self.orrery("run", scene, "--for", "6", "--demo")
        self.check(done, 0, "360 ticks", "robot.pose", "robot.waypoint to (3, 0)")
        places = re.findall(r"robot\.pose x +(-?[\d.]+)", done.stdout)
        self.assertGreater(len(places), 3)
        self.assertGreater(float(places[-1]), 1.5, done.stdout)


if __name__ == "__main__":
    tap.main()
