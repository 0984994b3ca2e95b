# SPDX-License-Identifier: BSD-3-Clause
"""The scripts that come with MORSE (Debian's morse-simulator-doc), run as they are.

Two sources: the examples, and the scripts that its manual shows on nearly every page. One that names a
middleware that there is not must say which, and nothing else.
"""

import concurrent.futures
import glob
import html
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import tap  # noqa: E402

BUILD = os.environ["ORRERY_TEST_BUILDDIR"]
PROGRAM = os.path.join(BUILD, "orrery")
EXAMPLES = "/usr/share/morse/examples"
MANUAL = "/usr/share/doc/morse/html"

#: What an example lacks here; the others lack nothing.
LACKS = {
    "tutorials/tutorial-1-moos.py": {"moos"},
    "tutorials/tutorial-1-moos-lidar.py": {"moos"},
    "tutorials/tutorial-2-yarp.py": {"yarp"},
    "tutorials/tutorial_hla.py": {"hla"},
    "tutorials/multinode/tutorial-hla.py": {"hla", "yarp"},
    "tutorials/multinode/tutorial-hla-hybrid.py": {"hla"},
    "scenarii/action-1.py": {"pocolibs", "yarp"},
    "scenarii/rosace-1.py": {"yarp", "yarp_json"},
    "scenarii/test-1.py": {"yarp"},
}
#: What is wrong with the example itself, for MORSE as for us.
WRONG = {
    "scenarii/quadrotor_dynamic_example.py": "the environment has no property 'longitude'",
    "tutorials/multinode/dala_simple.py": "the script makes no Environment",
}
#: No builder script: the client of another.
CLIENTS = {"tutorials/camera/camera_pymorse.py"}

#: What the manual leaves to the reader; and pages whose script is about something that is not there.
BLANKS = ((r"<interface>", "'socket'"), (r"<r?[xyz]>", "0.1"))
UNFINISHED = re.compile(r"<[a-z]|\.\.\.|Path\.to\.|MyImageSensor|ranger_sim|^ ", re.MULTILINE)
#: Pages that put a component on a robot that cannot carry it, or on none: what we say of it.
MISPLACED = {
    "user/code/morse.sensors": "belongs to no robot",
    "user/actuators/joystick": "name 'keyboard' is not defined",
    "user/actuators/steer_force": "has no wheels",
    "user/actuators/v_omega_diff_drive": "has no wheels to drive",
    "user/modifier_introduction": "belongs to no robot",
    "user/sensors/camera": "no component is named 'robot.camera'",
    "user/sensors/laserscanner": "belongs to no robot",
    "user/sensors/ptu_posture": "it is not on a pan-tilt unit",
}
MIDDLEWARE = re.compile(
    r"(?:no stream |no services over |no class connects nodes over |no class morse\.middleware\.)"
    r"([a-z]+(?:_json)?)"
)


def run(script):
    """Half a second of it, with no port open: what came out, what it lacks."""
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run(
            [PROGRAM, "run", script, "--for", "0.5", "--fast", "--offline"],
            cwd=directory,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    return done, set(MIDDLEWARE.findall(done.stderr + done.stdout))


def run_all(scripts):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(scripts, pool.map(run, scripts)))


@unittest.skipUnless(os.path.isdir(EXAMPLES), "no examples of MORSE: package morse-simulator-doc")
class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        names = sorted(
            os.path.relpath(path, EXAMPLES)
            for path in glob.glob(EXAMPLES + "/**/*.py", recursive=True)
        )
        cls.done = {}
        found = run_all([os.path.join(EXAMPLES, name) for name in names if name not in CLIENTS])
        for path, result in found.items():
            cls.done[os.path.relpath(path, EXAMPLES)] = result

    def test_they_are_the_ones_we_know(self):
        self.assertGreater(len(self.done), 20)
        self.assertLessEqual(set(LACKS) | set(WRONG), set(self.done))

    def test_they_run(self):
        for name in sorted(set(self.done) - set(LACKS) - set(WRONG)):
            with self.subTest(name):
                done, lacks = self.done[name]
                self.assertEqual((done.returncode, lacks), (0, set()), done.stderr[-2000:])
                self.assertIn("ticks", done.stdout + done.stderr)

    def test_what_they_lack_is_told_at_once(self):
        for name, expected in LACKS.items():
            with self.subTest(name):
                done, lacks = self.done[name]
                self.assertEqual((done.returncode, lacks), (69, expected), done.stderr[-2000:])

    def test_what_is_wrong_with_them(self):
        for name, words in WRONG.items():
            with self.subTest(name):
                done, _ = self.done[name]
                self.assertEqual(done.returncode, 65)
                self.assertIn(words, done.stderr)


@unittest.skipUnless(os.path.isdir(MANUAL), "no manual of MORSE: package morse-simulator-doc")
class Manual(unittest.TestCase):
    """The scripts of the manual's pages, with the blanks filled in and an environment where it shows none."""

    def scripts(self):
        found = {}
        for path in sorted(glob.glob(MANUAL + "/user/**/*.html", recursive=True)):
            with open(path, encoding="utf-8", errors="replace") as stream:
                blocks = re.findall(r"<pre>(.*?)</pre>", stream.read(), re.DOTALL)
            page = os.path.relpath(path, MANUAL)[: -len(".html")]
            for index, block in enumerate(blocks):
                text = html.unescape(re.sub(r"<[^>]+>", "", block))
                for blank, filled in BLANKS:
                    text = re.sub(blank, filled, text)
                if "morse.builder import" not in text or UNFINISHED.search(text):
                    continue
                if "Environment" not in text:
                    text += "\nenv = Environment('empty')\n"
                found[page, index] = text
        return found

    def test_they_run(self):
        texts = self.scripts()
        self.assertGreater(len(texts), 60)
        with tempfile.TemporaryDirectory() as directory:
            paths = {}
            for (page, index), text in texts.items():
                path = os.path.join(directory, "%s-%d.py" % (page.replace("/", "-"), index))
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text)
                paths[path] = page
            for path, (done, lacks) in run_all(list(paths)).items():
                with self.subTest(os.path.basename(path)):
                    self.judge(paths[path], done, lacks)

    def judge(self, page, done, lacks):
        if page in MISPLACED and done.returncode in (65, 69):
            self.assertIn(MISPLACED[page], done.stderr)
        elif lacks:
            self.assertEqual(done.returncode, 69, done.stderr[-2000:])
            self.assertLessEqual(lacks, {"hla", "yarp", "moos", "pocolibs"})
        else:
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])


if __name__ == "__main__":
    tap.main()
