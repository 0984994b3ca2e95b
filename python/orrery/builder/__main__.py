# SPDX-License-Identifier: BSD-3-Clause
"""python3 -m orrery.builder SCRIPT -o DIR [--plugins-json FILE] [--strict] [--debug] [-- ARGUMENT...]"""

from __future__ import annotations

import argparse
import os
import sys
from typing import List, NoReturn, Optional, Tuple

from . import catalogue, imports, morse_names, runner, session, writer
from .errors import EXIT_OK, EXIT_USAGE, NoFileError


class Parser(argparse.ArgumentParser):
    """Options of the builder."""

    def error(self, message: str) -> NoReturn:
        """Says what is wrong, with this program's own exit code."""
        self.print_usage(sys.stderr)
        self.exit(EXIT_USAGE, "%s: %s\n" % (self.prog, message))


def parse(arguments: List[str]) -> Tuple[argparse.Namespace, List[str]]:
    """The options, and what follows `--` for the script."""
    parser = Parser(
        prog="orrery-builder", description="Runs a builder script and writes the scene."
    )
    parser.add_argument("script", help="the script")
    parser.add_argument(
        "-o", dest="directory", metavar="DIR", required=True, help="where to write the scene"
    )
    parser.add_argument(
        "--plugins-json",
        metavar="FILE",
        help="what `orrery plugins --json` printed; - is standard input; default: ask",
    )
    parser.add_argument(
        "--origins",
        action="store_true",
        help="write beside the scene where in the script it was said what stands in it",
    )
    parser.add_argument("--strict", action="store_true", help="write no scene if there is a warning")
    parser.add_argument(
        "--debug", action="store_true", help="show Python's traceback of what ends the script"
    )
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    return parser.parse_args(arguments[:cut]), arguments[cut + 1 :]


def load_catalogue(path: Optional[str]) -> catalogue.Catalogue:
    """The list of plugins in a file, or of the host."""
    try:
        return catalogue.load(path, sys.stdin)
    except OSError as error:
        raise NoFileError("%s: %s" % (path, error.strerror)) from None


def main(arguments: List[str]) -> int:
    """Runs a script and writes its scene; returns the exit code."""
    options, rest = parse(arguments)
    # It is for this program, not for those that the script starts.
    os.environ.pop("PYTHONSAFEPATH", None)
    try:
        session.begin(load_catalogue(options.plugins_json), collecting=True)
        morse_names.install()
        imports.install()
        runner.run(options.script, rest)
        if options.strict:
            session.current().check_warnings()
        writer.write(options.directory, options.origins)
    except (Exception, KeyboardInterrupt) as error:
        if options.origins and runner.is_of_morse(options.script):
            writer.write_mark(options.directory)
        return runner.report(error, options.debug)
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
