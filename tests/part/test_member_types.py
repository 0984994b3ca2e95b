#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of properties over members of other types do not compile."""
import os
import re
import shlex
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))
COMPILER = shlex.split(os.environ.get("ORRERY_TEST_CC", "gcc"))

HEAD = """#include <orrery.h>
typedef struct { double d; float f; int i; guint u; gint64 x; gboolean b; OrreryControl e; char *s; const char *c;
                 GVariant *v; OrreryVec3 a; int bit : 1; } T;
static const OrreryProperty table[] = {
"""
ENTRIES = {
    "d": "DOUBLE (T, %s, \"X\", 0, 1, 0, \"\")",
    "i": "INT (T, %s, \"X\", 0, 1, 0, \"\")",
    "u": "UINT (T, %s, \"X\", 0, 1, 0, \"\")",
    "x": "INT64 (T, %s, \"X\", 0, 1, 0, \"\")",
    "b": "BOOLEAN (T, %s, \"X\", FALSE, \"\")",
    "e": "ENUM (T, %s, \"X\", orrery_control_get_type, 0, \"\")",
    "s": "STRING (T, %s, \"X\", NULL, \"\")",
    "v": "VARIANT (T, %s, \"X\", NULL, \"\")",
}


def find_faults(entries):
    """The entries that the compiler refuses, counted from 1; what it says."""
    flags = subprocess.run(["pkg-config", "--cflags", "gobject-2.0", "gio-2.0"], check=True, capture_output=True,
                           text=True)
    unit = HEAD + "".join("#line %d \"entry\"\nORRERY_PROPERTY_%s,\n" % place for place in enumerate(entries, 1)) + "};\n"
    result = subprocess.run(COMPILER + ["-x", "c", "-std=gnu11", "-fsyntax-only"] + shlex.split(flags.stdout) +
                            ["-I" + os.path.join(SOURCE, "host"), "-I" + os.path.join(BUILD, "host"), "-"],
                            input=unit, capture_output=True, text=True)
    return {int(place) for place in re.findall("^entry:([0-9]+):", result.stderr, re.M)}, result.stderr


class Types(unittest.TestCase):
    def test_right(self):
        faults, text = find_faults([entry % member for member, entry in ENTRIES.items()])
        self.assertEqual(faults, set(), text)

    def test_wrong(self):
        # To C a gboolean is an int, and an enumeration one or the other integer.
        alike = {"i": "ibe", "b": "ibe", "u": "ue", "e": "iube"}
        entries = [entry % member for kind, entry in ENTRIES.items()
                   for member in "d f i u x b e s c v a bit".split() if member not in alike.get(kind, kind)]
        faults, text = find_faults(entries)
        self.assertGreater(len(entries), 70)
        self.assertEqual(faults, set(range(1, len(entries) + 1)), text)


tap.main()
