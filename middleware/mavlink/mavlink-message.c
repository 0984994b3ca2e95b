/* SPDX-License-Identifier: BSD-3-Clause */
/* Definitions of MAVLink messages, and the values in their payloads. */
#include "mavlink-message.h"

#include <math.h>
#include <string.h>

/* The dialect `common`. */
static MavMessage messages[] = {
  { 0,
    "HEARTBEAT",
    { { "type", MAV_U8 },
      { "autopilot", MAV_U8 },
      { "base_mode", MAV_U8 },
      { "custom_mode", MAV_U32 },
      { "system_status", MAV_U8 },
      { "mavlink_version", MAV_U8 } } },
  { 30,
    "ATTITUDE",
    { { "time_boot_ms", MAV_U32 },
      { "roll", MAV_F32 },
      { "pitch", MAV_F32 },
      { "yaw", MAV_F32 },
      { "rollspeed", MAV_F32 },
      { "pitchspeed", MAV_F32 },
      { "yawspeed", MAV_F32 } } },
  { 31,
    "ATTITUDE_QUATERNION",
    { { "time_boot_ms", MAV_U32 },
      { "q1", MAV_F32 },
      { "q2", MAV_F32 },
      { "q3", MAV_F32 },
      { "q4", MAV_F32 },
      { "rollspeed", MAV_F32 },
      { "pitchspeed", MAV_F32 },
      { "yawspeed", MAV_F32 },
      { "repr_offset_q", MAV_F32, 4, TRUE } } },
  { 32,
    "LOCAL_POSITION_NED",
    { { "time_boot_ms", MAV_U32 },
      { "x", MAV_F32 },
      { "y", MAV_F32 },
      { "z", MAV_F32 },
      { "vx", MAV_F32 },
      { "vy", MAV_F32 },
      { "vz", MAV_F32 } } },
  { 76,
    "COMMAND_LONG",
    { { "target_system", MAV_U8 },
      { "target_component", MAV_U8 },
      { "command", MAV_U16 },
      { "confirmation", MAV_U8 },
      { "param1", MAV_F32 },
      { "param2", MAV_F32 },
      { "param3", MAV_F32 },
      { "param4", MAV_F32 },
      { "param5", MAV_F32 },
      { "param6", MAV_F32 },
      { "param7", MAV_F32 } } },
  { 77,
    "COMMAND_ACK",
    { { "command", MAV_U16 },
      { "result", MAV_U8 },
      { "progress", MAV_U8, 0, TRUE },
      { "result_param2", MAV_I32, 0, TRUE },
      { "target_system", MAV_U8, 0, TRUE },
      { "target_component", MAV_U8, 0, TRUE } } },
  { 82,
    "SET_ATTITUDE_TARGET",
    { { "time_boot_ms", MAV_U32 },
      { "target_system", MAV_U8 },
      { "target_component", MAV_U8 },
      { "type_mask", MAV_U8 },
      { "q", MAV_F32, 4 },
      { "body_roll_rate", MAV_F32 },
      { "body_pitch_rate", MAV_F32 },
      { "body_yaw_rate", MAV_F32 },
      { "thrust", MAV_F32 },
      { "thrust_body", MAV_F32, 3, TRUE } } },
  { 84,
    "SET_POSITION_TARGET_LOCAL_NED",
    { { "time_boot_ms", MAV_U32 },
      { "target_system", MAV_U8 },
      { "target_component", MAV_U8 },
      { "coordinate_frame", MAV_U8 },
      { "type_mask", MAV_U16 },
      { "x", MAV_F32 },
      { "y", MAV_F32 },
      { "z", MAV_F32 },
      { "vx", MAV_F32 },
      { "vy", MAV_F32 },
      { "vz", MAV_F32 },
      { "afx", MAV_F32 },
      { "afy", MAV_F32 },
      { "afz", MAV_F32 },
      { "yaw", MAV_F32 },
      { "yaw_rate", MAV_F32 } } },
  { 93,
    "HIL_ACTUATOR_CONTROLS",
    { { "time_usec", MAV_U64 },
      { "controls", MAV_F32, 16 },
      { "mode", MAV_U8 },
      { "flags", MAV_U64 } } },
  { 107,
    "HIL_SENSOR",
    { { "time_usec", MAV_U64 },
      { "xacc", MAV_F32 },
      { "yacc", MAV_F32 },
      { "zacc", MAV_F32 },
      { "xgyro", MAV_F32 },
      { "ygyro", MAV_F32 },
      { "zgyro", MAV_F32 },
      { "xmag", MAV_F32 },
      { "ymag", MAV_F32 },
      { "zmag", MAV_F32 },
      { "abs_pressure", MAV_F32 },
      { "diff_pressure", MAV_F32 },
      { "pressure_alt", MAV_F32 },
      { "temperature", MAV_F32 },
      { "fields_updated", MAV_U32 },
      { "id", MAV_U8, 0, TRUE } } },
  { 113,
    "HIL_GPS",
    { { "time_usec", MAV_U64 },
      { "fix_type", MAV_U8 },
      { "lat", MAV_I32 },
      { "lon", MAV_I32 },
      { "alt", MAV_I32 },
      { "eph", MAV_U16 },
      { "epv", MAV_U16 },
      { "vel", MAV_U16 },
      { "vn", MAV_I16 },
      { "ve", MAV_I16 },
      { "vd", MAV_I16 },
      { "cog", MAV_U16 },
      { "satellites_visible", MAV_U8 },
      { "id", MAV_U8, 0, TRUE },
      { "yaw", MAV_U16, 0, TRUE } } },
  { 115,
    "HIL_STATE_QUATERNION",
    { { "time_usec", MAV_U64 },
      { "attitude_quaternion", MAV_F32, 4 },
      { "rollspeed", MAV_F32 },
      { "pitchspeed", MAV_F32 },
      { "yawspeed", MAV_F32 },
      { "lat", MAV_I32 },
      { "lon", MAV_I32 },
      { "alt", MAV_I32 },
      { "vx", MAV_I16 },
      { "vy", MAV_I16 },
      { "vz", MAV_I16 },
      { "ind_airspeed", MAV_U16 },
      { "true_airspeed", MAV_U16 },
      { "xacc", MAV_I16 },
      { "yacc", MAV_I16 },
      { "zacc", MAV_I16 } } },
  { 132,
    "DISTANCE_SENSOR",
    { { "time_boot_ms", MAV_U32 },
      { "min_distance", MAV_U16 },
      { "max_distance", MAV_U16 },
      { "current_distance", MAV_U16 },
      { "type", MAV_U8 },
      { "id", MAV_U8 },
      { "orientation", MAV_U8 },
      { "covariance", MAV_U8 },
      { "horizontal_fov", MAV_F32, 0, TRUE },
      { "vertical_fov", MAV_F32, 0, TRUE },
      { "quaternion", MAV_F32, 4, TRUE },
      { "signal_quality", MAV_U8, 0, TRUE } } },
  { 331,
    "ODOMETRY",
    { { "time_usec", MAV_U64 },
      { "frame_id", MAV_U8 },
      { "child_frame_id", MAV_U8 },
      { "x", MAV_F32 },
      { "y", MAV_F32 },
      { "z", MAV_F32 },
      { "q", MAV_F32, 4 },
      { "vx", MAV_F32 },
      { "vy", MAV_F32 },
      { "vz", MAV_F32 },
      { "rollspeed", MAV_F32 },
      { "pitchspeed", MAV_F32 },
      { "yawspeed", MAV_F32 },
      { "pose_covariance", MAV_F32, 21 },
      { "velocity_covariance", MAV_F32, 21 },
      { "reset_counter", MAV_U8, 0, TRUE },
      { "estimator_type", MAV_U8, 0, TRUE },
      { "quality", MAV_I8, 0, TRUE } } },
};

