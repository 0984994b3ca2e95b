# SPDX-License-Identifier: BSD-3-Clause
"""Builds the manual, a site that is read from its files, without a server or a network.

    build.py SOURCE BUILD VERSION OUTPUT [--without-c]

SOURCE is this tree, BUILD its build tree, which has the pages made from the plugins and what bindings
know of the C API, the source of the reference below c/ (--without-c: there is none). Sphinx reads a
folder of its own, laid out as the tree is, so that the links of the pages hold. Each warning, such
as one of a link that leads nowhere, is an error. The same input gives the same bytes."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import manual_index  # noqa: E402

# Beside docs/: pages, and the files that pages link to.
PAGES = "README.md", "CONTRIBUTING.md", "SECURITY.md"
FOLDERS = "examples", "docs/pictures", "docs/gallery", "docs/course"

# Runs that the site plays, in runs/: the scene, its length in s, and where its plugins are.
RUNS = {"tower": ("examples/tower.json", 6), "patrol": ("examples/patrol.json", 12)}
PLUGINS = "examples/plugins"
PAGE = "share/orrery-1/viewer/page.js"

# What Debian's packages of it are called.
MODULES = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser", "furo": "furo"}
PROGRAMS = {"esbuild": "esbuild", "gi-docgen": "gi-docgen"}
GIR = "share/gir-1.0/Orrery-1.gir"
# Debian's furo has its style sheet import this one from a web server.
NORMALIZE = "/usr/share/javascript/normalize.css/normalize.css"


def find_missing():
    """The packages that are not there."""
    return [package for module, package in MODULES.items() if importlib.util.find_spec(module) is None] + \
        [package for program, package in PROGRAMS.items() if shutil.which(program) is None] + \
        ([] if os.path.exists(NORMALIZE) else ["node-normalize.css"])


def can_run(build):
    return all(os.path.exists(os.path.join(build, name)) for name in ("orrery", PAGE, PLUGINS))


def record_runs(source, build, to):
    os.mkdir(to)
    for name, (scene, length) in RUNS.items():
        subprocess.check_call([os.path.join(build, "orrery"), "run", os.path.join(source, scene), "--for", str(length), "--fast",
                               "--offline", "--quiet", "--plugin-dir", os.path.join(build, PLUGINS),
                               "--page", os.path.join(to, name + ".html")])


def lay_out(source, build, to):
    """Fills the folder `to` with what Sphinx reads."""
    for folder in FOLDERS:
        shutil.copytree(os.path.join(source, folder), os.path.join(to, folder))
    docs = os.path.join(source, "docs")
    for name in sorted(os.listdir(docs)):
        if name.endswith((".md", ".png")):
            shutil.copy(os.path.join(docs, name), os.path.join(to, "docs", name))
    for name in PAGES:
        shutil.copy(os.path.join(source, name), os.path.join(to, name))
    for name in os.listdir(os.path.join(build, "docs")):
        if manual_index.MADE.fullmatch(name):
            shutil.copy(os.path.join(build, "docs", name), os.path.join(to, "docs", name))
    with open(os.path.join(docs, "manual", "index.md"), encoding="utf-8") as file:
        text = file.read()
    if not can_run(build):
        text = re.sub(r"```\{raw\} html\n.*?^```\n", "", text, flags=re.S | re.M)
    # Of a build without introspection there are no pages of what Python has of the C library.
    text = re.sub(r"^docs/python-\w+\n", lambda match: match[0] if os.path.exists(
        os.path.join(to, match[0].strip() + ".md")) else "", text, flags=re.M)
    with open(os.path.join(to, "index.md"), "w", encoding="utf-8") as file:
        file.write(text)


def make_index(pages, site):
    """The records of the index of `orrery help WORD`, each with the address of its heading on the site."""
    records = []
    docs = os.path.join(pages, "docs")
    for name in manual_index.in_order(name for name in os.listdir(docs) if name.endswith(".md")):
        page = manual_index.Page(os.path.join(docs, name))
        address = "docs/" + name[:-3] + ".html"
        with open(os.path.join(site, address), encoding="utf-8") as file:
            sections = re.findall(r'<section id="([^"]+)"', file.read())
        if len(sections) != len(page.all_anchors):
            raise ValueError("%s: %d headings, and %d on the site" % (name, len(page.all_anchors), len(sections)))
        places = dict(zip(page.all_anchors, sections))
        records += [record + (address + "#" + places[record[1]] if record[1] else address,) for record in page.records]
    return records


def give_search(pages, site):
    """The index of the site in place of Sphinx's own, as a script: a page read as a file may load no data."""
    with open(os.path.join(site, "_static", "manual-index.js"), "w", encoding="utf-8") as file:
        file.write("const manualIndex = %s;\n" % json.dumps(make_index(pages, site), ensure_ascii=False, indent=0))
    os.remove(os.path.join(site, "searchindex.js"))
    for name in "searchtools.js", "language_data.js":
        os.remove(os.path.join(site, "_static", name))


