/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../mavlink/mavlink-frame.h"
#include "../mavlink/mavlink-port.h"
#include "sitl-state.h"

/* The classes of the module, each in a file of its own. */

typedef struct {
  OrreryDatastream parent_instance;
  SitlRole asked;
  SitlRole role;
  guint n_values;
  gsize offsets[SITL_MAX_VALUES]; /* of doubles in the record's data */
} OrrerySitlSensor;
ORRERY_DECLARE_CLASS (OrrerySitlSensor, orrery_sitl_sensor, OrreryDatastream)
typedef struct {
  OrreryDatastream parent_instance;
  double max_rate;
  GVariant *outputs;
  gint64 engines; /* offset in the record's data, as those below */
  gsize n;
  gint64 output_of[SITL_MAX_CONTROLS];
} OrrerySitlMotors;
ORRERY_DECLARE_CLASS (OrrerySitlMotors, orrery_sitl_motors, OrreryDatastream)
typedef struct {
  OrreryDatastream parent_instance;
  int throttle, steering;
  double max_speed, max_turn, max_force, max_steer;
  gint64 forwards, aside; /* offsets of v and w, or of force and steer */
  gboolean is_car;
} OrrerySitlDrive;
ORRERY_DECLARE_CLASS (OrrerySitlDrive, orrery_sitl_drive, OrreryDatastream)

/* A robot with an autopilot. */
typedef struct {
  OrreryComponent *robot; /* borrowed */
  GPtrArray *inputs;      /* (element-type OrreryStream) borrowed: of its actuators */
  SitlState state;
  MavPort *port;
  guint peer;        /* number of the peer, as of the last look; 0: none yet */
  gboolean had_peer; /* as of the last look */
  guint begun_peer;  /* number of the peer whose bytes were read last */
  gint64 since;      /* ms: it waits for the autopilot since then; 0: it does not */
  gboolean given_up; /* it waited for longer than `timeout` */
  gboolean told;     /* that it waits for the first peer */
  guint64 counted[MAV_PORT_N_COUNTS + MAV_N_COUNTS]; /* that were told */

  gboolean asked;    /* PX4: sensors were sent and not answered yet */
  gboolean answered; /* PX4: this peer has answered once */
  MavParser parser;
  guint8 sequence;

  gboolean ready; /* ArduPilot: a frame has come for the coming tick */
  gboolean owed;  /* ArduPilot: the frame of this tick is to be answered */
  gboolean begun; /* ArduPilot: this peer has sent a frame */
  guint32 frame;  /* ArduPilot: its number */
  GString *answer;
} SitlVehicle;

typedef struct _OrrerySitlManager OrrerySitlManager;

typedef struct {
  const char *name;
  MavPortKind kind;
  guint stride; /* from the port of an instance to that of the next one */
  /* Another peer has come. */
  void (*begin) (OrrerySitlManager *self, SitlVehicle *vehicle);
  /* Takes what the peer has sent. */
  void (*read) (OrrerySitlManager *self, SitlVehicle *vehicle);
  /* Whether the peer that is there lets the next tick begin. */
  gboolean (*may_pass) (OrrerySitlManager *self, SitlVehicle *vehicle);
  /* A tick begins. */
  void (*pass) (OrrerySitlManager *self, SitlVehicle *vehicle);
  /* The sensors of this tick have reported. */
  void (*report) (OrrerySitlManager *self, SitlVehicle *vehicle);
} SitlProtocol;

typedef enum { SITL_LOST_HOLD, SITL_LOST_STOP } SitlOnLost;

struct _OrrerySitlManager {
  OrreryDatastreamManager parent_instance;
  const SitlProtocol *protocol;

  char *address;
  int port;
  int instance;
  double timeout;
  SitlOnLost on_lost;
  gboolean freewheel;

  gboolean offline;
  char *allowed_users;
  char *token_file;
  OrreryGeodesy *geodesy; /* NULL: the environment does not say where it is */
  LineAccess *access;
  MavWatch *watch;
  GPtrArray *vehicles; /* (element-type SitlVehicle) in the order of the config */
  OrreryTime elapsed;  /* of all ticks, also of those before a reset */
  OrreryTime next;     /* what this tick adds */
};
ORRERY_DECLARE_CLASS (OrrerySitlManager, orrery_sitl_manager, OrreryDatastreamManager)

typedef struct {
  OrrerySitlManager parent_instance;
} OrrerySitlPx4;
ORRERY_DECLARE_CLASS (OrrerySitlPx4, orrery_sitl_px4, OrrerySitlManager)
typedef struct {
  OrrerySitlManager parent_instance;
} OrrerySitlArduPilot;
ORRERY_DECLARE_CLASS (OrrerySitlArduPilot, orrery_sitl_ardupilot, OrrerySitlManager)

/* Takes new peers, and reads of the one that is there; see mav_port_read(). */
gsize sitl_vehicle_read (OrrerySitlManager *self, SitlVehicle *vehicle, guint8 *bytes, gsize size);
/* Hands the outputs to the actuators of the vehicle, for the coming tick. */
void sitl_vehicle_put_controls (SitlVehicle *vehicle, const SitlControls *controls);
