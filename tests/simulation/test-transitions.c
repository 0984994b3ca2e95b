/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every transition from every state, by everybody who may ask, at every place: what happens is what
 * the table says, and docs/run.md shows that table. `test-transitions --table` writes it.
 */
#include "../plugins/stage.h"

#include "../../host/tick/orrery-transitions.c"

#include <string.h>

#define PROBE "'probe.scripts.Probe'"
#define KEPT "[<'kept'>]"

/* Who asks, and where. */
typedef enum {
  WAY_FUNCTION,        /* the program, outside */
  WAY_SERVICE,         /* the same by a service */
  WAY_CLIENT,          /* a client of a request manager, served in a turn */
  WAY_SCRIPT_FUNCTION, /* a script, in a callback */
  WAY_SCRIPT_SERVICE,
  WAY_FOLLOWER, /* a function of the program that follows ticks, between two turns */
  N_WAYS,
} Way;

static const char *const way_names[] = { "function",        "service",        "client",
                                         "script-function", "script-service", "follower" };

typedef struct {
  Stage *stage;
  char *path; /* of the scene, to be loaded again */
  OrreryRunState from;
  OrreryRunRequestKind kind;
  Way way;
  GBytes *state;
  OrreryCall *call;
  gboolean asked; /* once */
  gboolean fine;  /* what the function said, and */
  GError *error;
} Walk;

static Walk *walking; /* for the hook of a script, which gets no data */

/* --- asking --- */

static OrreryHandling
get_handling (const Walk *walk)
{
  const OrreryRunRequestInfo *info = orrery_run_request_get_info (walk->kind);

  switch (walk->way) {
  case WAY_SCRIPT_FUNCTION:
    return info->in_turn;
  case WAY_CLIENT:
  case WAY_SCRIPT_SERVICE:
    return ORRERY_HANDLING_WAITS;
  case WAY_FOLLOWER:
    return info->in_run;
  default:
    return ORRERY_HANDLING_NOW;
  }
}

static gboolean
is_by_service (Way way)
{
  return way == WAY_SERVICE || way == WAY_CLIENT || way == WAY_SCRIPT_SERVICE;
}

static gboolean
expects_critical (const Walk *walk)
{
  return !is_by_service (walk->way) &&
         (get_handling (walk) == ORRERY_HANDLING_BUG ||
          orrery_transition_find (walk->from, walk->kind)->refusal == ORRERY_REFUSAL_BUG);
}

static gboolean
call_function (Walk *walk)
{
  OrrerySimulation *simulation = walk->stage->simulation;
  g_autoptr (GBytes) state = NULL;

  switch (walk->kind) {
  case ORRERY_RUN_REQUEST_START:
  case ORRERY_RUN_REQUEST_START_PAUSED:
    return orrery_simulation_start (simulation, &walk->error);
  case ORRERY_RUN_REQUEST_STOP:
    return orrery_simulation_stop (simulation, &walk->error);
  case ORRERY_RUN_REQUEST_HOLD:
    orrery_simulation_pause (simulation);
    return TRUE;
  case ORRERY_RUN_REQUEST_RELEASE:
    orrery_simulation_resume (simulation);
    return TRUE;
  case ORRERY_RUN_REQUEST_RESET:
    return orrery_simulation_reset (simulation, &walk->error);
  case ORRERY_RUN_REQUEST_LOAD:
    return orrery_simulation_change_scene (simulation, walk->path, &walk->error);
  case ORRERY_RUN_REQUEST_SAVE:
    state = orrery_simulation_save (simulation, &walk->error);
    return state != NULL;
  case ORRERY_RUN_REQUEST_RESTORE:
    return orrery_simulation_restore (simulation, walk->state, &walk->error);
  case ORRERY_RUN_REQUEST_ADD:
    return orrery_simulation_add_spawnable (simulation, "{\"name\": \"mark\"}", 1, NULL,
                                            &walk->error);
  case ORRERY_RUN_REQUEST_RUN:
    return orrery_simulation_run (simulation, 1, ORRERY_SECOND / 1000, &walk->error);
  case ORRERY_RUN_REQUEST_TICKS:
    return orrery_simulation_step (simulation, 1, &walk->error);
  case ORRERY_RUN_REQUEST_IDLE:
    return orrery_simulation_idle (simulation, 1, &walk->error);
  case ORRERY_RUN_REQUEST_CLOSE:
    orrery_simulation_close (simulation);
    return TRUE;
  default:
    g_assert_not_reached ();
  }
}

