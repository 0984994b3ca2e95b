/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page of the viewer as one file, which a browser opens without a server: the scene, its
 * meshes, poses and records are in it, and viewer/src/player.js stands in for the simulator.
 */
#include "page.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Larger records, such as clouds of points, are left out. Bytes. */
#define MAX_RECORD 65536
#define MEGABYTE 1000000

ORRERY_DEFINE_TYPE (OrreryViewerPage, orrery_viewer_page, orrery_observer_get_type ())

static gboolean
check_file (OrreryPart *part, GVariant *value, GError **error)
{
  const char *path = g_variant_get_string (value, NULL);

  return g_str_has_suffix (path, ".html") ||
         orrery_set_error (error, ORRERY_ERROR_INVALID, "'%.200s' does not end in .html", path);
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryViewerPage, path, "file", "run.html",
                          "The file, .html; others of the run, after a reset, are called "
                          "NAME-1.html and so on",
                          .check = check_file, .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryViewerPage, title, "title", NULL,
                          "What the page calls the scene; by default the name of its file",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryViewerPage, rate, "rate", 0.1, 1000, 30,
                          "Poses, and records of a component, in a second of simulated time, Hz",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryViewerPage, max_size, "max-size", 1, 1000, 200,
                        "Poses and records that a page holds, MB before they are compressed",
                        .flags = ORRERY_PROPERTY_AT_START),
};

/* --- what is kept --- */

static void
keep (OrreryViewerPage *self, gboolean kept, OrreryTime time)
{
  g_autofree char *loss = NULL;

  if (kept) {
    self->end = time;
    return;
  }
  loss = g_strdup_printf ("%s ends at %.3f s, since max-size is %u MB: a lower rate lasts longer",
                          self->path, (double) (self->end - self->start) / ORRERY_SECOND,
                          self->max_size);
  orrery_part_warning (self, "%s", loss);
  orrery_observer_note_loss (&self->parent_instance, loss);
}

/* Lamps and colours are of the topic behind those of the parts. The first ones are kept in any
 * case: who goes back before a change sees them. */
static void
keep_looks (OrreryViewerPage *self, OrreryTime time)
{
  guint64 serial = view_get_looks_serial (self->view, self->world);
  g_autoptr (GArray) looks = NULL;

  if (self->n_poses > 0 && serial == self->looks)
    return;
  self->looks = serial;
  looks = view_list_looks (self->view, self->world);
  view_write_looks (looks, self->poses);
  keep (self,
        kept_run_add (&self->kept, self->view->n_parts + 1, time, self->poses->data,
                      self->poses->len),
        time);
}

/* A page without contacts has poses of one length. */
static void
keep_poses (OrreryViewerPage *self, OrrerySnapshot *snapshot, OrreryTime time, guint64 n_ticks)
{
  if (self->kept.full)
    return;
  keep_looks (self, time);
  if (self->kept.full)
    return;
  view_write_poses (self->view, snapshot, time, n_ticks, self->poses);
  keep (self,
        kept_run_add_poses (&self->kept, time, self->poses->data,
                            VIEW_POSE_HEAD + VIEW_POSE_SIZE * self->view->n_objects),
        time);
  self->n_poses++;
}

/* Whether the next one of `n` is due, where `rate` of them are kept in a second. */
static gboolean
is_due (OrreryViewerPage *self, guint64 n, OrreryTime time)
{
  return (double) (time - self->start) / ORRERY_SECOND * self->rate >= (double) n - 1e-6;
}

static void
orrery_viewer_page_record (OrreryObserver *observer, OrreryComponent *component)
{
  OrreryViewerPage *self = (OrreryViewerPage *) observer;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->view->by_component, component));
  OrreryRecord *record = orrery_component_get_record (component);
  OrreryTime time = orrery_record_get_timestamp (record);
  const char *data;
  gsize length;

  if (number == 0 || self->kept.full || !is_due (self, self->n_records[number - 1], time))
    return;
  orrery_writer_clear (self->writer);
  view_write_record (record, self->writer);
  data = orrery_writer_get_data (self->writer, &length);
  if (length > MAX_RECORD)
    return;
  keep (self, kept_run_add (&self->kept, number, time, data, length), time);
  self->n_records[number - 1]++;
}

