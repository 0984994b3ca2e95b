# SPDX-License-Identifier: BSD-3-Clause
"""A middleware that cannot be had: the run goes on without its streams, and finds it when it comes."""

import json
import os
import socket
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import BUILD, ProgramCase  # noqa: E402

import tap  # noqa: E402

BROKER = r"""
#include <gio/gio.h>
#include <orrery.h>
#include <string.h>

/* Publishes over a connection to whoever listens at the port BROKER. */
G_DECLARE_FINAL_TYPE (AcmeBroker, acme_broker, ACME, BROKER, OrreryDatastreamManager)
struct _AcmeBroker {
  OrreryDatastreamManager parent_instance;
  GPtrArray *streams;
  GSocketConnection *connection;
};
G_DEFINE_FINAL_TYPE (AcmeBroker, acme_broker, ORRERY_TYPE_DATASTREAM_MANAGER)

static void
broker_open (OrreryDatastreamManager *manager, OrreryStream *stream, GVariant *options, GError **error)
{
  g_ptr_array_add (ACME_BROKER (manager)->streams, stream);
}

static void
broker_start (OrreryDatastreamManager *manager, GError **error)
{
  AcmeBroker *self = ACME_BROKER (manager);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  const char *port = g_getenv ("BROKER");

  if (port == NULL) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "BROKER is not set");
    return;
  }
  self->connection = g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) atoi (port), NULL, NULL);
  if (self->connection == NULL) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY, "no broker at 127.0.0.1:%s", port);
    return;
  }
  for (guint i = 0; i < self->streams->len; i++)
    orrery_stream_set_listening (self->streams->pdata[i], TRUE);
}

static void
broker_send (OrreryDatastreamManager *manager, OrreryStream *stream, const char *data, gsize length)
{
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (ACME_BROKER (manager)->connection));

  g_output_stream_write_all (out, data, length, NULL, NULL, NULL);
}

static void
broker_close (OrreryDatastreamManager *manager)
{
  g_clear_object (&ACME_BROKER (manager)->connection);
  g_message ("the broker's manager is closed");
}

static void
acme_broker_finalize (GObject *object)
{
  g_clear_pointer (&ACME_BROKER (object)->streams, g_ptr_array_unref);
  G_OBJECT_CLASS (acme_broker_parent_class)->finalize (object);
}

static void
acme_broker_class_init (AcmeBrokerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = acme_broker_finalize;
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->open = broker_open;
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->start = broker_start;
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->send = broker_send;
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->close = broker_close;
}

static void
acme_broker_init (AcmeBroker *self)
{
  self->streams = g_ptr_array_new ();
}

ORRERY_PLUGIN ("A broker", "BSD-3-Clause",
               ORRERY_CLASS (Broker, AcmeBroker, acme_broker, .stream = "broker",
                             .publisher = "orrery.middleware.socket_datastream.SocketPublisher"))
"""

SCENE = """from morse.builder import *
robot = ATRV()
pose = Pose(); pose.add_stream('broker'); robot.append(pose)
clock = Clock(); clock.add_stream('broker'); clock.add_stream('socket'); robot.append(clock)
env = Environment('empty')
env.set_physics('orrery.physics.kinematic.Kinematic')
"""


