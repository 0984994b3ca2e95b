# SPDX-License-Identifier: BSD-3-Clause
"""The house rules hold for this tree, and each of them is able to fail."""

import functools
import glob
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import house  # noqa: E402
import tap  # noqa: E402

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))
COMPILER = shlex.split(os.environ.get("ORRERY_TEST_CC", "gcc"))

LICENCE = "/* SPDX-License-Identifier: BSD-3-Clause */\n"


@functools.lru_cache(None)
def compile_flags():
    flags = subprocess.run(["pkg-config", "--cflags", "gobject-2.0", "gio-2.0"], check=True, capture_output=True,
                           text=True)
    return shlex.split(flags.stdout) + ["-I" + os.path.join(SOURCE, "host"), "-I" + os.path.join(BUILD, "host")]


class House(unittest.TestCase):
    def setUp(self):
        self.tree = house.Tree(SOURCE)

    def fixture(self, path, text):
        """A tree of one file, which breaks a rule."""
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)
        return house.Tree(root)

    def hold(self, faults):
        if faults:
            self.fail("\n".join(faults))

    def broken(self, faults, words):
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(words, faults[0])


class Includes(House):
    def test_the_tree(self):
        self.hold(house.check_includes(self.tree))
        self.assertGreater(len(self.tree.files(house.C_SUFFIXES, "host")), 50)

    def test_a_layer_that_looks_up(self):
        tree = self.fixture("host/base/orrery-x.c", '#include "part/orrery-part.h"\n')
        self.broken(house.check_includes(tree), "host/base/orrery-x.c:1: includes part/orrery-part.h: base sees no part")

    def test_a_public_header_that_shows_what_is_private(self):
        tree = self.fixture("host/loop/orrery-x.h", '#include "base/orrery-number-private.h"\n')
        self.broken(house.check_includes(tree), "a public header includes a private one")

    def test_a_room_that_looks_inside_another(self):
        include = '#include "tick/orrery-x-internal.h"\n'
        for path in "host/tick/orrery-y.c", "host/tick/orrery-y-private.h", "tests/tick/test-x.c":
            self.hold(house.check_includes(self.fixture(path, include)))
        for path in "host/simulation/orrery-y.c", "host/tick/orrery-y.h", "tests/world/test-x.c", "bench/x.c":
            self.broken(house.check_includes(self.fixture(path, include)), "only sources of host/tick may include it")

    def test_a_plugin_that_looks_inside(self):
        for name in '"base/orrery-types.h"', '"../../host/orrery.h"', '<part/orrery-part.h>', '"../pose.c"':
            tree = self.fixture("plugins/sensors/x.c", "#include %s\n" % name)
            self.broken(house.check_includes(tree), "plugins/sensors/x.c:1: includes")

    def test_a_program_that_looks_inside(self):
        tree = self.fixture("host/cli/x.c", '#include "simulation/orrery-simulation.h"\n')
        self.broken(house.check_includes(tree), "host/cli/x.c:1")


