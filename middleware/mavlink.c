/* SPDX-License-Identifier: BSD-3-Clause */
/* Codecs between records and messages of MAVLink, as MORSE has them. */
#define G_LOG_DOMAIN "orrery.middleware.mavlink"
#include <orrery.h>

#include "mavlink/mavlink-message.h"

#include <math.h>

/*
 * A codec writes and reads payloads; the topic that it declares is the name of its message. Frames,
 * and the time in a message, are made by the manager. MORSE's axes have y and z the other way round
 * than those of aeronautics: both are negated, and the world is not turned to North.
 */

/* A field of a record, or one of the three numbers in it, and the field of the message; NULL: what
 * it is is reckoned. */
typedef struct {
  const char *field;
  guint part;
  const char *target;
  double sign;
} Row;

/* What a class has to say. */
typedef struct {
  const char *message;
  const Row *rows;
  guint n_rows;
} Map;

#define MAX_ROWS 8

typedef struct {
  OrreryDatastream parent_instance;
  const MavMessage *message;
  guint n;
  gsize offsets[MAX_ROWS]; /* of doubles in the record's data */
  const MavField *fields[MAX_ROWS];
  double signs[MAX_ROWS];
} OrreryMavlinkCodec;
ORRERY_DEFINE_BASE_CLASS (OrreryMavlinkCodec, orrery_mavlink_codec, OrreryDatastream,
                          orrery_datastream)

static void
orrery_mavlink_codec_class_init (OrreryMavlinkCodecClass *klass)
{
}

static gboolean
add_row (OrreryMavlinkCodec *self, OrrerySchema *schema, const Row *row, GError **error)
{
  const OrreryField *field = orrery_schema_find_field (schema, row->field);
  gboolean fits =
      field != NULL && (field->type == ORRERY_FIELD_VEC3 || field->type == ORRERY_FIELD_EULER ||
                        (field->type == ORRERY_FIELD_DOUBLE && row->part == 0));

  if (!fits)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "its record has no field '%s' of numbers, as %s needs it", row->field,
                             self->message->name);
  self->offsets[self->n] = field->offset + row->part * sizeof (double);
  if (row->target != NULL)
    self->fields[self->n] = mav_message_find_field (self->message, row->target);
  self->signs[self->n] = row->sign;
  self->n++;
  return TRUE;
}

static void
set_up (OrreryPart *part, OrrerySetup *setup, const Map *map, GError **error)
{
  OrreryMavlinkCodec *self = (OrreryMavlinkCodec *) part;
  OrrerySchema *schema = orrery_record_get_schema (orrery_setup_get_record (setup));
  OrreryTopic topic = { .name = map->message };

  orrery_datastream_add_topic (ORRERY_DATASTREAM (part), &topic);
  self->message = mav_message_find_by_name (map->message);
  self->n = 0;
  for (guint i = 0; i < map->n_rows; i++)
    if (!add_row (self, schema, &map->rows[i], error))
      return;
}

static void
encode (OrreryDatastream *codec, OrreryRecord *record, OrreryWriter *writer, GError **error)
{
  OrreryMavlinkCodec *self = (OrreryMavlinkCodec *) codec;
  const char *data = orrery_record_data (record);
  guint8 payload[MAV_MAX_PAYLOAD] = { 0 };

  for (guint i = 0; i < self->n; i++) {
    const double *value = (const double *) (gconstpointer) (data + self->offsets[i]);

    mav_field_put (self->fields[i], 0, payload, self->signs[i] * *value);
  }
  orrery_writer_append (writer, payload, self->message->length);
}

/* NULL: it is none, or has a number that is not finite */
static const guint8 *
read_payload (OrreryMavlinkCodec *self, OrreryReader *reader, GError **error)
{
  gsize length;
  const guint8 *payload = (const guint8 *) orrery_reader_get_data (reader, &length);

  if (length != self->message->length) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "it is no %s", self->message->name);
    return NULL;
  }
  return payload;
}

/* The number of the record that belongs to a row. */
static double *
get_number (OrreryMavlinkCodec *self, OrreryRecord *record, guint row)
{
  return (double *) (gpointer) ((char *) orrery_record_data (record) + self->offsets[row]);
}

