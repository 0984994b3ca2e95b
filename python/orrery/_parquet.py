# SPDX-License-Identifier: BSD-3-Clause
"""Writes Parquet files: columns of numbers, truth values and texts, and of lists of numbers of one length.

Only what training data need of https://github.com/apache/parquet-format: one row group, plain encoding, no compression.
The footer is in Thrift's compact protocol.
"""

import struct

import numpy

MAGIC = b"PAR1"
# Of a page, whose size has 31 bits.
PAGE_BYTES = 1 << 24

TYPES = {"bool": 0, "int64": 2, "float32": 4, "float64": 5, "str": 6}
UTF8 = 0
PLAIN, RLE = 0, 3
OPTIONAL, REPEATED = 1, 2
LIST = 3

I32, I64, BINARY, LIST_OF, STRUCT = 5, 6, 8, 9, 12


# --- Thrift ---

def _varint(value):
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _int(value):
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _binary(value):
    data = value.encode() if isinstance(value, str) else value
    return _varint(len(data)) + data


def _list(kind, items):
    head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xf0 | kind]) + _varint(len(items))
    return head + b"".join(items)


def _struct(*fields):
    """Each field is a number, a type and its bytes; numbers ascend."""
    parts, last = [], 0
    for number, kind, value in fields:
        parts.append(bytes([number - last << 4 | kind]) + value)
        last = number
    return b"".join(parts) + b"\0"


# --- columns ---

def _level_run(count, level):
    return _varint(count << 1) + bytes([level])


def _levels(data):
    return struct.pack("<I", len(data)) + data


def _type_name(array):
    return "str" if array.dtype.kind == "U" else array.dtype.name


def _is_there(values):
    """Runs of rows that have a value, and of those that have none, in turn."""
    there = ~numpy.ma.getmaskarray(values)
    ends = numpy.append(numpy.flatnonzero(there[1:] != there[:-1]) + 1, len(there))
    starts = numpy.append(0, ends[:-1])
    return b"".join(_level_run(int(end - start), int(there[start])) for start, end in zip(starts, ends) if end > start)


def _plain(values):
    """The values that there are."""
    values = numpy.ma.compressed(values) if isinstance(values, numpy.ma.MaskedArray) else values
    if values.dtype.kind == "U":
        texts = [text.encode() for text in values.tolist()]
        return b"".join(struct.pack("<I", len(text)) + text for text in texts)
    if values.dtype.kind == "b":
        return numpy.packbits(values, bitorder="little").tobytes()
    return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()


def _page(values):
    """Rows of a column: a page of the first version, with its header."""
    n = values.size
    if values.ndim == 1:
        levels = _levels(_is_there(values) if isinstance(values, numpy.ma.MaskedArray) else _level_run(n, 1))
    else:
        width = values.shape[1]
        row = _level_run(1, 0) + (_level_run(width - 1, 1) if width > 1 else b"")
        levels = _levels(row * len(values)) + _levels(_level_run(n, 3))
    data = levels + _plain(values)
    header = _struct((1, I32, _int(0)), (2, I32, _int(len(data))), (3, I32, _int(len(data))),
                     (5, STRUCT, _struct((1, I32, _int(n)), (2, I32, _int(PLAIN)), (3, I32, _int(RLE)), (4, I32, _int(RLE)))))
    return header + data


def _elements(name, array):
    """What the schema says of a column."""
    kind = (1, I32, _int(TYPES[_type_name(array)]))
    if _type_name(array) == "str":
        return [_struct(kind, (3, I32, _int(OPTIONAL)), (4, BINARY, _binary(name)), (6, I32, _int(UTF8)))]
    if array.ndim == 1:
        return [_struct(kind, (3, I32, _int(OPTIONAL)), (4, BINARY, _binary(name)))]
    return [_struct((3, I32, _int(OPTIONAL)), (4, BINARY, _binary(name)), (5, I32, _int(1)), (6, I32, _int(LIST))),
            _struct((3, I32, _int(REPEATED)), (4, BINARY, _binary("list")), (5, I32, _int(1))),
            _struct(kind, (3, I32, _int(OPTIONAL)), (4, BINARY, _binary("element")))]


def _write_column(file, name, array):
    """Returns: its description, and its size in bytes."""
    offset, size = file.tell(), 0
    rows = max(1, PAGE_BYTES // max(1, array[:1].nbytes))
    for first in range(0, max(len(array), 1), rows):
        size += file.write(_page(array[first:first + rows]))
    path = [name] if array.ndim == 1 else [name, "list", "element"]
    data = _struct((1, I32, _int(TYPES[_type_name(array)])), (2, LIST_OF, _list(I32, [_int(PLAIN), _int(RLE)])),
                   (3, LIST_OF, _list(BINARY, [_binary(part) for part in path])), (4, I32, _int(0)),
                   (5, I64, _int(array.size)), (6, I64, _int(size)), (7, I64, _int(size)), (9, I64, _int(offset)))
    return _struct((2, I64, _int(offset)), (3, STRUCT, data)), size


def write(path, columns, metadata=None):
    """Writes a table. `columns`: pairs of a name and an array of int64, float32, float64, bool or texts, with a row for
    each row; what is masked is null; one of two dimensions, of numbers, is a column of lists. `metadata`: texts by name.
    """
    columns = [(name, array if isinstance(array, numpy.ma.MaskedArray) else numpy.ascontiguousarray(array))
               for name, array in columns]
    n = len(columns[0][1])
    for name, array in columns:
        if _type_name(array) not in TYPES or array.ndim > 2 or (array.ndim == 2 and array.dtype.kind not in "if") or len(array) != n or 0 in array.shape[1:]:
            raise ValueError("%s: no column of %d rows: %s of %s" % (name, n, array.shape, array.dtype))
    with open(path, "wb") as file:
        file.write(MAGIC)
        chunks = [_write_column(file, name, array) for name, array in columns]
        schema = [_struct((4, BINARY, _binary("schema")), (5, I32, _int(len(columns))))]
        for name, array in columns:
            schema += _elements(name, array)
        group = _struct((1, LIST_OF, _list(STRUCT, [data for data, _ in chunks])), (2, I64, _int(sum(size for _, size in chunks))),
                        (3, I64, _int(n)))
        words = [_struct((1, BINARY, _binary(key)), (2, BINARY, _binary(value))) for key, value in (metadata or {}).items()]
        footer = _struct((1, I32, _int(2)), (2, LIST_OF, _list(STRUCT, schema)), (3, I64, _int(n)),
                         (4, LIST_OF, _list(STRUCT, [group])), (5, LIST_OF, _list(STRUCT, words)),
                         (6, BINARY, _binary("orrery")))
        file.write(footer + struct.pack("<I", len(footer)) + MAGIC)
