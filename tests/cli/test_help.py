# SPDX-License-Identifier: BSD-3-Clause
"""`orrery help`: commands, words of the manual and of the program's tables, and how lists look on a terminal."""

import fcntl
import json
import os
import pathlib
import re
import struct
import subprocess
import termios

from support import BUILD, PROGRAM, PYTHON, SOURCE, ProgramCase

import tap

# Names of pages that are none of the manual's.
SUFFIX = ".md"
PAGE = "page0" + SUFFIX
INDEX = os.path.join(BUILD, "share/orrery-1/manual/index.tsv")


class Commands(ProgramCase):
    def test_the_same_as_of_the_option(self):
        for command in [], ["run"], ["recording"], ["recording", "cat"], ["help"]:
            self.check(self.orrery("help", *command), 0)
            self.assertEqual(self.orrery("help", *command).stdout, self.orrery(*command, "--help").stdout)

    def test_the_command_line(self):
        self.check(self.orrery("help", ""), 64, "a word is empty")
        self.check(self.orrery("help", "--al"), 64, "Unknown option --al")


class Words(ProgramCase):
    def hits(self, *words):
        """(headings, context, file) of each place."""
        done = self.orrery("help", *words)
        self.check(done, 0)
        lines = done.stdout.splitlines()
        return [(lines[i - 1], lines[i].strip(), lines[i + 1].strip()) for i in range(1, len(lines) - 1)
                if lines[i].startswith("  ") and not lines[i - 1].startswith("  ")]

    def test_a_page_comes_first(self):
        headings, _, path = self.hits("noise")[0]
        self.assertEqual(headings, "Noise and faults of sensors")
        path, _, anchor = path.partition("#")
        self.assertEqual(anchor, "noise-and-faults-of-sensors")
        with open(path, encoding="utf-8") as file:
            self.assertIn("# Noise and faults of sensors", file.read())

    def test_letters_of_any_case(self):
        self.assertEqual(self.hits("NOISE"), self.hits("noise"))

    def test_all_words_are_there(self):
        for headings, _, path in self.hits("gaussian", "laser"):
            path, _, _ = path.partition("#")
            text = pathlib.Path(path).read_text(encoding="utf-8").lower()
            self.assertTrue("gaussian" in text and "laser" in text, path)

    def test_most_words_where_no_place_has_all(self):
        self.assertEqual(self.hits("waypoint", "qqqqxyz"), self.hits("waypoint", "qqqqxyzz"))
        self.assertIn("aypoint", str(self.hits("waypoint", "qqqqxyz")[0]))

    def test_classes_properties_services_and_keys(self):
        self.assertIn("orrery.sensors.gps.GPS", self.hits("orrery.sensors.gps.GPS")[0][0])
        self.assertIn("classes-actuators.md", str(self.hits("ControlType")))
        self.assertIn("set_speed", str(self.hits("set_speed")))
        self.assertIn("scene.md", str(self.hits("component_datastream")))
        self.assertIn("services.md", str(self.hits("list_robots", "simulation")))
        self.assertIn("message-types.md", str(self.hits("nav_msgs/msg/Odometry")[0]))

    def test_the_context_has_the_word(self):
        for _, context, _ in self.hits("checkpoint", "--all"):
            self.assertLessEqual(len(context), 100)
        self.assertIn("checkpoint", self.hits("checkpoint")[0][1].lower())

    def test_how_many(self):
        few, all_of_them = self.hits("sensor"), self.hits("sensor", "--all")
        self.assertEqual(len(few), 8)
        self.assertGreater(len(all_of_them), 50)
        self.assertEqual(len(set(all_of_them)), len(all_of_them))
        self.assertEqual(few[0], all_of_them[0])

    def test_tables_of_the_program(self):
        self.check(self.orrery("help", "74"), 0, "exit code 74: input or output\n")
        self.check(self.orrery("help", "143"), 0, "exit code 143: ended by SIGHUP")
        self.check(self.orrery("help", "--", "--metric"), 0, "option --metric=NAME=EXPRESSION of run, batch, check: ")
        self.check(self.orrery("help", "compression"), 0, "of recording ")
        self.check(self.orrery("help", "NO_COLOR"), 0, "variable NO_COLOR: ")
        self.assertNotIn("option --continue", self.orrery("help", "continue").stdout)
        self.assertNotIn("exit code", self.orrery("help", "and").stdout)

    def test_names_of_commands(self):
        self.check(self.orrery("help", "--search", "batch"), 0, "Many runs of one scene", "batch.md")
        self.check(self.orrery("help", "run", "paused"), 0, "run.md")

    def test_unknown_words(self):
        self.check(self.orrery("help", "nosie"), 69, "the manual has nothing on 'nosie'; did you mean", "noise")
        self.check(self.orrery("help", "\033[31mqqqq"), 69, "\\x1b[31mqqqq")


