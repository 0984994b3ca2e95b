# SPDX-License-Identifier: BSD-3-Clause
"""The processes of `orrery batch`: the server that forks them, blocks, kills, retries, limits, the lock, a full disk."""

import csv
import json
import os
import random
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import BUILD, PROGRAM, SCENE, ProgramCase, children_of, forked_by, name_of, servers_of  # noqa: E402

import tap  # noqa: E402

PLUGINS = os.path.join(BUILD, "tests/plugins/tree")
NOISE = "robot.pose/PoseNoiseModifier#0.pos_std"
FOREVER = "4000000000"


class ProcessesCase(ProgramCase):
    def setUp(self):
        super().setUp()
        scene = json.loads(SCENE)
        scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.write("scene.json", json.dumps(scene))

    def batch(self, *arguments, out="out", ticks="5", code=0):
        done = self.orrery("batch", "scene.json", "--out", out, "--ticks", ticks, *arguments, timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def begin(self, *arguments, ticks="5"):
        return self.start("batch", "scene.json", "--out", "out", "--ticks", ticks, *arguments)

    def bytes(self, out="out", name="results.csv"):
        with open(self.path(os.path.join(out, name)), "rb") as file:
            return file.read()

    def rows(self, out="out", name="results.csv"):
        with open(self.path(os.path.join(out, name)), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


class Blocks(ProcessesCase):
    def test_they_change_no_byte(self):
        arguments = ("--runs", "60", "--draw", NOISE + "=uniform(0,1)", "--metric", "far=max_over(abs(robot.pose.x))")
        self.batch(*arguments, "-j", "3")
        # one run after the other, each of them a program of its own
        for run in 0, 30, 59:
            self.batch(*arguments, "--only", str(run), out="alone")
        self.batch(*arguments, "-j", "1", out="alone")
        for block in "2", "7", "1000":
            self.batch(*arguments, "-j", "2", "--block", block, out=block)
            self.assertEqual(self.bytes(out=block), self.bytes())
        self.assertEqual(self.bytes(out="alone"), self.bytes())
        self.assertEqual(len({row["hash"] for row in self.rows()}), 60)

    def test_each_run_has_its_files(self):
        scene = json.loads(SCENE)
        scene["component_datastream"]["robot.pose"] = [
            ["morse.middleware.text_datastream.TextDatastreamManager", "morse.middleware.text_datastream.CSVPublisher",
             {"file": "pose.csv"}]]
        self.write("scene.json", json.dumps(scene))
        self.batch("--runs", "12", "-j", "1", "--block", "12")
        for run in range(12):
            with open(self.path("out/run-%05d/log.txt" % run), encoding="utf-8") as file:
                self.assertEqual(file.read().count("[SCENE INITIALIZED]"), 1)
            self.assertTrue(any(name.startswith("pose") for name in os.listdir(self.path("out/run-%05d" % run))),
                            os.listdir(self.path("out/run-%05d" % run)))

    def test_strict_counts_the_warnings_of_its_run(self):
        """None of a run before it in the same process."""
        arguments = ("--sweep", "robot.pose.frequency=[60,1000,60,60,1000,60,60,60,60,60,60,60]", "--strict", "-j", "1")
        self.batch(*arguments, code=1)
        exits = [row["exit"] for row in self.rows()]
        self.assertEqual(set(exits), {"0", "65"}, exits)
        self.batch(*arguments, "--block", "12", out="block", code=1)
        self.assertEqual(self.bytes(out="block"), self.bytes())

    def test_a_crash_loses_one_run(self):
        """Those behind it in its block are done in another process."""
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [
            {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
                {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
                {"name": "bad", "classpath": "probe.faults.Faulty",
                 "properties": {"how": "segv", "where": "sense", "at": 5}}]}]}))
        ats = [5 if run in (13, 14, 20) else 999 for run in range(40)]
        done = self.batch("--sweep", "robot.bad.at=%s" % ats, "-j", "1", "--block", "40", "--plugin-dir", PLUGINS,
                          ticks="10", code=1)
        self.assertIn("40 runs, 3 failed", done.stdout)
        self.assertIn("run-00013: killed by signal 11", done.stderr)
        rows = self.rows(name="runs.csv")
        self.assertEqual([row["run"] for row in rows if row["signal"] == "11"], ["13", "14", "20"])
        self.assertEqual({row["tries"] for row in rows}, {"1"})
        self.assertEqual(len(self.rows()), 37)

    def test_what_runs_of_a_block_cost(self):
        self.batch("--runs", "20", "-j", "1", "--block", "20", ticks="500")
        for row in self.rows(name="runs.csv"):
            self.assertTrue(0 < float(row["cpu"]) < 10, row)
            self.assertTrue(0 < float(row["wall"]) < 60, row)


