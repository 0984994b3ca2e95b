# SPDX-License-Identifier: BSD-3-Clause
"""Finds the messages of the loaders in their sources, and what the tests expect them to say."""

import ast
import glob
import os
import re

# What makes an error, or takes the words of one.
MAKERS = (
    "g_set_error",
    "g_set_error_literal",
    "g_error_new",
    "g_prefix_error",
    "fail",
    "fail_at_byte",
    "no_environment",
    "orrery_assembly_refuse",
    "orrery_keys_refuse",
    "orrery_literal_fail",
    "orrery_literal_fail_behind_value",
    "orrery_literal_fail_at_other",
    "orrery_node_error",
    "orrery_node_key_error",
    "orrery_place_error",
    "orrery_prefix_error",
    "orrery_set_error",
    "orrery_set_error_null",
    "refuse",
)

SOURCES = (
    "host/base/orrery-file.c",
    "host/text/orrery-json.c",
    "host/text/orrery-literal*.c",
    "host/text/orrery-node*.c",
    "host/part/orrery-param.c",
    "host/part/orrery-part.c",
    "host/part/orrery-variant.c",
    "host/assembly/orrery-assembly*.c",
    "host/registry/orrery-classpath.c",
    "host/registry/orrery-descriptor.c",
    "host/scene/orrery-geometry.c",
    "host/text/orrery-keys.c",
    "host/registry/orrery-json-class.c",
    "host/registry/orrery-module.c",
    "host/text/orrery-problems.c",
    "host/registry/orrery-registry.c",
    "host/scene/orrery-scene*.c",
    "host/simulation/orrery-instance.c",
    "host/tick/orrery-runner-hash.c",
    "host/registry/orrery-trust.c",
    "host/world/orrery-geodesy.c",
    "host/world/orrery-world.c",
    "modifiers/clock.c",
    "modifiers/coordinates.c",
    "modifiers/feet.c",
    "modifiers/imu_noise.c",
    "modifiers/utm.c",
)

# No config brings these about: the program of the workers, or what we install, is not there.
NOT_OF_CONFIGS = (
    "worker %s cannot be started: ",
    "the simulation ends",
    "its worker knows nothing of it",
    # It takes 86 pictures of 1024 by 1024 pixels.
    "all textures of a scene have at most %u MiB; this one is beyond",
    # Clients do.
    "'%.60s' is no path below the directory that may be read from: a relative one, without '..'",
    "%s: no scene of this name",
    "'%.60s' is no file below the directory of the scene, and a client may name no other",
    # What is added while the scene runs does.
    "not supported: its model of the world is made once for all; make it one of the scene's 'spawnables'",
    "wrenches of joints are measured from the start on, not for what is added while the scene runs",
    "what is added while the scene runs has no streams, so no 'interfaces' with any; make it one of the "
    "scene's 'spawnables'",
    "'%s' is no request manager of the scene, and what is added while it runs is served by those that it has",
    "the scene has room for %u objects, and no more; give its environment a larger 'room' for what is added "
    "while it runs",
    # Settings do.
    "'%.60s' has no value of which [%u] could be a member; set the whole list",
    "no ray caster is installed: %s; install one, or name your own by 'raycaster' in the environment",
)

TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"' r"|'(?:[^'\\\n]|\\.)*'" r"|//[^\n]*|/\*.*?\*/" r"|[A-Za-z_]\w*" r"|\S", re.S
)
MACROS = dict.fromkeys(
    ("ORRERY_LITERAL_NOT_EXECUTED", "TAIL"), "; only literals are read here, nothing is executed"
)


def tokens(text):
    return [m.group() for m in TOKEN.finditer(text) if not m.group().startswith(("/*", "//"))]


def unquote(literal):
    inner = literal[1:-1].replace("\\x", "\\u00").encode("latin-1", "backslashreplace")
    return inner.decode("unicode_escape", "replace")


def literals(found):
    """The texts in a row of tokens; literals that stand side by side are one, formats of GLib count as such."""
    texts, current = [], None
    for token in found + [";"]:
        if token.startswith('"'):
            current = (current or "") + unquote(token)
        elif current is not None and re.match(r"G_G\w+_FORMAT$|PRI[a-z]\d+$", token):
            current += "d"
        elif token in MACROS:
            current = (current or "") + MACROS[token]
        elif current is not None:
            texts.append(current)
            current = None
    return texts


def calls(found):
    """The arguments of each call of a maker."""
    for i, token in enumerate(found[:-1]):
        if token not in MAKERS or found[i + 1] != "(":
            continue
        depth, j = 1, i + 2
        while depth:
            depth += {"(": 1, ")": -1}.get(found[j], 0)
            j += 1
        yield found[i + 2 : j - 1]


def of_source(text):
    return [m for call in calls(tokens(text)) for m in literals(call) if re.search(r"[a-z]{2}", m) and " " in m]


def of_loaders(root):
    """Pairs of file and message."""
    for pattern in SOURCES:
        for path in sorted(glob.glob(os.path.join(root, pattern))):
            with open(path, encoding="utf-8") as file:
                for message in of_source(file.read()):
                    if message not in NOT_OF_CONFIGS:
                        yield os.path.relpath(path, root), message


def pattern(message):
    """What a message looks like once its places are filled."""
    pieces = re.split(r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z])", message)
    return re.compile(".*?".join(re.escape(piece) for piece in pieces), re.S)


# What a test that looks for words (tests/words.h) leaves out of a message.
LEFT_OUT = set("a an the where is are expected of to that there and in it this has have was at stands which its needs only "
               "from do does read reads write remove save as not behind after for or be each them left out holds".split())


def has_words(message, text):
    """Whether a text holds the words of a message, in their order, but for those that say nothing."""
    place = 0
    for word in re.sub(r"%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j|t)?[a-zA-Z]", " ", message).split():
        word = word.strip(";,:")
        if word and word not in LEFT_OUT:
            place = text.find(word, place)
            if place < 0:
                return False
            place += len(word)
    return True


def expected_as_words(root):
    texts = []
    for name in glob.glob(os.path.join(root, "tests/*/*.c")):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        if '#include "../words.h"' in text:
            texts += literals(tokens(text))
    return texts


# The tests in Python that look for messages of loaders, beside those of broken/.
PYTHON_TESTS = ("cli/test_hostile_scenes.py", "cli/test_newcomer.py", "cli/test_remote_files.py",
                "cli/test_settings.py", "cli/test_trust.py", "importers/test_options.py", "python/test_plugins.py",
                "scene/test_files.py")


def expected_in_sources(root):
    """The texts of tests that look for messages; TAIL stands for the tail of what is not executed."""
    texts = []
    for name in glob.glob(os.path.join(root, "tests/*/*.c")):
        with open(name, encoding="utf-8") as file:
            texts += literals(tokens(file.read()))
    for name in PYTHON_TESTS:
        with open(os.path.join(root, "tests", name), encoding="utf-8") as file:
            constants = [node.value for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Constant)]
        texts += [value for value in constants if isinstance(value, str)]
    return texts
