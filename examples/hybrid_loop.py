"""Light loops share one thread, sensors have processes of their own, and frames cross shared memory.

    orrery python hybrid_loop.py [multiprocess|local [RATE]]      RATE: how fast the clock goes, 1
"""
from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import numpy as np
from orrery import Command, Hybrid, PipeEmitter, PipeReceiver, Sleep, WallClock


class Sensor:
    def __init__(self, name: str, transport: str, interval: float) -> None:
        self.name, self.transport, self.interval = name, transport, interval

    def read(self) -> object:
        raise NotImplementedError


class Temperature(Sensor):
    def read(self) -> float:
        return round(20 + random.uniform(-2, 5), 2)


class Cloudiness(Sensor):
    def read(self) -> str:
        return random.choice(["Clear", "Partly Cloudy", "Cloudy", "Rain"])


class Camera(Sensor):
    def read(self) -> object:
        return np.random.randint(0, 256, (320, 200, 3), dtype=np.uint8)


def sense(emitter: PipeEmitter, sensor: Sensor) -> Iterator[Command]:
    while True:
        emitter.emit(sensor.read())
        yield Sleep(sensor.interval)


def control(receivers: list[tuple[Sensor, PipeReceiver]]) -> Iterator[Command]:
    while True:
        for sensor, receiver in receivers:
            reading = receiver.read()
            if reading:
                value = reading.value if isinstance(reading.value, (float, str)) else "frame %s" % (reading.value[0, 0],)
                print("[Controller]", sensor.name, value, "FRESH -> action required" if reading.fresh else "STALE", flush=True)
        yield Sleep(5.0)


if __name__ == "__main__":
    parallelism, rate = (sys.argv[1:] + ["multiprocess", "1"][len(sys.argv) - 1:])[:2]
    sensors = [
        Temperature("temp_sensor", transport="queue", interval=5.0),
        Cloudiness("cloudy_sensor", transport="queue", interval=10.0),
        Camera("camera", transport="latest" if parallelism == "multiprocess" else "queue", interval=1.0),
    ]
    hybrid = Hybrid(WallClock.new(float(rate)), parallelism, report=lambda text: print("[World]", text, flush=True))
    receivers: list[tuple[Sensor, PipeReceiver]] = []
    for sensor in sensors:
        emitter, receiver = hybrid.channel(sensor.name, sensor.transport)
        hybrid.background(sense, emitter, sensor, name=sensor.name)
        receivers.append((sensor, receiver))
    hybrid.loop(control, receivers)
    hybrid.run()
