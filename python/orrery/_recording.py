# SPDX-License-Identifier: BSD-3-Clause
"""Recordings, as `orrery run --record` writes them.

    python3 -m orrery._recording RECORDING OUTPUT FORMAT FROM TO [TOPIC...]

is what `orrery recording export` starts for a file of arrays; FORMAT is npz or hdf5, times are in ns, and TO may be -1. With --lerobot it is the
program of _lerobot.py.
"""

import base64
import collections.abc
import io
import json
import math
import os
import sys
import typing
import zipfile

from ._values import GLib, Orrery

# States are for the simulator, and large.
STATES = "/orrery/states"
LOG = "/orrery/log"
INPUTS = "/orrery/inputs"
HASH = "/orrery/hash"


# By their names
SUFFIXES = {"npz": ".npz", "hdf5": (".h5", ".hdf5")}


class RecordedMessage(typing.NamedTuple):
    """A message of a recording: `data` is what JSON says, or bytes if it is in another encoding or no JSON."""

    topic: str
    time: float
    data: typing.Any


class RecordedTick(typing.NamedTuple):
    """What was recorded of a tick. `records`: by name of the component, or topic of the simulator, what the message says;
    pictures are arrays.
    """

    number: int
    time: float
    records: dict


class RecordedTopic(collections.abc.Mapping):
    """All messages of a topic: field names to arrays with a row for each message; fields in fields have names with dots."""

    def __init__(self, topic, times, columns, shapes=None, left_out=()):
        self.topic = topic
        self._left_out = left_out
        self._times = times
        self._columns = columns
        self._shapes = shapes or {}

    @property
    def time(self):
        """When each was recorded, seconds of simulated time."""
        return _numpy().array(self._times, dtype="float64") / 1e9

    def __len__(self):
        return len(self._columns)

    def __iter__(self):
        return iter(self._columns)

    def __getitem__(self, name):
        try:
            values = self._columns[name]
        except KeyError:
            if name in self._left_out:
                raise KeyError("%s: '%s' was left out of the recording; derived=True keeps it, and so does a replay with "
                               "--record FILE --record-full" % (self.topic, name)) from None
            words = Orrery.nearest_names(name, list(self._columns))
            raise KeyError("%s has no field '%s'%s" % (self.topic, name, words)) from None
        return _to_array(values, self._shapes.get(name))

    def to_pandas(self):
        """A frame with a column for each field, and the time as its index; pandas is needed."""
        import pandas
        columns = {name: array if array.ndim == 1 else list(array) for name, array in self.items()}
        return pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))

    def __repr__(self):
        return "<orrery.RecordedTopic %s: %d messages of %s>" % (self.topic, len(self._times), ", ".join(self._columns))


