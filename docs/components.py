# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/components.md: every class that is installed, from what `orrery plugins --json` says."""

import json
import os
import subprocess
import sys

TITLES = [("robot", "Robots"), ("sensor", "Sensors"), ("actuator", "Actuators"), ("modifier", "Modifiers"),
          ("datastream", "Data streams"), ("datastream_manager", "Data stream managers"),
          ("request_manager", "Request managers"), ("physics", "Physics"), ("raycaster", "Ray casters"),
          ("renderer", "Renderers"), ("importer", "Importers"), ("overlay", "Overlays"), ("script", "Scripts")]
COMMON = {"get_properties", "set_property", "get_configurations", "get_local_data"}


def ask(program, *names):
    return json.loads(subprocess.run([program, "plugins", "--json", *names], check=True, capture_output=True).stdout)


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows] + [""]


def range_of(p):
    low, high = p.get("minimum"), p.get("maximum")
    if low is None and high is None:
        return ", ".join(str(v) for v in p.get("values", ()))
    return "%s to %s" % tuple("any" if v is None or abs(v) > 1e300 else "%g" % v for v in (low, high))


READ = {"start": "; read at the start", "never": "; no effect"}


def meaning_of(p):
    return p["words"] + READ.get(p["read"], "")


def signature(service):
    parts = []
    for a in service["arguments"]:
        parts.append(a["name"] + ("" if "default" not in a else "=%s" % json.dumps(a["default"])))
    return "%s(%s)" % (service["name"], ", ".join(parts))


def picture_of(classpath, pictures):
    name = classpath.removeprefix("orrery.") + ".png"
    return ["![%s](pictures/%s)" % (classpath.rsplit(".", 1)[1], name), ""] if name in pictures else []


def write_class(c, summary, pictures):
    lines = ["### %s" % c["classpath"], "", summary, "", *picture_of(c["classpath"], pictures)]
    facts = []
    if c.get("frequency"):
        facts.append("%g Hz unless told otherwise" % c["frequency"])
    if c.get("levels"):
        facts.append("levels " + ", ".join(level["name"] if isinstance(level, dict) else str(level)
                                           for level in c["levels"]))
    if c.get("thread_safe"):
        facts.append("senses on any thread")
    if facts:
        lines += ["; ".join(facts) + ".", ""]
    if c.get("fields"):
        lines += table(("field", "type", "unit", "meaning"),
                       [(f["name"], f["type"], f["unit"], f["words"]) for f in c["fields"]])
    if c.get("properties"):
        lines += table(("property", "type", "range", "default", "meaning"),
                       [(p["name"], p["type"], range_of(p), p.get("default", ""), meaning_of(p))
                        for p in c["properties"]])
    services = [s for s in c.get("services", ()) if s["name"] not in COMMON]
    if services:
        lines += table(("service", "kind", "what it does"),
                       [(signature(s), s["kind"] + (", interruptible" if s.get("interruptible") else ""), s["words"])
                        for s in services])
    return lines


def main(program, target, directory):
    pictures = frozenset(os.listdir(directory))
    summaries = {c["classpath"]: m["summary"] for m in ask(program)["modules"] for c in m.get("classes", ())
                 if c["classpath"].startswith("orrery.")}
    names = sorted(summaries)
    classes = []
    for i in range(0, len(names), 20):
        classes += ask(program, *names[i:i + 20])["classes"]
    lines = ["# Components", "",
             "Made from `orrery plugins --json`. Every component has the services get_properties, set_property and "
             "get_configurations; sensors have get_local_data, and a timestamp as their first field.", ""]
    for role, title in TITLES:
        chosen = [c for c in classes if c["role"].replace(" ", "_") == role]
        if chosen:
            lines += ["## " + title, ""]
        for c in chosen:
            lines += write_class(c, summaries[c["classpath"]], pictures)
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip("\n") + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
