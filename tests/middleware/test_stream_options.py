# SPDX-License-Identifier: BSD-3-Clause
"""The options that every stream has, and how `orrery plugins` shows those of managers."""

import json

from clients import MIDDLEWARE, PUBLISHER, SOCKET, TEXT, TEXT_PUBLISHER, ClientCase

import tap

TICKS = 120


class Rate(ClientCase):
    def run_with(self, streams, frequency=60):
        """Runs a scene for 120 ticks of 1/60 s, and returns the headings in each stream's file."""
        entries = [[TEXT, TEXT_PUBLISHER, dict(options, file="stream%d.txt" % i)] for i, options in enumerate(streams)]
        scene = self.scene([{"name": "pose", "classpath": "morse.sensors.pose.Pose", "frequency": frequency}],
                           {"frequency": 60}, component_datastream={"robot.pose": entries})
        done = self.orrery("run", scene, "--ticks", str(TICKS), "--fast", "--hash=" + self.path("hash"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = []
        for i in range(len(streams)):
            with open(self.path("stream%d.txt" % i), encoding="utf-8") as file:
                found.append([line for line in file if line.startswith("==> Data at X,Y,Z: ")])
        with open(self.path("hash"), encoding="utf-8") as file:
            self.hash = file.read()
        return found

    def counts(self, streams, frequency=60):
        return [len(lines) for lines in self.run_with(streams, frequency)]

    def test_so_many_a_second(self):
        """Two seconds, the first step always; a rate that is no divisor is met on average."""
        self.assertEqual(self.counts([{"rate": 10}]), [20])
        self.assertEqual(self.counts([{"rate": 25}]), [50])
        self.assertEqual(self.counts([{"rate": 0.5}]), [1])

    def test_each_has_its_own(self):
        """Streams that are equal but for the rate share their encoding when both are due."""
        self.assertEqual(self.counts([{}, {"rate": 20}, {"rate": 1}, {"rate": 59}]), [120, 40, 2, 118])

    def test_of_the_steps_of_the_component(self):
        self.assertEqual(self.counts([{"rate": 10}, {"rate": 30}, {"rate": 1000}], 30), [20, 60, 60])

    def test_results_are_the_same(self):
        self.run_with([{}])
        without = self.hash
        self.run_with([{"rate": 7}])
        self.assertEqual(self.hash, without)

    def test_what_is_none(self):
        for rate in (-1, "fast", 1e7, True):
            with self.subTest(rate=rate):
                scene = self.scene([{"name": "pose", "classpath": "morse.sensors.pose.Pose"}],
                                   component_datastream={"robot.pose": [[SOCKET, PUBLISHER, {"rate": rate}]]})
                done = self.orrery("run", scene, "--ticks", "1")
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn("robot.pose: property 'rate': ", done.stderr)


class Topics(ClientCase):
    """Names that ROS does not have are told before the start, with their line."""

    def check_topic(self, manager, topic):
        entry = [MIDDLEWARE + manager, "morse.middleware.ros.pose.PoseStampedPublisher", {"topic": topic}]
        scene = self.scene([{"name": "pose", "classpath": "morse.sensors.pose.Pose"}],
                           component_datastream={"robot.pose": [entry]})
        return self.orrery("check", scene)

    def test_of_ros(self):
        for topic in ("/a b!", "/1a", "//a", "", "/a/"):
            with self.subTest(topic=topic):
                done = self.check_topic("ros_datastream.ROSDatastreamManager", topic)
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertRegex(done.stderr, r"\.json:\d+:\d+: robot\.pose: topic: '.*' is no name for ROS")
        for topic in ("/a_b", "a", "~a", "~/a/b1"):
            with self.subTest(topic=topic):
                done = self.check_topic("ros_datastream.ROSDatastreamManager", topic)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_of_ros_2(self):
        for topic, becomes in (("/a b!", "/a_b_"), ("1a", "n1a"), ("//a", "/a"), ("/a__b", "/a_b"), ("~/a b", "~/a_b")):
            with self.subTest(topic=topic):
                done = self.check_topic("ros2_datastream.Ros2DatastreamManager", topic)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("robot.pose: topic '%s' is no name for ROS 2" % topic, done.stderr)
                self.assertIn("it is '%s'" % becomes, done.stderr)
        for topic in ("/a_b", "a", "~/a/b1"):
            with self.subTest(topic=topic):
                self.assertNotIn("no name", self.check_topic("ros2_datastream.Ros2DatastreamManager", topic).stderr)
        for topic in ("", "/" + 300 * "a"):
            with self.subTest(topic=topic):
                done = self.check_topic("ros2_datastream.Ros2DatastreamManager", topic)
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertRegex(done.stderr, r"\.json:\d+:\d+: robot\.pose: topic: ")


class Plugins(ClientCase):
    def describe(self, classpath):
        done = self.orrery("plugins", "--json", classpath)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["classes"][0]

    def test_options_of_a_manager_are_listed(self):
        options = {option["name"]: option for option in self.describe(TEXT)["stream_options"]}
        self.assertEqual(list(options), ["rate"])
        options = {option["name"]: option for option in
                   self.describe(MIDDLEWARE + "ros_datastream.ROSDatastreamManager")["stream_options"]}
        self.assertEqual(set(options), {"rate", "queue", "queue_length"})
        done = self.orrery("plugins", MIDDLEWARE + "ros_datastream.ROSDatastreamManager")
        self.assertRegex(done.stdout, r"\n  stream_options\n    rate +float = 0 ")

    def test_others_have_none(self):
        self.assertNotIn("stream_options", self.describe(PUBLISHER))


if __name__ == "__main__":
    tap.main()
