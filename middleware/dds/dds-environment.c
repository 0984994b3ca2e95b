/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is to be found by a context, from its options and the environment of ROS 2. */
#include "dds-node-private.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

#define MAX_DOMAIN 232
#define MAX_PEERS 64
#define LOOPBACK "127.0.0.1"

static gboolean
fail (GError **error, const char *format, const char *text)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, format, text);
  return FALSE;
}

static gboolean
find_domain (DdsPlan *plan, const DdsContextOptions *options, GError **error)
{
  const char *text = g_getenv ("ROS_DOMAIN_ID");
  guint64 value;

  plan->domain = (guint) MAX (options->domain, 0);
  if (options->domain > MAX_DOMAIN) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "ROS 2: domain %d; there are 0 to %d", options->domain, MAX_DOMAIN);
    return FALSE;
  }
  if (options->domain >= 0 || text == NULL || *text == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, MAX_DOMAIN, &value, NULL))
    return fail (error, "ROS_DOMAIN_ID is '%.40s', not a number from 0 to 232", text);
  plan->domain = (guint) value;
  return TRUE;
}

static gboolean
find_range (DdsRange *range, GError **error)
{
  const char *only = g_getenv ("ROS_LOCALHOST_ONLY");
  const char *text = g_getenv ("ROS_AUTOMATIC_DISCOVERY_RANGE");

  if (*range != DDS_RANGE_DEFAULT)
    return TRUE;
  *range = DDS_RANGE_LOCALHOST;
  if (g_strcmp0 (only, "1") == 0 || text == NULL || *text == '\0' ||
      g_str_equal (text, "LOCALHOST") || g_str_equal (text, "SYSTEM_DEFAULT"))
    return TRUE;
  if (g_str_equal (text, "SUBNET"))
    *range = DDS_RANGE_SUBNET;
  else if (g_str_equal (text, "OFF"))
    *range = DDS_RANGE_OFF;
  else
    return fail (error,
                 "ROS_AUTOMATIC_DISCOVERY_RANGE is '%.40s', not SUBNET, LOCALHOST, OFF or "
                 "SYSTEM_DEFAULT",
                 text);
  return TRUE;
}

/* Returns: (transfer full) (nullable): as a number */
static char *
find_address (const char *host, GError **error)
{
  struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_DGRAM }, *list = NULL;
  char number[INET_ADDRSTRLEN] = "";
  int status = getaddrinfo (host, NULL, &hints, &list);

  if (status != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND, "ROS 2: the host '%.80s': %s", host,
                 gai_strerror (status));
    return NULL;
  }
  inet_ntop (AF_INET, &((struct sockaddr_in *) (void *) list->ai_addr)->sin_addr, number,
             sizeof number);
  freeaddrinfo (list);
  return g_strdup (number);
}

static gboolean
is_outward (const char *address)
{
  return !g_str_has_prefix (address, "127.");
}

/* @outward: (out): whether one of them is another machine */
static gboolean
find_peers (DdsPlan *plan, const char *text, gboolean *outward, GError **error)
{
  g_auto (GStrv) hosts = g_strsplit (text != NULL ? text : "", ";", -1);

  if (g_strv_length (hosts) > MAX_PEERS)
    return fail (error, "ROS 2: more than 64 static peers: '%.80s'", text);
  for (char **host = hosts; *host != NULL; host++) {
    char *address = NULL;

    if (*g_strstrip (*host) == '\0')
      continue;
    address = find_address (*host, error);
    if (address == NULL)
      return FALSE;
    *outward |= is_outward (address);
    g_ptr_array_add (plan->peers, address);
  }
  return TRUE;
}

static gboolean
find_interface (DdsPlan *plan, const DdsContextOptions *options, gboolean *outward, GError **error)
{
  struct in_addr ignored;

  if (options->interface == NULL || *options->interface == '\0')
    return TRUE;
  if (inet_pton (AF_INET, options->interface, &ignored) != 1)
    return fail (error, "ROS 2: the interface '%.80s' is no IPv4 address", options->interface);
  *outward |= is_outward (options->interface);
  g_ptr_array_insert (plan->interfaces, 0, g_strdup (options->interface));
  return TRUE;
}

gboolean
dds_plan_make (DdsPlan *plan, const DdsContextOptions *options, GError **error)
{
  const char *peers = options->peers != NULL ? options->peers : g_getenv ("ROS_STATIC_PEERS");
  gboolean has_interface = options->interface != NULL && *options->interface != '\0';
  DdsRange range = options->range;
  gboolean outward;

  plan->peers = g_ptr_array_new_with_free_func (g_free);
  plan->interfaces = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (plan->peers, g_strdup (LOOPBACK));
  g_ptr_array_add (plan->interfaces, g_strdup (LOOPBACK));
  if (!find_domain (plan, options, error) || !find_range (&range, error))
    return FALSE;
  outward = range == DDS_RANGE_SUBNET;
  if (range != DDS_RANGE_OFF && !find_peers (plan, peers, &outward, error))
    return FALSE;
  if (!find_interface (plan, options, &outward, error))
    return FALSE;
  if (outward && !options->is_open)
    return fail (error,
                 "ROS 2: %s would let other machines connect, and DDS does not know who they "
                 "are; say --allow-users=any if they may",
                 range == DDS_RANGE_SUBNET ? "the discovery range SUBNET"
                 : has_interface           ? "this interface"
                                           : "these static peers");
  plan->discovers = range != DDS_RANGE_OFF;
  plan->multicast = range == DDS_RANGE_SUBNET;
  if (outward && !has_interface)
    g_clear_pointer (&plan->interfaces, g_ptr_array_unref);
  else
    g_ptr_array_add (plan->interfaces, NULL);
  g_ptr_array_add (plan->peers, NULL);
  return TRUE;
}

void
dds_plan_clear (DdsPlan *plan)
{
  g_clear_pointer (&plan->peers, g_ptr_array_unref);
  g_clear_pointer (&plan->interfaces, g_ptr_array_unref);
}
