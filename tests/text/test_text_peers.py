# SPDX-License-Identifier: BSD-3-Clause
"""Numbers, JSON and literals, against Python's own repr, json and ast.literal_eval."""

import ast
import json
import math
import os
import random
import struct
import subprocess
import sys
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tap

HELPER = os.path.join(os.environ["ORRERY_TEST_BUILDDIR"], "tests/text/text-helper")
RANDOM = random.Random(20240607)


def ask(what, cases):
    """Gives all cases to the helper in one go; a line comes back for each."""
    data = b"".join(struct.pack("<I", len(case)) + case for case in cases)
    done = subprocess.run([HELPER, what], input=data, stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode("ascii").split("\n")
    assert len(lines) == len(cases) + 1 and lines[-1] == "", "a line for each case"
    return lines[:-1]


def mismatches(cases, got, expected):
    return [(c, g, e) for c, g, e in zip(cases, got, expected) if g != e]


# --- numbers ---

def some_doubles():
    for _ in range(100000):
        yield struct.unpack("<d", RANDOM.randbytes(8))[0]
    for exponent in range(-1074, 1024):
        power = math.ldexp(1.0, exponent)
        yield from (power, -power, math.nextafter(power, math.inf), math.nextafter(power, 0))
    for exponent in range(-330, 309):
        yield from (float(f"1e{exponent}"), float(f"9.99e{exponent}"))
    for _ in range(20000):
        yield round(RANDOM.uniform(-1e3, 1e3), RANDOM.randrange(18))
    for _ in range(5000):
        yield float(RANDOM.randrange(-10**17, 10**17))


def check_doubles():
    values = [v for v in some_doubles() if math.isfinite(v)]
    lines = ask("double", [struct.pack("<d", v) for v in values])
    return mismatches(values, lines, [repr(v) for v in values])


def check_parsed_doubles():
    texts = [repr(v) for v in some_doubles() if math.isfinite(v)]
    for _ in range(20000):
        digits = "".join(RANDOM.choice("0123456789") for _ in range(RANDOM.randrange(1, 40)))
        texts.append(f"{RANDOM.randrange(10)}.{digits}e{RANDOM.randrange(-340, 300)}")
    lines = ask("json", [text.encode() for text in texts])
    return mismatches(texts, lines, [json.dumps(json.loads(text)) for text in texts])


# --- JSON ---

ALPHABET = "abc \"\\/\b\f\n\r\t\x01\x7f'é€𝄞{}[]:,0"


def some_text():
    return "".join(RANDOM.choice(ALPHABET) for _ in range(RANDOM.randrange(8)))


def some_value(depth):
    kind = RANDOM.randrange(7 if depth > 0 else 5)
    if kind == 0:
        return RANDOM.choice([None, True, False])
    if kind == 1:
        return RANDOM.choice([0, -1, 2**63 - 1, -2**63, RANDOM.randrange(-10**6, 10**6)])
    if kind == 2:
        return RANDOM.choice([0.0, -0.0, 1e16, 1e-5, RANDOM.uniform(-1e3, 1e3), 5e-324])
    if kind in (3, 4):
        return some_text()
    if kind == 5:
        return [some_value(depth - 1) for _ in range(RANDOM.randrange(5))]
    return {some_text(): some_value(depth - 1) for _ in range(RANDOM.randrange(5))}


def check_json():
    values = [some_value(5) for _ in range(5000)]
    texts = [json.dumps(v, ensure_ascii=RANDOM.random() < 0.5, indent=RANDOM.choice([None, 1]))
             for v in values]
    lines = ask("json", [text.encode() for text in texts])
    return mismatches(texts, lines, [json.dumps(v) for v in values])


def strictly(text):
    """What Python's json reads that a file of ours may not hold counts as refused."""
    def pairs(items):
        if len(dict(items)) < len(items):
            raise ValueError("a key twice")
        return dict(items)

    def finite(number):
        if math.isinf(float(number)):
            raise ValueError("beyond a double")
        return float(number)

    def integer(number):
        return int(number) if -2**63 <= int(number) < 2**63 else finite(number)

    value = json.loads(text, object_pairs_hook=pairs, parse_float=finite, parse_int=integer)
    check_texts(value)
    return json.dumps(value)


def check_texts(value):
    """Refuses half pairs of surrogates and NUL."""
    if isinstance(value, dict):
        check_texts(list(value.keys()) + list(value.values()))
    elif isinstance(value, list):
        for item in value:
            check_texts(item)
    elif isinstance(value, str):
        value.encode()
        if "\0" in value:
            raise ValueError("a NUL")


def broken(text):
    """The text with one to three bytes changed, left out or doubled."""
    data = list(text)
    for _ in range(RANDOM.randrange(1, 4)):
        at = RANDOM.randrange(len(data) + 1)
        if RANDOM.random() < 0.4:
            del data[at:at + 1]
        else:
            data.insert(at, RANDOM.choice("[]{},:\"'\\u0123456789.eE+-tfnNI \n\x00"))
    return "".join(data)


def check_broken_json():
    """Both refuse, or both read the same."""
    texts = [broken(json.dumps(some_value(3))) for _ in range(20000)]
    lines = ask("json", [text.encode() for text in texts])
    expected = []
    for text in texts:
        try:
            expected.append(strictly(text))
        except (ValueError, RecursionError):
            expected.append("!")
    return mismatches(texts, [line[:1] if line[0] == "!" else line for line in lines], expected)


# --- literals ---

def quoted(text, forms=6):
    """The text as one of Python's many forms; the last is several beside each other."""
    form = RANDOM.randrange(forms)
    if form == 0:
        return repr(text)
    if form == 1:
        return ascii(text)
    if form == 2 and text.isprintable() and not set(text) & set("'\\"):
        return RANDOM.choice(["r", "R", "u", ""]) + "'" + text + "'"
    if form == 3 and "\r" not in text:
        return '"""' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'
    if form == 5 and len(text) > 1:
        half = len(text) // 2
        return ("(" + quoted(text[:half], 5) + RANDOM.choice([" ", "\n", " # words\n"])
                + quoted(text[half:], 5) + ")")
    return "'" + "".join(f"\\U{ord(c):08x}" if RANDOM.random() < 0.3 else
                         f"\\{ord(c):03o}" if ord(c) < 512 and RANDOM.random() < 0.3 else
                         repr(c)[1:-1].replace("'", "\\'") for c in text) + "'"


def number(value):
    if isinstance(value, float):
        return RANDOM.choice([repr(value), f"{value:.20e}", "+" + repr(value)] if value >= 0 and
                             not math.copysign(1, value) < 0 else [repr(value)])
    sign, size = ("-" if value < 0 else RANDOM.choice(["", "+"])), abs(value)
    return sign + RANDOM.choice([f"{size}", f"{size:_}", f"0x{size:_x}", f"0O{size:o}", f"0b{size:b}"])


def blank():
    return RANDOM.choice(["", "", "", " ", "\t", "\n", "\r\n", " # said, '\"\n", "\\\n", "\f"])


def written(value, inside):
    """The value as Python source, with blanks where they may be."""
    gap = blank if inside else lambda: RANDOM.choice(["", " "])
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, dict):
        return ("{" + ",".join(blank() + written(k, True) + blank() + ":" + blank() + written(v, True) + blank()
                               for k, v in value.items()) + RANDOM.choice(["", "," if value else ""]) + blank() + "}")
    items = [blank() + written(v, True) + blank() for v in value]
    if RANDOM.random() < 0.5:
        return "[" + ",".join(items) + RANDOM.choice(["", "," if value else ""]) + blank() + "]" + gap()
    return "(" + ",".join(items) + ("," if len(items) == 1 else "") + blank() + ")"


