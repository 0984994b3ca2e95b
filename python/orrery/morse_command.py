# SPDX-License-Identifier: BSD-3-Clause
"""The command `morse`: its subcommands and its exit codes, on Orrery.

`orrery morse-root DIR` writes DIR/bin/morse and others, which start this module.
"""

from __future__ import annotations

import argparse
import configparser
import os
import re
import shutil
import subprocess
import sys
from typing import Dict, List, NoReturn, Optional, Tuple

NO_SCENE = 1
CONFIG = os.path.join("~", ".morse", "config")
ROLES = ("robot", "sensor", "actuator")


# Sites: directories with scenes and packages of their own


class Sites:
    """The sites that the user has made known, by name."""

    def __init__(self) -> None:
        self.path = os.path.expanduser(CONFIG)
        self.config = configparser.ConfigParser(interpolation=None)
        self.config.read(self.path, encoding="utf-8")
        if not self.config.has_section("sites"):
            self.config.add_section("sites")

    def get(self, name: str) -> Optional[str]:
        """The directory of a site; None where it is not known."""
        return self.config.get("sites", name, fallback=None) if name else None

    def set(self, name: str, path: str) -> None:
        """Makes a site known."""
        self.config.set("sites", name, os.path.abspath(path).rstrip("/"))
        self._save()

    def remove(self, name: str) -> None:
        """Forgets a site; its directory stays."""
        self.config.remove_option("sites", name)
        self._save()

    def names(self) -> List[str]:
        """All that are known."""
        return self.config.options("sites")

    def _save(self) -> None:
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as stream:
            self.config.write(stream)


def find_in_site(site: str) -> Optional[str]:
    """The scene of a site: default.py, else its first script or model."""
    default = os.path.join(site, "default.py")
    if os.path.isfile(default):
        return default
    files = sorted(os.listdir(site)) if os.path.isdir(site) else []
    scenes = [name for name in files if name.endswith((".py", ".blend"))]
    return os.path.join(site, scenes[0]) if scenes else None


def find_scene(
    sites: Sites, env: str, file: Optional[str]
) -> Tuple[Optional[str], Optional[str], bool]:
    """The scene and the site that it is of, if any; whether `file` was one of them."""
    site = sites.get(env)
    if file is not None and site is not None:
        for path in (os.path.join(site, file), file):
            if os.path.isfile(path):
                return path, site, True
    found = find_in_site(site) if site is not None else None
    if found is None and os.path.isfile(env):
        found = env
    return found, site, False


# Commands


def run(options: argparse.Namespace, sites: Sites) -> int:
    """Runs a scene in place of this process."""
    if options.env is None:
        say("morse %s: no scene; name a site, a file, or both" % options.command)
        return 0
    scene, site, used = find_scene(sites, options.env, options.file)
    if scene is None:
        say("morse %s: %s: neither a site nor a scene" % (options.command, options.env))
        return NO_SCENE
    arguments = list(options.pyoptions)
    if options.file is not None and not used:
        arguments.insert(0, options.file)
    environment = dict(os.environ, ORRERY_EXIT_CODES="morse")
    if options.name:
        environment["MORSE_NODE"] = options.name
    if site is not None:
        prepend(environment, "PYTHONPATH", os.path.join(site, "src"))
        prepend(environment, "MORSE_RESOURCE_PATH", os.path.join(site, "data"))
    start(scene, arguments + colours(options), options.command == "edit", environment)


def prepend(environment: Dict[str, str], name: str, path: str) -> None:
    """Puts a directory in front of a path of the environment."""
    old = environment.get(name)
    environment[name] = path + ":" + old if old else path


def colours(options: argparse.Namespace) -> List[str]:
    """What MORSE tells scripts of its colours."""
    return [
        word
        for word, wanted in (
            ("with-colors", options.color),
            ("with-reverse-colors", options.reverse_color),
        )
        if wanted
    ]


def start(scene: str, arguments: List[str], stopped: bool, environment: Dict[str, str]) -> NoReturn:
    """Becomes the program; without an editor, `edit` is a simulation that waits for its start."""
    program = os.environ.get("ORRERY_PROGRAM", "orrery")
    command = [program, "run", *(["--stopped"] if stopped else []), scene]
    if arguments:
        command += ["--", *arguments]
    sys.stdout.flush()
    os.execvpe(program, command, environment)


def inspector(options: argparse.Namespace, sites: Sites) -> int:
    """There is no window; says what shows and changes the same."""
    say("morse_inspector: there is no window; `orrery call simulation get_scene_objects` shows the objects, "
        "`orrery call simulation set_object_visibility NAME false true` and `set_object_dynamics NAME false` change them")
    return 0


