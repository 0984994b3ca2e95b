/* SPDX-License-Identifier: BSD-3-Clause */
/* What the managers of MQTT may be told: options, names of topics, the file of a password. */
#include "mqtt-settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_CLIENT_ID 128

const char *const mqtt_option_names[MQTT_N_OPTIONS] = {
  "host",     "port", "prefix",        "tls",       "ca_file",   "cert_file",
  "key_file", "user", "password_file", "client_id", "keepalive",
};

/* --- topics --- */

static gboolean
has_control (const char *text)
{
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return TRUE;
  return FALSE;
}

/* Returns: (nullable): what is wrong with it */
static const char *
find_fault (const char *topic)
{
  gsize length = strlen (topic);

  if (length == 0)
    return "it is empty";
  if (length > MQTT_MAX_TOPIC)
    return "it has more than 1024 bytes";
  if (!g_utf8_validate (topic, (gssize) length, NULL) || has_control (topic))
    return "it has control characters, or is not UTF-8";
  if (strpbrk (topic, "+#") != NULL)
    return "'+' and '#' stand for many topics";
  if (topic[0] == '$')
    return "what begins with '$' belongs to the broker";
  if (topic[0] == '/' || topic[length - 1] == '/' || strstr (topic, "//") != NULL)
    return "there is nothing before or behind a '/'";
  return NULL;
}

gboolean
mqtt_topic_check (const char *option, const char *topic, GError **error)
{
  const char *fault = find_fault (topic);
  g_autofree char *valid = g_utf8_make_valid (topic, -1);

  if (fault == NULL)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: '%.60s' is no topic: %s", option, valid,
                           fault);
}

char *
mqtt_topic_name (const char *prefix, const char *name)
{
  g_autofree char *levels = g_strdup (name[0] == '/' ? name + 1 : name);

  return g_strconcat (prefix, "/", g_strdelimit (levels, ".", '/'), NULL);
}

/* --- options --- */

gboolean
mqtt_check_prefix (OrreryPart *part, GVariant *value, GError **error)
{
  return mqtt_topic_check ("option 'prefix'", g_variant_get_string (value, NULL), error);
}

gboolean
mqtt_check_client_id (OrreryPart *part, GVariant *value, GError **error)
{
  const char *id = g_variant_get_string (value, NULL);

  if (*id != '\0' && strlen (id) <= MAX_CLIENT_ID && !has_control (id))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "option 'client_id' has 1 to %d bytes without control characters",
                           MAX_CLIENT_ID);
}

gboolean
mqtt_settings_finish (MqttSettings *settings, OrrerySetup *setup, GError **error)
{
  for (guint i = 0; i < MQTT_N_OPTIONS; i++)
    if (orrery_setup_has_option (setup, mqtt_option_names[i]))
      settings->given |= 1u << i;
  if (*settings->host == '\0')
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "option 'host' is empty");
  if (settings->password_file != NULL && settings->user == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "option 'password_file' needs the option 'user'");
  if ((settings->cert_file == NULL) != (settings->key_file == NULL))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "options 'cert_file' and 'key_file' belong together: give both");
  if (!settings->tls && (settings->ca_file != NULL || settings->cert_file != NULL))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "option '%s' needs the option 'tls': without it nothing is encrypted",
                             settings->ca_file != NULL ? "ca_file" : "cert_file");
  return TRUE;
}

void
mqtt_settings_copy (MqttSettings *copy, const MqttSettings *settings)
{
  *copy = *settings;
  copy->host = g_strdup (settings->host);
  copy->prefix = g_strdup (settings->prefix);
  copy->ca_file = g_strdup (settings->ca_file);
  copy->cert_file = g_strdup (settings->cert_file);
  copy->key_file = g_strdup (settings->key_file);
  copy->user = g_strdup (settings->user);
  copy->password_file = g_strdup (settings->password_file);
  copy->client_id = g_strdup (settings->client_id);
}

void
mqtt_settings_clear (MqttSettings *settings)
{
  g_clear_pointer (&settings->host, g_free);
  g_clear_pointer (&settings->prefix, g_free);
  g_clear_pointer (&settings->ca_file, g_free);
  g_clear_pointer (&settings->cert_file, g_free);
  g_clear_pointer (&settings->key_file, g_free);
  g_clear_pointer (&settings->user, g_free);
  g_clear_pointer (&settings->password_file, g_free);
  g_clear_pointer (&settings->client_id, g_free);
}

char *
mqtt_settings_show (const MqttSettings *settings, MqttOption option)
{
  const char *const texts[MQTT_N_OPTIONS] = {
    [MQTT_OPTION_HOST] = settings->host,
    [MQTT_OPTION_PREFIX] = settings->prefix,
    [MQTT_OPTION_CA_FILE] = settings->ca_file,
    [MQTT_OPTION_CERT_FILE] = settings->cert_file,
    [MQTT_OPTION_KEY_FILE] = settings->key_file,
    [MQTT_OPTION_USER] = settings->user,
    [MQTT_OPTION_CLIENT_ID] = settings->client_id,
    [MQTT_OPTION_TLS] = settings->tls ? "on" : "off",
    [MQTT_OPTION_PASSWORD_FILE] = settings->password_file,
  };

  if (option == MQTT_OPTION_PORT)
    return g_strdup_printf ("%d", settings->port);
  if (option == MQTT_OPTION_KEEPALIVE)
    return g_strdup_printf ("%d", settings->keepalive);
  return g_strdup (texts[option] != NULL ? texts[option] : "");
}

int
mqtt_settings_find_difference (const MqttSettings *settings, const MqttSettings *wanted)
{
  for (guint i = 0; i < MQTT_N_OPTIONS; i++) {
    g_autofree char *one = mqtt_settings_show (settings, i);
    g_autofree char *other = mqtt_settings_show (wanted, i);

    if ((wanted->given >> i & 1) && !g_str_equal (one, other))
      return (int) i;
  }
  return -1;
}

/* --- the password --- */

static gboolean
is_private (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
         (status.st_uid == 0 || status.st_uid == geteuid ()) && (status.st_mode & 077) == 0;
}

static gboolean
read_line (int fd, const char *file, char **line, GError **error)
{
  char text[MQTT_MAX_PASSWORD + 2];
  ssize_t n;

  do {
    n = read (fd, text, sizeof text - 1);
  } while (n < 0 && errno == EINTR);
  text[MAX (n, 0)] = '\0';
  text[strcspn (text, "\r\n")] = '\0';
  if (n < 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "option 'password_file': %s: %s", file,
                             g_strerror (errno));
  if (*text == '\0' || strlen (text) > MQTT_MAX_PASSWORD)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "option 'password_file': %s: a password is the first line of the "
                             "file, of 1 to %d bytes",
                             file, MQTT_MAX_PASSWORD);
  *line = g_strdup (text);
  explicit_bzero (text, sizeof text);
  return TRUE;
}

gboolean
mqtt_settings_read_password (const MqttSettings *settings, char **password, GError **error)
{
  const char *file = settings->password_file;
  gboolean read;
  int fd;

  *password = NULL;
  if (file == NULL)
    return TRUE;
  fd = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "option 'password_file': %s: %s", file,
                             g_strerror (errno));
  read = is_private (fd) ? read_line (fd, file, password, error)
                         : orrery_set_error (error, ORRERY_ERROR_CONFIG,
                                             "option 'password_file': %s: a password is kept in a "
                                             "file of one's own that nobody else can read "
                                             "(chmod 600)",
                                             file);
  close (fd);
  return read;
}
