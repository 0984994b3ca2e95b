# SPDX-License-Identifier: BSD-3-Clause
"""The manual pages: one for each command, with its options, and without a warning of those who print them."""

import os
import re
import shutil
import subprocess

from support import BUILD, SOURCE, ProgramCase, need

import tap

PAGES = os.path.join(BUILD, "data/man")


def commands(help_text):
    return re.findall(r"^  (\S+) +\S", help_text.partition("Commands:\n")[2], re.M)


class Pages(ProgramCase):
    def page(self, *command, **environment):
        done = subprocess.run([os.path.join(BUILD, "orrery"), "man-page", *command], capture_output=True, text=True,
                              env=dict(self.environment(), **environment), cwd=self.directory, timeout=60)
        self.check(done, 0)
        return done.stdout

    def commands(self):
        return commands(self.orrery("--help").stdout)

    def built(self):
        return sorted(os.path.join(PAGES, name) for name in os.listdir(PAGES) if name.endswith(".1"))

    def test_each_command_has_one(self):
        expected = ["orrery.1"] + ["orrery-%s.1" % name for name in self.commands()]
        self.assertEqual([os.path.basename(path) for path in self.built()], sorted(expected))

    def test_each_option_of_the_help_is_there(self):
        for command in self.commands():
            options = re.findall(r"(?<![\w-])--[a-z][\w-]*", self.orrery(command, "--help").stdout.partition("Options:")[2])
            page = self.page(command).replace("\\-", "-")
            self.assertIn("--help", options)
            self.assertEqual([option for option in options if "\\fB%s\\fR" % option not in page], [], command)
            self.assertNotIn("--continue", page)

    def test_their_sections(self):
        for command in self.commands():
            sections = re.findall(r"^\.SH (.*)$", self.page(command), re.M)
            expected = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"] + ["VERBS"] * (command == "recording") + \
                ["EXIT STATUS", "ENVIRONMENT", "SEE ALSO"]
            self.assertEqual(sections, expected)
        self.assertIn("COMMANDS", re.findall(r"^\.SH (.*)$", self.page(), re.M))
        self.assertEqual(re.findall(r"^\.SS (.*)$", self.page("recording"), re.M),
                         ["info", "cat", "filter", "merge", "recover", "export"])

    def test_the_pages_that_they_name(self):
        for command in self.commands():
            pages = re.findall(r"[\w-]+\.md", self.page(command).rpartition(".SH SEE ALSO")[2].replace("\\-", "-"))
            self.assertTrue(pages, command)
            for page in pages:
                self.assertTrue(any(os.path.exists(os.path.join(root, "docs", page)) for root in (SOURCE, BUILD)), page)

    def test_no_date_of_the_clock(self):
        self.assertIn('ORRERY\\-RUN 1 "" "Orrery', self.page("run"))
        self.assertIn('ORRERY\\-RUN 1 "2023-11-14"', self.page("run", SOURCE_DATE_EPOCH="1700000000"))

    def test_unknown_commands(self):
        self.check(self.orrery("man-page", "fly"), 64, "no command 'fly'")
        self.check(self.orrery("man-page", "run", "batch"), 64, "too many arguments")

    def warnings(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=self.directory,
                              env=self.environment())
        return done.stderr if command[0] == "groff" else done.stdout

    def test_groff_has_no_warning(self):
        need(self, None if shutil.which("groff") else "no groff; Debian has it as groff-base")
        self.assertEqual(self.warnings("groff", "-man", "-ww", "-z", *self.built()), "")
        wrong = self.write("wrong.1", self.page("run") + ".nosuchrequest\n")
        self.assertIn("nosuchrequest", self.warnings("groff", "-man", "-ww", "-z", wrong))

    def test_mandoc_has_no_warning(self):
        need(self, None if shutil.which("mandoc") else "no mandoc; Debian has it as mandoc")
        paths = [self.write("%s.1" % (name or "orrery"), self.page(*name.split(), SOURCE_DATE_EPOCH="1700000000"))
                 for name in [""] + self.commands()]
        lint = ("mandoc", "-T", "lint", "-W", "warning")
        self.assertEqual(self.warnings(*lint, *paths), "")
        self.assertIn("WARNING", self.warnings(*lint, self.write("wrong.1", self.page("run").replace(".TP", ".SH", 1))))


if __name__ == "__main__":
    tap.main()