def join(site):
    """A page that is read as a file loads no modules, and has no server: what the theme imports becomes part of it."""
    scripts = os.path.join(site, "_static", "scripts")
    subprocess.check_call(["esbuild", "furo.js", "--bundle", "--format=iife", "--log-level=warning", "--allow-overwrite",
                           "--outfile=furo.js"], cwd=scripts)
    os.remove(os.path.join(scripts, "gumshoe-patched.js"))
    style = os.path.join(site, "_static", "styles", "furo.css")
    with open(style, encoding="utf-8") as file, open(NORMALIZE, encoding="utf-8") as first:
        text = file.read().replace("@import url(/javascript/normalize.css/normalize.css);", first.read())
    with open(style, "w", encoding="utf-8") as file:
        file.write(text)


def make_reference(source, gir, version, to):
    """The reference of the C API; something without a description ends it."""
    with open(os.path.join(source, "docs", "manual", "c-reference.toml"), encoding="utf-8") as file:
        text = file.read().replace("@VERSION@", version)
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as config:
        config.write(text)
        config.flush()
        for command in (["check"], ["generate", "--no-namespace-dir", "--output-dir", to]):
            subprocess.check_call(["gi-docgen", command[0], "--quiet", "--fatal-warnings", "--config", config.name,
                                   *command[1:], gir])


def make(source, build, version, output, with_reference=True):
    """Replaces the folder `output`; its exit status is that of Sphinx."""
    with tempfile.TemporaryDirectory(prefix="orrery-manual-") as work:
        pages, site = os.path.join(work, "source"), os.path.join(work, "html")
        os.mkdir(pages)
        lay_out(source, build, pages)
        status = subprocess.call(
            [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-j", "auto",
             "-c", os.path.join(source, "docs", "manual"), "-d", os.path.join(work, "doctrees"), pages, site],
            env=dict(os.environ, ORRERY_VERSION=version, LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1",
                     PYTHONHASHSEED="0"))
        if status == 0:
            join(site)
            give_search(pages, site)
            if can_run(build):
                record_runs(source, build, os.path.join(site, "runs"))
            if with_reference:
                make_reference(source, os.path.join(build, GIR), version, os.path.join(site, "c"))
            os.remove(os.path.join(site, ".buildinfo"))
            shutil.rmtree(output, ignore_errors=True)
            shutil.copytree(site, output)
        return status


def main(arguments):
    without_reference = arguments[4:] == ["--without-c"]
    if len(arguments) != 4 and not without_reference:
        return __doc__
    if find_missing():
        return "the manual needs these packages: " + " ".join(find_missing())
    if not without_reference and not os.path.exists(os.path.join(arguments[1], GIR)):
        return "the reference of the C API needs a build with gobject-introspection; --without-c leaves it out"
    return make(*arguments[:4], with_reference=not without_reference)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
