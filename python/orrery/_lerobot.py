# SPDX-License-Identifier: BSD-3-Clause
"""Data sets for training, in the layout v2.1 of LeRobot, of recordings: each is an episode.

    python3 -m orrery._recording --lerobot --output DIRECTORY [OPTION...] RECORDING...

is what `orrery recording export --format lerobot` starts.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy

from . import _parquet
from ._recording import fail, open_recording, to_ns
from ._values import Orrery

VERSION = "v2.1"
CHUNK = 1000
DATA = "data/chunk-%03d/episode_%06d.parquet"
VIDEO = "videos/chunk-%03d/%s/episode_%06d.mp4"
# Messages of one tick may differ by less than this, ns: their time, and that of a frame, are whole nanoseconds.
SLACK = 1000
# Of one recording.
MAX_FRAMES = 1000000
# A list of more numbers is a column of its own.
MAX_ITEMS = 16
MAX_PIXELS = 16384
PIXELS = {1: "gray", 3: "rgb24", 4: "rgba"}
INDEXES = ("frame_index", "episode_index", "index", "task_index")


# --- what a message has ---

def _is_number(value):
    return value is None or isinstance(value, (bool, int, float))


def _flatten(value, name, numbers, lists):
    """Numbers by name, and lists of more than MAX_ITEMS of them; what is neither is left out."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(inner, "%s.%s" % (name, key), numbers, lists)
    elif isinstance(value, list) and len(value) > MAX_ITEMS:
        if all(map(_is_number, value)):
            lists[name] = value
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            _flatten(inner, "%s.%d" % (name, i), numbers, lists)
    elif _is_number(value):
        numbers[name] = value


def _to_float(value):
    """What is not finite in a record is nothing in JSON; integers may be larger than any float."""
    try:
        return numpy.nan if value is None else float(value)
    except OverflowError:
        return numpy.nan


def _name(topic):
    return topic.strip("/").replace("/", ".")


class _Values:
    """Numbers of some topics: one column for all, and one for each long list. The first frame says which there are."""

    def __init__(self, column, topics):
        self.column = column
        self.topics = topics
        self.names = None
        self.lists = {}

    def take(self, latest, path, frame):
        """Returns: a dictionary of rows."""
        numbers, lists = {}, {}
        for topic in self.topics:
            data = {key: value for key, value in latest[topic].items() if key != "timestamp"}
            _flatten(data, _name(topic), numbers, lists)
        found = (list(numbers), {name: len(value) for name, value in lists.items()})
        if self.names is None:
            self.names, self.lists = found
        if found != (self.names, self.lists):
            fail(Orrery.Error.CONFIG, "%s: %s in frame %d; --topic and --action name topics that always have the same fields"
                 % (path, self._difference(*found), frame))
        rows = {self.column: numbers.values()} if numbers else {}
        rows.update(("%s.%s" % (self.column.split(".")[0], name), value) for name, value in lists.items())
        return {name: numpy.array([_to_float(value) for value in row], dtype="float64").astype("float32")
                for name, row in rows.items()}

    def _difference(self, names, lists):
        for name in lists:
            if lists[name] != self.lists.get(name, lists[name]):
                return "%s has %d items, and had %d" % (name, lists[name], self.lists[name])
        for name in sorted(set(names) ^ set(self.names) | set(lists) ^ set(self.lists)):
            return "%s %s" % (name, "is new" if name in names or name in lists else "is missing")
        return "the fields have another order"


# --- frames ---

def _frames(recording, topics, fps, start, end):
    """The newest message of each topic, at each time of a frame. They begin when each topic has one."""
    latest, first, last, n = {}, None, None, 0
    for topic, time, data in recording._read(topics, start, end):
        if not isinstance(data, dict):
            continue
        if first is not None and (time - first) * fps > MAX_FRAMES * 1000000000:
            fail(Orrery.Error.CONFIG, "%s: more than %d frames" % (recording.path, MAX_FRAMES))
        while first is not None and first + round(n * 1e9 / fps) + SLACK < time:
            yield latest
            n += 1
        latest[topic] = data
        last = time
        if first is None and len(latest) == len(topics):
            first = time
    while first is not None and first + round(n * 1e9 / fps) <= last + SLACK:
        yield latest
        n += 1
    if first is None:
        fail(Orrery.Error.CONFIG, "%s: no frame: %s has no messages" % (recording.path, next(t for t in topics if t not in latest)))


# --- pictures ---