def geometry(text: str) -> str:
    """The size and place of a window, as MORSE has them."""
    if not re.fullmatch(r"\d+x\d+([+]\d+,\d+)?", text):
        raise argparse.ArgumentTypeError("want WIDTHxHEIGHT or WIDTHxHEIGHT+X,Y, not %s" % text)
    return text


def check(options: argparse.Namespace, sites: Sites) -> int:
    """Says what runs; as in MORSE, nothing that is wrong shows in the exit code."""
    say("* simulator: %s" % (program_version() or "does not start"))
    say("* Python: %d.%d.%d" % sys.version_info[:3])
    say("* sites: %s" % (", ".join(sites.names()) or "none"))
    return 0


def create(options: argparse.Namespace, sites: Sites) -> int:
    """Makes a site: a first scene, a client for it, packages for components."""
    name = os.path.basename(os.path.abspath(options.env))
    if sites.get(name) is not None and not options.force:
        say("morse create: there is a site %s already; --force makes it anew" % name)
        return 0
    top = os.path.abspath(options.env)
    sites.set(name, top)
    if os.path.exists(top):
        if not options.force:
            say("morse create: %s is there already; --force removes it" % top)
            return 0
        shutil.rmtree(top)
    for path, text in site_files(name).items():
        write(os.path.join(top, path), text)
    say("%s is ready: morse run %s" % (top, name))
    return 0


def import_site(options: argparse.Namespace, sites: Sites) -> int:
    """Makes a directory known as a site."""
    name = options.name or os.path.basename(os.path.abspath(options.path))
    if not os.path.isdir(options.path):
        say("morse import: %s is no directory" % options.path)
    elif sites.get(name) is not None and not options.force:
        say("morse import: there is a site %s already; --force puts this in its place" % name)
    else:
        sites.set(name, options.path)
    return 0


def remove(options: argparse.Namespace, sites: Sites) -> int:
    """Removes a site with its directory, once the user has said yes."""
    path = sites.get(options.env)
    if path is None:
        say("morse rm: there is no site %s" % options.env)
        return 0
    if not options.force and not ask("Are you sure you want to remove %s? [y/N] " % path).lower() in ("y", "yes"):
        return 0
    if os.path.isdir(path):
        shutil.rmtree(path)
    sites.remove(options.env)
    return 0


def add(options: argparse.Namespace, sites: Sites) -> int:
    """Adds a component to a site: its class, and its class for builder scripts."""
    site = sites.get(options.env)
    name = re.sub(r"[^0-9A-Za-z]", "", options.name).lower()
    if site is None:
        say("morse add: there is no site %s" % options.env)
    elif not name or name[0].isdigit():
        say("morse add: %r gives no name of a class" % options.name)
    else:
        words = "" if options.type == "robot" else ask("What does the %s do? " % options.type)
        files = component_files(options.env.lower(), options.type, name, words)
        write_all(site, files, options.force)
    return 0


def write_all(site: str, files: Dict[str, str], force: bool) -> None:
    """Writes the files of a component; one that is there already is kept, and said."""
    for path, text in files.items():
        path = os.path.join(site, path)
        if path.endswith("__init__.py") and text:
            append_line(path, text)
            continue
        if os.path.exists(path) and (path.endswith("__init__.py") or not force):
            if not path.endswith("__init__.py"):
                say("morse add: %s is there already; --force writes it anew" % path)
            continue
        write(path, text)


def write(path: str, text: str) -> None:
    """A new file, with the directories above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def append_line(path: str, line: str) -> None:
    """A file that has the line, and what it had."""
    known = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            known = stream.read()
    if line.strip() not in (old.strip() for old in known.splitlines()):
        write(path, known + ("\n" if known and not known.endswith("\n") else "") + line)


def ask(question: str) -> str:
    """A line of the user's."""
    sys.stdout.write(question)
    sys.stdout.flush()
    return sys.stdin.readline().strip()


def say(text: str) -> None:
    """A line for the user."""
    print(text)


# What new files hold

SCENE = '''"""The scene of the site: `morse run {env}` runs it."""

from morse.builder import *

robot = ATRV()

pose = Pose()
robot.append(pose)
motion = MotionVW()
robot.append(motion)
robot.add_default_interface("socket")

env = Environment("empty", fastmode=True)
'''

CLIENT = '''"""Drives the robot of the site while `morse run {env}` runs."""

import pymorse

sim = pymorse.Morse()
try:
    sim.robot.motion.publish({{"v": 1.0, "w": 0.5}})
    sim.sleep(5.0)
    print("the robot is at", sim.robot.pose.get())
finally:
    # What it waits for otherwise fails with newer versions of Python.
    sim.close(wait_publishers=False)
'''

