# SPDX-License-Identifier: BSD-3-Clause
"""The packages of Debian: made, judged by lintian, installed in a bare Debian, tried there, upgraded, removed."""

import glob
import os
import re
import shutil
import subprocess
import sys
import unittest
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

sys.path.insert(0, os.path.join(HERE, "../middleware"))
from browser import Browser, find_chromium  # noqa: E402

SOURCE = os.path.abspath(os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(HERE, "../..")))
BUILD = os.path.abspath(os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build")))
PLACE = os.path.join(BUILD, "tests/long/packages")
ROOT = os.path.join(PLACE, "root")
SITE = os.path.join(ROOT, "usr/share/doc/orrery/html")
LOG = os.path.join(PLACE, "chroot.log")

PACKAGES = ("gir1.2-orrery-1", "liborrery-1-0", "liborrery-1-dev", "orrery", "orrery-doc", "orrery-middleware-mqtt",
            "orrery-middleware-ros2", "orrery-middleware-web", "orrery-plugins", "orrery-plugins-extra", "python3-orrery")
# Before the one of this tree.
OLDER = "0.0.1"

LIMIT_S = 1200


def environment(**more):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("MAKE", "MFLAGS", "ORRERY_", "G_DEBUG", "PYTHON", "DEB_"))}
    return dict(kept, LC_ALL="C.UTF-8", DEBIAN_FRONTEND="noninteractive", **more)


def run(*command, cwd=None, env=None, **more):
    return subprocess.run(command, cwd=cwd, env=env or environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S, **more)


def checked(*command, **more):
    done = run(*command, **more)
    assert done.returncode == 0, "%s\n%s" % (" ".join(command), done.stdout[-5000:])
    return done.stdout


