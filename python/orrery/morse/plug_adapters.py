# SPDX-License-Identifier: BSD-3-Clause
"""Adapters of modifiers, datastreams, managers and overlays of MORSE: see `adapters` for those of components."""

import functools

from .. import _plugins, _records
from .._values import Orrery, from_variant
from . import adapters, in_c, log, plugs
from . import stage as stages
from .values import Fields, plain


def begin(self, setup):
    adapters.begin_setup(self, setup)
    component = setup.get_component()
    self._component = component
    part = self._stage.part_of(component) if component is not None else None
    return part, from_variant(setup.get_options()) or {}


def guarded(function):
    """Setup, whose mistakes refuse the scene."""
    @functools.wraps(function)
    def do_setup(self, setup):
        try:
            function(self, setup)
        except BaseException as error:
            raise _plugins.fault(self, error, Orrery.Error.CONFIG) from None
        finally:
            stage = self.__dict__.get("_stage")
            if stage is not None:
                stage.setup = None
    return do_setup


@guarded
def do_setup_pair(self, setup):
    """Of what is made with a component and options."""
    part, options = begin(self, setup)
    in_c.chain(self, "do_setup", setup)
    cls = type(self)._morse_class
    options = getattr(cls, "_options_type", dict)(options)
    self._morse = cls.__new__(cls, part, options)
    self._morse.__dict__["_host"] = self
    self._morse.__init__(part, options)
    self._part, self._options = part, options
    stages.ends.add(self._morse)


def refresh(self, tick=None):
    """Lets the code see the record as it is now."""
    stages.enter(self._stage, tick, self)
    mirror = self._component.__dict__.get("_mirror")
    if mirror is not None:
        mirror.pull()
    elif isinstance(self._part.local_data, Fields):
        self._part.local_data.forget()
    return mirror


def do_modify(self, tick):
    try:
        mirror = refresh(self, tick)
        self._morse.modify()
        if mirror is not None:
            before = mirror.view.timestamp if "timestamp" in mirror.data else None
            mirror.push()
            if before is not None and mirror.data["timestamp"] != before:
                mirror.view.timestamp = mirror.data["timestamp"]
        elif isinstance(self._part.local_data, Fields):
            self._part.local_data.flush()
    except BaseException as error:
        raise _plugins.fault(self, error) from None


# --- datastreams ---

def do_encode(self, record, writer):
    try:
        refresh(self)
        message = produce(self)
        if message is None:
            return
        if not isinstance(message, (str, bytes, bytearray, memoryview)):
            raise TypeError("encode: bytes, str or None, not %s" % type(message).__name__)
        message = message.encode() if isinstance(message, str) else bytes(message)
        # The transport ends lines by itself.
        writer.append(message[:-1] if self._is_line and message.endswith(b"\n") else message)
    except BaseException as error:
        raise _plugins.fault(self, error) from None


def produce(self):
    stream = self._morse
    if isinstance(stream, plugs.SocketPublisher):
        self._is_line = True
        return stream.encode()
    if isinstance(stream, plugs.BasePublisher):
        self._is_line = False
        first, self._has_begun = not self.__dict__.get("_has_begun"), True
        text = (stream.header() or "" if first else "") + stream.encode_data()
        stream.index += 1
        return text
    stream.default(self._part)
    return None


def do_decode(self, reader, record):
    """Into a copy, so that a message that is refused in the middle leaves the record as it was."""
    try:
        refresh(self)
        if isinstance(self._morse, plugs.SocketReader):
            value = self._morse.decode(reader.dup_bytes().get_data() or b"")
        else:
            value = self.__dict__.pop("_brought", None)
        if value is None:
            return
        staged = _records.view_of(Orrery.Record.new(record.get_schema()))
        Orrery.Record.copy(staged._record, record)
        kinds = {name: kind for name, kind, _, _ in record.get_schema().to_variant().unpack()}
        for name, item in value.items():
            if name in kinds:
                setattr(staged, name, plain(item))
        Orrery.Record.copy(record, staged._record)
    except BaseException as error:
        raise _plugins.fault(self, error, Orrery.Error.INVALID) from None


# --- managers ---

@guarded
def do_setup_manager(self, setup):
    self._stage = stages.stage_of(setup.get_world())
    stages.enter(self._stage, part=self)
    log.follow(self)
    self._open = []
    self._morse = type(self)._morse_class(None, from_variant(setup.get_options()) or {})


def do_open(self, stream, options):
    try:
        stages.enter(self._stage, part=self)
        codec, way = stream.get_codec(), stream.get_direction()
        if not isinstance(getattr(codec, "_morse", None), plugs.AbstractDatastream):
            raise TypeError("%s: the datastream is no class of MORSE" % stream.get_name())
        word = "OUT" if way == Orrery.Direction.OUT else "IN"
        self._open.append((stream, codec, word))
        self._morse._streams[stream.get_name(), word] = codec._morse
        self._morse.register_component(stream.get_name(), codec._part,
                                       [self.get_classpath(), codec.get_classpath(), word, from_variant(options) or {}])
        if word == "OUT":
            stream.set_listening(True)
    except BaseException as error:
        raise _plugins.fault(self, error, Orrery.Error.CONFIG) from None


def do_intake(self):
    try:
        stages.enter(self._stage, part=self)
        self._morse.action()
        for stream, codec, word in self._open:
            if word == "IN":
                bring(stream, codec)
    except BaseException as error:
        _plugins.warn(self, error)


def bring(stream, codec):
    """A datastream that reads by itself has put what is new into the component's data."""
    part = codec._part
    if codec._morse.default(part):
        codec._brought = dict(part.local_data)
        stream.put(0, b"\n")


def do_close(self):
    try:
        for _, codec, _ in self.__dict__.get("_open", ()):
            stages.ends.end_one(codec._morse)
        if "_morse" in self.__dict__:
            stages.ends.end_one(self._morse)
    except BaseException as error:
        _plugins.warn(self, error)


# --- overlays ---

@guarded
def do_setup_overlay(self, setup):
    part, options = begin(self, setup)
    overlaid = part if self._component.__dict__.get("_morse") is part else plugs.Overlaid(part, self)
    self._morse = type(self)._morse_class(overlaid, **options)
    stages.ends.add(self._morse)
    name = self._morse.name()
    if name != self._component.get_name():
        self.set_published_name(name)
    self._stage.overlays[name] = self._morse


STATE = {"do_save": adapters.do_save, "do_restore": adapters.do_restore, "_given": adapters.given_options}
adapters.ROLES += [
    (plugs.AbstractModifier, Orrery.Modifier, dict(STATE, do_setup=do_setup_pair, do_modify=do_modify)),
    (plugs.AbstractDatastream, Orrery.Datastream,
     dict(do_setup=do_setup_pair, do_encode=do_encode, do_decode=do_decode)),
    (plugs.DatastreamManager, Orrery.DatastreamManager,
     dict(do_setup=do_setup_manager, do_open=do_open, do_intake=do_intake, do_close=do_close)),
    (plugs.MorseOverlay, Orrery.Overlay, dict(STATE, do_setup=do_setup_overlay, do_cancel=adapters.cancel))]
