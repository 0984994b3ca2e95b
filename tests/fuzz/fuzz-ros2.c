/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/dds/goals.c middleware/dds/parameter-events.c */
/* sources: middleware/dds/parameters.c middleware/dds/dds-action.c */
/* sources: middleware/message/backlog.c middleware/message/call.c */
/* sources: middleware/message/remote.c middleware/message/variant.c */
#undef G_LOG_DOMAIN
#include "../../middleware/ros2_request_manager.c"

#include "fuzz.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"

/* Requests: the byte before each says to which service of DDS, the two after that how long it is.
 * Services are numbered in the order in which they were advertised; two numbers are events. */
#define FINISH 255 /* the call of the part that takes longer ends */
#define LATER 254  /* much simulated time goes by */
#define MAX_SERVICES 64

/* --- the part whose services are called --- */

typedef struct {
  OrreryActuator parent_instance;

  gboolean flag;
  int count;
  double limit;
  char *words;
  OrreryCall *long_call;
} FuzzPart;
ORRERY_DEFINE_CLASS (FuzzPart, fuzz_part, OrreryActuator, orrery_actuator)

static const OrreryProperty part_properties[] = {
  ORRERY_PROPERTY_BOOLEAN (FuzzPart, flag, "Flag", TRUE, "A truth value"),
  ORRERY_PROPERTY_INT (FuzzPart, count, "Count", -5, 5, 0, "A whole number"),
  ORRERY_PROPERTY_DOUBLE (FuzzPart, limit, "Limit", 0, 10, 1, "A number"),
  ORRERY_PROPERTY_STRING (FuzzPart, words, "Words", "x", "A text"),
};

static void
trigger (OrreryPart *part, OrreryCall *call, GError **error)
{
}

static void
switch_on (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_boolean (orrery_call_get_bool (call, 0)));
}

/* Gives back what it was given. */
static void
tell (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, orrery_call_get_given (call));
}

static void
refuse (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_set_error (error, ORRERY_ERROR_INVALID, "it cannot be");
}

static void
take_long (OrreryPart *part, OrreryCall *call, GError **error)
{
  FuzzPart *self = (FuzzPart *) part;

  g_set_object (&self->long_call, call);
}

static const OrreryService part_services[] = {
  { "trigger", trigger, ORRERY_SERVICE_IMMEDIATE, "", "Nothing" },
  { "switch_on", switch_on, ORRERY_SERVICE_IMMEDIATE, "on:b", "Something" },
  { "tell", tell, ORRERY_SERVICE_IMMEDIATE, "a:v b:d=1.0 c:s='x' d:x=3", "What it was given" },
  { "refuse", refuse, ORRERY_SERVICE_IMMEDIATE, "", "Fails" },
  { "take_long", take_long, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "a:v b:d=1.0",
    "Takes longer" },
};

static void
fuzz_part_class_init (FuzzPartClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, part_properties);
  ORRERY_CLASS_SET_SERVICES (klass, part_services);
  ORRERY_CLASS_OWNS (klass, FuzzPart, long_call, g_object_unref);
}

/* --- the wire: what is sent is looked at, and gone --- */

struct _DdsService {
  const OrreryMessageType *response;
  DdsRequestFunc func;
  gpointer data;
};
struct _DdsServiceCall {
  DdsService *service;
};
struct _DdsPublisher {
  const OrreryMessageType *type;
};

static OrreryMessageCatalogue *messages;
static DdsService services[MAX_SERVICES];
static DdsPublisher publishers[MAX_SERVICES];
static guint n_services, n_publishers, n_unanswered;
static OrreryTime now;
static OrreryPart *part;

static void
check_message (const OrreryMessageType *type, GBytes *bytes)
{
  gpointer message = orrery_message_new (type);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  g_assert_true (
      orrery_message_read (type, message, ORRERY_MESSAGE_ENCODING_CDR, data, length, NULL));
  orrery_message_free (type, message);
}