class _Film:
    """The pictures of a field, encoded by ffmpeg."""

    def __init__(self, key, topic, field, shape):
        self.key, self.topic, self.field = key, topic, field
        self.shape = shape
        self.size = int(numpy.prod(shape))
        self.channels = shape[2] if len(shape) == 3 else 1
        self.process = None

    def open(self, path, fps):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        height, width = self.shape[:2]
        self.said = tempfile.TemporaryFile()
        # Any frame is found soon; both sides are even.
        self.process = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", PIXELS[self.channels], "-s",
             "%dx%d" % (width, height), "-r", str(fps), "-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264",
             "-pix_fmt", "yuv420p", "-g", "2", "-movflags", "+faststart", "file:" + os.path.abspath(path)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.said)
        self.sums = []

    def take(self, latest, path):
        try:
            picture = base64.b64decode(latest[self.topic].get(self.field) or "")
        except (ValueError, TypeError):
            picture = b""
        if len(picture) != self.size:
            fail(Orrery.Error.CONFIG, "%s: a picture of %s has %d bytes, not %d" % (path, self.topic, len(picture), self.size))
        try:
            self.process.stdin.write(picture)
        except BrokenPipeError:
            pass
        pixels = numpy.frombuffer(picture, dtype="uint8").reshape(-1, self.channels)
        pixels = pixels[::max(1, len(pixels) // 4096), :3] / 255.0
        pixels = pixels if self.channels > 1 else numpy.repeat(pixels, 3, axis=1)
        self.sums.append((pixels.min(axis=0), pixels.max(axis=0), pixels.mean(axis=0), (pixels ** 2).mean(axis=0)))

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        code = self.process.wait()
        if code:
            self.said.seek(0)
            fail(Orrery.Error.IO, "ffmpeg: %s" % (self.said.read(4096).decode(errors="replace").strip() or "exit code %d" % code))

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def stats(self):
        low, high, mean, square = (numpy.array(part) for part in zip(*self.sums))
        mean, square = mean.mean(axis=0), square.mean(axis=0)
        found = {"min": low.min(axis=0), "max": high.max(axis=0), "mean": mean,
                 "std": numpy.sqrt(numpy.maximum(square - mean ** 2, 0))}
        return dict({name: value.reshape(3, 1, 1).tolist() for name, value in found.items()}, count=[len(self.sums)])

    def feature(self, fps):
        height, width = (side + side % 2 for side in self.shape[:2])
        return {"dtype": "video", "shape": [height, width, 3], "names": ["height", "width", "channels"],
                "info": {"video.fps": fps, "video.height": height, "video.width": width, "video.channels": 3,
                         "video.codec": "h264", "video.pix_fmt": "yuv420p", "video.is_depth_map": False, "has_audio": False}}


def _find_films(recording, topics):
    films = []
    for topic in topics:
        for field, shape in recording._buffers(topic).items():
            name = "observation.images.%s" % _name(topic)
            if any(film.key == name for film in films):
                name += "." + field
            if shape is None or len(shape) not in (2, 3) or (shape[2] if len(shape) == 3 else 1) not in PIXELS or \
                    max(shape[:2]) > MAX_PIXELS:
                _say("%s: pictures of %s are left out: their size is not known" % (recording.path, topic))
            elif shutil.which("ffmpeg") is None:
                _say("%s: pictures of %s are left out: there is no ffmpeg (Debian: the package ffmpeg)" % (recording.path, topic))
            else:
                films.append(_Film(name, topic, field, shape))
    return films


def _say(words):
    print("orrery: warning: " + words, file=sys.stderr)


# --- a data set ---

def _stats(array):
    """Of each number of a column; what is missing does not count."""
    columns = array.reshape(len(array), -1).astype("float64")
    found = {"min": [], "max": [], "mean": [], "std": []}
    for column in columns.T:
        known = column[numpy.isfinite(column)]
        for name, values in found.items():
            values.append(float(getattr(known, name)()) if len(known) else 0.0)
    return dict(found, count=[len(array)])


def _feature(array, names):
    return {"dtype": array.dtype.name, "shape": [1] if array.ndim == 1 else [array.shape[1]], "names": names}


def _hugging_face(features):
    """How the library `datasets` names the types of columns."""
    types = {}
    for name, feature in features.items():
        if feature["dtype"] == "video":
            continue
        value = {"dtype": feature["dtype"], "_type": "Value"}
        types[name] = value if feature["shape"] == [1] else {"feature": value, "length": feature["shape"][0], "_type": "Sequence"}
    return {"huggingface": json.dumps({"info": {"features": types}})}


class DataSet:
    def __init__(self, directory, fps, task):
        self.directory, self.fps, self.task = directory, fps, task
        self.episodes, self.stats, self.features, self.films = [], [], None, []
        self.n_frames = 0

    def set_topics(self, recording, topics, actions):
        """Those of the first recording are those of all."""
        names = [recording._find(name) for name in topics] if topics else None
        kinds = {name: recording._kind(name) for name in recording._component_topics()}
        self.actions = [recording._find(name) for name in actions] if actions else \
            [name for name, kind in kinds.items() if kind == "actuators" and (names is None or name in names)]
        observed = names if names is not None else [name for name, kind in kinds.items() if kind not in ("actuators", "robots")]
        self.observed = [name for name in observed if name not in self.actions]
        self.films = _find_films(recording, self.observed)
        self.values = [_Values("observation.state", self.observed), _Values("action", self.actions)]
        if not self.actions:
            _say("%s: no action: it has no topic of an actuator, and --action names none" % recording.path)
        if not self.observed:
            fail(Orrery.Error.CONFIG, "%s: no topic of a sensor to observe" % recording.path)

    def add(self, recording, start, end):
        number = len(self.episodes)
        rows = {}
        try:
            for film in self.films:
                film.open(os.path.join(self.directory, VIDEO % (number // CHUNK, film.key, number)), self.fps)
            for frame, latest in enumerate(_frames(recording, self.observed + self.actions, self.fps, start, end)):
                for values in self.values:
                    for name, row in values.take(latest, recording.path, frame).items():
                        rows.setdefault(name, []).append(row)
                for film in self.films:
                    film.take(latest, recording.path)
            for film in self.films:
                film.close()
        finally:
            for film in self.films:
                film.stop()
        self._write(recording, number, {name: numpy.array(values) for name, values in rows.items()})

    def _write(self, recording, number, columns):
        if not columns and not self.films:
            fail(Orrery.Error.CONFIG, "%s: the topics have no numbers" % recording.path)
        n = len(next(iter(columns.values()))) if columns else len(self.films[0].sums)
        # LeRobot has a number by itself where there is one.
        columns = {name: array[:, 0] if array.shape[1] == 1 else array for name, array in columns.items()}
        columns["timestamp"] = (numpy.arange(n) / self.fps).astype("float32")
        frame = numpy.arange(n, dtype="int64")
        columns.update(zip(INDEXES, (frame, numpy.full(n, number), frame + self.n_frames, numpy.zeros(n, dtype="int64"))))
        if self.features is None:
            names = {values.column: values.names for values in self.values}
            self.features = {name: _feature(array, names.get(name)) for name, array in columns.items()}
            self.features.update((film.key, film.feature(self.fps)) for film in self.films)
        path = os.path.join(self.directory, DATA % (number // CHUNK, number))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _parquet.write(path, list(columns.items()), _hugging_face(self.features))
        stats = {name: _stats(array) for name, array in columns.items()}
        stats.update((film.key, film.stats()) for film in self.films)
        self.episodes.append({"episode_index": number, "tasks": [self.task], "length": n})
        self.stats.append({"episode_index": number, "stats": stats})
        self.n_frames += n

    def close(self, robot):
        n = len(self.episodes)
        info = {"codebase_version": VERSION, "robot_type": robot, "total_episodes": n, "total_frames": self.n_frames,
                "total_tasks": 1, "total_videos": n * len(self.films), "total_chunks": (n - 1) // CHUNK + 1, "chunks_size": CHUNK,
                "fps": self.fps, "splits": {"train": "0:%d" % n},
                "data_path": "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
                "video_path": "videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4" if self.films else None,
                "features": self.features}
        os.makedirs(os.path.join(self.directory, "meta"))
        self._write_meta("info.json", json.dumps(info, indent=4) + "\n")
        self._write_lines("episodes.jsonl", self.episodes)
        self._write_lines("episodes_stats.jsonl", self.stats)
        self._write_lines("tasks.jsonl", [{"task_index": 0, "task": self.task}])

    def _write_lines(self, name, values):
        self._write_meta(name, "".join(json.dumps(value) + "\n" for value in values))

    def _write_meta(self, name, text):
        with open(os.path.join(self.directory, "meta", name), "w", encoding="utf-8") as file:
            file.write(text)


def export(paths, directory, *, fps=10, topics=None, actions=None, task=None, start=0.0, end=None):
    """Writes a data set to a new directory; docs/recording.md says what it has."""
    if os.path.lexists(directory) and (not os.path.isdir(directory) or os.listdir(directory)):
        fail(Orrery.Error.IO, "%s: exists, and is no empty directory" % directory)
    temporary = "%s.%d~" % (directory.rstrip("/"), os.getpid())
    try:
        os.makedirs(temporary)
        _fill(temporary, paths, fps, topics, actions, task, start, end)
        os.replace(temporary, directory)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _fill(directory, paths, fps, topics, actions, task, start, end):
    data = None
    for path in paths:
        recording = open_recording(path)
        for words in recording.problems:
            _say(words)
        if data is None:
            robot = os.path.splitext(recording.metadata.get("orrery", {}).get("scene", ""))[0] or "orrery"
            data = DataSet(directory, fps, task or robot)
            data.set_topics(recording, topics, actions)
        for topic in data.observed + data.actions:
            recording._find(topic)
        first = recording._start
        data.add(recording, first + to_ns(start) if start > 0 else 0, -1 if end is None or end < 0 else first + to_ns(end))
    data.close(robot)


def main(arguments):
    parser = argparse.ArgumentParser(prog="orrery recording export", allow_abbrev=False)
    parser.add_argument("--output", required=True)
    parser.add_argument("--fps", type=int, default=10)
    parser.add_argument("--topic", action="append")
    parser.add_argument("--action", action="append")
    parser.add_argument("--task")
    parser.add_argument("--from", type=float, default=0.0, dest="start")
    parser.add_argument("--to", type=float, default=-1.0, dest="end")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args(arguments)
    export(given.files, given.output, fps=given.fps, topics=given.topic, actions=given.action, task=given.task,
           start=given.start, end=given.end)
