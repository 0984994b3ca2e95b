/* SPDX-License-Identifier: BSD-3-Clause */
/* A sensor and a script that go wrong where and how they are told, and a sensor that grows. */
#include <fenv.h>
#include <math.h>
#include <orrery.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- ways to go wrong --- */

static volatile int *volatile nowhere;
static volatile int zero;

static int
fall_into (volatile int *depth)
{
  volatile char room[4096];

  room[0] = (char) *depth;
  /* Never below 0, which the compiler cannot know. */
  return (*depth)++ < 0 ? 0 : fall_into (depth) + room[0];
}

static void
loop (void)
{
  struct timespec second = { .tv_sec = 1 };

  /* Without an end, and without the processor of others. */
  for (;;)
    nanosleep (&second, NULL);
}

static void
leak (void)
{
  for (;;) {
    char *more = malloc (1 << 20);

    memset (more, 1, 1 << 20);
    nowhere = (int *) (gpointer) more;
  }
}

static void
flood (void)
{
  for (;;)
    g_warning ("it rains");
}

static void
block_signals (void)
{
  sigset_t all;

  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
}

/* A child of the plugin's own that ends, which is no concern of the run. */
static void
leave_child (void)
{
  pid_t child = fork ();

  if (child == 0)
    exit (0);
  waitpid (child, NULL, 0);
}

static void
go_wrong (const char *how)
{
  volatile int depth = 0;

  if (g_str_equal (how, "segv"))
    *nowhere = 1;
  else if (g_str_equal (how, "abort"))
    abort ();
  else if (g_str_equal (how, "divide"))
    zero = 1000 / zero;
  else if (g_str_equal (how, "round"))
    fesetround (FE_UPWARD);
  else if (g_str_equal (how, "block"))
    block_signals ();
  else if (g_str_equal (how, "fork"))
    leave_child ();
  else if (g_str_equal (how, "exit"))
    exit (3);
  else if (g_str_equal (how, "success"))
    exit (0);
  else if (g_str_equal (how, "loop"))
    loop ();
  else if (g_str_equal (how, "overflow"))
    depth = fall_into (&depth);
  else if (g_str_equal (how, "leak"))
    leak ();
  else if (g_str_equal (how, "flood"))
    flood ();
}

/* --- Faulty: counts its steps, and goes wrong in one of them, or fails from it on: "error: WHY"
 * --- */

typedef struct {
  double x;
  gint64 process;
} FaultyData;

static const OrreryField fields[] = {
  ORRERY_FIELD (FaultyData, x, "", "Steps so far"),
  ORRERY_FIELD (FaultyData, process, "", "Where it runs"),
};

G_DECLARE_FINAL_TYPE (ProbeFaulty, probe_faulty, PROBE, FAULTY, OrrerySensor)
struct _ProbeFaulty {
  OrrerySensor parent_instance;
  char *how;
  char *where;
  gint64 at; /* number of a tick */
  double level;
  gint64 n_steps;
};
G_DEFINE_FINAL_TYPE (ProbeFaulty, probe_faulty, ORRERY_TYPE_SENSOR)

enum { PROP_HOW = 1, PROP_WHERE, PROP_AT, PROP_LEVEL, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void
pass (ProbeFaulty *self, const char *where)
{
  if (self->how != NULL && g_strcmp0 (self->where, where) == 0)
    go_wrong (self->how);
}

static void
faulty_fail (OrreryPart *part, OrreryCall *call, GError **error)
{
  go_wrong (orrery_call_get_text (call, 0));
}

static void
faulty_poke (OrreryPart *part, OrreryCall *call, GError **error)
{
  pass (PROBE_FAULTY (part), "service");
  orrery_call_return (call, g_variant_new_int64 (PROBE_FAULTY (part)->n_steps));
}

static void
faulty_print (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_message ("logged %s", orrery_call_get_text (call, 0));
  printf ("printed %s\n", orrery_call_get_text (call, 0));
  fprintf (stderr, "complained %s\n", orrery_call_get_text (call, 0));
}

static void
faulty_wait (OrreryPart *part, OrreryCall *call, GError **error)
{
}

static const OrreryService services[] = {
  { "fail", faulty_fail, ORRERY_SERVICE_IMMEDIATE, "how:s", "Goes wrong at once" },
  { "poke", faulty_poke, ORRERY_SERVICE_IMMEDIATE, "", "Steps so far" },
  { "print", faulty_print, ORRERY_SERVICE_IMMEDIATE, "word:s", "Says it in every way" },
  { "wait", faulty_wait, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "", "Never ends" },
};

static void
probe_faulty_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ProbeFaulty *self = PROBE_FAULTY (part);

