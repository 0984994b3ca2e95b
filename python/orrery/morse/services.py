# SPDX-License-Identifier: BSD-3-Clause
"""What makes a method a service, and the rules of those that take longer."""

import functools
import logging

from .errors import MorseRPCInvokationError, MorseServiceAlreadyRunningError

logger = logging.getLogger("morse.core.services")

SUCCESS, FAILED, PREEMPTED = "SUCCESS", "FAILED", "PREEMPTED"


def mark(function, name, is_async):
    function._morse_service = True
    function._morse_service_name = name
    function._morse_service_is_async = is_async
    return function


def refuse_free(function, component):
    logger.warning("%s: a service of %s that belongs to no class is not offered", function.__name__, component)
    return function


def service(fn=None, component=None, name=None, asynchronous=False):
    """Makes a method a service that answers when it returns."""
    if fn is None:
        return functools.partial(service, component=component, name=name, asynchronous=asynchronous)
    if asynchronous:
        return async_service(fn, component, name)
    return mark(fn, name, False) if component is None else refuse_free(fn, component)


def async_service(fn=None, component=None, name=None):
    """Makes a method a service that only begins something: `completed` answers. Called directly, it takes a function
    first that is called at the end with (status, result)."""
    if fn is None:
        return functools.partial(async_service, component=component, name=name)
    if component is not None:
        return refuse_free(fn, component)

    @functools.wraps(fn)
    def start(self, callback, *arguments):
        begin(self, callback, start)
        running = self.on_completion
        try:
            fn(self, *arguments)
        except BaseException:
            if self.on_completion is running:
                self.on_completion = None
            raise
        return True
    return mark(start, name, True)


def interruptible(fn):
    """Another asynchronous service of the component may take its place."""
    fn._morse_service_interruptible = True
    return fn


def noninterruptible(fn):
    """While it runs, the component refuses other asynchronous services."""
    fn._morse_service_interruptible = False
    return fn


def do_service_registration(fn, component_name=None, service_name=None, asynchronous=False, request_managers=None):
    """Adds a service to a component that is set up: the host knows those of a class, and no more come in a run."""
    logger.warning("%s.%s: a service that its class does not declare is not offered", component_name,
                   service_name or fn.__name__)


class Completion:
    """What `on_completion` is while a service runs: it is called at the end, and knows the service."""

    def __init__(self, callback, service):
        self.callback, self.service = callback, service

    def __call__(self, result):
        if self.callback is not None:
            self.callback(result if isinstance(result, tuple) else (result, None))


def begin(part, callback, function):
    """One asynchronous service at a time: the one that runs gives way if it may be interrupted."""
    running = part.on_completion
    if running is not None:
        policy = getattr(getattr(running, "service", None), "_morse_service_interruptible", None)
        name = getattr(getattr(running, "service", None), "__name__", "?")
        if policy is None:
            raise MorseServiceAlreadyRunningError(
                running.service, "A service (%s) is already running. I do not know what to do." % name)
        if not policy:
            raise MorseRPCInvokationError("A non-interruptible service (%s) is already running" % name)
        part.interrupt()
    part.on_completion = Completion(callback, function)


def services_of(cls):
    """The marked methods of a class by the names that callers use."""
    found = {}
    for attribute in dir(cls):
        function = getattr(cls, attribute, None)
        if getattr(function, "_morse_service", False):
            found[function._morse_service_name or function.__name__] = (attribute, function)
    return found
