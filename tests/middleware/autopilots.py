# SPDX-License-Identifier: BSD-3-Clause
"""Autopilots for tests: MAVLink by its published layouts, not by the code under test, and small controllers."""

import json
import math
import socket
import struct

# name: (id, last byte of the check sum, format without extensions, fields in the order on the wire)
MESSAGES = {
    "HEARTBEAT": (0, 50, "<IBBBBB", "custom_mode type autopilot base_mode system_status mavlink_version"),
    "ATTITUDE": (30, 39, "<I6f", "time_boot_ms roll pitch yaw rollspeed pitchspeed yawspeed"),
    "LOCAL_POSITION_NED": (32, 185, "<I6f", "time_boot_ms x y z vx vy vz"),
    "COMMAND_LONG": (76, 152, "<7fHBBB", "param1 param2 param3 param4 param5 param6 param7 command "
                     "target_system target_component confirmation"),
    "COMMAND_ACK": (77, 143, "<HB", "command result"),
    "SET_ATTITUDE_TARGET": (82, 49, "<I8fBBB", "time_boot_ms q1 q2 q3 q4 body_roll_rate body_pitch_rate "
                            "body_yaw_rate thrust target_system target_component type_mask"),
    "SET_POSITION_TARGET_LOCAL_NED": (84, 143, "<I11fHBBB", "time_boot_ms x y z vx vy vz afx afy afz yaw yaw_rate "
                                      "type_mask target_system target_component coordinate_frame"),
    "HIL_ACTUATOR_CONTROLS": (93, 47, "<QQ16fB", "time_usec flags " + " ".join("c%d" % i for i in range(1, 17)) + " mode"),
    "HIL_SENSOR": (107, 108, "<Q13fI", "time_usec xacc yacc zacc xgyro ygyro zgyro xmag ymag zmag abs_pressure "
                   "diff_pressure pressure_alt temperature fields_updated"),
    "HIL_GPS": (113, 124, "<QiiiHHHhhhHBB", "time_usec lat lon alt eph epv vel vn ve vd cog fix_type satellites_visible"),
    "HIL_STATE_QUATERNION": (115, 4, "<Q4f3fiiihhhHHhhh", "time_usec q1 q2 q3 q4 rollspeed pitchspeed yawspeed lat lon "
                             "alt vx vy vz ind_airspeed true_airspeed xacc yacc zacc"),
}
BY_ID = {row[0]: name for name, row in MESSAGES.items()}


def crc(data):
    """CRC-16/MCRF4XX, bit by bit."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x8408 if value & 1 else 0)
    return value


def frame(name, sequence=0, version=2, system=1, component=1, **fields):
    number, extra, layout, names = MESSAGES[name]
    payload = struct.pack(layout, *(fields.pop(field, 0) for field in names.split()))
    assert not fields, fields
    if version == 1:
        head = bytes([0xFE, len(payload), sequence & 255, system, component, number])
    else:
        payload = payload.rstrip(b"\0") or b"\0"
        head = bytes([0xFD, len(payload), 0, 0, sequence & 255, system, component]) + struct.pack("<I", number)[:3]
    return head + payload + struct.pack("<H", crc((head + payload)[1:] + bytes([extra])))


def parse(data):
    """The first frame of the data, as (name, fields, sequence, version), and the rest; (None, data) if there is none yet.

    Anything that is no frame is an error: the program under test sends none."""
    if len(data) < 2:
        return None, data
    head = {0xFE: 6, 0xFD: 10}[data[0]]
    end = head + data[1]
    if len(data) < end + 2:
        return None, data
    number = data[5] if head == 6 else int.from_bytes(data[7:10], "little")
    name = BY_ID[number]
    _, extra, layout, names = MESSAGES[name]
    if struct.unpack("<H", data[end:end + 2])[0] != crc(data[1:end] + bytes([extra])):
        raise ValueError("wrong check sum of " + name)
    size = struct.calcsize(layout)
    values = struct.unpack(layout, data[head:end][:size].ljust(size, b"\0"))
    return (name, dict(zip(names.split(), values)), data[2 if head == 6 else 4], 1 if head == 6 else 2), data[end + 2:]


class Connection:
    """What PX4 has to the simulator."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        self.sequence = 0
        self.expected = None
        self.last = {}

    def message(self):
        """The next message; None at the end."""
        while True:
            found, self.data = parse(self.data)
            if found:
                assert self.expected in (None, found[2]), (self.expected, found)
                self.expected = found[2] + 1 & 255
                self.last[found[0]] = found[1]
                return found[:2]
            try:
                more = self.socket.recv(65536)
            except ConnectionResetError:
                return None
            if not more:
                return None
            self.data += more

    def sensors(self):
        """The next HIL_SENSOR; None at the end."""
        while True:
            found = self.message()
            if found is None or found[0] == "HIL_SENSOR":
                return found and found[1]

    def send(self, name, **fields):
        self.socket.sendall(frame(name, self.sequence, **fields))
        self.sequence += 1

    def controls(self, values, time=0, mode=129):
        self.send("HIL_ACTUATOR_CONTROLS", time_usec=time, flags=1, mode=mode,
                  **{"c%d" % (i + 1): value for i, value in enumerate(values)})

    def close(self):
        self.socket.close()


