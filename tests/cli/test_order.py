# SPDX-License-Identifier: BSD-3-Clause
"""`orrery order`: who is called in which order, printed, kept, compared."""

import json
import os
import re
import unittest

from support import SCENE, SCRIPT, ProgramCase

import tap

CLASSES = """
#include <orrery.h>

static void work (OrreryScript *script, OrreryTick *tick, GError **error) {}
static gboolean answer (OrreryScript *script, OrreryTick *tick, GError **error) { return FALSE; }

#define SCRIPT(Name, name, members)                                                                \\
  typedef struct { OrreryScript parent_instance; } Acme##Name;                                     \\
  typedef struct { OrreryScriptClass parent_class; } Acme##Name##Class;                            \\
  static GType acme_##name##_get_type (void);                                                      \\
  G_DEFINE_TYPE (Acme##Name, acme_##name, ORRERY_TYPE_SCRIPT)                                      \\
  static void acme_##name##_init (Acme##Name *self) {}                                             \\
  static void acme_##name##_class_init (Acme##Name##Class *klass)                                  \\
  { OrreryScriptClass *k = ORRERY_SCRIPT_CLASS (klass); members }

SCRIPT (Both, both, k->sensing = k->actuation = work; k->contact = answer; k->joint = answer;
        k->non_simulation = k->dyn = work;)
SCRIPT (Senses, senses, k->sensing = work;)

ORRERY_PLUGIN ("Scripts of a test", "BSD-3-Clause", ORRERY_CLASS (Both, AcmeBoth, acme_both),
               ORRERY_CLASS (Senses, AcmeSenses, acme_senses))
"""
PRIORITIES = {"f": "first", "l": "last"}
TRAVERSALS = {"F": "forward", "P": "parent", "R": "reverse"}

# Rule, scene, order: as docs/order.md has them. Lower case of level: s child, c customization.
EXAMPLES = [
    ("tree", "1, 2(f), 3(l)", "2 1 3"),
    ("tree", "P(R){C}", "C P"),
    ("tree", "P(F){C}", "P C"),
    ("tree", "A(l){A1}, B(f){B1(F){-x, B2(l,P){-y, B3(R){B4, B5(l)}}}}, -C{C1(l), -C2{C3(F){C4}}}",
     "B1 B2 B4 B5 B3 B C3 C4 C1 A1 A"),
    ("tree", "-g1{a(l), b}, -g2{e(f), d}", "b a e d"),
    ("level", "s5{s3}, s6{c9{s1, c8}}, s7{s4{s2}}", "s1 s2 s3 s4 s5 s6 s7 c8 c9"),
]


def read_tree(text, classpath="acme.scripts.Both"):
    """The objects of a scene, from the notation of docs/order.md."""
    root, stack = [], []
    siblings = root
    for plain, name, settings, sign in re.findall(r"(-?)(\w+)(?:\(([^)]*)\))?\s*([{},\s]*)", text):
        letters = (settings or "").replace(",", "")
        script = {"type": "customization" if name[0] == "c" else "child", "classpath": classpath}
        script.update({"priority": PRIORITIES[c] for c in letters if c in PRIORITIES})
        script.update({"traversal": TRAVERSALS[c] for c in letters if c in TRAVERSALS})
        object = {"name": name, "objects": []}
        if not plain:
            object["scripts"] = [script]
        siblings.append(object)
        for c in sign:
            if c == "{":
                stack.append(siblings)
                siblings = siblings[-1]["objects"]
            elif c == "}":
                siblings = stack.pop()
    return root


class OrderCase(ProgramCase):
    def order(self, *arguments, code=0):
        done = self.orrery("order", *arguments)
        self.check(done, code)
        return done.stdout

    def scene(self, **more):
        return self.write("scene.json", json.dumps(dict({"orrery": 1}, **more)))


