# SPDX-License-Identifier: BSD-3-Clause
"""Adapters of MORSE's datastreams of ROS 1, which declare their topics and give bytes of a type that Python knows."""

from .. import _plugins, _records
from .._values import Orrery
from . import adapters, plug_adapters, plugs, ros_streams
from .values import Fields, plain


@plug_adapters.guarded
def do_setup(self, setup):
    plug_adapters.do_setup_pair.__wrapped__(self, setup)
    stream = self._morse
    found = stream.topics() if hasattr(stream, "topic_name") else []
    if not found:
        raise TypeError("%s has no ros_class, or its initialize() does not call that of its base" % type(stream).__name__)
    unknown, known = stream.find_unknown_options(self._options)
    for name in unknown:
        plugs.logger.warning("%s: %s reads no option %s%s", stream.component_name, self.get_classpath(),
                             name, Orrery.nearest_names(name, known))
    for name, cls, shared in found:
        self.declare_topic(name, cls._type, cls._md5sum, cls._full_text, False, shared)


def do_encode(self, record, writer):
    stream = self._morse
    try:
        plug_adapters.refresh(self)
        stream._outgoing.clear()
        stream.default(self._part)
        for topic, data in stream._outgoing:
            if writer.wants(topic):
                writer.begin(topic)
                writer.append(data)
    except BaseException as error:
        raise _plugins.fault(self, error) from None


def do_decode(self, reader, record):
    """Into a copy, so that a message that is refused in the middle leaves the record as it was."""
    stream, part = self._morse, self._part
    try:
        plug_adapters.refresh(self)
        try:
            stream.update(stream.message_class().deserialize(reader.dup_bytes().get_data() or b""))
            found = dict(part.local_data)
        finally:
            if isinstance(part.local_data, Fields):
                part.local_data.forget()
        staged = _records.view_of(Orrery.Record.new(record.get_schema()))
        Orrery.Record.copy(staged._record, record)
        for name, _, _, _ in record.get_schema().to_variant().unpack():
            if name in found:
                setattr(staged, name, plain(found[name]))
        Orrery.Record.copy(record, staged._record)
    except BaseException as error:
        raise _plugins.fault(self, error, Orrery.Error.INVALID) from None


# Before datastreams in general, from which these derive.
adapters.ROLES.insert(0, (ros_streams.ROSPublisher, Orrery.Datastream, dict(do_setup=do_setup, do_encode=do_encode)))
adapters.ROLES.insert(0, (ros_streams.ROSSubscriber, Orrery.Datastream, dict(do_setup=do_setup, do_decode=do_decode)))
