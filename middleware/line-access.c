/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whose a connection is, and whether that user is let in. */
#include "line-access.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* More is not looked at of what a client has left behind, in bytes. */
#define MAX_FAREWELL 128

struct _LineAccess {
  gboolean said; /* somebody said who may connect */
  gboolean any;
  GArray *users; /* (element-type guint) */
  char *token;
};

/* --- the other end of a connection --- */

typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} Address;

typedef struct {
  struct nlmsghdr header;
  struct inet_diag_req_v2 request;
} Question;

typedef union {
  struct nlmsghdr header;
  char bytes[4096];
} Answer;

static void
set_end (const Address *address, __be16 *port, __be32 place[4])
{
  if (address->any.sa_family == AF_INET) {
    *port = address->v4.sin_port;
    memcpy (place, &address->v4.sin_addr, sizeof address->v4.sin_addr);
  } else {
    *port = address->v6.sin6_port;
    memcpy (place, &address->v6.sin6_addr, sizeof address->v6.sin6_addr);
  }
}

/* Seen from the other end, ours is the far one. */
static gboolean
make_question (int fd, Question *question)
{
  static guint32 number; /* of the question; one may not get another's answer */
  struct inet_diag_sockid *id = &question->request.id;
  Address own = { 0 }, peer = { 0 };
  socklen_t size = sizeof own;

  *question =
      (Question){ .header = { .nlmsg_len = sizeof *question,
                              .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                              .nlmsg_flags = NLM_F_REQUEST,
                              .nlmsg_seq = __atomic_add_fetch (&number, 1, __ATOMIC_RELAXED) },
                  .request = { .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u } };
  if (getsockname (fd, &own.any, &size) < 0)
    return FALSE;
  size = sizeof peer;
  if (getpeername (fd, &peer.any, &size) < 0)
    return FALSE;
  question->request.sdiag_family = (guint8) own.any.sa_family;
  set_end (&peer, &id->idiag_sport, id->idiag_src);
  set_end (&own, &id->idiag_dport, id->idiag_dst);
  if (own.any.sa_family == AF_INET6)
    id->idiag_if = peer.v6.sin6_scope_id;
  id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return TRUE;
}

/* The system answers within the call that asks. */
static gboolean
ask_system (int diag, const Question *question, Answer *answer)
{
  ssize_t n;

  if (send (diag, question, sizeof *question, 0) != sizeof *question)
    return FALSE;
  do {
    n = recv (diag, answer, sizeof *answer, MSG_DONTWAIT);
  } while (n >= (ssize_t) sizeof answer->header &&
           answer->header.nlmsg_seq != question->header.nlmsg_seq);
  return n >= (ssize_t) NLMSG_LENGTH (sizeof (struct inet_diag_msg)) &&
         answer->header.nlmsg_type == SOCK_DIAG_BY_FAMILY;
}

static gboolean
is_connected (guint8 state)
{
  return state == TCP_ESTABLISHED || state == TCP_CLOSE_WAIT || state == TCP_FIN_WAIT1 ||
         state == TCP_FIN_WAIT2;
}

