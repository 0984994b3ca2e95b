# SPDX-License-Identifier: BSD-3-Clause
"""`morse.helpers.colors` of older releases: words for a terminal, which come back as they are. Today components log."""

import logging

WORDS = ("bold", "error", "fail", "failure", "header", "info", "ok", "success", "title", "warn", "warning")
logger = logging.getLogger("morse.helpers.colors")
said = set()


def paint(text="", *_given, **_named):
    """The text, without a colour."""
    return text


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if not said:
        said.add(name)
        logger.warning("morse.helpers.colors is of older releases and colours nothing: today it is logging.getLogger ()")
    return paint


def __dir__():
    return list(WORDS)