class Index(ProgramCase):
    def index(self, *texts):
        pages = [self.write("page%d" % i + SUFFIX, text) for i, text in enumerate(texts)]
        made = subprocess.run([PYTHON, os.path.join(SOURCE, "docs/manual_index.py"), *pages], capture_output=True,
                              text=True, check=True).stdout
        return [line.split("\t") for line in made.splitlines() if not line.startswith("#")]

    def test_what_it_makes_of_a_page(self):
        page = """Before.

# A *title* of `it`

One [link](there.html) and **bold**,
ended with 129 or
143. More.

- an item
  of two lines
- another

| a | b |
|---|---|
| `x` | y \\| z |

## Part, two

```sh
# no heading
run  it
```

## Part, two
end
"""
        title = [PAGE, "a-title-of-it", "A title of it"]
        part = "A title of it > Part, two"
        self.assertEqual(self.index(page), [
            [PAGE, "", "", "Before."],
            [*title, "One link and bold, ended with 129 or 143. More."],
            [*title, "an item of two lines"], [*title, "another"],
            [*title, "a | b"], [*title, "x | y | z"],
            [PAGE, "part-two", part, "# no heading run it"],
            [PAGE, "part-two-1", part, "end"]])

    def test_tabs_are_no_columns(self):
        self.assertEqual(self.index("# a\tb\n\nc\td\n\n```\ne\tf\n```\n"),
                         [[PAGE, "a-b", "a b", "c d"], [PAGE, "a-b", "a b", "e f"]])

    def test_that_of_the_manual(self):
        with open(INDEX, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertTrue(lines[0].startswith("# Index of the manual"))
        records = [line.split("\t") for line in lines if not line.startswith("#")]
        self.assertEqual({len(record) for record in records}, {4})
        pages = {record[0] for record in records}
        written = {name for name in os.listdir(os.path.join(SOURCE, "docs")) if name.endswith(".md")}
        made = {name for name in os.listdir(os.path.join(BUILD, "docs")) if name.endswith(".md")}
        self.assertEqual(pages, written | made)
        self.assertLess({"components.md", "scene.md", "commands.md", "classes-sensors.md", "python-gym.md"}, made)


class Reference(ProgramCase):
    """Pages that the build makes have all that the program has."""

    # Between programs of Orrery, or those of the system.
    OTHERS = {"ORRERY_EXIT_CODES", "HOME", "PYTHONPATH", "G_DEBUG"}

    def page(self, name):
        return pathlib.Path(BUILD, "docs", name).read_text(encoding="utf-8")

    def test_every_class_has_a_section(self):
        done = self.orrery("plugins", "--json")
        self.check(done, 0)
        names = {c["classpath"] for m in json.loads(done.stdout)["modules"] for c in m.get("classes", ())
                 if c["classpath"].startswith("orrery.")}
        self.assertGreater(len(names), 150)
        sections = [name for page in pathlib.Path(BUILD, "docs").glob("classes-*.md")
                    for name in re.findall(r"^## (\S+)$", page.read_text(encoding="utf-8"), re.M) if "." in name]
        self.assertEqual(sorted(sections), sorted(names))

    def test_every_command_with_its_options(self):
        page = self.page("commands.md")
        commands = re.findall(r"^  ([\w-]+) ", self.orrery("--help").stdout.partition("Commands:\n")[2], re.M)
        self.assertGreater(len(commands), 15)
        for command in commands:
            section = page.partition("\n## orrery %s\n" % command)[2].partition("\n## ")[0]
            for option in re.findall(r"^ +(?:-\w, )?(--[\w-]+)", self.orrery(command, "--help").stdout, re.M):
                if option != "--help":
                    self.assertIn("`" + option, section, command)

    def test_exit_codes_and_variables(self):
        page = self.page("commands.md")
        for code in 0, 1, 64, 65, 66, 69, 70, 71, 74, 129:
            self.assertRegex(page, r"\n\| `%d\b" % code)
        read = set()
        for folder in "host", "plugins", "middleware", "modifiers", "python":
            for path in pathlib.Path(SOURCE, folder).rglob("*"):
                if path.suffix in (".c", ".cpp", ".h", ".py"):
                    read.update(re.findall(r"""(?:getenv \(|environ(?:\.get)?[\[(])"([A-Z][A-Z_0-9]+)\"""",
                                           path.read_text(encoding="utf-8")))
        self.assertIn("ORRERY_PLUGIN_PATH", read)
        read = {name for name in read if not name.startswith("ORRERY_TEST")} - self.OTHERS
        self.assertEqual(sorted(name for name in read if "| `%s` |" % name not in page), [])

    def test_services_and_messages(self):
        services = self.page("services.md")
        for name in "simulation", "time", "communication":
            self.assertIn("\n## %s\n" % name, services)
        self.assertIn("| `set_time_scale (value: float)` |", services)
        shown = re.findall(r"^### (\S+)$", self.page("message-types.md"), re.M)
        self.assertEqual(shown, self.orrery("messages").stdout.split())

    def test_what_is_no_page(self):
        self.check(self.orrery("man-page", "--markdown", "run"), 64, "--markdown is one page of all commands")


class Terminals(ProgramCase):
    def shown(self, columns, *arguments, **variables):
        ours, theirs = self.open_terminal()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**self.environment(), "TERM": "xterm", "NO_COLOR": "", **variables}
        process = subprocess.Popen([PROGRAM, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.directory,
                                   env=environment)
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # nobody has the other end any more
            pass
        os.close(ours)
        self.assertEqual(process.wait(60), 0)
        return said.decode().replace("\r\n", "\n")

    def test_words_are_marked(self):
        self.assertIn("\033[1mcheckpoint\033[0m", self.shown(80, "help", "checkpoint"))
        for variables in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
            self.assertNotIn("\033", self.shown(80, "help", "checkpoint", **variables))
        self.assertNotIn("\033", self.orrery("help", "checkpoint").stdout)

    def test_lists_fit(self):
        plain = self.orrery("plugins", "--role", "sensor").stdout
        wide, narrow = (self.shown(columns, "plugins", "--role", "sensor", NO_COLOR="1") for columns in (1000, 90))
        self.assertEqual(wide, plain)
        self.assertEqual(narrow.split(), plain.split())
        self.assertEqual([line for line in narrow.splitlines() if len(line) > 90], [])
        self.assertGreater(len(narrow.splitlines()), len(plain.splitlines()))
        # Where there is no room for a column, lines are as long as they are.
        self.assertEqual(self.shown(60, "plugins", "--role", "sensor", NO_COLOR="1"), plain)

    def test_contexts_fit(self):
        lines = self.shown(50, "help", "checkpoint", NO_COLOR="1").splitlines()
        self.assertEqual([line for line in lines[1::4] if len(line) > 50], [])


if __name__ == "__main__":
    tap.main()
