/* SPDX-License-Identifier: BSD-3-Clause */
/* What the managers of autopilots share: vehicles, their ports, and the gate. */
#define G_LOG_DOMAIN "orrery.middleware.sitl"
#include "sitl.h"

#include <errno.h>

/*
 * Each robot with such streams is a vehicle with a port of its own. A tick begins when all
 * autopilots let it. All sockets are read and written on the thread of the tick; the watch only
 * wakes it while it is held.
 */

ORRERY_DEFINE_ABSTRACT_TYPE (OrrerySitlManager, orrery_sitl_manager, ORRERY_TYPE_DATASTREAM_MANAGER)

static GType orrery_sitl_on_lost_get_type (void);
typedef SitlOnLost OrrerySitlOnLost;
G_DEFINE_ENUM_TYPE (OrrerySitlOnLost, orrery_sitl_on_lost,
                    G_DEFINE_ENUM_VALUE (SITL_LOST_HOLD, "hold"),
                    G_DEFINE_ENUM_VALUE (SITL_LOST_STOP, "stop"))

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrrerySitlManager, address, "address", "127.0.0.1",
                          "IPv4 address to listen on; '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrrerySitlManager, instance, "instance", 0, 254, 0,
                       "Number of the first vehicle's autopilot",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrrerySitlManager, timeout, "timeout", 0.01, 86400, 5,
                          "Seconds of wall time that an autopilot may be silent or away"),
  ORRERY_PROPERTY_ENUM (OrrerySitlManager, on_lost, "on_lost", orrery_sitl_on_lost_get_type,
                        SITL_LOST_HOLD,
                        "What follows then: hold waits on, stop puts the vehicle's actuators at "
                        "rest and goes on without it"),
};

/* --- vehicles --- */

static void
vehicle_free (gpointer data)
{
  SitlVehicle *vehicle = data;

  g_ptr_array_unref (vehicle->inputs);
  mav_port_free (vehicle->port);
  g_string_free (vehicle->answer, TRUE);
  g_free (vehicle);
}

static const char *
vehicle_get_name (SitlVehicle *vehicle)
{
  return orrery_part_get_name (ORRERY_PART (vehicle->robot));
}

static SitlVehicle *
find_vehicle (OrrerySitlManager *self, OrreryComponent *robot)
{
  SitlVehicle *vehicle;

  for (guint i = 0; i < self->vehicles->len; i++) {
    vehicle = self->vehicles->pdata[i];
    if (vehicle->robot == robot)
      return vehicle;
  }
  vehicle = g_new0 (SitlVehicle, 1);
  vehicle->robot = robot;
  vehicle->inputs = g_ptr_array_new ();
  vehicle->answer = g_string_new (NULL);
  sitl_state_init (&vehicle->state);
  g_ptr_array_add (self->vehicles, vehicle);
  return vehicle;
}

void
sitl_vehicle_put_controls (SitlVehicle *vehicle, const SitlControls *controls)
{
  for (guint i = 0; i < vehicle->inputs->len; i++)
    orrery_stream_put (vehicle->inputs->pdata[i], vehicle->peer, (const char *) controls,
                       sizeof *controls);
}

gsize
sitl_vehicle_read (OrrerySitlManager *self, SitlVehicle *vehicle, guint8 *bytes, gsize size)
{
  gsize n = mav_port_read (vehicle->port, bytes, size);

  if (mav_port_get_n_peers (vehicle->port) != vehicle->begun_peer) {
    vehicle->begun_peer = mav_port_get_n_peers (vehicle->port);
    self->protocol->begin (self, vehicle);
  }
  return n;
}

static void
put_rest (SitlVehicle *vehicle)
{
  SitlControls rest = { .mark = SITL_CONTROLS_MARK, .n = SITL_MAX_CONTROLS };

  sitl_vehicle_put_controls (vehicle, &rest);
}

static void
orrery_sitl_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream, GVariant *options,
                          GError **error)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;
  OrreryDatastream *codec = orrery_stream_get_codec (stream);
  gboolean is_out = orrery_stream_get_direction (stream) == ORRERY_DIRECTION_OUT;
  OrreryComponent *robot = orrery_component_get_robot (orrery_stream_get_component (stream));
  SitlVehicle *vehicle;

  if (orrery_datastream_get_n_topics (codec) != 1 ||
      !g_str_equal (orrery_datastream_get_topic (codec, 0)->name,
                    is_out ? SITL_TOPIC_REPORT : SITL_TOPIC_CONTROLS)) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "%s is no codec for an autopilot; those of orrery.middleware.sitl are",
                      orrery_part_get_classpath (ORRERY_PART (codec)));
    return;
  }
  if (options != NULL && g_variant_n_children (options) > 0) {
    g_autoptr (GVariant) first = g_variant_get_child_value (options, 0);
    const char *name;

    g_variant_get_child (first, 0, "&s", &name);
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "a stream of an autopilot has no option '%s'",
                      name);
    return;
  }
  if (orrery_stream_options_get_rate (orrery_stream_get_options (stream)) > 0) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "an autopilot is told of every step; its stream has no 'rate'");
    return;
  }
  if (robot == NULL) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "it is not on a robot");
    return;
  }
  vehicle = find_vehicle (self, robot);
  if (is_out)
    orrery_stream_set_listening (stream, !self->offline);
  else
    g_ptr_array_add (vehicle->inputs, stream);
  orrery_stream_set_user_data (stream, vehicle, NULL);
}

