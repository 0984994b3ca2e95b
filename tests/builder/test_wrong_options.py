# SPDX-License-Identifier: BSD-3-Clause
"""As test_wrong_properties.py, for actuators, managers and scripts: many runs, so in the long tier."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../cli")]

import test_wrong_properties as wrong  # noqa: E402


import tap  # noqa: E402


class WrongOptions(wrong.Scenes):
    def test_actuators_in_a_scene(self):
        cases = [
            (entry["classpath"], option["name"], value)
            + (entry["classpath"], {option["name"]: value}, [])
            for entry in self.classes("actuator")
            for option in entry["properties"]
            for value in wrong.wrong_values(option)
        ]
        self.assertGreater(len(cases), 500)
        self.assert_each_is_refused(cases)

    def test_managers_in_a_scene(self):
        """Options of what carries streams and calls."""
        missed, n = [], 0
        for entry in self.classes("datastream_manager") + self.classes("request_manager"):
            for option in entry["properties"]:
                for value in wrong.wrong_values(option):
                    scene = self.scene([])
                    scene["stream_manager"] = {entry["classpath"]: {option["name"]: value}}
                    done = self.orrery("check", self.write("scene.json", json.dumps(scene)))
                    n += 1
                    if done.returncode != 65 or option["name"] not in done.stderr:
                        missed.append((entry["classpath"], option["name"], value, done.stderr))
        self.assertGreater(n, 20)
        self.assertEqual(missed, [])

    def test_scripts_in_a_scene(self):
        missed = []
        for entry in self.classes("script"):
            for option in entry["properties"]:
                for value in wrong.wrong_values(option):
                    scene = self.scene([])
                    script = {"type": "child", "classpath": entry["classpath"]}
                    scene["objects"][0]["scripts"] = [dict(script, properties={option["name"]: value})]
                    done = self.orrery("check", self.write("scene.json", json.dumps(scene)))
                    if done.returncode != 65 or option["name"] not in done.stderr:
                        missed.append((entry["classpath"], option["name"], value, done.stderr))
        self.assertEqual(missed, [])


if __name__ == "__main__":
    tap.main()