def mirrors():
    """Where this machine has its packages of Debian 12 from, as lines of sources.list."""
    told = checked("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
    return sorted({"deb %s %s %s" % tuple(line.split()) for line in told.splitlines()
                   if re.search(r" bookworm\S* main$", line)}, key=lambda line: line.split()[2])


def why_no_chroot():
    if os.geteuid() != 0:
        return "only root makes a chroot"
    if shutil.which("mmdebstrap") is None:
        return "no mmdebstrap"
    lines = mirrors()
    if not lines:
        return "apt knows no mirror of Debian 12"
    _, site, release, _ = lines[0].split()
    try:
        urllib.request.urlopen("%s/dists/%s/InRelease" % (site, release), timeout=60).close()
    except (urllib.error.URLError, OSError) as problem:
        return "%s: %s" % (site, problem)
    return ""


def findings(report, severities="EW"):
    """What lintian found: its lines of these severities."""
    return re.findall(r"^[%s]: .*" % severities, report, re.M)


def package_of(path):
    return os.path.basename(path).partition("_")[0]


def read_tests(text):
    """Names of the tests that debian/tests/control lists, and what they need beside the packages of this tree."""
    names = re.findall(r"^Tests: (\S+)$", text, re.M)
    needed = {name.strip() for line in re.findall(r"^Depends: (.*)$", text, re.M) for name in line.split(",")}
    return names, sorted(needed - set(PACKAGES))


def repack(path, version, to):
    """The package once more, with another version of itself and of what it must come with."""
    tree = os.path.join(to, package_of(path))
    checked("dpkg-deb", "--raw-extract", path, tree)
    control = os.path.join(tree, "DEBIAN/control")
    with open(control, encoding="utf-8") as file:
        text = file.read()
    own = re.search(r"^Version: (.*)$", text, re.M).group(1)
    text = re.sub(r"^Version: .*$", "Version: " + version, text, flags=re.M)
    text = text.replace("(= %s)" % own, "(= %s)" % version).replace("(>= %s)" % own, "(>= %s)" % version)
    with open(control, "w", encoding="utf-8") as file:
        file.write(text)
    checked("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, to)
    shutil.rmtree(tree)


class Chroot:
    """A bare Debian 12, with mounts and processes of its own; nothing outside of it changes."""

    def __init__(self):
        self.maker = None

    def begin(self):
        """Makes it while the packages are compiled."""
        shutil.rmtree(ROOT, ignore_errors=True)
        with open(LOG, "w", encoding="utf-8") as log:
            self.maker = subprocess.Popen(
                ["mmdebstrap", "--quiet", "--mode=root", "--variant=apt", "--format=directory", "--dpkgopt=force-unsafe-io",
                 '--aptopt=Acquire::Languages "none"', "--skip=cleanup/apt", "bookworm", ROOT, *mirrors()],
                env=environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def finish(self):
        code = self.maker.wait(LIMIT_S)
        with open(LOG, encoding="utf-8") as log:
            assert code == 0, log.read()[-3000:]

    def enter(self, *command, network=False):
        """Runs a command inside; with a network of its own, or with that of apt."""
        outside = [] if network else [os.path.join(BUILD, "tests/isolate")]
        return run(*outside, "unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "sh", "-ec",
                   'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; mount -t tmpfs tmpfs "$0/tmp"; '
                   'exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 '
                   'DEBIAN_FRONTEND=noninteractive "$@"', ROOT, *command)

    def checked(self, *command, network=False):
        done = self.enter(*command, network=network)
        assert done.returncode == 0, "%s\n%s" % (" ".join(command), done.stdout[-5000:])
        return done.stdout

    def install(self, *what):
        """Without what is recommended: what is depended on has to do."""
        return self.checked("apt-get", "-q", "-y", "--no-install-recommends", "install", *what, network=True)

    def offer(self, directory, name):
        """Copies packages inside; returns their paths there."""
        inside = os.path.join(ROOT, name)
        os.makedirs(inside)
        for path in glob.glob(os.path.join(directory, "*.deb")):
            shutil.copy(path, inside)
        return sorted("/%s/%s" % (name, each) for each in os.listdir(inside))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if shutil.which("dpkg-buildpackage") is None or shutil.which("dh_girepository") is None:
            raise unittest.SkipTest("no debhelper, or no gobject-introspection")
        os.makedirs(PLACE, exist_ok=True)
        cls.chroot = Chroot()
        cls.reason = why_no_chroot()
        if not cls.reason:
            cls.chroot.begin()
        compilers = "/usr/lib/ccache:" if os.path.isdir("/usr/lib/ccache") else ""
        # Nobody reads debugging symbols here, which take time.
        checked(os.path.join(SOURCE, "bootstrap"), "deb", PLACE, env=environment(
            PATH=compilers + os.environ["PATH"], DEB_CFLAGS_STRIP="-g", DEB_CXXFLAGS_STRIP="-g"))
        if not cls.reason:
            cls.chroot.finish()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(ROOT, ignore_errors=True)

    def test_all_are_made(self):
        self.assertEqual(sorted(map(package_of, glob.glob(PLACE + "/*.deb"))), sorted(PACKAGES))

    @unittest.skipUnless(shutil.which("lintian"), "no lintian")
    def test_lintian_finds_nothing(self):
        changes, = glob.glob(PLACE + "/*.changes")
        done = run("lintian", "--allow-root", "--tag-display-limit", "0", changes)
        self.assertIn(done.returncode, (0, 2), done.stdout)
        self.assertEqual(findings(done.stdout), [], done.stdout)

    def test_what_lintian_finds_is_seen(self):
        report = "E: orrery: a\nW: orrery: b\nI: orrery: c\nN: d\n"
        self.assertEqual(findings(report), ["E: orrery: a", "W: orrery: b"])

    def test_in_a_bare_debian(self):
        """From the first installation to the last trace, in one chroot."""
        if self.reason:
            self.skipTest(self.reason)
        older = os.path.join(PLACE, "older")
        shutil.rmtree(older, ignore_errors=True)
        os.makedirs(older)
        for path in glob.glob(PLACE + "/*.deb"):
            repack(path, OLDER, older)
        self.chroot.install(*self.chroot.offer(older, "older"))
        with self.subTest("the older version runs"):
            self.chroot.checked("orrery", "run", "/usr/share/doc/orrery/examples/first_scene.py", "--ticks", "3", "--fast")
        with self.subTest("what the tests of the package need"):
            self.chroot.install(*self.read_control()[1])
        with self.subTest("upgrade"):
            self.chroot.install(*self.chroot.offer(PLACE, "newer"))
            versions = self.chroot.checked("dpkg-query", "-W", "-f", "${Version}\n", *PACKAGES).split()
            self.assertEqual(len(versions), len(PACKAGES))
            self.assertNotIn(OLDER, versions)
        self.try_it()
        self.miss_a_plugin()
        self.remove_it()

    def read_control(self):
        with open(os.path.join(SOURCE, "debian/tests/control"), encoding="utf-8") as file:
            return read_tests(file.read())

    def test_what_tests_need(self):
        text = "Tests: one\nDepends: make, orrery\n\nTests: two\nDepends: gcc, make, orrery-doc\n"
        self.assertEqual(read_tests(text), (["one", "two"], ["gcc", "make"]))

    def try_it(self):
        shutil.copytree(os.path.join(SOURCE, "debian/tests"), os.path.join(ROOT, "orrery-tests"))
        names, _ = self.read_control()
        self.assertGreaterEqual(len(names), 5)
        for name in names:
            with self.subTest(name):
                self.chroot.checked("/orrery-tests/" + name)
        with self.subTest("the site of the manual"):
            self.read_the_site()

    def read_the_site(self):
        """As it was installed, by a browser without a network: somebody looks for a word, and follows the first hit.
        The picture stays, for whoever wants to see it."""
        self.assertTrue(os.path.exists(SITE + "/index.html"))
        self.assertEqual([name for name in os.listdir(SITE) if name.endswith(".gz")], [])
        if not find_chromium():
            self.skipTest("no chromium; `./bootstrap check` installs it")
        with Browser("about:blank", 1200, 800) as page:
            page.call("Network.enable")
            page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
            page.open("file://%s/index.html" % SITE)
            page.wait("document.readyState === 'complete' && document.querySelector('h1').textContent.startsWith('Orrery')")
            page.run("document.querySelector('.sidebar-search').focus()")
            page.call("Input.insertText", text="gravity")
            page.press("Enter", text="\r")
            page.wait("document.readyState === 'complete' && document.querySelectorAll('#search-hits li').length > 3")
            page.picture(os.path.join(PLACE, "manual.png"))
            page.run("document.querySelector('#search-hits a').click()")
            page.wait("document.readyState === 'complete' && location.pathname.includes('/docs/')")
            self.assertIn("gravity", page.run("document.querySelector('article').textContent.toLowerCase()"))
            page.open("file://%s/c/index.html" % SITE)
            page.wait("document.readyState === 'complete' && document.title.includes('Orrery')")
            self.assertEqual(page.console, [])

    def miss_a_plugin(self):
        """The host names the package that was not installed, also where a scene does not say so itself."""
        with open(os.path.join(ROOT, "scene.json"), "w", encoding="utf-8") as file:
            file.write('{"orrery": 1, "environment": {"physics": "orrery.physics.mujoco.MuJoCo"},'
                       ' "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV"}]}')
        self.chroot.checked("orrery", "run", "/scene.json", "--ticks", "3", "--fast")
        self.chroot.checked("dpkg", "--purge", "orrery-plugins-extra")
        for command in ("check",), ("run", "--ticks", "3"):
            done = self.chroot.enter("orrery", *command, "/scene.json")
            self.assertEqual(done.returncode, 69, done.stdout)
            self.assertIn("it is in the package orrery-plugins-extra", done.stdout)
        again, = glob.glob(ROOT + "/newer/orrery-plugins-extra_*.deb")
        self.chroot.checked("dpkg", "--install", again[len(ROOT):])

    def find_ours(self):
        """Whatever has our name."""
        places = "/etc", "/opt", "/srv", "/usr", "/var/lib"
        return self.chroot.checked("find", *places, "-path", "*orrery*", "-print").splitlines()

    def remove_it(self):
        """What the packages list is gone, and so is what was made of it."""
        listed = [path for path in self.chroot.checked("dpkg", "-L", *PACKAGES).splitlines()
                  if os.path.lexists(ROOT + path) and not os.path.isdir(ROOT + path)]
        self.assertGreater(len(listed), 500)
        self.assertGreater(len(self.find_ours()), len(listed))
        self.chroot.checked("apt-get", "-q", "-y", "purge", *PACKAGES)
        self.assertEqual([path for path in listed if os.path.lexists(ROOT + path)], [])
        self.assertEqual(self.find_ours(), [])


if __name__ == "__main__":
    tap.main()
