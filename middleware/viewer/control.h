/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "hub.h"

/*
 * What clients ask of a run: a queue from the I/O threads of servers to the request manager of a
 * scene on the tick's thread, and the services that this manager has. A server answers by
 * hub_answer().
 */

typedef struct _Control Control;

/* An argument of a service. */
typedef struct {
  char *name;
  char type;          /* b x d s v */
  GVariant *fallback; /* (nullable): it must be given */
} ControlArgument;

typedef struct {
  char *part;
  char *name;
  char *topic; /* both, with slashes */
  char *type;
  const char *signature;
  const char *words;
  GArray *arguments; /* (element-type ControlArgument) */
} ControlService;

/*
 * CONTROL_CALL: of a service; the client knows it by two numbers
 * CONTROL_WRITE: fields of an actuator; only the newest of an actuator waits
 * CONTROL_GET: parameters
 * CONTROL_SET: one parameter
 * CONTROL_CANCEL: nobody waits for that call of the client any more
 * CONTROL_FOLLOW: the client wants to know what is set
 * CONTROL_UNFOLLOW: it no longer does
 * CONTROL_GONE: the client is no longer there
 */
typedef enum {
  CONTROL_CALL,
  CONTROL_WRITE,
  CONTROL_GET,
  CONTROL_SET,
  CONTROL_CANCEL,
  CONTROL_FOLLOW,
  CONTROL_UNFOLLOW,
  CONTROL_GONE,
} ControlKind;

typedef struct {
  ControlKind kind;
  Hub *hub; /* (nullable): a reference */
  guint64 client;
  guint32 service, call;
  const char *part, *name; /* of a call; the service's. Of a write and a set: as below */
  char *owned;             /* (nullable): name of an actuator, or of a parameter */
  char *id;                /* (nullable): of a request for parameters, as JSON */
  char **names;            /* (nullable): of parameters; none: all */
  GVariant *arguments;     /* (nullable) */
  gsize size;              /* bytes of the message */
  GList link;
} ControlRequest;

ControlRequest *control_request_new (ControlKind kind, Hub *hub, guint64 client);
void control_request_free (ControlRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ControlRequest, control_request_free)

/* --- tick's thread --- */

/* Makes the queue of a scene, which control_find() finds then. */
Control *control_new (OrreryWorld *world);
/* (transfer full) (nullable): NULL: no request manager of ours is in the scene */
Control *control_find (OrreryWorld *world);
/* Takes in what services there are; before anybody else sees it. */
void control_set_services (Control *control, OrreryRequestManager *manager);
/* Those of the scene, as long as it is there. */
void control_set_components (Control *control, OrreryComponent *const *components, guint n);
/* (transfer none) (element-type OrreryComponent) */
GPtrArray *control_get_components (Control *control);
void control_set_wake (Control *control, void (*wake) (gpointer data), gpointer data);
/* (transfer full) (nullable): the oldest */
ControlRequest *control_take (Control *control);

/* --- any thread --- */

Control *control_ref (Control *control);
void control_unref (Control *control);
/* @request: taken. Returns: (nullable): why it is not; then it is freed */
const char *control_post (Control *control, ControlRequest *request);

guint control_get_n_services (Control *control);
const ControlService *control_get_service (Control *control, guint i);
/* By place, `av`. Returns: (transfer full) (nullable): NULL with an error: they do not fit */
GVariant *control_service_read (const ControlService *service, const char *json, gsize length,
                                GError **error);
/* Schemas of request and response. */
void control_service_write_schema (const ControlService *service, OrreryWriter *out);
extern const char control_answer_schema[];

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Control, control_unref)
