# SPDX-License-Identifier: BSD-3-Clause
"""The guides, typed in: their commands succeed and their programs run, on a scene that has what they name. Each
command of a page is typed in by some test, or is listed here with the reason why not."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
from support import BUILD, PROGRAM, PYTHON, SOURCE, ProgramCase, need  # noqa: E402

import tap  # noqa: E402

# Commands, or programs that nothing types in, by page and beginning of their block.
EXEMPT = {
    ("batch.md", "import numpy\nimport orrery\nimport pandas"): "Debian's pandas is large; test_batch_tables.py reads the files",
    ("learning.md", "from stable_baselines3"): "Debian does not have it; test_gym_learners.py has a stand-in",
    ("learning.md", "orrery python examples/learning/drive_to_goal.py"): "it learns for minutes; test_gym.py trains it a little",
    ("learning.md", "env = gymnasium.make_vec"): "Debian does not have it; test_gym_learners.py has a stand-in",
    ("recording.md", "orrery replay run-7.mcap"): "test_recorder_files.py replays files behind the first one",
    ("recording.md", "orrery python -m jupyter notebook"): "opens a browser for a person; test_recording.py runs the notebook",
}
# Which test types in the commands of the other pages.
ELSEWHERE = {
    "CONTRIBUTING.md": "the tests themselves: each is run by `make check`",
    "README.md": "tests/tools/test_readme.py",
    "docs/mavlink.md": "tests/middleware/test_middleware_pages.py",
    "docs/messages.md": "tests/middleware/test_middleware_pages.py",
    "docs/middleware.md": "tests/middleware/test_middleware_pages.py",
    "docs/mqtt.md": "tests/middleware/test_middleware_pages.py",
    "docs/python.md": "tests/python/test_guide.py",
    "docs/robots.md": "tests/importers/test_described.py",
    "docs/ros.md": "tests/middleware/test_middleware_pages.py",
    "docs/ros2.md": "tests/middleware/test_middleware_pages.py",
    "docs/rosbridge.md": "tests/middleware/test_middleware_pages.py",
    "docs/simulation-interfaces.md": "tests/middleware/test_ros2_simulation.py",
    "docs/tutorials.md": "tests/examples/test_tutorials.py",
}

# What pages without a scene of their own suppose that their reader has.
SCENE = """from morse.builder import *

robot = ATRV()
pose = Pose()
pose.alter('Noise')
robot.append(pose)
for name, sensor in ('gps', GPS()), ('odometry', Odometry()), ('laser', Hokuyo()), ('near', Proximity()):
    sensor.name = name
    robot.append(sensor)
