# SPDX-License-Identifier: BSD-3-Clause
"""Writes components.md, classes-ROLE.md, streams.md and services.md: every class that is installed, from what `orrery
plugins --json` says, and the services of each simulation, from what docs/reference says.

    components.py PROGRAM REFERENCE DIRECTORY PICTURES PAGE...

The PAGES are those that make knows; others than these, or fewer, are an error."""

import json
import os
import re
import subprocess
import sys

# In the order of the list. A class of another role is an error: it would be on no page.
ROLES = {"robot": "Robots", "sensor": "Sensors", "actuator": "Actuators", "modifier": "Modifiers",
         "datastream": "Data streams", "datastream_manager": "Data stream managers", "request_manager": "Request managers",
         "physics": "Physics", "raycaster": "Ray casters", "renderer": "Renderers", "importer": "Importers",
         "overlay": "Overlays", "script": "Scripts", "observer": "Observers"}
GUIDES = {"robot": "robots.md", "modifier": "noise.md", "datastream": "mappings.md", "datastream_manager": "middleware.md",
          "request_manager": "middleware.md", "physics": "physics.md", "raycaster": "rays.md", "renderer": "cameras.md",
          "importer": "robots.md", "script": "scripts.md", "observer": "recording.md"}
COMMON = {"get_properties", "set_property", "get_configurations", "get_local_data"}
# GVariant's letters in the words that `orrery plugins` has for them.
TYPES = {"b": "bool", "d": "float", "i": "int", "x": "int", "u": "int", "t": "int", "s": "string", "v": "any",
         "ad": "list of float", "av": "list", "as": "list of string", "a{sv}": "dictionary", "aad": "list of lists of float"}
READ = {"start": "; read at the start", "never": "; no effect"}


def ask(program, *names):
    return json.loads(subprocess.run([program, "plugins", "--json", *names], check=True, capture_output=True).stdout)


# --- Markdown ---

def page_of(role):
    return "classes-%s.md" % ROLES[role].lower().replace(" ", "-")


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def link(c):
    return "[%s](%s#%s)" % (c["classpath"].removeprefix("orrery."), page_of(c["role"]), anchor(c["classpath"]))


def short_link(c):
    return "[%s](%s" % (c["classpath"].rpartition(".")[2], link(c).partition("](")[2])


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def code(text):
    return "`%s`" % text if text != "" else ""


def table(head, rows):
    rows = [[cell(c) for c in row] for row in rows]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


# --- properties and services ---

def number(value):
    return "%g" % value if isinstance(value, float) else str(value)


def range_of(p):
    low, high = p.get("minimum"), p.get("maximum")
    if low is None and high is None:
        return ", ".join(code(v) for v in p.get("choices", ()))
    low, high = (None if v is None or abs(v) > 1e300 else number(v) for v in (low, high))
    return "at least %s" % low if high is None else "at most %s" % high if low is None else "%s to %s" % (low, high)


def is_nested(value):
    return isinstance(value, dict) or isinstance(value, list) and value and isinstance(value[0], dict)


def default_of(p):
    """What holds dictionaries is no line; a mapping has a table of its own."""
    value = p.get("default", "")
    return "" if value == "" or is_nested(value) else code(json.dumps(value, ensure_ascii=False))


def bare(name):
    return re.sub("[-_]", "", name).lower()


def meaning_of(p):
    inside = "; in code `%s`" % p["property"] if bare(p["property"]) != bare(p["name"]) else ""
    return p["words"] + READ.get(p["read"], "") + inside


def write_properties(title, properties):
    return table((title, "type", "range", "default", "meaning"),
                 [(code(p["name"]), p["type"], range_of(p), default_of(p), meaning_of(p)) for p in properties])


def signature(service):
    parts = ["%s: %s%s" % (a["name"], TYPES.get(a["type"], a["type"]),
                           " = %s" % json.dumps(a["default"]) if "default" in a else "") for a in service["arguments"]]
    return "%s (%s)" % (service["name"], ", ".join(parts))


def write_services(services):
    rows = []
    for s in services:
        words = s["words"] + ("; long" if s["kind"] == "long" else "")
        words += "; can be interrupted" * s["interruptible"] + "; [restricted](security.md)" * s.get("restricted", False)
        rows.append((code(signature(s)), words))
    return table(("service", "what it does"), rows)


# --- mappings ---

def flatten(path, value):
    """(path, expression) of what is in a table of fields, as `orrery plugins` shows it."""
    if isinstance(value, dict) and "each" in value:
        yield path + "[]", "for each of %s" % value["each"]
        yield from flatten(path + "[]", value.get("fields", {}))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from flatten(path + "." * bool(path) + key, inner)
    elif isinstance(value, list) and value and not all(isinstance(v, (int, float)) for v in value):
        for i, inner in enumerate(value):
            yield from flatten("%s[%d]" % (path, i), inner)
    else:
        yield path, value if isinstance(value, str) else json.dumps(value)