class Absent(ProgramCase):
    def setUp(self):
        super().setUp()
        self.build_plugin("acme/broker.so", BROKER)
        self.write("scene.py", SCENE)
        self.listener = socket.socket()
        self.addCleanup(self.listener.close)
        self.listener.bind(("127.0.0.1", 0))  # bound, and not listening: nobody else has the port
        self.port = self.listener.getsockname()[1]

    def environment(self):
        return dict(super().environment(), BROKER=str(self.port))

    def test_the_run_goes_on_and_finds_it(self):
        process = self.start("run", "--plugin-dir", "plugins", "scene.py")
        line = self.wait_for(process, "no broker at")
        self.assertIn("acme.broker.Broker: no broker at 127.0.0.1:%d; not on a stream: " % self.port, line)
        self.assertIn("robot.pose", line)
        self.assertIn("robot.clock", line)
        self.wait_for(process, "[SCENE INITIALIZED]")
        self.listener.listen()
        self.wait_for(process, "acme.broker.Broker: it is there now")
        connection, _ = self.listener.accept()
        connection.settimeout(120)
        self.assertIn(b'"timestamp"', connection.recv(4096))
        connection.close()
        process.terminate()
        self.wait_for(process, "the broker's manager is closed")
        self.assertEqual(process.wait(timeout=120), 143)

    def test_a_run_that_never_finds_it_ends_well(self):
        done = self.orrery("run", "--plugin-dir", "plugins", "--fast", "--ticks", "30", "--offline", "scene.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("no broker at"), 1, done.stderr)
        self.assertEqual(done.stderr.count("the broker's manager is closed"), 1, done.stderr)

    def test_strictly_it_is_an_error(self):
        done = self.orrery("run", "--plugin-dir", "plugins", "--strict", "--ticks", "3", "scene.py")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no broker at 127.0.0.1:%d" % self.port, done.stderr)
        self.assertNotIn("[SCENE INITIALIZED]", done.stderr)

    def test_a_check_connects_to_nobody(self):
        done = self.orrery("check", "--plugin-dir", "plugins", "scene.py")
        self.check(done, 0, "ok")
        self.assertNotIn("no broker", done.stderr)

    def test_other_errors_end_the_run(self):
        environment = super().environment()
        self.environment = lambda: environment
        done = self.orrery("run", "--plugin-dir", "plugins", "--ticks", "3", "scene.py")
        self.check(done, 65, "BROKER is not set")


def deaf_scene(port):
    """Its datastream manager cannot start where somebody has the port."""
    manager = "orrery.middleware.socket_datastream.SocketDatastreamManager"
    publisher = "orrery.middleware.socket_datastream.SocketPublisher"
    requests = "orrery.middleware.socket_request_manager.SocketRequestManager"
    return {"orrery": 1,
            "environment": {"time_strategy": "fixed_step", "physics": "orrery.physics.kinematic.Kinematic"},
            "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
                {"name": "pose", "classpath": "morse.sensors.pose.Pose"}]}],
            "stream_manager": {manager: {"time_sync": True, "sync_port": port}},
            "component_service": {"simulation": [requests], "time": [requests]},
            "component_datastream": {"robot.pose": [[manager, publisher]]}}


class Deaf(ProgramCase):
    """Another scene that comes by a service, and cannot open its streams."""

    def setUp(self):
        super().setUp()
        self.taken = socket.socket()
        self.addCleanup(self.taken.close)
        self.taken.bind(("127.0.0.1", 0))
        self.taken.listen()
        self.port = self.taken.getsockname()[1]
        self.write("deaf.json", json.dumps(deaf_scene(self.port)))
        self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nenv = Environment('empty')\n"
                   "env.set_physics('orrery.physics.kinematic.Kinematic')\n")

    def test_the_run_ends_with_the_reason(self):
        process = self.start("run", "scene.py")
        port = self.services_port(process)
        done = self.orrery("call", "--port", port, "simulation", "load", "deaf.json")
        self.check(done, 0, "stopped")
        _, stderr = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 74, stderr)
        self.assertIn("sync_port %d on 127.0.0.1: Address already in use" % self.port, stderr)

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib")), "no typelib")
    def test_a_program_cannot_step_it_and_can_load_another(self):
        self.write("program.py", """
import orrery
from gi.repository import GLib
sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)
for what in (lambda: sim.change_scene("deaf.json"), lambda: sim.step(1), lambda: sim.run(1), lambda: sim.idle(1)):
    try:
        what()
    except GLib.Error as error:
        print(error.message)
sim.change_scene("scene.json")
sim.step(3)
print(sim.ticks)
""")
        heard = deaf_scene(self.port)
        del heard["stream_manager"], heard["component_datastream"]
        self.write("scene.json", json.dumps(heard))
        done = self.orrery("python", "program.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        reason = "sync_port %d on 127.0.0.1: Address already in use" % self.port
        self.assertEqual(done.stdout.splitlines(), 4 * [reason] + ["3"])


if __name__ == "__main__":
    tap.main()
