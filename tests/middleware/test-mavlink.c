/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../middleware/mavlink/mavlink-frame.h"

#include <math.h>
#include <string.h>

/* --- definitions --- */

/* As the published definitions have them. */
static const struct {
  const char *name;
  guint32 id;
  guint extra, base_length, length;
} published[] = {
  { "HEARTBEAT", 0, 50, 9, 9 },
  { "ATTITUDE", 30, 39, 28, 28 },
  { "ATTITUDE_QUATERNION", 31, 246, 32, 48 },
  { "LOCAL_POSITION_NED", 32, 185, 28, 28 },
  { "COMMAND_LONG", 76, 152, 33, 33 },
  { "COMMAND_ACK", 77, 143, 3, 10 },
  { "SET_ATTITUDE_TARGET", 82, 49, 39, 51 },
  { "SET_POSITION_TARGET_LOCAL_NED", 84, 143, 53, 53 },
  { "HIL_ACTUATOR_CONTROLS", 93, 47, 81, 81 },
  { "HIL_SENSOR", 107, 108, 64, 65 },
  { "HIL_GPS", 113, 124, 36, 39 },
  { "HIL_STATE_QUATERNION", 115, 4, 64, 64 },
  { "DISTANCE_SENSOR", 132, 85, 14, 39 },
  { "ODOMETRY", 331, 91, 230, 233 },
};

static void
test_definitions (void)
{
  g_assert_cmpuint (mav_message_get_n_known (), ==, G_N_ELEMENTS (published));
  for (guint i = 0; i < G_N_ELEMENTS (published); i++) {
    const MavMessage *message = mav_message_find_by_name (published[i].name);

    g_test_message ("%s", published[i].name);
    g_assert_nonnull (message);
    g_assert_true (message == mav_message_find (published[i].id));
    g_assert_cmpuint (message->extra, ==, published[i].extra);
    g_assert_cmpuint (message->base_length, ==, published[i].base_length);
    g_assert_cmpuint (message->length, ==, published[i].length);
  }
  g_assert_null (mav_message_find (1));
  g_assert_null (mav_message_find_by_name ("NONE"));
}

/* The widest first, extensions at the end in their own order. */
static void
test_layout (void)
{
  const MavMessage *gps = mav_message_find_by_name ("HIL_GPS");
  const MavMessage *ack = mav_message_find_by_name ("COMMAND_ACK");

  g_assert_cmpuint (mav_message_find_field (gps, "time_usec")->offset, ==, 0);
  g_assert_cmpuint (mav_message_find_field (gps, "lat")->offset, ==, 8);
  g_assert_cmpuint (mav_message_find_field (gps, "eph")->offset, ==, 20);
  g_assert_cmpuint (mav_message_find_field (gps, "fix_type")->offset, ==, 34);
  g_assert_cmpuint (mav_message_find_field (gps, "id")->offset, ==, 36);
  g_assert_cmpuint (mav_message_find_field (gps, "yaw")->offset, ==, 37);
  g_assert_cmpuint (mav_message_find_field (ack, "progress")->offset, ==, 3);
  g_assert_cmpuint (mav_message_find_field (ack, "result_param2")->offset, ==, 4);
  g_assert_null (mav_message_find_field (ack, "none"));
}