  pass (self, "setup");
  if (g_strcmp0 (self->how, "publish") == 0)
    orrery_setup_publish (setup, self->where);
}

static void
probe_faulty_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  ProbeFaulty *self = PROBE_FAULTY (sensor);
  FaultyData *out = orrery_record_data (record);

  if ((gint64) orrery_tick_get_number (tick) >= self->at && self->how != NULL &&
      g_str_has_prefix (self->how, "error: ")) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "%s", self->how + strlen ("error: "));
    return;
  }
  if ((gint64) orrery_tick_get_number (tick) == self->at)
    pass (self, "sense");
  out->x = (double) ++self->n_steps;
  out->process = getpid ();
}

static GVariant *
probe_faulty_save (OrreryPart *part)
{
  ProbeFaulty *self = PROBE_FAULTY (part);

  if (self->n_steps > 0)
    pass (self, "save");
  return g_variant_new_int64 (self->n_steps);
}

static void
probe_faulty_restore (OrreryPart *part, GVariant *state, GError **error)
{
  pass (PROBE_FAULTY (part), "restore");
  PROBE_FAULTY (part)->n_steps = g_variant_get_int64 (state);
}

static void
probe_faulty_cancel (OrreryPart *part, OrreryCall *call)
{
  pass (PROBE_FAULTY (part), "cancel");
}

static void
probe_faulty_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ProbeFaulty *self = PROBE_FAULTY (object);

  if (id == PROP_HOW) {
    g_free (self->how);
    self->how = g_value_dup_string (value);
  } else if (id == PROP_WHERE) {
    g_free (self->where);
    self->where = g_value_dup_string (value);
  } else if (id == PROP_AT) {
    self->at = g_value_get_int64 (value);
  } else {
    self->level = g_value_get_double (value);
    if (self->n_steps > 0)
      pass (self, "set");
  }
}

static void
probe_faulty_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ProbeFaulty *self = PROBE_FAULTY (object);

  if (id == PROP_HOW)
    g_value_set_string (value, self->how);
  else if (id == PROP_WHERE)
    g_value_set_string (value, self->where);
  else if (id == PROP_AT)
    g_value_set_int64 (value, self->at);
  else
    g_value_set_double (value, self->level);
}

static void
probe_faulty_finalize (GObject *object)
{
  pass (PROBE_FAULTY (object), "finalize");
  g_free (PROBE_FAULTY (object)->how);
  g_free (PROBE_FAULTY (object)->where);
  G_OBJECT_CLASS (probe_faulty_parent_class)->finalize (object);
}

