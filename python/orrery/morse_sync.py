# SPDX-License-Identifier: BSD-3-Clause
"""The command `morse_sync`: lets a simulation with `time_sync` do a tick in each period.

`orrery morse-root DIR` writes DIR/bin/morse_sync, which starts this module. Lines of its input: `set_period SECONDS`, `quit`.
"""

from __future__ import annotations

import argparse
import math
import os
import selectors
import socket
import sys
import time
from typing import List, Optional

MAX_LINE = 1000


def period_of(text: str) -> float:
    """Seconds above 0; raises ValueError."""
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise ValueError("want seconds above 0, not %s" % text)
    return value


def connect(host: str, port: int, timeout: float) -> socket.socket:
    """The simulation's port, as soon as it is there."""
    end = time.monotonic() + timeout
    while True:
        try:
            return socket.create_connection((host, port), timeout=timeout)
        except ConnectionRefusedError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.1)


class Syncer:
    """Sends at fixed times, so that no delay adds up, and reads its commands in between."""

    def __init__(self, link: socket.socket, period: float, debug: bool) -> None:
        self.link, self.period, self.debug = link, period, debug
        self.said = b""
        self.waiting = selectors.DefaultSelector()
        self.waiting.register(link, selectors.EVENT_READ, "link")
        self.listen()

    def listen(self) -> None:
        """To commands, if there is anything they could come from."""
        try:
            self.waiting.register(sys.stdin.fileno(), selectors.EVENT_READ, "commands")
        except (OSError, ValueError, AttributeError):  # a file, closed, none
            pass

    def command(self, line: str) -> bool:
        """Does what a line says; False: to end."""
        words = line.split()
        if words == ["quit"]:
            return False
        if len(words) == 2 and words[0] == "set_period":
            try:
                self.period = period_of(words[1])
                return True
            except ValueError:
                pass
        if words:
            print("morse_sync: set_period SECONDS or quit, not %s" % line.strip()[:80], file=sys.stderr)
        return True

    def read_commands(self) -> bool:
        """What has come on the input; False: to end."""
        chunk = os.read(sys.stdin.fileno(), 4096)
        if not chunk:
            self.waiting.unregister(sys.stdin.fileno())
        *lines, self.said = (self.said + chunk).split(b"\n")
        self.said = self.said[-MAX_LINE:]
        return all(self.command(line.decode("utf-8", "replace")) for line in lines)

    def rest(self, until: float) -> bool:
        """Waits; False: to end, as the user or the simulation has it."""
        while True:
            left = until - time.monotonic()
            for key, _ in self.waiting.select(max(left, 0)):
                if key.data == "link" and not self.link.recv(4096):
                    return False
                if key.data == "commands" and not self.read_commands():
                    return False
            if left <= 0:
                return True

    def run(self) -> None:
        """Until the user or the simulation ends it."""
        due = time.monotonic()
        while self.rest(due):
            self.link.sendall(b"sync")
            if self.debug:
                print("morse_sync: %.6f s late" % (time.monotonic() - due), file=sys.stderr)
            due = max(due + self.period, time.monotonic() - 1.0)


def main(arguments: Optional[List[str]] = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="morse_sync", description="Lets a simulation do a tick in each period.")
    parser.add_argument("-p", "--period", type=period_of, default=1 / 60, help="seconds from tick to tick (1/60)")
    parser.add_argument("-t", "--timeout", type=float, default=10.0, help="seconds that a connection may take (10)")
    parser.add_argument("-H", "--host", default="localhost", help="where the simulation runs (localhost)")
    parser.add_argument("-P", "--port", type=int, default=6000, help="its sync_port (6000)")
    parser.add_argument("-d", "--debug", action="store_true", help="say how late each tick is")
    options = parser.parse_args(arguments)
    try:
        with connect(options.host, options.port, options.timeout) as link:
            link.settimeout(None)
            Syncer(link, options.period, options.debug).run()
    except KeyboardInterrupt:
        return 130
    except (BrokenPipeError, ConnectionResetError):  # the simulation has ended
        return 0
    except (OSError, OverflowError) as error:
        print("morse_sync: %s:%d: %s" % (options.host, options.port, error), file=sys.stderr)
        return 74
    return 0


if __name__ == "__main__":
    sys.exit(main())
