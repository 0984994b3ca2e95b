# SPDX-License-Identifier: BSD-3-Clause
"""The base classes of modifiers, datastreams, their managers and overlays: what is no component itself."""

import json
import logging

from . import stage as stages
from .components import AbstractObject

from .values import plain

logger = logging.getLogger("morse.middleware")


class AbstractModifier:
    """Changes the data of a component: after a sensor's step, or before an actuator's."""

    def __init__(self, component_instance, kwargs):
        self.component_instance, self.kwargs = component_instance, kwargs
        self.initialize()

    @property
    def component_name(self):
        return self.component_instance.name()

    @property
    def data(self):
        return self.component_instance.local_data

    def parameter(self, arg, prop=None, default=None):
        """An option of the config, else a property of the environment, else the default."""
        if arg in self.kwargs:
            return self.kwargs[arg]
        stage = stages.need()
        for name in (prop, arg):
            value = None if name is None else stage.value(name)
            if value is not None:
                return value
        return default

    def key_error(self, detail):
        logger.warning("%s: no data %s to modify", self.component_name, detail)

    def initialize(self):
        """Once, when everything is set up."""

    def modify(self):
        raise NotImplementedError("%s has no modify()" % type(self).__name__)

    def finalize(self):
        """At the end."""

    def __str__(self):
        return "%s(%s)" % (type(self).__name__, self.component_name)


class AbstractDatastream:
    """Takes a component's data out, or brings some in."""

    _direction = ""

    def __init__(self, component_instance, kwargs):
        self.component_instance, self.kwargs = component_instance, kwargs
        self.initialize()

    @property
    def component_name(self):
        return self.component_instance.name()

    @property
    def data(self):
        return self.component_instance.local_data

    @data.setter
    def data(self, value):
        self.component_instance.local_data = value

    def initialize(self):
        """Once, when everything is set up."""

    def default(self, ci="unused"):
        """At each due step of the component; one that reads says whether there was something new."""
        raise NotImplementedError("%s has no default()" % type(self).__name__)

    def finalize(self):
        """At the end."""

    def __str__(self):
        return "%s(%s)" % (type(self).__name__, self.component_name)


class classproperty:  # noqa: N801
    """A property of a class, as datastreams have their types of messages."""

    def __init__(self, function):
        self._function = function

    def __get__(self, instance, owner):
        return self._function(owner)


class MorseEncoder(json.JSONEncoder):
    """JSON with vectors, matrices and poses in it."""

    def default(self, obj):
        fresh = plain(obj)
        return super().default(obj) if fresh is obj else fresh


class SocketPublisher(AbstractDatastream):
    """Writes messages that the socket of the component carries."""

    _direction = "OUT"
    _type_name = "a JSON-encoded message"

    def encode(self):
        return (json.dumps(dict(self.data), cls=MorseEncoder) + "\n").encode()


class SocketReader(AbstractDatastream):
    """Reads messages that come over the socket of the component."""

    _direction = "IN"
    _type_name = "a JSON-encoded message"

    def decode(self, msg):
        return json.loads(msg.decode("utf-8"))


class BasePublisher(AbstractDatastream):
    """Writes text that goes to a file: a head, then something for each step, whose number is `index`."""

    _direction = "OUT"
    index = 0

    def header(self):
        return ""

    def encode_data(self):
        raise NotImplementedError("%s has no encode_data()" % type(self).__name__)


class DatastreamManager:
    """Carries messages. One of a class of MORSE leaves that to its datastreams, whose `default` does it."""

    def __init__(self, args, kwargs):
        self.kwargs = kwargs
        self._streams = {}

    def register_component(self, component_name, component_instance, mw_data):
        """The datastream that the host has made for this component."""
        return self._streams[component_name, mw_data[2]]

    def action(self):
        """Once per tick."""

    def finalize(self):
        """At the end."""


# --- overlays ---

class MorseOverlay(AbstractObject):
    """Offers other services in place of a component."""

    def __init__(self, overlaid_object):
        super().__init__()
        self.overlaid_object = overlaid_object

    def name(self):
        return self.overlaid_object.name()

    def chain_callback(self, fn=None):
        """What to give to an asynchronous service of the component, so that its end is that of ours; `fn` changes
        (status, result) on the way."""
        def chained(result):
            status, value = result if isinstance(result, tuple) else (result, None)
            if fn is not None:
                status, value = fn((status, value))
            self.completed(status, value)
        return chained

    def interrupt(self):
        if getattr(self.overlaid_object, "on_completion", None) is not None:
            self.overlaid_object.interrupt()
        else:
            super().interrupt()


class Overlaid:
    """A component in C as its overlay sees it: services are methods; asynchronous ones take a callback first."""

    def __init__(self, component, host):
        self._component, self._host_overlay, self.on_completion = component, host, None

    def name(self):
        return self._component.name()

    def interrupt(self):
        if self.on_completion is not None:
            self.on_completion.cancel()

    def __getattr__(self, name):
        host = self.__dict__["_host_overlay"]
        inner = host.get_component()
        if name not in inner.get_service_names():
            return getattr(self._component, name)
        from .calls import call_long, call_now
        if is_long(inner, name):
            return lambda callback, *arguments: call_long(self, host, name, callback, arguments)
        return lambda *arguments: call_now(host, name, arguments)


def is_long(component, name):
    from .._values import Orrery
    return bool(component.get_service_flags(name) & Orrery.ServiceFlags.LONG)