static gboolean
check_finite (OrreryMavlinkCodec *self, const double *values, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s has a number that is not finite",
                               self->message->name);
  return TRUE;
}

/* --- ATTITUDE of an attitude sensor --- */

typedef struct {
  OrreryMavlinkCodec parent_instance;
} OrreryMavlinkAttitude;
ORRERY_DEFINE_CLASS (OrreryMavlinkAttitude, orrery_mavlink_attitude, OrreryMavlinkCodec,
                     orrery_mavlink_codec)

static void
orrery_mavlink_attitude_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const Row rows[] = {
    { "rotation", 0, "roll", 1 },
    { "rotation", 1, "pitch", -1 },
    { "rotation", 2, "yaw", -1 },
    { "angular_velocity", 0, "rollspeed", 1 },
    { "angular_velocity", 1, "pitchspeed", -1 },
    { "angular_velocity", 2, "yawspeed", -1 },
  };
  static const Map map = { "ATTITUDE", rows, G_N_ELEMENTS (rows) };

  set_up (part, setup, &map, error);
}

static void
orrery_mavlink_attitude_class_init (OrreryMavlinkAttitudeClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_mavlink_attitude_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = encode;
}

/* --- LOCAL_POSITION_NED of odometry --- */

typedef struct {
  OrreryMavlinkCodec parent_instance;
} OrreryMavlinkOdometry;
ORRERY_DEFINE_CLASS (OrreryMavlinkOdometry, orrery_mavlink_odometry, OrreryMavlinkCodec,
                     orrery_mavlink_codec)

static void
orrery_mavlink_odometry_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const Row rows[] = {
    { "x", 0, "x", 1 },   { "y", 0, "y", -1 },   { "z", 0, "z", -1 },
    { "vx", 0, "vx", 1 }, { "vy", 0, "vy", -1 }, { "vz", 0, "vz", -1 },
  };
  static const Map map = { "LOCAL_POSITION_NED", rows, G_N_ELEMENTS (rows) };

  set_up (part, setup, &map, error);
}

static void
orrery_mavlink_odometry_class_init (OrreryMavlinkOdometryClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_mavlink_odometry_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = encode;
}

/* --- SET_ATTITUDE_TARGET for a rotorcraft's attitude --- */

typedef struct {
  OrreryMavlinkCodec parent_instance;
} OrreryMavlinkAttitudeTarget;
ORRERY_DEFINE_CLASS (OrreryMavlinkAttitudeTarget, orrery_mavlink_attitude_target,
                     OrreryMavlinkCodec, orrery_mavlink_codec)

static const Row target_rows[] = {
  { "roll", 0, NULL, 1 },
  { "pitch", 0, NULL, 1 },
  { "yaw", 0, NULL, 1 },
  { "thrust", 0, NULL, 1 },
};

static void
orrery_mavlink_attitude_target_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const Map map = { "SET_ATTITUDE_TARGET", target_rows, G_N_ELEMENTS (target_rows) };

  set_up (part, setup, &map, error);
}

/* The angles of the message are those of the record: nose up and clockwise are positive on both
 * sides. */
static void
orrery_mavlink_attitude_target_decode (OrreryDatastream *codec, OrreryReader *reader,
                                       OrreryRecord *record, GError **error)
{
  OrreryMavlinkCodec *self = (OrreryMavlinkCodec *) codec;
  const guint8 *payload = read_payload (self, reader, error);
  double values[5];
  OrreryQuat q;

  if (payload == NULL)
    return;
  for (guint i = 0; i < 4; i++)
    values[i] = mav_message_get (self->message, "q", i, payload);
  values[4] = mav_message_get (self->message, "thrust", 0, payload);
  if (!check_finite (self, values, G_N_ELEMENTS (values), error))
    return;
  q = (OrreryQuat){ values[0], values[1], values[2], values[3] };
  if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s has a quaternion that is 0",
                      self->message->name);
    return;
  }
  orrery_quat_normalise (&q);
  orrery_quat_to_euler (&q, get_number (self, record, 0), get_number (self, record, 1),
                        get_number (self, record, 2));
  *get_number (self, record, 3) = values[4];
}