class Recording:
    """A recording. Iteration gives its messages in order of time; `recording["robot.pose"]` those of a component."""

    def __init__(self, path):
        self._reader = Orrery.RecordingReader.open(str(path))
        self._clock = None

    @property
    def path(self):
        """Its file."""
        return self._reader.get_path()

    @property
    def is_whole(self):
        """Whether it ends as it should; else `problems` says what is wrong."""
        return self._reader.is_whole()

    @property
    def problems(self):
        """What is wrong with it, a text each; none if it is whole."""
        return list(self._reader.get_problems())

    @property
    def topics(self):
        """The names of its topics; that of a component is its full name."""
        return list(self._reader.list_topics())

    @property
    def metadata(self):
        """Names to dictionaries: `recording.metadata["orrery"]["seed"]`."""
        n = self._reader.get_n_metadata()
        return {each.name: each.values.unpack() for each in map(self._reader.get_metadata, range(n))}

    @property
    def attachments(self):
        """Names to bytes: the files of the scene."""
        n = self._reader.get_n_attachments()
        return {self._reader.get_attachment(i).name: self._reader.read_attachment(i).get_data() for i in range(n)}

    def __repr__(self):
        reader = self._reader
        return "<orrery.Recording %s: %d messages of %d topics, from %.6f s to %.6f s>" % (
            os.path.basename(self.path), reader.get_n_messages(), len(self.topics), reader.get_start() / 1e9,
            reader.get_end() / 1e9)

    def __iter__(self):
        return self.messages()

    def messages(self, topics=None, start=0.0, end=None):
        """Messages in order of time, of these topics or components, from `start` to `end`, seconds."""
        names = None if topics is None else [self._find(name) for name in topics]
        for topic, time, data in self._read(names, to_ns(start), to_ns(end)):
            yield RecordedMessage(topic, time / 1e9, data)

    def ticks(self, topics=None, start=0.0, end=None):
        """What was recorded of each tick, in order; a tick of which nothing was recorded is left out.

            for tick in recording.ticks(["robot.pose", "robot.camera"]):
                print(tick.number, tick.time, tick.records["robot.pose"]["x"])

        The number is that of the run, if the recording has states, hashes or lines of the log; else the first message is of
        tick 1. Without `topics` all components are read, and the poses of objects.
        """
        wanted = [self._find(name) for name in topics] if topics is not None else \
            [topic for topic in self.topics if topic not in (STATES, LOG, INPUTS, HASH)]
        buffers = {topic: self._buffers(topic) for topic in wanted}
        names = {topic: self._name(topic) for topic in wanted}
        count, last, records = 0, None, {}
        for topic, time, data in self._read(wanted, to_ns(start), to_ns(end)):
            if time != last and records:
                yield RecordedTick(self._number(last, count), last / 1e9, records)
                records = {}
            if time != last:
                count, last = count + 1, time
            records[names[topic]] = _decode_buffers(data, buffers[topic]) if buffers[topic] else data
        if records:
            yield RecordedTick(self._number(last, count), last / 1e9, records)

    def _number(self, time, count):
        """Of the tick at a time, ns; the `count`th that is read, if the recording does not say its frequency."""
        if self._clock is None:
            self._clock = self._read_clock()
        number, anchor, frequency = self._clock
        return count if frequency == 0 else number + round((time - anchor) * frequency / 1e9)

    def _read_clock(self):
        """A tick, its time and the frequency; the frequency is 0 if it is not known."""
        try:
            frequency = float(self.metadata["orrery"]["frequency"])
        except (KeyError, ValueError):
            frequency = 0.0
        if not 0 < frequency < 1e9:
            return 1, 0, 0
        for topic, field in (STATES, "ticks"), (HASH, "ticks"), (LOG, "tick"):
            for _, time, data in self._read([topic], 0, -1) if topic in self.topics else ():
                if isinstance(data, dict) and isinstance(data.get(field), int):
                    return data[field], time, frequency
                break
        return 1, self._start, frequency

    def __getitem__(self, name):
        return self._read_topic(self._find(name), 0, -1)

    def export(self, path, topics=None, start=0.0, end=None):
        """Writes the arrays of these topics or components, or of all whose messages are JSON but for states, to a file.

        By its name it is NPZ (.npz: `numpy.load (path)["robot.pose/x"]`) or HDF5 (.h5, .hdf5: a group for each topic;
        h5py is needed). What is neither numbers nor texts is JSON.
        """
        path = os.fspath(path)
        kind = next((kind for kind, suffixes in SUFFIXES.items() if path.endswith(suffixes)), None)
        if kind is None:
            fail(Orrery.Error.INVALID, "%s: arrays are written to .npz, .h5 or .hdf5" % path)
        self._export(path, kind, topics, to_ns(start), to_ns(end))

    def _export(self, path, kind, topics, start, end):
        if os.path.exists(path) and os.path.samefile(path, self._reader.get_path()):
            fail(Orrery.Error.INVALID, "%s: this is the recording itself" % path)
        write = {"npz": _write_npz, "hdf5": _write_hdf5}[kind]
        names = self._json_topics() if topics is None else [self._find(name) for name in topics]
        temporary = "%s.%d~" % (path, os.getpid())
        try:
            write(temporary, ((name, self._read_topic(name, start, end)) for name in names))
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)

    def _json_topics(self):
        channels = map(self._reader.get_channel, range(self._reader.get_n_channels()))
        return sorted({channel.topic for channel in channels if channel.encoding == "json" and channel.n_messages != 0 and
                       channel.topic != STATES})

    def _read_topic(self, topic, start, end):
        times, columns = [], {}
        shapes = self._buffers(topic)
        for _, time, data in self._read([topic], start, end):
            if isinstance(data, dict):
                _add_row(columns, data, "", len(times), shapes)
            times.append(time)
        for values in columns.values():
            values.extend([None] * (len(times) - len(values)))
        return RecordedTopic(topic, times, columns, shapes, self._metadata(topic).get("left_out", "").split())

    def _find(self, name):
        topics = self.topics
        for topic in (name, "/" + name.replace(".", "/")):
            if topic in topics:
                return topic
        raise KeyError("no topic '%s'%s" % (name, Orrery.nearest_names(name, topics)))

    def _name(self, topic):
        """Of a component; topics of the simulator, and of others, stay."""
        return self._metadata(topic).get("component", topic)

    def _metadata(self, topic):
        channels = map(self._reader.get_channel, range(self._reader.get_n_channels()))
        return next((channel.metadata.unpack() for channel in channels if channel.topic == topic), {})

    def _component_topics(self):
        return [topic for topic in self._json_topics() if not topic.startswith("/orrery/")]

    def _kind(self, topic):
        """`sensors`, `actuators`, `robots`, or None, by the name of the class: it may be of a plugin that is not here."""
        parts = self._metadata(topic).get("classpath", "").split(".")
        return next((kind for kind in ("sensors", "actuators", "robots") if kind in parts), None)

    @property
    def _start(self):
        return self._reader.get_start()

    def _buffers(self, topic):
        """Fields that are base64 by their schema, with their shapes; None where that is not known."""
        for i in range(self._reader.get_n_channels()):
            channel = self._reader.get_channel(i)
            if channel.topic == topic and channel.schema_encoding == "jsonschema":
                shapes = _find_buffers(_decode(channel.schema.get_data()))
                return self._guess_shapes(topic, shapes) if None in shapes.values() else shapes
        return {}

    def _guess_shapes(self, topic, shapes):
        """A recorder that is there before the first picture does not know its size: the middle of the picture says it."""
        data = next((data for _, _, data in self._read([topic], 0, -1) if isinstance(data, dict)), {})
        return {name: shape or _guess_shape(data.get("intrinsic_matrix"), data.get(name)) for name, shape in shapes.items()}

    def _read(self, topics, start, end):
        # A reader of its own, so that several loops may run at once.
        reader = Orrery.RecordingReader.open(self._reader.get_path())
        channels = [reader.get_channel(i) for i in range(reader.get_n_channels())]
        names = [(channel.topic, channel.encoding) for channel in channels]
        reader.select(topics, start, end)
        while reader.next():
            topic, encoding = names[reader.get_message_channel()]
            data = reader.dup_message().get_data()
            yield topic, reader.get_message_time(), _decode(data) if encoding == "json" else data


