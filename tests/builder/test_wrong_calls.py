# SPDX-License-Identifier: BSD-3-Clause
"""Every service and property of everything that runs refuses what does not fit, and the run goes on.

What there is, and of which types, is what the program says of its classes; the services of the
simulation itself are asked for where they are.
"""

import json
import os
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../cli")]

import test_wrong_properties as wrong  # noqa: E402


import tap  # noqa: E402

SERVICES = wrong.SERVICES
STREAMS = "morse.middleware.socket_datastream.SocketDatastreamManager"
#: On which robot an actuator is that not all can carry; the others are on an ATRV.
ROBOTS = {
    "MotionVWDiff": "pioneer3dx.Pioneer3DX",
    "SteerForce": "hummer.Hummer",
    "StabilizedQuadrotor": "quadrotor.Quadrotor",
    "RotorcraftAttitude": "quadrotor_dynamic.Quadrotor",
    "RotorcraftVelocity": "quadrotor_dynamic.Quadrotor",
    "RotorcraftWaypoint": "quadrotor_dynamic.Quadrotor",
    "QuadrotorDynamicControl": "quadrotor_dynamic.Quadrotor",
}
#: Bases of classes with parts, which are nothing by themselves.
BASES = ("Armature", "PanTilt", "Segments", "Lamp", "Joint", "MuJoCo")
#: What needs a device, or a sensor that is aimed at.
ELSEWHERE = ("Keyboard", "Joystick")
COMMON = ("get_properties", "get_configurations", "get_local_data")
#: Of each type of an argument: what it must not take. An integer is a number, too.
WRONG = {
    "d": ["much", [1.0], {"x": 1}, None, float("nan"), float("inf"), True],
    "x": ["much", [1], 1.5, None, float("nan"), True],
    "i": ["much", [1], 1.5, None, float("nan"), True],
    "b": ["maybe", [True], None, 2.5],
    "s": [5, ["a"], None, {"a": "b"}],
}


def wrong_calls(service):
    """Lists of arguments that the service must refuse."""
    arguments = service["arguments"]
    needed = [a for a in arguments if "default" not in a]
    fitting = {"d": 1.0, "x": 1, "i": 1, "b": True, "s": "none"}
    right = [fitting.get(a["type"], 1.0) for a in arguments]
    yield right + [1]
    yield right + ["more", "and", "more"]
    if needed:
        yield right[: len(needed) - 1]
    for i, argument in enumerate(arguments):
        for value in WRONG.get(argument["type"], ()):
            yield right[:i] + [value] + right[i + 1 :]