static const struct {
  const char *name; /* as check sums have it */
  guint8 size;
} types[] = {
  [MAV_NONE] = { NULL, 0 },      [MAV_U8] = { "uint8_t", 1 },   [MAV_I8] = { "int8_t", 1 },
  [MAV_U16] = { "uint16_t", 2 }, [MAV_I16] = { "int16_t", 2 },  [MAV_U32] = { "uint32_t", 4 },
  [MAV_I32] = { "int32_t", 4 },  [MAV_U64] = { "uint64_t", 8 }, [MAV_F32] = { "float", 4 },
};

guint16
mav_crc (guint16 crc, gconstpointer data, gsize length)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < length; i++) {
    guint8 low = (guint8) (bytes[i] ^ crc);

    low = (guint8) (low ^ low << 4);
    crc = (guint16) (crc >> 8 ^ low << 8 ^ low << 3 ^ low >> 4);
  }
  return crc;
}

/* --- the layout: by size of the elements, otherwise as defined; extensions last, as defined --- */

static guint16
place_field (MavField *field, guint16 offset)
{
  field->offset = offset;
  return (guint16) (offset + types[field->type].size * MAX (field->count, 1));
}

static guint16
sum_field (guint16 crc, const MavField *field)
{
  const char *type = types[field->type].name;

  crc = mav_crc (crc, type, strlen (type));
  crc = mav_crc (crc, " ", 1);
  crc = mav_crc (crc, field->name, strlen (field->name));
  crc = mav_crc (crc, " ", 1);
  return field->count > 0 ? mav_crc (crc, &field->count, 1) : crc;
}

