# SPDX-License-Identifier: BSD-3-Clause
"""The base class of request managers: takes calls from outside, and answers them, in words of its own."""

import logging
import uuid

from .. import _plugins, _roles
from .._values import GLib, Orrery, from_variant, to_variant
from . import adapters
from . import stage as stages
from .calls import result_of
from .errors import MorseMethodNotFoundError, MorseRPCNbArgsError, MorseRPCTypeError, MorseServiceError
from .services import SUCCESS
from .values import plain

logger = logging.getLogger("morse.core.request_manager")

NEEDED = ("initialization", "main")


class RequestManager:
    """A class of a user's has `initialization` and `main`, and the hooks that it wants.

    A service of the host is called in the phase of services, so that each request has an id, and is completed later, those
    that answer at once in the same tick.
    """

    def __init__(self):
        self._host = None
        self._services = {}  # (component, service) -> (function or None for the host's, whether it is asynchronous)
        self._pending_requests = {}  # id -> (component, service)
        self._completed_requests = {}  # id -> (status, value)
        self._calls = {}  # id -> call
        if not self.initialization():
            raise MorseServiceError("%s: initialization() has not returned True" % type(self).__name__)

    def __str__(self):
        return "Generic request manager"

    def initialization(self):
        """Whether it could begin."""
        raise NotImplementedError("%s has no initialization()" % type(self).__name__)

    def finalization(self):
        """At the end."""
        return True

    def post_registration(self, component_name, service_name, is_async):
        """For each service that can be reached, before the first `main`; whether callers can have it."""
        return True

    def on_service_completion(self, request_id, result):
        """A request has ended: `result` is (status, value)."""

    def main(self):
        """Once per tick, and never waits: takes requests in, writes answers."""
        raise NotImplementedError("%s has no main()" % type(self).__name__)

    def process(self):
        """What is called once per tick."""
        self._update_pending_calls()
        self.main()

    def register_service(self, component_name, callback, service_name=None, asynchronous=False):
        """Offers a function of the manager's own; one that is asynchronous gets as its first argument the function to call at its end."""
        if not callable(callback):
            logger.error("%s: %r is no function to offer", self, callback)
            return
        self._register(component_name, service_name or callback.__name__, callback, asynchronous)

    def register_async_service(self, component_name, callback, service_name=None):
        self.register_service(component_name, callback, service_name, True)

    def _register(self, component, service, function, is_async):
        self._services[component, service] = (function, is_async)
        if not self.post_registration(component, service, is_async):
            logger.info("%s: the service %s of %s is not offered", self, service, component)

    def services(self):
        """Component -> names of services."""
        found = {}
        for component, service in self._services:
            found.setdefault(component, []).append(service)
        return found

    def on_incoming_request(self, component, service, params):
        """(True, (status, value)) of what is answered, (False, id) of what `on_service_completion` will be called with."""
        try:
            function, is_async = self._services[component, service]
        except KeyError:
            raise MorseMethodNotFoundError(
                "The request %s has not been registered in %s" % (service, self)) from None
        params = list(params or [])
        if function is None:
            return False, self._ask_host(component, service, params)
        if not is_async:
            return True, (SUCCESS, self._call(function, service, params))
        request = uuid.uuid4()
        self._pending_requests[request] = (component, service)
        try:
            self._call(function, service, [lambda result: self._complete(request, result)] + params)
        except Exception:
            del self._pending_requests[request]
            self._completed_requests.pop(request, None)
            raise
        return False, request

    def _call(self, function, service, params):
        try:
            return function(*params)
        except TypeError as error:
            kind = MorseRPCTypeError if params else MorseRPCNbArgsError
            raise kind("%s: service %s: %s" % (self, service, error)) from None

    def _ask_host(self, component, service, params):
        request = uuid.uuid4()
        try:
            arguments = GLib.Variant("av", [to_variant(plain(each)) for each in params])
        except (TypeError, ValueError, OverflowError) as error:
            raise MorseRPCTypeError("%s: service %s: %s" % (self, service, error)) from None
        self._pending_requests[request] = (component, service)
        self._calls[request] = _roles.manager_submit(self._host, component, service, arguments,
                                                     lambda call, *_: self._complete(request, result_of(call)))
        return request

    def _complete(self, request, result):
        if request in self._pending_requests:
            self._completed_requests[request] = result if isinstance(result, tuple) else (result, None)

    def _update_pending_calls(self):
        """Tells of what has ended."""
        while self._completed_requests:
            request, result = next(iter(self._completed_requests.items()))
            del self._completed_requests[request]
            self._pending_requests.pop(request, None)
            self._calls.pop(request, None)
            self.on_service_completion(request, result)

    def abort_request(self, request_id):
        """Interrupts what is running; its end is reported as usual."""
        component, _ = self._pending_requests[request_id]
        call = self._calls.get(request_id)
        if call is not None:
            call.cancel()
            return
        part = stages.need().find_part(component)
        if part is not None:
            part.interrupt()


def guard(self, code, *arguments):
    """What its code raises is said once, and the run goes on."""
    try:
        stages.enter(self._stage, part=self)
        code(*arguments)
    except BaseException as error:
        words = str(error)
        if words not in self._said:
            self._said.add(words)
            _plugins.warn(self, error)


def do_setup(self, setup):
    try:
        self._stage, self._said = stages.stage_of(setup.get_world()), set()
        cls = type(self)._morse_class
        for name in NEEDED:
            if getattr(cls, name) is getattr(RequestManager, name):
                raise TypeError("%s has no %s(), which a request manager needs" % (cls.__name__, name))
    except BaseException as error:
        raise _plugins.fault(self, error, Orrery.Error.CONFIG) from None


def do_start(self):
    """Not at setup: a scene that is only looked at opens no port."""
    try:
        stages.enter(self._stage, part=self)
        manager = type(self)._morse_class()
        manager._host, self._morse = self, manager
        for component, service, flags in from_variant(self.list_services()):
            if (component, service) not in manager._services:
                manager._register(component, service, None, flags != Orrery.ServiceFlags.IMMEDIATE)
    except BaseException as error:
        raise _plugins.fault(self, error, Orrery.Error.CONFIG) from None


def do_intake(self):
    guard(self, self._morse.process)


def do_flush(self):
    guard(self, self._morse._update_pending_calls)


def do_close(self):
    manager = self.__dict__.pop("_morse", None)
    if manager is not None:
        guard(self, manager.finalization)


adapters.ROLES.append((RequestManager, Orrery.RequestManager, {
    "do_setup": do_setup, "do_start": do_start, "do_intake": do_intake, "do_flush": do_flush, "do_close": do_close}))
