# SPDX-License-Identifier: BSD-3-Clause
"""`orrery run` with classes in Python: the same program, the same exit codes, and what goes wrong in them."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

COUNT = """
    import orrery

    @orrery.plugin
    class Count(orrery.Sensor):
        n = orrery.field(int)
        %s

        def sense(self, tick, record):
            %s
            record.n = tick.number
    """
WAIT = """
    import os
    import sys
    import time

    sys.modules["__main__"].importing.set()
    while not os.path.exists("go"):
        time.sleep(0.01)
    """
SECTIONS = ["[PRE-INITIALIZATION]", "[SCENE INITIALIZATION]", "[SCENE INITIALIZED]", "[COMPONENTS FINALIZATION]",
            "[EXITING SIMULATION]"]
SCRIPT = """from morse.builder import *

robot = ATRV()
count = Sensor('acme.count.Count')
robot.append(count)
env = Environment('empty', fastmode=True)
"""


def count(body="pass", extra=""):
    return COUNT % (extra, body)


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Runs(PythonCase):
    def test_same_program(self):
        """Sections once, the PID of the process that was started, the report, the hash of orrery.load."""
        self.module("acme/count.py", count())
        self.write("scene.json", scene(("count", "acme.count.Count")))
        process = self.start("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "30", "--hash")
        out, log = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0, log)
        self.assertEqual([line for line in log.splitlines() if line in SECTIONS], SECTIONS)
        self.assertEqual([line.split("PID: ")[1] for line in log.splitlines() if "PID: " in line], [str(process.pid)])
        self.assertIn("30 ticks, 0.500 s simulated", out)
        self.assertEqual(self.prints("""
            sim = orrery.load("scene.json", plugin_dirs=["plugins"], hash=True)
            sim.step(30)
            print("hash %016x" % sim.get_hash())
            """)[0], [line for line in out.splitlines() if line.startswith("hash")][0])

    def test_options(self):
        self.module("acme/count.py", count())
        done = self.run_scene(scene(("count", "acme.count.Count")), "--ticks", "30", "--quiet", "--offline",
                              "--result", "result.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(os.path.exists(self.path("result.json")))
        done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--wrong")
        self.assertEqual(done.returncode, 64)
        done = self.orrery("run", "scene.json", "--continue=" + self.directory)
        self.assertEqual(done.returncode, 64)
        self.assertTrue(os.path.exists(self.path("scene.json")))

    def test_other_commands(self):
        self.module("acme/count.py", count())
        self.write("scene.json", scene(("count", "acme.count.Count")))
        done = self.orrery("check", "scene.json", "--plugin-dir", "plugins")
        self.check(done, 0)
        self.assertIn("scene.json: ok", done.stdout)
        done = self.orrery("order", "scene.json", "--plugin-dir", "plugins")
        self.check(done, 0)
        self.assertIn("acme.count.Count", done.stdout)

    def test_script(self):
        """What the builder wrote is run by the program that goes on, and gone afterwards."""
        self.module("acme/count.py", count("print(type(self).__name__)"))
        self.write("script.py", SCRIPT)
        os.mkdir(self.path("tmp"))
        done = subprocess.run([cli.PROGRAM, "run", "script.py", "--plugin-dir", "plugins", "--fast", "--ticks", "2"],
                              capture_output=True, text=True, cwd=self.directory,
                              env=dict(self.environment(), TMPDIR=self.path("tmp")))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines().count("Count"), 2)
        deadline = time.monotonic() + 60
        while os.listdir(self.path("tmp")) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_signals(self):
        self.module("acme/count.py", count())
        self.write("scene.json", scene(("count", "acme.count.Count")))
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start("run", "scene.json", "--plugin-dir", "plugins")
            self.wait_for(process, "[SCENE INITIALIZED]")
            process.send_signal(number)
            self.assertEqual(process.wait(60), code)

    def test_signal_before_python_is_ready(self):
        """It waits for the program, and then ends it."""
        self.module("acme/count.py", "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n" + count().replace("\n    ", "\n"))
        done = self.run_scene(scene(("count", "acme.count.Count")))
        self.assertEqual(done.returncode, 143, done.stderr)

    def test_a_step_that_never_ends(self):
        self.module("acme/count.py", count("print('here', flush=True)\n            while True: pass"))
        self.write("scene.json", scene(("count", "acme.count.Count")))
        process = self.start("run", "scene.json", "--plugin-dir", "plugins")
        self.assertEqual(process.stdout.readline(), "here\n")
        process.terminate()
        self.assertEqual(process.wait(60), 143)

    def test_a_thread_that_never_ends(self):
        self.module("acme/count.py", "import threading\nthreading.Thread(target=threading.Event().wait).start()\n"
                    + count().replace("\n    ", "\n"))
        self.assertEqual(self.run_scene(scene(("count", "acme.count.Count")), "--ticks", "3").returncode, 0)

    def test_what_is_registered_for_the_end(self):
        self.module("acme/count.py", "import atexit\natexit.register(print, 'bye')\n" + count().replace("\n    ", "\n"))
        done = self.run_scene(scene(("count", "acme.count.Count")), "--ticks", "3")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "bye"))

    def test_config(self):
        """A class in Python that only component_config names."""
        self.module("acme/up.py", """
            import orrery

            @orrery.plugin
            class Up(orrery.Modifier):
                def modify(self, tick, record):
                    record.z += 1.0
            """)
        self.write("config.py", "component_modifier = {'robot.pose': [['acme.up.Up', {}]]}\n"
                                "component_datastream = {}\ncomponent_service = {}\noverlays = {}\nstream_manager = {}\n")
        self.write("scene.json", scene(("pose", "morse.sensors.pose.Pose"), tables={"component_config": "config.py"}))
        done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "3")
        self.check(done, 0)
        self.assertEqual(done.stderr.count("[SCENE INITIALIZATION]"), 1)
        self.write("config.py", "component_modifier = {'robot.pose': [['acme.up.Upp', {}]]}\n"
                                "component_datastream = {}\ncomponent_service = {}\noverlays = {}\nstream_manager = {}\n")
        done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "3")
        self.assertEqual(done.returncode, 69)
        self.assertIn("has no class Upp; did you mean Up", done.stderr)

    def test_quiet_in_a_program(self):
        """A program in Python, a notebook for one, is told of trouble only; ports are for `orrery run` to say."""
        socket = "morse.middleware.socket_datastream."
        tables = {"component_datastream": {"robot.pose": [[socket + "SocketDatastreamManager", socket + "SocketPublisher", {}]]},
                  "component_service": {"robot": ["morse.middleware.socket_request_manager.SocketRequestManager"]}}
        self.write("scene.json", scene(("pose", "morse.sensors.pose.Pose"), tables=tables))
        done = self.orrery("run", "scene.json", "--fast", "--ticks", "1")
        self.check(done, 0)
        self.assertIn("Socket service manager now listening on port ", done.stderr)
        self.assertIn("Socket Mw Server now listening on port ", done.stderr)
        self.write("program.py", "import orrery\n"
                   "with orrery.load('scene.json', listen=True, pacing=orrery.Pacing.FAST) as sim:\n    sim.step(2)\n")
        done = self.orrery("python", "program.py")
        self.check(done, 0)
        self.assertNotIn("listening", done.stdout + done.stderr)

    def test_no_interpreter_but_errors(self):
        """Where the program cannot go on it says why; a class that is nowhere is missing as ever."""
        self.module("acme/count.py", count())
        self.write("scene.json", scene(("count", "acme.count.Count")))
        self.write("gi.py", "raise ImportError('blocked')\n")
        done = subprocess.run([cli.PROGRAM, "run", "scene.json", "--plugin-dir", "plugins"], capture_output=True,
                              text=True, cwd=self.directory, env=dict(self.environment(), PYTHONPATH=self.directory))
        self.assertEqual(done.returncode, 69)
        self.assertIn("orrery: a class in Python needs PyGObject (python3-gi) and the typelib of Orrery: "
                      "ImportError: ", done.stderr)
        self.assertIn("cannot import PyGObject (blocked)", done.stderr)
        self.write("scene.json", scene(("count", "acme.nothing.Count")))
        done = self.orrery("run", "scene.json", "--plugin-dir", "plugins")
        self.assertEqual(done.returncode, 69)
        self.assertIn("acme.nothing.Count: no module acme/nothing.so (nor .py, .json) in ", done.stderr)


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Faults(PythonCase):
    def fault(self, text, *arguments):
        self.module("acme/count.py", text)
        return self.run_scene(scene(("count", "acme.count.Count")), "--ticks", "5", *arguments)

    def test_steps(self):
        """Counted, said once with component, file and line, and the tick goes on."""
        for body, words in (("1 / 0", "ZeroDivisionError: division by zero"), ("raise SystemExit(3)", "SystemExit: 3"),
                            ("import sys; sys.exit('no')", "SystemExit: no"), ("nowhere()", "NameError: "),
                            ("raise KeyError('x')", "KeyError: 'x'"), ("record.m = 1", "AttributeError: "),
                            ("from gi.repository import GLib; GLib.file_get_contents('/nowhere')", "Failed to open file"),
                            ("self.gone()", "robot.count has neither an attribute nor a service gone"),
                            ("raise BaseException", "BaseException"), ("assert False, 'a\\nb'", "AssertionError: a b"),
                            ("def f(): f()\n            f()", "RecursionError: ")):
            done = self.fault(count(body))
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line for line in done.stderr.splitlines() if "its step is skipped" in line]
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertRegex(lines[0], r"warning: robot.count: \S*/acme/count.py:\d+: .*; its step is skipped")
            self.assertIn(words, lines[0])
            self.assertNotIn("Traceback", done.stderr)
            self.assertRegex(done.stdout, r"robot.count +\d+ +\d+ +5")

    def test_a_function_with_other_arguments(self):
        """No line of it has run; the file is told all the same."""
        text = count("pass").replace("self, tick, record", "self, tick")
        self.assertNotEqual(text, count("pass"))
        done = self.fault(text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"warning: robot.count: \S*/acme/count.py: TypeError: .*sense\(\) takes 2 positional")

    def test_setup(self):
        """A scene whose part cannot be set up is not run: configuration, 65."""
        for extra, words in (("def setup(self, setup): raise ValueError('no place')", "count.py:7: ValueError: no place"),
                             ("def __init__(self): 1 / 0", "count.py:7: ZeroDivisionError"),
                             ("def __init__(self): raise SystemExit", "count.py:7: SystemExit"),
                             ("def setup(self): pass", "TypeError: ")):
            done = self.fault(count(extra=extra))
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn("robot.count: ", done.stderr)
            self.assertIn(words, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_modules(self):
        """A module that cannot be imported is a plugin that is refused: 69."""
        for text, words in (("import orrery\ndef f(:\n", "count.py:2: SyntaxError: "),
                            ("import nowhere_to_be_found\n", "count.py:1: ModuleNotFoundError"),
                            ("import sys\nsys.exit(5)\n", "count.py:2: SystemExit: 5"),
                            ("raise KeyboardInterrupt\n", "count.py:1: KeyboardInterrupt"),
                            ("\0", "Error"),
                            ("import orrery\n@orrery.plugin\nclass Count(orrery.Sensor): pass\n",
                             "refused: the role sensor needs sense, class Count has not")):
            done = self.fault(text)
            self.assertEqual(done.returncode, 69, done.stderr)
            self.assertIn("acme.count.Count: ", done.stderr)
            self.assertIn(words, done.stderr)

    def test_services(self):
        self.module("acme/count.py", count(extra="""
        @orrery.service
        def fail(self, n: int):
            raise ValueError("not %d" % n)

        @orrery.service
        def say_no(self):
            raise orrery.Failed("not today")

        @orrery.service
        def odd(self):
            return object()

        @orrery.service(interruptible=True)
        def long(self, call):
            pass

        def cancel(self, call):
            raise ValueError("cannot stop")
        """.replace("\n        ", "\n    ").replace("\n", "\n    ")))
        self.assertEqual(self.prints("""
            def fails(name, *arguments):
                try:
                    sim.call("robot.count", name, *arguments)
                except GLib.Error as error:
                    print(error.message.split("/")[-1])
            fails("fail", 3)
            fails("fail", "x")
            fails("fail")
            fails("say_no")
            fails("odd")
            goal = sim["robot.count"].long()
            goal.cancel()
            print(goal.done)
            """, scene(("count", "acme.count.Count")))[:4], [
                "count.py:10: ValueError: not 3", "argument 'n' of fail: 'x' is not an integer",
                "fail takes 1 arguments, not 0", "not today"])

    def test_parts_outlive_their_simulation(self):
        """What is kept of a simulation that is gone does nothing, and does not crash."""
        self.module("acme/count.py", count(extra="""
        def setup(self, setup):
            self.kept = setup

        @orrery.service(long=True)
        def wait(self, call):
            pass
        """.replace("\n        ", "\n    ").replace("\n", "\n    ")))
        self.assertEqual(self.prints("""
            import gc
            part, pose = sim["robot.count"], sim["robot.pose"]
            tick = []
            type(part).sense = lambda self, t, record: tick.append((t, record))
            sim.step(3)
            record, snapshot, commands = tick[0][1], tick[0][0].snapshot, tick[0][0].commands
            data, view, goal = pose.data, orrery.view(pose), part.wait()
            setup, world = part.kept, sim.get_world()
            sim.close()
            del sim
            gc.collect()
            print(record.n, view.x, data.x, pose.get_name(), pose.get_robot(), pose.get_level())
            print(setup.find_component("robot"), setup.get_component() == part, tick[0][0].time > 0)
            print(goal.done, commands is not None, snapshot.get_n_objects() > 0, world.get_n_objects() > 0)
            for act in (lambda: part.wait(), lambda: setattr(data, "x", 1), lambda: pose.get_local_data()):
                try:
                    act()
                except (ReferenceError, GLib.Error) as error:
                    print(type(error).__name__)
            record.n = 5
            part.get_pose()
            part.set_active(False)
            """, scene(("count", "acme.count.Count"), ("pose", "morse.sensors.pose.Pose")))[1:], [
                "None True True", "True True True True", "ReferenceError", "ReferenceError", "ReferenceError"])

    def test_a_run_in_a_thread(self):
        """The library runs without the lock of the interpreter: another thread goes on meanwhile, and ends the run."""
        self.module("acme/count.py", count())
        self.assertEqual(self.prints("""
            import threading
            sim = orrery.load("scene.json", plugin_dirs=["plugins"])
            thread = threading.Thread(target=sim.run)
            thread.start()
            turns = 0
            while sim.ticks < 30:
                turns += 1
            sim.quit()
            thread.join(60)
            print(thread.is_alive(), turns > 30, sim["robot.count"].data.n >= 29)
            """, scene(("count", "acme.count.Count")))[-1:], ["False True True"])

    def test_sockets(self):
        """Those that the scene asks for, and with listen=False none."""
        manager = "morse.middleware.socket_datastream.SocketDatastreamManager"
        services = "morse.middleware.socket_request_manager.SocketRequestManager"
        os.mkdir(self.path("plugins"))
        self.write("script.py", "from orrery.builder import *\nrobot = ATRV()\npose = Pose()\nrobot.append(pose)\n"
                   "pose.add_stream('socket')\npose.add_service('socket')\nenv = Environment('empty')\n")
        self.assertEqual(self.prints("""
            import os

            def count(**options):
                with orrery.load(path, pacing=orrery.Pacing.FAST, **options) as opened:
                    opened.step(2)
                    held = [os.path.join("/proc/self/fd", each) for each in os.listdir("/proc/self/fd")]
                    return sum(os.readlink(each).startswith("socket:") for each in held if os.path.islink(each))

            orrery.build("script.py", "built")
            sim.close()
            del sim  # what all sockets of a simulation share lasts as long as it does
            for path in "scene.json", "built":
                print(count(listen=False), count() > 0, count(listen=False))
            """, scene(("pose", "morse.sensors.pose.Pose"), tables={
                "component_datastream": {"robot.pose": [[manager, "morse.middleware.socket_datastream.SocketPublisher", {}]]},
                "component_service": {"robot.pose": [services]}}))[-2:], ["0 True 0"] * 2)

    def test_not_a_number(self):
        """A field that is NaN is told of once, also where nobody reads the record."""
        self.module("acme/odd.py", """
            import orrery

            @orrery.plugin
            class Odd(orrery.Sensor):
                fine = orrery.field(float)
                odd = orrery.field(float)
                word = orrery.option("nan")

                def sense(self, tick, record):
                    record.odd = float(self.word)
            """)
        for placement in ("host", "worker"):
            for word, n in (("nan", 1), ("inf", 0), ("1", 0)):
                with self.subTest(word, placement=placement):
                    text = json.loads(scene(("odd", "acme.odd.Odd")))
                    text["objects"][0]["objects"][0].update(placement=placement, properties={"word": word})
                    self.write("scene.json", json.dumps(text))
                    done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "70", "--quiet")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stderr.count("robot.odd: the field 'odd' is not a number"), n, done.stderr)

    def test_dropped_while_a_scene_is_read(self):
        """Who drops the last reference may hold Python's lock, which the thread that imports a class waits for."""
        self.module("acme/slow.py", WAIT + count())
        self.write("next.json", scene(("slow", "acme.slow.Count")))
        self.assertEqual(self.prints("""
            import faulthandler, threading

            faulthandler.dump_traceback_later(60, exit=True)
            importing = threading.Event()
            sim = orrery.load("scene.json", plugin_dirs=["plugins"], listen=False, root=".")
            sim.__dict__["own"] = 1  # so that Python's object is told of references with its lock held
            calls = []

            def look(*arguments):
                if not calls:
                    calls.append(sim.call("simulation", "load", "next.json"))
                elif importing.is_set() or calls[0].done:
                    sim.call("simulation", "quit")

            sim["robot.pose"].subscribe(look)
            sim.run()
            print(calls[0].done)
            del sim, look
            print(calls[0].done)
            open("go", "w").close()
            """, scene(("pose", "morse.sensors.pose.Pose")))[-2:], ["False", "True"])

    def test_interrupt(self):
        """Ctrl-C in the step of a part reaches who called step()."""
        self.module("acme/count.py", count("import os, signal; os.kill(os.getpid(), signal.SIGINT)"))
        done = self.python("sim.step(2)\n", scene(("count", "acme.count.Count")))
        self.assertIn("KeyboardInterrupt", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    tap.main()