class Rooms(House):
    def test_sizes(self):
        self.hold(house.check_room_sizes(self.tree))
        tree = self.fixture("host/x/a.c", LICENCE)
        for i in range(house.MAX_SOURCES):
            with open(os.path.join(tree.root, "host/x/b%d.c" % i), "w", encoding="utf-8"):
                pass
        self.broken(house.check_room_sizes(tree), "host/x: 26 sources, at most 25")

    def test_sentences(self):
        self.hold(house.check_room_sentences(self.tree))
        self.broken(house.check_room_sentences(self.fixture("host/x/a.c", LICENCE)), "host/x: no sentence in")
        page = self.fixture("docs/architecture.md", "| `host/gone` | Nothing. |\n")
        self.broken(house.check_room_sentences(page), "a folder that is not there")

    def check_objects(self, rooms=house.LAYERS, **codes):
        """What the rule says of a tree with one source and its object in each room that is given."""
        tree = self.fixture("x.c", LICENCE)
        for room, code in codes.items():
            folder = os.path.join(tree.root, "host", room)
            os.makedirs(folder)
            with open(os.path.join(folder, "x.c"), "w", encoding="utf-8") as file:
                file.write(code)
            subprocess.run(COMPILER + ["-c", "-o", os.path.join(folder, "libhost_a-x.o"), os.path.join(folder, "x.c")], check=True)
        return house.check_calls_upwards(tree, tree.root, rooms)

    def test_calls(self):
        self.hold(house.check_calls_upwards(self.tree, BUILD))
        self.hold(house.check_calls_upwards(self.tree, BUILD, house.LOOP_LAYERS))

    def test_a_call_upwards(self):
        caller = "void orrery_b (void); void orrery_a (void) { orrery_b (); }\n"
        called = "void orrery_b (void) {}\n"
        self.hold(self.check_objects(tick=caller, base=called))
        self.broken(self.check_objects(base=caller, tick=called), "host/base/libhost_a-x.o: calls up: orrery_b of tick")
        self.broken(self.check_objects(house.LOOP_LAYERS, loop=caller, world=called),
                    "host/loop/libhost_a-x.o: needs orrery_b, which none of")


class Sizes(House):
    def test_files(self):
        self.hold(house.check_file_lengths(self.tree))
        self.broken(house.check_file_lengths(self.fixture("host/x.c", "\n" * 801)), "host/x.c: 801 lines")

    def test_functions(self):
        print("# C: %d functions, median %g lines, 90th percentile %d" % house.function_statistics(self.tree))
        print("# Python: %d functions, median %g lines, 90th percentile %d" %
              house.function_statistics(self.tree, (".py",)))
        self.hold(house.check_function_lengths(self.tree))

    def test_a_long_function(self):
        tree = self.fixture("host/x.c", "int\nf (void)\n{\n%s}\n" % ("  g ();\n" * 79))
        self.broken(house.check_function_lengths(tree), "host/x.c:3: a function of 81 lines")
        tree = self.fixture("python/x.py", "def f():\n%s" % ("    g()\n" * 80))
        self.broken(house.check_function_lengths(tree), "python/x.py:1: a function of 81 lines")

    def test_nesting(self):
        self.hold(house.check_nesting(self.tree))
        code = "void\nf (void)\n{\n  if (a)\n    for (;;)\n      while (b)\n%s}\n"
        self.hold(house.check_nesting(self.fixture("host/x.c", code % "        c ();\n")))
        deep = self.fixture("host/x.c", code % "        if (c)\n          d ();\n")
        self.broken(house.check_nesting(deep), "host/x.c:7: nested deeper than 3")

    @unittest.skipUnless(shutil.which("clang-format"), "no clang-format")
    def test_format(self):
        self.hold(house.check_format(self.tree))

    @unittest.skipUnless(shutil.which("clang-format"), "no clang-format")
    def test_code_that_is_not_formatted(self):
        tree = self.fixture("host/x.c", "int f(void) { return 0; }\n")
        shutil.copy(os.path.join(SOURCE, ".clang-format"), tree.root)
        self.broken(house.check_format(tree), "host/x.c")


