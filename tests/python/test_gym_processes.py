# SPDX-License-Identifier: BSD-3-Clause
"""Environments in several processes: the same bits as in one, and what follows when a process is lost."""

import contextlib
import gc
import mmap
import os
import pathlib
import select
import signal
import subprocess
import sys
import textwrap
import time
import unittest.mock
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PROGRAM, PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery.gym
    from gi.repository import GLib

COMPONENTS = [("pose", "orrery.sensors.pose.Pose"), ("motion", "orrery.actuators.v_omega.MotionVW")]
NOISE = {"component_modifier": {
    "robot.pose": [["orrery.modifiers.pose_noise.PositionNoiseModifier", {"pos_std": 0.1}]]}}
X, Y = "robot.pose.x", "robot.pose.y"
ACT = {"robot.motion.v": (-1, 1), "robot.motion.w": (-2, 2)}
MODES = ("NextStep", "SameStep", "Disabled")

STARTS = """
    import os
    import signal

    def place(simulation, random):
        simulation.move("robot", (random.uniform(2, 3), 0, 0))

    def trip_then_die(simulation, random):
        if not os.path.exists("called"):
            open("called", "w").close()
            raise ValueError("tripped")
        os.kill(os.getpid(), signal.SIGKILL)

    def die_once(simulation, random):
        if not os.path.exists("called"):
            open("called", "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
    """

GEARS = """
    import os
    import signal
    import orrery

    @orrery.plugin
    class Gears(orrery.Actuator):
        gear = orrery.field(int, "", "Gear")

        def act(self, tick, record):
            if record.gear == 7:
                os.kill(os.getpid(), signal.SIGKILL)
            if record.gear == 8:
                signal.pause()
            if record.gear == 6:
                hoard.append(b"x" * 2 ** 24)

    hoard = []
    """