static void
orrery_viewer_page_tick (OrreryObserver *observer, OrreryTick *tick)
{
  OrreryViewerPage *self = (OrreryViewerPage *) observer;
  OrreryTime time = orrery_tick_get_time (tick);

  if (is_due (self, self->n_poses, time))
    keep_poses (self, orrery_tick_get_snapshot (tick), time, orrery_tick_get_number (tick) + 1);
}

/* --- opening --- */

static gboolean
has_picture (OrrerySchema *schema)
{
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++)
    if (orrery_schema_get_field (schema, i)->type == ORRERY_FIELD_BUFFER)
      return TRUE;
  return FALSE;
}

static void
forget (OrreryViewerPage *self)
{
  g_clear_pointer (&self->view, view_unref);
  self->world = NULL;
  g_clear_pointer (&self->poses, g_byte_array_unref);
  g_clear_pointer (&self->writer, orrery_writer_unref);
  g_clear_pointer (&self->n_records, g_free);
  kept_run_clear (&self->kept);
}

static gboolean
orrery_viewer_page_open (OrreryObserver *observer, const OrreryObserved *observed, GError **error)
{
  OrreryViewerPage *self = (OrreryViewerPage *) observer;
  g_autofree char *page = orrery_get_prefix_path ("share/orrery-1/viewer/page.js");
  g_autofree char *directory = g_path_get_dirname (self->path);

  if (page == NULL || !g_file_test (page, G_FILE_TEST_EXISTS))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "this build has no page, since esbuild was missing when it was built; "
                             "install the package esbuild and build it anew");
  if (g_access (directory, W_OK) != 0)
    return orrery_set_error (error, ORRERY_ERROR_IO, "%s: %s", self->path, g_strerror (errno));
  self->view = view_new (observer, observed, self->title);
  /* The same run makes the same file. */
  g_free (self->view->session);
  self->view->session = g_strdup ("kept");
  self->poses = g_byte_array_new ();
  self->writer = orrery_writer_new ();
  self->n_records = g_new0 (guint64, self->view->n_parts + 1);
  self->n_poses = 0;
  self->start = self->end = view_find_time (observed);
  self->world = observed->world;
  kept_run_init (&self->kept, (guint64) self->max_size * MEGABYTE);
  for (guint i = 0; i < self->view->n_parts; i++)
    if (self->view->parts[i].schema != NULL && !has_picture (self->view->parts[i].schema))
      orrery_observer_watch (observer, self->view->parts[i].component, TRUE);
  keep_poses (self, orrery_world_get_snapshot (observed->world), self->start, observed->n_ticks);
  return TRUE;
}

/* --- the file --- */

static gboolean
append_file (GString *out, const char *name, const char *before, const char *after, GError **error)
{
  g_autofree char *relative = g_strconcat ("share/orrery-1/viewer/", name, NULL);
  g_autofree char *path = orrery_get_prefix_path (relative);
  g_autofree char *text = NULL;
  g_autoptr (GString) escaped = NULL;

  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  /* In a script that stands in a page these would end it; in its strings both are the same. */
  escaped = g_string_new (text);
  g_string_replace (escaped, "</script", "<\\/script", 0);
  g_string_replace (escaped, "<!--", "\\x3C!--", 0);
  g_string_append (out, before);
  g_string_append_len (out, escaped->str, (gssize) escaped->len);
  g_string_append (out, after);
  return TRUE;
}

static void
append_base64 (GString *out, gconstpointer data, gsize length)
{
  g_autofree char *text = g_base64_encode (data, length);

  g_string_append_c (out, '"');
  g_string_append (out, text);
  g_string_append_c (out, '"');
}

