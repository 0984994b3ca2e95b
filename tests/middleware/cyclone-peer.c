/* SPDX-License-Identifier: BSD-3-Clause */
/* Does over Cyclone DDS what rmw_cyclonedds does, as the lines on its standard input say, and
 * prints one line for each thing that happens. */
#include "cyclone-types.h"

#include <dds/dds.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds others on loopback without multicast, by asking the first participants. */
#define CONFIG                                                                                     \
  "<General><Interfaces><NetworkInterface address='127.0.0.1'/></Interfaces>"                      \
  "<AllowMulticast>false</AllowMulticast></General>"                                               \
  "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>30"                \
  "</MaxAutoParticipantIndex><Peers><Peer address='127.0.0.1'/></Peers></Discovery>"
#define GUID 0x1122334455667788u
#define TURN_MS 5

typedef std_msgs_msg_dds__String_ String;
typedef std_srvs_srv_dds__SetBool_Request_ Request;
typedef std_srvs_srv_dds__SetBool_Response_ Response;
typedef rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ Graph;

static dds_entity_t participant;
static dds_entity_t string_reader, string_writer, graph_reader;
static dds_entity_t request_writer, response_reader; /* of a client */
static dds_entity_t request_reader, response_writer; /* of a service */

static dds_qos_t *
make_qos (const char *quality)
{
  dds_qos_t *qos = dds_create_qos ();

  dds_qset_reliability (qos,
                        strchr (quality, 'b') ? DDS_RELIABILITY_BEST_EFFORT
                                              : DDS_RELIABILITY_RELIABLE,
                        DDS_SECS (1));
  dds_qset_durability (qos, strchr (quality, 'l') ? DDS_DURABILITY_TRANSIENT_LOCAL
                                                  : DDS_DURABILITY_VOLATILE);
  dds_qset_history (qos, DDS_HISTORY_KEEP_LAST, 100);
  return qos;
}

static dds_entity_t
make_end (const dds_topic_descriptor_t *type, const char *topic, const char *quality, int writes)
{
  dds_qos_t *qos = make_qos (quality);
  dds_entity_t place = dds_create_topic (participant, type, topic, NULL, NULL);
  dds_entity_t end = writes ? dds_create_writer (participant, place, qos, NULL)
                            : dds_create_reader (participant, place, qos, NULL);

  dds_delete_qos (qos);
  return end;
}

/* Takes one sample; 0: there is none */
static int
take (dds_entity_t reader, void **sample)
{
  dds_sample_info_t info;

  *sample = NULL;
  if (reader == 0 || dds_take (reader, sample, &info, 1, 1) <= 0)
    return 0;
  if (info.valid_data)
    return 1;
  dds_return_loan (reader, sample, 1);
  return 0;
}

static void
tell_graph (const Graph *graph)
{
  for (uint32_t i = 0; i < graph->node_entities_info_seq._length; i++) {
    const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node =
        &graph->node_entities_info_seq._buffer[i];

    printf ("graph %02x%02x %s %s readers %u writers %u\n", graph->gid.data[0], graph->gid.data[1],
            node->node_namespace, node->node_name, node->reader_gid_seq._length,
            node->writer_gid_seq._length);
  }
}

static void
answer (const Request *request)
{
  char message[] = "from cyclone";
  Response response = { request->guid, request->seq, request->data, message };

  dds_write (response_writer, &response);
}

/* Messages that come before its reader knows the writer are lost. */
static void
tell_writers (void)
{
  static uint32_t told;
  dds_subscription_matched_status_t status = { 0 };

  if (string_reader == 0 || dds_get_subscription_matched_status (string_reader, &status) != 0 ||
      status.current_count == told)
    return;
  told = status.current_count;
  printf ("writers %u\n", told);
}