class Kills(ProcessesCase):
    def kill_some(self, process, n, n_servers=0):
        """Kills so many runs of a batch, each once, until it ends; some of them with the server."""
        chance, killed, names = random.Random(17), set(), set()
        while process.poll() is None:
            # What was killed is tried again under its name at once, and would be found most often.
            runs = [pid for pid in forked_by(process.pid) if pid not in killed and name_of(pid) not in names]
            if not runs or len(killed) >= n or (killed and chance.random() < 0.8):
                continue
            victim = chance.choice(runs)
            killed.add(victim)
            names.add(name_of(victim))
            try:
                if len(killed) <= n_servers:
                    os.kill(int(servers_of(process.pid)[0]), signal.SIGKILL)
                else:
                    os.kill(int(victim), chance.choice([signal.SIGKILL, signal.SIGTERM]))
            except (ProcessLookupError, IndexError):
                killed.discard(victim)
        return len(killed), process.communicate(timeout=60)

    def test_a_thousand_runs(self):
        """One in a hundred is killed; in the end nothing tells of it but runs.csv."""
        process = self.begin("--runs", "1000", "-j", "2", "--retries", "5", ticks="1500")
        n, said = self.kill_some(process, 10)
        self.assertEqual((process.returncode, n), (0, 10), said)
        self.assertIn("1000 runs, 0 failed", said[0])
        again = [row for row in self.rows(name="runs.csv") if row["tries"] != "1"]
        self.assertTrue(3 <= len(again) <= 10, again)
        self.batch("--runs", "1000", "-j", "2", "--block", "100", out="calm", ticks="1500")
        self.assertEqual(self.bytes(), self.bytes(out="calm"))
        self.assertEqual(len(self.rows()), 1000)

    def test_blocks(self):
        process = self.begin("--runs", "200", "-j", "2", "--retries", "5", "--block", "20", ticks="4000")
        n, said = self.kill_some(process, 4)
        self.assertEqual((process.returncode, n), (0, 4), said)
        self.batch("--runs", "200", out="calm", ticks="4000")
        self.assertEqual(self.bytes(), self.bytes(out="calm"))

    def test_the_server(self):
        """Its runs end with it; the others go on as programs of their own."""
        process = self.begin("--runs", "40", "-j", "2", "--retries", "5", ticks="20000")
        n, said = self.kill_some(process, 1, n_servers=1)
        self.assertEqual((process.returncode, n), (0, 1), said)
        self.batch("--runs", "40", out="calm", ticks="20000")
        self.assertEqual(self.bytes(), self.bytes(out="calm"))

    def test_without_retries_they_fail(self):
        process = self.begin("--runs", "40", "-j", "2", ticks="20000")
        n, said = self.kill_some(process, 2)
        self.assertEqual((process.returncode, n), (1, 2), said)
        # one that had just ended is killed in vain
        self.assertIn(len(self.rows()), (38, 39))

    def test_faults_are_not_tried_again(self):
        self.batch("--sweep", NOISE + '=[0,"x",0,0,0,0,0,0,0]', "--retries", "5", code=1)
        self.assertEqual({row["tries"] for row in self.rows(name="runs.csv")}, {"1"})
        self.assertEqual([row["exit"] for row in self.rows()].count("65"), 1)

    def test_an_end_of_the_command_ends_all(self):
        for number in signal.SIGKILL, signal.SIGTERM:
            process = self.begin("--runs", "40", "-j", "2", ticks=FOREVER)
            while not os.path.exists(self.path("out/run-00001/log.txt")):
                self.assertIsNone(process.poll())
            others = children_of(process.pid)
            process.send_signal(number)
            process.communicate(timeout=60)
            while any(os.path.exists("/proc/" + pid) and name_of(pid) for pid in others):
                pass

    def test_interrupted_blocks(self):
        process = self.begin("--runs", "400", "-j", "2", "--block", "50", ticks="20000")
        while not forked_by(process.pid):
            self.assertIsNone(process.poll())
        process.terminate()
        self.assertIn("interrupted", process.communicate(timeout=60)[1])
        self.assertEqual(process.returncode, 75)
        self.batch("--runs", "400", "-j", "2", "--block", "50", ticks="20000")
        self.assertEqual(len(self.rows()), 400)


