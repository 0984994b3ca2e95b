# SPDX-License-Identifier: BSD-3-Clause
"""A thousand runs by Slurm, Dask and Open MPI themselves: the table has the bytes of the local one, also after kills."""

import csv
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cluster  # noqa: E402
from support import PROGRAM, PYTHON, SCENE, ProgramCase, forked_by, name_of  # noqa: E402

import tap  # noqa: E402

NOWHERE = cluster.enter()
N = "1000"
N_KILLED = 10
# Long enough that runs are found while they last.
KILLS = {"ticks": "2000"}


class SchedulersCase(ProgramCase):
    programs = ()
    local = {}  # tables of the local engine, by options: the scene is the same

    @classmethod
    def setUpClass(cls):
        reason = NOWHERE or cluster.lacks(*cls.programs)
        if reason:
            raise cls.skipTest(cls, reason)

    def setUp(self):
        super().setUp()
        scene = json.loads(SCENE)
        scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.write("scene.json", json.dumps(scene))
        self.daemons = None

    def arguments(self, *more, out="out", runs=N, ticks="5"):
        return [PROGRAM, "batch", "scene.json", "--out", out, "--runs", runs, "--ticks", ticks, "--block", "50", *more]

    def begin(self, arguments):
        environment = self.daemons.environment if self.daemons else self.environment()
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.directory, env=environment, stdin=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        return process

    def finish(self, process, code=0):
        said = process.communicate(timeout=80)
        self.assertEqual(process.returncode, code, said)
        return said

    def read(self, out):
        with open(self.path(out + "/results.csv"), "rb") as file:
            return file.read()

    def compare(self, **options):
        """With what this command alone does."""
        key = tuple(sorted(options.items()))
        if key not in self.local:
            self.finish(self.begin(self.arguments(out="local", **options)))
            self.local[key] = self.read("local")
        self.assertEqual(self.local[key].count(b"\n"), int(options.get("runs", N)) + 1)
        self.assertEqual(self.read("out"), self.local[key])

    def find_commands(self):
        """Those that have a block now, by their processes; the tasks of Slurm and Dask are of this machine, too."""
        found = []
        for path in glob.glob(self.path("out/claims/block-*")):
            try:
                with open(path, encoding="utf-8") as file, \
                        open(self.path("out/claims/command-" + file.read()), encoding="utf-8") as command:
                    found.append(int(command.read().split()[0]))
            except (OSError, IndexError):  # it has ended just now
                pass
        return sorted(set(found))

    def find_command(self, process):
        while True:
            self.assertIsNone(process.poll())
            for pid in self.find_commands():
                return pid

    def kill_one(self, process):
        os.kill(self.find_command(process), signal.SIGKILL)

    def kill_runs(self, process, number=N_KILLED):
        """One in a hundred of the runs, at random, whatever command has begun them."""
        chance, killed = random.Random(5), {}
        while len(killed) < number:
            self.assertIsNone(process.poll(), "it ended after %d kills" % len(killed))
            runs = [run for pid in self.find_commands() for run in forked_by(pid)
                    if run not in killed and name_of(run) not in killed.values()]
            if not runs or (killed and chance.random() < 0.9):
                continue
            victim = chance.choice(runs)
            name = name_of(victim)
            try:
                os.kill(int(victim), signal.SIGKILL)
                killed[victim] = name
            except ProcessLookupError:
                pass

    def check_tries(self):
        """A kill of a run that had just ended lost nothing; a third of them did at least. Each run has a row, also one
        whose command was killed before it could note the try."""
        with open(self.path("out/runs.csv"), encoding="utf-8", newline="") as file:
            tries = [int(row["tries"]) for row in csv.DictReader(file)]
        self.assertEqual(len(tries), int(N))
        self.assertGreaterEqual(sum(tries) - len(tries), N_KILLED // 3)


class Mpi(SchedulersCase):
    programs = ("mpirun",)

    def start(self, *more, **options):
        return self.begin(["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "oob_tcp_if_include", "lo", "-n", "4",
                           *self.arguments("--engine", "mpi", *more, **options)])

    def test_a_thousand_runs(self):
        said = self.finish(self.start())
        self.assertEqual(said[0].count("1000 runs, 0 failed"), 1, said)
        self.compare()

    def test_kills(self):
        """mpirun ends all ranks with the one that is killed; the same command goes on."""
        process = self.start("--retries", "20", **KILLS)
        self.kill_runs(process)
        self.kill_one(process)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertFalse(os.path.exists(self.path("out/results.csv")))
        self.finish(self.start("--retries", "20", **KILLS))
        self.compare(**KILLS)
        self.check_tries()


class Slurm(SchedulersCase):
    programs = ("slurmctld", "slurmd", "munged", "sbatch")

    def setUp(self):
        super().setUp()
        place = tempfile.mkdtemp(prefix="orrery-slurm-")
        self.addCleanup(shutil.rmtree, place, ignore_errors=True)
        self.daemons = cluster.Slurm(place, self.environment())
        self.addCleanup(self.daemons.end)

    def test_a_thousand_runs(self):
        said = self.finish(self.begin(self.arguments("--engine", "slurm")))
        self.assertIn("1000 runs, 0 failed, 0 were there already", said[0])
        self.compare()

    def test_kills(self):
        """A task whose command is killed queues itself again."""
        process = self.begin(self.arguments("--engine", "slurm", "--retries", "20", **KILLS))
        self.kill_runs(process)
        self.kill_one(process)
        said = self.finish(process)
        self.assertIn("1000 runs, 0 failed", said[0])
        logs = "".join(open(path, encoding="utf-8").read() for path in glob.glob(self.path("out/tasks/*.txt")))
        self.assertIn("Killed", logs)
        self.compare(**KILLS)
        self.check_tries()

    def test_the_scheduler_goes_away(self):
        """What tasks do meanwhile is not lost; without it the command ends, and another engine does the rest."""
        process = self.begin(self.arguments("--engine", "slurm", "--claim-timeout", "4", runs="200", ticks="5000"))
        self.find_command(process)
        self.daemons.kill("slurmctld")
        self.assertIn("Slurm has not answered for", self.finish(process, 69)[1])
        self.assertFalse(os.path.exists(self.path("out/results.csv")))
        said = self.finish(self.begin(self.arguments("--engine", "slurm", runs="200", ticks="5000")), 69)
        self.assertIn("--engine slurm: ", said[1])
        said = self.finish(self.begin(self.arguments("--engine", "shared", runs="200", ticks="5000")))
        self.assertIn("200 runs, 0 failed", said[0])
        self.compare(runs="200", ticks="5000")

    def test_the_command_is_ended(self):
        """The tasks end with it."""
        process = self.begin(self.arguments("--engine", "slurm", runs="100", ticks="4000000000"))
        self.find_command(process)
        process.send_signal(signal.SIGINT)
        self.assertIn("interrupted after 0 runs", self.finish(process, 130)[1])
        self.daemons.until(lambda: self.daemons.ask("squeue", "-h") == "")


class Dask(SchedulersCase):
    """A scheduler and two workers."""

    ADDRESS = "tcp://127.0.0.1:8786"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if subprocess.run([PYTHON, "-c", "import distributed"], capture_output=True).returncode != 0:
            raise cls.skipTest(cls, "no module distributed; Debian has it in python3-distributed")

    def setUp(self):
        super().setUp()
        place = tempfile.mkdtemp(prefix="orrery-dask-")
        self.addCleanup(shutil.rmtree, place, ignore_errors=True)
        self.daemons = cluster.Daemons(place, self.environment())
        self.addCleanup(self.daemons.end)
        self.daemons.start("scheduler", PYTHON, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port",
                           "8786", "--no-dashboard", "--no-show")
        for number in "1", "2":
            self.daemons.start("worker" + number, PYTHON, "-m", "distributed.cli.dask_worker", self.ADDRESS, "--nthreads",
                               "1", "--no-dashboard", "--no-nanny", "--local-directory", place)

    def start(self, *more, **options):
        return self.begin(self.arguments("--engine", "dask:" + self.ADDRESS, *more, **options))

    def test_a_thousand_runs(self):
        said = self.finish(self.start())
        self.assertEqual(said[0], "1000 runs, 0 failed, 0 were there already\n")
        self.assertNotIn("rror", said[1])
        self.compare()

    def test_kills(self):
        """Another worker does what those of the killed one were to do."""
        process = self.start("--retries", "20", **KILLS)
        self.kill_runs(process)
        self.kill_one(process)
        self.daemons.kill("worker1")
        self.assertIn("1000 runs, 0 failed", self.finish(process)[0])
        self.compare(**KILLS)
        self.check_tries()

    def test_the_scheduler_goes_away(self):
        process = self.start("--claim-timeout", "4", runs="200", ticks="5000")
        self.find_command(process)
        self.daemons.kill("scheduler")
        self.assertIn("--engine dask: the scheduler at tcp://127.0.0.1:8786 has", self.finish(process, 74)[1])
        self.assertFalse(os.path.exists(self.path("out/results.csv")))
        said = self.finish(self.start("--claim-timeout", "1", runs="200", ticks="5000"), 69)
        self.assertIn("--engine dask: no scheduler at tcp://127.0.0.1:8786", said[1])
        said = self.finish(self.begin(self.arguments("--engine", "shared", runs="200", ticks="5000")))
        self.assertIn("200 runs, 0 failed", said[0])
        self.compare(runs="200", ticks="5000")


class Absent(ProgramCase):
    def test_slurm(self):
        """A path with the programs that it needs itself, and no sbatch."""
        self.write("scene.json", SCENE)
        done = subprocess.run([PROGRAM, "batch", "scene.json", "--out", "out", "--runs", "2", "--ticks", "1", "--engine", "slurm"],
                              env=dict(self.environment(), PATH=self.directory), cwd=self.directory, text=True,
                              capture_output=True)
        self.check(done, 69, "there is no program sbatch")


tap.main()
