# SPDX-License-Identifier: BSD-3-Clause
"""Files that are made to take long: each ends soon, by an error or without."""

import itertools
import json
import os
import time

from support import ProgramCase

import tap

ENVIRONMENT = {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"}
# Many texts of one hash, that of GLib's g_str_hash(): 33 times a letter plus the next is the same for both.
COLLIDING = ["".join(letters) for letters in itertools.product(("bA", "ab"), repeat=16)]


def djb(text):
    value = 5381
    for byte in text.encode():
        value = (value * 33 + byte) & 0xffffffff
    return value


class Hostile(ProgramCase):
    def check_scene(self, scene, *options):
        return self.orrery("check", self.write("scene.json", json.dumps(dict({"orrery": 1, "environment": ENVIRONMENT}, **scene))),
                           *options, timeout=60)

    def test_keys_of_one_hash(self):
        self.assertEqual(len({djb(text) for text in COLLIDING[::999]}), 1)
        done = self.check_scene({"environment": dict(ENVIRONMENT, properties={key: 0 for key in COLLIDING})})
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_million_unknown_keys(self):
        begin = time.monotonic()
        self.check_scene({})
        plain = time.monotonic() - begin
        done = self.check_scene({"key %d" % i: 0 for i in range(900000)})
        self.assertEqual(done.returncode, 65)
        self.assertIn("and 899980 more", done.stderr)
        self.assertLess(time.monotonic() - begin, 30 + 20 * plain)
        done = self.check_scene({"key %d" % i: 0 for i in range(1000000)})
        self.assertEqual(done.returncode, 65)
        self.assertIn("more than 1000000 keys", done.stderr)

    def test_classes_that_double(self):
        classes = {"C0": {"base": "orrery.robots.atrv.ATRV"}}
        for i in range(1, 27):
            classes["C%d" % i] = {"base": "orrery.robots.atrv.ATRV", "objects": [
                {"name": name, "classpath": "bomb.deep.C%d" % (i - 1)} for name in ("a", "b")]}
        os.makedirs(self.path("plugins/bomb"))
        self.write("plugins/bomb/deep.json", json.dumps({"orrery": 1, "classes": classes}))
        done = self.check_scene({"objects": [{"name": "r", "classpath": "bomb.deep.C26"}]}, "--plugin-dir", "plugins")
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("classes give more than 10000 objects to one object", done.stderr)


if __name__ == "__main__":
    tap.main()
