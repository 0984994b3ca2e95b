# SPDX-License-Identifier: BSD-3-Clause
"""The job of Kubernetes and the recipe of its image, examples/batch/: their fields, and what their command does."""

import copy
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import PROGRAM, SCENE, SOURCE, ProgramCase, need  # noqa: E402

import tap  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

INSTRUCTIONS = {"FROM", "RUN", "COPY", "USER", "ENTRYPOINT"}
# Exit codes of `orrery batch` that the same command gives again, and the one of an interruption.
HOPELESS, INTERRUPTED = {64, 65, 66, 69}, 75


def read(name):
    with open(os.path.join(SOURCE, "examples/batch", name), encoding="utf-8") as file:
        return file.read()


def judge_job(job):
    """What is wrong with an indexed job whose pods do a part of a batch each."""
    wrong = []

    def expect(fine, words):
        if not fine:
            wrong.append(words)

    spec, pod = job["spec"], job["spec"]["template"]["spec"]
    expect((job["apiVersion"], job["kind"]) == ("batch/v1", "Job"), "kind")
    expect(re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", job["metadata"]["name"]), "name")
    expect(set(spec) <= {"completionMode", "completions", "parallelism", "backoffLimitPerIndex", "maxFailedIndexes",
                         "podFailurePolicy", "template"}, "keys of spec")
    expect(spec.get("completionMode") == "Indexed", "not indexed")
    expect(0 < spec["parallelism"] <= spec["completions"], "parallelism")
    expect(spec.get("backoffLimitPerIndex", 0) > 0, "an index is tried once")
    expect(spec.get("maxFailedIndexes", 0) <= spec["completions"], "maxFailedIndexes")
    # Both are conditions of podFailurePolicy and backoffLimitPerIndex.
    expect(pod.get("restartPolicy") == "Never", "restartPolicy")
    names = [container["name"] for container in pod["containers"]]
    codes = {}
    for rule in spec["podFailurePolicy"]["rules"]:
        expect(rule["action"] in ("Ignore", "FailJob", "FailIndex", "Count"), "action")
        expect(len(rule) == 2 and ("onExitCodes" in rule) != ("onPodConditions" in rule), "rule")
        if "onExitCodes" in rule:
            expect(rule["onExitCodes"]["containerName"] in names, "container of a rule")
            expect(rule["onExitCodes"]["operator"] == "In", "operator")
            codes.update((code, rule["action"]) for code in rule["onExitCodes"]["values"])
    expect({code for code in codes if codes[code] == "FailJob"} == HOPELESS, "hopeless codes")
    expect(codes.get(1) == "FailIndex", "failed runs")
    expect(0 not in codes and INTERRUPTED not in codes, "codes that are none")
    volumes = {volume["name"] for volume in pod["volumes"]}
    places = []
    for container in pod["containers"]:
        expect({mount["name"] for mount in container["volumeMounts"]} <= volumes, "volume")
        places += [mount["mountPath"] for mount in container["volumeMounts"]]
        args = container["args"]
        expect(args[0] == "batch" and "--engine=shared" in args, "engine")
        expect("--only=$(JOB_COMPLETION_INDEX)/%d" % spec["completions"] in args, "part")
        for word in args:
            for path in re.findall(r"(?:^|=)(/\S+)", word):
                expect(any(path.startswith(place + "/") for place in places), "path outside of the volume")
    return wrong


class Kubernetes(ProgramCase):
    def setUp(self):
        super().setUp()
        need(self, None if yaml else "no module yaml; Debian has it in python3-yaml")
        self.job = yaml.safe_load(read("kubernetes.yaml"))

    def test_fields(self):
        self.assertEqual(judge_job(self.job), [])

    def test_wrong_fields_are_found(self):
        """The control."""
        def change(what, *path):
            job = copy.deepcopy(self.job)
            at = job
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = what
            return judge_job(job)

        pod = "spec", "template", "spec"
        self.assertEqual(change("NonIndexed", "spec", "completionMode"), ["not indexed"])
        self.assertEqual(change(9, "spec", "completions"), ["parallelism", "maxFailedIndexes", "part"])
        self.assertEqual(change("OnFailure", *pod, "restartPolicy"), ["restartPolicy"])
        self.assertEqual(change([64, 75], "spec", "podFailurePolicy", "rules", 1, "onExitCodes", "values"),
                         ["hopeless codes", "codes that are none"])
        self.assertEqual(change("other", *pod, "volumes", 0, "name"), ["volume"])
        self.assertEqual(change("--out=/tmp/runs", *pod, "containers", 0, "args", 4), ["path outside of the volume"])

    def run_pod(self, index=None):
        """As a pod does, with shorter and fewer runs."""
        words = []
        for word in self.job["spec"]["template"]["spec"]["containers"][0]["args"]:
            word = {"--runs=1000": "--runs=40", "--for=60": "--for=0.1", "--block=10": "--block=2"}.get(word, word)
            word = word.replace("/data/", self.directory + "/")
            if index is not None:
                word = word.replace("$(JOB_COMPLETION_INDEX)", str(index))
            if "$(" not in word:
                words.append(word)
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=self.environment(), timeout=60)

    def test_the_command(self):
        scene = json.loads(SCENE)
        scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.check(self.run_pod(0), 66)
        self.write("scene.json", json.dumps(scene))
        for index in range(self.job["spec"]["completions"]):
            self.check(self.run_pod(index), 0, "4 runs, 0 failed, 0 were there already")
        self.check(self.run_pod(10), 64)
        self.check(self.run_pod(), 0, "40 runs, 0 failed, 40 were there already")
        self.check(self.orrery("batch", "scene.json", "--runs", "40", "--for", "0.1", "--out", "local"), 0)
        tables = [open(self.path(out + "/results.csv"), "rb").read() for out in ("runs", "local")]
        self.assertEqual(*tables)