static void
test_values (void)
{
  const MavMessage *gps = mav_message_find_by_name ("HIL_GPS");
  const MavMessage *quality = mav_message_find_by_name ("ODOMETRY");
  guint8 payload[MAV_MAX_PAYLOAD] = { 0 };

  mav_message_put (gps, "lat", 0, payload, -473977419);
  g_assert_cmpfloat (mav_message_get (gps, "lat", 0, payload), ==, -473977419);
  mav_message_put (gps, "vd", 0, payload, -2.6);
  g_assert_cmpfloat (mav_message_get (gps, "vd", 0, payload), ==, -3);
  mav_message_put (gps, "vd", 0, payload, 1e9);
  g_assert_cmpfloat (mav_message_get (gps, "vd", 0, payload), ==, 32767);
  mav_message_put (gps, "vd", 0, payload, -INFINITY);
  g_assert_cmpfloat (mav_message_get (gps, "vd", 0, payload), ==, -32768);
  mav_message_put (gps, "eph", 0, payload, -1);
  g_assert_cmpfloat (mav_message_get (gps, "eph", 0, payload), ==, 0);
  mav_message_put (gps, "eph", 0, payload, NAN);
  g_assert_cmpfloat (mav_message_get (gps, "eph", 0, payload), ==, 0);
  mav_message_put (quality, "quality", 0, payload, -1);
  g_assert_cmpfloat (mav_message_get (quality, "quality", 0, payload), ==, -1);
  mav_message_put (quality, "q", 3, payload, 0.5);
  g_assert_cmpfloat (mav_message_get (quality, "q", 3, payload), ==, 0.5);
  mav_field_put_time (mav_message_find_field (gps, "time_usec"), payload,
                      G_GUINT64_CONSTANT (0x0123456789abcdef));
  g_assert_cmphex (payload[0], ==, 0xef);
  g_assert_true (mav_field_get_time (mav_message_find_field (gps, "time_usec"), payload) ==
                 G_GUINT64_CONSTANT (0x0123456789abcdef));
}

/* --- frames --- */

/* The check value that the catalogue of check sums has for this one. */
static void
test_crc (void)
{
  g_assert_cmphex (mav_crc (0xffff, "123456789", 9), ==, 0x6f91);
}

/* A heartbeat up to its check sum, by hand. */
static const guint8 heartbeat_1[] = { 0xfe, 9, 7, 1, 2, 0, 5, 0, 0, 0, 2, 3, 64, 4, 3 };
static const guint8 heartbeat_2[] = { 0xfd, 9, 0, 0, 7, 1, 2, 0, 0, 0, 5, 0, 0, 0, 2, 3, 64, 4, 3 };

static MavFrame
make_heartbeat (guint8 version)
{
  MavFrame frame = {
    .message = mav_message_find (0), .version = version, .sequence = 7, .system = 1, .component = 2
  };

  mav_message_put (frame.message, "custom_mode", 0, frame.payload, 5);
  mav_message_put (frame.message, "type", 0, frame.payload, 2);
  mav_message_put (frame.message, "autopilot", 0, frame.payload, 3);
  mav_message_put (frame.message, "base_mode", 0, frame.payload, 64);
  mav_message_put (frame.message, "system_status", 0, frame.payload, 4);
  mav_message_put (frame.message, "mavlink_version", 0, frame.payload, 3);
  return frame;
}

static void
test_write (void)
{
  guint8 bytes[MAV_MAX_FRAME];
  MavFrame frame = make_heartbeat (1);

  g_assert_cmpuint (mav_frame_write (&frame, bytes), ==, sizeof heartbeat_1 + 2);
  g_assert_cmpmem (bytes, sizeof heartbeat_1, heartbeat_1, sizeof heartbeat_1);
  frame = make_heartbeat (2);
  g_assert_cmpuint (mav_frame_write (&frame, bytes), ==, sizeof heartbeat_2 + 2);
  g_assert_cmpmem (bytes, sizeof heartbeat_2, heartbeat_2, sizeof heartbeat_2);
}

/* Zeros at the end are cut in version 2, all but the first byte; version 1 has no extensions. */
static void
test_zeros (void)
{
  guint8 bytes[MAV_MAX_FRAME];
  MavFrame frame = { .message = mav_message_find_by_name ("COMMAND_ACK"), .version = 2 };

  g_assert_cmpuint (mav_frame_write (&frame, bytes), ==, 10 + 1 + 2);
  mav_message_put (frame.message, "result", 0, frame.payload, 4);
  g_assert_cmpuint (mav_frame_write (&frame, bytes), ==, 10 + 3 + 2);
  mav_message_put (frame.message, "target_component", 0, frame.payload, 4);
  g_assert_cmpuint (mav_frame_write (&frame, bytes), ==, 10 + 10 + 2);
  frame.version = 1;
  g_assert_cmpuint (mav_frame_write (&frame, bytes), ==, 6 + 3 + 2);
}