def _decode(data):
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data


def _find_buffers(schema):
    fields = schema.get("properties") if isinstance(schema, dict) else None
    return {name: _read_shape(field.get("shape")) for name, field in fields.items()
            if isinstance(field, dict) and field.get("contentEncoding") == "base64"} if isinstance(fields, dict) else {}


def _read_shape(shape):
    whole = isinstance(shape, list) and 0 < len(shape) <= 8 and all(type(n) is int and 0 < n < 1 << 31 for n in shape)
    return tuple(shape) if whole else None


def _guess_shape(matrix, value):
    try:
        width, height = round(2 * matrix[0][2]), round(2 * matrix[1][2])
        channels, rest = divmod(len(_decode_base64(value)), width * height)
    except (TypeError, IndexError, KeyError, ValueError, OverflowError, ZeroDivisionError):
        return None
    return (height, width, channels) if rest == 0 and min(width, height) > 0 and channels in (1, 3, 4) else None


def _decode_base64(value):
    """What is none is no picture, but a text."""
    try:
        return base64.b64decode(value, validate=True)
    except (ValueError, TypeError):
        return value


def _decode_buffers(data, shapes):
    if not isinstance(data, dict):
        return data
    arrays = {name: _to_picture(_decode_base64(data[name]), shape) for name, shape in shapes.items()
              if isinstance(data.get(name), str)}
    return dict(data, **arrays)


def _to_picture(value, shape):
    if not isinstance(value, bytes):
        return value
    array = _numpy().frombuffer(value, dtype="uint8")
    return array.reshape(shape) if shape is not None and math.prod(shape) == array.size else array


def to_ns(seconds):
    return -1 if seconds is None else round(seconds * 1e9)


def open_recording(path):
    """Opens a file that `orrery run --record` wrote, or any other in the format MCAP.

        recording = orrery.open_recording("run.mcap")
        pose = recording["robot.pose"]
        pyplot.plot(pose.time, pose["x"])
    """
    return Recording(path)


