# SPDX-License-Identifier: BSD-3-Clause
"""Services of components in C, called by overlays of MORSE."""

from .._faults import warn
from .._values import GLib, Orrery, from_variant, to_variant
from .errors import MorseRPCInvokationError
from .services import FAILED, PREEMPTED, SUCCESS
from .values import plain


def start(host, name, arguments):
    return host.start(name, GLib.Variant("av", [to_variant(plain(each)) for each in arguments]))


def call_now(host, name, arguments):
    """The value; what the service refuses is raised."""
    call = start(host, name, arguments)
    if not call.is_done():
        raise MorseRPCInvokationError("%s is not answered at once" % name)
    try:
        return from_variant(call.get_result())
    except GLib.Error as error:
        raise MorseRPCInvokationError(error.message) from None


def call_long(overlaid, host, name, callback, arguments):
    """Begins; the callback is called at the end."""
    call = start(host, name, arguments)
    overlaid.on_completion = call

    def done(*_given):
        if overlaid.on_completion is call:
            overlaid.on_completion = None
        try:
            callback(result_of(call))
        except BaseException as error:
            warn("%s: %s: %s" % (host.get_name(), type(error).__name__, error))
    call.set_done_func(done, None)
    return True


def result_of(call):
    try:
        return SUCCESS, from_variant(call.get_result())
    except GLib.Error as error:
        if error.matches(Orrery.error_quark(), Orrery.Error.PREEMPTED):
            return PREEMPTED, None
        return FAILED, error.message