BUILDER = '''from morse.builder import {base}


class {Class}({base}):
    """{words}"""

    def __init__(self, name=None):
        {base}.__init__(self, {arguments})
        self.properties(classpath="{env}.{role}s.{name}.{Class}")
'''

PART = '''import morse.core.{role}


class {Class}(morse.core.{role}.{Role}):
    """{words}"""

    _name = "{Class}"
    _short_desc = "{words}"

    def __init__(self, obj, parent=None):
        morse.core.{role}.{Role}.__init__(self, obj, parent)

    def default_action(self):
        pass
'''


def site_files(env: str) -> Dict[str, str]:
    """The files of a new site, by their paths in it."""
    return {
        "default.py": SCENE.format(env=env),
        "scripts/%s_client.py" % env: CLIENT.format(env=env),
        "src/%s/__init__.py" % env: "",
        "src/%s/builder/__init__.py" % env: "",
    }


def component_files(env: str, role: str, name: str, words: str) -> Dict[str, str]:
    """The files of a new component, by their paths in the site."""
    text = words.replace('"', "'").replace("\\", "/").replace("{", "(").replace("}", ")")
    fill = {
        "env": env,
        "role": role,
        "Role": role.capitalize(),
        "name": name,
        "Class": name.capitalize(),
        "words": text or "The %s %s." % (role, name),
        "base": "Robot" if role == "robot" else role.capitalize() + "Creator",
        "arguments": "name=name" if role == "robot" else "name",
    }
    top, folder = "src/" + env, role + "s"
    return {
        "%s/%s/__init__.py" % (top, folder): "",
        "%s/%s/%s.py" % (top, folder, name): PART.format(**fill),
        "%s/builder/%s/__init__.py" % (top, folder): "from .{name} import {Class}\n".format(**fill),
        "%s/builder/%s/%s.py" % (top, folder, name): BUILDER.format(**fill),
    }


# The command line


def program_version() -> str:
    """What the simulator says of itself; empty where it does not start."""
    program = os.environ.get("ORRERY_PROGRAM", "orrery")
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def make_parser() -> argparse.ArgumentParser:
    """All of MORSE's commands and options."""
    parser = argparse.ArgumentParser(prog="morse", description="MORSE's commands, on Orrery.")
    parser.add_argument("-n", "--noaudio", action="store_true", help="no sound; there is none")
    parser.add_argument("-c", "--color", action="store_true", help="tell scripts of colours")
    parser.add_argument("--reverse-color", action="store_true", help="for light backgrounds")
    parser.add_argument("-v", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command", title="commands")
    for name, words in (("run", "run a scene"), ("edit", "set a scene up and wait")):
        command = commands.add_parser(name, help=words)
        command.add_argument("-b", "--base", help="nothing, as in MORSE")
        command.add_argument("--name", help="the name of this node")
        command.add_argument("-g", "--geometry", type=geometry, help="of a window; there is none")
        command.add_argument("env", nargs="?", help="a site or a file")
        command.add_argument("file", nargs="?", help="a file of the site")
        command.add_argument("pyoptions", nargs=argparse.REMAINDER, help="for the script")
        command.set_defaults(act=run)
    add_site_commands(commands)
    return parser


def add_site_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The commands that make and change sites."""
    force = argparse.ArgumentParser(add_help=False)
    force.add_argument("-f", "--force", action="store_true", help="whatever is there already")
    command = commands.add_parser("create", parents=[force], help="make a site")
    command.add_argument("env", help="its name or path")
    command.set_defaults(act=create)
    command = commands.add_parser("import", parents=[force], help="make a directory a site")
    command.add_argument("path")
    command.add_argument("name", nargs="?")
    command.set_defaults(act=import_site)
    command = commands.add_parser("rm", parents=[force], help="remove a site")
    command.add_argument("env")
    command.set_defaults(act=remove)
    command = commands.add_parser("add", parents=[force], help="add a component to a site")
    command.add_argument("type", choices=ROLES)
    command.add_argument("name")
    command.add_argument("env")
    command.set_defaults(act=add)
    commands.add_parser("check", help="say what runs").set_defaults(act=check)
    commands.add_parser("inspector", help="nothing; there is no window").set_defaults(act=inspector)


def main(arguments: List[str]) -> int:
    """The command; returns MORSE's exit code."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.version:
        say("morse " + (program_version().split() or ["?"])[-1])
    elif options.command is None:
        parser.print_usage()
    else:
        code: int = options.act(options, Sites())
        return code
    return 0


if __name__ == "__main__":
    os.environ.pop("PYTHONSAFEPATH", None)  # of bin/morse; not for what is started here
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, configparser.Error) as error:
        sys.exit("morse: %s" % error)
