/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/sitl/sitl-state.c */
#undef G_LOG_DOMAIN
#include "../../middleware/sitl/sitl-ardupilot.c"

#include "fuzz.h"

#include <string.h>

/* Datagrams: the byte before each is its length. */
typedef struct {
  const uint8_t *at;
  size_t left;
  guint n_controls, n_answers;
} Wire;

static Wire wire;

GType
orrery_sitl_manager_get_type (void)
{
  return orrery_datastream_manager_get_type ();
}

gsize
sitl_vehicle_read (OrrerySitlManager *self, SitlVehicle *vehicle, guint8 *bytes, gsize size)
{
  size_t length;

  if (wire.left < 2 || wire.at[0] == 0)
    return 0;
  length = MIN (MIN (wire.at[0], wire.left - 1), size);
  memcpy (bytes, wire.at + 1, length);
  wire.at += 1 + length;
  wire.left -= 1 + length;
  return length;
}

/* What reaches the actuators is within the limits of engines and servos. */
void
sitl_vehicle_put_controls (SitlVehicle *vehicle, const SitlControls *controls)
{
  g_assert_cmpuint (controls->n, <=, SITL_MAX_CONTROLS);
  for (guint i = 0; i < SITL_MAX_CONTROLS; i++) {
    g_assert_true (controls->engine[i] >= 0 && controls->engine[i] <= 1);
    g_assert_true (controls->servo[i] >= -1 && controls->servo[i] <= 1);
  }
  wire.n_controls++;
}

void
mav_port_write (MavPort *port, gconstpointer bytes, gsize length)
{
  g_assert_cmpuint (length, >, 0);
  g_assert_true (((const char *) bytes)[length - 1] == '\n');
  wire.n_answers++;
}

/* Each tick has its own frame: none is answered that did not let a tick begin before. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  OrrerySitlManager manager = { 0 };
  SitlVehicle vehicle = { 0 };
  guint n_ticks = 0;

  vehicle.answer = g_string_new (NULL);
  vehicle.state.rotation.w = 1;
  wire = (Wire){ data, size, 0, 0 };
  begin (&manager, &vehicle);
  for (guint i = 0; i < 64; i++) {
    read_all (&manager, &vehicle);
    if (!may_pass (&manager, &vehicle))
      break;
    n_ticks++;
    pass (&manager, &vehicle);
    report (&manager, &vehicle);
    g_assert_false (vehicle.ready || vehicle.owed);
  }
  g_assert_cmpuint (wire.n_controls, ==, n_ticks);
  g_assert_cmpuint (wire.n_answers, >=, n_ticks);
  g_string_free (vehicle.answer, TRUE);
  return 0;
}