static const OrreryMessageType *
find_type (const char *name, const char *suffix)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", 3);
  g_autofree char *whole = g_strconcat (parts[0], "/", parts[2], suffix, NULL);
  const OrreryMessageService *service = NULL;
  const OrreryMessageType *type;

  if (g_str_equal (parts[1], "srv"))
    service = orrery_message_catalogue_find_service (messages, name, ORRERY_MESSAGE_ROS2, NULL);
  type = service != NULL
             ? service->response
             : orrery_message_catalogue_find (messages, whole, ORRERY_MESSAGE_ROS2, NULL);
  g_assert_nonnull (type);
  return type;
}

DdsService *
dds_node_advertise_service (DdsNode *node, const char *name, const char *type, DdsRequestFunc func,
                            gpointer data, GError **error)
{
  g_assert_cmpuint (n_services, <, MAX_SERVICES);
  services[n_services] = (DdsService){ find_type (type, "_Response"), func, data };
  return &services[n_services++];
}

void
dds_service_call_return (DdsServiceCall *call, GBytes *response)
{
  if (response != NULL)
    check_message (call->service->response, response);
  g_assert_cmpuint (n_unanswered, >, 0);
  n_unanswered--;
  g_free (call);
}

void
dds_service_call_drop (DdsServiceCall *call)
{
  dds_service_call_return (call, NULL);
}

DdsPublisher *
dds_node_advertise (DdsNode *node, const DdsTopic *topic, guint queue_length,
                    DdsListeningFunc listening, gpointer data, GError **error)
{
  publishers[n_publishers].type = find_type (topic->type, "");
  return &publishers[n_publishers++];
}

void
dds_publisher_send_bytes (DdsPublisher *publisher, GBytes *message)
{
  check_message (publisher->type, message);
}

void
dds_publisher_send (DdsPublisher *publisher, gconstpointer message, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new (message, length);

  check_message (publisher->type, bytes);
}

const char *
dds_node_get_name (DdsNode *node)
{
  return "/robot";
}

DdsShare *
dds_share_get (gpointer world)
{
  return world;
}

gboolean
dds_share_start (DdsShare *share, const DdsShareOptions *options, GError **error)
{
  return TRUE;
}

DdsContext *
dds_share_get_context (DdsShare *share)
{
  return (DdsContext *) share;
}

DdsNode *
dds_share_get_node (DdsShare *share, const char *robot, const char *name_space)
{
  return (DdsNode *) share;
}

const char *
dds_share_get_name_space (DdsShare *share)
{
  return NULL;
}

void
dds_share_report (DdsShare *share, gpointer speaker, const char *domain)
{
}

guint
dds_context_get_domain (DdsContext *context)
{
  return 0;
}

void
dds_context_flush (DdsContext *context)
{
}

/* The manager is never closed. */
void
dds_share_release (DdsShare *share)
{
  g_assert_not_reached ();
}

void
dds_context_settle (DdsContext *context)
{
  g_assert_not_reached ();
}

void
dds_service_unadvertise (DdsService *service)
{
  g_assert_not_reached ();
}

void
dds_publisher_unadvertise (DdsPublisher *publisher)
{
  g_assert_not_reached ();
}

/* Nobody calls services of others here. */
Ros2Remote *
ros2_remote_new (DdsNode *node, RemoteCalls *calls)
{
  return (Ros2Remote *) calls;
}

void
ros2_remote_close (Ros2Remote *remote)
{
}

void
ros2_remote_free (Ros2Remote *remote)
{
}

void
ros2_remote_send (gpointer remote, guint64 key, const char *name, const OrreryMessageService *type,
                  gsize max_answer, GBytes *request)
{
}

void
ros2_remote_drop (gpointer remote, guint64 key)
{
}

/* --- the host --- */

static void
start_call (gpointer host, OrreryRequestManager *manager, const char *name, OrreryCall *call)
{
  g_assert_cmpstr (name, ==, "robot.part");
  orrery_call_start (call, part);
}

