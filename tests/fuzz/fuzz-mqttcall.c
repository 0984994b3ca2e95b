/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/mqtt/mqtt-link.c middleware/mqtt/mqtt-request.c */
/* sources: middleware/mqtt/mqtt-settings.c middleware/message/backlog.c */
/* packages: libmosquitto */
#include "../../middleware/mqtt/mqtt-deliver.c"

#undef G_LOG_DOMAIN
#include "../../middleware/mqtt_request_manager.c"

#include "fuzz.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-request-manager-private.h"

/* A message: its flags, then the lengths of topic, response topic, correlation data and payload,
 * then these. */
#define HEAD 5
enum { IS_RETAINED = 1, HAS_RESPONSE = 2, HAS_CORRELATION = 4, FINISHES = 8, IS_WITHIN = 16 };

/* Nobody is connected here. */
void *
mqtt_thread_main (void *link)
{
  g_assert_not_reached ();
}

/* --- the simulation: a third of the calls is answered, a third fails, the others take longer ---
 */

static GPtrArray *held; /* (element-type OrreryCall) */
static guint n_calls;
static guint n_input;

static void
take_call (gpointer host, OrreryRequestManager *manager, const char *part, OrreryCall *call)
{
  GVariant *given = orrery_call_get_given (call);

  if (n_calls % 3 == 0)
    orrery_call_return (call, given != NULL ? given : g_variant_new_boolean (TRUE));
  else if (n_calls % 3 == 1)
    orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_INVALID, "no: %s", part));
  else
    g_ptr_array_add (held, g_object_ref (call));
  n_calls++;
}

static void
finish_calls (void)
{
  for (guint i = 0; i < held->len; i++)
    orrery_call_return (held->pdata[i], NULL);
  g_ptr_array_set_size (held, 0);
}

static GVariant *
list_all (gpointer host, OrreryRequestManager *manager)
{
  return g_variant_new_parsed ("[('robot.motion', 'goto', uint32 1), ('simulation', 'state', 0)]");
}

static void
take_input (gpointer data, gpointer owner, const MqttMessage *message)
{
  g_assert_cmpuint (message->length, <=, MQTT_MAX_IN);
  n_input++;
}

static OrreryMqttRequestManager *
make_manager (void)
{
  OrreryMqttRequestManager *self = g_object_new (orrery_mqtt_request_manager_get_type (), NULL);

  orrery_part_identify (ORRERY_PART (self), "mqtt", "fuzz.Mqtt", 0);
  orrery_request_manager_attach (ORRERY_REQUEST_MANAGER (self), take_call, NULL,
                                 orrery_waker_new ());
  orrery_request_manager_set_host (ORRERY_REQUEST_MANAGER (self),
                                   &(OrreryRequestHost){ .list = list_all });
  self->world = orrery_world_new ();
  self->link = mqtt_link_share (self->world, &self->settings, NULL);
  g_assert_nonnull (self->link);
  join (self);
  mqtt_link_add_input (self->link, "orrery/robot/motion/set", 0, take_input, NULL, self);
  held = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

/* --- what happens --- */

/* A topic of two letters is short for one that somebody listens to. */
static const char *
find_topic (const char *topic)
{
  static const struct {
    const char *letters, *topic;
  } known[] = {
    { "go", "orrery/robot/motion/call/goto" },
    { "st", "orrery/simulation/call/state" },
    { "ca", "orrery/cancel" },
    { "in", "orrery/robot/motion/set" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (topic, known[i].letters))
      return known[i].topic;
  return topic;
}

static void
deliver (OrreryMqttRequestManager *self, const guint8 *head, char *const texts[4])
{
  struct mosquitto_message message = { .topic = (char *) find_topic (texts[0]),
                                       .payload = texts[3],
                                       .payloadlen = head[4],
                                       .retain = head[0] & IS_RETAINED };
  g_autofree char *within = g_strconcat ("orrery/", texts[1], NULL);
  mosquitto_property *with = NULL;

  if (head[0] & HAS_RESPONSE)
    mosquitto_property_add_string (&with, MQTT_PROP_RESPONSE_TOPIC,
                                   head[0] & IS_WITHIN ? within : texts[1]);
  if (head[0] & HAS_CORRELATION)
    mosquitto_property_add_binary (&with, MQTT_PROP_CORRELATION_DATA, texts[2], head[3]);
  on_message (NULL, self->link, &message, with);
  mosquitto_property_free_all (&with);
}

/* Answers are JSON and go to topics that are good to publish to; below the prefix to replies. */
static void
check_answers (OrreryMqttRequestManager *self)
{
  MqttParcel *parcel;

  while ((parcel = mqtt_link_pop (self->link)) != NULL) {
    g_autoptr (OrreryNode) node =
        orrery_node_parse_json (parcel->data, parcel->length, "answer", NULL);

    g_assert_nonnull (node);
    g_assert_nonnull (orrery_node_find (node, "status"));
    g_assert_true (mqtt_topic_check ("topic", parcel->name, NULL));
    g_assert_true (!g_str_has_prefix (parcel->name, "orrery/") ||
                   g_str_has_prefix (parcel->name, "orrery/reply/"));
    mqtt_link_recycle (self->link, parcel);
  }
}

static void
tick (OrreryMqttRequestManager *self)
{
  orrery_mqtt_request_manager_intake (ORRERY_REQUEST_MANAGER (self));
  orrery_mqtt_request_manager_flush (ORRERY_REQUEST_MANAGER (self));
  check_answers (self);
}

/* Returns: the bytes of the message */
static gsize
take_message (OrreryMqttRequestManager *self, const guint8 *data, gsize size)
{
  guint8 head[HEAD];
  char *texts[4];
  gsize at = HEAD;

  memcpy (head, data, HEAD);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    head[i + 1] = (guint8) MIN (head[i + 1], size - at);
    texts[i] = g_strndup ((const char *) data + at, head[i + 1]);
    if (head[i + 1] > 0)
      memcpy (texts[i], data + at, head[i + 1]);
    at += head[i + 1];
  }
  deliver (self, head, texts);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  if (head[0] & FINISHES)
    finish_calls ();
  return at;
}

/* Whatever comes from a broker: nothing stays behind, and no answer is a command. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static OrreryMqttRequestManager *self;

  if (self == NULL) {
    fuzz_quiet_log ();
    self = make_manager ();
  }
  n_calls = n_input = 0;
  while (size >= HEAD) {
    gsize taken = take_message (self, data, size);

    tick (self);
    data += taken;
    size -= taken;
  }
  finish_calls ();
  tick (self);
  g_assert_cmpuint (self->pending.length, ==, 0);
  return 0;
}
