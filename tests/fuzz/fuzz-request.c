/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/line-block.c middleware/line-input.c middleware/line-io.c */
/* sources: middleware/line-output.c middleware/line-server.c middleware/line-access.c */
/* sources: middleware/line-peer.c middleware/line-thread.c */
#undef G_LOG_DOMAIN
#include "../../middleware/socket_request_manager.c"

#include "fuzz.h"
#include "part/orrery-call-private.h"
#include "roles/orrery-request-manager-private.h"

static guint n_submitted;

/* Half of the calls give back what they were given, the others fail. */
static void
answer (gpointer host, OrreryRequestManager *manager, const char *part, OrreryCall *call)
{
  g_assert_true (g_utf8_validate (part, -1, NULL));
  g_assert_true (g_utf8_validate (orrery_call_get_service (call), -1, NULL));
  if (n_submitted++ % 2 == 0)
    orrery_call_return (call, g_variant_new_string (part));
  else
    orrery_call_fail (call, g_error_new (ORRERY_ERROR, ORRERY_ERROR_INVALID, "%s", part));
}

static OrrerySocketRequestManager *
get_manager (void)
{
  static OrrerySocketRequestManager *self;

  if (self == NULL) {
    LineServerOptions options;

    self = g_object_new (orrery_socket_request_manager_get_type (), NULL);
    line_server_options_init (&options);
    self->server = line_server_new (&options);
    g_assert_nonnull (self->server);
    orrery_request_manager_attach (ORRERY_REQUEST_MANAGER (self), answer, NULL,
                                   orrery_waker_new ());
  }
  return self;
}

/* One line of text, with a status that clients know behind the id. */
static void
check_answer (OrrerySocketRequestManager *self)
{
  gsize length;
  const char *text = orrery_writer_get_data (self->writer, &length);

  g_assert_true (g_utf8_validate (text, (gssize) length, NULL));
  g_assert_null (memchr (text, '\n', length));
  g_assert_true (g_strstr_len (text, (gssize) length, " SUCCESS") != NULL ||
                 g_strstr_len (text, (gssize) length, " FAILED \"") != NULL);
}

/* Whatever the line: it is answered, but for a cancel; and nothing stays behind. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  OrrerySocketRequestManager *self = get_manager ();
  const uint8_t *newline = size > 0 ? memchr (data, '\n', size) : NULL;
  gsize length = newline != NULL ? (gsize) (newline - data) : size;
  g_autofree char *line = g_malloc (length + 1);
  LineEvent event = { .kind = LINE_EVENT_LINE, .client = 1, .text = line, .length = length };

  if (length > 0)
    memcpy (line, data, length);
  line[length] = '\0';
  orrery_writer_clear (self->writer);
  handle_event (self, &event);
  g_assert_cmpuint (self->n_pending, ==, 0);
  orrery_writer_get_data (self->writer, &length);
  if (length > 0)
    check_answer (self);
  event.kind = LINE_EVENT_TOO_LONG;
  handle_event (self, &event);
  check_answer (self);
  return 0;
}
