/* SPDX-License-Identifier: BSD-3-Clause */
#include "../middleware/ros/ros-node.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a message costs the thread that sends it, with one subscriber of the same machine that
 * reads: small ones copied, pictures not. No master is needed: the subscriber is this program. */

#define TICKS 2000
#define PER_TICK 20
#define LENGTH 700 /* of an Odometry */

static gint n_listening;

static void
on_listening (gpointer data, guint n)
{
  g_atomic_int_set (&n_listening, (gint) n);
}

static void
put_field (GByteArray *bytes, const char *text)
{
  guint32 length = GUINT32_TO_LE ((guint32) strlen (text));

  g_byte_array_append (bytes, (const guint8 *) &length, 4);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

static gpointer
read_all (gpointer data)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = g_htons (GPOINTER_TO_UINT (data)),
                                 .sin_addr.s_addr = g_htonl (INADDR_LOOPBACK) };
  g_autoptr (GByteArray) header = g_byte_array_new ();
  g_autofree char *room = g_malloc (1 << 20);
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  guint32 size = 0;

  g_byte_array_append (header, (const guint8 *) &size, 4);
  put_field (header, "callerid=/bench");
  put_field (header, "topic=/odometry");
  put_field (header, "md5sum=*");
  size = GUINT32_TO_LE (header->len - 4);
  memcpy (header->data, &size, 4);
  if (connect (fd, (struct sockaddr *) &address, sizeof address) != 0 ||
      write (fd, header->data, header->len) != (ssize_t) header->len)
    abort ();
  while (read (fd, room, 1 << 20) > 0)
    continue;
  close (fd);
  return NULL;
}

/* Returns microseconds of one message, its share of the flush within. */
static double
measure (RosNode *node, RosPublisher *publisher, GBytes *picture, double *alone)
{
  char message[LENGTH] = "";
  gint64 sending = 0, flushing = 0;

  for (guint tick = 0; tick < TICKS; tick++) {
    gint64 begin = g_get_monotonic_time (), middle;

    for (guint i = 0; i < PER_TICK; i++) {
      if (picture != NULL)
        ros_publisher_send_bytes (publisher, picture);
      else
        ros_publisher_send (publisher, message, sizeof message);
    }
    middle = g_get_monotonic_time ();
    ros_node_flush (node);
    sending += middle - begin;
    flushing += g_get_monotonic_time () - middle;
    g_usleep (500);
  }
  *alone = (double) sending / (TICKS * PER_TICK);
  return (double) (sending + flushing) / (TICKS * PER_TICK);
}

int
main (void)
{
  RosNodeOptions options;
  RosTopic topic = { "/odometry", "nav_msgs/Odometry", "*", NULL };
  g_autoptr (GBytes) picture = g_bytes_new_take (g_malloc0 (1920 * 1080 * 4), 1920 * 1080 * 4);
  RosPublisher *publisher;
  RosNode *node;
  GThread *reader;
  double whole, alone;

  ros_node_options_init (&options);
  options.master_uri = "http://127.0.0.1:1";
  node = ros_node_new (&options, NULL);
  publisher = ros_node_advertise (node, &topic, 100, FALSE, on_listening, NULL, NULL);
  whole = measure (node, publisher, NULL, &alone);
  printf ("ros.publish.nobody %.3f us\n", whole);
  reader = g_thread_new ("reader", read_all, GUINT_TO_POINTER (ros_node_get_tcpros_port (node)));
  while (g_atomic_int_get (&n_listening) == 0)
    g_usleep (1000);
  whole = measure (node, publisher, NULL, &alone);
  printf ("ros.publish.odometry %.3f us\n", alone);
  printf ("ros.publish.odometry.flushed %.3f us\n", whole);
  whole = measure (node, publisher, picture, &alone);
  printf ("ros.publish.picture %.3f us\n", alone);
  printf ("ros.publish.picture.flushed %.3f us\n", whole);
  ros_node_free (node);
  g_thread_join (reader);
  return 0;
}