/* How many frames there are in bytes that come @step at a time. */
static guint
count (MavParser *parser, const guint8 *data, gsize size, gsize step, MavFrame *frame)
{
  guint n = 0;

  for (gsize i = 0; i < size; i += step) {
    const guint8 *at = data + i;
    gsize left = MIN (step, size - i);

    while (mav_parser_next (parser, &at, &left, frame))
      n++;
  }
  return n;
}

static void
test_pieces (void)
{
  guint8 bytes[3 * MAV_MAX_FRAME];
  gsize size = 0;

  for (guint i = 0; i < 3; i++) {
    MavFrame frame = make_heartbeat (i % 2 + 1);

    size += mav_frame_write (&frame, bytes + size);
  }
  for (gsize step = 1; step <= size; step++) {
    MavParser parser = { 0 };
    MavFrame frame;

    g_assert_cmpuint (count (&parser, bytes, size, step, &frame), ==, 3);
    g_assert_cmpuint (parser.counts[MAV_COUNT_GARBAGE], ==, 0);
    g_assert_cmpuint (frame.sequence, ==, 7);
    g_assert_cmpuint (frame.system, ==, 1);
    g_assert_cmpuint (frame.component, ==, 2);
    g_assert_cmpfloat (mav_message_get (frame.message, "base_mode", 0, frame.payload), ==, 64);
  }
}

/* What was cut reads as zeros, also where the buffer held something else before. */
static void
test_cut_payload (void)
{
  guint8 bytes[MAV_MAX_FRAME];
  MavFrame frame = { .message = mav_message_find_by_name ("HIL_GPS"), .version = 2 };
  MavParser parser = { 0 };
  MavFrame out;

  memset (&out, 0xff, sizeof out);
  mav_message_put (frame.message, "lat", 0, frame.payload, 1);
  g_assert_cmpuint (count (&parser, bytes, mav_frame_write (&frame, bytes), 1, &out), ==, 1);
  g_assert_cmpuint (out.length, ==, 9);
  g_assert_cmpfloat (mav_message_get (out.message, "lat", 0, out.payload), ==, 1);
  g_assert_cmpfloat (mav_message_get (out.message, "yaw", 0, out.payload), ==, 0);
}

/* Garbage that looks like the head of the longest frame holds nothing up. */
static void
test_garbage (void)
{
  static const guint8 heads[] = { 0x00, 0xff, 0xfe, 255, 0, 0, 0, 0, 0xfd, 255, 1, 0, 0xfd };
  guint8 bytes[sizeof heads + MAV_MAX_FRAME];
  MavFrame frame = make_heartbeat (2), out;
  MavParser parser = { 0 };
  gsize size;

  memcpy (bytes, heads, sizeof heads);
  size = sizeof heads + mav_frame_write (&frame, bytes + sizeof heads);
  g_assert_cmpuint (count (&parser, bytes, size, 1, &out), ==, 1);
  g_assert_cmpuint (parser.counts[MAV_COUNT_GARBAGE], ==, sizeof heads);
  g_assert_cmpuint (parser.length, ==, 0);
}

static void
test_wrong_sum (void)
{
  guint8 bytes[2 * MAV_MAX_FRAME];
  MavFrame frame = make_heartbeat (2), out;
  gsize size = mav_frame_write (&frame, bytes);

  for (gsize i = 1; i < size; i++) {
    MavParser parser = { 0 };
    gsize both = size + mav_frame_write (&frame, bytes + size);

    mav_frame_write (&frame, bytes);
    bytes[i] ^= 0x10;
    g_assert_cmpuint (count (&parser, bytes, both, both, &out), ==, 1);
  }
}

static void
sum (guint8 *bytes, gsize size, guint8 extra)
{
  guint16 crc = mav_crc (0xffff, bytes + 1, size - 3);

  crc = mav_crc (crc, &extra, 1);
  bytes[size - 2] = (guint8) crc;
  bytes[size - 1] = (guint8) (crc >> 8);
}