int
line_peer_open (void)
{
  return socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

gboolean
line_peer_find (int diag, int fd, guint *uid)
{
  struct tcp_info own = { 0 };
  socklen_t size = sizeof own;
  const struct inet_diag_msg *found;
  Question question;
  Answer answer;

  if (!make_question (fd, &question) || !ask_system (diag, &question, &answer))
    return FALSE;
  found = NLMSG_DATA (&answer.header);
  /* Of a socket that its process has closed the system says 0 for the user. */
  if (!is_connected (found->idiag_state) || found->idiag_inode == 0)
    return FALSE;
  /* What was found is the other end only if this one was connected all the while: after a reset,
   * another process could have taken its port. */
  if (getsockopt (fd, IPPROTO_TCP, TCP_INFO, &own, &size) < 0 || !is_connected (own.tcpi_state))
    return FALSE;
  *uid = found->idiag_uid;
  return TRUE;
}

/* --- the rules --- */

static gboolean
read_users (LineAccess *access, const char *users, char **why)
{
  g_auto (GStrv) words = g_strsplit (users, ",", -1);

  access->any = g_str_equal (users, "any");
  for (char **word = words; *word != NULL && !access->any; word++) {
    guint64 number;
    guint uid;

    if (!g_ascii_string_to_unsigned (*word, 10, 0, G_MAXUINT32 - 1, &number, NULL)) {
      *why = g_strdup_printf ("--allow-users: '%.40s' is no number of a user; there is 'any', or "
                              "numbers with commas between",
                              *word);
      return FALSE;
    }
    uid = (guint) number;
    g_array_append_val (access->users, uid);
  }
  return TRUE;
}

static gboolean
is_private (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
         (status.st_uid == 0 || status.st_uid == geteuid ()) && (status.st_mode & 077) == 0;
}

static gboolean
is_good_token (const char *token)
{
  gsize length = strlen (token);

  if (length < LINE_TOKEN_MIN || length > LINE_TOKEN_MAX)
    return FALSE;
  while (g_ascii_isgraph (*token))
    token++;
  return *token == '\0';
}

static gboolean
read_token (LineAccess *access, const char *file, char **why)
{
  char text[LINE_TOKEN_MAX + 3] = "";
  int fd = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  ssize_t n = -1;

  if (fd < 0) {
    *why = g_strdup_printf ("--token-file: %s: %s", file, g_strerror (errno));
    return FALSE;
  }
  if (!is_private (fd))
    *why = g_strdup_printf ("--token-file: %s: a token is kept in a file of one's own that nobody "
                            "else can read (chmod 600)",
                            file);
  else
    n = read (fd, text, sizeof text - 1);
  close (fd);
  if (*why != NULL)
    return FALSE;
  text[MAX (n, 0)] = '\0';
  text[strcspn (text, "\r\n")] = '\0';
  if (is_good_token (text))
    access->token = g_strdup (text);
  else
    *why = g_strdup_printf ("--token-file: %s: a token has %d to %d printable characters of ASCII, "
                            "no blanks",
                            file, LINE_TOKEN_MIN, LINE_TOKEN_MAX);
  return access->token != NULL;
}

LineAccess *
line_access_new (const char *users, const char *token_file, char **why)
{
  g_autoptr (LineAccess) access = g_new0 (LineAccess, 1);

  *why = NULL;
  access->users = g_array_new (FALSE, FALSE, sizeof (guint));
  access->said = users != NULL || token_file != NULL;
  if ((users != NULL && !read_users (access, users, why)) ||
      (token_file != NULL && !read_token (access, token_file, why)))
    return NULL;
  return g_steal_pointer (&access);
}

void
line_access_free (LineAccess *access)
{
  if (access == NULL)
    return;
  g_clear_pointer (&access->users, g_array_unref);
  g_free (access->token);
  g_free (access);
}

static gboolean
is_outward (const char *address)
{
  struct in6_addr v6;
  struct in_addr v4;

  if (address == NULL || g_str_equal (address, "localhost"))
    return FALSE;
  if (inet_pton (AF_INET, address, &v4) == 1)
    return (ntohl (v4.s_addr) >> 24) != IN_LOOPBACKNET;
  if (inet_pton (AF_INET6, address, &v6) == 1)
    return !IN6_IS_ADDR_LOOPBACK (&v6);
  return g_str_equal (address, "*");
}

gboolean
line_access_covers (const LineAccess *access, const char *address, char **why)
{
  *why = NULL;
  if ((access != NULL && access->said) || !is_outward (address))
    return TRUE;
  *why = g_strdup_printf ("the address '%s' is not of this machine alone; say who may connect, by "
                          "--allow-users or --token-file",
                          address);
  return FALSE;
}

const char *
line_access_get_token (const LineAccess *access)
{
  return access != NULL ? access->token : NULL;
}

gboolean
line_access_is_token (const LineAccess *access, const char *text, gsize length)
{
  gsize n = strlen (access->token);
  guint difference = n != length;

  for (gsize i = 0; i < n; i++)
    difference |= (guint) (access->token[i] ^ (i < length ? text[i] : 0));
  return difference == 0;
}

static gboolean
knows_user (const LineAccess *access, guint uid)
{
  if (uid == 0 || uid == geteuid ())
    return TRUE;
  for (guint i = 0; access != NULL && i < access->users->len; i++)
    if (g_array_index (access->users, guint, i) == uid)
      return TRUE;
  return FALSE;
}

static gboolean
is_loopback (int fd)
{
  Address peer = { 0 };
  socklen_t size = sizeof peer;

  if (getpeername (fd, &peer.any, &size) != 0)
    return FALSE;
  if (peer.any.sa_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK (&peer.v6.sin6_addr);
  return peer.any.sa_family == AF_INET && ntohl (peer.v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* Test cases of MORSE's end a simulation by a client that asks for it and closes at once. The
 * system does not know any more whose it was; what it has sent is there, and asks for nothing else.
 */
static gboolean
asks_to_quit (int fd)
{
  char text[MAX_FAREWELL + 1];
  struct tcp_info own = { 0 };
  socklen_t size = sizeof own;
  int length = 0;
  ssize_t n;

  /* Once its end has come, nothing comes behind what is looked at then. */
  if (!is_loopback (fd) || getsockopt (fd, IPPROTO_TCP, TCP_INFO, &own, &size) < 0 ||
      own.tcpi_state != TCP_CLOSE_WAIT)
    return FALSE;
  n = recv (fd, text, MAX_FAREWELL, MSG_PEEK | MSG_DONTWAIT);
  if (n <= 0 || n == MAX_FAREWELL)
    return FALSE;
  text[n] = '\0';
  return sscanf (text, "%*[^ \n] simulation quit%n", &length) == 0 && length == n - 1 &&
         text[length] == '\n';
}

gboolean
line_access_admits (const LineAccess *access, int diag, int fd, gboolean *is_local, char **why)
{
  guint uid = 0;

  *is_local = line_peer_find (diag, fd, &uid);
  if ((access != NULL && access->any) || (*is_local && knows_user (access, uid)))
    return TRUE;
  if (!*is_local && asks_to_quit (fd))
    return TRUE;
  *why = *is_local ? g_strdup_printf ("connections of user %u are not allowed here", uid)
                   : g_strdup ("connections of an unknown user are not allowed here");
  return FALSE;
}

/* --- datagrams --- */

/* Whether all sockets that could have sent from there are of users who may. The table of the system
 * has those of this network namespace alone. */
static gboolean
knows_sender (const LineAccess *access, const struct sockaddr_in *from)
{
  g_autofree char *table = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (!g_file_get_contents ("/proc/net/udp", &table, NULL, NULL))
    return FALSE;
  lines = g_strsplit (table, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    guint address, port, uid;

    if (sscanf (*line, " %*u: %8x:%4x %*s %*x %*s %*s %*x %u", &address, &port, &uid) != 3 ||
        port != ntohs (from->sin_port) ||
        (address != from->sin_addr.s_addr && address != INADDR_ANY))
      continue;
    n++;
    if (!knows_user (access, uid))
      return FALSE;
  }
  return n > 0;
}

gboolean
line_access_admits_datagrams (const LineAccess *access, const struct sockaddr_in *from, char **why)
{
  char text[INET_ADDRSTRLEN] = "";

  if ((access != NULL && access->any) || knows_sender (access, from))
    return TRUE;
  inet_ntop (AF_INET, &from->sin_addr, text, sizeof text);
  *why = g_strdup_printf ("datagrams from %s, port %u, are of a user that is not allowed here, or "
                          "not known",
                          text, ntohs (from->sin_port));
  return FALSE;
}
