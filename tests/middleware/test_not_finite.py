# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that are not finite, from a sensor to clients: JSON has none of them."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

from clients import OUT, PUBLISHER, REQUESTS, SOCKET, ClientCase, Lines  # noqa: E402
import tap  # noqa: E402


def parse(line):
    """As RFC 8259 has it, which Python's parser goes beyond."""
    def refuse(word):
        raise ValueError("%s is no JSON: %s" % (word, line))
    return json.loads(line, parse_constant=refuse)


class NotFinite(ClientCase):
    def run_with(self, *streams, **environment):
        path = self.scene([{"name": "lost", "classpath": "trial.lost.Lost"}],
                          component_datastream={"robot.lost": list(streams)},
                          component_service={"robot.lost": [REQUESTS]}, **environment)
        return self.run_scene(path, "--result", self.path("result.json"))

    def open_stream(self, port):
        services = Lines(port)
        self.addCleanup(services.close)
        stream = Lines(services.ask("simulation", "get_stream_port", "robot.lost"))
        self.addCleanup(stream.close)
        return services, stream

    def read_until_lost(self, stream):
        while True:
            line = stream.line()
            if "[1.0, 2.0, 3.0]" not in line:
                return line

    def test_null(self):
        """A stream has null in place of each of them, told once with component and field, and counted"""
        process, port = self.run_with(OUT)
        services, stream = self.open_stream(port)
        for _ in range(3):
            found = parse(self.read_until_lost(stream))
            self.assertEqual([found[name] for name in ("number", "vector", "list", "inside", "speed")],
                             [1.5, [1.0, None, 3.0], [1.0, None], {"a": None}, None])
        services.send("1 robot.lost get_local_data\n")
        answer = services.line()
        self.assertIsNone(parse(answer.split(" ", 2)[2])["speed"])
        log = self.finish(process)
        self.assertEqual(log.count("the field 'vector' has a number that is not finite"), 1, log)
        self.assertEqual(log.count("robot.lost get_local_data answers with a number that is not finite"), 1, log)
        with open(self.path("result.json")) as file:
            counted = parse(file.read())["not_finite"]
        self.assertEqual([row["name"] for row in counted], ["robot.lost"])
        self.assertGreaterEqual(counted[0]["numbers"], 12)
        self.assertEqual(counted[0]["numbers"] % 4, 0)

    def test_names(self):
        """With nan, a stream has the words that MORSE wrote; another one of the same component stays JSON"""
        process, port = self.run_with([SOCKET, PUBLISHER, {}], [SOCKET, PUBLISHER, {"nan": True}])
        services, stream = self.open_stream(port)
        line = self.read_until_lost(stream)
        self.assertIn('"list": [1.0, Infinity]', line)
        self.assertIn('"inside": {"a": -Infinity}', line)
        self.assertIn('"speed": NaN', line)
        self.assertRaises(ValueError, parse, line)
        other = Lines(services.ask("simulation", "get_stream_port", "robot.lost") - 1)
        self.addCleanup(other.close)
        parse(self.read_until_lost(other))
        self.finish(process)

    def test_scene(self):
        """A scene whose clients are MORSE's has these words in all streams and answers, untold and counted"""
        process, port = self.run_with(OUT, [SOCKET, PUBLISHER, {"nan": False}], environment={"not_finite": "words"})
        services, stream = self.open_stream(port)
        parse(self.read_until_lost(stream))
        with Lines(services.ask("simulation", "get_stream_port", "robot.lost") - 1) as other:
            line = self.read_until_lost(other)
        self.assertIn('"list": [1.0, Infinity]', line)
        self.assertIn('"speed": NaN', line)
        services.send("1 robot.lost get_local_data\n")
        self.assertIn('"speed": NaN', services.line())
        log = self.finish(process)
        self.assertEqual(log.count("the field 'vector' has a number that is not finite"), 1, log)
        self.assertNotIn("answers with a number", log)

    def test_finite(self):
        """A sensor whose numbers are finite is neither told nor counted"""
        path = self.scene([{"name": "pose", "classpath": "orrery.sensors.pose.Pose"}],
                          component_datastream={"robot.pose": [OUT]})
        self.start_finite(path)

    def start_finite(self, path):
        process = self.start("run", path, "--result", self.path("result.json"))
        line = self.wait_for(process, "now listening on port ")
        with Lines(int(line.split("port ")[1].split(" ")[0])) as stream:
            parse(stream.line())
        self.assertNotIn("not finite", self.finish(process))
        with open(self.path("result.json")) as file:
            self.assertEqual(json.load(file)["not_finite"], [])


if __name__ == "__main__":
    tap.main()