class WrongCalls(wrong.Scenes):
    def components(self):
        """Classes of components that a scene can have just like that, with services or properties."""
        found = []
        for role in ("sensor", "actuator"):
            for entry in self.classes(role):
                name = entry["classpath"].rpartition(".")[2]
                if name not in BASES and name not in ELSEWHERE and not name.startswith("PR2"):
                    found.append((name, entry))
        return found

    def make_scene(self, found):
        robots = {}
        for i, (name, entry) in enumerate(found):
            robot = ROBOTS.get(name, "atrv.ATRV")
            part = {"name": "s%d" % i, "classpath": entry["classpath"]}
            if name in ("PTUPosture", "ArmaturePose"):
                home = {"PTUPosture": "ptu.PTU", "ArmaturePose": "kuka_lwr.KukaLWR"}[name]
                part = {"name": "h%d" % i, "classpath": "morse.actuators." + home, "objects": [part]}
            robots.setdefault((robot, name if robot in ROBOTS.values() else ""), []).append(part)
        objects, names = [], {}
        for k, ((robot, _), parts) in enumerate(robots.items()):
            objects.append({"name": "r%d" % k, "classpath": "morse.robots." + robot, "position": [0, 6 * k, 1], "objects": parts})
            for part in parts:
                inner = part.get("objects")
                names[(inner or [part])[0]["name"]] = ("r%d." % k) + (part["name"] + "." + inner[0]["name"] if inner else part["name"])
        scene = self.scene([])
        scene["environment"]["physics"] = "orrery.physics.bullet.Bullet"
        scene["objects"] = objects
        scene["component_service"] = {name: [SERVICES] for name in names.values()}
        robot = objects[0]["name"]
        scene["component_service"][robot] = [SERVICES]
        if found[0][1]["role"] == "sensor":
            scene["component_datastream"] = {names["s0"]: [[STREAMS, "morse.middleware.socket_datastream.SocketPublisher"]]}
        return scene, names

    def start_scene(self, scene):
        process = self.start("run", self.write("scene.json", json.dumps(scene)), "--fast")
        place = ("127.0.0.1", int(self.services_port(process)))
        stream = socket.create_connection(place, timeout=60)
        self.addCleanup(stream.close)
        lines = stream.makefile("rw")
        self.addCleanup(lines.close)
        return process, lines

    @staticmethod
    def ask(lines, part, service, arguments):
        lines.write("1 %s %s %s\n" % (part, service, json.dumps(arguments)))
        lines.flush()
        return next(lines)

    def leave(self, process, lines):
        lines.write("2 simulation quit\n")
        lines.flush()
        self.assertEqual(process.wait(60), 0)

    def test_services(self):
        """Too many arguments, too few, of a wrong type, not finite."""
        found = self.components()
        scene, names = self.make_scene(found)
        process, lines = self.start_scene(scene)
        missed, n = [], 0
        for i, (name, entry) in enumerate(found):
            for service in entry["services"]:
                for arguments in wrong_calls(service) if service["name"] not in COMMON else ():
                    answer = self.ask(lines, names["s%d" % i], service["name"], arguments)
                    n += 1
                    if not answer.startswith("1 FAILED"):
                        missed.append((name, service["name"], arguments, answer))
        self.assertGreater(n, 300)
        self.assertEqual(missed, [])
        self.leave(process, lines)

    def test_properties_of_actuators(self):
        """As test_wrong_properties does it for sensors; the value that was there stays."""
        found = [(name, entry) for name, entry in self.components() if entry["role"] == "actuator"]
        scene, names = self.make_scene(found)
        process, lines = self.start_scene(scene)
        missed, n = [], 0
        for i, (name, entry) in enumerate(found):
            part = names["s%d" % i]
            before = self.ask(lines, part, "get_properties", [])
            for option in entry["properties"]:
                for value in wrong.wrong_values(option):
                    answer = self.ask(lines, part, "set_property", [option["name"], value])
                    n += 1
                    if not (answer.startswith("1 FAILED") and option["name"] in answer):
                        missed.append((name, option["name"], value, answer))
            self.assertEqual(self.ask(lines, part, "get_properties", []), before)
        self.assertGreater(n, 300)
        self.assertEqual(missed, [])
        self.leave(process, lines)

    def test_managers_and_the_simulation(self):
        """What is published without a component: managers, supervision, time, communication."""
        scene, names = self.make_scene(self.components()[:1])
        process, lines = self.start_scene(scene)
        missed = []
        tried = (
            ("simulation", "get_stream_port", ([], [5], [None], [["a"]], [names["s0"], 1], ["r0.s1"])),
            ("simulation", "list_streams", ([1], ["a"])),
            ("simulation", "get_all_stream_ports", ([1],)),
            ("simulation", "get_object_pose", ([], [5], ["nonesuch"], ["r0", 1])),
            ("simulation", "set_object_pose", ([], ["r0"], ["r0", "[1]", "[1,0,0,0]"], ["nonesuch", "[0,0,0]", "[1,0,0,0]"],
                                               ["r0", "[NaN,0,0]", "[1,0,0,0]"])),
            ("simulation", "set_object_visibility", ([], ["r0"], ["nonesuch", True, False], ["r0", "maybe", False])),
            ("simulation", "set_object_dynamics", ([], ["nonesuch", True], ["r0", "maybe"])),
            ("simulation", "activate", ([], [5], ["nonesuch"])),
            ("simulation", "deactivate", ([], [5], ["nonesuch"])),
            ("simulation", "nonesuch", ([], [1])),
            ("time", "set_time_scale", ([], ["fast"], [0.0], [-1.0], [float("nan")], [None], [1.0, 2.0])),
            ("time", "sleep", ([], ["long"], [float("nan")], [-1.0], [None])),
            ("communication", "distance_and_view", ([], ["r0"], ["r0", "nonesuch"], [1, 2])),
            ("nonesuch", "get_properties", ([],)),
        )
        for part, service, rows in tried:
            for arguments in rows:
                answer = self.ask(lines, part, service, arguments)
                if not answer.startswith("1 FAILED"):
                    missed.append((part, service, arguments, answer))
        self.assertEqual(missed, [])
        # The control: what is right is answered.
        self.assertTrue(self.ask(lines, "simulation", "get_stream_port", [names["s0"]]).startswith("1 SUCCESS 6"))
        self.assertTrue(self.ask(lines, "simulation", "list_streams", []).startswith("1 SUCCESS"))
        self.leave(process, lines)

    def test_options_of_streams(self):
        """Of one stream: what its manager and its codec do not know, or cannot take."""
        missed = []
        text = "morse.middleware.text_datastream."
        for manager, codec, options, words in (
            (STREAMS, "morse.middleware.socket_datastream.SocketPublisher", {"port": "high"}, "port"),
            (STREAMS, "morse.middleware.socket_datastream.SocketPublisher", {"port": float("nan")}, "port"),
            (STREAMS, "morse.middleware.socket_datastream.SocketPublisher", {"prot": 60001}, "prot"),
            (STREAMS, "morse.middleware.socket_datastream.SocketPublisher", [1], "options"),
            (text + "TextDatastreamManager", text + "Publisher", {"nonesuch": 1}, "nonesuch"),
        ):
            scene = self.scene([("morse.sensors.pose.Pose", {})])
            scene["component_datastream"] = {"robot.s0": [[manager, codec, options]]}
            done = self.orrery("check", self.write("scene.json", json.dumps(scene)))
            if done.returncode not in (65, 69) or words not in done.stderr:
                missed.append((manager, options, done.returncode, done.stderr))
        self.assertEqual(missed, [])

    def test_one_name_for_two(self):
        """Two of one full name are refused by it; a script's second takes another name, as in MORSE."""
        pose = {"name": "pose", "classpath": "morse.sensors.pose.Pose"}
        robot = {"name": "r", "classpath": "morse.robots.atrv.ATRV"}
        wheels = {"name": "r", "classpath": "morse.robots.pioneer3dx.Pioneer3DX"}
        for objects, words in (
            ([robot, robot], "two objects are named 'r'"),
            ([dict(robot, objects=[pose, pose])], "two objects are named 'r.pose'"),
            ([dict(robot, objects=[pose, {"name": "pose", "shapes": []}])], "two objects are named 'r.pose'"),
            ([dict(robot, objects=[dict(pose, name="b.pose")])], "'b.pose' has a dot in its name"),
            # A part that the class brings.
            ([dict(wheels, objects=[dict(pose, name="Wheel_L")])], "Wheel_L"),
        ):
            scene = dict(self.scene([]), objects=objects)
            done = self.orrery("check", self.write("scene.json", json.dumps(scene)))
            self.check(done, 65, words)
        script = self.write("twins.py", "from morse.builder import *\nrobot = ATRV('r')\na = Pose('p')\nb = Pose('p')\n"
                            "robot.append(a)\nrobot.append(b)\nrobot.add_default_interface('socket')\nenv = Environment('empty')\n")
        self.check(self.orrery("build", script, "-o", self.path("out")), 0)
        with open(self.path("out/component_config.py"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("'r.p'", text)
        self.assertIn("'r.p_001'", text)


if __name__ == "__main__":
    tap.main()
