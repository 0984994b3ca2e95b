# SPDX-License-Identifier: BSD-3-Clause
"""`async` clients: of a simulation in this process, and of one that another process runs."""

import asyncio
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PROGRAM, PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402
import support as cli  # noqa: E402

import tap  # noqa: E402

if not missing():
    import orrery
    from gi.repository import GLib

TIME_LIMIT = 240
SOCKETS = {
    "component_datastream": {name: [["morse.middleware.socket_datastream.SocketDatastreamManager", direction, {}]]
                             for name, direction in (("robot.pose", "morse.middleware.socket_datastream.SocketPublisher"),
                                                     ("robot.motion", "morse.middleware.socket_datastream.SocketReader"))},
    "component_service": {name: ["morse.middleware.socket_request_manager.SocketRequestManager"]
                          for name in ("robot", "robot.pose", "robot.way", "robot.motion")},
}
COMPONENTS = (("pose", "morse.sensors.pose.Pose"), ("motion", "morse.actuators.v_omega.MotionVW"),
              ("way", "morse.actuators.waypoint.Waypoint"))


class Both:
    """What a client does, wherever the simulation is: `self.open ()` gives the context."""

    def use(self, function):
        async def run():
            async with self.open() as names:
                await asyncio.wait_for(function(names), TIME_LIMIT)
        asyncio.run(run())

    def test_services(self):
        async def act(names):
            self.assertEqual(await names.robot.way.get_status(), "Arrived")
            self.assertEqual(await names.robot.way.goto(0.7, 0.0, 0.0, 0.3), "Arrived")
            self.assertGreater((await names.robot.pose.get()).x, 0.3)
            self.assertEqual(await names["robot"]["way"].get_status(), "Arrived")
        self.use(act)

    def test_records_in_their_order(self):
        async def act(names):
            times = []
            async for record in names.robot.pose:
                times.append(record.timestamp)
                self.assertEqual(record["x"], record.x)
                if len(times) == 20:
                    break
            steps = [round((b - a) * 60) for a, b in zip(times, times[1:])]
            self.assertEqual(steps, [1] * 19)
        self.use(act)

    def test_writing(self):
        async def act(names):
            await names.robot.motion.publish(v=1.0, w=0.0)
            async for record in names.robot.pose:
                if record.x > 0.2:
                    break
            await names.robot.motion.publish({"v": 0.0, "w": 0.0})
        self.use(act)

    def test_what_fails(self):
        async def act(names):
            for call, words in ((names.robot.way.goto("x", 0.0, 0.0), "x"),
                                (names.robot.way.goto(), "goto takes 3 to 5 arguments, not 0"),
                                (names.robot.nothing(), "nothing"), (names.robto.way.goto(1.0, 0.0, 0.0), "robto")):
                with self.assertRaisesRegex(GLib.Error, words):
                    await call
            with self.assertRaisesRegex(TypeError, "part.service"):
                names.robot()
            with self.assertRaises((KeyError, GLib.Error)):
                await names.robot.nobody.get()
            # It goes on.
            self.assertEqual(await names.robot.way.get_status(), "Arrived")
        self.use(act)

    def test_two_at_once_and_one_gives_way(self):
        async def act(names):
            first = asyncio.ensure_future(names.robot.way.goto(50.0, 0.0, 0.0))
            await names.robot.pose.get()
            second = asyncio.ensure_future(names.robot.way.goto(0.6, 0.0, 0.0, 0.4))
            with self.assertRaises(GLib.Error) as caught:
                await first
            self.assertTrue(caught.exception.matches(orrery.error_quark(), orrery.Error.PREEMPTED))
            self.assertEqual(await second, "Arrived")
        self.use(act)

    def test_who_is_cancelled_cancels_the_call(self):
        async def act(names):
            goal = asyncio.ensure_future(names.robot.way.goto(50.0, 0.0, 0.0))
            while await names.robot.way.get_status() != "Transit":
                await names.robot.pose.get()
            goal.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await goal
            while await names.robot.way.get_status() == "Transit":
                await names.robot.pose.get()
        self.use(act)

    def test_the_end_is_told(self):
        async def act():
            async with self.open() as names:
                goal = asyncio.ensure_future(names.robot.way.goto(50.0, 0.0, 0.0))
                await names.robot.pose.get()
            with self.assertRaisesRegex(GLib.Error, "the simulation has ended"):
                await goal
            with self.assertRaisesRegex(GLib.Error, "the simulation has ended"):
                await names.robot.way.get_status()
        asyncio.run(asyncio.wait_for(act(), TIME_LIMIT))


class Here(Both, PythonCase):
    def open(self):
        self.write("scene.json", scene(*COMPONENTS))
        self.sim = orrery.load(self.path("scene.json"), pacing=orrery.Pacing.FAST)
        self.addCleanup(self.sim.close)
        return orrery.live(self.sim, pace=0)

    def test_paused_and_stopped(self):
        async def act(names):
            await names.robot.pose.get()
            await names.simulation.pause()
            ticks = self.sim.ticks
            self.assertEqual(await names.robot.way.get_status(), "Arrived")
            self.assertEqual(await names.simulation.state(), "paused")
            self.assertEqual(self.sim.ticks, ticks)
            await names.simulation.resume()
            await names.robot.pose.get()
        self.use(act)

    def test_arrays(self):
        """As they were: the next step writes into other memory."""
        import numpy

        @orrery.plugin
        class Count(orrery.Sensor):
            values = orrery.field("array")

            def sense(self, tick, record):
                record.values = numpy.full(3, float(tick.number))
        sys.modules["__main__"].Count = Count
        self.write("scene.json", scene(("count", "__main__.Count")))
        sim = orrery.load(self.path("scene.json"), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)

        async def act():
            async with orrery.live(sim, pace=0) as names:
                records = []
                async for record in names.robot.count:
                    records.append(record)
                    if len(records) == 3:
                        break
            self.assertEqual([list(record["values"]) for record in records], [[i] * 3 for i in range(3)])
        asyncio.run(asyncio.wait_for(act(), TIME_LIMIT))

    def test_a_pace_that_is_none(self):
        self.open()
        self.assertRaises(ValueError, orrery.live, self.sim, -1)


class There(Both, PythonCase):
    def open(self):
        self.write("scene.json", json.dumps(dict(json.loads(scene(*COMPONENTS)), **SOCKETS)))
        process = self.start("run", self.path("scene.json"))
        return orrery.connect("127.0.0.1", self.port_of(process))

    def start(self, *arguments):
        import subprocess
        process = subprocess.Popen([PROGRAM, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                                   cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def port_of(self, process):
        for line in process.stderr:
            found = re.search(r"Socket service manager now listening on port (\d+)", line)
            if found:
                # Whoever writes more is not to be held up.
                import threading
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return int(found.group(1))
        raise AssertionError("no port was told")

    def test_nobody_is_there(self):
        async def act():
            async with orrery.connect("127.0.0.1", 4009):
                pass
        with self.assertRaisesRegex(GLib.Error, "127.0.0.1:4009: "):
            asyncio.run(act())


if __name__ == "__main__":
    tap.main()
