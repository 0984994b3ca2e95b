# SPDX-License-Identifier: BSD-3-Clause
"""`orrery plugins`: the list with words and roles, and what is said of one class."""

import json
import os
import re
import subprocess

from support import PROGRAM, ProgramCase

import tap

POSE = "orrery.sensors.pose.Pose"
WAYPOINT = "orrery.actuators.waypoint.Waypoint"
MANAGER = "orrery.middleware.socket_datastream.SocketDatastreamManager"


class Listing(ProgramCase):
    def lines(self, *arguments):
        done = self.orrery("plugins", *arguments)
        self.check(done, 0)
        return done.stdout.splitlines()

    def listed(self):
        document = json.loads(self.orrery("plugins", "--json").stdout)
        return [entry for module in document["modules"] for entry in module["classes"]]

    def test_one_line_for_each_class_in_columns(self):
        lines = self.lines()[:len(self.listed())]
        expected = [(entry["role"], entry["classpath"]) for entry in self.listed()]
        self.assertEqual([tuple(line.split()[:2]) for line in lines], expected)
        self.assertEqual(len({line.index(path) for line, (_, path) in zip(lines, expected)}), 1)
        self.assertEqual([line for line in lines if line != line.rstrip()], [])

    def test_a_word_selects(self):
        lines = self.lines("LIDAR")
        self.assertIn("orrery.sensors.vlp16.VLP16_180", "\n".join(lines))
        self.assertEqual([line for line in lines if "lidar" not in line.lower()], [])

    def test_several_words_must_all_be_there(self):
        both = self.lines("sensors", "gps")
        self.assertTrue(both)
        self.assertLess(len(both), len(self.lines("gps")) + 1)
        self.assertEqual([line for line in both if "sensors" not in line or "gps" not in line.lower()], [])

    def test_a_word_selects_environments(self):
        self.assertEqual(self.lines("indoors-1/boxes"), ["environments", "  indoors-1/boxes"])

    def test_packages_are_known_by_the_names_of_morse(self):
        self.assertEqual(self.lines("morse.sensors.pose"), self.lines("orrery.sensors.pose"))

    def test_a_role_selects(self):
        expected = [entry["classpath"] for entry in self.listed() if entry["role"] == "sensor"]
        self.assertEqual([line.split()[1] for line in self.lines("--role", "sensor")], expected)
        lines = self.lines("--role", "sensor", "depth")
        self.assertTrue(0 < len(lines) < len(expected))

    def test_levels_stand_in_the_line_of_their_class(self):
        line, = [line for line in self.lines() if "orrery.sensors.odometry.Odometry " in line]
        self.assertTrue(line.endswith("[raw, differential, integrated (default)]"), line)

    def test_nothing_found_is_said(self):
        self.check(self.orrery("plugins", "lidarr"), 69, "nothing that is listed has 'lidarr'")
        self.check(self.orrery("plugins", "--role", "sensors"), 69, "no class has the role 'sensors'; did you mean sensor\n")
        self.check(self.orrery("plugins", "--role", "robot", "gps"), 69, "listed as robot has 'gps'")

    def test_what_does_not_go_together(self):
        self.check(self.orrery("plugins", "--role", "sensor", "--json"), 64, "--json lists all")
        self.check(self.orrery("plugins", "--role", "sensor", POSE), 64, "--role")
        self.check(self.orrery("plugins", "--json", "lidar"), 65, "'lidar' is no classpath")

    def test_refused_modules_are_one_line_each(self):
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/broken.so", "\033[31mnone\n")
        lines = self.lines("--plugin-dir", self.path("plugins"), "broken")
        self.assertEqual(lines[0], "refused")
        self.assertEqual(len(lines), 2)
        self.assertIn("acme/broken.so", lines[1])

    def test_colours_on_a_terminal_only(self):
        self.assertNotIn("\033", self.orrery("plugins", "gps").stdout + self.orrery("plugins", POSE).stdout)
        for unset, coloured in (("NO_COLOR", True), (None, False)):
            for argument in ("gps", POSE):
                with self.subTest(coloured=coloured, argument=argument):
                    self.assertEqual("\033[1m" in self.on_terminal(argument, unset), coloured)

    def on_terminal(self, argument, unset):
        ours, theirs = self.open_terminal()
        environment = dict(self.environment(), TERM="xterm", NO_COLOR="1")
        environment.pop(unset, None)
        process = subprocess.Popen([PROGRAM, "plugins", argument], stdout=theirs, env=environment,
                                   stdin=subprocess.DEVNULL, cwd=self.directory)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65536):
                shown += chunk
        except OSError:  # the program closed its end
            pass
        os.close(ours)
        self.assertEqual(process.wait(timeout=120), 0)
        return shown.decode()


