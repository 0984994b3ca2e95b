# SPDX-License-Identifier: BSD-3-Clause
"""Debian's rosmaster, which says when it listens, and can be killed."""

import queue
import shutil
import signal
import subprocess
import threading
import xmlrpc.client
import xmlrpc.server

MISSING = None if shutil.which("rosmaster") else "rosmaster is not installed"

#: What `rosmaster` runs.
PROGRAM = """
import signal, sys, rosmaster.master
master = rosmaster.master.Master(int(sys.argv[1]))
master.start()
print("up", flush=True)
signal.pause()
"""


class Master:
    def __init__(self, port, environment=None):
        self.port = port
        self.uri = "http://127.0.0.1:%d" % port
        self.process = subprocess.Popen(["/usr/bin/python3", "-c", PROGRAM, str(port)], env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if self.process.stdout.readline() != "up\n":
            raise AssertionError("no master came up")

    def ask(self, method, *arguments):
        with xmlrpc.client.ServerProxy(self.uri) as proxy:
            return getattr(proxy, method)("/test", *arguments)[2]

    def await_topic(self, topic, timeout=60):
        """The port of TCPROS of the node that publishes a topic, once the master knows it."""
        updates = queue.Queue()
        with xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False) as server:
            own = "http://127.0.0.1:%d/" % server.server_address[1]
            server.register_function(lambda caller, name, uris: updates.put(uris) or (1, "", 0), "publisherUpdate")
            threading.Thread(target=server.serve_forever, daemon=True).start()
            uris = self.ask("registerSubscriber", topic, "*", own)
            while not uris:
                uris = updates.get(timeout=timeout)
            self.ask("unregisterSubscriber", topic, own)
            server.shutdown()
        with xmlrpc.client.ServerProxy(uris[0]) as node:
            return node.requestTopic("/test", topic, [["TCPROS"]])[2][2]

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
