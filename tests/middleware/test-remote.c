/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/orrery-world-private.h"

#include "../../middleware/message/remote.h"

/* Answers that come in while a tick takes those before. */

#define EVENTS 300000

typedef struct {
  OrreryRequestManager parent_instance;
} Manager;
ORRERY_DEFINE_CLASS (Manager, manager, OrreryRequestManager, orrery_request_manager)

static void
manager_class_init (ManagerClass *klass)
{
}

typedef struct {
  RemoteCalls *calls;
  gboolean done; /* atomic */
} Server;

/* Of calls that nobody waits for any more. */
static gpointer
answer (gpointer data)
{
  Server *server = data;
  g_autoptr (GBytes) bytes = g_bytes_new_static ("answer", 6);

  for (guint64 key = 1; key <= EVENTS; key++) {
    if (key % 3 == 0)
      remote_calls_put_answer (server->calls, key, bytes);
    else
      remote_calls_put_failure (server->calls, key, "no");
  }
  g_atomic_int_set (&server->done, TRUE);
  return NULL;
}

static void
test_at_once (void)
{
  g_autoptr (OrreryRequestManager) manager = g_object_new (manager_get_type (), NULL);
  g_autoptr (OrreryWorld) world = orrery_world_new ();
  OrreryTick *tick = orrery_tick_new (world);
  Server server = { remote_calls_new (&(RemoteOptions){ .manager = manager }), FALSE };
  GThread *thread = g_thread_new ("answers", answer, &server);
  guint64 n = 0;

  g_test_summary ("A tick that finds nothing leaves what comes at that moment to the next one");
  while (!g_atomic_int_get (&server.done)) {
    remote_calls_tick (server.calls, tick);
    n++;
  }
  g_thread_join (thread);
  remote_calls_tick (server.calls, tick);
  g_assert_cmpuint (n, >, 0);
  remote_calls_free (server.calls);
  orrery_tick_unref (tick);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/remote/at-once", test_at_once);
  return g_test_run ();
}
