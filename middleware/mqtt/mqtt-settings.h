/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* What both managers of MQTT may be told about their connection. */

/* Bytes of a topic name, and of what is read from the password file. */
#define MQTT_MAX_TOPIC 1024
#define MQTT_MAX_PASSWORD 1024

/* The options of a connection, in the order of mqtt_option_names. */
typedef enum {
  MQTT_OPTION_HOST,
  MQTT_OPTION_PORT,
  MQTT_OPTION_PREFIX,
  MQTT_OPTION_TLS,
  MQTT_OPTION_CA_FILE,
  MQTT_OPTION_CERT_FILE,
  MQTT_OPTION_KEY_FILE,
  MQTT_OPTION_USER,
  MQTT_OPTION_PASSWORD_FILE,
  MQTT_OPTION_CLIENT_ID,
  MQTT_OPTION_KEEPALIVE,
  MQTT_N_OPTIONS,
} MqttOption;

typedef struct {
  char *host;
  int port;
  char *prefix;
  int qos; /* of streams, or of answers; each manager has its own */
  gboolean tls;
  char *ca_file;
  char *cert_file;
  char *key_file;
  char *user;
  char *password_file;
  char *client_id;
  int keepalive; /* s */
  guint given;   /* a bit for each #MqttOption that the scene says */
} MqttSettings;

/* Entries of a table of properties, for a struct with a member `settings`. */
#define MQTT_PROPERTIES(Type)                                                                      \
  ORRERY_PROPERTY_STRING (Type, settings.host, "host", "127.0.0.1", "Host of the broker",          \
                          .flags = ORRERY_PROPERTY_AT_START),                                      \
      ORRERY_PROPERTY_INT (Type, settings.port, "port", 1, 65535, 1883, "Port of the broker",      \
                           .flags = ORRERY_PROPERTY_AT_START),                                     \
      ORRERY_PROPERTY_STRING (Type, settings.prefix, "prefix", "orrery", "What topics begin with", \
                              .flags = ORRERY_PROPERTY_AT_START, .check = mqtt_check_prefix),      \
      ORRERY_PROPERTY_BOOLEAN (Type, settings.tls, "tls", FALSE,                                   \
                               "Whether the connection is encrypted",                              \
                               .flags = ORRERY_PROPERTY_AT_START),                                 \
      ORRERY_PROPERTY_STRING (Type, settings.ca_file, "ca_file", NULL,                             \
                              "Certificates (PEM) that the broker's is checked against; if not "   \
                              "given, those of the system",                                        \
                              .flags = ORRERY_PROPERTY_AT_START),                                  \
      ORRERY_PROPERTY_STRING (Type, settings.cert_file, "cert_file", NULL,                         \
                              "Certificate (PEM) that is shown to the broker",                     \
                              .flags = ORRERY_PROPERTY_AT_START),                                  \
      ORRERY_PROPERTY_STRING (Type, settings.key_file, "key_file", NULL,                           \
                              "Its private key (PEM), not encrypted",                              \
                              .flags = ORRERY_PROPERTY_AT_START),                                  \
      ORRERY_PROPERTY_STRING (Type, settings.user, "user", NULL, "User name for the broker",       \
                              .flags = ORRERY_PROPERTY_AT_START),                                  \
      ORRERY_PROPERTY_STRING (Type, settings.password_file, "password_file", NULL,                 \
                              "File whose first line is the password; nobody else may read it",    \
                              .flags = ORRERY_PROPERTY_AT_START),                                  \
      ORRERY_PROPERTY_STRING (Type, settings.client_id, "client_id", NULL,                         \
                              "Name of the connection, which no other client of the broker may "   \
                              "have; if not given, a random one",                                  \
                              .flags = ORRERY_PROPERTY_AT_START, .check = mqtt_check_client_id),   \
      ORRERY_PROPERTY_INT (Type, settings.keepalive, "keepalive", 5, 65535, 60,                    \
                           "Seconds of wall time without traffic until the broker is asked "       \
                           "whether it is there",                                                  \
                           .flags = ORRERY_PROPERTY_AT_START)

extern const char *const mqtt_option_names[MQTT_N_OPTIONS];

gboolean mqtt_check_prefix (OrreryPart *part, GVariant *value, GError **error);
gboolean mqtt_check_client_id (OrreryPart *part, GVariant *value, GError **error);
/* Notes which options the scene gives, and judges those that belong together. */
gboolean mqtt_settings_finish (MqttSettings *settings, OrrerySetup *setup, GError **error);

void mqtt_settings_copy (MqttSettings *copy, const MqttSettings *settings);
void mqtt_settings_clear (MqttSettings *settings);
/* The first option that @wanted gives and that @settings has otherwise; -1: none. */
int mqtt_settings_find_difference (const MqttSettings *settings, const MqttSettings *wanted);
/* (transfer full): an option as text */
char *mqtt_settings_show (const MqttSettings *settings, MqttOption option);

/**
 * mqtt_settings_read_password:
 * @password: (out) (nullable): the first line of the password file; %NULL: none is named
 *
 * Returns: whether it could be read, and nobody else can read it
 */
gboolean mqtt_settings_read_password (const MqttSettings *settings, char **password,
                                      GError **error);

/**
 * mqtt_topic_check:
 * @option: what the message names: "option 'topic'"
 *
 * Returns: whether messages can be published to @topic: 1 to %MQTT_MAX_TOPIC bytes of UTF-8 without
 *   `+`, `#` and control characters, that does not begin with `$`; no level of it is empty
 */
gboolean mqtt_topic_check (const char *option, const char *topic, GError **error);

/**
 * mqtt_topic_name:
 * @name: of a component, `robot.motion`, or of a topic of a codec, `/robot/pose`
 *
 * Returns: (transfer full): `PREFIX/robot/motion`
 */
char *mqtt_topic_name (const char *prefix, const char *name);
