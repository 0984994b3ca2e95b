# SPDX-License-Identifier: BSD-3-Clause
"""Which package of the distribution has a module that is not installed; the host says so by the same table."""

import os

# Of the prefix that this package lies in: PREFIX/share/orrery-1/python/orrery, or a link to it as deep below PREFIX/lib.
TABLE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 5,
                                      "share", "orrery-1", "packages"))


def package_words(module: str) -> str:
    """What a message says at its end; empty if no package is known to have it."""
    try:
        with open(TABLE, encoding="utf-8") as file:
            packages = dict(line.split(maxsplit=1) for line in file.read().splitlines() if " " in line.strip())
    except (OSError, ValueError):
        return ""
    return "; it is in the package %s" % packages[module] if module in packages else ""
