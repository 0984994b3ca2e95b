# SPDX-License-Identifier: BSD-3-Clause
"""What one run of a script has made so far, and where in the script it was made.

Builder scripts name no scene: whatever they construct belongs to the one that is being built. So
there is one session per process; the runner begins it, constructors find it by `current ()`.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, Callable, Dict, Hashable, List, Optional, Set, Tuple, TypeVar, cast

from . import catalogue as catalogues
from .errors import BuilderError, MissingError, MissingList

if TYPE_CHECKING:
    from .abstractcomponent import AbstractComponent
    from .environment import Environment
    from .materials import Material

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep

Origin = Tuple[str, int]
_Method = TypeVar("_Method", bound=Callable[..., Any])


class Session:
    """Components, environment and configuration tables of the scene under construction.

    One that collects keeps what is missing for the end, so that all of it is reported at once;
    else it is raised where it is found.
    """

    def __init__(
        self, catalogue: Optional[catalogues.Catalogue] = None, collecting: bool = False
    ) -> None:
        self._catalogue = catalogue
        self._collecting = collecting
        self.components: List[AbstractComponent] = []  # in the order of construction
        self.n_created = 0  # components, those that were deleted included
        #: Whether the script takes the builder by MORSE's name, and expects what MORSE does.
        self.is_morse = False
        self.environment: Optional[Environment] = None
        # Component or full name -> entries; the tables of component_config.
        self.datastream: Dict[Any, List[Any]] = {}
        self.modifier: Dict[Any, List[Any]] = {}
        self.service: Dict[Any, List[str]] = {}
        self.overlay: Dict[str, Dict[Any, List[Any]]] = {}  # request manager -> component -> entry
        self.stream_manager: Dict[str, Dict[str, Any]] = {}
        self.frequency: Dict[Any, float] = {}  # component -> Hz, as asked for
        #: Where in the script the entries of the tables were said, by what names an entry.
        self.origins: Dict[Tuple[Any, ...], Optional[Origin]] = {}
        self.texts: List[Any] = []  # of bpymorse.new_text
        self.speed: Dict[str, Any] = {}  # of bpymorse.set_speed before there was an Environment
        self.materials: Dict[str, Material] = {}  # that the script has made, by name
        self.file_materials: Dict[str, Material] = {}  # of files, whose colours the script has set
        self.left_out: List[Any] = []  # robots that other nodes run
        self.missing: List[MissingError] = []
        self.absent: Dict[str, Origin] = {}  # modules that cannot be found, and who imports them
        self.paths: Optional[List[str]] = None  # sys.path before the script's first line
        self._warned: Set[Hashable] = set()

    @property
    def catalogue(self) -> catalogues.Catalogue:
        """What there is to build with; the host is asked at the first use."""
        if self._catalogue is None:
            self._catalogue = catalogues.ask()
        return self._catalogue

    @property
    def is_collecting(self) -> bool:
        """Whether a script is run to its end, whatever it finds missing."""
        return self._collecting

    def warn(self, key: Hashable, message: str, where: Optional[Origin] = None) -> None:
        """Says on stderr what has no effect, once for each key; `where`: not at this statement."""
        if key in self._warned:
            return
        self._warned.add(key)
        where = where or origin()
        place = "%s:%d: " % where if where else ""
        print("%swarning: %s" % (place, message), file=sys.stderr)

    def check_warnings(self) -> None:
        """Raises an error if there was a warning."""
        n = len(self._warned)
        if n > 0:
            raise BuilderError("--strict: %d warning%s of the script" % (n, "" if n == 1 else "s"))

    def miss(self, error: MissingError) -> None:
        """Keeps the error for the list at the end, each once; raises it where none is kept."""
        if not self._collecting:
            raise error
        if str(error) in (str(known) for known in self.missing):
            return
        error.origin = error.origin or origin()
        error.add_frames(own_stack())
        self.missing.append(error)

    def add(self, component: AbstractComponent) -> int:
        """Takes a component that is being constructed; returns how many there were before it."""
        self.components.append(component)
        self.n_created += 1
        return self.n_created - 1

    def check_missing(self) -> None:
        """Raises what was found missing, all of it."""
        if len(self.missing) == 1:
            raise self.missing[0]
        if self.missing:
            raise MissingList(self.missing)


def added_paths() -> List[str]:
    """Where modules are looked for since the script began: what it has put into `sys.path`."""
    begun = current().paths
    return [os.path.abspath(place) for place in sys.path if begun is not None and place not in begun]


_current = Session()


def current() -> Session:
    """The session of this process."""
    return _current


def begin(
    catalogue: Optional[catalogues.Catalogue] = None, collecting: bool = False
) -> Session:
    """Forgets what was built and starts anew."""
    global _current
    _current = Session(catalogue, collecting)
    return _current


def is_ours(filename: str) -> bool:
    """Whether it is a file of the builder, or of Python's own start."""
    return filename.startswith(PACKAGE) or filename.startswith("<frozen ")


def origin() -> Optional[Origin]:
    """(file, line) of the script's statement that led here; None outside of a script."""
    frame = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back  # type: ignore[assignment]
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None


def own_stack() -> List[traceback.FrameSummary]:
    """The script's frames on the way here, the outermost first."""
    return [frame for frame in traceback.extract_stack() if not is_ours(frame.filename)]


def collects(method: _Method) -> _Method:
    """Of a method: what it finds missing is kept for the end, and ends the method alone.

    A component whose class is missing lets such methods pass.
    """

    @functools.wraps(method)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(self, "is_lost", False):
            return None
        try:
            return method(self, *args, **kwargs)
        except MissingError as error:
            current().miss(error)
            return None

    return cast(_Method, wrapper)


def is_builders(thing: Any) -> bool:
    """Whether it is a thing of the builder's classes."""
    return any(
        base.__module__.startswith(__package__ or "-") and base.__module__ != "builtins"
        for base in type(thing).__mro__
    )