def type_link(name):
    return "[%s](message-types.md#%s)" % (name, anchor(name)) if name in known_types else code(name)


def write_mapping(c):
    """The messages of a codec whose mapping is data."""
    if not c.get("messages"):
        return []
    values = {p["name"]: p.get("default") for p in c["properties"]}
    lines = []
    messages = values.get("messages") if isinstance(values.get("messages"), list) else []
    for message in messages:
        rest = ", ".join("%s `%s`" % (key, message[key] if isinstance(message[key], str) else json.dumps(message[key]))
                         for key in message if key not in ("type", "fields"))
        lines += ["Sends %s%s:" % (type_link(full(message["type"])), ", " + rest if rest else ""), ""]
        rows = [(code(path), code(value)) for path, value in flatten("", message.get("fields", {}))]
        lines += table(("field of the message", "value"), rows) if rows else []
    if not messages:
        verb = "Takes" if c.get("direction") == "IN" else "Sends"
        lines += ["%s %s." % (verb, ", ".join(type_link(full(name)) for name in c["messages"])), ""]
        rows = [(code(path), code(value)) for path, value in flatten("", values.get("fields") or {})]
        lines += table(("field of the record", "value"), rows) if rows else []
    return lines


def full(name):
    return name if name.count("/") == 2 else name.replace("/", "/msg/")


# --- a class ---

def own_properties(c):
    """Those of a class, without what its tables show already. A codec has hundreds beside it of the same base: those that
    it leaves as they are there are told of by a link."""
    mapping = ("messages", "fields", "type") if c.get("messages") else ()
    properties = [p for p in c.get("properties", ()) if p["name"] not in mapping]
    base = by_name.get(c.get("base"))
    if c["role"] != "datastream" or base is None:
        return properties, []
    left = [p for p in properties if p not in base["properties"]]
    words = "Other properties" if left else "Properties"
    return left, ["%s are as in %s." % (words, link(base)), ""] if len(left) < len(properties) else []


def facts_of(c):
    facts = []
    if c.get("base"):
        facts.append("based on `%s`" % c["base"])
    if c.get("frequency"):
        facts.append("%g Hz unless told otherwise" % c["frequency"])
    if c.get("levels"):
        facts.append("levels " + ", ".join(code(level["name"]) + " (the default)" * level["default"] for level in c["levels"]))
    if c.get("thread_safe") and c["role"] == "sensor":
        facts.append("senses on any thread")
    if c.get("stream"):
        facts.append("`%s` in scripts" % c["stream"])
    if c.get("encoding"):
        facts.append("encoding `%s`" % c["encoding"])
    for key in "publisher", "reader":
        if c.get(key):
            facts.append("%s %s" % (key, link(by_name[c[key]]) if c[key] in by_name else code(c[key])))
    return ["; ".join(facts)[:1].upper() + "; ".join(facts)[1:] + ".", ""] if facts else []


def picture_of(classpath, pictures):
    name = classpath.removeprefix("orrery.") + ".png"
    return ["![%s](pictures/%s)" % (classpath.rsplit(".", 1)[1], name), ""] if name in pictures else []


def write_streams_of(c):
    """What the streams that have a name in scripts make of its record."""
    rows = [(stream_name(name, level), messages_of(codec), link(codec))
            for name, level, codec in streams.get(c["classpath"], ())]
    return table(("stream", "messages", "codec"), rows) if rows else []


def stream_name(name, level):
    return code(name) + (", level %s" % code(level) if level else "")


def write_aliases(c):
    if c["role"] == "datastream" or not c.get("aliases"):
        return []
    return table(("name in scripts", "for"), [(code(a["alias"]), code(a["component"])) for a in c["aliases"]])


def write_class(c, pictures):
    lines = ["## %s" % c["classpath"], "", summaries[c["classpath"]], "", *picture_of(c["classpath"], pictures), *facts_of(c)]
    if c.get("fields"):
        lines += table(("field", "type", "unit", "meaning"),
                       [(code(f["name"]), f["type"], f["unit"], f["words"]) for f in c["fields"]])
    lines += write_mapping(c)
    properties, others = own_properties(c)
    for title, listed in ("property", properties), ("stream option", c.get("stream_options")):
        lines += write_properties(title, listed) if listed else []
    lines += others
    if c.get("methods"):
        lines += table(("method", "what it does"), [(code(m["name"]), m["words"]) for m in c["methods"]])
    services = [s for s in c.get("services", ()) if s["name"] not in COMMON]
    lines += write_services(services) if services else []
    return lines + write_aliases(c) + write_streams_of(c)


# --- pages ---

summaries, by_name, streams, known_types = {}, {}, {}, set()


def messages_of(codec):
    return ", ".join(type_link(full(name)) for name in codec.get("messages", ()))


