# SPDX-License-Identifier: BSD-3-Clause
"""A tick allocates nothing, with streams to sockets and files, ten readers and one that commands."""

import os
import re
import threading
import unittest

from clients import BUILD, IN, OUT, TEXT, TEXT_PUBLISHER, ClientCase, Lines

import tap
from sanitized import is_sanitized

COUNTER = os.path.join(BUILD, "tests/middleware/plugins/count-allocations.so")
FEW, MANY = 600, 2400


def read(port):
    try:
        with Lines(port) as client:
            while client.line():
                pass
    except (EOFError, OSError):
        pass


def command(port, stop):
    try:
        with Lines(port) as client:
            while not stop.wait(0.002):
                client.send('{"x": 3.5}\n')
    except OSError:
        pass


@unittest.skipIf(is_sanitized(), "allocations cannot be counted in this build")
class Steady(ClientCase):
    def environment(self):
        return dict(super().environment(), LD_PRELOAD=COUNTER)

    def count(self, modifiers, ticks):
        """Allocations of the main thread in a run of so many ticks."""
        scene = self.scene([{"name": "ten", "classpath": "trial.arithmetic.Ten", "frequency": 600},
                            {"name": "sink", "classpath": "trial.arithmetic.Sink", "frequency": 600}],
                           {"frequency": 600},
                           component_datastream={"robot.ten": [OUT, [TEXT, TEXT_PUBLISHER, {}]], "robot.sink": [IN]},
                           component_modifier={"robot.ten": modifiers})
        process = self.start("run", scene, "--ticks", str(ticks), "--plugin-dir",
                             os.path.join(BUILD, "tests/middleware/plugins"))
        ports = [int(re.search(r"port (\d+) for", self.wait_for(process, "Socket Mw Server")).group(1))
                 for _ in range(2)]
        stop = threading.Event()
        threads = [threading.Thread(target=read, args=(ports[0],)) for _ in range(10)]
        threads.append(threading.Thread(target=command, args=(ports[1], stop)))
        for thread in threads:
            thread.start()
        log = process.communicate(timeout=60)[1]
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(process.returncode, 0, log)
        return int(re.search(r"^(\d+) allocations$", log, re.M).group(1))

    def per_tick(self, modifiers):
        few, many = (self.count(modifiers, ticks) for ticks in (FEW, MANY))
        return (many - few) / (MANY - FEW)

    def test_nothing_in_a_tick(self):
        """On a busy machine more lines wait at once, and buffers grow; that is no cost per tick."""
        self.assertLess(abs(self.per_tick([["trial.arithmetic.Plus"]])), 0.05)

    def test_a_wasteful_modifier_is_seen(self):
        self.assertGreater(self.per_tick([["trial.arithmetic.Wasteful"]]), 0.9)


tap.main()