static GVariant *
list_all (gpointer host, OrreryRequestManager *manager)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ssu)"));

  for (guint i = 0; i < G_N_ELEMENTS (part_services); i++)
    g_variant_builder_add (&list, "(ssu)", "robot.part", part_services[i].name,
                           part_services[i].flags);
  g_variant_builder_add (&list, "(ssu)", "robot.part", "set_property", 0);
  return g_variant_builder_end (&list);
}

static OrreryPart *
find_part_of (gpointer host, OrreryRequestManager *manager, const char *name, const char *service)
{
  return part;
}

static OrreryTime
get_time (gpointer host)
{
  return now;
}

static OrreryRos2RequestManager *
make_manager (void)
{
  static const OrreryRequestHost host = { list_all, find_part_of, get_time };
  OrreryRos2RequestManager *self = g_object_new (orrery_ros2_request_manager_get_type (), NULL);
  g_autofree char *directory =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "data/messages", NULL);
  const char *const directories[] = { directory, NULL };
  g_autoptr (GError) error = NULL;

  messages = orrery_message_catalogue_new (directories, NULL);
  part = g_object_new (fuzz_part_get_type (), NULL);
  orrery_part_identify (part, "robot.part", "fuzz.Part", 0);
  orrery_part_identify (ORRERY_PART (self), "ros2", "fuzz.Ros2", 0);
  orrery_request_manager_attach (ORRERY_REQUEST_MANAGER (self), start_call, NULL,
                                 orrery_waker_new ());
  orrery_request_manager_set_host (ORRERY_REQUEST_MANAGER (self), &host);
  self->messages = orrery_message_catalogue_ref (messages);
  set_up_remote (self);
  self->world = orrery_world_new ();
  orrery_world_add_object (self->world, "part",
                           orrery_world_add_object (self->world, "robot", NULL, NULL), NULL);
  orrery_ros2_request_manager_start (ORRERY_REQUEST_MANAGER (self), &error);
  g_assert_no_error (error);
  return self;
}

/* --- what happens --- */

static void
tick (OrreryRos2RequestManager *self)
{
  orrery_ros2_request_manager_intake (ORRERY_REQUEST_MANAGER (self));
  orrery_ros2_request_manager_flush (ORRERY_REQUEST_MANAGER (self));
}

static void
finish_long_call (void)
{
  g_autoptr (OrreryCall) call = g_steal_pointer (&((FuzzPart *) part)->long_call);

  if (call == NULL || orrery_call_is_done (call))
    return;
  orrery_call_feedback (call, g_variant_new_double (0.5));
  orrery_call_return (call, NULL);
}

static void
ask (guint number, const guint8 *data, gsize length)
{
  DdsServiceCall *call = g_new (DdsServiceCall, 1);
  g_autoptr (GBytes) request = g_bytes_new (data, length);

  call->service = &services[number % n_services];
  n_unanswered++;
  call->service->func (call->service->data, call, request);
}

/* Goals that have ended are forgotten, and with them who waits for their results. */
static void
end (OrreryRos2RequestManager *self)
{
  tick (self);
  finish_long_call ();
  now += 2000 * ORRERY_SECOND;
  tick (self);
  g_assert_cmpuint (n_unanswered, ==, 0);
  g_assert_cmpuint (self->pending->len, ==, 0);
}

/* Whatever the bytes of the requests: each is answered by a message of its type, or dropped. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static OrreryRos2RequestManager *self;

  if (self == NULL) {
    fuzz_quiet_log ();
    self = make_manager ();
  }
  now = 0;
  while (size >= 3) {
    guint number = data[0];
    gsize length = MIN (data[1] | (gsize) data[2] << 8, size - 3);

    if (number == FINISH)
      finish_long_call ();
    else if (number == LATER)
      now += 1000 * ORRERY_SECOND;
    else
      ask (number, data + 3, length);
    if (number % 2 == 0)
      tick (self);
    data += 3 + length;
    size -= 3 + length;
  }
  end (self);
  return 0;
}
