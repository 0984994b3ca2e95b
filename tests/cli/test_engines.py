# SPDX-License-Identifier: BSD-3-Clause
"""`orrery batch --engine shared` and `mpi`: several commands on one directory, which take over what dead ones had."""

import csv
import json
import os
import signal
import socket
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import PROGRAM, PYTHON, SCENE, ProgramCase  # noqa: E402

import tap  # noqa: E402

FOREVER = "4000000000"


class EnginesCase(ProgramCase):
    def setUp(self):
        super().setUp()
        scene = json.loads(SCENE)
        scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.write("scene.json", json.dumps(scene))

    def arguments(self, out, ticks, *more):
        return ("batch", "scene.json", "--out", out, "--ticks", ticks, *more)

    def batch(self, *arguments, out="out", ticks="5", code=0):
        done = self.orrery(*self.arguments(out, ticks, *arguments))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def begin(self, *arguments, ticks="5", engine="shared", rank=None):
        environment = dict(self.environment())
        if rank is not None:
            environment.update(PMI_RANK=str(rank[0]), PMI_SIZE=str(rank[1]))
        process = subprocess.Popen([PROGRAM, *self.arguments("out", ticks, "--engine", engine, *arguments)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.directory,
                                   env=environment, stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        return process

    def finish(self, process, code=0):
        said = process.communicate(timeout=100)
        self.assertEqual(process.returncode, code, said)
        return said

    def bytes(self, out="out", name="results.csv"):
        with open(self.path(os.path.join(out, name)), "rb") as file:
            return file.read()

    def rows(self, name, out="out"):
        with open(self.path(os.path.join(out, name)), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def read(self, name):
        try:
            with open(self.path("out/claims/" + name), encoding="utf-8") as file:
                return file.read()
        except OSError:  # it was taken away meanwhile
            return ""

    def claims(self):
        """Names of what lies there, but for the size."""
        try:
            return sorted(name for name in os.listdir(self.path("out/claims")) if name != "size")
        except OSError:
            return []

    def blocks_of(self, pid):
        ids = [name[len("command-"):] for name in self.claims()
               if name.startswith("command-") and self.read(name).startswith("%d " % pid)]
        return [name for name in self.claims() if name.startswith("block-") and self.read(name) in ids]

    def stop_at_work(self, process):
        """Stops it while it has a block, and says which."""
        while True:
            self.assertIsNone(process.poll(), process.returncode)
            if self.blocks_of(process.pid):
                process.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, process.pid, os.WSTOPPED)
                held = self.blocks_of(process.pid)
                if held:
                    return held
                process.send_signal(signal.SIGCONT)


class Shared(EnginesCase):
    def test_alone_it_is_the_same(self):
        self.batch("--runs", "20", out="local")
        self.batch("--runs", "20", "--engine", "local", out="named")
        self.assertIn("20 runs, 0 failed, 0 were there", self.batch("--runs", "20", "--engine", "shared").stdout)
        self.assertEqual(self.bytes(), self.bytes("local"))
        self.assertEqual(self.bytes("named"), self.bytes("local"))
        self.assertEqual(self.claims(), [])
        self.assertIn("25 runs, 0 failed, 20 were there", self.batch("--runs", "25", "--engine", "shared").stdout)

    def test_two_share_the_work(self):
        self.batch("--runs", "40", out="local", ticks="500")
        both = [self.begin("--runs", "40", "-j", "1", "--block", "2", ticks="500") for _ in range(2)]
        there = [int(self.finish(process)[0].split("failed, ")[1].split()[0]) for process in both]
        self.assertEqual(sum(there), 40)
        self.assertEqual(self.bytes(), self.bytes("local"))
        self.assertEqual({row["tries"] for row in self.rows("runs.csv")}, {"1"})
        self.assertEqual(self.claims(), [])

    def test_three_of_which_one_is_killed(self):
        self.batch("--runs", "30", out="local", ticks="4000")
        victim, *others = [self.begin("--runs", "30", "-j", "1", "--block", "3", ticks="4000") for _ in range(3)]
        self.stop_at_work(victim)
        victim.kill()
        for process in others:
            self.assertIn("30 runs, 0 failed", self.finish(process)[0])
        self.assertEqual(self.bytes(), self.bytes("local"))
        self.assertEqual(self.claims(), [])

    def test_one_that_shows_no_life_loses_its_runs(self):
        """It gets to know when it goes on, and leaves them to the others."""
        self.batch("--runs", "8", out="local", ticks="5000")
        sleeper = self.begin("--runs", "8", "-j", "1", "--claim-timeout", "1", ticks="5000")
        self.stop_at_work(sleeper)
        other = self.begin("--runs", "8", "-j", "1", "--claim-timeout", "1", ticks="5000")
        self.assertIn("8 runs, 0 failed", self.finish(other)[0])
        self.assertEqual(self.bytes(), self.bytes("local"))
        before = os.stat(self.path("out/results.csv")).st_mtime_ns
        sleeper.send_signal(signal.SIGCONT)
        self.assertIn("have taken over", self.finish(sleeper, 75)[1])
        self.assertEqual(os.stat(self.path("out/results.csv")).st_mtime_ns, before)
        self.assertEqual(self.claims(), [])

    def test_one_that_works_long_keeps_them(self):
        """The heart beats beside a run that takes longer than the others would wait."""
        first = self.begin("--runs", "1", "--claim-timeout", "1", ticks=FOREVER)
        while not self.blocks_of(first.pid):
            self.assertIsNone(first.poll())
        second = self.begin("--runs", "1", "--claim-timeout", "1", ticks=FOREVER)
        with self.assertRaises(subprocess.TimeoutExpired):
            second.wait(2)
        self.assertEqual(self.blocks_of(second.pid), [])
        for process in second, first:
            process.terminate()
            self.finish(process, 75)
        self.assertEqual(self.claims(), [])
        self.assertFalse(os.path.exists(self.path("out/results.csv")))

    def test_parts(self):
        self.batch("--runs", "25", out="local")
        for part in range(4):
            self.batch("--runs", "25", "--engine", "shared", "--block", "3", "--only", "%d/4" % part)
            self.assertFalse(os.path.exists(self.path("out/results.csv")))
        done = self.batch("--runs", "25", "--engine", "shared", "--block", "3")
        self.assertIn("25 runs, 0 failed, 25 were there already or done by other commands", done.stdout)
        self.assertEqual(self.bytes(), self.bytes("local"))
        # more parts than blocks: some are empty
        self.assertIn("0 runs", self.batch("--runs", "2", "--only", "0/5", out="few").stdout)
        self.assertIn("3 runs", self.batch("--runs", "9", "--only", "4-6", out="few").stdout)
        self.assertEqual(sorted(name for name in os.listdir(self.path("few")) if name.startswith("run-")),
                         ["run-00004", "run-00005", "run-00006"])

    def test_what_nobody_can_do_is_given_up(self):
        """By all commands that are there; a later one tries again."""
        arguments = ("--runs", "3", "-j", "3", "--time-limit", "0.3", "--block", "2")
        both = [self.begin(*arguments, ticks=FOREVER) for _ in range(2)]
        for process in both:
            self.assertIn("3 runs, 3 failed", self.finish(process, 1)[0])
        self.assertEqual(self.rows("results.csv"), [])
        tries = sum(int(row["tries"]) for row in self.rows("runs.csv"))
        self.assertLessEqual(tries, 6)
        self.assertEqual(self.claims(), ["lost-0", "lost-1", "lost-2"])
        self.batch(*arguments, "--engine", "shared", ticks=FOREVER, code=1)
        self.assertEqual(sum(int(row["tries"]) for row in self.rows("runs.csv")), tries + 3)

    def test_with_a_command_that_is_alone(self):
        """Two commands on one directory, of which one shares and one does not."""
        for first, second in ("local", "shared"), ("shared", "local"):
            process = self.begin("--runs", "2", "-j", "2", ticks=FOREVER, engine=first)
            while not os.path.exists(self.path("out/run-00001/log.txt")):
                self.assertIsNone(process.poll())
            done = self.batch("--runs", "2", "--engine", second, ticks=FOREVER, code=75)
            self.assertIn("another command works in this directory", done.stderr)
            process.terminate()
            self.finish(process, 75)
            os.unlink(self.path("out/run-00001/log.txt"))


class Ranks(EnginesCase):
    def test_of_mpi(self):
        """The first one alone tells, and writes the tables."""
        self.batch("--runs", "24", out="local", ticks="500")
        ranks = [self.begin("--runs", "24", ticks="500", engine="mpi", rank=(rank, 3)) for rank in (1, 2, 0)]
        said = [self.finish(process)[0] for process in ranks]
        self.assertEqual(said[:2], ["", ""])
        self.assertIn("24 runs, 0 failed", said[2])
        self.assertEqual(self.bytes(), self.bytes("local"))

    def test_a_failure_is_told_by_the_first(self):
        """Where another rank ended badly, mpirun would end them all."""
        self.write("scene.json", SCENE.replace("sensors.pose.Pose", "sensors.pose.Nose"))
        ranks = [self.begin("--runs", "4", engine="mpi", rank=(rank, 2)) for rank in (1, 0)]
        self.finish(ranks[0], 0)
        self.assertIn("4 runs, 4 failed", self.finish(ranks[1], 1)[0])

    def test_without_mpirun(self):
        for names in {}, {"PMI_RANK": "0"}, {"PMI_RANK": "3", "PMI_SIZE": "3"}, {"PMI_RANK": "x", "PMI_SIZE": "2"}:
            done = subprocess.run([PROGRAM, *self.arguments("out", "5", "--runs", "2", "--engine", "mpi")], text=True,
                                  cwd=self.directory, env=dict(self.environment(), **names), capture_output=True)
            self.check(done, 64, "--engine mpi is for mpirun or srun")


class DaskAbsent(EnginesCase):
    """No scheduler; with schedulers, test_schedulers.py."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if subprocess.run([PYTHON, "-c", "import distributed"], capture_output=True).returncode != 0:
            raise cls.skipTest(cls, "no module distributed; Debian has it in python3-distributed")

    def listen(self):
        """The address of a port that takes connections and says nothing."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        return "tcp://127.0.0.1:%d" % listener.getsockname()[1]

    def test_it_tells_at_once_where_it_connects(self):
        """Long before it gives up."""
        address = self.listen()
        process = self.begin("--runs", "2", "--claim-timeout", "30", engine="dask:" + address)
        while "connecting" not in (line := process.stderr.readline()):
            self.assertTrue(line, "it has ended without telling")
        self.assertIn("the scheduler at %s; the command ends if it does not answer within 30 s (--claim-timeout)" % address, line)
        process.send_signal(signal.SIGINT)
        self.assertIn("interrupted after 0 runs", self.finish(process, 130)[1])

    def test_it_gives_up(self):
        address = self.listen()
        done = self.batch("--runs", "2", "--engine", "dask:" + address, "--claim-timeout", "1", code=69)
        self.assertIn("--engine dask: no scheduler at %s: no answer within 1 s\n" % address, done.stderr)
        self.assertIn("0 of 2 runs are done", done.stderr)
        self.assertFalse(os.path.exists(self.path("out/results.csv")))

    def test_addresses_that_cannot_be(self):
        """They are told at once, without a trace of Python."""
        for address, words in (("fax://127.0.0.1:1", "unknown address scheme 'fax'"),
                               ("127.0.0.1", "missing port number"),
                               ("tls://127.0.0.1:1", "TLS")):
            with self.subTest(address=address):
                done = self.batch("--runs", "2", "--engine", "dask:" + address, code=69)
                self.assertIn("--engine dask: no scheduler at %s: %s" % (address, words), done.stderr)
                self.assertNotIn("no answer within", done.stderr)
                self.assertNotIn("Traceback", done.stderr)


class Bad(EnginesCase):
    def test_claims_of_nobody(self):
        """Whatever lies there: after a while without a change, it is no claim."""
        self.batch("--runs", "6", out="local")
        os.makedirs(self.path("out/claims/command-" + 32 * "b"))
        self.write("outside", "untouched\n")
        os.symlink(self.path("outside"), self.path("out/claims/block-0"))
        self.write("out/claims/block-1", "")
        self.write("out/claims/block-2", "../../../outside")
        self.write("out/claims/block-3", "a" * 100000)
        self.write("out/claims/block-4", 32 * "a")  # of a command that is no longer there
        self.write("out/claims/block-5", 32 * "b")  # of one that is none
        os.utime(self.path("out/claims/block-1"), (4e9, 4e9))
        self.write("out/claims/lost-99999999999999999999", "")
        self.write("out/claims/lost-x", "")
        done = self.batch("--runs", "6", "--engine", "shared", "--claim-timeout", "1")
        self.assertIn("6 runs, 0 failed, 0 were there", done.stdout)
        self.assertEqual(self.bytes(), self.bytes("local"))
        with open(self.path("outside"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "untouched\n")
        self.assertFalse([name for name in self.claims() if name.startswith("block-")])

    def test_a_directory_elsewhere(self):
        os.makedirs(self.path("elsewhere"))
        os.makedirs(self.path("out"))
        os.symlink(self.path("elsewhere"), self.path("out/claims"))
        self.assertIn("claims", self.batch("--runs", "1", "--engine", "shared", code=74).stderr)
        self.assertEqual(os.listdir(self.path("elsewhere")), [])

    def test_a_size_that_is_none(self):
        os.makedirs(self.path("out/claims"))
        for text in "", "0", "10001", "x", "-1", "1 2":
            self.write("out/claims/size", text)
            done = self.batch("--runs", "1", "--engine", "shared", code=74)
            self.assertIn("claims/size: a number of runs from 1 to 10000", done.stderr)
        os.unlink(self.path("out/claims/size"))
        os.symlink("/dev/zero", self.path("out/claims/size"))
        self.assertIn("claims/size", self.batch("--runs", "1", "--engine", "shared", code=74).stderr)

    def test_wrong_usage(self):
        for arguments, words in (
            (["--engine", "sge"], "'sge' is none of local, shared, mpi, slurm, dask:ADDRESS"),
            (["--engine", ""], "is none of"),
            (["--engine", "dask:"], "the address of a scheduler"),
            (["--engine", "dask:--help"], "the address of a scheduler"),
            (["--engine", "dask:tcp://a b"], "the address of a scheduler"),
            (["--engine", "dask:" + "a" * 301], "the address of a scheduler"),
            (["--engine", "shared", "--slurm"], "--slurm goes with --engine slurm alone"),
            (["--engine", "slurm", "--only", "1"], "--only is for one command of many"),
            (["--engine", "dask:tcp://a", "--only", "1"], "--only is for one command of many"),
            (["--claim-timeout", "0.5"], "--claim-timeout: 0.5 is not from 1 to 86400"),
            (["--claim-timeout", "1e9"], "is not from 1 to 86400"),
            (["--claim-timeout", "x"], "no number of seconds"),
            (["--only", "5"], "5 is not from 0 to 4"),
            (["--only", "3-5"], "5 is not from 3 to 4"),
            (["--only", "3-2"], "2 is not from 3 to 4"),
            (["--only", "-3"], "no whole number"),
            (["--only", "3-"], "no whole number"),
            (["--only", "3/3"], "3 is not from 0 to 2"),
            (["--only", "0/0"], "0 is not from 1 to"),
            (["--only", "1/x"], "no whole number"),
            (["--only", "/"], "no whole number"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.batch("--runs", "5", *arguments, code=64).stderr)
        self.assertFalse(os.path.exists(self.path("out")))


tap.main()
