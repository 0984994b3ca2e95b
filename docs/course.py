# SPDX-License-Identifier: BSD-3-Clause
"""Types in the lessons of the course, and makes the pictures that they show.

    python3 docs/course.py BUILD [DIRECTORY [LESSON...]]

BUILD is the build tree. DIRECTORY gets the pictures; without it they replace those of docs/course.

A lesson is a page of docs/ to which the start page of the course links. Each of its blocks of code is typed in, in the order of the
page: one of Python, C or XML is a file, whose name its first line has as a comment; one of a console
has commands, each behind `$ `, and below each what it prints, standard output and standard error
together. `...` stands for any text in a line; a line of its own stands for any number of lines. A
command may fail only where the next one is `echo $?`. All lessons share a directory, so a lesson
finds the files of those before it, but not what their commands have made. `ros2` is a program that
Debian lacks: where a lesson calls it, whoever types it in brings one, in the directory `programs`."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

DOCS = os.path.dirname(os.path.abspath(__file__))
START = "tutorials.md"
NAMES = {"python": r"# (\S+)\n", "c": r"/\* (\S+) \*/\n", "xml": r"<!-- (\S+) -->\n"}
LIMIT = 300  # s
# In the output of the shell: behind a command stands this, and its exit code.
MARK = "\036"


def read(name, docs=DOCS):
    with open(os.path.join(docs, name), encoding="utf-8") as file:
        return file.read()


def list_lessons(docs=DOCS):
    """Names of the lessons, in the order in which the start page links to them."""
    return list(dict.fromkeys(re.findall(r"\]\((course-[\w-]+)\.md\)", read(START, docs))))


class Lesson:
    def __init__(self, name, text):
        self.name = name
        self.pictures = re.findall(r"!\[[^]]*\]\(course/([\w-]+\.png)\)", text)
        self.files = []  # (name, text)
        self.steps = []  # (name, text) of a file, or (command, [line of output])
        self.are_files = []
        for number, kind, block in blocks(text):
            self.read_block("%s.md:%d" % (name, number), kind, block)

    def read_block(self, place, kind, block):
        if kind == "console":
            for step in commands(place, block):
                self.steps.append(step)
                self.are_files.append(False)
            return
        match = kind in NAMES and re.match(NAMES[kind], block)
        if not match:
            raise ValueError("%s: a block that is neither a file with a name nor commands" % place)
        self.files.append((match.group(1), block))
        self.steps.append(self.files[-1])
        self.are_files.append(True)

    @property
    def commands(self):
        return [step for step, is_file in zip(self.steps, self.are_files) if not is_file]


def blocks(text):
    """Line, kind and text of each block of code."""
    for match in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def commands(place, block):
    """(command, lines of output); a command goes on in lines that begin with `> `."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif not found:
            raise ValueError("%s: output above the first command" % place)
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        else:
            found[-1][1].append(line)
    return found


def load(name, docs=DOCS):
    return Lesson(name, read(name + ".md", docs))


def make_script(lesson):
    lines = []
    for step, is_file in zip(lesson.steps, lesson.are_files):
        if is_file:
            folder = os.path.dirname(step[0])
            lines += ["mkdir -p %s" % folder] if folder else []
            lines += ["cat >%s <<'END OF FILE'\n%sEND OF FILE" % step]
        else:
            # The next command sees the exit code of this one.
            lines += [step[0], "status=$?; printf '%s%%d\\n' $status; (exit $status)" % MARK.replace("\036", "\\036")]
    return "\n".join(lines) + "\n"


def prepare(place, build, earlier=()):
    """The directory that the lessons share, as it is before a lesson; and the environment of its reader."""
    for lesson in earlier:
        for name, text in lesson.files:
            path = os.path.join(place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    dropped = "MAKE", "MFLAGS", "ORRERY_", "ROS_", "XDG_", "PYTHONPATH", "DESTDIR", "PKG_CONFIG_PATH"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    home = os.path.join(place, ".home")
    os.makedirs(home, exist_ok=True)
    programs = os.path.join(place, ".home", "programs")
    environment.update(HOME=home, MPLCONFIGDIR=home, LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1", PYTHONUNBUFFERED="1",
                       ORRERY_BUILD=build, PATH="%s:%s:%s" % (programs, build, os.environ["PATH"]))
    return environment


def type_in(lesson, place, environment, prefix=()):
    """A list of (command, expected lines, printed lines, exit code); it ends early if the shell does."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        shell = subprocess.Popen([*prefix, "sh", "-c", make_script(lesson)], cwd=place, env=environment, stdout=out,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            shell.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            pass
        finally:
            # Nothing that a lesson left in the background stays.
            try:
                os.killpg(shell.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            shell.wait()
        out.seek(0)
        printed = re.split(MARK + r"(\d+)\n", out.read())
    results = []
    for i, (command, expected) in enumerate(lesson.commands):
        said = printed[2 * i] if 2 * i < len(printed) else ""
        code = int(printed[2 * i + 1]) if 2 * i + 1 < len(printed) else None
        results.append((command, expected, [line.rstrip() for line in said.rstrip("\n").split("\n")] if said else [], code))
        if code is None:
            break
    return results


def matches(expected, printed):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.rstrip().split("..."))) + r"\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def check(results):
    """What went otherwise than the page says, as texts."""
    faults = []
    for i, (command, expected, printed, code) in enumerate(results):
        may_fail = i + 1 < len(results) and results[i + 1][0] == "echo $?"
        if code is None:
            faults.append("$ %s\ndoes not end; so far it printed:\n%s" % (command, "\n".join(printed)))
        elif code != 0 and not may_fail:
            faults.append("$ %s\nfails with %d:\n%s" % (command, code, "\n".join(printed)))
        elif not matches(expected, printed):
            faults.append("$ %s\nprints\n%s\nwhere the page has\n%s" % (command, "\n".join(printed), "\n".join(expected)))
    return faults


def main(build, directory=None, *names):
    directory = directory or os.path.join(DOCS, "course")
    os.makedirs(directory, exist_ok=True)
    order = list_lessons()
    wrong = False
    for name in names or order:
        lesson = load(name)
        with tempfile.TemporaryDirectory(prefix="orrery-course-") as place:
            environment = prepare(place, os.path.abspath(build), [load(other) for other in order[:order.index(name)]])
            for fault in check(type_in(lesson, place, environment)):
                wrong = True
                print("%s: %s\n" % (name, fault), file=sys.stderr)
            for picture in lesson.pictures:
                if os.path.exists(os.path.join(place, picture)):
                    shutil.copy(os.path.join(place, picture), directory)
                    print(picture)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