class Words(House):
    def test_licences(self):
        self.hold(house.check_licences(self.tree))
        self.broken(house.check_licences(self.fixture("host/x.c", "int x;\n")), "host/x.c:1: no SPDX line first")
        self.broken(house.check_licences(self.fixture("python/x.py", "#!/usr/bin/python3\n\n")), "python/x.py:1")

    def test_words(self):
        self.hold(house.check_words(self.tree))
        self.broken(house.check_words(self.fixture("host/x.c", "/* TO" "DO: later */\n")), "host/x.c:1: work not done")
        self.broken(house.check_words(self.fixture("docs/x.md", "see /ho" "me/me/x\n")), "docs/x.md:1: path of one")

    def test_heads(self):
        self.hold(house.check_heads(self.tree))
        for text in "int x;\n", "\n#include <x.h>\n\n/* Late. */\n", "/* no sentence */\n":
            self.broken(house.check_heads(self.fixture("host/x/a.c", LICENCE + text), ("host/x",)), "host/x/a.c:2")
        self.hold(house.check_heads(self.fixture("host/x/a.c", LICENCE + "/* Counts beans. */\n"), ("host/x",)))

    def test_invented_words(self):
        self.hold(house.check_invented_words(self.tree))
        for line in "bool hear_it;", "typedef OrreryBirth X;", "/* what it hears of */", '  "a stash"':
            self.broken(house.check_invented_words(self.fixture("host/x/a.c", line + "\n"), ("host/x",)), "host/x/a.c:1")
        self.hold(house.check_invented_words(self.fixture("host/x/a.c", "/* shear, address, hearth */\n"), ("host/x",)))

    def test_folders_of_words(self):
        for folder in house.WITH_HEADS + house.WITHOUT_INVENTED_WORDS:
            self.assertTrue(os.path.isdir(os.path.join(SOURCE, folder)), folder)

    def test_markdown(self):
        self.hold(house.check_markdown_width(self.tree))
        self.broken(house.check_markdown_width(self.fixture("docs/x.md", "ab " * 40)), "docs/x.md:1: 120 columns")
        for text in "| a | b |" + 100 * "c", "```\n%s\n```\n" % ("ab " * 40), "- " + "x" * 120:
            self.hold(house.check_markdown_width(self.fixture("docs/x.md", text)))

    def test_calls(self):
        self.hold(house.check_calls(self.tree))
        self.broken(house.check_calls(self.fixture("tests/x.c", "  goto out;\n")), "tests/x.c:1: goto")
        self.broken(house.check_calls(self.fixture("host/base/x.c", '  printf ("");\n')), "a library calls printf")
        self.broken(house.check_calls(self.fixture("plugins/x.c", "  exit (1);\n")), "a library calls exit")
        self.broken(house.check_calls(self.fixture("modifiers/x.c", '  fprintf (stderr, "");\n')), "calls fprintf")
        self.hold(house.check_calls(self.fixture("modifiers/x.c", '  fprintf (self->file, "");\n')))
        self.hold(house.check_calls(self.fixture("host/cli/x.c", "  exit (1); /* goto */\n")))


class Interfaces(House):
    def test_documentation(self):
        self.hold(house.check_documentation(self.tree))
        tree = self.fixture("host/base/orrery-x.h", LICENCE + "ORRERY_API int orrery_x_count (int y);\n")
        self.broken(house.check_documentation(tree), "host/base/orrery-x.h:2: orrery_x_count has no doc comment")

    def test_class_structs(self):
        self.hold(house.check_class_structs(self.tree))
        tree = self.fixture("host/roles/orrery-x.h", "G_DECLARE_DERIVABLE_TYPE (OrreryX, orrery_x, ORRERY, X, GObject)\n"
                            "struct _OrreryXClass {\n  GObjectClass parent_class;\n};\n")
        self.broken(house.check_class_structs(tree), "OrreryXClass does not end in")

    def test_headers_alone(self):
        host = os.path.join(SOURCE, "host")
        headers = [os.path.join(host, os.path.relpath(path, "host")) for path in self.tree.files((".h",), "host")
                   if house.is_public(path) and not path.startswith("host/cli/")]
        self.assertGreater(len(headers), 20)
        for header in headers:
            with self.subTest(header=header):
                self.hold(house.check_headers_alone([header], "c", compile_flags(), COMPILER))
        # Whatever each needs it has by now.
        self.hold(house.check_headers_alone(headers, "c++", compile_flags(), COMPILER))

    def test_a_header_that_leans_on_others(self):
        tree = self.fixture("host/x.h", "GObject *orrery_x (void);\n")
        faults = house.check_headers_alone([os.path.join(tree.root, "host/x.h")], "c", compile_flags(), COMPILER)
        self.broken(faults, "not alone in c")


