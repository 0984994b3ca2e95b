/* SPDX-License-Identifier: BSD-3-Clause */
/* A source of sound, whose starts and stops are logged. */
#include <orrery.h>

typedef struct {
  OrreryText mode;
} SoundData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SoundData, mode, "", "play, pause or stop"),
};

/* What a source of sound does. */
typedef enum { SOUND_STOP, SOUND_PLAY, SOUND_PAUSE, N_SOUNDS } Sound;

static const char *const sound_names[N_SOUNDS] = { "stop", "play", "pause" };

/*
 * A source of sound. The host has no loudspeaker: what shows of it is a line in the log when its
 * state changes, for programs that listen there, and the state itself, by get_state.
 */
typedef struct {
  OrreryActuator parent_instance;
  char *mode; /* that it begins with */
  Sound state;
  double position; /* s, played since it was last stopped */
  char *unknown;   /* the mode that was warned of last */
} OrrerySound;
ORRERY_DEFINE_CLASS (OrrerySound, orrery_sound, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrrerySound, mode, "mode", "play",
                          "What it begins with: play, pause or stop",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static int
find_mode (const char *name)
{
  for (int i = 0; i < N_SOUNDS; i++)
    if (g_strcmp0 (name, sound_names[i]) == 0)
      return i;
  return -1;
}

static void
get_state (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySound *self = (OrrerySound *) part;
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&map, "{sv}", "mode", g_variant_new_string (sound_names[self->state]));
  g_variant_builder_add (&map, "{sv}", "position", g_variant_new_double (self->position));
  orrery_call_return (call, g_variant_builder_end (&map));
}

static const OrreryService services[] = {
  { "get_state", get_state, ORRERY_SERVICE_IMMEDIATE, "",
    "mode: play, pause or stop; position: s, played since it was last stopped" },
};

static void
orrery_sound_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySound *self = (OrrerySound *) part;
  SoundData *data = orrery_record_data (orrery_setup_get_record (setup));

  self->state = SOUND_STOP;
  self->position = 0;
  if (find_mode (self->mode) < 0)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "mode: '%.40s' is not play, pause or stop",
                      self->mode);
  else
    orrery_text_set (&data->mode, self->mode);
}

static void
take_mode (OrrerySound *self, const char *name)
{
  int mode = find_mode (name);

  if (mode < 0 && g_strcmp0 (self->unknown, name) != 0) {
    g_free (self->unknown);
    self->unknown = g_strdup (name);
    orrery_part_warning (self, "mode '%.40s' is not play, pause or stop; nothing changes", name);
  }
  if (mode < 0 || mode == (int) self->state)
    return;
  self->state = mode;
  if (mode == SOUND_STOP)
    self->position = 0;
  orrery_part_message (self, "%s", sound_names[mode]);
}

static void
orrery_sound_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrrerySound *self = (OrrerySound *) actuator;
  const SoundData *in = orrery_record_data (record);
  double period = orrery_component_get_period (ORRERY_COMPONENT (actuator));

  take_mode (self, orrery_text_get (&in->mode));
  if (self->state == SOUND_PLAY)
    self->position += MAX (period, orrery_tick_get_dt (tick));
}

static void
orrery_sound_class_init (OrrerySoundClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_sound_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_sound_act;
  ORRERY_CLASS_SET_DATA (klass, SoundData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrrerySound, unknown, g_free);
}

ORRERY_PLUGIN ("A source of sound", "BSD-3-Clause", ORRERY_CLASS (Sound, OrrerySound, orrery_sound))