def leaves(value):
    """What the description of a class says, as a text or a number; what follows from another value, left out."""
    if isinstance(value, dict):
        return [leaf for key, each in value.items() if key not in ("read", "kind", "type") for leaf in leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in leaves(each)]
    if value is None:
        return ["null"]
    if isinstance(value, bool):
        return []
    return ["%.12g" % value if isinstance(value, float) else str(value)]


class Description(ProgramCase):
    def test_people_are_told_all_that_programs_are(self):
        listing = json.loads(self.orrery("plugins", "--json").stdout)
        names = [entry["classpath"] for module in listing["modules"] for entry in module["classes"]]
        document = json.loads(self.orrery("plugins", "--json", *names).stdout)
        shown = self.orrery("plugins", *names).stdout
        parts = re.split(r"^(?=\S+: \w+$)", shown, flags=re.MULTILINE)[1:]
        self.assertEqual(len(parts), len(names))
        for entry, part in zip(document["classes"], parts):
            with self.subTest(name=entry["classpath"]):
                self.assertEqual([leaf for leaf in leaves(entry) if leaf not in part], [])

    def test_the_check_sees_what_is_missing(self):
        entry = {"properties": [{"name": "a", "minimum": 0.25, "choices": ["x", "y"]}]}
        self.assertEqual([leaf for leaf in leaves(entry) if leaf not in "a  x"], ["0.25", "y"])

    def test_ranges_choices_types_and_streams(self):
        self.check(self.orrery("plugins", WAYPOINT), 0, "float = 0.174532925199  0 to 3.14159265359",
                   "Velocity | Position", "read at the start", "in code free-z",
                   "goto (x: float, y: float, z: float, tolerance: float = 0.5, speed: float = 1)", "; long; can be interrupted",
                   "set_property (prop_name: string, prop_val: any)", "frequency    60 Hz")
        done = self.orrery("plugins", MANAGER)
        self.check(done, 0)
        self.assertRegex(done.stdout, r"(?m)^  stream +socket$")
        self.assertRegex(done.stdout, r"(?m)^  publisher +orrery\.middleware\.socket_datastream\.SocketPublisher$")

    def test_a_wrong_classpath_does_not_hide_the_right_ones(self):
        wrong = "morse.sensors.pose.Poze"
        done = self.orrery("plugins", POSE, wrong, WAYPOINT)
        self.assertEqual(done.returncode, 69)
        self.assertIn("Poze; did you mean Pose", done.stderr)
        self.assertIn(POSE + ": sensor\n", done.stdout)
        self.assertIn(WAYPOINT + ": actuator\n", done.stdout)
        done = self.orrery("plugins", "--json", wrong, WAYPOINT)
        self.assertEqual(done.returncode, 69)
        self.assertEqual([entry["classpath"] for entry in json.loads(done.stdout)["classes"]], [WAYPOINT])

    def test_only_wrong_ones_print_nothing(self):
        done = self.orrery("plugins", "--json", "morse.sensors.pose.Poze", "acme.no.No")
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertIn("Poze", done.stderr)
        self.assertIn("acme.no.No", done.stderr)


if __name__ == "__main__":
    tap.main()