static char *
make_arguments (const Walk *walk)
{
  switch (walk->kind) {
  case ORRERY_RUN_REQUEST_STEP:
    return g_strdup ("[<int64 2>]");
  case ORRERY_RUN_REQUEST_LOAD:
    return g_strdup_printf ("[<'%s'>]", strrchr (walk->path, '/') + 1);
  case ORRERY_RUN_REQUEST_SAVE:
  case ORRERY_RUN_REQUEST_RESTORE:
    return g_strdup (KEPT);
  case ORRERY_RUN_REQUEST_ADD:
    return g_strdup ("[<{'name': 'mark'}>]");
  default:
    return g_strdup ("@av []");
  }
}

static void
ask (Walk *walk)
{
  const OrreryRunRequestInfo *info = orrery_run_request_get_info (walk->kind);
  g_autofree char *arguments = make_arguments (walk);
  g_autofree char *asked = NULL;

  walk->asked = TRUE;
  if (walk->way == WAY_CLIENT) {
    asked = g_strdup_printf ("[<'simulation'>, <'%s'>, <%s>]", info->service, arguments);
    walk->call = stage_start (walk->stage, "desk", "ask", asked);
    return;
  }
  if (is_by_service (walk->way)) {
    walk->call = stage_start (walk->stage, "simulation", info->service, arguments);
    return;
  }
  if (expects_critical (walk))
    g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*assertion*failed*");
  walk->fine = call_function (walk);
  if (expects_critical (walk))
    g_test_assert_expected_messages ();
}

/* Asks within a turn or between two, where what waits has no effect yet. */
static void
ask_inside (Walk *walk)
{
  OrreryState before = orrery_simulation_get_state (walk->stage->simulation);

  if (walk->asked)
    return;
  ask (walk);
  if (get_handling (walk) != ORRERY_HANDLING_NOW)
    g_assert_cmpint (orrery_simulation_get_state (walk->stage->simulation), ==, before);
}

static void
hook (const char *callback)
{
  if (g_str_equal (callback, "sensing") || g_str_equal (callback, "non_simulation") ||
      g_str_equal (callback, "suspended"))
    ask_inside (walking);
}

static void
follow (OrreryComponent *component, gpointer data)
{
  ask_inside (data);
}

/* --- into a state, and which one it is --- */

static void
load_deaf (Walk *walk)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("PROBE_DESK", "deaf", TRUE);
  g_assert_false (orrery_simulation_change_scene (walk->stage->simulation, walk->path, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_IO);
  g_unsetenv ("PROBE_DESK");
}

static void
bring (Walk *walk)
{
  OrrerySimulation *simulation = walk->stage->simulation;

  if (walk->from == ORRERY_RUN_READY)
    orrery_simulation_stop (simulation, NULL);
  else if (walk->from == ORRERY_RUN_FAILED)
    load_deaf (walk);
  else if (walk->from != ORRERY_RUN_LOADED)
    stage_step (walk->stage, 1);
  if (walk->from == ORRERY_RUN_ENDED)
    orrery_simulation_stop (simulation, NULL);
  if (walk->from == ORRERY_RUN_PAUSED)
    orrery_simulation_pause (simulation);
  if (walk->kind == ORRERY_RUN_REQUEST_START_PAUSED)
    orrery_simulation_pause (simulation);
  if (walk->kind == ORRERY_RUN_REQUEST_RESTORE && walk->from != ORRERY_RUN_FAILED) {
    g_autoptr (GVariant) kept = stage_call (walk->stage, "simulation", "save", KEPT);

    walk->state = stage_save (walk->stage);
  } else {
    walk->state = g_bytes_new_static ("", 1);
  }
  if (walk->from == ORRERY_RUN_CLOSED)
    orrery_simulation_close (simulation);
}

static guint32
get_run_number (Stage *stage)
{
  g_autoptr (GVariant) number = stage_report (stage, "run", "u");

  return g_variant_get_uint32 (number);
}

static void
do_nothing (OrreryComponent *component, gpointer data)
{
}

