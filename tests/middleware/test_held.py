# SPDX-License-Identifier: BSD-3-Clause
"""Clients of rosbridge that send more than may wait, while the simulation makes no tick."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import held  # noqa: E402
from test_rosbridge import SCENE, BridgeCase  # noqa: E402

import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402

SPEED = "/robot/motion/set_speed"


class Held(BridgeCase):
    def open_held(self):
        self.gate = held.Gate(self)
        self.open(SCENE.replace("motion = ", held.SCENE + "motion = ") % "", *self.gate.arguments)
        self.clients = [self.client() for _ in range(5)]
        self.assertTrue(self.clients[0].call(SPEED, [0.0, 0.0])["result"])
        self.gate.hold(self.process.pid)

    def refused(self, client, n):
        """Sends as many calls of 1 MB, with an argument too many; why those were refused that were."""
        for i in range(n):
            client.send("call_service", id=i, service=SPEED, args=[0.5, 0.0, "x" * 1000000])
        client.send("call_service", id="last", service="/rosapi/nodes")
        words = []
        while (answer := client.next("service_response"))["id"] != "last":
            self.assertFalse(answer["result"])
            words.append(answer["values"])
        return words

    def test_calls(self):
        """A client may have 16 MiB that wait, all of them 64 MiB, also those that have gone."""
        self.open_held()
        for client, n in zip(self.clients, (20, 16, 16, 16)):
            words = self.refused(client, n)
            self.assertEqual(len(words), n - 16)
            for one in words:
                self.assertRegex(one, r"calls of this client that wait for an answer have 1600\d+ bytes, this one has 1000\d+, "
                                      r"and the limit is 16777216")
        for client in self.clients[1:4]:
            client.close()
        words = self.refused(self.clients[4], 5)
        self.assertEqual(len(words), 2)
        self.assertRegex(words[0], r"requests that wait for the simulation have 67\d+ bytes, .* the limit is 67108864")
        if not is_sanitized():
            self.assertLess(self.gate.growth(), 96 << 20)
        self.gate.release()
        for client, n in (self.clients[0], 16), (self.clients[4], 3):
            for _ in range(n):
                self.assertIn("3", client.next("service_response")["values"])
            self.assertTrue(client.call(SPEED, [0.0, 0.0])["result"])

    def test_many_small_values(self):
        """What counts is what they take here, which is more than their text."""
        self.open_held()
        client = self.clients[0]
        for i in range(3):
            client.text('{"op":"call_service","id":%d,"service":"%s","args":[%s]}' % (i, SPEED, ",".join(["0"] * 500000)))
        for i in 1, 2:
            self.assertIn("the limit is 16777216", client.next("service_response", id=i)["values"])
        self.gate.release()
        self.assertIn("500000", client.next("service_response", id=0)["values"])

    def test_cancellations(self):
        self.open_held()
        client, other = self.clients[:2]
        for i in range(1010):
            client.send("cancel_action_goal", id=i, action="/other/goal/goto")
        for i in range(1000, 1010):
            status = client.next("status")
            self.assertEqual(status["id"], i)
            self.assertIn("cancel_action_goal: 1000 cancellations of this client", status["msg"])
        for _ in range(4):
            other.send("cancel_action_goal", action="x" * 400000)
        for _ in range(2):
            self.assertRegex(other.status(), r"2 cancellations of this client, of 800\d+ bytes, .* 1048576")
        self.gate.release()
        # What was done makes room for others.
        for one in client, other:
            self.assertTrue(one.call(SPEED, [0.0, 0.0])["result"])
            one.send("cancel_action_goal", id="late", action="/other/goal/goto")
            one.send("call_service", id="after", service="/rosapi/nodes")
            self.assertEqual(one.message()["id"], "after")


if __name__ == "__main__":
    tap.main()