static void
probe_faulty_class_init (ProbeFaultyClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = probe_faulty_set_property;
  object_class->get_property = probe_faulty_get_property;
  object_class->finalize = probe_faulty_finalize;
  properties[PROP_HOW] = g_param_spec_string ("how", "how", "Way to go wrong", "", 3);
  properties[PROP_WHERE] = g_param_spec_string ("where", "where", "Function that does", "", 3);
  properties[PROP_AT] =
      g_param_spec_int64 ("at", "at", "Tick in which it does, of its steps", -1, G_MAXINT64, 5, 3);
  properties[PROP_LEVEL] = g_param_spec_double ("level", "level", "A number", -1, 1, 0, 3);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  ORRERY_SENSOR_CLASS (klass)->sense = probe_faulty_sense;
  ORRERY_PART_CLASS (klass)->setup = probe_faulty_setup;
  ORRERY_PART_CLASS (klass)->save = probe_faulty_save;
  ORRERY_PART_CLASS (klass)->restore = probe_faulty_restore;
  ORRERY_PART_CLASS (klass)->cancel = probe_faulty_cancel;
  ORRERY_CLASS_SET_DATA (klass, FaultyData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
probe_faulty_init (ProbeFaulty *self)
{
  self->at = 5;
}

/* --- Grower: fields of every kind, of sizes that change, with noise of its own --- */

typedef struct {
  OrreryArray values;
  OrreryPoints points;
  OrreryBuffer *image;
  OrreryText text;
  GVariant *free_form;
  double x;
  OrreryBool odd;
} GrowerData;

static const OrreryField grower_fields[] = {
  ORRERY_FIELD (GrowerData, values, "", "As many as ticks"),
  ORRERY_FIELD (GrowerData, points, "m", "As many as ticks, up to 7"),
  ORRERY_FIELD (GrowerData, image, "", "Larger with each tick"),
  ORRERY_FIELD (GrowerData, text, "", "Longer with each tick"),
  ORRERY_FIELD (GrowerData, free_form, "", "The tick in words"),
  ORRERY_FIELD (GrowerData, x, "", "Sum of itself and of noise: what others made of it counts"),
  ORRERY_FIELD (GrowerData, odd, "", "Whether the tick is"),
};

G_DECLARE_FINAL_TYPE (ProbeGrower, probe_grower, PROBE, GROWER, OrrerySensor)
struct _ProbeGrower {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbeGrower, probe_grower, ORRERY_TYPE_SENSOR)

static void
grow_image (GrowerData *out, guint64 number, OrreryRandom *random)
{
  gsize shape[] = { 8 + number, 64, 3 };
  OrreryBuffer *image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 3, shape);
  guint8 *bytes = orrery_buffer_get_data (image);

  for (gsize i = 0; i < orrery_buffer_get_size (image); i++)
    bytes[i] = (guint8) (i * number);
  bytes[0] = (guint8) orrery_random_next (random);
  g_clear_pointer (&out->image, orrery_buffer_unref);
  out->image = image;
}

static void
probe_grower_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  GrowerData *out = orrery_record_data (record);
  guint64 number = orrery_tick_get_number (tick);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (sensor), tick);
  double *values = orrery_array_prepare (&out->values, number);
  double *points = orrery_points_prepare (&out->points, number % 8);
  g_autofree char *text = g_strnfill (number, 'x');

  for (guint64 i = 0; i < number; i++)
    values[i] = orrery_random_uniform (random);
  for (guint64 i = 0; i < 3 * (number % 8); i++)
    points[i] = (double) i;
  grow_image (out, number, random);
  orrery_text_set (&out->text, text);
  g_clear_pointer (&out->free_form, g_variant_unref);
  out->free_form = g_variant_ref_sink (g_variant_new ("(st)", "tick", number));
  out->x += orrery_random_gaussian (random) + 0.5 * out->x;
  out->odd = number % 2 != 0;
}

static void
probe_grower_class_init (ProbeGrowerClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = probe_grower_sense;
  ORRERY_CLASS_SET_DATA (klass, GrowerData, grower_fields);
}

static void
probe_grower_init (ProbeGrower *self)
{
}

/* --- Errand: a script that uses all that a script may, and goes wrong as it is told --- */

G_DECLARE_FINAL_TYPE (ProbeErrand, probe_errand, PROBE, ERRAND, OrreryScript)
struct _ProbeErrand {
  OrreryScript parent_instance;

  OrreryWorld *world;
  OrreryObject *object;
  OrreryComponent *seen;   /* whose record it reads */
  OrreryComponent *driven; /* whose record it writes */
  char *how;
  char *where;
  gint64 at;
  gint64 restart_at;
  double gain;
  double v;
  gint64 n;
  gint64 n_contacts;
};
G_DEFINE_FINAL_TYPE (ProbeErrand, probe_errand, ORRERY_TYPE_SCRIPT)

enum { ERRAND_HOW = 1, ERRAND_WHERE, ERRAND_AT, ERRAND_RESTART_AT, ERRAND_GAIN, N_ERRAND };

static void
errand_pass (gpointer errand, OrreryTick *tick, const char *where)
{
  ProbeErrand *self = errand;

  if (self->how == NULL || g_strcmp0 (self->where, where) != 0)
    return;
  if (tick == NULL || (gint64) orrery_tick_get_number (tick) == self->at)
    go_wrong (self->how);
}