def _add_row(columns, data, prefix, n, shapes):
    for key, value in data.items():
        name = prefix + key
        if isinstance(value, dict):
            _add_row(columns, value, name + ".", n, shapes)
            continue
        if name in shapes and isinstance(value, str):
            value = _decode_base64(value)
        values = columns.setdefault(name, [])
        values.extend([None] * (n - len(values)))
        values.append(value)


def _numpy():
    import numpy
    return numpy


def _to_array(values, shape=None):
    """Of numbers, or of lists of one length; others are an array of objects. What is not there is NaN."""
    numpy = _numpy()
    if all(isinstance(value, bytes) for value in values) and len({len(value) for value in values}) == 1:
        return numpy.array([_to_picture(value, shape) for value in values])
    if all(value is None or isinstance(value, (bool, int, float)) for value in values):
        try:
            if any(value is None for value in values):
                return numpy.array([numpy.nan if value is None else value for value in values], dtype="float64")
            return numpy.array(values)
        except OverflowError:
            pass
    if all(isinstance(value, list) for value in values):
        try:
            return numpy.array(values, dtype="float64")
        except (TypeError, ValueError, OverflowError):
            pass
    array = numpy.empty(len(values), dtype=object)
    array[:] = values
    return array


# --- files of arrays ---

def _error(code, words):
    return GLib.Error.new_literal(Orrery.error_quark(), words, int(code))


def fail(code, words):
    raise _error(code, words)


def _safe(name):
    """The parts of a name; a recording may come from anywhere."""
    parts = name.replace("\\", "/").replace("\0", "_").split("/")
    return [part if part.strip(".") else "_" for part in parts if part] or ["_"]


def _unique(key, used):
    while key in used:
        key += "_"
    used.add(key)
    return key


def _is_text(array):
    return array.dtype == object


def _texts(array):
    texts = [value if isinstance(value, str) else json.dumps(value, default=_to_json) for value in array]
    # Half of a pair of surrogates is no text that others could read.
    return [text.encode(errors="replace").decode() for text in texts]


def _to_json(value):
    return base64.b64encode(value).decode()


def _arrays(topic):
    yield "time", topic.time
    for name in topic:
        # A field of this name is the same time, once more.
        if name != "time":
            yield name, topic[name]


def _write_npz(path, topics):
    from numpy.lib import format as npy
    numpy = _numpy()
    used = set()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for topic, fields in topics:
            for name, array in _arrays(fields):
                key = _unique(".".join(_safe(topic)) + "/" + "_".join(_safe(name)), used)
                with archive.open(key + ".npy", "w", force_zip64=True) as file:
                    npy.write_array(file, numpy.array(_texts(array)) if _is_text(array) else array, allow_pickle=False)


def _write_hdf5(path, topics):
    try:
        import h5py
    except ImportError:
        raise _error(Orrery.Error.NOT_FOUND, "HDF5 is written by h5py, which is not installed (Debian: the package "
                                             "python3-h5py)") from None
    used = set()
    # The library does not survive a full disk.
    image = io.BytesIO()
    with h5py.File(image, "w") as file:
        for topic, fields in topics:
            for name, array in _arrays(fields):
                key = _unique("/".join(_safe(topic) + ["_".join(_safe(name))]), used)
                if _is_text(array):
                    file.create_dataset(key, data=_texts(array), dtype=h5py.string_dtype())
                elif array.size > 0:
                    file.create_dataset(key, data=array, compression="gzip", shuffle=True)
                else:
                    file.create_dataset(key, data=array)
    with open(path, "wb") as file:
        file.write(image.getbuffer())


def guard(output, write):
    """Returns: the exit code, as of the program."""
    try:
        write()
        return 0
    except GLib.Error as error:
        words, code = error.message, Orrery.error_get_exit_code(error)
    except KeyError as error:
        words, code = error.args[0], 69
    except OSError as error:
        words, code = "%s: %s" % (error.filename or output, error.strerror or error), 74
    except ImportError as error:
        words, code = "%s (Debian: the package python3-%s)" % (error, error.name), 69
    except MemoryError:
        words, code = "%s: the arrays need more memory than there is; --topic takes some of them" % output, 71
    print("orrery: %s" % words, file=sys.stderr)
    return code


def _export_lerobot(arguments):
    from . import _lerobot
    _lerobot.main(arguments)


def main(path, *arguments):
    if path == "--lerobot":
        return guard("the data set", lambda: _export_lerobot(arguments))
    output, kind, start, end, *topics = arguments
    return guard(output, lambda: open_recording(path)._export(output, kind, topics or None, int(start), int(end)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
