# SPDX-License-Identifier: BSD-3-Clause
"""Files that are none, or too large, or closed to us; directories that anybody may write to."""

import json
import os
import pwd
import shutil
import stat
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

GIB = 1 << 30
ROVER = '{ "classes": { "Rover": { "base": "orrery.core.robot.Robot" } } }'
ROBOT = {"name": "robot", "classpath": "morse.robots.atrv.ATRV"}
TEXT = ["morse.middleware.text_datastream.TextDatastreamManager", "morse.middleware.text_datastream.Publisher"]


class FileCase(support.ProgramCase):
    def fails(self, code, words, *arguments, **options):
        """One line is said, and soon."""
        done = self.orrery(*arguments, timeout=120, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(words, done.stderr.replace(self.directory, "@DIR@"))

    def scene(self, **more):
        return self.write("scene.json", json.dumps(dict({"orrery": 1}, **more)))

    def sparse(self, name, size):
        with open(self.path(name), "wb") as file:
            file.truncate(size)
        return self.path(name)

    def pipe(self, name):
        os.mkfifo(self.path(name))
        return self.path(name)


class StandIns(FileCase):
    """An environment of ours stands in for one that is not installed."""

    def counted(self, scene, *arguments):
        done = self.orrery("check", *arguments, scene, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("ok, ")[1].split(" objects")[0]

    def test_plain(self):
        scene = self.scene(environment={"import": "caves/dim"}, objects=[ROBOT])
        one = {"environment": {"objects": [{"name": "rock"}]}}
        two = {"environment": {"objects": [{"name": "rock"}, {"name": "bat"}]}}
        self.fails(69, "no environment 'caves/dim'", "check", scene)
        os.makedirs(self.path("plugins/orrery/environments/caves"))
        self.write("plugins/orrery/environments/caves/dim-plain.json", json.dumps(one))
        plain = self.counted(scene, "--plugin-dir", self.path("plugins"))
        self.write("plugins/orrery/environments/caves/dim.json", json.dumps(two))
        self.assertEqual(int(self.counted(scene, "--plugin-dir", self.path("plugins"))), int(plain) + 1)

    def test_room(self):
        room = self.scene(environment={"import": "indoors-1/indoor-1-plain"}, objects=[ROBOT])
        self.assertEqual(int(self.counted(room)), 24)


class Schemas(FileCase):
    """Editors find the schema of a file by its first key; the host reads over it."""

    def test_it_is_taken(self):
        schema = {"$schema": "https://example.org/scene.schema.json"}
        rover = dict(schema, classes={"Rover": {"base": "orrery.robots.atrv.ATRV"}})
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/rover.json", json.dumps(rover))
        robot = {"name": "robot", "classpath": "acme.rover.Rover"}
        scene = self.write("scene.json", json.dumps(dict(schema, orrery=1, objects=[robot])))
        self.check(self.orrery("check", "--plugin-dir", self.path("plugins"), scene), 0, "ok")

    def test_elsewhere_it_is_a_key_as_any_other(self):
        self.fails(65, "an object has no key '$schema'", "check", self.scene(objects=[dict(ROBOT, **{"$schema": "x"})]))
        scene = self.write("scene.json", json.dumps({"orrery": 1, "$schema": 5}))
        self.fails(65, "'$schema' is an integer, not a text", "check", scene)


class NoFiles(FileCase):
    """Pipes and devices would block for ever, or never end."""

    words = "neither a file nor a directory; a builder script, a scene file or a directory made by `orrery build`"

    def test_scene(self):
        for path in (self.pipe("pipe"), "/dev/null", "/dev/zero"):
            with self.subTest(path):
                self.fails(65, self.words, "check", path)
                self.fails(65, self.words, "run", "--quiet", path)

    def test_scene_in_its_directory(self):
        self.pipe("scene.json")
        self.fails(65, "@DIR@/scene.json: a pipe; a regular file is expected", "check", self.directory)
        os.unlink(self.path("scene.json"))
        os.symlink("/dev/zero", self.path("scene.json"))
        self.fails(65, "@DIR@/scene.json: a device; a regular file is expected", "check", self.directory)
        os.unlink(self.path("scene.json"))
        os.mkdir(self.path("scene.json"))
        self.fails(65, "@DIR@/scene.json: a directory; a regular file is expected", "check", self.directory)

    def test_component_config(self):
        scene = self.scene(component_config="config.py")
        self.pipe("config.py")
        self.fails(65, "@DIR@/config.py: a pipe; a regular file is expected", "check", scene)
        self.fails(65, "@DIR@/config.py: a pipe;", "check", scene, "--config", self.path("config.py"))

    def test_environment(self):
        self.pipe("hall.json")
        scene = self.scene(environment={"import": "hall.json"})
        self.fails(69, "@DIR@/hall.json is a pipe or device, not a file", "check", scene)

    def test_class(self):
        scene = self.scene(objects=[{"name": "r", "classpath": "acme.rover.Rover"}])
        os.makedirs(self.path("plugins/acme"))
        self.pipe("plugins/acme/rover.json")
        self.pipe("plugins/acme/rover.so")
        self.fails(69, "acme.rover.Rover: no module acme/rover.so", "check", "--plugin-dir", self.path("plugins"), scene)

    def test_plugin_directory(self):
        scene = self.scene()
        self.fails(66, "@DIR@/scene.json: not a directory", "check", "--plugin-dir", scene, scene)
        self.fails(66, "@DIR@/none: No such file or directory", "check", "--plugin-dir", self.path("none"), scene)

    def test_nothing_there(self):
        self.fails(66, "@DIR@/none: there is no such file", "check", self.path("none"))
        self.fails(66, "@DIR@/none.py: there is no such file", "check", self.scene(), "--config", self.path("none.py"))


class Large(FileCase):
    """Refused for their size before they are read: none of these would fit into memory."""

    def test_scene(self):
        path = self.sparse("large.json", 900 * GIB)
        self.fails(65, "@DIR@/large.json: a file of %d bytes; at most 67108864 are read" % (900 * GIB), "check", path)

    def test_script(self):
        path = self.sparse("large.py", 900 * GIB)
        self.fails(65, "@DIR@/large.py: a file of %d bytes; at most 67108864 are read" % (900 * GIB), "check", path)

    def test_component_config(self):
        self.sparse("large.py", 900 * GIB)
        self.fails(65, "large.py: a file of 966367641600 bytes; at most 67108864 are read", "check",
                   self.scene(component_config="large.py"))

    def test_class(self):
        os.makedirs(self.path("plugins/acme"))
        self.sparse("plugins/acme/rover.json", 900 * GIB)
        scene = self.scene(objects=[{"name": "r", "classpath": "acme.rover.Rover"}])
        self.fails(65, "rover.json: a file of 966367641600 bytes", "check", "--plugin-dir", self.path("plugins"), scene)

    def test_what_may_still_be_read(self):
        """The limit itself: one byte less is read, and found to be no text."""
        self.fails(65, "@DIR@/edge.json:1:1: a NUL byte; this is no text", "check", self.sparse("edge.json", 1 << 26))

    def test_depth(self):
        deep = "[" * 1000000
        self.fails(65, ":1:", "check", self.write("deep.json", '{ "orrery": 1, "objects": ' + deep))
        self.write("deep.py", "overlays = {'a': " + deep)
        self.fails(65, "more than 200 brackets within each other", "check",
                   self.scene(component_config="deep.py"))

    def test_keys(self):
        keys = ["k%d" % i for i in range(1000001)]
        self.write("names.py", "\n".join("%s = 1" % key for key in keys))
        self.fails(65, "names.py:1000001:1: more than 1000000 names", "check", self.scene(component_config="names.py"))
        self.write("keys.py", "x = %r" % dict.fromkeys(keys, 1))
        self.fails(65, ": a dictionary of more than 1000000 keys", "check", self.scene(component_config="keys.py"))
        self.fails(65, ": a dictionary of more than 1000000 keys", "check", self.scene(**dict.fromkeys(keys, 1)))

    def test_objects(self):
        scene = self.scene(objects=[{"name": "a%d" % i} for i in range(1000001)])
        self.fails(65, "more than 1000000 objects in the scene", "check", scene)

    def test_classes(self):
        os.makedirs(self.path("plugins/acme"))
        classes = {"Rover%d" % i: {"base": "orrery.core.robot.Robot"} for i in range(1025)}
        self.write("plugins/acme/rover.json", json.dumps({"classes": classes}))
        scene = self.scene(objects=[{"name": "r", "classpath": "acme.rover.Rover1"}])
        self.fails(65, "a file has at most 1024 classes", "check", "--plugin-dir", self.path("plugins"), scene)

    def test_many_mistakes_in_no_time(self):
        scene = self.scene(objects=[{"name": "a%d" % i, "postion": 1} for i in range(50000)])
        done = self.orrery("check", scene, timeout=120)
        self.check(done, 65, "did you mean position", "... and 49980 more")


class Writable(FileCase):
    """What anybody may write to is not loaded: it would run as us."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/rover.json", ROVER)
        self.rover = self.scene(objects=[{"name": "r", "classpath": "acme.rover.Rover"}])
        self.arguments = ("check", "--plugin-dir", self.path("plugins"), self.rover)

    def test_as_it_should_be(self):
        self.check(self.orrery(*self.arguments), 0, "components: r")

    def test_directory(self):
        os.chmod(self.path("plugins"), 0o777)
        self.fails(69, "@DIR@/plugins: refused: it is writable by everybody; use chmod o-w", *self.arguments)

    def test_directory_in_between(self):
        os.chmod(self.path("plugins/acme"), 0o777)
        self.fails(69, "scene.json:1:54: acme.rover.Rover: @DIR@/plugins/acme: refused: it is writable by everybody;",
                   *self.arguments)

    def test_file(self):
        os.chmod(self.path("plugins/acme/rover.json"), 0o666)
        self.fails(69, "acme.rover.Rover: @DIR@/plugins/acme/rover.json: refused: it is writable by everybody;",
                   *self.arguments)

    def test_target_of_a_link(self):
        os.rename(self.path("plugins/acme/rover.json"), self.path("real.json"))
        os.symlink(self.path("real.json"), self.path("plugins/acme/rover.json"))
        os.chmod(self.path("real.json"), 0o666)
        self.fails(69, "@DIR@/real.json: refused: it is writable by everybody;", *self.arguments)

    def test_variable(self):
        os.chmod(self.path("plugins"), 0o777)
        os.environ["ORRERY_PLUGIN_PATH"] = self.path("plugins")
        self.addCleanup(os.environ.pop, "ORRERY_PLUGIN_PATH")
        self.fails(69, "acme.rover.Rover: @DIR@/plugins: refused: it is writable by everybody;", "check", self.rover)

    def test_sticky(self):
        """As /tmp: others may add files, but not change ours."""
        os.chmod(self.path("plugins"), 0o1777)
        self.check(self.orrery(*self.arguments), 0, "components: r")

    @unittest.skipIf(os.geteuid() != 0, "only root gives files away")
    def test_of_another_user(self):
        os.chown(self.path("plugins/acme/rover.json"), 65534, -1)
        self.fails(69, "rover.json: refused: it belongs to user 65534, neither to root nor to you (user 0)",
                   *self.arguments)

    def test_environment(self):
        """Data is held to the same rule."""
        os.makedirs(self.path("plugins/orrery/environments"))
        self.write("plugins/orrery/environments/hall.json", '{ "environment": { "objects": [] } }')
        hall = self.scene(environment={"import": "hall"})
        self.check(self.orrery("check", "--plugin-dir", self.path("plugins"), hall), 0)
        os.chmod(self.path("plugins/orrery/environments/hall.json"), 0o666)
        self.fails(69, "hall.json: refused: it is writable by everybody;", "check", "--plugin-dir", self.path("plugins"), hall)


class Closed(FileCase):
    """As a user whom permissions hold back; root is not."""

    def setUp(self):
        super().setUp()
        self.user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chmod(self.directory, 0o755)
            try:
                if self.orrery("--version", **self.user).returncode != 0:
                    self.skipTest("nobody cannot run the program where it lies")
            except PermissionError:
                self.skipTest("nobody cannot run the program where it lies")
        self.addCleanup(os.chmod, self.directory, 0o755)

    def test_file(self):
        scene = self.scene()
        os.chmod(scene, 0)
        self.fails(74, "@DIR@/scene.json: cannot be read: Permission denied", "check", self.directory, **self.user)
        self.fails(74, "scene.json: ", "check", scene, **self.user)

    def test_component_config(self):
        scene = self.scene(component_config="config.py")
        os.chmod(self.write("config.py", ""), 0)
        self.fails(74, "scene.json:1:35: @DIR@/config.py: cannot be read: Permission denied", "check", scene, **self.user)

    def test_a_read_only_directory_is_enough(self):
        scene = self.scene(objects=[ROBOT])
        os.chmod(self.directory, stat.S_IRUSR | stat.S_IXUSR | 0o055)
        self.check(self.orrery("check", scene, **self.user), 0)
        self.check(self.orrery("run", scene, "--fast", "--ticks", "3", **self.user), 0)

    def test_hash(self):
        scene = self.scene(objects=[ROBOT])
        os.chmod(self.directory, 0o555)
        done = self.orrery("run", "--quiet", scene, "--ticks", "3", "--hash=" + self.path("hash"), **self.user)
        self.check(done, 74, self.path("hash") + ": cannot be written: Permission denied")

    def test_text_stream(self):
        pose = dict(ROBOT, objects=[{"name": "pose", "classpath": "morse.sensors.pose.Pose"}])
        scene = self.scene(objects=[pose], component_datastream={"robot.pose": [TEXT]})
        self.check(self.orrery("check", scene, **self.user), 0)
        os.chmod(self.directory, 0o555)
        done = self.orrery("run", "--quiet", scene, "--ticks", "3", **self.user)
        self.check(done, 74, "text stream of robot.pose", "cannot be written", "Permission denied")

    def test_build(self):
        script = self.write("a.py", support.SCRIPT)
        os.chmod(self.directory, 0o555)
        done = self.orrery("build", script, "-o", self.path("out"), **self.user)
        self.check(done, 74, self.path("out"), "Permission denied")

    def test_no_place_for_what_the_builder_writes(self):
        script = self.write("a.py", support.SCRIPT)
        os.environ["TMPDIR"] = self.path("none")
        self.addCleanup(os.environ.pop, "TMPDIR")
        done = self.orrery("run", "--quiet", script, "--ticks", "1", **self.user)
        self.assertIn(done.returncode, (66, 74), done.stderr)
        self.assertIn(self.path("none"), done.stderr)


class Full(FileCase):
    def test_a_full_disk(self):
        """The run goes on; what could not be written is said when it happens and at the end."""
        pose = dict(ROBOT, objects=[{"name": "pose", "classpath": "morse.sensors.pose.Pose"}])
        entry = TEXT + ["OUT", {"file": "full"}]
        scene = self.scene(objects=[pose], component_datastream={"robot.pose": [entry]})
        done = self.orrery("run", scene, "--fast", "--ticks", "2000", "--output-dir=/dev")
        self.check(done, 74, "records are lost", "output was lost")
        self.assertIn("2000 ticks", done.stdout)
        self.assertEqual(done.stderr.count("No space left on device"), 2, done.stderr)

    def test_hashes_on_a_full_disk(self):
        """A file that was cut would be taken for another run."""
        done = self.orrery("run", self.scene(), "--fast", "--ticks", "2000", "--hash=/dev/full")
        self.check(done, 74, "/dev/full: the hashes cannot be written: No space left on device")


if __name__ == "__main__":
    tap.main()