static void
append_assets (OrreryViewerPage *self, GString *out)
{
  g_autoptr (GList) names = g_hash_table_get_keys (self->view->assets);

  names = g_list_sort (names, (GCompareFunc) strcmp);
  g_string_append (out, ",\n\"assets\":{");
  for (GList *each = names; each != NULL; each = each->next) {
    GBytes *bytes = g_hash_table_lookup (self->view->assets, each->data);

    g_string_append_printf (out, "%s\"%s\":", each == names ? "" : ",\n", (char *) each->data);
    append_base64 (out, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  }
  g_string_append_c (out, '}');
}

/* As JSON, without the one character that could end the element of the page in which it stands. */
static void
append_run (OrreryViewerPage *self, GString *out)
{
  GBytes *scene = view_get_scene (self->view);
  g_autoptr (GString) head = g_string_new ("{\"scene\":");
  g_autoptr (OrreryWriter) topics = orrery_writer_new ();
  const char *text;
  gsize length;

  g_string_append_len (head, g_bytes_get_data (scene, NULL), (gssize) g_bytes_get_size (scene));
  orrery_writer_append_text (topics, ",\n\"topics\":[\"/poses\"");
  for (guint i = 0; i < self->view->n_parts; i++) {
    orrery_writer_append_char (topics, ',');
    orrery_writer_append_json_text (topics, self->view->parts[i].topic);
  }
  orrery_writer_append_text (topics, ",\"/looks\"]");
  text = orrery_writer_get_data (topics, &length);
  g_string_append_len (head, text, (gssize) length);
  g_string_replace (head, "<", "\\u003c", 0);
  g_string_append_len (out, head->str, (gssize) head->len);
  g_string_append_printf (out,
                          ",\n\"start\":\"%" G_GINT64_FORMAT "\",\"end\":\"%" G_GINT64_FORMAT "\"",
                          (gint64) self->start, (gint64) self->end);
  append_assets (self, out);
  g_string_append (out, ",\n\"data\":");
  append_base64 (out, self->kept.bytes->data, self->kept.bytes->len);
  g_string_append (out, "}");
}

/* The links of index.html to its files are one line each, and those are replaced by the files. */
static GString *
make_page (OrreryViewerPage *self, GError **error)
{
  static const char *const replaced[] = { "<link rel=\"icon\" href=\"icon.svg\">\n",
                                          "<link rel=\"stylesheet\" href=\"page.css\">\n",
                                          "<script type=\"module\" src=\"page.js\"></script>\n" };
  g_autofree char *path = orrery_get_prefix_path ("share/orrery-1/viewer/index.html");
  g_autofree char *text = NULL;
  g_autoptr (GString) out = NULL, page = NULL;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  page = g_string_new (text);
  for (guint i = 0; i < G_N_ELEMENTS (replaced); i++)
    if (g_string_replace (page, replaced[i], i == 2 ? "\n\001\n" : "", 1) != 1) {
      orrery_set_error (error, ORRERY_ERROR_IO, "%s lacks the line %.60s", path, replaced[i]);
      return NULL;
    }
  out = g_string_new_len (page->str, strchr (page->str, '\001') - page->str);
  if (!append_file (out, "page.css", "<style>\n", "</style>\n", error))
    return NULL;
  g_string_append (out, "<script type=\"application/json\" id=\"kept-run\">\n");
  append_run (self, out);
  g_string_append (out, "\n</script>\n");
  if (!append_file (out, "player.js", "<script>\n", "</script>\n", error) ||
      !append_file (out, "page.js", "<script type=\"module\">\n", "</script>", error))
    return NULL;
  g_string_append (out, strchr (page->str, '\001') + 1);
  return g_steal_pointer (&out);
}

static char *
name_file (OrreryViewerPage *self)
{
  g_autofree char *stem = g_strndup (self->path, strlen (self->path) - strlen (".html"));

  return self->n_files == 0 ? g_strdup (self->path)
                            : g_strdup_printf ("%s-%u.html", stem, self->n_files);
}

static void
orrery_viewer_page_close (OrreryObserver *observer)
{
  OrreryViewerPage *self = (OrreryViewerPage *) observer;
  g_autofree char *path = name_file (self);
  g_autoptr (GString) page = NULL;
  g_autoptr (GError) error = NULL;

  kept_run_end (&self->kept);
  page = make_page (self, &error);
  if (page == NULL || !g_file_set_contents_full (path, page->str, (gssize) page->len,
                                                 G_FILE_SET_CONTENTS_CONSISTENT, 0666, &error)) {
    orrery_part_warning (self, "no page: %s", error->message);
    orrery_observer_note_loss (observer, error->message);
  } else {
    orrery_part_message (self, "%s: a page with %.2f s of the run", path,
                         (double) (self->end - self->start) / ORRERY_SECOND);
  }
  self->n_files++;
  forget (self);
}

/* --- the class --- */

static void
orrery_viewer_page_class_init (OrreryViewerPageClass *klass)
{
  OrreryObserverClass *observer = ORRERY_OBSERVER_CLASS (klass);

  observer->open = orrery_viewer_page_open;
  observer->record = orrery_viewer_page_record;
  observer->tick = orrery_viewer_page_tick;
  observer->close = orrery_viewer_page_close;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}
