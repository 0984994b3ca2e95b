# SPDX-License-Identifier: BSD-3-Clause
"""A worker with classes in Python: a process of its own, started by the host of a simulation, not by people."""

import os
import sys

if __name__ == "__main__":
    # The directory of this file comes first, and is the one place where its neighbours are not to be found.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.path.dirname(here)] + [path for path in sys.path
                                             if os.path.realpath(path) != os.path.realpath(here)]
    from orrery.run import main
    main(["worker"] + sys.argv[1:])
