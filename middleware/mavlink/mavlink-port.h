/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "../line-access.h"
#include "mavlink-watch.h"

/* A socket that a peer talks MAVLink over (or what else its user reads and writes). It has one peer
 * at a time. All functions are for one thread, and none of them waits. */

typedef enum {
  MAV_PORT_UDP_IN,  /* bound; the first who sends is the peer, until it has gone */
  MAV_PORT_UDP_OUT, /* sends to an address */
  MAV_PORT_TCP_IN,  /* listens */
  MAV_PORT_TCP_OUT, /* connects, and tries again when it fails */
} MavPortKind;

typedef enum {
  MAV_PORT_DENIED,  /* peers that were not let in */
  MAV_PORT_REFUSED, /* connections while there is a peer */
  MAV_PORT_LOST,    /* messages that were not sent since the peer does not read */
  MAV_PORT_N_COUNTS,
} MavPortCount;

typedef struct _MavPort MavPort;

/* @port: 0 of a port that is bound: any */
MavPort *mav_port_new (MavPortKind kind, const char *address, guint16 port);
/* From text as pymavlink has it: udp:, udpin:, udpout:, tcp:, tcpin:, each with ADDRESS:PORT. NULL
 * with @why. */
MavPort *mav_port_new_for_device (const char *device, char **why);
void mav_port_free (MavPort *port);
MavPortKind mav_port_get_kind (MavPort *port);
const char *mav_port_get_address (MavPort *port);
/* Binds or connects. @access: borrowed, who may be the peer of a port that is bound. Returns 0 or
 * an errno; EINVAL: the address is none */
int mav_port_open (MavPort *port, const LineAccess *access);
void mav_port_close (MavPort *port);
guint16 mav_port_get_port (MavPort *port);
gboolean mav_port_has_peer (MavPort *port);
/* How many peers there have been. */
guint mav_port_get_n_peers (MavPort *port);
guint64 mav_port_get_count (MavPort *port, MavPortCount what);
/* Drops the peer of a port that is bound, so that another can come. */
void mav_port_forget_peer (MavPort *port);

/* Takes new peers, and reads. Returns bytes: over UDP those of one datagram; 0: there are none now.
 */
gsize mav_port_read (MavPort *port, guint8 *bytes, gsize size);
/* Sends all of it, later what the system does not take now; nothing without a peer. Where too much
 * waits, all of it is dropped and counted. */
void mav_port_write (MavPort *port, gconstpointer bytes, gsize length);
/* Whether something waits for the peer to read. */
gboolean mav_port_is_waiting (MavPort *port);
/* Has the watch wake its owner when there is something to do here. */
void mav_port_arm (MavPort *port, MavWatch *watch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MavPort, mav_port_free)