class Components(OrderCase):
    def test_phases(self):
        path = self.write("scene.json", SCENE)
        self.assertEqual(self.order(path), "robots\trobot\trobot\torrery.robots.atrv.ATRV\n"
                                           "sense\trobot.pose\tsensor\torrery.sensors.pose.Pose\n"
                                           "act\trobot.motion\tactuator\torrery.actuators.v_omega.MotionVW\n")
        self.assertEqual(self.order(path, "--phase", "sense"), "robot.pose\tsensor\torrery.sensors.pose.Pose\n")
        self.assertEqual(self.order(path, "--phase", "sensing"), "")
        self.assertEqual(os.listdir(self.directory), ["scene.json"])

    def test_names_of_coppeliasim(self):
        """In `--phase`, and where the trace is told what to tell of."""
        scene = json.loads(SCENE)
        scene["objects"][0]["scripts"] = [{"type": "customization", "classpath": "orrery.scripts.trace.Trace",
                                           "properties": {"Only": "sysCall_beforeSimulation sysCall_dynCallback sensing"}}]
        path = self.write("scene.json", json.dumps(scene))
        ours = self.order(path, "--phase", "before_simulation")
        self.assertEqual(ours, "robot\tcustomization\torrery.scripts.trace.Trace\n")
        for name in ("sysCall_beforeSimulation", "beforeSimulation"):
            self.assertEqual(self.order(path, "--phase", name), ours)
        self.check(self.orrery("order", path, "--phase", "sysCall_beforeSimulatio"), 64, "no phase")
        done = self.orrery("run", path, "--fast", "--offline", "--ticks", "1")
        told = [line.split("robot/customization ")[1].split()[0] for line in done.stderr.splitlines()
                if "robot/customization " in line]
        self.assertEqual(told, ["before_simulation", "sensing"] + ["dyn"] * 4)

    def test_builder_script(self):
        self.assertEqual(self.order(self.write("a.py", SCRIPT), "--phase", "robots"),
                         "robot\trobot\torrery.robots.atrv.ATRV\n")

    def test_priority(self):
        def sensor(name, **more):
            return dict({"name": name, "classpath": "morse.sensors.pose.Pose"}, **more)
        robots = [{"name": name, "classpath": "morse.robots.atrv.ATRV", "priority": priority,
                   "objects": [sensor("a"), sensor("b", priority="first"),
                               {"name": "arm", "priority": "last", "objects": [sensor("c", priority="first")]},
                               sensor("d")]} for name, priority in (("r", "last"), ("q", "normal"))]
        path = self.scene(objects=robots)
        self.assertEqual([line.split("\t")[0] for line in self.order(path, "--phase", "sense").splitlines()],
                         ["q.b", "q.a", "q.d", "q.arm.c", "r.b", "r.a", "r.d", "r.arm.c"])
        self.assertEqual([line.split("\t")[0] for line in self.order(path, "--phase", "robots").splitlines()],
                         ["q", "r"])

    def test_level(self):
        """The class that realises the level is the one that is called."""
        path = self.scene(objects=[{"name": "r", "classpath": "morse.robots.atrv.ATRV", "objects": [
            {"name": "o", "classpath": "morse.sensors.odometry.Odometry", "level": "raw"}]}])
        self.assertEqual(self.order(path, "--phase", "sense"), "r.o\tsensor\torrery.sensors.odometry.RawOdometry\n")

    def test_names_with_backslashes(self):
        path = self.scene(objects=[{"name": "a\\b", "classpath": "morse.robots.atrv.ATRV"}])
        self.assertEqual(self.order(path, "--phase", "robots"), "a\\x5cb\trobot\torrery.robots.atrv.ATRV\n")

    def test_json(self):
        path = self.write("scene.json", SCENE)
        self.assertEqual(json.loads(self.order(path, "--json", "--phase", "act")),
                         [{"phase": "act", "object": "robot.motion", "type": "actuator",
                           "classpath": "orrery.actuators.v_omega.MotionVW"}])
        self.assertEqual(len(json.loads(self.order(path, "--json"))), 3)
        self.assertEqual(json.loads(self.order(path, "--json", "--phase", "dyn")), [])