def check_literals():
    values = [some_value(4) for _ in range(8000)]
    sources = [written(v, False) for v in values]
    lines = ask("python", [("x = " + source + "\n").encode() for source in sources])
    # What Python itself reads, not what was meant: the generator may be wrong, the peer is not.
    expected = [json.dumps({"x": ast.literal_eval(source)}) for source in sources]
    return mismatches(sources, lines, expected)


def literal_of(source):
    """The value of x in a file of assignments, as Python sees it; refused as we must."""
    module = ast.parse(source)
    names = {}
    for statement in module.body:
        if isinstance(statement, ast.Pass):
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) \
                and isinstance(statement.value.value, str):
            continue
        if not isinstance(statement, ast.Assign):
            raise ValueError("no assignment")
        for target in statement.targets:
            if not isinstance(target, ast.Name) or target.id in names:
                raise ValueError("a target")
            names[target.id] = checked(statement.value)
    return names


def checked(node):
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, (bytes, complex)) or value is Ellipsis:
            raise ValueError("a constant")
        if isinstance(value, int) and not -2**63 <= value < 2**63:
            raise ValueError("an integer")
        if isinstance(value, float) and math.isinf(value):
            raise ValueError("a float")
        if isinstance(value, str):
            if "\0" in value:
                raise ValueError("a NUL")
            value.encode()
        return value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [checked(item) for item in node.elts]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        return signed(node)
    if isinstance(node, ast.Dict) and None not in node.keys:
        keys = [checked(key) for key in node.keys]
        if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
            raise ValueError("keys")
        return dict(zip(keys, [checked(value) for value in node.values]))
    raise ValueError("no literal")


