# SPDX-License-Identifier: BSD-3-Clause
"""The connection graph and assets of Foxglove's protocol, by its own client and by wrong ones."""

import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import NODE_PATH, lacks_modules, need  # noqa: E402

import tap  # noqa: E402
from test_viewer import FOXGLOVE, OWN, Client, ViewerCase, split_glb  # noqa: E402
from test_viewer_commands import Commander  # noqa: E402
from websocket_client import LIMIT  # noqa: E402


class GraphCase(ViewerCase):
    def peer(self, topic, *uris):
        need(self, lacks_modules("@foxglove/ws-protocol", "ws"))
        address = "ws://127.0.0.1:%d/%s" % (self.port, "?token=" + self.token if self.token else "")
        done = subprocess.run(["node", os.path.join(HERE, "viewer_graph_peer.js"), address, topic, *uris],
                              capture_output=True, text=True, timeout=LIMIT, env=dict(os.environ, NODE_PATH=NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["status"], [])
        return seen

    def asset(self):
        return next(shape["asset"] for one in self.scene()["objects"] for shape in one.get("shapes", []) if "asset" in shape)


class Assets(GraphCase):
    #: What no asset is called, wherever it may lead.
    WRONG = ("/etc/passwd", "file:///etc/passwd", "/assets/../../../../etc/passwd", "/assets/..%2f..%2fetc%2fpasswd",
             "package://orrery/assets/../../etc/passwd", "package://orrery/../etc/passwd", "/assets/", "", "/", "/page.js",
             "/scene.json", "/assets/" + "0" * 64 + ".glb", "/assets/" + "../" * 21 + "x.glb", "/assets/" + "0" * 100000)

    def setUp(self):
        super().setUp()
        self.view()

    def fetch(self, client, uri, number=7):
        """Status, text of the error and data."""
        client.send("fetchAsset", uri=uri, requestId=number)
        while True:
            opcode, body = client.read()
            self.assertEqual(opcode, 2, body)
            if body[0] == 4:
                request, status, length = struct.unpack_from("<IBI", body, 1)
                self.assertEqual(request, number)
                return status, body[10:10 + length].decode(), body[10 + length:]

    def test_the_client_of_foxglove(self):
        name = self.asset()
        uris = ["/assets/%s.glb" % name, "package://orrery/assets/%s.glb" % name, "/etc/passwd"]
        seen = self.peer("/robot/pose", *uris)
        self.assertIn("assets", seen["info"]["capabilities"])
        for uri in uris[:2]:
            self.assertEqual((seen["assets"][uri]["status"], seen["assets"][uri]["sha256"]), (0, name))
        self.assertEqual(seen["assets"]["/etc/passwd"]["status"], 1)
        self.assertIn("no such asset", seen["assets"]["/etc/passwd"]["error"])

    def test_no_file_of_the_system(self):
        name = self.asset()
        with Client(self.port, FOXGLOVE) as client:
            for uri in (*self.WRONG, "/assets/" + name, "/assets/%s.glb/.." % name, "/assets/%s.glb%%00" % name,
                        "/assets//%s.glb" % name, "/assets/%s.GLB" % name, "assets/%s.glb" % name):
                status, words, data = self.fetch(client, uri)
                self.assertEqual((status, data), (1, b""), uri[:100])
                self.assertIn("/assets/SHA256.glb", words)
            # It goes on with the next one, and the largest number of a request is one.
            status, _, data = self.fetch(client, "/assets/%s.glb" % name, 2**32 - 1)
            self.assertEqual(status, 0)
            split_glb(data)

    def test_wrong_operations(self):
        with Client(self.port, FOXGLOVE) as client:
            for fields in ({}, {"uri": "/assets/x"}, {"requestId": 1}, {"uri": 1, "requestId": 1},
                           {"uri": "/assets/x", "requestId": -1}, {"uri": "/assets/x", "requestId": 2**32},
                           {"uri": "/assets/x", "requestId": "1"}):
                client.send("fetchAsset", **fields)
                self.assertIn("needs a text 'uri' and a number 'requestId'", client.text_message("status")["message"])

    def test_one_that_asks_and_does_not_read(self):
        """Of what waits for it there is an end, and others do not notice."""
        name = self.asset()
        with Client(self.port, FOXGLOVE) as greedy, Client(self.port, FOXGLOVE) as other:
            for number in range(5000):
                greedy.send("fetchAsset", uri="/assets/%s.glb" % name, requestId=number)
            status, _, data = self.fetch(other, "/assets/%s.glb" % name)
            self.assertEqual(status, 0)
            split_glb(data)


class Graph(GraphCase):
    def names(self, update, key):
        return {one["name"]: one for one in update[key]}

    def test_the_client_of_foxglove(self):
        self.view("--control")
        seen = self.peer("/robot/pose")
        self.assertIn("connectionGraph", seen["info"]["capabilities"])
        whole, more, less = seen["updates"]
        published = {name: one["publisherIds"] for name, one in self.names(whole, "publishedTopics").items()}
        self.assertEqual(published, {"/tf": ["simulation"], "/scene": ["simulation"], "/robot": ["robot"],
                                     "/robot/pose": ["robot.pose"], "/robot/laser": ["robot.laser"],
                                     "/robot/motion": ["robot.motion"]})
        self.assertEqual(whole["subscribedTopics"], [{"name": "/robot/motion", "subscriberIds": ["robot.motion"]}])
        services = self.names(whole, "advertisedServices")
        self.assertEqual(services["/robot/motion/set_speed"]["providerIds"], ["robot.motion"])
        self.assertEqual(services["/simulation/pause"]["providerIds"], ["simulation"])
        for update in more, less:
            self.assertEqual((update["publishedTopics"], update["advertisedServices"], update["removedTopics"],
                              update["removedServices"]), ([], [], [], []))
            self.assertEqual([one["name"] for one in update["subscribedTopics"]], ["/robot/pose"])
        self.assertRegex(more["subscribedTopics"][0]["subscriberIds"][0], r"^client-\d+$")
        self.assertEqual(less["subscribedTopics"][0]["subscriberIds"], [])

    def test_others(self):
        """Who comes, subscribes and goes is told to whoever follows the graph, and to nobody else."""
        self.view()
        with Client(self.port, FOXGLOVE) as client:
            client.send("subscribeConnectionGraph")
            whole = client.text_message("connectionGraphUpdate")
            self.assertEqual((whole["subscribedTopics"], whole["advertisedServices"]), ([], []))
            for protocol in FOXGLOVE, OWN:
                with Client(self.port, protocol) as other:
                    other.subscribe_to(1, "/robot/pose")
                    update = client.text_message("connectionGraphUpdate")["subscribedTopics"]
                    self.assertEqual([(one["name"], len(one["subscriberIds"])) for one in update], [("/robot/pose", 1)])
                update = client.text_message("connectionGraphUpdate")["subscribedTopics"]
                self.assertEqual(update, [{"name": "/robot/pose", "subscriberIds": []}])
            client.send("subscribeConnectionGraph")
            self.assertIn("subscribed to already", client.text_message("status")["message"])
            client.send("unsubscribeConnectionGraph")
            client.send("unsubscribeConnectionGraph")
            self.assertIn("not subscribed to", client.text_message("status")["message"])
            with Client(self.port, FOXGLOVE) as other:
                other.subscribe_to(1, "/robot/pose")
                other.data(1)
            client.send("unsubscribeConnectionGraph")
            self.assertIn("not subscribed to", client.text_message("status")["message"])

    def test_commands_stay_closed(self):
        """A server that only shows the run takes these operations, and no other ones."""
        self.view()
        with Client(self.port, FOXGLOVE) as client:
            client.send("getParameters", parameterNames=[])
            self.assertIn("only shows the run", client.text_message("status")["message"])
        self.stop()
        self.view("--control")
        with Commander(self.port, self.token) as client:
            client.send("nonesuch")
            self.assertIn("no operation 'nonesuch'", client.status()["message"])


if __name__ == "__main__":
    tap.main()