def read_recipe(text):
    """Instructions, each with its words."""
    lines = re.sub(r"\\\n", " ", "".join(line + "\n" for line in text.splitlines() if not line.startswith("#")))
    return [line.split(None, 1) for line in lines.splitlines() if line.strip()]


def installed_by(words):
    found = re.search(r"apt-get install ([^&|;]*)", words)
    return {word for word in found[1].split() if not word.startswith("-")} if found else set()


class Recipe(ProgramCase):
    def setUp(self):
        super().setUp()
        self.steps = read_recipe(read("Containerfile"))

    def test_instructions(self):
        self.assertEqual({step[0] for step in self.steps} - INSTRUCTIONS, set())
        self.assertEqual(self.steps[0][0], "FROM")
        stages = [step[1].split(" AS ")[-1] for step in self.steps if step[0] == "FROM" and " AS " in step[1]]
        copied = [re.search(r"--from=(\w+)", step[1]) for step in self.steps if step[0] == "COPY"]
        self.assertEqual([found[1] for found in copied if found], stages)
        self.assertEqual(json.loads(dict(self.steps)["ENTRYPOINT"]), ["/usr/bin/orrery"])
        self.assertNotIn(dict(self.steps)["USER"], ("0", "root"))

    def test_it_installs_what_a_build_needs(self):
        with open(os.path.join(SOURCE, "bootstrap"), encoding="utf-8") as file:
            needed = set(re.search(r"run_packages='([^']*)'", file.read())[1].split())
        build, run = [installed_by(step[1]) for step in self.steps if step[0] == "RUN" and installed_by(step[1])]
        self.assertEqual(build, needed)
        self.assertFalse([name for name in run if name.endswith("-dev")])

    def test_it_installs_what_the_program_is_linked_with(self):
        packages = [installed_by(step[1]) for step in self.steps if step[0] == "RUN"][-1]
        libraries = subprocess.run(
            ["ldd", os.path.join(os.path.dirname(PROGRAM), "lib/orrery-1/plugins/orrery/physics/bullet.so")],
            capture_output=True, text=True, check=True).stdout
        for name, package in ("libBulletDynamics", "libbullet3.24"), ("libglib-2.0", "libglib2.0-0"), (
                "libzstd", "libzstd1"), ("libdeflate", "libdeflate0"), ("liblz4", "liblz4-1"), ("libz.so", "zlib1g"), ("libstdc++", "libstdc++6"):
            if name in libraries:
                self.assertIn(package, packages)


tap.main()