/* By what it does next: not every difference is seen at once. */
static OrreryRunState
identify (Stage *stage)
{
  OrrerySimulation *simulation = stage->simulation;
  guint32 number;

  if (orrery_simulation_get_state (simulation) == ORRERY_STATE_RUNNING)
    return ORRERY_RUN_RUNNING;
  if (orrery_simulation_get_state (simulation) == ORRERY_STATE_PAUSED)
    return ORRERY_RUN_PAUSED;
  g_assert_cmpint (orrery_simulation_get_state (simulation), ==, ORRERY_STATE_STOPPED);
  if (orrery_simulation_subscribe (simulation, NULL, do_nothing, NULL, NULL, NULL) == 0)
    return ORRERY_RUN_CLOSED;
  if (!orrery_simulation_idle (simulation, 0, NULL))
    return ORRERY_RUN_FAILED;
  g_assert_true (orrery_simulation_run (simulation, 1, ORRERY_SECOND / 1000, NULL));
  if (orrery_simulation_get_state (simulation) != ORRERY_STATE_STOPPED)
    return ORRERY_RUN_LOADED;
  number = get_run_number (stage);
  g_assert_true (orrery_simulation_start (simulation, NULL));
  return get_run_number (stage) != number ? ORRERY_RUN_ENDED : ORRERY_RUN_READY;
}

/* --- a walk --- */

/* A turn, or a tick and those who follow it. */
static void
drive (Walk *walk)
{
  OrrerySimulation *simulation = walk->stage->simulation;

  if (walk->from == ORRERY_RUN_RUNNING || walk->way == WAY_FOLLOWER)
    g_assert_true (orrery_simulation_step (simulation, 1, NULL));
  else
    g_assert_true (orrery_simulation_idle (simulation, 1, NULL));
}

static void
let_ask (Walk *walk)
{
  OrreryPart *script;

  if (walk->way == WAY_FUNCTION || walk->way == WAY_SERVICE) {
    ask (walk);
    return;
  }
  if (walk->way == WAY_CLIENT) {
    ask (walk);
  } else if (walk->way == WAY_FOLLOWER) {
    orrery_simulation_subscribe (walk->stage->simulation, NULL, follow, walk, NULL, NULL);
  } else {
    script = orrery_simulation_find_part (walk->stage->simulation, "a/customization");
    g_object_set_data (G_OBJECT (script), "probe-hook", (gpointer) (guintptr) hook);
  }
  drive (walk);
  g_assert_true (walk->asked);
}

static void
check_error (const Walk *walk, const GError *error)
{
  gboolean failed =
      orrery_transition_find (walk->from, walk->kind)->refusal == ORRERY_REFUSAL_FAILURE;
  int code = failed ? ORRERY_ERROR_IO : ORRERY_ERROR_STATE;

  g_assert_error (error, ORRERY_ERROR, code);
}

static void
check_call (const Walk *walk)
{
  const OrreryTransition *transition = orrery_transition_find (walk->from, walk->kind);
  g_autoptr (GError) error = NULL;

  if (transition->refusal == ORRERY_REFUSAL_NONE && walk->kind == ORRERY_RUN_REQUEST_STEP) {
    g_assert_false (orrery_call_is_done (walk->call));
    return;
  }
  g_assert_true (orrery_call_is_done (walk->call));
  if (!orrery_call_is_done (walk->call))
    return;
  orrery_call_get_result (walk->call, &error);
  if (transition->refusal == ORRERY_REFUSAL_NONE)
    g_assert_no_error (error);
  else
    g_assert_nonnull (error);
  if (error != NULL && walk->way == WAY_SERVICE)
    check_error (walk, error);
}

static void
check_function (const Walk *walk)
{
  const OrreryTransition *transition = orrery_transition_find (walk->from, walk->kind);
  gboolean is_void = walk->kind == ORRERY_RUN_REQUEST_HOLD ||
                     walk->kind == ORRERY_RUN_REQUEST_RELEASE ||
                     walk->kind == ORRERY_RUN_REQUEST_CLOSE;

  if (get_handling (walk) == ORRERY_HANDLING_STATE)
    g_assert_error (walk->error, ORRERY_ERROR, ORRERY_ERROR_STATE);
  else if (expects_critical (walk))
    g_assert_true (is_void || !walk->fine);
  else if (get_handling (walk) == ORRERY_HANDLING_WAITS)
    g_assert_true (walk->fine);
  else if (transition->refusal != ORRERY_REFUSAL_NONE)
    check_error (walk, walk->error);
  else
    g_assert_no_error (walk->error);
}