def find_children(pid):
    """The worker processes of a process."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def pids(env):
    return [worker.process.pid for worker in env.vector.crew.workers]


def is_gone(pid):
    """There is no such process, or nobody has asked yet how it ended."""
    try:
        return pathlib.Path("/proc/%d/stat" % pid).read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def await_end(pid):
    """Until a process that is no child of this one has ended."""
    with contextlib.suppress(ProcessLookupError):
        end = os.pidfd_open(pid)
        try:
            return bool(select.select([end], [], [], 30)[0])
        finally:
            os.close(end)
    return True


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class ProcessCase(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS, tables=NOISE))
        self.write("still.json", scene(*COMPONENTS))

    def make(self, n=5, name="still.json", **options):
        env = orrery.gym.VectorEnv(self.path(name), n, **dict({"observe": [X, Y], "act": ACT, "ticks": 6}, **options))
        self.addCleanup(env.close)
        return env

    def find_starts(self, name):
        """A function of a module that workers can import, too, in the directory of the test."""
        self.write("starts.py", textwrap.dedent(STARTS).replace('"called"', repr(self.path("called"))))
        sys.path.insert(0, self.directory)
        self.addCleanup(sys.modules.pop, "starts", None)
        self.addCleanup(sys.path.remove, self.directory)
        import starts
        return getattr(starts, name)


def pack(value):
    """Bytes of all that a step returns."""
    if isinstance(value, dict):
        return b"".join(name.encode() + pack(each) for name, each in value.items())
    if isinstance(value, (tuple, list)) or (isinstance(value, numpy.ndarray) and value.dtype == object):
        return b"".join(pack(each) for each in value)
    if isinstance(value, numpy.ndarray):
        return str((value.dtype, value.shape)).encode() + value.tobytes()
    return repr(value).encode()


class SameBits(ProcessCase):
    def play(self, env, mode):
        """Episodes of different lengths, of which each environment has several."""
        env.autoreset_mode = orrery.gym.AutoresetMode(mode)
        speeds = numpy.linspace(0.2, 1, env.num_envs)
        parts = [pack(env.reset(seed=2 ** 63 + 5))]
        for i in range(12):
            given = env.step(numpy.stack([speeds, numpy.full(env.num_envs, 0.1 * i)], axis=1))
            ended = given[2] | given[3]
            parts.append(pack(given))
            if mode == "Disabled" and ended.any():
                parts.append(pack(env.reset(options={"reset_mask": ended})))
        return b"".join(parts)

    def test_any_number_of_processes(self):
        """Byte for byte, in all modes, with numbers of environments that are no multiple."""
        options = dict(name="scene.json", observe={"place": [X, Y], "yaw": "robot.pose.yaw"},
                       values={"far": "hypot(%s, %s)" % (X, Y)}, max_episode_steps=5,
                       reward=lambda step: step.values["far"] - step.previous_values["far"]
                       + step.observations["yaw"][:, 0] - step.observations["place"].mean(),
                       terminated=X + " > 2.8", on_reset=self.find_starts("place"),
                       set={"simulation.frequency": 120}, pacing=orrery.Pacing.FAST)
        env = self.make(**options)
        expected = {mode: self.play(env, mode) for mode in MODES}
        self.assertEqual(len(set(expected.values())), 3)
        self.assertEqual(expected["NextStep"], self.play(env, "NextStep"))
        for processes in 1, 2, 3:
            env = self.make(processes=processes, **options)
            sizes = [worker.n for worker in env.vector.crew.workers]
            self.assertEqual(sizes, {1: [5], 2: [3, 2], 3: [2, 2, 1]}[processes])
            for mode in MODES:
                self.assertEqual(self.play(env, mode), expected[mode], (processes, mode))
            env.close()


class Orders(ProcessCase):
    def test_without_processes(self):
        """The same order of calls in this process."""
        self.check(self.make(2))

    def test_with_processes(self):
        env = self.make(2, processes=1)
        self.assertRaisesRegex(RuntimeError, "in another process", lambda: env.simulations)
        self.check(env)

    def check(self, env):
        speeds = numpy.full((2, 2), 0.5)
        self.assertRaisesRegex(RuntimeError, "reset before its first step", env.step_async, speeds)
        self.assertRaisesRegex(RuntimeError, "no step is under way", env.step_wait)
        env.reset(seed=1)
        self.assertRaisesRegex(RuntimeError, "no step is under way", env.step_wait)
        self.assertRaisesRegex(ValueError, "shape", env.step_async, speeds[0])
        env.step_async(speeds)
        speeds[:] = 0  # it has been taken
        for call in (lambda: env.step_async(speeds), lambda: env.step(speeds), env.reset):
            self.assertRaisesRegex(RuntimeError, "a step is under way", call)
        observations = env.step_wait()[0]
        self.assertTrue((observations[:, 0] > 0.04).all())
        self.assertRaisesRegex(RuntimeError, "no step is under way", env.step_wait)
        env.step_async(speeds)
        env.close()
        for call in (lambda: env.step(speeds), env.reset):
            self.assertRaisesRegex(RuntimeError, "is closed", call)

    def test_interrupted(self):
        """Ctrl-C ends waiting, and no step: it is awaited afterwards."""
        env = self.make(2, processes=1, timeout=60)
        env.reset(seed=1)
        os.kill(pids(env)[0], signal.SIGSTOP)
        env.step_async(numpy.ones((2, 2)))
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, signal.default_int_handler))

        def wait():
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            env.step_wait()

        self.assertRaises(KeyboardInterrupt, wait)
        os.kill(pids(env)[0], signal.SIGCONT)
        self.assertRaisesRegex(RuntimeError, "a step is under way", env.reset)
        observations, _, _, truncated, _ = env.step_wait()
        self.assertTrue((observations[:, 0] > 0.05).all())
        self.assertFalse(truncated.any())

    def test_an_interrupted_step_is_followed_by_a_reset(self):
        """Who calls step () knows no step_wait ()."""
        env = self.make(2, processes=1, timeout=60)
        first, _ = env.reset(seed=1)
        os.kill(pids(env)[0], signal.SIGSTOP)
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, signal.default_int_handler))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        self.assertRaises(KeyboardInterrupt, env.step, numpy.ones((2, 2)))
        os.kill(pids(env)[0], signal.SIGCONT)
        self.assertRaisesRegex(RuntimeError, "after one that was interrupted", env.step, numpy.ones((2, 2)))
        numpy.testing.assert_array_equal(env.reset(seed=1)[0], first)
        env.step(numpy.ones((2, 2)))


class Lost(ProcessCase):
    def make_geared(self, **options):
        """Six environments in which an action can end or stop the process."""
        os.makedirs(self.path("plugins/acme"), exist_ok=True)
        self.write("plugins/acme/gears.py", textwrap.dedent(GEARS))
        self.write("gears.json", scene(*COMPONENTS, ("gears", "acme.gears.Gears"), tables=NOISE))
        return self.make(6, "gears.json", act={**ACT, "robot.gears.gear": (0, 9)}, plugin_dirs=[self.path("plugins")],
                         reward=X, values={"far": Y}, **options)

    def steer(self, count, n=6):
        """Some actions, the same each time."""
        actions = numpy.random.default_rng(7).uniform(-1, 1, (count, n, 3))
        actions[:, :, 2] = 0
        return actions

    def test_killed(self):
        """Between two steps, and in one that is under way. Episodes go on elsewhere, to the last bit."""
        env = self.make(name="scene.json", values={"far": X}, reward=X, processes=2, on_reset=self.find_starts("place"))
        other = self.make(name="scene.json", values={"far": X}, reward=X, on_reset=self.find_starts("place"))
        for each in env, other:
            each.reset(seed=1)
        actions = self.steer(8, 5)[:, :, :2]
        self.assertEqual(pack(env.step(actions[0])), pack(other.step(actions[0])))
        old = pids(env)
        os.kill(old[1], signal.SIGKILL)
        with self.assertWarnsRegex(RuntimeWarning, r"process 1 \(environments 3 to 4\) was killed by signal 9 \(SIGKILL\); "
                                   r"episodes that went on in another process: 2"):
            self.assertEqual(pack(env.step(actions[1])), pack(other.step(actions[1])))
        self.assertEqual((pids(env)[0], is_gone(old[1])), (old[0], True))
        self.assertNotEqual(pids(env)[1], old[1])
        self.assertEqual(pack(env.step(actions[2])), pack(other.step(actions[2])))
        # It stands still from before the step on, so that it is in the step that it is killed.
        os.kill(pids(env)[0], signal.SIGSTOP)
        env.step_async(actions[3])
        os.kill(pids(env)[0], signal.SIGKILL)
        with self.assertWarnsRegex(RuntimeWarning, "process 0"):
            self.assertEqual(pack(env.step_wait()), pack(other.step(actions[3])))
        for step in actions[4:]:
            self.assertEqual(pack(env.step(step)), pack(other.step(step)))

    def test_at_fault(self):
        """The one that ends its process is told and begins anew; those beside it go on, to the last bit."""
        for mode in MODES[:2]:
            env, other = self.make_geared(processes=2, autoreset_mode=mode), self.make_geared(autoreset_mode=mode)
            first = env.reset(seed=1)[0]
            other.reset(seed=1)
            actions = self.steer(5)
            for step in actions[:2]:
                self.assertEqual(pack(env.step(step)), pack(other.step(step)))
            bad = actions[2].copy()
            bad[4, 2] = 7
            with self.assertWarnsRegex(RuntimeWarning, "episodes that went on in another process: 2"):
                observations, rewards, _, truncated, infos = env.step(bad)
            others = [0, 1, 2, 3, 5]
            right = other.step(actions[2])
            self.assertEqual(truncated.tolist(), [False] * 4 + [True, False])
            self.assertEqual(rewards[4], 0)
            numpy.testing.assert_array_equal(observations[others], right[0][others])
            numpy.testing.assert_array_equal(rewards[others], right[1][others])
            infos = infos if mode == "NextStep" else infos["final_info"]
            self.assertEqual(infos["failure"].tolist(), [None] * 4 + [
                "environment 4: process 1 (environments 3 to 5) was killed by signal 9 (SIGKILL)", None])
            self.assertEqual(observations[4].shape, first[4].shape)
            for step in actions[3:]:
                observations, _, _, truncated, infos = env.step(step)
                numpy.testing.assert_array_equal(observations[others], other.step(step)[0][others])
                self.assertFalse(truncated.any() or "failure" in infos)

    def test_two_at_fault(self):
        env, other = self.make_geared(processes=1), self.make_geared()
        for each in env, other:
            each.reset(seed=1)
        actions = self.steer(2)
        bad = actions[0].copy()
        bad[[0, 5], 2] = 7
        with self.assertWarnsRegex(RuntimeWarning, "episodes that went on in another process: 4"):
            observations, _, _, truncated, _ = env.step(bad)
        self.assertEqual(truncated.tolist(), [True] + [False] * 4 + [True])
        numpy.testing.assert_array_equal(observations[1:5], other.step(actions[0])[0][1:5])

    def test_too_many_actions(self):
        """Episodes whose actions are not all kept end with their process."""
        with unittest.mock.patch("orrery.gym._record.MAX_BYTES", 200):
            env = self.make(processes=2)
            first, _ = env.reset(seed=1)
            speeds = numpy.tile([0.5, 0], (5, 1))
            for _ in range(3):
                before = env.step(speeds)[0]
            os.kill(pids(env)[1], signal.SIGKILL)
            observations, rewards, terminated, truncated, infos = env.step(speeds)
            self.assertEqual(truncated.tolist(), [False] * 3 + [True] * 2)
            self.assertFalse(terminated.any() or rewards[3:].any())
            numpy.testing.assert_array_equal(observations[3:], before[3:])
            self.assertEqual(infos["_failure"].tolist(), truncated.tolist())
            words = "process 1 (environments 3 to 4) was killed by signal 9 (SIGKILL)"
            self.assertEqual(infos["failure"].tolist(), [None] * 3 + [words] * 2)
            observations, _, _, truncated, infos = env.step(speeds)
            numpy.testing.assert_array_equal(observations[3:], first[3:])
            self.assertFalse(truncated.any())
            self.assertNotIn("failure", infos)

    def test_hangs(self):
        """One that hangs is found in the episode that is brought back, too; a process that was stopped is not at fault."""
        env, other = self.make_geared(processes=2, timeout=3), self.make_geared()
        for each in env, other:
            each.reset(seed=1)
        actions = self.steer(4)
        os.kill(pids(env)[0], signal.SIGSTOP)
        with self.assertWarnsRegex(RuntimeWarning, r"process 0 \(environments 0 to 2\) did not answer within 3 s, and was "
                                   r"killed by signal 9 \(SIGKILL\); episodes .*: 3"):
            self.assertEqual(pack(env.step(actions[0])), pack(other.step(actions[0])))
        bad = actions[1].copy()
        bad[1, 2] = 8
        with self.assertWarnsRegex(RuntimeWarning, "another process: 2"):
            observations, _, _, truncated, infos = env.step(bad)
        self.assertEqual(truncated.tolist(), [False, True] + [False] * 4)
        self.assertEqual(infos["failure"][1], "environment 1: process 0 (environments 0 to 2) did not answer within 3 s, "
                         "and was killed by signal 9 (SIGKILL)")
        others = [0, 2, 3, 4, 5]
        numpy.testing.assert_array_equal(observations[others], other.step(actions[1])[0][others])

    def test_too_much_memory(self):
        """The one that takes it begins anew; those beside it go on, to the last bit."""
        env, other = self.make_geared(processes=2), self.make_geared()
        had = max(self.get_memory(pid) for pid in pids(env))
        env.close()
        self.assertRaisesRegex(ValueError, "memory_limit: a process has [0-9]+ bytes as soon as", self.make_geared,
                               processes=2, memory_limit=had // 4)
        env = self.make_geared(processes=2, memory_limit=had + 2 ** 28)
        for each in env, other:
            each.reset(seed=1)
        others, lost = [0, 1, 2, 3, 5], None
        for number, step in enumerate(self.steer(8)):
            bad = step.copy()
            bad[4, 2] = 6
            right = other.step(step)
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                observations, _, _, truncated, infos = env.step(bad if lost is None else step)
            numpy.testing.assert_array_equal(observations[others], right[0][others])
            if truncated.any():
                self.assertIsNone(lost)
                lost = number
                self.assertIn("another process: 2", str(told[-1].message))
                self.assertEqual(truncated.tolist(), [False] * 4 + [True, False])
                self.assertEqual(infos["failure"][4], "environment 4: process 1 (environments 3 to 5) has ended with more "
                                 "memory than memory_limit")
        self.assertIsNotNone(lost)
        self.assertLess(self.get_memory(pids(env)[1]), had + 2 ** 27)

    def get_memory(self, pid):
        with open("/proc/%d/statm" % pid, encoding="ascii") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE

    def test_between_steps(self):
        """A state cannot be had of a process that is lost; its episodes go on."""
        env, other = self.make(processes=2), self.make()
        for each in env, other:
            each.reset(seed=1)
        actions = self.steer(3, 5)[:, :, :2]
        self.assertEqual(pack(env.step(actions[0])), pack(other.step(actions[0])))
        os.kill(pids(env)[0], signal.SIGKILL)
        with self.assertWarnsRegex(RuntimeWarning, "another process: 3"):
            self.assertRaisesRegex(RuntimeError, "environment 0 cannot be saved: process 0", env.save, 0)
        for step in actions[1:]:
            self.assertEqual(pack(env.step(step)), pack(other.step(step)))
        self.assertEqual(env.save(0), other.save(0))

    def test_at_a_start(self):
        """What cannot begin in one process begins in the next. Who was in an episode there goes on."""
        env = self.make(2, processes=1, terminated=X + " > 0.1", on_reset=self.find_starts("die_once"))
        speeds = numpy.array([[0, 0], [1, 0]])
        for mode in "NextStep", "SameStep":
            env.autoreset_mode = orrery.gym.AutoresetMode(mode)
            old = pids(env)
            first, infos = env.reset(seed=1)
            self.assertEqual((first.shape, infos), ((2, 2), {}))
            self.assertEqual(pids(env) == old, mode == "SameStep")
            os.unlink(self.path("called"))
            env.step(speeds)
            with self.assertWarnsRegex(RuntimeWarning, r"process 0 \(environments 0 to 1\) was killed by signal 9"):
                observations, _, terminated, truncated, infos = env.step(speeds)
                self.assertEqual(terminated.tolist(), [False, True])
                if mode == "NextStep":
                    observations, _, _, truncated, infos = env.step(speeds)
            numpy.testing.assert_array_equal(observations, first)
            self.assertFalse(truncated.any())
            self.assertNotIn("failure", infos)

    def test_a_simulation_that_fails(self):
        """Its process goes on, as do those beside it. Whole numbers are asked for before anybody steps."""
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/gears.py", textwrap.dedent(GEARS))
        parts = [("push", "orrery.actuators.external_force.ExternalForce"), ("gears", "acme.gears.Gears")]
        self.write("gears.json", scene(*COMPONENTS, *parts, physics="orrery.physics.bullet.Bullet", gravity=[0, 0, 0]))
        act = {"robot.push.force": (0, 1e15), "robot.gears.gear": (0, 9)}
        env = self.make(2, "gears.json", processes=2, act=act, plugin_dirs=[self.path("plugins")])
        first, _ = env.reset(seed=1)
        actions = numpy.array([[1000, 0, 0, 2], [1000, 0, 0, 2.5]])
        self.assertRaisesRegex(ValueError, "simulation 1, robot.gears.gear: an action cannot be 2.5", env.step, actions)
        actions[:, 3] = 9
        before = env.step(actions)[0]
        numpy.testing.assert_array_equal(before[0], before[1])
        old = pids(env)
        actions[1, 0] = 1e14
        observations, rewards, _, truncated, infos = env.step(actions)
        self.assertEqual(truncated.tolist(), [False, True])
        numpy.testing.assert_array_equal(observations[1], before[1])
        self.assertIsNone(infos["failure"][0])
        self.assertRegex(infos["failure"][1], "object 'robot': a force on it is beyond")
        observations, _, _, truncated, infos = env.step(actions)
        numpy.testing.assert_array_equal(observations[1], first[1])
        self.assertFalse(truncated.any())
        self.assertNotIn("failure", infos)
        self.assertEqual(pids(env), old)


class Ends(ProcessCase):
    def check_gone(self, workers, fds):
        self.assertEqual([pid for pid in workers if not is_gone(pid)], [])
        self.assertEqual(find_children(os.getpid()), [])
        self.assertEqual(self.find_memory(), [])
        self.assertEqual(len(os.listdir("/proc/self/fd")), fds)

    @staticmethod
    def find_memory():
        gc.collect()
        with open("/proc/self/maps", encoding="utf-8") as file:
            return [line for line in file if "orrery-gym" in line]

    def test_close_and_collection(self):
        fds = len(os.listdir("/proc/self/fd"))
        env = self.make(2, processes=1)
        workers = pids(env)
        self.assertEqual(find_children(os.getpid()), workers)
        self.assertTrue(self.find_memory())
        env.reset(seed=1)
        env.step_async(numpy.ones((2, 2)))
        env.close()
        self.check_gone(workers, fds)
        env = orrery.gym.VectorEnv(self.path("still.json"), 2, processes=1, observe=[X], act=ACT)
        workers = pids(env)
        env.reset(seed=1)
        self.assertTrue(self.find_memory())
        del env
        self.check_gone(workers, fds)

    PROGRAM = """
        import os
        import sys
        import orrery.gym

        env = orrery.gym.VectorEnv("still.json", 2, processes=1, observe=["robot.pose.x"],
                                   act={"robot.motion.v": (-1, 1)})
        env.reset(seed=1)
        workers = [worker.process.pid for worker in env.vector.crew.workers]
        print(*workers, flush=True)
        if sys.argv[1] == "raise":
            raise KeyError("over")
        os.kill(workers[0], 19)
        env.step([[1], [1]])
        """

    def test_an_exception(self):
        process = self.begin(self.program(self.PROGRAM), "raise")
        out, err = process.communicate(timeout=60)
        self.assertRegex(err, "KeyError: 'over'")
        self.assertEqual([pid for pid in map(int, out.split()) if not is_gone(pid)], [])

    def test_the_learner_is_killed(self):
        """Nobody is left, not even a worker that has stopped, and no memory, since it has no name in /dev/shm."""
        process = self.begin(self.program(self.PROGRAM), "hang")
        workers = [int(pid) for pid in process.stdout.readline().split()]
        self.assertEqual(len(workers), 1)
        self.addCleanup(kill, workers[0])
        self.assertEqual([pid for pid in workers if is_gone(pid)], [])
        with open("/proc/%d/maps" % workers[0], encoding="utf-8") as file:
            maps = file.read()
        self.assertIn("/memfd:orrery-gym (deleted)", maps)
        self.assertNotIn("/dev/shm", maps)
        process.kill()
        self.assertTrue(all(await_end(pid) for pid in workers))


class Mistakes(ProcessCase):
    def test_options(self):
        for options, words in (({"processes": 0}, "processes: 0 for 2"), ({"processes": 3}, "processes: 3 for 2"),
                               ({"processes": 1.5}, "processes: 1.5"), ({"timeout": 1}, "timeout: it is for processes"),
                               ({"processes": 1, "timeout": 0}, "above 0"), ({"memory_limit": 9}, "memory_limit: it is for processes"),
                               ({"processes": 1, "memory_limit": 1.5}, "memory_limit: 1.5 is no whole number"),
                               ({"processes": 1, "timeout": float("nan")}, "above 0"),
                               ({"processes": 1, "on_reset": lambda simulation, random: None}, "by its name in")):
            with self.assertRaisesRegex(ValueError, words):
                self.make(2, **options)

    def test_scenes(self):
        with self.assertRaisesRegex(GLib.Error, "process 0: .*did you mean"):
            self.make(2, processes=1, observe=["robot.poze.x"])
        self.assertEqual(find_children(os.getpid()), [])

    def test_starts(self):
        env = self.make(2, processes=1, on_reset=self.find_starts("trip_then_die"))
        with self.assertRaisesRegex(RuntimeError, r"process 0, environment 0: ValueError: tripped \(.*s.py, line 11\)"):
            env.reset(seed=1)
        self.assertRaisesRegex(RuntimeError, "reset before", env.step, numpy.ones((2, 2)))
        self.assertRaisesRegex(RuntimeError, "cannot begin: process 0 .* signal 9", env.reset, seed=1)

    def test_workers_that_do_not_start(self):
        for program, words in (("/bin/false", "process 0 .* ended with exit code 1"), ("/nonexistent", "/nonexistent")):
            before, sys.executable = sys.executable, program
            try:
                with self.assertRaisesRegex((RuntimeError, OSError), words):
                    self.make(2, processes=2)
            finally:
                sys.executable = before
        self.assertEqual(find_children(os.getpid()), [])

    def test_functions_of_the_program(self):
        """A worker runs the program again to find them, which is told where it would make environments then."""
        text = textwrap.dedent("""
            import orrery.gym

            def place(simulation, random):
                simulation.move("robot", (7, 0, 0))

            def main():
                env = orrery.gym.VectorEnv("still.json", 2, processes=1, observe=["robot.pose.x"],
                                           act={"robot.motion.v": (-1, 1)}, on_reset=place)
                print(env.reset(seed=1)[0].tolist())

            """)
        process = self.begin(self.program(text + "if __name__ == '__main__':\n    main()\n"))
        out, err = process.communicate(timeout=60)
        self.assertEqual((out, err), ("[[7.0], [7.0]]\n", ""))
        process = self.begin(self.program(text + "main()\n"))
        out, err = process.communicate(timeout=60)
        self.assertEqual(out, "")
        self.assertRegex(err, "process 0: RuntimeError: a worker process runs the program again")


if __name__ == "__main__":
    tap.main()