class Hover:
    """Holds a quadrotor at a height, level and where it started; outputs as PX4 counts the rotors of a quadrotor x."""

    HOVER = 2 * 9.81 / (4 * 9.169e-6 * 1100 ** 2)  # of each rotor's full thrust

    def __init__(self, height):
        self.height = height
        self.start = None
        self.heights = []

    def outputs(self, sensors, state, gps):
        height = (state["alt"] / 1000 if state else 0)
        if self.start is None:
            self.start = (state["lat"], state["lon"], height, sensors["pressure_alt"])
        climbed = sensors["pressure_alt"] - self.start[3]
        self.heights.append(climbed)
        north = (state["lat"] - self.start[0]) * 1e-7 * math.pi / 180 * 6.37e6
        east = (state["lon"] - self.start[1]) * 1e-7 * math.pi / 180 * 6.37e6 * math.cos(state["lat"] * 1e-7 * math.pi / 180)
        w, x, y, z = (state["q%d" % i] for i in range(1, 5))
        roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = math.asin(max(-1, min(1, 2 * (w * y - z * x))))
        yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        # North and East as seen from the nose; a push forwards is a nose that goes down.
        push_n, push_e = -0.05 * north - 0.002 * state["vx"], -0.05 * east - 0.002 * state["vy"]
        ahead = push_n * math.cos(yaw) + push_e * math.sin(yaw)
        right = -push_n * math.sin(yaw) + push_e * math.cos(yaw)
        lift = self.HOVER + 0.1 * (self.height - climbed) + 0.135 * state["vz"] / 100
        turn_roll = 0.38 * (max(-0.2, min(0.2, right)) - roll) - 0.1 * sensors["xgyro"]
        turn_pitch = 0.38 * (max(-0.2, min(0.2, -ahead)) - pitch) - 0.1 * sensors["ygyro"]
        turn_yaw = -0.1 * sensors["zgyro"]
        front_right = lift - turn_roll + turn_pitch - turn_yaw
        rear_left = lift + turn_roll - turn_pitch - turn_yaw
        front_left = lift + turn_roll + turn_pitch + turn_yaw
        rear_right = lift - turn_roll - turn_pitch + turn_yaw
        return [math.sqrt(max(0, min(1, value))) for value in (front_right, rear_left, front_left, rear_right)]


class ArduPilot:
    """What ArduPilot has to the simulator: datagrams with pulses, and lines of JSON."""

    def __init__(self, port, first=1):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", port))
        self.frame = first

    def send(self, pulses, frame=None, rate=100):
        magic = 18458 if len(pulses) <= 16 else 29569
        pulses = list(pulses) + [0] * ((16 if len(pulses) <= 16 else 32) - len(pulses))
        self.socket.send(struct.pack("<HHI%dH" % len(pulses), magic, rate, self.frame if frame is None else frame, *pulses))

    def receive(self):
        line = self.socket.recv(65536)
        assert line.endswith(b"\n"), line
        return json.loads(line)

    def step(self, pulses):
        """One frame and its answer."""
        self.send(pulses)
        self.frame += 1
        return self.receive()

    def close(self):
        self.socket.close()


def yaw_of(state):
    w, x, y, z = state["quaternion"]
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


class DriveTo:
    """Drives a rover to a place, given by North and East in metres: outputs 1 and 3 in microseconds."""

    def __init__(self, north, east):
        self.goal = north, east
        self.distance = math.inf

    def pulses(self, state):
        north, east = (goal - now for goal, now in zip(self.goal, state["position"]))
        self.distance = math.hypot(north, east)
        turn = math.remainder(math.atan2(east, north) - yaw_of(state), 2 * math.pi)
        throttle = min(1, 0.8 * self.distance) * max(0, math.cos(turn)) if self.distance > 0.05 else 0
        steering = max(-1, min(1, 1.5 * turn)) if self.distance > 0.05 else 0
        return [round(1500 + 500 * steering), 1500, round(1500 + 500 * throttle)]
