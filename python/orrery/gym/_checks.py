# SPDX-License-Identifier: BSD-3-Clause
"""What may be given to an environment: told when it is made, not in the middle of an episode."""

import collections.abc

import numpy

from .. import _episodes
from .._values import GLib, Orrery

MAX_TICKS = 10 ** 9
# Of one process: ORRERY_VECTOR_MAX_SIMULATIONS.
MAX_SIMULATIONS = 65536
SEED_LIMIT = 2 ** 64


def is_whole(value):
    return isinstance(value, (int, numpy.integer)) and not isinstance(value, bool)


def check_whole(name, value, most):
    if not (is_whole(value) and 1 <= value <= most):
        raise ValueError("%s: %r is no whole number from 1 to %d" % (name, value, most))
    return int(value)


def check_processes(num_envs, processes, timeout, memory_limit):
    if _episodes.in_worker:
        raise RuntimeError("a worker process runs the program again to find on_reset: what makes environments in it "
                           "belongs under `if __name__ == \"__main__\":`, or the function into a module")
    if processes is not None and not (is_whole(processes) and 1 <= processes <= num_envs):
        raise ValueError("processes: %r for %d environments: it is 1 to as many" % (processes, num_envs))
    if timeout is not None and processes is None:
        raise ValueError("timeout: it is for processes, which are not given: processes=2")
    if timeout is not None and not 0 < timeout < numpy.inf:
        raise ValueError("timeout: %r is no number of seconds above 0" % (timeout,))
    if memory_limit is not None and processes is None:
        raise ValueError("memory_limit: it is for processes, which are not given: processes=2")
    if memory_limit is not None:
        check_whole("memory_limit", memory_limit, 2 ** 63 - 1)


def check_mode(modes, mode):
    try:
        return modes(mode)
    except ValueError:
        raise ValueError("autoreset_mode: %r is none of %s" % (mode, ", ".join(each.value for each in modes))) from None


def check_dtype(dtype):
    """Observations are fractions, and NaN where there is nothing."""
    if numpy.dtype(dtype).kind != "f":
        raise ValueError("dtype: %s is no kind of floating-point numbers, as numpy.float32 is" % numpy.dtype(dtype))
    return numpy.dtype(dtype)


def check_rules(rules, on_reset):
    for name, rule in rules.items():
        if not (rule is None or isinstance(rule, str) or callable(rule)):
            raise TypeError("%s: an expression or a function, not %r" % (name, rule))
    if on_reset is not None and not callable(on_reset):
        raise TypeError("on_reset: a function of a simulation and a generator of NumPy, not %r" % (on_reset,))


def check_values(values, taken):
    """Expressions by name."""
    if values is None:
        return {}
    if not isinstance(values, collections.abc.Mapping) or not all(isinstance(name, str) for name in values):
        raise TypeError("values: a dictionary of expressions by name, as {'far': 'robot.pose.x'}, not %r" % (values,))
    for name, expression in values.items():
        if name in taken:
            raise ValueError("values: %s is a name of the environment's own" % name)
        if not isinstance(expression, (str, int, float)):
            raise TypeError("values: %s: an expression, not %r" % (name, expression))
    return dict(values)


def name_expression(error, expressions):
    """The same error, with the option in front whose expression it is about."""
    for name, expression in expressions.items():
        if ("%.80s: column " % expression) in error.message:
            return GLib.Error("%s: %s" % (name, error.message), error.domain, error.code)
    return error


def check_known(options, own):
    """Those of `orrery.load` are looked at by it; what is near to one of the environment's own is told here."""
    known = [each.name.replace("-", "_") for each in Orrery.Options.list_properties()] + ["set"]
    for name in options:
        if name.replace("-", "_") not in known:
            raise TypeError("no option %s%s" % (name, Orrery.nearest_names(name, sorted(own) + known)))


def to_numbers(actions, shape, what="actions", have="have"):
    """What a learner gives, as an array of doubles."""
    try:
        given = numpy.asarray(actions, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("%s: an array of numbers of the shape %s, not %.80r" % (what, shape, actions)) from None
    if given.shape != shape:
        raise ValueError("%s %s the shape %s, not %s" % (what, have, given.shape, shape))
    return given


def to_fields(what, fields):
    """A list of full names; one may stand for itself."""
    names = [fields] if isinstance(fields, str) else fields
    names = list(names) if isinstance(names, collections.abc.Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise TypeError("%s: full names of fields, as ['robot.pose.x'], not %r" % (what, fields))
    return names


def to_bounds(field, bounds):
    """Two numbers, which the space of actions has in single precision."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise ValueError("act: %s: its bounds are two numbers, as (-1, 1)" % field) from None
    largest = numpy.finfo(numpy.float32).max
    if not (abs(low) <= largest and abs(high) <= largest and low < high):
        raise ValueError("act: %s: %g to %g are no bounds" % (field, low, high))
    return low, high


def to_seeds(seed, n):
    """A list with a seed or None for each environment."""
    if is_whole(seed):
        seed = [int(seed) + i for i in range(n)]
    if isinstance(seed, (str, bytes)) or not isinstance(seed, (collections.abc.Sequence, numpy.ndarray)):
        raise ValueError("seed: %r is no whole number from 0 to 2**64 - 1, and no list of them" % (seed,))
    if len(seed) != n:
        raise ValueError("seed: a list of %d for %d environments" % (len(seed), n))
    for each in seed:
        if each is not None and not (is_whole(each) and 0 <= each < SEED_LIMIT):
            raise ValueError("seed: %r is no whole number from 0 to 2**64 - 1" % (each,))
    return [None if each is None else int(each) for each in seed]


def check_options(options):
    """Of a reset."""
    if options is not None and not isinstance(options, collections.abc.Mapping):
        raise TypeError("options: a dictionary, as {'reset_mask': mask}, not %r" % (options,))
    for name in options or ():
        if name != "reset_mask":
            raise ValueError("options: %r is none of a reset, which has 'reset_mask'" % (name,))
    return options or {}


def to_ends(given):
    """Numbers as truth values: as in expressions, NaN is false."""
    return given != 0 if given.dtype.kind != "f" else (given != 0) & ~numpy.isnan(given)
