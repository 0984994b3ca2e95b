# SPDX-License-Identifier: BSD-3-Clause
"""What Sphinx makes the manual with. build.py lays out its source, and sets the version."""

import os

project = "Orrery"
author = copyright = "the developers of Orrery"
version = release = os.environ["ORRERY_VERSION"]

extensions = ["myst_parser"]
root_doc = "index"
# Links to a heading work down to `####`.
myst_heading_anchors = 4
highlight_language = "none"
smartquotes = False

html_theme = "furo"
html_title = "Orrery " + release
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_theme_options = {"navigation_with_keys": True}
html_show_sphinx = False
html_copy_source = False

# Of Sphinx 5, for pages with scripts of older days; no script of this theme calls them.
UNUSED = ("jquery.js", "underscore.js", "_sphinx_javascript_frameworks_compat.js")


def leave_out_scripts(app):
    builder = app.builder
    builder.script_files = [each for each in builder.script_files if os.path.basename(each.filename or "") not in UNUSED]


def remove_scripts(app, error):
    for name in UNUSED:
        path = os.path.join(app.outdir, "_static", name)
        if error is None and os.path.exists(path):
            os.remove(path)


def setup(app):
    app.connect("builder-inited", leave_out_scripts)
    app.connect("build-finished", remove_scripts)
