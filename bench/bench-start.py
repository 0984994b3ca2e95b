#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""From the start of the program until it says SCENE INITIALIZED: the first scene, from its script
(the builder runs) and as built before; beside it, what starting Python and this library costs."""

import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 7
BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
SOURCE = pathlib.Path(__file__).resolve().parent.parent
ORRERY = str(BUILD / "orrery")
SIGN = b"SCENE INITIALIZED"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write_script(directory):
    """The first scene, with a port for its clock that nobody else has."""
    text = (SOURCE / "examples" / "first_scene.py").read_text()
    if "5000" not in text:
        sys.exit("bench-start: the first scene has no port 5000 any more")
    script = directory / "first_scene.py"
    script.write_text(text.replace("5000", str(free_port())))
    return script


def time_start(arguments, directory):
    before = time.monotonic()
    process = subprocess.Popen([ORRERY, "run", *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, cwd=directory)
    said = []
    for line in process.stdout:
        said.append(line)
        if SIGN in line:
            break
    took = time.monotonic() - before
    process.send_signal(signal.SIGTERM)
    process.communicate()
    if not said or SIGN not in said[-1]:
        sys.exit("bench-start: no scene:\n" + b"".join(said).decode(errors="replace"))
    return took


def time_command(*command):
    before = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - before


def report(name, measure):
    print(f"{name} {1e3 * statistics.median(measure() for _ in range(RUNS)):.1f} ms", flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        script = write_script(directory)
        subprocess.run([ORRERY, "build", str(script), "-o", str(directory / "built")], check=True,
                       stdout=subprocess.DEVNULL)
        report("start.script", lambda: time_start([str(script)], directory))
        report("start.built", lambda: time_start([str(directory / "built")], directory))
        report("start.build", lambda: time_command(ORRERY, "build", str(script), "-o",
                                                   str(directory / "built")))
        report("start.python", lambda: time_command(sys.executable, "-c", "pass"))
        report("start.plugins", lambda: time_command(ORRERY, "plugins", "--json"))
        report("start.help", lambda: time_command(ORRERY, "--help"))


main()
