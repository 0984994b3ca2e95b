/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

/*
 * bench.idle: one class of each kind that takes part in a step and does nothing in it, so that what
 * is measured is the host's own share. Idle writes nothing and so sends nothing; Chatty writes one
 * byte, which the manager drops. Failing fails in every step.
 */

typedef struct {
  double x;
} IdleData;

static const OrreryField fields[] = {
  ORRERY_FIELD (IdleData, x, "", "Nothing"),
};

#define DEFINE(Type, prefix, Parent, PARENT_TYPE)                                                  \
  typedef struct {                                                                                 \
    Parent parent_instance;                                                                        \
  } Type;                                                                                          \
  typedef Parent##Class Type##Class;                                                               \
  static GType prefix##_get_type (void);                                                           \
  G_DEFINE_TYPE (Type, prefix, PARENT_TYPE)                                                        \
  static void prefix##_init (Type *self)                                                           \
  {                                                                                                \
  }

DEFINE (BenchIdleSensor, bench_idle_sensor, OrrerySensor, ORRERY_TYPE_SENSOR)
DEFINE (BenchFailingSensor, bench_failing_sensor, OrrerySensor, ORRERY_TYPE_SENSOR)
DEFINE (BenchIdleActuator, bench_idle_actuator, OrreryActuator, ORRERY_TYPE_ACTUATOR)
DEFINE (BenchMover, bench_mover, OrreryActuator, ORRERY_TYPE_ACTUATOR)
DEFINE (BenchIdleModifier, bench_idle_modifier, OrreryModifier, ORRERY_TYPE_MODIFIER)
DEFINE (BenchIdleStream, bench_idle_stream, OrreryDatastream, ORRERY_TYPE_DATASTREAM)
DEFINE (BenchChattyStream, bench_chatty_stream, OrreryDatastream, ORRERY_TYPE_DATASTREAM)
DEFINE (BenchIdleManager, bench_idle_manager, OrreryDatastreamManager,
        ORRERY_TYPE_DATASTREAM_MANAGER)
DEFINE (BenchIdleScript, bench_idle_script, OrreryScript, ORRERY_TYPE_SCRIPT)

static void
bench_idle_sensor_sense (OrrerySensor *self, OrreryTick *tick, OrreryRecord *record, GError **error)
{
}

static void
bench_idle_sensor_class_init (BenchIdleSensorClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = bench_idle_sensor_sense;
  ORRERY_CLASS_SET_DATA (klass, IdleData, fields);
}

static void
bench_failing_sensor_sense (OrrerySensor *self, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  orrery_set_error (error, ORRERY_ERROR_INVALID, "there is nothing to be seen");
}

static void
bench_failing_sensor_class_init (BenchFailingSensorClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = bench_failing_sensor_sense;
  ORRERY_CLASS_SET_DATA (klass, IdleData, fields);
}

static void
bench_idle_actuator_act (OrreryActuator *self, OrreryTick *tick, OrreryRecord *record,
                         GError **error)
{
}

/* Its robot goes a little further in every tick, so that all that is on it has new poses. */
static void
bench_mover_act (OrreryActuator *self, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));
  OrreryVec3 linear = { 0.1, 0, 0 };
  OrreryVec3 angular = { 0, 0, 0.1 };

  orrery_commands_set_velocity (orrery_tick_get_commands (tick),
                                orrery_component_get_object (robot), &linear, &angular);
}

static void
bench_mover_class_init (BenchMoverClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = bench_mover_act;
  ORRERY_CLASS_SET_DATA (klass, IdleData, fields);
}

static void
bench_idle_actuator_class_init (BenchIdleActuatorClass *klass)
{
  ORRERY_ACTUATOR_CLASS (klass)->act = bench_idle_actuator_act;
  ORRERY_CLASS_SET_DATA (klass, IdleData, fields);
}

static void
bench_idle_modifier_modify (OrreryModifier *self, OrreryTick *tick, GError **error)
{
}

static void
bench_idle_modifier_class_init (BenchIdleModifierClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = bench_idle_modifier_modify;
}

static void
bench_idle_stream_encode (OrreryDatastream *self, OrreryRecord *record, OrreryWriter *writer,
                          GError **error)
{
}

static void
bench_idle_stream_class_init (BenchIdleStreamClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->encode = bench_idle_stream_encode;
}

static void
bench_chatty_stream_encode (OrreryDatastream *self, OrreryRecord *record, OrreryWriter *writer,
                            GError **error)
{
  orrery_writer_append_char (writer, '.');
}

static void
bench_chatty_stream_class_init (BenchChattyStreamClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->encode = bench_chatty_stream_encode;
}

static void
bench_idle_manager_open (OrreryDatastreamManager *self, OrreryStream *stream, GVariant *options,
                         GError **error)
{
  orrery_stream_set_listening (stream, TRUE);
}

static void
bench_idle_manager_send (OrreryDatastreamManager *self, OrreryStream *stream, const char *data,
                         gsize length)
{
}

static void
bench_idle_manager_class_init (BenchIdleManagerClass *klass)
{
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->open = bench_idle_manager_open;
  ORRERY_DATASTREAM_MANAGER_CLASS (klass)->send = bench_idle_manager_send;
}

static void
bench_idle_script_nothing (OrreryScript *self, OrreryTick *tick, GError **error)
{
}

static void
bench_idle_script_class_init (BenchIdleScriptClass *klass)
{
  ORRERY_SCRIPT_CLASS (klass)->sensing = bench_idle_script_nothing;
  ORRERY_SCRIPT_CLASS (klass)->actuation = bench_idle_script_nothing;
}

ORRERY_PLUGIN ("Parts that do nothing", "BSD-3-Clause",
               ORRERY_CLASS (Sensor, BenchIdleSensor, bench_idle_sensor, .thread_safe = TRUE),
               ORRERY_CLASS (Failing, BenchFailingSensor, bench_failing_sensor),
               ORRERY_CLASS (Actuator, BenchIdleActuator, bench_idle_actuator),
               ORRERY_CLASS (Mover, BenchMover, bench_mover),
               ORRERY_CLASS (Modifier, BenchIdleModifier, bench_idle_modifier, .thread_safe = TRUE),
               ORRERY_CLASS (Idle, BenchIdleStream, bench_idle_stream),
               ORRERY_CLASS (Chatty, BenchChattyStream, bench_chatty_stream),
               ORRERY_CLASS (Manager, BenchIdleManager, bench_idle_manager),
               ORRERY_CLASS (Script, BenchIdleScript, bench_idle_script))
