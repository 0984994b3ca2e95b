# SPDX-License-Identifier: BSD-3-Clause
"""Judges what sanitizers wrote: `reports.py DIRECTORY OURS...` prints what counts and ends with 1 if anything does.

Everything counts but what an interpreter or another tool that was not built with them leaks by itself: a leak in
such a program is ours if a file of the directories OURS is nearer to it on the stack than the interpreter, and if it
leaks many of a kind: an interpreter may end while it holds a few.
"""

import os
import re
import sys

# Programs without sanitizers into which the runtime was preloaded.
FOREIGN = re.compile(r"^ *#\d+ 0x[0-9a-f]+ .*\(/usr/(?!local/)(?:\S*/)?(?:bin|lib/gcc/\S+)/[\w.+-]+\+0x", re.M)
SENT = re.compile(r"^ *#0 0x[0-9a-f]+ in kill ", re.M)
INTERPRETER = re.compile(r"/python3|\.cpython-|/libgirepository-|/libffi\.")
MANY = 20
# GLib 2.74 forgets the source of a cancellable that is destroyed while another thread cancels it; drivers of OpenGL
# keep what they have until the process ends.
UPSTREAM = re.compile(r" in g_cancellable_source_new |/lib(?:EGL|GL|LLVM|OSMesa|drm|glapi)[\w.-]*\.so|_dri\.so")
# The search for leaks looks at every thread; one of a program that is being killed may be gone.
GONE = re.compile(r"^==\d+==Unable to get registers from thread \d+\.\n?", re.M)
CUT_SHORT = re.compile(
    r"^(?:Tracer caught signal \d+: .*\n)?==\d+==LeakSanitizer has encountered a fatal error\.\n(==\d+==HINT: .*\n?)*",
    re.M,
)
LEAKS = "ERROR: LeakSanitizer: detected memory leaks"


def count_of(leak):
    """How many objects a leak is of."""
    head = re.match(r"(?:Direct|Indirect) leak of \d+ byte\(s\) in (\d+) object", leak)
    return int(head.group(1)) if head else 0


def leaks(text):
    found = re.findall(r"^(?:Direct|Indirect) leak of .*?(?=^$|\Z)", text, re.M | re.S)
    return [leak for leak in found if not UPSTREAM.search(leak)]


def is_ours(leak, ours):
    if not leak.startswith("Direct") or count_of(leak) < MANY:
        return False
    for line in leak.splitlines()[1:]:
        if any(place in line for place in ours):
            return True
        if INTERPRETER.search(line):
            return False
    return False


def counted(text, ours):
    """The parts of a report that count; a program that sends itself a signal means it."""
    text = CUT_SHORT.sub("", GONE.sub("", text))
    if SENT.search(text) or not text.strip():
        return []
    if LEAKS not in text or "ERROR: AddressSanitizer" in text or "runtime error:" in text:
        return [text]
    if not FOREIGN.search(text):
        return leaks(text) if "leak of " in text else [text]
    return [leak for leak in leaks(text) if is_ours(leak, ours)]


def main(directory, *ours):
    found = 0
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
            for part in counted(file.read(), ours):
                found += 1
                if found <= 20:
                    print("%s:\n%s" % (name, "\n".join(part.strip().splitlines()[:40])))
    if found:
        print("%d reports" % found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