motion = MotionVW()
robot.append(motion)
crate = Cube('crate')
crate.translate(4, 0, 0.5)
env = Environment('empty', fastmode=True)
"""
# The same runs, but fewer and shorter.
FEWER, SHORTER = ("--runs 100", "--runs 3"), ("--for 60", "--for 0.2")


def read(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return file.read()


def find_blocks(text, kinds="sh|console"):
    return [block for _, block in re.findall(r"^```(%s)\n(.*?)^```$" % kinds, text, re.M | re.S)]


def has(module):
    return os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery", module + ".so"))


class Page:
    """The blocks of a page that were not taken yet."""

    def __init__(self, name, text, kinds="sh|console|python"):
        self.name = name
        self.text = text
        self.left = find_blocks(text, kinds)

    def take(self, begin, *changes):
        """The block that begins so, with (OLD, NEW) in it."""
        block = next((block for block in self.left if block.startswith(begin)), None)
        if block is None:
            raise AssertionError("%s: no block begins with %r" % (self.name, begin))
        self.left.remove(block)
        for old, new in changes:
            if old not in block:
                raise AssertionError("%s: no %r in %r" % (self.name, old, block))
            block = block.replace(old, new)
        return block

    def find_untyped(self):
        return [block for block in self.left
                if not any(page == self.name and block.startswith(begin) for page, begin in EXEMPT)]


class Guides(ProgramCase):
    def setUp(self):
        super().setUp()
        if not os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib")) or \
                subprocess.run([PYTHON, "-c", "import gi, numpy"], capture_output=True).returncode != 0:
            self.skipTest("no typelib, no PyGObject or no NumPy")
        os.symlink(os.path.join(SOURCE, "examples"), self.path("examples"))
        self.write("scene.py", SCENE)
        inherited = {name: value for name, value in self.environment().items() if not name.startswith(("MAKE", "MFLAGS"))}
        self.reader = dict(inherited, HOME=self.directory, PATH="%s:%s" % (BUILD, os.environ["PATH"]), PYTHONDONTWRITEBYTECODE="1")

    @contextlib.contextmanager
    def open(self, name, *kinds):
        """A page, of which nothing may be left in the end."""
        page = Page(name, read("docs/" + name), *kinds)
        yield page
        self.assertEqual(page.find_untyped(), [])

    def shell(self, commands, code=0, shell="sh"):
        done = subprocess.run([shell, "-euc", commands], cwd=self.directory, env=self.reader, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)
        self.assertEqual(done.returncode, code, "%s\n%s%s" % (commands, done.stdout, done.stderr))
        return done.stdout

    def program(self, text):
        return self.shell("orrery python '%s'" % self.write("program.py", text))

    def write_scene(self, page):
        """The scene that a page begins with. Returns: its text"""
        text = page.take("from morse.builder")
        self.write("scene.py", text)
        return text

    def build_scene(self):
        """The scene as one file."""
        self.shell("orrery build scene.py -o built && cp built/component_config.py . && cp built/scene.json scene.json")

    def test_batch(self):
        with self.open("batch.md") as page:
            self.write_scene(page)
            self.write("cases.csv", find_blocks(page.text, "text")[0])
            said = self.shell(page.take("orrery batch scene.py --runs 100 -j 2", FEWER, SHORTER))
            for name in ("batch.txt", "results.csv", "runs.csv", "report.html", "scene", "run-00002/result.json"):
                self.assertTrue(os.path.exists(self.path("runs/" + name)), (name, said))
            self.shell(page.take("orrery batch scene.py --for 60 --out sweep \\\n  --sweep", SHORTER, ("range(0,1,0.1)", "range(0,1,0.5)"),
                                 ("--runs 200", "--runs 3")))
            for name, n in ("sweep", 6), ("table", 2), ("random", 3):
                self.assertEqual(len([each for each in os.listdir(self.path(name)) if each.startswith("run-")]), n, name)
            self.shell(page.take("orrery batch scene.py --runs 100 --for 60 --out metrics \\\n  --metric", FEWER, SHORTER))
            with open(self.path("metrics/results.csv"), encoding="utf-8") as file:
                self.assertIn("drift", file.readline())
            said = self.program(page.take("import orrery\n\nbatch = ", ("range(100)", "range(3)"), ("for_=60", "for_=0.5")))
            self.assertTrue(said.endswith("{}\n"), said)
            said = self.program("import orrery\n" + page.take(
                "table = orrery.run_batch", ("for_=60", "for_=0.2"), ("runs=5", "runs=2")))
            self.assertRegex(said, "(?s)10.*log.txt")

    def test_help(self):
        with self.open("help.md") as page:
            os.makedirs(self.path("prefix/share/bash-completion/completions"))
            os.symlink(os.path.join(SOURCE, "data/completion/orrery.bash"), self.path("prefix/share/bash-completion/completions/orrery"))
            need(self, None if shutil.which("bash") else "no bash")
            said = self.shell(page.take(". PREFIX", ("PREFIX", "prefix")) + "complete -p orrery", shell="bash")
            self.assertEqual(said, "complete -F _orrery orrery\n")
            commands = re.findall(r"`(orrery [^`]+)`", "\n".join(re.findall(r"^\| .*", page.text, re.M)))
            self.assertGreater(len(commands), 7)
            for command in commands:
                # What of the machine is missing decides how the doctor ends.
                if not command.startswith("orrery doctor"):
                    self.assertTrue(self.shell(command), command)

    def test_learning(self):
        with self.open("learning.md") as page:
            made = self.write_scene(page)
            self.write("race.py", page.take("from morse.builder"))
            # Names that the page has from elsewhere.
            context = """