static OrreryRunState
get_expected (const Walk *walk)
{
  const OrreryTransition *transition = orrery_transition_find (walk->from, walk->kind);
  OrreryHandling handling = get_handling (walk);

  if (transition->refusal != ORRERY_REFUSAL_NONE || handling == ORRERY_HANDLING_STATE ||
      handling == ORRERY_HANDLING_BUG)
    return walk->from;
  return transition->next;
}

/* Whether there is such a case at all. */
static gboolean
is_possible (const Walk *walk)
{
  const OrreryRunRequestInfo *info = orrery_run_request_get_info (walk->kind);
  gboolean runs = walk->from == ORRERY_RUN_RUNNING || walk->from == ORRERY_RUN_PAUSED;
  gboolean rests = walk->from == ORRERY_RUN_FAILED || walk->from == ORRERY_RUN_CLOSED;

  if ((is_by_service (walk->way) ? info->service : info->function) == NULL)
    return FALSE;
  /* Only what is stopped starts after a hold. */
  if (walk->kind == ORRERY_RUN_REQUEST_START_PAUSED && runs)
    return FALSE;
  if (walk->way == WAY_FUNCTION || walk->way == WAY_SERVICE)
    return TRUE;
  return walk->way == WAY_FOLLOWER ? runs : !rests;
}

static void
walk_one (Walk *walk)
{
  g_autofree char *scene =
      stage_scene (STAGE_PLAIN, "'component_service': {'simulation': 'probe.requests.Desk'},",
                   "{'name': 'a', 'scripts': [{'type': 'customization', 'classpath': " PROBE "}]}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  walking = walk;
  walk->stage = stage;
  walk->path = stage_add_scene (stage, scene);
  bring (walk);
  let_ask (walk);
  if (is_by_service (walk->way))
    check_call (walk);
  else
    check_function (walk);
  g_assert_cmpstr (orrery_run_state_get_name (identify (stage)), ==,
                   orrery_run_state_get_name (get_expected (walk)));
  orrery_simulation_close (stage->simulation);
  stage_log_clear ();
  g_clear_object (&walk->call);
  g_clear_error (&walk->error);
  g_bytes_unref (walk->state);
  g_free (walk->path);
}

static void
test_transitions (gconstpointer data)
{
  OrreryRunRequestKind kind = GPOINTER_TO_UINT (data);

  for (Way way = 0; way < N_WAYS; way++)
    for (OrreryRunState from = 0; from < ORRERY_N_RUN_STATES; from++) {
      Walk walk = { .from = from, .kind = kind, .way = way };

      if (!is_possible (&walk))
        continue;
      walk_one (&walk);
      if (g_test_failed ())
        g_test_message ("%s from %s by %s", orrery_run_request_get_info (kind)->name,
                        orrery_run_state_get_name (from), way_names[way]);
    }
}

/* --- the end, from any thread: what signals ask for --- */

static gpointer
quit_it (gpointer data)
{
  orrery_simulation_quit (data);
  return NULL;
}

static void
check_quit (OrreryRunState from, gboolean paused)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", "{'name': 'a'}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);
  Walk walk = { .stage = stage, .from = from };
  guint64 ticks;
  GThread *thread;

  bring (&walk);
  ticks = orrery_simulation_get_n_ticks (stage->simulation);
  thread = g_thread_new ("signals", quit_it, stage->simulation);
  g_assert_true (orrery_simulation_run (stage->simulation, 0, 0, NULL));
  g_thread_join (thread);
  g_assert_true (orrery_simulation_is_quitting (stage->simulation));
  if (from != ORRERY_RUN_RUNNING && from != ORRERY_RUN_LOADED)
    g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, ticks);
  /* What takes an interrupt back takes no quit back. */
  orrery_simulation_interrupt (stage->simulation, TRUE);
  orrery_simulation_interrupt (stage->simulation, FALSE);
  ticks = orrery_simulation_get_n_ticks (stage->simulation);
  g_assert_true (orrery_simulation_step (stage->simulation, 3, NULL));
  g_assert_true (orrery_simulation_get_n_ticks (stage->simulation) <= ticks);
  g_bytes_unref (walk.state);
}

static void
test_quit (void)
{
  g_test_summary ("a quit ends a run in every state, for good");
  for (OrreryRunState from = ORRERY_RUN_LOADED; from <= ORRERY_RUN_PAUSED; from++)
    check_quit (from, FALSE);
}

