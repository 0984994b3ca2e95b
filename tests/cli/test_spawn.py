# SPDX-License-Identifier: BSD-3-Clause
"""Clients and programs spawn objects and remove them; a recorded run does so again."""

import json
import os
import re
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import support
import tap

HAS_MUJOCO = os.path.exists(os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/importers/read-mjcf"))
SOCKET = "orrery.middleware.socket_datastream.SocketDatastreamManager"
PUBLISHER = "orrery.middleware.socket_datastream.SocketPublisher"
SERVICES = "orrery.middleware.socket_request_manager.SocketRequestManager"

SCENE = {
    "orrery": 1,
    "environment": {"frequency": 60, "import": "empty", "use_relative_time": True, "physics": "orrery.physics.bullet.Bullet"},
    "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [-5, 0, 0.3]}],
    "spawnables": [
        {"count": 2, "object": {"name": "bot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}},
        {"count": 3, "object": {"name": "box", "body": {"type": "rigid", "mass": 3},
                                "shapes": [{"kind": "box", "size": [0.4, 0.4, 0.4]}]}},
        {"object": {"name": "arm", "classpath": "orrery.core.robot.Robot", "objects": [
            {"name": "link", "position": [0, 0, 1], "body": {"type": "rigid", "mass": 1},
             "shapes": [{"kind": "box", "size": [0.1, 0.1, 0.5], "position": [0, 0, -0.3]}],
             "joint": {"kind": "hinge", "axis": [0, 1, 0], "position": 0.5}},
            {"name": "motor", "classpath": "orrery.actuators.joint.Position", "properties": {"Joint": "link"}}]}}],
    "component_datastream": {"bot_1.pose": [[SOCKET, PUBLISHER, {}]]},
    "component_service": {"bot_1.motion": [SERVICES], "bot_2.motion": [SERVICES]},
}

PROGRAM = """
import sys
import orrery

simulation = orrery.load(sys.argv[1])
simulation.record(sys.argv[2])
simulation.step(5)
bot = simulation.spawn("bot", (0, 0, 0.3), (0.5, 0, 0))
boxes = [simulation.spawn("box", (1, 0.1 * i, 0.3 + i)) for i in range(3)]
arm = simulation.spawn("arm", (1, 3, 0))
simulation.step(20)
simulation.call(bot + ".motion", "set_speed", 1.0, 0.2)
simulation.call(arm + ".motor", "set_position", 1.5)
simulation.step(60)
simulation.remove(boxes[1])
simulation.remove(arm)
simulation.step(3)
simulation.spawn("arm", (1, 2, 0))
print(simulation.spawn("box", rotation=(1, 0, 0, 0)))
simulation.step(60)
simulation.remove(bot)
simulation.step(20)
print("%.17g" % simulation.poses[simulation.objects.index("box_3")][0])
simulation.close()
"""


LINK = """<link name="%s"><inertial><mass value="%g"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><box size="%s"/></geometry></collision></link>"""
JOINT = """<joint name="%s" type="prismatic"><parent link="palm"/><child link="%s"/><origin xyz="%g 0 0.1"/>
<axis xyz="1 0 0"/><limit lower="-0.3" upper="0.3" effort="50" velocity="1"/>%s</joint>"""
# Its right finger follows the left one.
GRIPPER = "<robot name='gripper'>" + LINK % ("palm", 2, ".2 .2 .1") + LINK % ("left", 0.2, ".02 .1 .1") + \
    LINK % ("right", 0.2, ".02 .1 .1") + JOINT % ("first", "left", 0.05, "") + \
    JOINT % ("second", "right", -0.05, "<mimic joint='first' multiplier='-1' offset='0.02'/>") + "</robot>"

FOLLOWS = """
import sys
import orrery

simulation = orrery.load(sys.argv[1])


def get_fingers():
    names = simulation.objects
    return [simulation.poses[next(i for i, name in enumerate(names) if name.endswith(end))][0]
            for end in ("left", "right")]


for place in range(2):
    print("away", *("%.17g" % x for x in get_fingers()))
    gripper = simulation.spawn("gripper", (1, 0, 3))
    simulation.step(1)
    print("first", *("%.17g" % x for x in get_fingers()))
    simulation.step(1)
    simulation.call(gripper + ".motor", "set_position", 0.2, 0.0)
    simulation.step(40)
    print("last", *("%.17g" % x for x in get_fingers()))
    simulation.remove(gripper)
    simulation.step(5)
simulation.close()
"""


class Spawn(support.ProgramCase):
    def scene(self):
        return self.write("scene.json", json.dumps(SCENE))

    def test_program(self):
        """A run in which a program spawned and removed objects is run again to the last bit."""
        program = self.write("program.py", PROGRAM)
        done = self.orrery("python", program, self.scene(), self.path("run.mcap"))
        self.check(done, 0)
        self.assertEqual(done.stdout.split()[0], "box.4")
        done = self.orrery("replay", self.path("run.mcap"), "--hash")
        self.check(done, 0, "goes as it went", "168 ticks")
        # From its middle on, where some are spawned.
        self.check(self.orrery("replay", self.path("run.mcap"), "--from", "1.2"), 0, "goes as it went")

    def test_gripper(self):
        """A gripper of a URDF file, one of whose fingers follows the other, begins anew each time."""
        self.write("gripper.urdf", GRIPPER)
        program = self.write("follows.py", FOLLOWS)
        for engine in ("bullet.Bullet", "mujoco.MuJoCo", "kinematic.Kinematic"):
            with self.subTest(engine):
                if engine == "mujoco.MuJoCo" and not HAS_MUJOCO:
                    continue
                scene = {
                    "orrery": 1,
                    "environment": {"import": "empty", "use_relative_time": True,
                                    "physics": "orrery.physics." + engine},
                    "objects": [],
                    "spawnables": [{"object": {
                        "name": "gripper", "classpath": "orrery.core.robot.Robot", "import": {"file": "gripper.urdf"},
                        "objects": [{"name": "motor", "classpath": "orrery.actuators.joint.Position",
                                     "properties": {"Joint": "first"}}]}}]}
                done = self.orrery("python", program, self.write("gripper.json", json.dumps(scene)))
                self.check(done, 0)
                lines = done.stdout.splitlines()
                self.assertEqual(lines[:3], lines[3:])
                first, last = ([float(x) for x in line.split()[1:]] for line in lines[1:3])
                self.assertAlmostEqual(first[0], 1.05, delta=0.02)
                self.assertAlmostEqual(first[1], 0.97, delta=0.02)
                self.assertAlmostEqual(last[0] - first[0], 0.2, delta=0.05)
                self.assertAlmostEqual((last[0] - 1.05) + (last[1] - 0.95), 0.02, delta=0.02)

    def test_client(self):
        """A client spawns a robot, reads its stream and calls its services, and removes it."""
        process = self.start("run", self.scene(), "--hash", "--record", self.path("run.mcap"))
        port = self.services_port(process)
        with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as client:
            lines = client.makefile("rw")

            def call(text):
                lines.write("c %s\n" % text)
                lines.flush()
                words = lines.readline().rstrip("\n").split(" ", 2)
                return words[1], words[2] if len(words) > 2 else ""

            self.assertIn("is not spawned", call("bot_1.motion stop []")[1])
            stream = json.loads(call("simulation get_all_stream_ports []")[1])["bot_1.pose"]
            self.assertEqual(call('simulation spawn ["bot", [3, 0, 0.5], [0, 0, 0.5]]'), ("SUCCESS", '"bot.1"'))
            with socket.create_connection(("127.0.0.1", stream), timeout=30) as pose:
                first = json.loads(pose.makefile().readline())
            self.assertAlmostEqual(first["x"], 3, delta=0.1)
            self.assertAlmostEqual(first["yaw"], 0.5, delta=0.05)
            self.assertEqual(call("simulation get_spawned []"), ("SUCCESS", '{"bot.1": "bot_1"}'))
            self.assertEqual(json.loads(call("simulation get_spawnables []")[1]),
                             {"bot": ["bot_1", "bot_2"], "box": ["box_1", "box_2", "box_3"], "arm": ["arm_1"]})
            self.assertEqual(call("bot.1.motion set_speed [1.0, 0.0]")[0], "SUCCESS")
            self.assertEqual(call('simulation spawn ["bott"]')[0], "FAILED")
            self.assertEqual(call('simulation remove ["bot.1"]')[0], "SUCCESS")
            status, words = call('simulation remove ["bot.1"]')
            self.assertEqual(status, "FAILED")
            self.assertIn("removed already", words)
            call("time sleep [0.1]")
            self.assertNotEqual(call("bot.1.motion set_speed [1.0, 0.0]")[0], "SUCCESS")
            lines.write("q simulation quit []\n")
            lines.flush()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        value = re.search(r"hash ([0-9a-f]{16})", out).group(1)
        done = self.orrery("replay", self.path("run.mcap"), "--hash")
        self.check(done, 0, "goes as it went", value)


if __name__ == "__main__":
    tap.main()
