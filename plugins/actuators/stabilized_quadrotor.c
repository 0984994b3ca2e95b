/* SPDX-License-Identifier: BSD-3-Clause */
/* A quadrotor that follows commands for its attitude and height, without forces. */
#include <orrery.h>

typedef struct {
  double theta_c;
  double phi_c;
  double psi_c;
  double h_c;
} StabilizedQuadrotorData;

static const OrreryField fields[] = {
  ORRERY_FIELD (StabilizedQuadrotorData, theta_c, "rad", "Pitch to hold"),
  ORRERY_FIELD (StabilizedQuadrotorData, phi_c, "rad", "Roll to hold"),
  ORRERY_FIELD (StabilizedQuadrotorData, psi_c, "rad",
                "How far the yaw is behind what it follows: turns the craft, clockwise from above"),
  ORRERY_FIELD (StabilizedQuadrotorData, h_c, "m", "Height to hold"),
};

/* Roll, pitch, yaw. */
enum { PHI, THETA, PSI, N_ANGLES };

/*
 * A filter of second order, integrated by the trapezoidal rule: what an attitude controller in good
 * order makes of a step of its set-point.
 */
typedef struct {
  double value;        /* rad */
  double rate;         /* rad/s */
  double acceleration; /* rad/s2 */
  double last_rate;
} Filter;

#define NATURAL_FREQUENCY 10.0 /* rad/s */
#define DAMPING_RATIO 0.7

/* The control loop of the height, with the value of gravity that MORSE has in it. */
#define LIFT 10.0
#define HEIGHT_GAIN 9.0
#define CLIMB_GAIN 4.2

/*
 * Flies a robot without a body as if a controller kept it stable: attitude follows by filters of
 * second order that begin at 0, a thrust along its z axis holds the height, and without friction it
 * keeps its speed in the plane.
 */
typedef struct {
  OrreryActuator parent_instance;
  Filter angles[N_ANGLES];
  OrreryVec3 velocity; /* m/s */
} OrreryStabilizedQuadrotor;
ORRERY_DEFINE_CLASS (OrreryStabilizedQuadrotor, orrery_stabilized_quadrotor, OrreryActuator,
                     orrery_actuator)

static void
step_filter (Filter *filter, double input, double dt)
{
  double value = filter->value + (filter->last_rate + filter->rate) * dt / 2;
  double acceleration = NATURAL_FREQUENCY * NATURAL_FREQUENCY * (input - filter->value) -
                        2 * DAMPING_RATIO * NATURAL_FREQUENCY * filter->rate;
  double rate = filter->rate + (filter->acceleration + acceleration) * dt / 2;

  *filter = (Filter){ value, rate, acceleration, filter->rate };
}

/* --- services --- */

static void
set_cons (OrreryPart *part, OrreryCall *call, GError **error)
{
  StabilizedQuadrotorData *data = orrery_component_get_data (part);

  data->phi_c = orrery_call_get_double (call, 0);
  data->theta_c = orrery_call_get_double (call, 1);
  data->psi_c += orrery_call_get_double (call, 2);
  data->h_c = orrery_call_get_double (call, 3);
  orrery_call_return (call, NULL);
}

/* Level, where it is. */
static void
hover (OrreryStabilizedQuadrotor *self)
{
  StabilizedQuadrotorData *data = orrery_component_get_data (self);
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));

  self->velocity = (OrreryVec3){ 0 };
  for (guint i = 0; i < N_ANGLES; i++)
    self->angles[i] = (Filter){ .value = i == PSI ? self->angles[PSI].value : 0 };
  *data = (StabilizedQuadrotorData){ .h_c = orrery_component_get_pose (robot)->position.z };
}

/* In MORSE the call stops it and then fails. */
static void
stop (OrreryPart *part, OrreryCall *call, GError **error)
{
  hover ((OrreryStabilizedQuadrotor *) part);
  orrery_call_return (call, NULL);
}

static const OrreryService services[] = {
  { "set_cons", set_cons, ORRERY_SERVICE_IMMEDIATE, "phi:d theta:d psi:d h:d",
    "Sets what to hold; psi is added to what it was" },
  { "stop", stop, ORRERY_SERVICE_IMMEDIATE, "", "Hovers where it is" },
};

/* --- the law --- */

static void
orrery_stabilized_quadrotor_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                                 GError **error)
{
  OrreryStabilizedQuadrotor *self = (OrreryStabilizedQuadrotor *) actuator;
  OrreryComponent *component = ORRERY_COMPONENT (actuator);
  OrreryComponent *robot = orrery_component_get_robot (component);
  const StabilizedQuadrotorData *in = orrery_record_data (record);
  OrreryVec3 *v = &self->velocity;
  double dt = orrery_component_get_period (component);
  OrreryTransform pose = *orrery_component_get_pose (robot);
  OrreryVec3 push = { 0 };

  step_filter (&self->angles[PHI], in->phi_c, dt);
  step_filter (&self->angles[THETA], in->theta_c, dt);
  step_filter (&self->angles[PSI], self->angles[PSI].value - in->psi_c, dt);
  orrery_quat_from_euler (self->angles[PHI].value, self->angles[THETA].value,
                          self->angles[PSI].value, &pose.rotation);

  push.z = LIFT + HEIGHT_GAIN * (in->h_c - pose.position.z) - CLIMB_GAIN * v->z;
  orrery_quat_rotate (&pose.rotation, &push, &push);
  v->x += dt * push.x;
  v->y += dt * push.y;
  v->z += dt * (push.z - LIFT);
  pose.position.x += dt * v->x;
  pose.position.y += dt * v->y;
  pose.position.z += dt * v->z;
  orrery_commands_set_pose (orrery_tick_get_commands (tick), orrery_component_get_object (robot),
                            &pose);
}

/* --- set-up and state --- */

static void
orrery_stabilized_quadrotor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  if (orrery_robot_has_physics (ORRERY_ROBOT (robot)))
    orrery_part_warning (part,
                         "%s has a body that forces move, and falls between the poses that it is "
                         "given; for it there is "
                         "orrery.actuators.rotorcraft_attitude.RotorcraftAttitude",
                         orrery_part_get_name (ORRERY_PART (robot)));
}

#define FILTER_STATE(i)                                                                            \
  ORRERY_STATE (OrreryStabilizedQuadrotor, angles[i].value),                                       \
      ORRERY_STATE (OrreryStabilizedQuadrotor, angles[i].rate),                                    \
      ORRERY_STATE (OrreryStabilizedQuadrotor, angles[i].acceleration),                            \
      ORRERY_STATE (OrreryStabilizedQuadrotor, angles[i].last_rate)

static const OrreryField states[] = {
  FILTER_STATE (0),
  FILTER_STATE (1),
  FILTER_STATE (2),
  ORRERY_STATE (OrreryStabilizedQuadrotor, velocity),
};

static void
orrery_stabilized_quadrotor_halt (OrreryActuator *actuator, OrreryRecord *record)
{
  hover ((OrreryStabilizedQuadrotor *) actuator);
}

static void
orrery_stabilized_quadrotor_class_init (OrreryStabilizedQuadrotorClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_stabilized_quadrotor_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_stabilized_quadrotor_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_stabilized_quadrotor_halt;
  ORRERY_CLASS_SET_DATA (klass, StabilizedQuadrotorData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_STATE (klass, OrreryStabilizedQuadrotor, states);
}

ORRERY_PLUGIN ("Attitude and height of a quadrotor without physics", "BSD-3-Clause",
               ORRERY_CLASS (StabilizedQuadrotor, OrreryStabilizedQuadrotor,
                             orrery_stabilized_quadrotor))