static void
orrery_mavlink_attitude_target_class_init (OrreryMavlinkAttitudeTargetClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_mavlink_attitude_target_setup;
  ORRERY_DATASTREAM_CLASS (klass)->decode = orrery_mavlink_attitude_target_decode;
}

/* --- SET_POSITION_TARGET_LOCAL_NED for a rotorcraft's waypoint --- */

/* m; as in MORSE. */
#define TOLERANCE 0.5

typedef struct {
  OrreryMavlinkCodec parent_instance;
} OrreryMavlinkWaypoint;
ORRERY_DEFINE_CLASS (OrreryMavlinkWaypoint, orrery_mavlink_waypoint, OrreryMavlinkCodec,
                     orrery_mavlink_codec)

/* The last two are not read from the message. */
#define N_COORDINATES 3
static const Row waypoint_rows[] = {
  { "x", 0, "x", 1 },          { "y", 0, "y", -1 },   { "z", 0, "z", -1 },
  { "tolerance", 0, NULL, 1 }, { "yaw", 0, NULL, 1 },
};

static void
orrery_mavlink_waypoint_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  static const Map map = { "SET_POSITION_TARGET_LOCAL_NED", waypoint_rows,
                           G_N_ELEMENTS (waypoint_rows) };

  set_up (part, setup, &map, error);
}

static void
orrery_mavlink_waypoint_decode (OrreryDatastream *codec, OrreryReader *reader, OrreryRecord *record,
                                GError **error)
{
  OrreryMavlinkCodec *self = (OrreryMavlinkCodec *) codec;
  const guint8 *payload = read_payload (self, reader, error);
  double values[MAX_ROWS];

  if (payload == NULL)
    return;
  for (guint i = 0; i < N_COORDINATES; i++)
    values[i] = self->signs[i] * mav_field_get (self->fields[i], 0, payload);
  if (!check_finite (self, values, N_COORDINATES, error))
    return;
  for (guint i = 0; i < N_COORDINATES; i++)
    *get_number (self, record, i) = values[i];
  *get_number (self, record, N_COORDINATES) = TOLERANCE;
  *get_number (self, record, N_COORDINATES + 1) = 0;
}

static void
orrery_mavlink_waypoint_class_init (OrreryMavlinkWaypointClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_mavlink_waypoint_setup;
  ORRERY_DATASTREAM_CLASS (klass)->decode = orrery_mavlink_waypoint_decode;
}

ORRERY_PLUGIN (
    "Records as messages of MAVLink", "BSD-3-Clause",
    ORRERY_CLASS (attitude.AttitudeSensor, OrreryMavlinkAttitude, orrery_mavlink_attitude,
                  .role = ORRERY_ROLE_DATASTREAM, .direction = "OUT",
                  .aliases = ORRERY_ALIASES ({ "mavlink", "orrery.sensors.attitude.Attitude" })),
    ORRERY_CLASS (odometry_to_local_ned.OdometrySensor, OrreryMavlinkOdometry,
                  orrery_mavlink_odometry, .role = ORRERY_ROLE_DATASTREAM, .direction = "OUT",
                  .aliases = ORRERY_ALIASES ({ "mavlink", "orrery.sensors.odometry.Odometry",
                                               "integrated" })),
    ORRERY_CLASS (read_attitude_target.AttitudeTarget, OrreryMavlinkAttitudeTarget,
                  orrery_mavlink_attitude_target, .role = ORRERY_ROLE_DATASTREAM, .direction = "IN",
                  .aliases = ORRERY_ALIASES (
                      { "mavlink", "orrery.actuators.rotorcraft_attitude.RotorcraftAttitude" })),
    ORRERY_CLASS (local_position_ned_to_waypoint.WaypointActuator, OrreryMavlinkWaypoint,
                  orrery_mavlink_waypoint, .role = ORRERY_ROLE_DATASTREAM, .direction = "IN",
                  .aliases = ORRERY_ALIASES (
                      { "mavlink", "orrery.actuators.rotorcraft_waypoint.RotorcraftWaypoint" })))
