"""Light loops share one thread, sensors have processes of their own, and frames cross shared memory.

    orrery python hybrid_loop.py [multiprocess|local [RATE]]      RATE: how fast the clock goes, 1
"""
import random
import sys

import numpy as np
from orrery import Hybrid, Sleep, WallClock


class Sensor:
    def __init__(self, name, transport, interval):
        self.name, self.transport, self.interval = name, transport, interval


class Temperature(Sensor):
    def read(self):
        return round(20 + random.uniform(-2, 5), 2)


class Cloudiness(Sensor):
    def read(self):
        return random.choice(["Clear", "Partly Cloudy", "Cloudy", "Rain"])


class Camera(Sensor):
    def read(self):
        return np.random.randint(0, 256, (320, 200, 3), dtype=np.uint8)


def sense(emitter, sensor):
    while True:
        emitter.emit(sensor.read())
        yield Sleep(sensor.interval)


def control(receivers):
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
    world = Hybrid(WallClock.new(float(rate)), parallelism, report=lambda text: print("[World]", text, flush=True))
    receivers = []
    for sensor in sensors:
        emitter, receiver = world.pipe(sensor.name, sensor.transport)
        world.background(sense, emitter, sensor, name=sensor.name)
        receivers.append((sensor, receiver))
    world.loop(control, receivers)
    world.run()
