# SPDX-License-Identifier: BSD-3-Clause
"""Prints where this interpreter looks for packages of a prefix: site_directory.py PREFIX"""

import os
import site
import sys


def find(prefix):
    """One of its own directories, also of the user, if one is below the prefix; else where Python itself puts packages."""
    for known in [*site.getsitepackages(), site.getusersitepackages()]:
        if os.path.realpath(known).startswith(os.path.join(os.path.realpath(prefix), "lib", "python")):
            return known
    return os.path.join(prefix, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")


if __name__ == "__main__":
    print(find(sys.argv[1]))