static void
probe_errand_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (part);

  errand_pass (self, NULL, "setup");
  self->world = orrery_setup_get_world (setup);
  self->object = orrery_setup_get_object (setup);
  self->seen = orrery_setup_find_component (setup, "robot.pose");
  self->driven = orrery_setup_find_component (setup, "robot.motion");
  if (orrery_script_get_script_type (ORRERY_SCRIPT (part)) == ORRERY_SCRIPT_CHILD)
    orrery_setup_publish (setup, g_str_equal (orrery_object_get_name (self->object), "robot")
                                     ? "errand"
                                     : "other");
  if (self->gain < 0)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "it refuses to be set up");
}

static double
read_field (OrreryComponent *component, const char *field)
{
  return orrery_record_get_double (orrery_component_get_record (component), field);
}

static void
errand_init (OrreryScript *script, OrreryTick *tick, GError **error)
{
  OrreryVec3 push = { 0, 0.5, 0 };
  OrreryVec3 none = { 0, 0, 0 };

  errand_pass (script, tick, "init");
  PROBE_ERRAND (script)->v = PROBE_ERRAND (script)->gain;
  orrery_commands_set_velocity (orrery_tick_get_commands (tick), PROBE_ERRAND (script)->object,
                                &push, &none);
}

static void
errand_sensing (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (script);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (script), tick);

  errand_pass (self, tick, "sensing");
  self->v += 0.01 * self->gain * orrery_random_gaussian (random) +
             1e-3 * sin (read_field (self->seen, "x")) + 1e-3 * (double) (self->n_contacts % 8);
  orrery_component_set_active (self->seen, self->n % 7 != 3);
}

static gboolean
errand_thread (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (script);

  errand_pass (self, tick, "thread");
  self->v += 1e-4;
  return ++self->n < 20;
}

static void
errand_actuation (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (script);
  OrreryVec3 linear = { self->v, 0, 0 };
  OrreryVec3 angular = { 0, 0, 0.1 };
  double *v = self->driven != NULL ? orrery_record_find (orrery_component_get_record (self->driven),
                                                         "v", ORRERY_FIELD_DOUBLE)
                                   : NULL;

  errand_pass (self, tick, "actuation");
  if (v != NULL)
    *v = self->v / 2;
  orrery_commands_set_velocity (orrery_tick_get_commands (tick), self->object, &linear, &angular);
  if ((gint64) orrery_tick_get_number (tick) == self->restart_at)
    orrery_script_request_restart (script);
}

static void
errand_dyn (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (script);
  OrreryVec3 force = { 0, orrery_tick_get_substep (tick) + 1.0, 0 };
  OrreryVec3 none = { 0, 0, 0 };
  const OrreryTransform *pose = orrery_snapshot_get_pose (orrery_tick_get_snapshot (tick),
                                                          orrery_object_get_index (self->object));

  errand_pass (self, tick, "dyn");
  force.x = fmod (pose->position.x, 1) * (orrery_tick_is_after_substep (tick) ? 2 : 3);
  orrery_commands_add_force (orrery_tick_get_commands (tick), self->object, &force, &none);
}

static gboolean
errand_contact (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (script);
  guint a, b;

  errand_pass (self, tick, "contact");
  if (orrery_tick_get_contact_pair (tick, &a, &b))
    self->n_contacts += a + b;
  return self->n_contacts % 3 == 1;
}

static void
errand_cleanup (OrreryScript *script, OrreryTick *tick, GError **error)
{
  errand_pass (script, tick, "cleanup");
}

static GVariant *
probe_errand_save (OrreryPart *part)
{
  ProbeErrand *self = PROBE_ERRAND (part);

  return g_variant_new ("(dxx)", self->v, self->n, self->n_contacts);
}

static void
probe_errand_restore (OrreryPart *part, GVariant *state, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (part);

  errand_pass (self, NULL, "restore");
  g_variant_get (state, "(dxx)", &self->v, &self->n, &self->n_contacts);
}