static void
test_interrupt (void)
{
  g_autofree char *scene = stage_scene (STAGE_PLAIN, "", "{'name': 'a'}");
  g_autoptr (Stage) stage = stage_new (scene, NULL);

  g_test_summary ("an interrupt that was taken back lets the next run go on");
  orrery_simulation_interrupt (stage->simulation, TRUE);
  g_assert_true (orrery_simulation_run (stage->simulation, 5, 0, NULL));
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 0);
  orrery_simulation_interrupt (stage->simulation, FALSE);
  g_assert_true (orrery_simulation_run (stage->simulation, 5, 0, NULL));
  g_assert_cmpuint (orrery_simulation_get_n_ticks (stage->simulation), ==, 5);
}

/* --- the page --- */

static void
add_cell (GString *text, OrreryRunState from, OrreryRunRequestKind kind)
{
  static const char *const refusals[] = { "", "refused (state)", "refused (cause)", "mistake" };
  const OrreryTransition *transition = orrery_transition_find (from, kind);
  const char *separator = "";

  g_string_append_printf (text, " %s", refusals[transition->refusal]);
  if (transition->refusal != ORRERY_REFUSAL_NONE) {
    g_string_append (text, " |");
    return;
  }
  for (guint i = 0; i < ORRERY_N_ACTIONS; i++)
    if (transition->actions >> i & 1) {
      g_string_append_printf (text, "%s%s", separator, orrery_action_get_name (i));
      separator = ", ";
    }
  if (transition->next != from)
    g_string_append_printf (text, "%s**%s**", *separator == '\0' ? "" : ": ",
                            orrery_run_state_get_name (transition->next));
  else if (transition->actions == 0)
    g_string_append (text, "-");
  g_string_append (text, " |");
}

static char *
make_states (void)
{
  GString *text = g_string_new ("| request |");

  for (OrreryRunState from = 0; from < ORRERY_N_RUN_STATES; from++)
    g_string_append_printf (text, " %s |", orrery_run_state_get_name (from));
  g_string_append (text, "\n|---|---|---|---|---|---|---|---|\n");
  for (OrreryRunRequestKind kind = 0; kind < ORRERY_N_RUN_REQUESTS; kind++) {
    g_string_append_printf (text, "| %s |", orrery_run_request_get_info (kind)->name);
    for (OrreryRunState from = 0; from < ORRERY_N_RUN_STATES; from++)
      add_cell (text, from, kind);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

static char *
make_requests (void)
{
  static const char *const handlings[] = { "now", "waits", "refused (state)", "mistake" };
  GString *text = g_string_new ("| request | service | function | in a turn | between turns |\n"
                                "|---|---|---|---|---|\n");

  for (OrreryRunRequestKind kind = 0; kind < ORRERY_N_RUN_REQUESTS; kind++) {
    const OrreryRunRequestInfo *info = orrery_run_request_get_info (kind);

    g_string_append_printf (text, "| %s | %s | %s | %s | %s |\n", info->name,
                            info->service != NULL ? info->service : "",
                            info->function != NULL ? info->function : "", handlings[info->in_turn],
                            handlings[info->in_run]);
  }
  return g_string_free (text, FALSE);
}

static void
test_page (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "docs", "run.md", NULL);
  g_autofree char *states = make_states ();
  g_autofree char *requests = make_requests ();
  g_autofree char *page = NULL;

  g_test_summary ("docs/run.md shows the tables of the code: test-transitions --table writes them");
  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  g_assert_nonnull (strstr (page, states));
  g_assert_nonnull (strstr (page, requests));
  /* Another table is not on it. */
  *strstr (states, "begin") = 'B';
  g_assert_null (strstr (page, states));
}

int
main (int argc, char **argv)
{
  if (argc > 1 && g_str_equal (argv[1], "--table")) {
    g_autofree char *states = make_states ();
    g_autofree char *requests = make_requests ();

    g_print ("%s\n%s", states, requests);
    return 0;
  }
  stage_init (&argc, &argv);
  for (OrreryRunRequestKind kind = 0; kind < ORRERY_N_RUN_REQUESTS; kind++) {
    g_autofree char *name =
        g_strconcat ("/run/transitions/", orrery_run_request_get_info (kind)->name, NULL);

    g_test_add_data_func (name, GUINT_TO_POINTER (kind), test_transitions);
  }
  g_test_add_func ("/run/quit", test_quit);
  g_test_add_func ("/run/interrupt", test_interrupt);
  g_test_add_func ("/run/page", test_page);
  return g_test_run ();
}
