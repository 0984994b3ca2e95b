# SPDX-License-Identifier: BSD-3-Clause
"""The command that lists and shows message types, also those of users."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

STRING_HASH = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"


class Messages(support.ProgramCase):
    def show(self, *arguments, code=0, **environment):
        names = ("ORRERY_MESSAGE_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")
        for name in names:
            os.environ.pop(name, None)
        os.environ.update(environment)
        try:
            done = self.orrery("messages", *arguments)
        finally:
            for name in names:
                os.environ.pop(name, None)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def add(self, path, text):
        path = self.path(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_list(self):
        names = self.show().split()
        self.assertEqual(names, sorted(names))
        for name in ("sensor_msgs/msg/LaserScan", "std_srvs/srv/Trigger", "move_base_msgs/action/MoveBase",
                     "simulation_interfaces/srv/SetEntityState"):
            self.assertIn(name, names)

    def test_package(self):
        """Where a package is; it is one for the workspaces of ROS if it is ours."""
        place = self.show("--package", "orrery_interfaces").strip()
        self.assertEqual(sorted(os.listdir(place)), ["CMakeLists.txt", "action", "msg", "package.xml", "srv"])
        self.add("lab/lab_msgs/msg/Depth.msg", "float64 depth\n")
        self.assertEqual(self.show("--package", "lab_msgs", ORRERY_MESSAGE_PATH=self.path("lab")).strip(), self.path("lab/lab_msgs"))
        for name in "gone_msgs", "", "..", ".", "../share", "services.json":
            self.assertIn("no package " + name, self.show("--package", name, code=69))
        self.assertIn("--package", self.show("--package", "std_msgs", "std_msgs/String", code=64))

    def test_package_is_one_of_catkin(self):
        try:
            from catkin_pkg.package import parse_package
        except ImportError:
            self.skipTest("not installed: python3-catkin-pkg")
        package = parse_package(os.path.join(self.show("--package", "orrery_interfaces").strip(), "package.xml"))
        self.assertEqual(package.name, "orrery_interfaces")

    def test_one(self):
        self.assertEqual(self.show("std_msgs/String"), "# std_msgs/msg/String, %s\nstring data\n" % STRING_HASH)
        self.assertEqual(self.show("--ros1", "std_msgs/msg/String"),
                         "# std_msgs/msg/String, 992ce8a1687cec8c8bd883ec73ca41d1\nstring data\n")
        self.assertIn("uint32 seq", self.show("--ros1", "std_msgs/Header"))
        self.assertNotIn("uint32 seq", self.show("std_msgs/Header"))
        self.assertIn("\n---\n# response: std_srvs/srv/SetBool_Response", self.show("std_srvs/srv/SetBool"))
        self.assertIn("# feedback: move_base_msgs/action/MoveBase_Feedback", self.show("move_base_msgs/action/MoveBase"))
        self.assertNotIn("variance", self.show("sensor_msgs/Range", "--distro", "humble"))

    def test_of_users(self):
        """Types of a laboratory, of packages of ROS 1 and of installations of ROS 2 are found, ours cannot be hidden
        by those of ROS."""
        for variable, place in (("ORRERY_MESSAGE_PATH", "own"), ("ROS_PACKAGE_PATH", "own"),
                                ("AMENT_PREFIX_PATH", "own/share")):
            self.add(place + "/lab_msgs/msg/Depth.msg", "std_msgs/Header header\nfloat64 depth # m\n")
            self.add(place + "/std_msgs/msg/String.msg", "string mine\n")
            shown = self.show("lab_msgs/Depth", **{variable: self.path("own")})
            self.assertTrue(shown.splitlines()[1:3] == ["std_msgs/Header header", "float64 depth"], shown)
            string = self.show("std_msgs/String", **{variable: self.path("own")})
            self.assertEqual("mine" in string, variable == "ORRERY_MESSAGE_PATH")

    def test_mistakes(self):
        self.assertIn("did you mean sensor_msgs/msg/LaserScan", self.show("sensor_msgs/LaserScn", code=69))
        self.assertIn("is no name of a type: PACKAGE/NAME", self.show("LaserScan", code=65))
        self.add("own/lab_msgs/msg/Bad.msg", "float64 x\nfloat99 y\n")
        told = self.show("lab_msgs/Bad", code=69, ORRERY_MESSAGE_PATH=self.path("own"))
        self.assertIn("lab_msgs/msg/Bad.msg:2: no type lab_msgs/msg/float99", told)


if __name__ == "__main__":
    tap.main()