/* --- starting --- */

static void
wake (gpointer self)
{
  orrery_datastream_manager_wake (self);
}

static gboolean
start_vehicle (OrrerySitlManager *self, guint i, GError **error)
{
  SitlVehicle *vehicle = self->vehicles->pdata[i];
  const SitlProtocol *protocol = self->protocol;
  guint number =
      self->port == 0 ? 0 : (guint) self->port + (guint) self->instance * protocol->stride;
  int status;

  number += self->port == 0 ? 0 : i * protocol->stride;
  if (number > 65535)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: there is no port %u", protocol->name,
                             number);
  vehicle->port = mav_port_new (protocol->kind, self->address, (guint16) number);
  status = mav_port_open (vehicle->port, self->access);
  if (status != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: no port %u on %s for %s: %s",
                             protocol->name, number, self->address, vehicle_get_name (vehicle),
                             status == EINVAL ? "it is no IPv4 address" : g_strerror (status));
  orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "%s: listening on port %u for %s",
                         protocol->name, mav_port_get_port (vehicle->port),
                         vehicle_get_name (vehicle));
  return TRUE;
}

static void
orrery_sitl_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;
  g_autofree char *why = NULL;

  if (self->offline || self->vehicles->len == 0)
    return;
  self->access = line_access_new (self->allowed_users, NULL, &why);
  if (self->access == NULL || !line_access_covers (self->access, self->address, &why)) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: %s", self->protocol->name, why);
    return;
  }
  self->watch = mav_watch_new (wake, self);
  if (self->watch == NULL) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s: no thread: %s", self->protocol->name,
                      g_strerror (errno));
    return;
  }
  for (guint i = 0; i < self->vehicles->len; i++)
    if (!start_vehicle (self, i, error))
      return;
}

static void
orrery_sitl_manager_close (OrreryDatastreamManager *manager)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;

  g_clear_pointer (&self->watch, mav_watch_free);
  for (guint i = 0; i < self->vehicles->len; i++) {
    SitlVehicle *vehicle = self->vehicles->pdata[i];

    if (vehicle->port != NULL)
      mav_port_close (vehicle->port);
  }
}

/* --- the gate --- */

static gint64
now_ms (void)
{
  return g_get_monotonic_time () / 1000;
}

static void
tell_count (OrrerySitlManager *self, SitlVehicle *vehicle, guint place, guint64 count,
            const char *words)
{
  if (G_UNLIKELY (count > 0 && vehicle->counted[place] == 0))
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s: %s: %s (further ones are only counted)",
                           self->protocol->name, vehicle_get_name (vehicle), words);
  vehicle->counted[place] = count;
}

static void
tell_counts (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  static const char *const of_port[] = {
    "a peer of another user was turned away; --allow-users lets in others",
    "a second autopilot was turned away",
    "the autopilot reads too slowly and loses messages",
  };
  static const char *const of_frames[MAV_N_COUNTS] = {
    [MAV_COUNT_GARBAGE] = "bytes that belong to no frame, or to one with a wrong check sum",
    [MAV_COUNT_REFUSED] = "a signed frame was refused: signatures cannot be checked here",
  };

  for (guint i = 0; i < MAV_PORT_N_COUNTS; i++)
    tell_count (self, vehicle, i, mav_port_get_count (vehicle->port, i), of_port[i]);
  for (guint i = 0; i < MAV_N_COUNTS; i++)
    if (of_frames[i] != NULL)
      tell_count (self, vehicle, MAV_PORT_N_COUNTS + i, vehicle->parser.counts[i], of_frames[i]);
}

static void
look_at_peer (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  guint n = mav_port_get_n_peers (vehicle->port);
  gboolean has_peer = mav_port_has_peer (vehicle->port);

  if (n != vehicle->peer && has_peer) {
    orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "%s: an autopilot flies or drives %s",
                           self->protocol->name, vehicle_get_name (vehicle));
    vehicle->since = 0;
    vehicle->given_up = FALSE;
  } else if (vehicle->had_peer && !has_peer)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s: the autopilot of %s has gone",
                           self->protocol->name, vehicle_get_name (vehicle));
  vehicle->peer = n;
  vehicle->had_peer = has_peer;
}