/* Signed, or with a flag that nobody here knows: refused as a whole, and the next one is read. */
static void
test_refused (void)
{
  guint8 bytes[2 * MAV_MAX_FRAME] = { 0 };
  MavFrame frame = make_heartbeat (2), out;

  for (guint8 flag = 1; flag < 4; flag++) {
    MavParser parser = { 0 };
    gsize size = mav_frame_write (&frame, bytes);

    bytes[2] = flag;
    sum (bytes, size, 50);
    size += flag & 1 ? 13 : 0;
    size += mav_frame_write (&frame, bytes + size);
    g_assert_cmpuint (count (&parser, bytes, size, size, &out), ==, 1);
    g_assert_cmpuint (parser.counts[MAV_COUNT_REFUSED], ==, 1);
    g_assert_cmpuint (parser.counts[MAV_COUNT_GARBAGE], ==, 0);
  }
}

static void
test_unknown (void)
{
  guint8 bytes[2 * MAV_MAX_FRAME] = {
    0xfd, 4, 0, 0, 0, 1, 1, 0x39, 0x30, 0, 0xfe, 0xfe, 0, 0, 9, 9
  };
  MavFrame frame = make_heartbeat (1), out;
  MavParser parser = { 0 };
  gsize size = 16 + mav_frame_write (&frame, bytes + 16);

  g_assert_cmpuint (count (&parser, bytes, size, 1, &out), ==, 1);
  g_assert_cmpuint (parser.counts[MAV_COUNT_UNKNOWN], ==, 1);
  g_assert_cmpuint (parser.counts[MAV_COUNT_GARBAGE], ==, 0);
}

/* Garbage that looks like a whole frame of an unknown message does not take a frame with it. */
static void
test_unknown_garbage (void)
{
  guint8 bytes[2 * MAV_MAX_FRAME] = { 0xfd, 20, 0, 0, 0, 1, 1, 0x39, 0x30, 0 };

  for (gsize before = 10; before < 40; before++) {
    MavFrame frame = make_heartbeat (1), out;
    MavParser parser = { 0 };
    gsize size = before + mav_frame_write (&frame, bytes + before);

    g_assert_cmpuint (count (&parser, bytes, size, 1, &out), ==, 1);
    memset (bytes + before, 0, size - before);
  }
}

/* Of version 1 a payload has its whole length. */
static void
test_short (void)
{
  guint8 bytes[] = { 0xfe, 1, 0, 1, 1, 0, 0, 0, 0 };
  MavParser parser = { 0 };
  MavFrame out;

  sum (bytes, sizeof bytes, 50);
  g_assert_cmpuint (count (&parser, bytes, sizeof bytes, 1, &out), ==, 0);
  g_assert_cmpuint (parser.counts[MAV_COUNT_GARBAGE], ==, sizeof bytes);
}

/* A frame ends with its datagram. */
static void
test_begin (void)
{
  guint8 bytes[MAV_MAX_FRAME];
  MavFrame frame = make_heartbeat (2), out;
  MavParser parser = { 0 };
  gsize size = mav_frame_write (&frame, bytes);

  g_assert_cmpuint (count (&parser, bytes, size - 1, size, &out), ==, 0);
  mav_parser_begin (&parser);
  g_assert_cmpuint (count (&parser, bytes + size - 1, 1, 1, &out), ==, 0);
  g_assert_cmpuint (count (&parser, bytes, size, size, &out), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_summary ("Frames of MAVLink are found among garbage; the definitions are the published "
                  "ones");
  g_test_add_func ("/definitions", test_definitions);
  g_test_add_func ("/layout", test_layout);
  g_test_add_func ("/values", test_values);
  g_test_add_func ("/crc", test_crc);
  g_test_add_func ("/write", test_write);
  g_test_add_func ("/zeros", test_zeros);
  g_test_add_func ("/pieces", test_pieces);
  g_test_add_func ("/cut-payload", test_cut_payload);
  g_test_add_func ("/garbage", test_garbage);
  g_test_add_func ("/wrong-sum", test_wrong_sum);
  g_test_add_func ("/refused", test_refused);
  g_test_add_func ("/unknown", test_unknown);
  g_test_add_func ("/unknown-garbage", test_unknown_garbage);
  g_test_add_func ("/short", test_short);
  g_test_add_func ("/begin", test_begin);
  return g_test_run ();
}
