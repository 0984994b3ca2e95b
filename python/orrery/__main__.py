# SPDX-License-Identifier: BSD-3-Clause
"""`python3 -m orrery COMMAND ...`: the program `orrery` in Python."""

import sys

from .run import main

main(sys.argv[1:])