static void
look (void)
{
  void *sample;

  tell_writers ();
  while (take (string_reader, &sample)) {
    printf ("message %s\n", ((String *) sample)->data);
    dds_return_loan (string_reader, &sample, 1);
  }
  while (take (graph_reader, &sample)) {
    tell_graph (sample);
    dds_return_loan (graph_reader, &sample, 1);
  }
  while (take (response_reader, &sample)) {
    const Response *response = sample;

    if (response->guid == GUID)
      printf ("response %" PRId64 " %d %s\n", response->seq, response->success, response->message);
    dds_return_loan (response_reader, &sample, 1);
  }
  while (take (request_reader, &sample)) {
    answer (sample);
    dds_return_loan (request_reader, &sample, 1);
  }
  fflush (stdout);
}

static void
open_client (const char *name)
{
  char text[256];

  snprintf (text, sizeof text, "rq%sRequest", name);
  request_writer = make_end (&std_srvs_srv_dds__SetBool_Request__desc, text, "r", 1);
  snprintf (text, sizeof text, "rr%sReply", name);
  response_reader = make_end (&std_srvs_srv_dds__SetBool_Response__desc, text, "r", 0);
}

static void
open_service (const char *name)
{
  char text[256];

  snprintf (text, sizeof text, "rq%sRequest", name);
  request_reader = make_end (&std_srvs_srv_dds__SetBool_Request__desc, text, "r", 0);
  snprintf (text, sizeof text, "rr%sReply", name);
  response_writer = make_end (&std_srvs_srv_dds__SetBool_Response__desc, text, "r", 1);
}

/* Whether there is a service, as a client of ROS finds out. */
static int
is_service_there (void)
{
  dds_publication_matched_status_t requests = { 0 };
  dds_subscription_matched_status_t responses = { 0 };

  return dds_get_publication_matched_status (request_writer, &requests) == 0 &&
         requests.current_count > 0 &&
         dds_get_subscription_matched_status (response_reader, &responses) == 0 &&
         responses.current_count > 0;
}

static void
call (const char *number)
{
  Request request = { GUID, atoi (number), true };

  while (!is_service_there ())
    dds_sleepfor (DDS_MSECS (TURN_MS));
  dds_write (request_writer, &request);
}

static void
run_line (char *line)
{
  char *verb = strtok (line, " \n"), *name = strtok (NULL, " \n"), *more = strtok (NULL, " \n");
  String string = { name };

  if (verb == NULL)
    return;
  if (strcmp (verb, "reader") == 0)
    string_reader = make_end (&std_msgs_msg_dds__String__desc, name, more, 0);
  else if (strcmp (verb, "writer") == 0)
    string_writer = make_end (&std_msgs_msg_dds__String__desc, name, more, 1);
  else if (strcmp (verb, "write") == 0)
    dds_write (string_writer, &string);
  else if (strcmp (verb, "graph") == 0)
    graph_reader = make_end (&rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc,
                             "ros_discovery_info", "l", 0);
  else if (strcmp (verb, "client") == 0)
    open_client (name);
  else if (strcmp (verb, "serve") == 0)
    open_service (name);
  else if (strcmp (verb, "call") == 0)
    call (name);
  printf ("%s ok\n", verb);
}

int
main (int argc, char **argv)
{
  uint32_t domain = argc > 1 ? (uint32_t) atoi (argv[1]) : 0;
  struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
  char text[1024];

  setvbuf (stdin, NULL, _IONBF, 0);
  dds_create_domain (domain, CONFIG);
  participant = dds_create_participant (domain, NULL, NULL);
  if (participant < 0) {
    printf ("error %s\n", dds_strretcode (participant));
    return 1;
  }
  printf ("peer ready\n");
  fflush (stdout);
  while (1) {
    look ();
    if (poll (&input, 1, TURN_MS) == 0)
      continue;
    if (fgets (text, sizeof text, stdin) == NULL)
      break;
    run_line (text);
  }
  dds_delete (DDS_CYCLONEDDS_HANDLE);
  printf ("stopped\n");
  return 0;
}
