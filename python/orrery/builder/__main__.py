# SPDX-License-Identifier: BSD-3-Clause
"""python3 -m orrery.builder SCRIPT -o DIR [--plugins-json FILE] [-- ARGUMENT...]"""

import argparse
import sys

from . import catalogue, morse_names, runner, session, writer
from .errors import EXIT_OK, EXIT_USAGE, NoFileError


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(EXIT_USAGE, "%s: %s\n" % (self.prog, message))


def parse(arguments):
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
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    return parser.parse_args(arguments[:cut]), arguments[cut + 1 :]


def load_catalogue(path):
    try:
        return catalogue.load(path, sys.stdin)
    except OSError as error:
        raise NoFileError("%s: %s" % (path, error.strerror)) from None


def main(arguments):
    options, rest = parse(arguments)
    try:
        session.begin(load_catalogue(options.plugins_json))
        morse_names.install()
        runner.run(options.script, rest)
        writer.write(options.directory)
    except (Exception, KeyboardInterrupt) as error:
        return runner.report(error)
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
