/* SPDX-License-Identifier: BSD-3-Clause */
/* Says why a component, service or stream that the user named is not there. */
#include "client.h"

#include <string.h>

/* Asks for what is listed; NULL: a simulation that does not have this service, as MORSE's. */
static OrreryNode *
ask (CliClient *services, const char *service)
{
  g_autofree char *text = cli_client_call (services, "simulation", service, "[]", NULL, NULL);

  return text != NULL ? orrery_node_parse_json (text, strlen (text), service, NULL) : NULL;
}

static void
add_keys (GPtrArray *names, OrreryNode *dict)
{
  if (dict == NULL || orrery_node_get_kind (dict) != ORRERY_NODE_DICT)
    return;
  for (guint i = 0; i < orrery_node_get_length (dict); i++)
    g_ptr_array_add (names, g_strdup (orrery_node_get_key (dict, i)));
}

static void
add_texts (GPtrArray *names, OrreryNode *list)
{
  if (list == NULL || orrery_node_get_kind (list) != ORRERY_NODE_LIST)
    return;
  for (guint i = 0; i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_TEXT)
      g_ptr_array_add (names, g_strdup (orrery_node_get_text (item)));
  }
}

/* Returns: (element-type utf8): the names of robots and components, ended by NULL */
static GPtrArray *
list_components (CliClient *services)
{
  g_autoptr (OrreryNode) details = ask (services, "details");
  gboolean fits = details != NULL && orrery_node_get_kind (details) == ORRERY_NODE_DICT;
  OrreryNode *robots = fits ? orrery_node_find (details, "robots") : NULL;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (robots != NULL && orrery_node_get_kind (robots) != ORRERY_NODE_LIST)
    robots = NULL;
  for (guint i = 0; robots != NULL && i < orrery_node_get_length (robots); i++) {
    OrreryNode *robot = orrery_node_get_item (robots, i);
    OrreryNode *name;

    if (orrery_node_get_kind (robot) != ORRERY_NODE_DICT)
      continue;
    name = orrery_node_find (robot, "name");
    if (name != NULL && orrery_node_get_kind (name) == ORRERY_NODE_TEXT)
      g_ptr_array_add (names, g_strdup (orrery_node_get_text (name)));
    add_keys (names, orrery_node_find (robot, "components"));
  }
  g_ptr_array_add (names, NULL);
  return names;
}

GPtrArray *
cli_list_streams (CliClient *services)
{
  g_autoptr (OrreryNode) listed = ask (services, "list_streams");
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  add_texts (names, listed);
  return names;
}

GPtrArray *
cli_list_services (CliClient *services, const char *component)
{
  g_autoptr (OrreryNode) listed = ask (services, "list_services");
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  if (component == NULL)
    add_keys (names, listed);
  else if (listed != NULL && orrery_node_get_kind (listed) == ORRERY_NODE_DICT)
    add_texts (names, orrery_node_find (listed, component));
  return names;
}

static gboolean
has_name (GPtrArray *names, const char *name)
{
  return g_strv_contains ((const char *const *) names->pdata, name);
}

static GError *
say_unknown (GPtrArray *names, const char *what, const char *name)
{
  g_autofree char *nearest = orrery_nearest_names (name, (const char *const *) names->pdata);

  return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "no %s is named '%.80s'%s", what, name,
                      nearest);
}

GError *
cli_missing_service (CliClient *services, const char *component, const char *service)
{
  g_autoptr (OrreryNode) listed = ask (services, "list_services");
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GPtrArray) others = NULL;
  g_autofree char *nearest = NULL;
  OrreryNode *own;

  if (listed == NULL || orrery_node_get_kind (listed) != ORRERY_NODE_DICT)
    return NULL;
  own = orrery_node_find (listed, component);
  names = list_components (services);
  if (own != NULL) {
    others = g_ptr_array_new_with_free_func (g_free);
    add_texts (others, own);
    g_ptr_array_add (others, NULL);
    nearest = orrery_nearest_names (service, (const char *const *) others->pdata);
    return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "%s has no service '%.80s'%s",
                        component, service, nearest);
  }
  if (has_name (names, component))
    return g_error_new (
        ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
        "%s publishes no services on sockets; `add_service ('socket')` in a builder script, or "
        "\"component_service\": {\"%s\": "
        "\"orrery.middleware.socket_request_manager.SocketRequestManager\"} in a scene, does so",
        component, component);
  /* What is no component has services, too: `simulation`, overlays, scripts. */
  g_ptr_array_set_size (names, (int) names->len - 1);
  add_keys (names, listed);
  g_ptr_array_add (names, NULL);
  return say_unknown (names, "component", component);
}

/* What the stream of a component does at one manager: ["socket", "IN"]. */
static gboolean
goes_out (OrreryNode *stream)
{
  OrreryNode *way =
      orrery_node_get_kind (stream) == ORRERY_NODE_LIST && orrery_node_get_length (stream) > 1
          ? orrery_node_get_item (stream, 1)
          : NULL;

  return way == NULL || orrery_node_get_kind (way) != ORRERY_NODE_TEXT ||
         !g_str_equal (orrery_node_get_text (way), "IN");
}

/* The streams of a component as the service `details` lists them; NULL: they are not known. */
static OrreryNode *
find_streams (OrreryNode *robots, const char *component)
{
  OrreryNode *streams = NULL;

  for (guint i = 0; streams == NULL && i < orrery_node_get_length (robots); i++) {
    OrreryNode *robot = orrery_node_get_item (robots, i);
    OrreryNode *parts = orrery_node_get_kind (robot) == ORRERY_NODE_DICT
                            ? orrery_node_find (robot, "components")
                            : NULL;
    OrreryNode *part = parts != NULL && orrery_node_get_kind (parts) == ORRERY_NODE_DICT
                           ? orrery_node_find (parts, component)
                           : NULL;

    if (part != NULL && orrery_node_get_kind (part) == ORRERY_NODE_DICT)
      streams = orrery_node_find (part, "stream_interfaces");
  }
  return streams != NULL && orrery_node_get_kind (streams) == ORRERY_NODE_LIST ? streams : NULL;
}

GError *
cli_silent_stream (CliClient *services, const char *component)
{
  g_autoptr (OrreryNode) details = ask (services, "details");
  OrreryNode *robots = details != NULL && orrery_node_get_kind (details) == ORRERY_NODE_DICT
                           ? orrery_node_find (details, "robots")
                           : NULL;
  OrreryNode *streams = robots != NULL && orrery_node_get_kind (robots) == ORRERY_NODE_LIST
                            ? find_streams (robots, component)
                            : NULL;

  if (streams == NULL)
    return NULL;
  for (guint i = 0; i < orrery_node_get_length (streams); i++)
    if (goes_out (orrery_node_get_item (streams, i)))
      return NULL;
  return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                      "%s sends nothing: its stream takes messages, as those of actuators do",
                      component);
}

GError *
cli_missing_stream (CliClient *services, const char *component)
{
  g_autoptr (OrreryNode) listed = ask (services, "list_streams");
  g_autoptr (GPtrArray) names = list_components (services);
  g_autoptr (GPtrArray) streams = g_ptr_array_new_with_free_func (g_free);

  if (has_name (names, component))
    return g_error_new (
        ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
        "%s has no stream on a socket; `add_stream ('socket')` in a builder script, or an entry of "
        "\"component_datastream\" in a scene, publishes one",
        component);
  add_texts (streams, listed);
  g_ptr_array_add (streams, NULL);
  return say_unknown (streams->len > 1 ? streams : names, "component", component);
}
