# SPDX-License-Identifier: BSD-3-Clause
"""The scene that is being built, run in the same process: for programs, notebooks and the REPL."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Optional

from . import origins, session, writer
from .errors import BuilderError
from .values import count, positive

if TYPE_CHECKING:
    from orrery import Simulation

    from .environment import Environment


def load(environment: Environment, **options: Any) -> Simulation:
    """Completes the scene and loads it; its files go when the simulation does."""
    import orrery

    _refuse_in_a_script("load")
    environment.is_used = True
    environment.finish()
    directory = tempfile.mkdtemp(prefix="orrery-scene-")
    try:
        rows = writer.write(directory)
        try:
            simulation = orrery.load(directory, **options)
        except Exception as error:
            # A GLib.Error, which this package does not know: `orrery.Error` is what its codes are.
            message = getattr(error, "message", None)
            if message is not None:
                setattr(error, "message", origins.map_places(message, directory, rows))
            raise
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise
    weakref.finalize(simulation, shutil.rmtree, directory, ignore_errors=True)
    return simulation


def run(
    environment: Environment, for_: Optional[float], ticks: Optional[int], **options: Any
) -> Optional[Simulation]:
    """Loads the scene and runs it for seconds of simulated time, or for ticks."""
    if (for_ is None) == (ticks is None):
        raise BuilderError("Environment.run: want either for_ (seconds) or ticks")
    wanted = positive(for_, "Environment.run: for_") if for_ is not None else None
    steps = count(ticks, "Environment.run: ticks") if ticks is not None else 0
    if session.current().is_collecting:
        session.current().warn(
            "run", "Environment.run() has no effect here: the program that built it runs the scene"
        )
        return None
    simulation = load(environment, **options)
    if wanted is not None:
        steps = max(1, round(wanted * simulation.get_frequency()))
    simulation.step(steps)
    return simulation


def expect_use(environment: Environment) -> None:
    """Has a program told, at its end, that it built a scene for nothing."""
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    if main is None or not _is_same_file(main, environment.origin[0]):
        return
    if not session.current().is_collecting:
        # Of many scenes that a program forgets, none is kept for this.
        atexit.register(_say_unused, weakref.ref(environment), main)


def _is_same_file(one: str, other: str) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)


def _say_unused(reference: weakref.ReferenceType[Environment], main: str) -> None:
    environment = reference()
    # After an exception the reason is known.
    if environment is None or environment.is_used or getattr(sys, "last_type", None) is not None:
        return
    print(
        "%s:%d: the scene was built and not run: `orrery run %s` runs it, as does env.run(for_=10)"
        % (*environment.origin, main),
        file=sys.stderr,
    )


def new_scene() -> None:
    """Forgets what was built and begins another scene, on the same list of plugins."""
    _refuse_in_a_script("new_scene")
    session.begin(session.current().catalogue)


def _refuse_in_a_script(what: str) -> None:
    if session.current().is_collecting:
        raise BuilderError(
            "%s: a script makes one scene, and the program that built it runs it" % what
        )