def learn(batch):
    return 0
batch = None
"""
            first = page.take("import orrery.gym\n", ("64", "2"))
            fragments = [page.take("def reward"), page.take("def place")]
            asked = page.take("env.step_async")
            pairs = page.take("env = orrery.gym.ParallelEnv")
            said = self.program("\n".join([first, *fragments, context, """
env = orrery.gym.VectorEnv("scene.py", 2, observe=["robot.pose.x"], act={"robot.motion.v": (-1, 1)}, reward=reward,
                               values={"distance": "hypot(robot.pose.x - 5, robot.pose.y)"}, on_reset=place)
env.reset(seed=1)
actions = env.action_space.sample()
""", asked, "assert rewards.shape == (2,)", pairs, "print(sorted(observations), rewards)\n"]))
            self.assertIn("['hare', 'tortoise']", said)
            starts = page.take("env = orrery.gym.VectorEnv(\"scene.py\", 64, starts=", ("64", "2"), (", ...)", ", **words)"))
            choose = page.take("def choose(random)")
            said = self.program("\n".join(["""
import orrery.gym
words = {"observe": ["robot.pose.x"], "act": {"robot.motion.v": (-1, 1)}, "reward": "robot.pose.x"}
env = orrery.gym.VectorEnv("scene.py", 1, **words)
env.reset(seed=1)
near_the_goal = at_the_door = env.save(0)
env.step([[1]])
at_the_table = env.save(0)
progress = 0.5
""", starts, "env.reset(seed=1)", choose, """
env = orrery.gym.VectorEnv("scene.py", 2, starts=choose, **words)
print(env.reset(seed=1)[0].shape)
"""]))
            self.assertIn("(2,", said)
            drawn = page.take("env.randomise(")
            self.write("drawn.py", made + drawn)
            self.shell("orrery run drawn.py --for 1 --fast")

    def test_randomisation(self):
        """The block of JSON that the page of learning has."""
        page = Page("learning.md", read("docs/learning.md"))
        block, = find_blocks(page.text, "json")
        self.write_scene(page)
        self.build_scene()
        with open(self.path("scene.json"), encoding="utf-8") as file:
            text = file.read()
        self.write("varied.json", text.replace("{", "{\n%s," % block.rstrip(), 1))
        self.shell("cp -r built varied && cp varied.json varied/scene.json && orrery run varied --for 0.1 --fast")

    def test_spawning(self):
        with self.open("spawning.md") as page:
            self.write("scene.json", find_blocks(page.text, "json")[0])
            self.assertRegex(self.program(page.take("import orrery\n\nwith orrery.load")), r"^bot\.1 1\.9\d*$")

    def test_changing(self):
        with self.open("changing.md") as page:
            scene, materials = find_blocks(page.text, "json")
            self.write("scene.json", scene)
            self.assertEqual(self.program(page.take("import orrery\n\nsim = ")), "8.0\n")
            self.write("crate.json", scene.replace('"box", "position"', '"crate", "position"').replace(
                '"objects"', '%s, "objects"' % materials.replace('"texture": "rust.png"', '"alpha": 1'), 1))
            said = self.program('import orrery\nsim = orrery.load("crate.json")\n' + page.take('sim.set("crate.material"'))
            self.assertEqual(said, "rusty\n")

    def test_noise(self):
        with self.open("noise.md") as page:
            sensors, cameras = page.take("imu = IMU()"), page.take("camera = VideoCamera()")
            text = "from morse.builder import *\nrobot = ATRV()\n%s\nfor sensor in %s:\n    robot.append(sensor)\n" \
                "env = Environment('empty')\nenv.properties(longitude=1.4, latitude=43.6, altitude=100.0)\n"
            self.write("noisy.py", text % (sensors, "[imu]"))
            self.write("seen.py", text % (cameras, "camera, depth, lidar, laser"))
            self.shell("orrery run noisy.py --for 0.5 --fast; orrery check seen.py; orrery run examples/faulty_sensors.py --for 1 --fast")
            if has("renderers/mujoco"):
                self.shell("orrery run seen.py --for 0.2 --fast")

    def test_recording(self):
        with self.open("recording.md", "sh") as page:
            chapter = find_blocks(re.search(r"^## From a drive to a plot\n(.*?)^## ", page.text, re.M | re.S).group(1))
            # test_depot.py types it in.
            page.left = [block for block in page.left if block not in chapter or "jupyter" in block]
            said = self.shell(page.take("orrery run examples/first_scene.py --for 10 --demo", ("--for 10 --demo", "--for 4 --fast")))
            self.assertIn("/robot/pose", said)
            self.assertIn("the run goes as it went", self.shell(page.take("orrery replay run.mcap\n")))
            again = "orrery replay run.mcap --set robot.pose.frequency=10 "
            for begin in "orrery run examples/first_scene.py --for 10 --fast --record", again + "--record", again + "--open-loop":
                block = page.take(begin).replace("--for 10", "--for 1")
                # They differ, so that the last command of each block ends with 1.
                self.assertRegex(self.shell(block, 1), "(?m)^/robot/pose")
            shutil.copy(self.path("a.mcap"), self.path("run-1.mcap"))
            shutil.copy(self.path("b.mcap"), self.path("run-2.mcap"))
            self.shell(page.take("orrery recording export run-1.mcap"))
            self.assertTrue(os.path.exists(self.path("drives/meta/info.json")))
            self.shell(page.take("orrery run examples/first_scene.py --for 10 --observer", ("--for 10", "--for 1 --fast")))
            self.assertTrue(os.path.exists(self.path("some.mcap")))
            said = self.shell(page.take("orrery run examples/first_scene.py --for 10 --demo --record inputs.mcap",
                                        ("--for 10 --demo", "--for 1 --fast")))
            self.assertIn("10 messages compared: the run goes as it went", said)

    def test_run(self):
        with self.open("run.md", "sh") as page:
            self.shell(page.take("orrery run scene.py", ("scene.py", "scene.py --for 0.2 --fast")))

    def test_components_written_for_morse(self):
        with self.open("morse-components.md", "sh") as page:
            os.makedirs(self.path("my_site/src/my_site"))
            for name in "__init__.py", "nothing.py":
                self.write("my_site/src/my_site/" + name, "")
            self.write("my_site/default.py", SCENE)
            self.shell("orrery build my_site/default.py -o scene")
            self.shell(page.take("PYTHONPATH=", ("default.py", "default.py --for 0.2"), ("run scene", "run scene --for 0.2")))

    def test_workers(self):
        with self.open("workers.md", "sh") as page:
            command = page.take("make && ./orrery run", ("make && ", "cd '%s' && " % BUILD), ("SOURCE", SOURCE), ("--for 10", "--for 0.5"))
            self.shell(command)

    # --- the viewer: servers until Ctrl-C ---

    def look(self, command, address):
        """Starts it, gets the page from the address that its log names, and stops it as a person does."""
        process = subprocess.Popen(["sh", "-c", "exec " + command.strip()], cwd=self.directory, env=self.reader, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        self.addCleanup(self.end, process)
        found = re.search("viewer now at (%s)\n" % address, self.wait_for(process, "viewer now at "))
        self.assertTrue(found, address)
        with urllib.request.urlopen(found.group(1).partition("#")[0], timeout=60) as answer:
            self.assertIn("<title>", answer.read().decode())
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(120), (0, 130))

    def test_viewer(self):
        with self.open("viewer.md") as page:
            if not has("middleware/viewer") or not os.path.exists(os.path.join(BUILD, "share/orrery-1/viewer/page.js")):
                self.skipTest("built without the viewer, or its page")
            if not has("renderers/mujoco"):
                self.skipTest("built without a renderer")
            self.shell("orrery run examples/first_scene.py --for 2 --fast --record run.mcap")
            port = r"http://127\.0\.0\.1:\d+/"
            token = port + "#token=[0-9a-f]{32}"
            # As the page shows the line.
            self.assertEqual(len(re.findall("^    viewer now at (?:%s|%s)\n" % (port, token), page.text, re.M)), 2)
            for begin in ("orrery run --view", "orrery replay run.mcap --view", "orrery replay run.mcap --set", "orrery run --observer"):
                self.look(page.take(begin), port)
            self.look(page.take("orrery run --control"), token)
            self.shell(page.take("orrery run examples/tower.json", ("--for 6", "--for 0.2")))
            for name in "tower.html", "run.html":
                self.assertGreater(os.path.getsize(self.path(name)), 100000, name)
            need(self, None if shutil.which("ffmpeg") else "no ffmpeg")
            self.shell(page.take("orrery render", ("--for 10", "--for 0.1")))
            self.assertGreater(os.path.getsize(self.path("robot.png")), 1000)
            self.assertGreater(os.path.getsize(self.path("robot.mp4")), 1000)
            self.build_scene()
            self.program("import orrery\nsimulation = orrery.load('scene.json')\nsimulation.step(1)\n" +
                         page.take("picture = simulation.render"))
            self.assertGreater(os.path.getsize(self.path("now.png")), 1000)
            os.unlink(self.path("run.html"))
            self.program("import orrery\nsimulation = orrery.load('scene.json')\n" + page.take("simulation.add_observer") +
                         "simulation.step(1)\nsimulation.close()\n")
            self.assertGreater(os.path.getsize(self.path("run.html")), 100000)


class Coverage(unittest.TestCase):
    def list_pages(self):
        """Pages that have commands, without those of the course."""
        docs = ["docs/" + name for name in sorted(os.listdir(os.path.join(SOURCE, "docs"))) if name.endswith(".md")]
        return [name for name in ["CONTRIBUTING.md", "README.md", *docs]
                if find_blocks(read(name)) and not name.startswith("docs/course-")]

    def test_each_page_is_typed_in_somewhere(self):
        with open(os.path.abspath(__file__), encoding="utf-8") as file:
            here = {"docs/" + name for name in re.findall(r'self\.open\("([\w-]+\.md)"', file.read())}
        self.assertEqual(set(self.list_pages()) - set(ELSEWHERE) - here, set())
        self.assertEqual(here & set(ELSEWHERE), set())
        for page, test in ELSEWHERE.items():
            if test.startswith("tests/"):
                self.assertIn(os.path.basename(page), read(test), page)

    def test_what_is_exempt_is_there(self):
        for page, begin in EXEMPT:
            self.assertTrue(any(block.startswith(begin) for block in find_blocks(read("docs/" + page), "sh|python")), (page, begin))

    def test_a_block_that_nothing_types_in(self):
        page = Page("page.md", "```sh\none\n```\n\n```python\ntwo\n```\n\n```c\nthree\n```\n")
        self.assertEqual(page.find_untyped(), ["one\n", "two\n"])
        self.assertEqual(page.take("t", ("two", "2")), "2\n")
        self.assertEqual(page.find_untyped(), ["one\n"])
        for begin, change in (("t", ("t", "t")), ("o", ("x", "y"))):
            with self.assertRaises(AssertionError):
                page.take(begin, change)


if __name__ == "__main__":
    tap.main()
