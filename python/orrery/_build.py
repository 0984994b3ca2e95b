# SPDX-License-Identifier: BSD-3-Clause
"""Builder scripts, run from Python: in a process of their own, as `orrery build` does."""

import os
import subprocess
import sys

from gi.repository import GLib

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The exit codes of the builder that say that a file is wrong, is not there, names what is not there.
CODES = {65: "CONFIG", 66: "NO_FILE", 69: "NOT_FOUND"}


def to_directories(plugin_dirs):
    """A text is not taken for a list of its letters."""
    if isinstance(plugin_dirs, (str, bytes, os.PathLike)):
        raise TypeError("plugin_dirs is a list of directories, as [%r], not %r" % (os.fspath(plugin_dirs), plugin_dirs))
    return [os.fspath(directory) for directory in plugin_dirs]


def build(Orrery, script, directory, plugin_dirs=(), arguments=()):
    """Runs a builder script and writes scene.json and component_config.py into a directory.

    `arguments` are the script's own, in sys.argv. What the script prints is printed; what is wrong
    with it is a GLib.Error with the message of `orrery build`.
    """
    registry = Orrery.Registry.new()
    for path in to_directories(plugin_dirs):
        registry.add_directory(path)
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(
        [PACKAGES] + [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path])
    environment["PYTHONSAFEPATH"] = "1"  # no modules of the current directory
    done = subprocess.run([sys.executable, "-m", "orrery.builder", os.fspath(script), "-o", os.fspath(directory),
                           "--plugins-json", "-", "--", *[str(argument) for argument in arguments]],
                          input=registry.list(), env=environment, text=True, stderr=subprocess.PIPE, check=False)
    if done.returncode == 0:
        sys.stderr.write(done.stderr)
        return
    code = getattr(Orrery.Error, CODES.get(done.returncode, "INTERNAL"))
    raise GLib.Error.new_literal(Orrery.error_quark(), done.stderr.strip(), int(code))


def is_script(path):
    """Whether it is one, not a scene: only a scene file begins with a brace."""
    if os.path.isdir(path) or os.fspath(path).endswith(".json"):
        return False
    with open(path, "rb") as file:
        return not file.read(4096).lstrip(b" \t\r\n\xef\xbb\xbf").startswith(b"{")
