# SPDX-License-Identifier: BSD-3-Clause
"""What comes from outside forges no line of a log and gives no order to a terminal."""

import json
import os
import socket
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

FORGED = "a\n[ERROR] fake\x1b]0;title\x07\u202e"
UNSAFE = ("\x1b", "\x07", "\u202e", "\x9b", "\r")


class EscapeCase(support.ProgramCase):
    def assert_safe(self, text):
        for character in UNSAFE:
            self.assertNotIn(character, text)
        for line in text.splitlines():
            self.assertFalse(line.startswith("[ERROR] fake"), text)


class Names(EscapeCase):
    def scene(self, name, **more):
        robot = {"name": name, "classpath": "morse.robots.atrv.ATRV"}
        return self.write("scene.json", json.dumps(dict({"orrery": 1, "objects": [robot]}, **more)))

    def test_rules(self):
        for name in ("a\nb", "a\x1b[31mb", "a\tb", "\u202eb", "a\u2028b", "\x7f", "\x9bm", "", "n" * 256):
            with self.subTest(name):
                done = self.orrery("check", self.scene(name))
                self.check(done, 65, "is not a valid name of an object", "control characters")
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assert_safe(done.stderr)

    def test_what_is_allowed(self):
        for name in ("caf\u00e9", "\u673a\u5668\u4eba", "a b", "a/b", "n" * 255, "a\u00adb"):
            with self.subTest(name):
                self.check(self.orrery("check", self.scene(name)), 0)

    def test_models(self):
        """The names of an imported file are no others."""
        self.write("robot.urdf", '<robot name="r"><link name="base&#10;[ERROR] fake"/></robot>')
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [{"name": "robot", "import": {"file": "robot.urdf"}}]}))
        done = self.orrery("check", "scene.json")
        self.assert_safe(done.stderr + done.stdout)

    def test_in_messages(self):
        """Keys, values, classes and files of a scene, as they stand in errors."""
        robot = {"name": "robot", "classpath": "morse.robots.atrv.ATRV"}
        for more in ({FORGED: 1}, {"environment": {FORGED: 1}}, {"environment": {"physics": FORGED}},
                     {"environment": {"import": FORGED}}, {"component_config": FORGED},
                     {"component_datastream": {FORGED: [[FORGED, FORGED]]}},
                     {"component_service": {"robot": [FORGED]}}, {"log_levels": {FORGED: "DEBUG"}},
                     {"log_levels": {"robot": FORGED}}, {"overlays": {FORGED: {FORGED: FORGED}}},
                     {"objects": [dict(robot, classpath=FORGED)]}, {"objects": [dict(robot, level=FORGED)]},
                     {"objects": [dict(robot, **{FORGED: 1})]}, {"objects": [dict(robot, placement=FORGED)]},
                     {"objects": [{"name": "x", "import": {"file": FORGED}}]}):
            with self.subTest(json.dumps(more)):
                scene = self.write("scene.json", json.dumps(dict({"orrery": 1, "objects": [robot]}, **more)))
                done = self.orrery("check", scene)
                self.assertGreater(len(done.stderr), 0)
                self.assert_safe(done.stderr + done.stdout)

    def test_file_names(self):
        self.write(FORGED + ".json", "{")
        done = self.orrery("check", FORGED + ".json")
        self.assertEqual(done.returncode, 65)
        self.assert_safe(done.stderr.replace("\n    [ERROR]", " [ERROR]"))


class Remote(EscapeCase):
    def test_log_levels(self):
        self.write("scene.json", support.SCENE)
        process = self.start("run", "scene.json")
        port = self.services_port(process)
        done = self.orrery("call", "--port", port, "simulation", "set_log_level", json.dumps(FORGED), "DEBUG")
        self.check(done, 69, "not a valid name")
        self.assert_safe(done.stderr)
        for words in (["simulation", "activate", json.dumps(FORGED)], ["simulation", "load", json.dumps(FORGED)],
                      ["simulation", "restore", json.dumps(FORGED)], ["simulation", "set_log_level", "robot", FORGED],
                      ["robot.motion", "set_property", json.dumps(FORGED), "1"]):
            done = self.orrery("call", "--port", port, *words)
            self.assertNotEqual(done.returncode, 0)
            self.assert_safe(done.stderr)
        process.terminate()
        log = process.communicate()[1]
        self.assert_safe(log)

    def test_clients(self):
        """Whoever answers at a port, the terminal is not his."""
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()

            def answer():
                connection = server.accept()[0]
                with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as file:
                    number = file.readline().split()[0]
                    file.write("%s SUCCESS \"\x1b]0;title\x07\u202e\x9b\"\n" % number)
                    file.flush()

            thread = threading.Thread(target=answer)
            thread.start()
            done = self.orrery("call", "--port", str(server.getsockname()[1]), "a", "b")
            thread.join()
        self.check(done, 0, "title")
        self.assert_safe(done.stdout)


class Streams(EscapeCase):
    """Records and answers with what a terminal acts on: parsed as they came, escaped where they are printed."""

    RECORD = '{"label": "a\x7fb\x9b\u202e\u00e9", "x": 1.5}'

    def serve(self, answer, *records):
        """A simulation of two ports; every call is answered alike, and the stream sends the records."""
        services, stream = socket.socket(), socket.socket()
        for each in (services, stream):
            self.addCleanup(each.close)
            each.bind(("127.0.0.1", 0))
            each.listen()

        def run():
            connection = services.accept()[0]
            with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as file:
                file.write("%s %s\n" % (file.readline().split()[0], answer.replace("PORT", str(stream.getsockname()[1]))))
                file.flush()
                if records:
                    file.write("%s FAILED\n" % file.readline().split()[0])
                    file.flush()
                    reader = stream.accept()[0]
                    with reader:
                        reader.sendall("".join(each + "\n" for each in records).encode())
                        reader.shutdown(socket.SHUT_WR)
                        reader.recv(1)

        thread = threading.Thread(target=run)
        thread.start()
        self.addCleanup(thread.join)
        return str(services.getsockname()[1])

    def test_records_stay_json(self):
        port = self.serve("SUCCESS PORT", self.RECORD, "no \x7f\x1b[31mJSON")
        done = self.orrery("echo", "--port", port, "--count", "2", "a.b")
        self.assert_safe(done.stdout)
        self.assertNotIn("\x7f", done.stdout)
        record, other = done.stdout.splitlines()
        self.assertEqual(json.loads(record), json.loads(self.RECORD))
        self.assertIn("\u00e9", record)
        self.assertEqual(other, "no \\x7f\\x1b[31mJSON")

    def test_values_stay_json(self):
        done = self.orrery("call", "--port", self.serve("SUCCESS " + self.RECORD), "a", "b")
        self.check(done, 0)
        self.assertNotIn("\x7f", done.stdout)
        self.assertEqual(json.loads(done.stdout), json.loads(self.RECORD))

    def test_reasons_are_read_before_they_are_escaped(self):
        done = self.orrery("call", "--port", self.serve('FAILED "it is\x7f \\"dark\\""'), "a", "b")
        self.assertEqual((done.returncode, done.stderr), (69, 'orrery: it is\\x7f "dark"\n'))


if __name__ == "__main__":
    tap.main()