def signed(node):
    sign = 1
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        sign, node = (-sign if isinstance(node.op, ast.USub) else sign), node.operand
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
        raise ValueError("a sign")
    if type(node.value) is int and node.value == 2**63 and sign < 0:
        return -2**63
    return sign * checked(node)


def broken_source(source):
    data = list(source)
    for _ in range(RANDOM.randrange(1, 4)):
        at = RANDOM.randrange(len(data) + 1)
        if RANDOM.random() < 0.4:
            del data[at:at + 1]
        else:
            data.insert(at, RANDOM.choice("[](){},:;=\"'\\\n\r\t #xurRbfNU_0179.eEjJ+-*é"))
    return "".join(data)


# Read or refused by one side only, and meant so.
def differs_on_purpose(source):
    at_end = source.rstrip(" \t\f")
    return any([
        "\\\n" in source or "\\\r" in source,  # a joined line at the start, at the end, before a comment
        "\f" in source,                        # resets the indentation in Python
        at_end.endswith("\\"),
        "-(" in source.replace(" ", "") or "+(" in source.replace(" ", ""),  # -(1) is a literal to Python
    ])


def check_broken_literals():
    sources, expected = [], []
    while len(sources) < 20000:
        source = broken_source("x = " + written(some_value(3), False) + "\n")
        if differs_on_purpose(source):
            continue
        sources.append(source)
        try:
            expected.append(json.dumps(literal_of(source)))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            expected.append("!")
    lines = ask("python", [source.encode() for source in sources])
    return mismatches(sources, [line[:1] if line[0] == "!" else line for line in lines], expected)


class PeersTest(unittest.TestCase):
    """Each finds no case that the two read or write differently."""

    def test_doubles(self):
        self.assertEqual(check_doubles()[:5], [])

    def test_parsed_doubles(self):
        self.assertEqual(check_parsed_doubles()[:5], [])

    def test_json(self):
        self.assertEqual(check_json()[:5], [])

    def test_broken_json(self):
        self.assertEqual(check_broken_json()[:5], [])

    def test_literals(self):
        self.assertEqual(check_literals()[:5], [])

    def test_broken_literals(self):
        self.assertEqual(check_broken_literals()[:5], [])

    def test_control(self):
        """The comparison itself sees a difference."""
        lines = ask("double", [struct.pack("<d", 0.1)])
        self.assertEqual(mismatches([0.1], lines, ["0.10"]), [(0.1, "0.1", "0.10")])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    tap.main()