class Limits(ProcessesCase):
    def test_of_time(self):
        done = self.batch("--runs", "10", "-j", "5", "--time-limit", "0.3", "--retries", "3", ticks=FOREVER, code=1)
        self.assertIn("run-00009: ended by its time limit", done.stderr)
        self.assertEqual({(row["tries"], row["signal"], row["cause"]) for row in self.rows(name="runs.csv")},
                         {("1", "9", "time limit")})
        self.assertEqual(self.rows(), [])

    def test_of_memory(self):
        done = self.batch("--runs", "10", "-j", "5", "--memory-limit", "1m", ticks=FOREVER, code=1)
        self.assertIn("ended by its memory limit", done.stderr)
        self.assertEqual({row["cause"] for row in self.rows(name="runs.csv")}, {"memory limit"})

    def test_that_nobody_reaches(self):
        self.batch("--runs", "10", "--time-limit", "500", "--memory-limit", "100G", "--block", "5")
        self.assertEqual({row["cause"] for row in self.rows(name="runs.csv")}, {""})

    def test_of_the_next_run_of_a_block(self):
        """A limit is of a run, not of the block."""
        self.batch("--runs", "30", "-j", "1", "--block", "30", "--time-limit", "2", ticks="50000")
        self.assertEqual(len(self.rows()), 30)

    def test_wrong_usage(self):
        for arguments, words in (
            (["--time-limit", "0"], "--time-limit: a number above 0"),
            (["--time-limit", "x"], "no number of seconds"),
            (["--memory-limit", "0"], "is no size"),
            (["--memory-limit", "1T"], "is no size"),
            (["--memory-limit", "-1"], "is no size"),
            (["--memory-limit", "99999999999G"], "is no size"),
            (["--retries", "-1"], "no whole number"),
            (["--retries", "1001"], "is not from 0 to 1000"),
            (["--block", "0"], "is not from 1 to 10000"),
            (["--block", "10001"], "is not from 1 to 10000"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.batch("--runs", "1", *arguments, code=64).stderr)
        self.assertFalse(os.path.exists(self.path("out")))


class Directories(ProcessesCase):
    def test_two_commands(self):
        process = self.begin("--runs", "2", "-j", "2", ticks=FOREVER)
        while not os.path.exists(self.path("out/run-00001/log.txt")):
            self.assertIsNone(process.poll())
        done = self.batch("--runs", "2", ticks=FOREVER, code=75)
        self.assertIn("another command works in this directory", done.stderr)
        self.assertIn("%d %s" % (process.pid, os.uname().nodename), done.stderr)
        process.terminate()
        process.communicate(timeout=60)
        # the lock of a program that has gone is none
        os.unlink(self.path("out/batch.txt"))
        self.batch("--runs", "2")

    def test_after_a_kill(self):
        """What the killed command has started ends first."""
        process = self.begin("--runs", "20", "-j", "2", ticks="20000")
        while not forked_by(process.pid):
            self.assertIsNone(process.poll())
        process.kill()
        process.communicate(timeout=60)
        self.batch("--runs", "20", ticks="20000")
        self.assertEqual(len(self.rows()), 20)

    def test_a_lock_that_is_no_file(self):
        os.makedirs(self.path("out"))
        os.symlink("/dev/null", self.path("out/batch.lock"))
        self.assertIn("batch.lock", self.batch("--runs", "1", code=74).stderr)

    def test_tasks_work_side_by_side(self):
        first = self.begin("--runs", "20", "--only", "3", ticks=FOREVER)
        while not os.path.exists(self.path("out/run-00003/log.txt")):
            self.assertIsNone(first.poll())
        second = self.begin("--runs", "20", "--only", "4", ticks=FOREVER)
        while not os.path.exists(self.path("out/run-00004/log.txt")):
            self.assertIsNone(second.poll())
        for process in first, second:
            process.terminate()
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 75)

    def test_a_full_disk(self):
        """What has no room is told once, and ends the command; with room it does the rest, to the same table."""
        script = ("mount -t tmpfs -o size=400k none '%s' && cd '%s' && %s batch scene.json --runs 400 -j 2 --block 20 "
                  "--ticks 5 --out small/out; code=$?; ls small/out >begun; mount -o remount,size=50m small && "
                  "%s batch scene.json --runs 400 -j 2 --block 20 --ticks 5 --out small/out && cp small/out/results.csv .; "
                  "echo codes $code $?")
        os.makedirs(self.path("small"))
        done = subprocess.run(["unshare", "-m", "sh", "-c", script % (self.path("small"), self.directory, PROGRAM, PROGRAM)],
                              capture_output=True, text=True, env=self.environment(), timeout=300)
        if "unshare" in done.stderr or "mount:" in done.stderr:
            self.skipTest("no namespace of mounts here: " + done.stderr)
        self.assertRegex(done.stdout, "codes 74 0\n", done.stderr)
        self.assertEqual(done.stderr.count("with room the same command does the others"), 1, done.stderr)
        with open(self.path("begun"), encoding="utf-8") as file:
            self.assertLess(file.read().count("run-"), 300)
        self.batch("--runs", "400", out="roomy")
        with open(self.path("results.csv"), "rb") as file:
            self.assertEqual(file.read(), self.bytes(out="roomy"))


class Progress(ProcessesCase):
    def test_on_a_terminal(self):
        """Rate and time left, on standard error."""
        ours, theirs = self.open_terminal()
        process = subprocess.Popen([PROGRAM, "batch", "scene.json", "--out", "out", "--runs", "100", "--ticks", "30000",
                                    "-j", "2"], stdout=subprocess.PIPE, stderr=theirs, cwd=self.directory, text=True,
                                   env=dict(self.environment(), TERM="xterm"), stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        os.close(theirs)
        said = b""
        try:
            while True:
                said += os.read(ours, 4096)
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(process.communicate(timeout=60)[0], "100 runs, 0 failed, 0 were there already\n")
        self.assertRegex(said.decode(), r"\d+ of 100 runs, 0 failed, [\d.]+ per second, .* left")
        self.assertTrue(said.endswith(b"\r\x1b[K"), said[-40:])

    def test_elsewhere(self):
        """Short batches say nothing in between."""
        self.assertEqual(self.batch("--runs", "20").stderr, "")


tap.main()