class Scripts(OrderCase):
    def setUp(self):
        super().setUp()
        self.build_plugin("acme/scripts.so", CLASSES)

    def phase(self, path, phase):
        lines = self.order(path, "--plugin-dir", self.path("plugins"), "--phase", phase).splitlines()
        return [line.split("\t") for line in lines]

    def test_examples(self):
        for rule, text, order in EXAMPLES:
            with self.subTest(text):
                path = self.scene(environment={"script_order": rule}, objects=read_tree(text))
                for phase in ("sensing", "actuation"):
                    called = self.phase(path, phase)
                    self.assertEqual(" ".join(name.split(".")[-1] for name, _, _ in called), order)

    def test_types(self):
        path = self.scene(
            environment={"add_ons": [{"classpath": "acme.scripts.Both", "priority": "last"},
                                     {"classpath": "acme.scripts.Senses"}],
                         "sandbox": {"classpath": "acme.scripts.Both"}},
            objects=[{"name": "a", "scripts": [{"type": "customization", "classpath": "acme.scripts.Both"},
                                               {"type": "child", "classpath": "acme.scripts.Senses"}]},
                     {"name": "b", "scripts": [{"type": "child", "classpath": "acme.scripts.Both"}]},
                     {"name": "c", "scripts": [{"type": "child", "classpath": "acme.scripts.Both", "enabled": False}]},
                     {"name": "d", "scripts_inactive": True,
                      "scripts": [{"type": "child", "classpath": "acme.scripts.Both"}]}])
        both, senses = "acme.scripts.Both", "acme.scripts.Senses"
        self.assertEqual(self.phase(path, "sensing"),
                         [["a", "child", senses], ["b", "child", both], ["a", "customization", both],
                          ["-", "add-on", senses], ["-", "add-on", both], ["-", "sandbox", both]])
        # What a class does not implement is not called, nor what its type has not.
        self.assertEqual(self.phase(path, "actuation"),
                         [["b", "child", both], ["a", "customization", both], ["-", "add-on", both],
                          ["-", "sandbox", both]])
        self.assertEqual(self.phase(path, "non_simulation"),
                         [["a", "customization", both], ["-", "add-on", both], ["-", "sandbox", both]])
        self.assertEqual(self.phase(path, "nonSimulation"), self.phase(path, "non_simulation"))
        self.assertEqual(self.phase(path, "dyn"), [["b", "child", both], ["a", "customization", both]])
        self.assertEqual(self.phase(path, "contact"), [["a", "customization", both], ["b", "child", both]])
        self.assertEqual(self.phase(path, "init"), [])

    def test_joints_ask_upwards(self):
        path = self.scene(objects=read_tree("a(F){b(F){e}, d}, c1(F){c2}"))
        self.assertEqual([name for name, _, _ in self.phase(path, "joint")], ["a.b.e", "a.b", "a.d", "a", "c1", "c1.c2"])

    def test_no_script(self):
        path = self.scene(objects=[{"name": "a", "scripts": [{"type": "child", "classpath": "acme.scripts.Bath"}]}])
        self.check(self.orrery("order", path, "--plugin-dir", self.path("plugins")), 69, "did you mean")
        path = self.scene(objects=[{"name": "a", "scripts": [{"type": "child", "classpath": "morse.sensors.pose.Pose"}]}])
        self.check(self.orrery("order", path), 65, "orrery.sensors.pose.Pose has the role sensor")


class Lock(OrderCase):
    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.json", SCENE)
        self.lock = self.path("order.lock")
        self.assertEqual(self.order(self.scene, "--lock", self.lock), "")

    def test_same(self):
        with open(self.lock, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.order(self.scene))
        self.assertEqual(self.order(self.scene, "--lock", self.lock), "")

    def test_another_order(self):
        self.write("scene.json", SCENE.replace("sensors.pose.Pose", "sensors.clock.Clock"))
        self.assertEqual(self.order(self.scene, "--lock", self.lock, code=1),
                         self.lock + ":2: the order is another one\n"
                         "- sense\trobot.pose\tsensor\torrery.sensors.pose.Pose\n"
                         "+ sense\trobot.pose\tsensor\torrery.sensors.clock.Clock\n")

    def test_shorter_and_longer(self):
        lines = self.order(self.scene).splitlines(True)
        self.write("order.lock", "".join(lines[:2]))
        self.assertEqual(self.order(self.scene, "--lock", self.lock, code=1),
                         self.lock + ":3: the order is another one\n- (no more)\n+ " + lines[2])
        self.write("order.lock", "".join(lines) + "more\n")
        self.assertEqual(self.order(self.scene, "--lock", self.lock, code=1),
                         self.lock + ":4: the order is another one\n- more\n+ (no more)\n")

    def test_of_one_phase(self):
        lock = self.path("sense.lock")
        self.assertEqual(self.order(self.scene, "--phase", "sense", "--lock", lock), "")
        self.assertEqual(self.order(self.scene, "--phase", "sense", "--lock", lock), "")
        self.order(self.scene, "--phase", "act", "--lock", lock, code=1)

    def test_rubbish(self):
        with open(self.lock, "wb") as file:
            file.write(b"\xff\x00\x1b[2J" * 100)
        self.check(self.orrery("order", self.scene, "--lock", self.lock), 1, ":1: the order is another one\n")
        with open(self.lock, "wb") as file:
            file.truncate(900 << 30)
        self.check(self.orrery("order", self.scene, "--lock", self.lock, timeout=30), 1, ":1: the order")

    def test_no_file(self):
        os.mkfifo(self.path("pipe"))
        self.check(self.orrery("order", self.scene, "--lock", self.path("pipe"), timeout=30), 65,
                   "pipe: not a regular file; the order is kept in one")
        self.check(self.orrery("order", self.scene, "--lock", self.path("none/order")), 74, "none/order")


class Mistakes(OrderCase):
    def test_usage(self):
        path = self.write("scene.json", SCENE)
        self.check(self.orrery("order", path, "--phase", "sensin"), 64, "no phase 'sensin'; did you mean sens")
        self.check(self.orrery("order", path, "--phase", ""), 64, "no phase ''")
        self.check(self.orrery("order"), 64, "an argument is missing")

    def test_scene(self):
        self.check(self.orrery("order", self.path("none.json")), 66, "none.json")
        self.check(self.orrery("order", self.write("b.json", '{ "orrery": 1, "objekts": [] }')), 65, "did you mean objects")


if __name__ == "__main__":
    tap.main()
