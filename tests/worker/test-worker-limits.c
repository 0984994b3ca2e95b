/* SPDX-License-Identifier: BSD-3-Clause */
#include "../plugins/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A host that has no descriptors or no shared memory left for its workers. */

#define PATIENCE (60 * G_USEC_PER_SEC)

#define SCENE                                                                                      \
  "{'name': 'robot', 'classpath': 'orrery.core.robot.Robot', 'objects': ["                         \
  "{'name': 'faulty', 'classpath': 'probe.faults.Faulty', 'placement': 'worker', "                 \
  "'transport': 'latest'}]}"
#define SETTINGS "'workers': {'robot.faulty': {'back_off': 0.001, 'restarts': 100000}},"

static Stage *
make_stage (GError **error)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, SETTINGS, SCENE);

  stage_log_clear ();
  return stage_try (scene, NULL, error);
}

/* The lowest number that a new descriptor would have. */
static int
find_free (void)
{
  int fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 0);

  close (fd);
  return fd;
}

static void
limit_descriptors (rlim_t n)
{
  struct rlimit limit;

  getrlimit (RLIMIT_NOFILE, &limit);
  limit.rlim_cur = MIN (n, limit.rlim_max);
  setrlimit (RLIMIT_NOFILE, &limit);
}

static void
assert_stale (Stage *stage, gboolean stale)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;
  OrreryComponent *component = stage_find (stage, "robot.faulty");

  while (orrery_component_is_stale (component) != stale && g_get_monotonic_time () < deadline) {
    g_usleep (1000);
    stage_step (stage, 1);
  }
  g_assert_cmpint (orrery_component_is_stale (component), ==, stale);
}

static pid_t
get_pid (Stage *stage)
{
  g_autoptr (GVariant) list = stage_report (stage, "workers", "aa{sv}");
  g_autoptr (GVariant) worker = g_variant_get_child_value (list, 0);
  guint pid = 0;

  g_variant_lookup (worker, "pid", "u", &pid);
  return (pid_t) pid;
}

static void
test_descriptors_at_start (void)
{
  guint n_started = 0;
  g_autoptr (Stage) last = NULL;

  g_test_summary ("with every number of descriptors it starts, or says what it lacks");
  for (int spare = 0; spare < 40; spare++) {
    g_autoptr (GError) error = NULL;
    int before = find_free ();
    Stage *stage;

    limit_descriptors ((rlim_t) (before + 12 + spare));
    stage = make_stage (&error);
    limit_descriptors (1024);
    if (stage != NULL) {
      stage_step (stage, 2);
      n_started++;
      stage_free (stage);
    } else {
      g_assert_nonnull (error);
    }
    g_assert_cmpint (find_free (), ==, before);
  }
  g_assert_cmpuint (n_started, >, 0);
  last = make_stage (NULL);
  g_assert_nonnull (last);
}

static void
test_descriptors_at_restart (void)
{
  g_autoptr (Stage) stage = make_stage (NULL);
  int before;

  g_assert_nonnull (stage);
  stage_step (stage, 3);
  before = find_free ();
  limit_descriptors ((rlim_t) before);
  kill (get_pid (stage), SIGKILL);
  assert_stale (stage, TRUE);
  /* What the one before had is free: it takes somebody else to use it up. */
  for (int i = 0; i < 64; i++)
    if (fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, before > 8 ? 8 : 0) < 0)
      break;
  for (guint i = 0; i < 20; i++) {
    g_usleep (2000);
    stage_step (stage, 1);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, "*cannot be started*"), >, 0);
  limit_descriptors (1024);
  assert_stale (stage, FALSE);
}

/* --- no shared memory --- */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE
static gboolean
refuse_memory (void)
{
  struct sock_filter rules[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (rules), rules };

  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static gboolean
refuse_memory (void)
{
  return FALSE;
}
#endif

/* Comes last: what is refused stays so. */
static void
test_memory (void)
{
  static const char refused[] = "*cannot be started: *shared memory: *not permitted*";
  g_autoptr (Stage) stage = make_stage (NULL);
  g_autoptr (Stage) none = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (stage);
  if (!refuse_memory ()) {
    g_test_skip ("no filter of system calls here");
    return;
  }
  stage_step (stage, 3);
  kill (get_pid (stage), SIGKILL);
  assert_stale (stage, TRUE);
  for (guint i = 0; i < 5000 && stage_log_count (G_LOG_LEVEL_WARNING, refused) == 0; i++) {
    g_usleep (2000);
    stage_step (stage, 1);
  }
  g_assert_cmpuint (stage_log_count (G_LOG_LEVEL_WARNING, refused), >, 0);
  none = make_stage (&error);
  g_assert_null (none);
  g_assert_nonnull (error);
  if (error != NULL)
    g_assert_nonnull (strstr (error->message, "cannot make shared memory"));
}

int
main (int argc, char **argv)
{
  stage_init (&argc, &argv);
  g_test_add_func ("/worker/worker-limits/descriptors-at-start", test_descriptors_at_start);
  g_test_add_func ("/worker/worker-limits/descriptors-at-restart", test_descriptors_at_restart);
  g_test_add_func ("/worker/worker-limits/memory", test_memory);
  return g_test_run ();
}
