# SPDX-License-Identifier: BSD-3-Clause
"""What a release is made with: the ABI compared with that of the one before, the tag, recipes, how to cite it."""

import datetime
import fnmatch
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

SOURCE = os.path.abspath(os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(HERE, "../..")))
BUILD = os.path.abspath(os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build")))


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(SOURCE, "release", name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


abi = load("abi")

HEADER = """
typedef struct _OrreryOpaque OrreryOpaque;
typedef enum { ORRERY_A, ORRERY_B = 7 } OrreryKind;
typedef struct {
  const char *name;
  unsigned few : 3, more : 5;
  union { long time; double seconds; };
  int (*call) (OrreryOpaque *, double);
  void *_reserved[2];
} OrreryThing;
typedef struct { long size; } OrreryClassDesc;
struct _OrreryTagged { char text[4]; };
extern int orrery_one (OrreryThing *, double);
extern void orrery_two (void);
static inline int orrery_inline (int a) { return a; }
"""

EXPECTED = """abi 2.3
function orrery_one: int orrery_one (OrreryThing *, double)
function orrery_two: void orrery_two (void)
structure OrreryClassDesc, 8 bytes
  size at 0, 8 bytes: long int
enumeration OrreryKind, 4 bytes
  ORRERY_A = 0
  ORRERY_B = 7
structure OrreryThing, 48 bytes
  name at 0, 8 bytes: const char *
  few at 8, 4 bytes: unsigned int, 3 bits from bit 0
  more at 8, 4 bytes: unsigned int, 5 bits from bit 3
  time at 16, 8 bytes: long int
  seconds at 16, 8 bytes: double
  call at 24, 8 bytes: int (OrreryOpaque *, double) *
  _reserved at 32, 16 bytes: void *[2]
structure _OrreryTagged, 4 bytes
  text at 0, 4 bytes: char[4]
"""

# What is changed in the header, the words of what that is, and the lowest number that allows it.
BREAKS = (
    ("extern void orrery_two (void);", "", "removed: function orrery_two"),
    ("orrery_one (OrreryThing *, double)", "orrery_one (OrreryThing *, float)", "changed: function orrery_one"),
    ("  int (*call) (OrreryOpaque *, double);", "  int (*call) (OrreryOpaque *);", "OrreryThing: changed: call"),
    ("  int (*call) (OrreryOpaque *, double);", "  void *other;", "OrreryThing: removed: call"),
    ("  const char *name;", "  const char *name, *nick;", "changed: structure OrreryThing"),
    ("unsigned few : 3, more : 5;", "unsigned few : 4, more : 4;", "OrreryThing: changed: few"),
    ("long time; double seconds;", "int time; double seconds;", "OrreryThing: changed: time"),
    ("ORRERY_B = 7", "ORRERY_B = 6", "OrreryKind: changed: ORRERY_B"),
    ("ORRERY_A, ", "", "OrreryKind: removed: ORRERY_A"),
    ("typedef struct { long size; } OrreryClassDesc;", "typedef struct { int size; } OrreryClassDesc;",
     "changed: structure OrreryClassDesc"),
    ("char text[4]", "char text[5]", "changed: structure _OrreryTagged"),
)
ADDITIONS = (
    ("extern void orrery_two (void);", "extern void orrery_two (void); extern void orrery_three (int);",
     "new: function orrery_three"),
    ("  void *_reserved[2];", "  void (*extra) (void); void *_reserved[1];", "OrreryThing: new: extra"),
    ("ORRERY_B = 7", "ORRERY_B = 7, ORRERY_C", "OrreryKind: new: ORRERY_C"),
    ("typedef struct { long size; } OrreryClassDesc;", "typedef struct { long size, more; } OrreryClassDesc;",
     "OrreryClassDesc: new: more"),
    ("struct _OrreryTagged", "typedef struct { int x; } OrreryNew; struct _OrreryTagged", "new: structure OrreryNew"),
)


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


@unittest.skipIf(shutil.which("gcc") is None or shutil.which("readelf") is None, "no gcc, or no readelf")
class Abi(unittest.TestCase):
    def describe(self, header, numbers=(2, 3)):
        with tempfile.TemporaryDirectory(prefix="orrery-abi-") as place:
            with open(os.path.join(place, "orrery.h"), "w", encoding="utf-8") as file:
                file.write(header)
            return abi.describe(["-I" + place], numbers)

    def test_a_description(self):
        self.assertEqual("".join(line + "\n" for line in self.describe(HEADER)), EXPECTED)

    def test_what_breaks_needs_another_major_number(self):
        before = self.describe(HEADER)
        for old, new, words in BREAKS:
            changed = HEADER.replace(old, new)
            self.assertNotEqual(changed, HEADER)
            after = self.describe(changed)
            wrong, broken, _ = abi.compare(before, after)
            self.assertIn("this needs ABI 3.0", " ".join(wrong), words)
            self.assertIn(words, "\n".join(broken))
            self.assertTrue(abi.compare(before, ["abi 2.4"] + after[1:])[0], words)
            self.assertEqual(abi.compare(before, ["abi 3.0"] + after[1:])[0], [], words)

    def test_what_comes_along_needs_another_minor_number(self):
        before = self.describe(HEADER)
        self.assertEqual(abi.compare(before, before), ([], [], []))
        for old, new, words in ADDITIONS:
            after = self.describe(HEADER.replace(old, new))
            wrong, broken, more = abi.compare(before, after)
            self.assertEqual(broken, [], words)
            self.assertIn("this needs ABI 2.4", " ".join(wrong), words)
            self.assertIn(words, "\n".join(more))
            self.assertEqual(abi.compare(before, ["abi 2.4"] + after[1:])[0], [], words)

    def test_numbers_do_not_fall(self):
        before = self.describe(HEADER)
        self.assertEqual(abi.compare(before, ["abi 2.2"] + before[1:])[0], ["the ABI is 2.2, after 2.3"])

    def test_this_tree(self):
        """The functions are those which the package of the library has; the structs are there, as test-abi.c has them."""
        numbers, things = abi.read(abi.describe_tree(BUILD))
        self.assertEqual(numbers, abi.numbers_of(SOURCE))
        exported = re.findall(r"^ (orrery_\w+)@", read("debian/liborrery-1-0.symbols"), re.M)
        described = [name.split()[1] for name in things if name.startswith("function ")]
        self.assertEqual(sorted(described), sorted(exported))
        sizes = dict(re.findall(r"^  SIZE \((\w+), (\d+)\)", read("tests/tools/test-abi.c"), re.M))
        self.assertGreater(len(sizes), 50)
        found = {name.split()[1]: str(abi.bytes_of(line)) for name, (line, _) in things.items()
                 if name.startswith("structure ")}
        self.assertEqual({name: found.get(name) for name in sizes}, sizes)


NOTE = '#!/bin/sh\necho "$(basename "$0") $*" >>"$TRACE"\n'
# A tree that may be released as 1.2.3, with tools that write down how they were called.
FILES = {
    "configure.ac": "AC_INIT([orrery], [1.2.3], [x])\n",
    "NEWS": "1.2.3\n\n* Something is new.\n\n1.2.2\n\n* Older.\n",
    "debian/changelog": "orrery (1.2.3) unstable; urgency=medium\n",
    "CITATION.cff": "version: 1.2.3\n",
    "pyproject.toml": 'version = "1.2.3"\n',
    "recipe/meta.yaml": '{% set version = "1.2.3" %}\n',
    "release/orrery.abi": "abi 2.4\nfunction orrery_a: void orrery_a (void)\n",
    ".gitignore": "/build/\n",
    "bootstrap": NOTE,
    "release/check": NOTE + 'test -n "$BROKEN" && exit 1\n'
                     'test "$*" != tarball || { mkdir -p build/release; echo x >build/release/orrery-1.2.3.tar.xz; }\n',
    "release/abi.py": '#!/bin/sh\ntest "$1" = describe || exec "$COMPARE" "$@"\ncat abi-of-the-headers\n',
    "abi-of-the-headers": "abi 2.4\nfunction orrery_a: void orrery_a (void)\n",
}
OLDER = "abi 2.4\nfunction orrery_a: void orrery_a (int)\n"


@unittest.skipIf(shutil.which("git") is None, "no git")
class Tag(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="orrery-release-")
        self.addCleanup(shutil.rmtree, self.place)
        self.tree = os.path.join(self.place, "tree")
        os.makedirs(os.path.join(self.place, "bin"))
        self.write("../bin/make", NOTE)
        for name, text in FILES.items():
            self.write(name, text)
        shutil.copy(os.path.join(SOURCE, "release/tag"), os.path.join(self.tree, "release"))
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        path = os.path.join(self.tree, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def run_in_tree(self, *command, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        return subprocess.run(command, cwd=self.tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(kept, HOME=self.place, GIT_CONFIG_NOSYSTEM="1", LC_ALL="C", BROKEN="",
                                       COMPARE=os.path.join(SOURCE, "release/abi.py"), TRACE=self.place + "/trace",
                                       PATH=self.place + "/bin:" + os.environ["PATH"], **more))

    def git(self, *arguments):
        done = self.run_in_tree("git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def commit(self):
        self.git("config", "user.name", "x")
        self.git("config", "user.email", "x@example.org")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "release: Make it")

    def release(self, *arguments, code=0, **more):
        """What it called, and what it said; whether there is a tag fits the exit code."""
        open(self.place + "/trace", "w", encoding="utf-8").close()
        before = self.git("tag")
        done = self.run_in_tree("release/tag", *arguments, **more)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertEqual(self.git("tag") != before, code == 0)
        with open(self.place + "/trace", encoding="utf-8") as file:
            return file.read().splitlines(), done.stdout

    def test_a_release(self):
        """Everything is checked before the tag is set; it has the words of NEWS, and nothing is pushed."""
        self.git("remote", "add", "origin", self.place + "/nowhere")
        called, said = self.release("1.2.3")
        self.assertEqual(called, ["bootstrap check", "make -C build --no-print-directory check-long",
                                  "make -C build --no-print-directory check-release", "check ", "check tarball"])
        self.assertIn("the tag is not signed", said)
        self.assertIn("git push origin v1.2.3", said)
        self.assertEqual(self.git("cat-file", "-t", "v1.2.3").strip(), "tag")
        message = self.git("tag", "-l", "--format=%(contents)", "v1.2.3")
        self.assertTrue(message.startswith("Orrery 1.2.3\n"), message)
        self.assertIn("Something is new", message)
        self.assertNotIn("Older", message)
        self.assertIn("there is a tag v1.2.3 already", self.release("1.2.3", code=65)[1])

    def test_without_the_checks(self):
        self.assertEqual(self.release("1.2.3", "--checked")[0], ["check tarball"])

    def test_a_tarball_that_cannot_be_made(self):
        self.write("release/check", "#!/bin/sh\nexit 1\n")
        self.commit()
        self.release("1.2.3", "--checked", code=70)

    def test_what_is_no_release(self):
        for name, text, words in (
                ("configure.ac", "AC_INIT([orrery], [1.2.2], [x])\n", "configure.ac has the version 1.2.2"),
                ("NEWS", "1.2.2\n\n* Older.\n", "NEWS"),
                ("NEWS", "1.2.3\n\n1.2.2\n\n* Older.\n", "NEWS says nothing of version 1.2.3"),
                ("debian/changelog", "orrery (1.2.3) UNRELEASED; urgency=medium\n", "UNRELEASED"),
                ("debian/changelog", "orrery (1.2.4) unstable\n", "debian/changelog has the version 1.2.4"),
                ("CITATION.cff", "version: 1.2\n", "CITATION.cff has the version 1.2,"),
                ("pyproject.toml", "\n", "pyproject.toml has the version (none)"),
                ("recipe/meta.yaml", '{% set version = "0" %}\n', "recipe/meta.yaml has the version 0"),
                ("abi-of-the-headers", "abi 2.5\n", "release/orrery.abi is not the ABI of this tree")):
            self.write(name, text)
            self.assertIn("the tree is not clean", self.release("1.2.3", code=65)[1])
            self.commit()
            called, said = self.release("1.2.3", code=65)
            self.assertEqual(called, [], words)
            self.assertIn(words, said)
            self.assertNotIn("not clean", said)
            self.write(name, FILES[name])
            self.commit()

    def test_the_abi_of_the_release_before(self):
        self.write("release/orrery.abi", OLDER)
        self.commit()
        self.git("tag", "-a", "-m", "x", "v1.2.2")
        self.write("release/orrery.abi", FILES["release/orrery.abi"])
        self.commit()
        self.assertIn("does not fit that of v1.2.2: plugins that were built for ABI 2.4 break",
                      self.release("1.2.3", code=65)[1])
        for name in "release/orrery.abi", "abi-of-the-headers":
            self.write(name, FILES[name].replace("abi 2.4", "abi 3.0"))
        self.commit()
        self.release("1.2.3", "--checked")

    def test_wrong_use(self):
        for arguments in ([], ["1.2"], ["v1.2.3"], ["1.02.3"], ["1.2.3", "--chekced"], ["1.2.3", "--checked", "x"]):
            self.release(*arguments, code=64)


# The fields of CFF 1.2.0 and what each may be: text, a list of text, or text of this form.
URL = r"(https?|s?ftp)://\S+"
DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
PLACE = dict.fromkeys(("address", "alias", "city", "email", "fax", "region", "tel"), r".+") | {
    "country": r"[A-Z]{2}", "orcid": r"https://orcid\.org/(\d{4}-){3}\d{3}[\dX]", "post-code": r".+", "website": URL}
PERSON = PLACE | dict.fromkeys(("affiliation", "family-names", "given-names", "name-particle", "name-suffix"), r".+")
ENTITY = PLACE | {"name": r".+", "location": r".+", "date-start": DATE, "date-end": DATE}
CITATION = dict.fromkeys(("abstract", "commit", "license", "message", "title", "version"), r"(?s).+") | {
    "cff-version": r"1\.2\.0", "date-released": DATE, "doi": r"10\.\d{4,9}(\.\d+)?/[\w:/;.()\[\]\\-]+",
    "type": r"software|dataset", "authors": list, "contact": list, "keywords": list, "identifiers": list,
    "references": list, "preferred-citation": dict} | dict.fromkeys(
        ("license-url", "repository", "repository-artifact", "repository-code", "url"), URL)


def judge_fields(data, known, where=""):
    wrong = ["unknown " + where + key for key in sorted(set(data) - set(known))]
    for key in sorted(set(data) & set(known)):
        value, form = data[key], known[key]
        # YAML has dates, and the schema takes a version that is a number.
        text = str(value) if isinstance(value, datetime.date) or (key == "version" and type(value) in (int, float)) else value
        if not isinstance(text, form) if isinstance(form, type) else \
                not isinstance(text, str) or not re.fullmatch(form, text):
            wrong.append("%s%s is %r" % (where, key, value))
    return wrong


def judge_citation(data):
    """What is wrong with a CITATION.cff, by the schema of the format 1.2.0; references in it are not looked into."""
    wrong = ["no " + key for key in ("cff-version", "message", "title", "authors") if not data.get(key)]
    wrong += judge_fields(data, CITATION)
    for role in "authors", "contact":
        for each in data.get(role) or []:
            wrong += judge_fields(each, ENTITY if "name" in each else PERSON, role + ": ")
            if not set(each) & {"name", "family-names", "given-names", "alias"}:
                wrong.append(role + ": one without a name")
    words = data.get("keywords", ["x"])
    if not words or not all(isinstance(word, str) for word in words) or len(set(words)) < len(words):
        wrong.append("keywords")
    return wrong


@unittest.skipIf(yaml is None, "no module yaml; Debian has it in python3-yaml")
class Citation(unittest.TestCase):
    def test_ours(self):
        data = yaml.safe_load(read("CITATION.cff"))
        self.assertEqual(judge_citation(data), [])
        self.assertEqual(data["license"], "BSD-3-Clause")

    def test_wrong_ones(self):
        data = yaml.safe_load(read("CITATION.cff"))
        for change, words in (
                ({"cff-version": "1.1.0"}, "cff-version is '1.1.0'"), ({"licence": "BSD"}, "unknown licence"),
                ({"version": None}, "version is None"), ({"type": "program"}, "type is 'program'"),
                ({"date-released": "1.2.2027"}, "date-released is '1.2.2027'"), ({"doi": "doi:10.1/x"}, "doi is 'doi:10.1/x'"),
                ({"repository-code": "github.com/x"}, "repository-code is 'github.com/x'"),
                ({"authors": [{"city": "x"}]}, "authors: one without a name"), ({"authors": []}, "no authors"),
                ({"authors": [{"name": "x", "given-names": "y"}]}, "unknown authors: given-names"),
                ({"authors": [{"family-names": "x", "orcid": "0000"}]}, "authors: orcid is '0000'"),
                ({"keywords": ["x", "x"]}, "keywords")):
            self.assertEqual(judge_citation(data | change), [words])
        right = {"version": 0.1, "date-released": datetime.date(2027, 2, 1), "doi": "10.5281/zenodo.1003",
                 "authors": [{"family-names": "x", "orcid": "https://orcid.org/0000-0001-2345-678X"}]}
        self.assertEqual(judge_citation(data | right), [])


# What the names of conda-forge are called in Debian, as far as configure asks for them.
CONDA = {"assimp": "libassimp-dev", "bullet-cpp": "libbullet-dev", "embree": "libembree-dev",
         "gdk-pixbuf": "libgdk-pixbuf-2.0-dev", "glib": "libglib2.0-dev",
         "libdeflate": "libdeflate-dev", "libsoup": "libsoup-3.0-dev",
         "lz4-c": "liblz4-dev", "mosquitto": "libmosquitto-dev", "zlib": "zlib1g-dev", "zstd": "libzstd-dev"}


def read_conda(text):
    """The recipe with its templates filled in, as far as it has any."""
    text = re.sub(r"^{% set .*\n", "", text, flags=re.M).replace("{{ version }}", "1")
    text = re.sub(r"\{\{ (compiler|stdlib)\('(\w+)'\) \}\}", r"\1-\2", text)
    return yaml.safe_load(text)


@unittest.skipIf(yaml is None, "no module yaml; Debian has it in python3-yaml")
class Recipes(unittest.TestCase):
    def test_conda(self):
        data = read_conda(read("recipe/meta.yaml"))
        self.assertEqual(set(data), {"package", "source", "build", "requirements", "test", "about"})
        self.assertEqual(data["package"], {"name": "orrery", "version": 1})
        self.assertEqual(data["about"]["license"], "BSD-3-Clause")
        self.assertTrue(os.path.exists(os.path.join(SOURCE, data["about"]["license_file"])))
        needs = data["requirements"]
        self.assertTrue({"compiler-c", "compiler-cxx", "autoconf", "automake", "make", "pkg-config",
                         "gobject-introspection"} <= set(needs["build"]))
        self.assertTrue({"glib", "pygobject", "python"} <= set(needs["run"]))
        known = read("debian/control") + read("bootstrap")
        self.assertEqual([name for name in CONDA if name not in needs["host"] or CONDA[name] not in known], [])
        # What configure cannot do without.
        self.assertTrue({"glib", "zlib", "python"} <= set(needs["host"]))
        self.assertIn("configure", " ".join(data["build"]["script"]))

    def test_container(self):
        """It installs all packages of which an image has a use, and runs a scene that they have."""
        text = re.sub(r"\\\n", " ", read("recipe/Containerfile"))
        packages = set(re.findall(r"^Package: (\S+)$", read("debian/control"), re.M)) - {"liborrery-1-dev"}
        patterns = re.findall(r"/made/(\S+[.]deb)", text)
        self.assertEqual([name for name in packages
                          if not any(fnmatch.fnmatch(name + "_1.deb", pattern) for pattern in patterns)], [])
        scene = re.search(r'^CMD \["run", "/usr/share/doc/orrery/(examples/[^"]+)", "--view"\]$', text, re.M)
        self.assertTrue(os.path.exists(os.path.join(SOURCE, scene[1])))
        self.assertRegex(text, r"(?m)^USER [1-9]")


if __name__ == "__main__":
    tap.main()
