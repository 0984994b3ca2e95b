# SPDX-License-Identifier: BSD-3-Clause
"""Programs and clients add to what can be spawned; a recorded run does so again."""

import glob
import json
import os
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import support
import tap

SOCKET = "orrery.middleware.socket_datastream.SocketDatastreamManager"
PUBLISHER = "orrery.middleware.socket_datastream.SocketPublisher"
READER = "orrery.middleware.socket_datastream.SocketReader"
SERVICES = "orrery.middleware.socket_request_manager.SocketRequestManager"

SCENE = {
    "orrery": 1,
    "environment": {"frequency": 60, "import": "empty", "use_relative_time": True, "physics": "orrery.physics.bullet.Bullet"},
    "objects": [{"name": "eye", "classpath": "orrery.core.robot.Robot", "objects": [
        {"name": "laser", "classpath": "orrery.sensors.laserscanner.LaserScanner", "position": [0, 0, 0.3],
         "properties": {"laser_range": 30}}]}],
    "component_service": {"simulation": [SERVICES]},
    "stream_manager": {SOCKET: {}},
}
CRATE = {"name": "crate", "body": {"type": "rigid", "mass": 3}, "shapes": [{"kind": "box", "size": [0.4, 0.4, 0.4]}]}
BOT = {"name": "bot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
    {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
    {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}

LINK = """<link name="%s"><inertial><mass value="%g"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><box size="%s"/></geometry></collision></link>"""
POLE = "<robot name='pole'>" + LINK % ("base", 2, ".4 .4 .2") + LINK % ("tip", 1, ".1 .1 .6") + """
<joint name="hinge" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="5"/></joint></robot>"""

PROGRAM = """
import json
import sys
import orrery

simulation = orrery.load(sys.argv[1], hash=True)
simulation.record(sys.argv[2])
simulation.step(30)
simulation.add_spawnable({"name": "pole", "import": {"file": "pole.urdf"}}, count=2)
simulation.add_spawnable(json.dumps(json.loads(sys.argv[3])))
try:
    simulation.add_spawnable({"name": "pole"})
except Exception as error:
    print(error)
simulation.step(3)
names = [simulation.spawn("pole", (2, 0, 1)), simulation.spawn("bot", (3, 1, 0.4)), simulation.spawn("pole", (2, 0, 3))]
simulation.step(30)
simulation.call("bot.1.motion", "set_speed", 1.0, 0.2)
state = simulation.save()
simulation.step(60)
value = simulation.hash
simulation.restore(state)
simulation.step(60)
print(*names, value == simulation.hash, *[name for name, tick, ms in simulation.report["added"]])
simulation.close()
other = orrery.load(sys.argv[1], hash=True)
other.restore(state)
other.step(60)
print(value == other.hash)
"""


class Added(support.ProgramCase):
    def scene(self):
        self.write("pole.urdf", POLE)
        return self.write("scene.json", json.dumps(SCENE))

    def test_program(self):
        """Each file of the recording of such a run goes as it went, the added objects included."""
        done = self.orrery("python", self.write("program.py", PROGRAM), self.scene(), self.path("run.mcap"), json.dumps(BOT))
        self.check(done, 0)
        lines = done.stdout.splitlines()
        self.assertIn("two spawnables are named 'pole'", lines[0])
        self.assertEqual(lines[1:], ["pole.1 bot.1 pole.2 True pole bot", "True"])
        os.remove(self.path("pole.urdf"))
        files = sorted(glob.glob(self.path("run*.mcap")))
        self.assertGreaterEqual(len(files), 3)
        replayed = 0
        for file in files:
            done = self.orrery("replay", file)
            # One that was begun between two calls has no tick, and no state.
            if "it begins at tick 30 and has no state" in done.stderr:
                continue
            self.check(done, 0, "goes as it went")
            replayed += 1
        self.assertGreaterEqual(replayed, 2)

    def test_client(self):
        """A client adds a robot while ticks run, spawns it and drives it; it names no file elsewhere."""
        scene = self.scene()
        outside = os.path.join(os.path.dirname(self.path("x").rstrip("x").rstrip("/")), "outside.urdf")
        os.symlink("/etc/hostname", self.path("link.urdf"))
        process = self.start("run", scene, "--hash")
        port = self.services_port(process)
        with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as client:
            lines = client.makefile("rw")

            def call(text, *arguments):
                lines.write("c %s %s\n" % (text, json.dumps(arguments)))
                lines.flush()
                words = lines.readline().rstrip("\n").split(" ", 2)
                return words[1], words[2] if len(words) > 2 else ""

            def refuse(pattern, *arguments):
                status, words = call("simulation add_spawnable", *arguments)
                self.assertEqual(status, "FAILED", words)
                self.assertIn(pattern, words)

            for file in ("/etc/hostname.urdf", "../outside.urdf", outside, "link.urdf"):
                refuse("below the directory of the scene", {"name": "pole", "import": {"file": file}})
            refuse("below the directory of the scene", dict(CRATE, visual={"file": "/etc/a.blend", "object": "a"}))
            refuse("no file nothing.urdf", {"name": "pole", "import": {"file": "nothing.urdf"}})
            refuse("did you mean name", {"nam": "x"})
            refuse("from 1 to 1000", CRATE, 0)
            refuse("added object:1:", "{'name'")
            self.assertNotIn("bot", call("simulation get_spawnables")[1])
            refuse("is there already", BOT, 1, {"component_datastream": {"eye.laser": [[SOCKET, PUBLISHER, {}]]}})
            streams = {"component_datastream": {"bot_1.pose": [[SOCKET, PUBLISHER, {}]], "bot_1.motion": [[SOCKET, READER, {}]]}}
            self.assertEqual(call("simulation add_spawnable", BOT, 1, streams)[0], "SUCCESS")
            self.assertEqual(call("simulation add_spawnable", json.dumps(CRATE), 2)[0], "SUCCESS")
            self.assertEqual(call("simulation add_spawnable", {"name": "pole", "import": {"file": "pole.urdf"}})[0], "SUCCESS")
            self.assertEqual(json.loads(call("simulation get_spawnables")[1]),
                             {"bot": ["bot_1"], "crate": ["crate_1", "crate_2"], "pole": ["pole_1"]})
            self.assertEqual(call("simulation spawn", "bot", [3, 0, 0.5]), ("SUCCESS", '"bot.1"'))
            self.assertEqual(call("simulation spawn", "crate", [2, 2, 0.5]), ("SUCCESS", '"crate.1"'))
            self.assertEqual(call("simulation spawn", "pole", [2, -2, 0.5]), ("SUCCESS", '"pole.1"'))
            call("time sleep", 0.1)
            self.assertEqual(call("bot.1.motion set_speed", 1.0, 0.0)[0], "SUCCESS")
            ports = json.loads(call("simulation get_all_stream_ports")[1])
            with socket.create_connection(("127.0.0.1", ports["bot_1.pose"]), timeout=30) as stream, \
                    socket.create_connection(("127.0.0.1", ports["bot_1.motion"]), timeout=30) as orders:
                poses = stream.makefile()
                self.assertGreater(json.loads(poses.readline())["x"], 2.9)
                orders.sendall(b'{"v": -1.0, "w": 0.0}\n')
                while json.loads(poses.readline())["x"] > 2.9:
                    pass
            self.assertIn("x", json.loads(call("bot_1.pose get_local_data")[1]))
            lines.write("q simulation quit []\n")
            lines.flush()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("can be spawned from now on", err + out)
        self.assertRegex(out, r"\nadded +before tick +ms\n  bot +[0-9]+ +[0-9.]+\n  crate +[0-9]+ +[0-9.]+\n  pole ")


if __name__ == "__main__":
    tap.main()