static void
give_up (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  gboolean stops = self->on_lost == SITL_LOST_STOP;

  vehicle->given_up = TRUE;
  if (mav_port_get_kind (vehicle->port) == MAV_PORT_UDP_IN)
    mav_port_forget_peer (vehicle->port);
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                         "%s: no word of the autopilot of %s for %g s: %s", self->protocol->name,
                         vehicle_get_name (vehicle), self->timeout,
                         stops ? "its actuators are at rest, and the simulation goes on"
                               : "the simulation is held until there is one");
  if (stops)
    put_rest (vehicle);
}

/* It waits for an autopilot that is away or silent. Returns: whether the tick may begin anyhow */
static gboolean
wait_for (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  gint64 limit = (gint64) (self->timeout * 1000);
  gint64 now = now_ms ();

  if (vehicle->since == 0)
    vehicle->since = now;
  if (!vehicle->given_up && now - vehicle->since >= limit)
    give_up (self, vehicle);
  if (!vehicle->given_up)
    mav_watch_arm_timer (self->watch, vehicle->since + limit - now + 1);
  return vehicle->given_up && self->on_lost == SITL_LOST_STOP;
}

static gboolean
wait_for_first (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  if (!vehicle->told)
    orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE,
                           "%s: the simulation is held until an autopilot of %s is on port %u",
                           self->protocol->name, vehicle_get_name (vehicle),
                           mav_port_get_port (vehicle->port));
  vehicle->told = TRUE;
  return FALSE;
}

static gboolean
may_pass (OrrerySitlManager *self, SitlVehicle *vehicle)
{
  self->protocol->read (self, vehicle);
  look_at_peer (self, vehicle);
  tell_counts (self, vehicle);
  if (vehicle->peer == 0)
    return wait_for_first (self, vehicle);
  if (!vehicle->had_peer || !self->protocol->may_pass (self, vehicle))
    return wait_for (self, vehicle);
  vehicle->since = 0;
  vehicle->given_up = FALSE;
  return TRUE;
}

static gboolean
orrery_sitl_manager_gate (OrreryDatastreamManager *manager)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;
  gboolean open = TRUE;

  if (self->watch == NULL)
    return TRUE;
  for (guint i = 0; i < self->vehicles->len; i++)
    open = may_pass (self, self->vehicles->pdata[i]) && open;
  for (guint i = 0; !open && i < self->vehicles->len; i++)
    mav_port_arm (((SitlVehicle *) self->vehicles->pdata[i])->port, self->watch);
  return open;
}

/* --- in the tick --- */

static void
orrery_sitl_manager_intake (OrreryDatastreamManager *manager)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;

  for (guint i = 0; self->watch != NULL && i < self->vehicles->len; i++)
    self->protocol->pass (self, self->vehicles->pdata[i]);
}

static void
orrery_sitl_manager_tick (OrreryDatastreamManager *manager, OrreryTick *tick)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;

  self->elapsed += self->next;
  self->next = (OrreryTime) (orrery_tick_get_dt (tick) * ORRERY_SECOND + 0.5);
}

static void
orrery_sitl_manager_send (OrreryDatastreamManager *manager, OrreryStream *stream, const char *data,
                          gsize length)
{
  SitlVehicle *vehicle = orrery_stream_get_user_data (stream);

  sitl_state_take (&vehicle->state, data, length);
}

static void
orrery_sitl_manager_flush (OrreryDatastreamManager *manager)
{
  OrrerySitlManager *self = (OrrerySitlManager *) manager;

  for (guint i = 0; self->watch != NULL && i < self->vehicles->len; i++)
    self->protocol->report (self, self->vehicles->pdata[i]);
}

static void
orrery_sitl_manager_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySitlManager *self = (OrrerySitlManager *) part;

  self->offline = orrery_setup_is_offline (setup);
  self->allowed_users = g_strdup (orrery_setup_get_allowed_users (setup));
  self->geodesy = orrery_geodesy_new_from_world (orrery_setup_get_world (setup), NULL);
  self->vehicles = g_ptr_array_new_with_free_func (vehicle_free);
}

static void
orrery_sitl_manager_class_init (OrrerySitlManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_sitl_manager_setup;
  manager->open = orrery_sitl_manager_open;
  manager->start = orrery_sitl_manager_start;
  manager->gate = orrery_sitl_manager_gate;
  manager->intake = orrery_sitl_manager_intake;
  manager->tick = orrery_sitl_manager_tick;
  manager->send = orrery_sitl_manager_send;
  manager->flush = orrery_sitl_manager_flush;
  manager->close = orrery_sitl_manager_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrrerySitlManager, allowed_users, g_free);
  ORRERY_CLASS_OWNS (klass, OrrerySitlManager, geodesy, orrery_geodesy_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySitlManager, access, line_access_free);
  ORRERY_CLASS_OWNS (klass, OrrerySitlManager, watch, mav_watch_free);
  ORRERY_CLASS_OWNS (klass, OrrerySitlManager, vehicles, g_ptr_array_unref);
}