class Exports(House):
    def shared_object(self, code):
        root = self.fixture("x.c", code).root
        out = os.path.join(root, "x.so")
        subprocess.run(COMPILER + ["-shared", "-fPIC", "-fvisibility=hidden", os.path.join(root, "x.c"), "-o", out],
                       check=True)
        return out

    def test_modules(self):
        modules = glob.glob(os.path.join(BUILD, "lib/orrery-1/plugins/**/*.so"), recursive=True)
        self.hold(house.check_module_exports(modules))
        self.assertGreater(len(modules), 20)

    def test_a_module_that_shows_more(self):
        shown = '__attribute__ ((visibility ("default"))) '
        self.broken(house.check_module_exports([self.shared_object(shown + "int orrery_plugin_desc;\n" + shown + "int x;\n")]),
                    "exports orrery_plugin_desc, x, not")
        self.broken(house.check_module_exports([self.shared_object("int x;\n")]), "exports nothing")

    def test_the_library(self):
        library = os.path.join(BUILD, "lib/liborrery-1.so")
        self.hold(house.check_library_exports(library))
        self.assertIn("orrery_error_quark", house.exported_symbols(library))

    def test_a_library_with_other_names(self):
        code = '__attribute__ ((visibility ("default"))) int helper;\n'
        self.broken(house.check_library_exports(self.shared_object(code)), "exports helper")

    def test_use(self):
        gir = os.path.join(BUILD, "share/gir-1.0/Orrery-1.gir")
        if not os.path.exists(gir):
            self.skipTest("no introspection: what Python uses is not known")
        programs = [os.path.join(BUILD, name) for name in ("bin/orrery", "lib/orrery-1/orrery-inspect")]
        users = programs + glob.glob(os.path.join(BUILD, "lib/orrery-1/**/*.so"), recursive=True)
        self.hold(house.check_unused_exports(self.tree, os.path.join(BUILD, "lib/liborrery-1.so"), users,
                                             house.introspected_names(gir), self.tree.text("docs/architecture.md")))

    def test_an_export_that_nobody_uses(self):
        library = self.shared_object('__attribute__ ((visibility ("default"))) void orrery_x (void) {}\n')
        user = self.shared_object("void orrery_x (void); void y (void) { orrery_x (); }\n")
        empty = self.fixture("x.md", "")
        heading = "## The API for embedders\n"
        self.broken(house.check_unused_exports(empty, library, [], {}, ""), "orrery_x: nothing uses it")
        self.hold(house.check_unused_exports(empty, library, [user], {}, ""))
        self.hold(house.check_unused_exports(empty, library, [], {}, heading + "`orrery_x ()`\n"))
        self.hold(house.check_unused_exports(self.fixture("python/x.py", "a.x()\n"), library, [], {"orrery_x": "x"}, ""))
        self.broken(house.check_unused_exports(empty, library, [user], {}, heading + "`orrery_y ()`\n"), "is not exported")

    def test_exports_are_documented(self):
        self.hold(house.check_exports_documented(self.tree, os.path.join(BUILD, "lib/liborrery-1.so")))
        library = self.shared_object('__attribute__ ((visibility ("default"))) void orrery_x (void) {}\n')
        self.broken(house.check_exports_documented(self.fixture("host/x.h", ""), library), "orrery_x has no doc comment")


class Commits(House):
    def test_the_last_fifty(self):
        log = subprocess.run(["git", "-C", SOURCE, "log", "-50", "--no-merges", "--format=%s"], capture_output=True,
                             text=True) if shutil.which("git") else None
        if log is None or log.returncode != 0:
            self.skipTest("no history here")
        subjects = log.stdout.splitlines()
        self.hold(house.check_subjects(subjects))

    def test_other_subjects(self):
        self.hold(house.check_subjects(["host, cli: Say what is meant"]))
        for subject in "wip", "Fix it", "base: lower case", "base: A stop.", "base: " + "A" * 70:
            self.broken(house.check_subjects([subject]), subject)


if __name__ == "__main__":
    tap.main()
