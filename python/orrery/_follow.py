# SPDX-License-Identifier: BSD-3-Clause
"""What a component passes on, as it comes: callbacks, and outputs that tasks follow."""

import collections

from . import _faults, _plugins
from ._values import Orrery

# An output that nobody reads keeps so many records, and drops the oldest.
MAX_WAITING = 1000


class Sample(dict):
    """A record as it was: a dictionary whose keys are attributes, too."""

    __slots__ = ()

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("no field %s; there is: %s" % (name, ", ".join(self))) from None


def sample_of(component):
    view = _plugins.view(component)
    plain, data = view._plain, component.data
    return Sample((name, getattr(view, name) if name in plain else data[name]) for name in view.keys())


class Subscription:
    """Calls a function for each record, in the thread that steps, until `end ()`, or the end of a `with`.

    What the function raises ends it, too: it is told once in the log, and kept as `error`.
    """

    def __init__(self, simulation, component, function):
        if not callable(function):
            raise TypeError("%r cannot be called" % (function,))
        self.error = None
        self._simulation = simulation.weak_ref()
        self._name = "tick" if component is None else component.get_name()
        arguments = () if component is None else (_plugins.view(component),)

        def tell(*_):
            try:
                function(*arguments)
            except BaseException as error:
                self._fail(error)
        self._id = simulation_subscribe(simulation, component, tell)

    def __repr__(self):
        return "<subscription to %s%s>" % (self._name, "" if self.active else ", ended")

    @property
    def active(self):
        return self._id != 0

    def end(self):
        """No call begins afterwards. Any thread."""
        simulation, number, self._id = self._simulation(), self._id, 0
        if simulation is not None and number:
            simulation_unsubscribe(simulation, number)

    def _fail(self, error):
        self.error = error
        self.end()
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            _faults.interrupted = error
            return
        place = _faults.find_place(error)
        _faults.warn("%s: %s%s: its subscription ends"
                     % (self._name, place + ": " if place else "", _faults.describe(error)))

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.end()


def subscribe(component, function):
    """Calls the function with the component's record after each of its steps; ends with what this returns."""
    from ._native import simulation_of
    return Subscription(simulation_of(component), component, function)


def on_tick(simulation, function):
    """Calls the function after each tick; it may do whatever may be done between two of them."""
    return Subscription(simulation, None, function)


class Output:
    """The records that a component passes on from now, in their order: `yield until (output)` waits for the next.

    It keeps the last thousand that nobody took; `dropped` counts the others. Any thread may take them.
    """

    def __init__(self, component):
        self.dropped = 0
        self._waiting = collections.deque()
        self._component = component
        self._subscription = subscribe(component, self._take)

    def _take(self, _view):
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft()
            self.dropped += 1
        self._waiting.append(sample_of(self._component))

    def __len__(self):
        return len(self._waiting)

    def poll(self):
        """Whether there is one, and the one."""
        return (True, self._waiting.popleft()) if self._waiting else (False, None)

    def __iter__(self):
        """Those that are there by now."""
        while self._waiting:
            yield self._waiting.popleft()

    def end(self):
        """No record is kept afterwards."""
        self._subscription.end()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.end()


def follow(component):
    """The records that the component passes on from now, in their order."""
    return Output(component)


def extend():
    global simulation_subscribe, simulation_unsubscribe
    simulation_subscribe = Orrery.Simulation.subscribe
    simulation_unsubscribe = Orrery.Simulation.unsubscribe
    Orrery.Simulation.on_tick = on_tick
    Orrery.Component.subscribe = subscribe
    Orrery.Component.follow = follow