static void
lay_out (MavMessage *message)
{
  guint16 crc = mav_crc (0xffff, message->name, strlen (message->name));
  guint16 offset = 0;

  crc = mav_crc (crc, " ", 1);
  for (guint size = 8; size > 0; size /= 2)
    for (MavField *field = message->fields; field->name != NULL; field++)
      if (!field->extension && types[field->type].size == size) {
        offset = place_field (field, offset);
        crc = sum_field (crc, field);
      }
  message->base_length = (guint8) offset;
  for (MavField *field = message->fields; field->name != NULL; field++)
    if (field->extension)
      offset = place_field (field, offset);
  g_assert (offset <= MAV_MAX_PAYLOAD);
  message->length = (guint8) offset;
  message->extra = (guint8) ((crc & 0xff) ^ crc >> 8);
}

static void
lay_out_all (void)
{
  static gsize done;

  if (!g_once_init_enter (&done))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    lay_out (&messages[i]);
  g_once_init_leave (&done, 1);
}

guint
mav_message_get_n_known (void)
{
  return G_N_ELEMENTS (messages);
}

const MavMessage *
mav_message_get_known (guint i)
{
  lay_out_all ();
  return &messages[i];
}

const MavMessage *
mav_message_find (guint32 id)
{
  lay_out_all ();
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (messages[i].id == id)
      return &messages[i];
  return NULL;
}

const MavMessage *
mav_message_find_by_name (const char *name)
{
  lay_out_all ();
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (g_str_equal (messages[i].name, name))
      return &messages[i];
  return NULL;
}

const MavField *
mav_message_find_field (const MavMessage *message, const char *name)
{
  for (const MavField *field = message->fields; field->name != NULL; field++)
    if (g_str_equal (field->name, name))
      return field;
  return NULL;
}

/* --- values --- */

static void
put_whole (guint8 *at, guint size, guint64 value)
{
  for (guint i = 0; i < size; i++)
    at[i] = (guint8) (value >> 8 * i);
}

static guint64
get_whole (const guint8 *at, guint size)
{
  guint64 value = 0;

  for (guint i = 0; i < size; i++)
    value |= (guint64) at[i] << 8 * i;
  return value;
}

static guint64
round_to (MavType type, double value)
{
  gboolean is_signed = type == MAV_I8 || type == MAV_I16 || type == MAV_I32;
  double range = ldexp (1, 8 * types[type].size);
  double low = is_signed ? -range / 2 : 0;
  double high = (is_signed ? range / 2 : range) - 1;

  if (isnan (value))
    return 0;
  /* Of 64 bits the highest is no double. */
  if (type == MAV_U64)
    return value <= 0 ? 0 : value >= range ? G_MAXUINT64 : (guint64) (value + 0.5);
  return (guint64) (gint64) CLAMP (floor (value + 0.5), low, high);
}

void
mav_field_put (const MavField *field, guint i, guint8 *payload, double value)
{
  guint size = types[field->type].size;
  guint8 *at = payload + field->offset + i * size;
  float single = (float) value;
  guint32 bits;

  g_return_if_fail (i < MAX (field->count, 1));
  if (field->type == MAV_F32) {
    memcpy (&bits, &single, sizeof bits);
    put_whole (at, sizeof bits, bits);
  } else
    put_whole (at, size, round_to (field->type, value));
}

double
mav_field_get (const MavField *field, guint i, const guint8 *payload)
{
  guint size = types[field->type].size;
  guint64 whole = get_whole (payload + field->offset + i * size, size);
  guint32 bits = (guint32) whole;
  float single;

  switch (field->type) {
  case MAV_F32:
    memcpy (&single, &bits, sizeof single);
    return single;
  case MAV_I8:
    return (gint8) whole;
  case MAV_I16:
    return (gint16) whole;
  case MAV_I32:
    return (gint32) whole;
  default:
    return (double) whole;
  }
}

void
mav_field_put_time (const MavField *field, guint8 *payload, guint64 value)
{
  put_whole (payload + field->offset, types[field->type].size, value);
}

guint64
mav_field_get_time (const MavField *field, const guint8 *payload)
{
  return get_whole (payload + field->offset, types[field->type].size);
}

void
mav_message_put (const MavMessage *message, const char *name, guint i, guint8 *payload,
                 double value)
{
  const MavField *field = mav_message_find_field (message, name);

  g_return_if_fail (field != NULL);
  mav_field_put (field, i, payload, value);
}

double
mav_message_get (const MavMessage *message, const char *name, guint i, const guint8 *payload)
{
  const MavField *field = mav_message_find_field (message, name);

  g_return_val_if_fail (field != NULL, 0);
  return mav_field_get (field, i, payload);
}