def learn(program, reference, directory):
    for m in ask(program)["modules"]:
        summaries.update({c["classpath"]: m["summary"] for c in m.get("classes", ()) if c["classpath"].startswith("orrery.")})
    names = sorted(summaries)
    for i in range(0, len(names), 20):
        by_name.update({c["classpath"]: c for c in ask(program, *names[i:i + 20])["classes"]})
    with open(os.path.join(directory, "message-types.md"), encoding="utf-8") as file:
        known_types.update(re.findall(r"^### (\S+)$", file.read(), re.M))
    for c in by_name.values():
        for a in c.get("aliases", ()) if c["role"] == "datastream" else ():
            streams.setdefault(a["component"], []).append((a["alias"], a.get("level", ""), c))
    return json.loads(subprocess.run([reference, "services"], check=True, capture_output=True).stdout)["parts"]


def classes_of(role):
    return [c for name, c in sorted(by_name.items()) if c["role"] == role]


def write_list():
    lines = ["# Components and other classes", "", "Every class that is installed, by its role. `orrery plugins` lists the "
             "same, with those of your own. [Streams](streams.md) says which messages each component sends and takes, "
             "[services](services.md) what each simulation offers beside its components.", ""]
    for role, title in ROLES.items():
        lines += ["## %s" % title, ""]
        lines += table(("class", "what it is"), [(link(c), summaries[c["classpath"]]) for c in classes_of(role)])
    return lines


def write_role(role, pictures):
    title = ROLES[role]
    guide = "[A guide](%s) explains them. " % GUIDES[role] if role in GUIDES else ""
    lines = ["# %s" % title, "", guide + "[All classes](components.md) lists those of other roles."]
    if role in ("robot", "sensor", "actuator"):
        lines[-1] += (" Every component has the services `get_properties`, `set_property` and `get_configurations`; sensors "
                      "have `get_local_data`, and a timestamp as their first field. What a component sends and takes over a "
                      "stream is its record, where the table of its streams names no other codec.")
    lines.append("")
    for c in classes_of(role):
        lines += write_class(c, pictures)
    return lines


def write_streams():
    lines = ["# Streams", "", "`component.add_stream ('NAME')` connects a component with a manager of that name. Each "
             "stream of it may have the options of the manager, and those of its codec. [Middleware](middleware.md) shows "
             "how each is used.", "", "## Managers", ""]
    managers = [c for c in classes_of("datastream_manager") if c.get("stream")]
    rows = [(code(c["stream"]), short_link(c), ", ".join(short_link(by_name[c[key]]) for key in ("publisher", "reader")
                                                         if c.get(key) in by_name),
             ", ".join(code(p["name"]) for p in c.get("stream_options", ()))) for c in managers]
    lines += ["Where the tables below have no codec of a class for a stream, the usual ones send and take its record.", "",
              *table(("name", "manager", "usual codecs", "stream options"), rows)]
    for kind in "sensors", "robots", "actuators":
        rows = []
        for classpath in sorted(streams):
            if classpath.split(".")[1] != kind or classpath not in by_name:
                continue
            for name, level, codec in sorted(streams[classpath], key=lambda each: (*each[:2], each[2]["classpath"])):
                rows.append((link(by_name[classpath]), stream_name(name, level), messages_of(codec) or link(codec)))
        lines += ["## Codecs of %s" % kind, "", *table(("component", "stream", "messages, or codec"), rows)] if rows else []
    return lines


def write_parts(parts):
    lines = ["# Services of a simulation", "", "The parts that each simulation has, beside its components, whose services "
             "are with [their classes](components.md). `orrery call simulation list_robots` calls one from a shell, "
             "`sim.call (\"simulation\", \"list_robots\")` in Python, and every [middleware](middleware.md) that carries "
             "services does, too. A call of a long one is answered in a later tick. One that is restricted ends or replaces "
             "the run: who may call it is told by [security](security.md).", ""]
    for name in dict.fromkeys(part["name"] for part in parts):
        services = [s for part in parts if part["name"] == name for s in part["services"]]
        lines += ["## %s" % name, "", *write_services(sorted(services, key=lambda s: s["name"]))]
    return lines


def main(program, reference, directory, pictures_directory, *expected):
    pictures = frozenset(os.listdir(pictures_directory))
    parts = learn(program, reference, directory)
    unknown = [c["classpath"] for c in by_name.values() if c["role"] not in ROLES]
    if unknown:
        return "%s: no page for its role" % unknown[0]
    pages = {page_of(role): write_role(role, pictures) for role in ROLES}
    pages.update({"components.md": write_list(), "streams.md": write_streams(), "services.md": write_parts(parts)})
    if set(pages) != set(expected):
        return "docs/local.mk does not know the pages %s" % sorted(set(pages) ^ set(expected))
    # Last the one by which make knows that all are there.
    for name in sorted(pages, key=lambda name: name == "components.md"):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write("\n".join(pages[name]).rstrip("\n") + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
