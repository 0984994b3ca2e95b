# SPDX-License-Identifier: BSD-3-Clause
"""Clients of all kinds at a running simulation: in step, in order, in bad faith."""

import json
import os
import re
import select
import signal
import socket
import struct

from clients import IN, OUT, REQUESTS, SOCKET, TEXT, TEXT_PUBLISHER, ClientCase, Lines, free_port

import tap

TEN = {"name": "ten", "classpath": "trial.arithmetic.Ten"}
SINK = {"name": "sink", "classpath": "trial.arithmetic.Sink"}
TWICE = ["trial.arithmetic.Twice"]
PLUS = ["trial.arithmetic.Plus"]


def count_steps(services):
    """How often the actuator acted; nought is no value to MORSE's protocol."""
    return services.ask("robot.sink", "steps") or 0


class Sync(ClientCase):
    """A client on sync_port holds the simulation."""

    def hold(self, *arguments):
        self.sync_port = free_port()
        scene = self.scene([TEN, SINK], component_datastream={"robot.ten": [OUT]},
                           component_service={"robot.sink": [REQUESTS]},
                           stream_manager={SOCKET: {"time_sync": True, "sync_port": self.sync_port}})
        process, self.port = self.run_scene(scene, "--fast", *arguments)
        return process

    def steps_at_rest(self, services):
        """How many steps there were once no more are coming; services answer all the while."""
        steps = count_steps(services)
        quiet = 0
        while quiet < 20:
            again = count_steps(services)
            quiet = quiet + 1 if again == steps else 0
            steps = again
        return steps

    def test_a_tick_for_fresh_bytes(self):
        process = self.hold()
        with Lines(self.port) as services, Lines(self.sync_port) as sync:
            steps = self.steps_at_rest(services)
            for n in range(1, 6):
                sync.send("sync")
                while count_steps(services) == steps + n - 1:
                    pass
                self.assertEqual(self.steps_at_rest(services), steps + n)
            sync.close()
            while count_steps(services) < steps + 100:
                pass
        self.finish(process)

    def test_portions_of_2048_bytes(self):
        process = self.hold()
        with Lines(self.port) as services, Lines(self.sync_port) as sync:
            steps = self.steps_at_rest(services)
            sync.send(b"x" * 2049)
            while count_steps(services) == steps:
                pass
            self.assertEqual(self.steps_at_rest(services), steps + 2)
        self.finish(process)

    def test_one_tick_for_each_message_of_a_client_that_waits(self):
        process = self.hold()
        with Lines(self.port) as services, Lines(self.sync_port) as sync:
            steps = self.steps_at_rest(services)
            with Lines(services.ask("simulation", "get_stream_port", "robot.ten")) as ten:
                sync.send("sync")
                while count_steps(services) == steps:
                    pass
                sync.send("sync")
                last = json.loads(ten.line())["timestamp"]
                for _ in range(100):
                    sync.send("sync")
                    now = json.loads(ten.line())["timestamp"]
                    self.assertAlmostEqual(now - last, 1 / 60, places=5)
                    last = now
        self.finish(process)

    def test_the_next_client_holds_when_the_first_leaves(self):
        process = self.hold()
        with Lines(self.port) as services, Lines(self.sync_port) as first, Lines(self.sync_port) as second:
            self.steps_at_rest(services)
            first.close()
            self.steps_at_rest(services)
            second.close()
            steps = count_steps(services)
            while count_steps(services) < steps + 100:
                pass
        self.finish(process)

    def test_signals_end_a_held_run(self):
        process = self.hold()
        with Lines(self.port) as services, Lines(self.sync_port):
            self.steps_at_rest(services)
            process.send_signal(signal.SIGTERM)
            # What hangs is given up, and says so.
            self.assertNotIn("does not end; the program exits", process.communicate(timeout=60)[1])
            self.assertEqual(process.returncode, 143)

    def test_a_port_in_use_is_an_error(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            scene = self.scene([TEN], component_datastream={"robot.ten": [OUT]},
                               stream_manager={SOCKET: {"time_sync": True, "sync_port": port}})
            done = self.orrery("run", scene, "--ticks", "1", "--plugin-dir",
                               os.path.join(os.environ.get("ORRERY_TEST_BUILDDIR", "build"), "tests/middleware/plugins"))
        self.check(done, 74, "sync_port %d on 127.0.0.1: Address already in use" % port)


class Order(ClientCase):
    """Modifiers run in the order of the config, on all outputs and for all inputs."""

    def outputs(self, modifiers):
        scene = self.scene([TEN], component_datastream={"robot.ten": [OUT, [TEXT, TEXT_PUBLISHER, {}]]},
                           component_modifier={"robot.ten": modifiers})
        process, port = self.run_scene(scene)
        with Lines(port) as services, Lines(services.ask("simulation", "get_stream_port", "robot.ten")) as ten:
            on_socket = json.loads(ten.line())["x"]
        self.finish(process)
        with open(self.path("robot.ten.txt"), encoding="utf-8") as file:
            on_text = {line.split(" = ")[1] for line in file if line.startswith("\tx = ")}
        self.assertEqual(on_text, {"%.6f\n" % on_socket})
        return on_socket

    def test_outputs(self):
        self.assertEqual(self.outputs([TWICE, PLUS]), 21)
        self.assertEqual(self.outputs([PLUS, TWICE]), 22)
        self.assertEqual(self.outputs([TWICE, ["trial.arithmetic.Plus", "minus"]]), 19)

    def inputs(self, modifiers):
        scene = self.scene([SINK], component_datastream={"robot.sink": [IN, IN]},
                           component_modifier={"robot.sink": modifiers},
                           component_service={"robot.sink": [REQUESTS]})
        process, port = self.run_scene(scene)
        with Lines(port) as services, Lines(services.ask("simulation", "get_stream_port", "robot.sink")) as sink:
            sink.send('{"x": 10}\n')
            while services.ask("robot.sink", "last") is None:
                pass
            steps = count_steps(services)
            while count_steps(services) < steps + 30:
                pass
            value = services.ask("robot.sink", "last")
        self.finish(process)
        return value

    def test_inputs_are_modified_once_for_each_message(self):
        self.assertEqual(self.inputs([TWICE, PLUS]), 21)
        self.assertEqual(self.inputs([PLUS, TWICE]), 22)


class BadClients(ClientCase):
    """The run goes on, and the log says so once."""

    def setUp(self):
        super().setUp()
        scene = self.scene([TEN, SINK], component_datastream={"robot.ten": [OUT], "robot.sink": [IN]},
                           component_service={"robot.sink": [REQUESTS]})
        self.process, self.port = self.run_scene(scene)
        self.services = Lines(self.port)
        self.addCleanup(self.services.close)
        self.sink_port = self.services.ask("simulation", "get_stream_port", "robot.sink")
        self.ten_port = self.services.ask("simulation", "get_stream_port", "robot.ten")

    def check_alive(self):
        """Commands still reach the actuator, and records the reader."""
        self.number = getattr(self, "number", 0) + 1
        with Lines(self.sink_port) as sink, Lines(self.ten_port) as ten:
            sink.send('{"x": %d}\n' % self.number)
            while self.services.ask("robot.sink", "last") != self.number:
                pass
            self.assertEqual(json.loads(ten.line())["x"], 10)

    def wait_ticks(self, n):
        steps = count_steps(self.services)
        while count_steps(self.services) < steps + n:
            pass

    def test_rubbish(self):
        self.check_alive()
        with Lines(self.sink_port) as sink:
            for text in ("rubbish\n", "\n", "[1, 2]\n", '{"x": "y"}\n', '{"x": NaN}\n', '{"x": 1e999}\n',
                         '{"x": \n', '{"x": 1} {"x": 2}\n', "\0\0\0\n", "[" * 100000 + "\n"):
                sink.send(text)
                self.wait_ticks(3)
            sink.send(b"\xff\xfe\xfd\n")
            self.wait_ticks(3)
        self.assertEqual(self.services.ask("robot.sink", "last"), self.number)
        self.check_alive()
        log = self.finish(self.process)
        self.assertEqual(log.count("robot.sink"), 1, log)
        self.assertIn("robot.sink: a message is refused", log)
        head, line = re.search(r"^(faults .*)\n(.*)\n\n", self.report, re.M).groups()
        self.assertEqual(head.split(), "faults messages refused displaced by later ones steps failed".split())
        self.assertRegex(line, r"^  robot\.sink +(8|9|10|11) +[0-2] +0$")
        self.assertEqual([head.rindex("refused") + 7, head.rindex("ones") + 4, len(head)],
                         [match.end() for match in re.finditer(r" \d+", line)])

    def test_no_faults(self):
        """The control: whose clients behave, has none in the report."""
        self.check_alive()
        self.finish(self.process)
        self.assertIn("ticks dropped", self.report)
        self.assertNotIn("faults", self.report)

    def test_large_numbers(self):
        with Lines(self.sink_port) as sink:
            sink.send('{"x": 1e308}\n')
            while self.services.ask("robot.sink", "last") != 1e308:
                pass
        self.check_alive()
        self.finish(self.process)

    def test_half_a_line(self):
        for kill in (False, True):
            with Lines(self.sink_port) as sink:
                sink.send('{"x": 4')
                # Who goes before it is let in is nobody's client.
                self.check_alive()
                if kill:
                    sink.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.check_alive()
        log = self.finish(self.process)
        self.assertEqual(log.count("a client left in the middle of a message"), 1, log)

    def test_half_closed(self):
        """Who shuts down his side gets what he asked for, however late it comes, and then the end."""
        with Lines(self.port) as client:
            client.send('a robot.sink last\nb time sleep [0.5]\nc robot.sink none\nd nobody nothing\nhalf a req')
            client.socket.shutdown(socket.SHUT_WR)
            answers = client.file.read().splitlines()
        self.assertEqual([answer.split()[0] for answer in answers], ["a", "c", "d", "b"])
        self.assertEqual([answer.split()[1] for answer in answers], ["SUCCESS", "FAILED", "FAILED", "SUCCESS"])
        with Lines(self.ten_port) as ten:
            ten.socket.shutdown(socket.SHUT_WR)
            self.wait_ticks(5)
            for _ in range(30):
                self.assertEqual(json.loads(ten.line())["x"], 10)
        self.check_alive()
        self.assertIn("a client left in the middle of a request", self.finish(self.process))

    def test_gone_before_the_answer(self):
        """Nobody is there for the answer; the others do not notice."""
        for _ in range(50):
            with Lines(self.port) as client:
                client.send("a time sleep [0.05]\nb robot.sink last\n")
        self.check_alive()
        self.wait_ticks(10)
        self.check_alive()
        self.finish(self.process)

    def test_a_hundred_megabytes(self):
        chunk = b"1" * (1 << 20)
        for port in (self.sink_port, self.ten_port, self.port):
            with Lines(port) as client:
                for _ in range(100):
                    client.send(chunk)
        self.check_alive()
        log = self.finish(self.process)
        self.assertEqual(log.count("a message of more than 1 MiB was refused"), 1, log)
        self.assertEqual(log.count("a request of more than 1 MiB was refused"), 1, log)

    def test_nothing(self):
        clients = [Lines(port) for port in (self.sink_port, self.ten_port, self.port) for _ in range(3)]
        self.check_alive()
        for client in clients:
            client.close()
        self.finish(self.process)

    def test_two_hundred(self):
        clients = [Lines(self.ten_port) for _ in range(200)]
        for client in clients:
            self.assertEqual(json.loads(client.line())["x"], 10)
        for client in clients:
            client.close()
        self.check_alive()
        self.finish(self.process)

    def test_requests_without_reading(self):
        """Answers pile up: that client is closed, the others are answered."""
        with Lines(self.port) as client:
            request = ("1 simulation %s []\n" % ("x" * 100000)).encode()
            with self.assertRaises(OSError):
                for _ in range(5000):
                    client.send(request)
        self.check_alive()
        log = self.finish(self.process)
        self.assertEqual(log.count("a client that does not read its answers was closed"), 1, log)

    def test_records_without_reading(self):
        """A reader that sleeps for a second gets whole records, in order."""
        with Lines(self.ten_port) as ten:
            self.wait_ticks(60)
            stamps = [json.loads(ten.line())["timestamp"] for _ in range(60)]
            self.assertEqual(stamps, sorted(stamps))
        self.check_alive()
        self.finish(self.process)

    def test_stop_reading(self):
        """A reader that never wakes up loses records; the run and the other readers do not notice."""
        self.finish(self.process)
        process, port = self.run_scene(self.path("scene.json"), "--fast")
        with Lines(port) as services, socket.socket() as idle:
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            idle.connect(("127.0.0.1", services.ask("simulation", "get_stream_port", "robot.ten")))
            port = services.ask("simulation", "get_stream_port", "robot.ten")
            lines = ""
            while "loses messages" not in lines:
                with Lines(port) as ten:
                    self.assertEqual(json.loads(ten.line())["x"], 10)
                steps = count_steps(services)
                while count_steps(services) < steps + 1000:
                    pass
                if select.select([process.stderr], [], [], 0)[0]:
                    lines += process.stderr.readline()
        self.assertNotIn("loses messages", self.finish(process))

    def test_the_last_of_two_clients(self):
        """Both command within a tick: one warning, the last wins."""
        with Lines(self.sink_port) as a, Lines(self.sink_port) as b:
            for n in range(300):
                a.send('{"x": 1}\n')
                b.send('{"x": %d}\n' % (n + 1000))
            # Which of two connections is read first is nobody's promise: the last word is said until it is.
            while self.services.ask("robot.sink", "last") != 1299:
                b.send('{"x": 1299}\n')
        log = self.finish(self.process)
        self.assertEqual(log.count("robot.sink"), 1, log)


tap.main()
