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