static void
errand_look (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbeErrand *self = PROBE_ERRAND (part);

  errand_pass (self, NULL, "service");
  orrery_call_return (call, g_variant_new ("(ddxx)", self->v, read_field (self->seen, "x"), self->n,
                                           self->n_contacts));
}

static void
errand_wait (OrreryPart *part, OrreryCall *call, GError **error)
{
}

static void
errand_process (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_int64 (getpid ()));
}

static const OrreryService errand_services[] = {
  { "look", errand_look, ORRERY_SERVICE_IMMEDIATE, "", "What it knows" },
  { "process", errand_process, ORRERY_SERVICE_IMMEDIATE, "", "Where it runs" },
  { "wait", errand_wait, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "", "Never ends" },
};

static void
probe_errand_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ProbeErrand *self = PROBE_ERRAND (object);

  if (id == ERRAND_HOW) {
    g_free (self->how);
    self->how = g_value_dup_string (value);
  } else if (id == ERRAND_WHERE) {
    g_free (self->where);
    self->where = g_value_dup_string (value);
  } else if (id == ERRAND_GAIN) {
    self->gain = g_value_get_double (value);
  } else if (id == ERRAND_AT) {
    self->at = g_value_get_int64 (value);
  } else {
    self->restart_at = g_value_get_int64 (value);
  }
}

static void
probe_errand_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ProbeErrand *self = PROBE_ERRAND (object);

  if (id == ERRAND_GAIN)
    g_value_set_double (value, self->gain);
  else if (id == ERRAND_AT || id == ERRAND_RESTART_AT)
    g_value_set_int64 (value, id == ERRAND_AT ? self->at : self->restart_at);
  else
    g_value_set_string (value, id == ERRAND_HOW ? self->how : self->where);
}

static void
probe_errand_finalize (GObject *object)
{
  g_free (PROBE_ERRAND (object)->how);
  g_free (PROBE_ERRAND (object)->where);
  G_OBJECT_CLASS (probe_errand_parent_class)->finalize (object);
}

static void
set_errands (OrreryScriptClass *klass)
{
  klass->init = errand_init;
  klass->sensing = errand_sensing;
  klass->thread = errand_thread;
  klass->actuation = errand_actuation;
  klass->dyn = errand_dyn;
  klass->contact = errand_contact;
  klass->cleanup = errand_cleanup;
}

static void
probe_errand_class_init (ProbeErrandClass *klass)
{
  static GParamSpec *options[N_ERRAND];
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = probe_errand_set_property;
  object_class->get_property = probe_errand_get_property;
  object_class->finalize = probe_errand_finalize;
  options[ERRAND_HOW] = g_param_spec_string ("how", "how", "Way to go wrong", NULL, 3);
  options[ERRAND_WHERE] = g_param_spec_string ("where", "where", "Function that does", "", 3);
  options[ERRAND_AT] = g_param_spec_int64 ("at", "at", "Tick in which", -1, G_MAXINT64, 5, 3);
  options[ERRAND_RESTART_AT] =
      g_param_spec_int64 ("restart_at", "restart_at", "Tick", -1, G_MAXINT64, -1, 3);
  options[ERRAND_GAIN] = g_param_spec_double ("gain", "gain", "A number", -1, 10, 1, 3);
  g_object_class_install_properties (object_class, N_ERRAND, options);
  ORRERY_PART_CLASS (klass)->setup = probe_errand_setup;
  ORRERY_PART_CLASS (klass)->save = probe_errand_save;
  ORRERY_PART_CLASS (klass)->restore = probe_errand_restore;
  ORRERY_CLASS_SET_SERVICES (klass, errand_services);
  set_errands (ORRERY_SCRIPT_CLASS (klass));
}

static void
probe_errand_init (ProbeErrand *self)
{
  self->at = 5;
  self->gain = 1;
  self->restart_at = -1;
}

ORRERY_PLUGIN ("What goes wrong, and what grows", "BSD-3-Clause",
               ORRERY_CLASS (Errand, ProbeErrand, probe_errand),
               ORRERY_CLASS (Faulty, ProbeFaulty, probe_faulty),
               ORRERY_CLASS (Grower, ProbeGrower, probe_grower))
