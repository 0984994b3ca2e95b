/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of records into text files. */
#define _GNU_SOURCE
#define G_LOG_DOMAIN "orrery.middleware.text_datastream"
#include <orrery.h>

#include "text-value.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Records as text in files, one for each stream; the layout is MORSE's. Differs from it: a thread
 * of its own writes twenty times a second and at the end, whole records only, so that no disk holds
 * the tick; a disk that is full costs records, not the run.
 */

#define WRITE_EVERY_MS 50
/* Records that wait for a disk; more are lost. */
#define MAX_WAITING (64u * 1024 * 1024)
#define RESERVED (16u * 1024)
#define REPORT_EVERY 32
/* How long the end waits for a disk. */
#define STOP_SECONDS 2
/* How long the thread waits for who reads a pipe. */
#define READER_MS 500
/* How a file begins; one that begins otherwise is not ours to empty. */
#define MARK "ROBOT "

/* --- codecs --- */

typedef struct {
  OrreryDatastream parent_instance;

  OrreryComponent *robot; /* borrowed: it outlives its streams */
  gint64 index;
} OrreryTextPublisher;
ORRERY_DEFINE_CLASS (OrreryTextPublisher, orrery_text_publisher, OrreryDatastream,
                     orrery_datastream)

static void
orrery_text_publisher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *component = orrery_setup_get_component (setup);

  ((OrreryTextPublisher *) part)->robot =
      component != NULL ? orrery_component_get_robot (component) : NULL;
}

static void
append_triple (OrreryWriter *writer, double a, double b, double c)
{
  orrery_writer_append_char (writer, '[');
  orrery_writer_append_fixed (writer, a, 6);
  orrery_writer_append_char (writer, ' ');
  orrery_writer_append_fixed (writer, b, 6);
  orrery_writer_append_char (writer, ' ');
  orrery_writer_append_fixed (writer, c, 6);
  orrery_writer_append_char (writer, ']');
}

static OrreryTime
record_time (OrreryTextPublisher *self, OrreryRecord *record)
{
  if (orrery_record_has_timestamp (record))
    return orrery_record_get_timestamp (record);
  if (self->robot != NULL && ORRERY_IS_ROBOT (self->robot))
    return orrery_robot_get_time (ORRERY_ROBOT (self->robot));
  return 0;
}

static void
append_heading (OrreryTextPublisher *self, OrreryRecord *record, OrreryWriter *writer)
{
  OrreryTransform pose = { .rotation.w = 1 };
  double roll, pitch, yaw;

  if (self->robot != NULL)
    pose = *orrery_component_get_pose (self->robot);
  orrery_quat_to_euler (&pose.rotation, &roll, &pitch, &yaw);
  orrery_writer_append_text (writer, "==> Data at X,Y,Z: ");
  append_triple (writer, pose.position.x, pose.position.y, pose.position.z);
  orrery_writer_append_text (writer, "yaw,pitch,roll: ");
  append_triple (writer, yaw, pitch, roll);
  orrery_writer_append_text (writer, " | index ");
  orrery_writer_append_int (writer, self->index++);
  orrery_writer_append_text (writer, " | time ");
  orrery_writer_append_fixed (writer, orrery_time_to_seconds (record_time (self, record)), 2);
  orrery_writer_append_char (writer, '\n');
}

static void
append_key (OrreryWriter *writer, const char *name)
{
  orrery_writer_append_char (writer, '\t');
  orrery_writer_append_text (writer, name);
  orrery_writer_append_text (writer, " = ");
}

static void
append_line (OrreryWriter *writer, const OrreryField *field, gconstpointer data)
{
  append_key (writer, field->name);
  if (field->type == ORRERY_FIELD_DOUBLE)
    text_number_append_fixed (writer, *(const double *) data);
  else if (field->type == ORRERY_FIELD_TIME)
    orrery_writer_append_fixed (writer, orrery_time_to_seconds (((const OrreryStamp *) data)->ns),
                                6);
  else
    text_value_append (writer, field, data);
  orrery_writer_append_char (writer, '\n');
}

static void
orrery_text_publisher_encode (OrreryDatastream *datastream, OrreryRecord *record,
                              OrreryWriter *writer, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  guint n = orrery_schema_get_n_fields (schema);

  append_heading ((OrreryTextPublisher *) datastream, record, writer);
  if (orrery_record_has_timestamp (record)) {
    append_key (writer, "timestamp");
    orrery_writer_append_fixed (writer,
                                orrery_time_to_seconds (orrery_record_get_timestamp (record)), 6);
    orrery_writer_append_char (writer, '\n');
  }
  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    append_line (writer, field, text_value_find (record, field));
  }
}

static void
orrery_text_publisher_class_init (OrreryTextPublisherClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_text_publisher_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_text_publisher_encode;
}

typedef struct {
  OrreryDatastream parent_instance;
} OrreryCsvPublisher;
ORRERY_DEFINE_CLASS (OrreryCsvPublisher, orrery_csv_publisher, OrreryDatastream, orrery_datastream)

static void
orrery_csv_publisher_encode (OrreryDatastream *self, OrreryRecord *record, OrreryWriter *writer,
                             GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  guint n = orrery_schema_get_n_fields (schema);

  if (orrery_record_has_timestamp (record)) {
    orrery_writer_append_double (writer,
                                 orrery_time_to_seconds (orrery_record_get_timestamp (record)));
    orrery_writer_append_char (writer, ';');
  }
  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    text_value_append (writer, field, text_value_find (record, field));
    orrery_writer_append_char (writer, ';');
  }
  orrery_writer_append_char (writer, '\n');
}

static void
orrery_csv_publisher_class_init (OrreryCsvPublisherClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_csv_publisher_encode;
}

/* --- the manager --- */

/* Records go from hand to hand: the tick fills, the thread swaps and writes. */
typedef struct {
  OrreryStream *stream; /* borrowed: the host keeps it until the manager is closed */
  char *path;
  guint64 epoch; /* of the last head */
  int fd;
  GByteArray *filling; /* of the tick */
  GByteArray *handed;  /* under the lock */
  GByteArray *writing; /* of the thread */
  gint64 written;      /* of the thread: bytes of whole records */
  gboolean own;        /* it may be cut */
  gboolean broken;     /* of the thread: a pipe has got a part of a record, or a file no head, and
                          gets no more */
  int failure;         /* atomic: the last errno */
  gboolean too_slow;   /* of the tick: records were lost */
  gboolean warned;
} TextFile;

typedef struct {
  OrreryDatastreamManager parent_instance;

  GPtrArray *files; /* (element-type TextFile) in the order of the config */
  pthread_t thread;
  gboolean running;
  gboolean stop; /* under the lock */
  gboolean dirty;
  pthread_mutex_t lock;
  pthread_cond_t stopped;
  guint n_intakes;
} OrreryTextDatastreamManager;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryTextDatastreamManager, orrery_text_datastream_manager,
                               OrreryDatastreamManager, orrery_datastream_manager)

static void
text_file_free (gpointer data)
{
  TextFile *file = data;

  if (file->fd >= 0)
    close (file->fd);
  g_byte_array_unref (file->filling);
  g_byte_array_unref (file->handed);
  g_byte_array_unref (file->writing);
  g_free (file->path);
  g_free (file);
}

/* The name of the component; of a number as Blender appends it (".001") the dot goes. */
static char *
default_path (const char *name)
{
  GString *path = g_string_new (NULL);

  for (const char *at = name; *at != '\0'; at++) {
    gboolean joins = *at == '.' && g_ascii_isdigit (at[1]) && g_ascii_isdigit (at[2]) &&
                     g_ascii_isdigit (at[3]) && !g_ascii_isdigit (at[4]);

    if (!joins)
      g_string_append_c (path, *at == G_DIR_SEPARATOR ? '_' : *at);
  }
  g_string_append (path, ".txt");
  return g_string_free (path, FALSE);
}

static char *
parse_options (OrreryStream *stream, GVariant *options, GError **error)
{
  static const char *const known[] = { "file", NULL };
  g_autofree char *path = default_path (orrery_stream_get_name (stream));
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_iter_init (&iter, options);
  while (g_variant_iter_next (&iter, "{&sv}", &key, &value)) {
    g_autoptr (GVariant) owned = value;
    g_autofree char *nearest = orrery_nearest_names (key, known);

    if (!g_str_equal (key, "file")) {
      orrery_set_error (error, ORRERY_ERROR_CONFIG, "a text stream has no option '%s'%s", key,
                        nearest);
      return NULL;
    }
    if (!g_variant_is_of_type (owned, G_VARIANT_TYPE_STRING) ||
        *g_variant_get_string (owned, NULL) == '\0') {
      orrery_set_error (error, ORRERY_ERROR_CONFIG,
                        "option 'file' of a text stream must be the name of a file");
      return NULL;
    }
    g_free (path);
    path = g_variant_dup_string (owned, NULL);
  }
  return g_steal_pointer (&path);
}

static gboolean
check_path (OrreryTextDatastreamManager *self, const char *path, GError **error)
{
  const char *directory =
      orrery_datastream_manager_get_output_directory (ORRERY_DATASTREAM_MANAGER (self));

  for (guint i = 0; i < self->files->len; i++) {
    TextFile *other = self->files->pdata[i];

    if (!g_str_equal (other->path, path))
      continue;
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "the text stream of %s writes the file %s, too",
                             orrery_stream_get_name (other->stream), path);
  }
  return orrery_output_check (path, directory, error);
}

static void
orrery_text_datastream_manager_open (OrreryDatastreamManager *manager, OrreryStream *stream,
                                     GVariant *options, GError **error)
{
  OrreryTextDatastreamManager *self = (OrreryTextDatastreamManager *) manager;
  g_autofree char *path = NULL;
  TextFile *file;

  if (orrery_stream_get_direction (stream) != ORRERY_DIRECTION_OUT) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "a text stream only writes, it cannot command");
    return;
  }
  path = options != NULL ? parse_options (stream, options, error)
                         : default_path (orrery_stream_get_name (stream));
  if (path == NULL || !check_path (self, path, error))
    return;
  file = g_new0 (TextFile, 1);
  *file = (TextFile){ .stream = stream,
                      .path = g_steal_pointer (&path),
                      .fd = -1,
                      .filling = g_byte_array_sized_new (RESERVED),
                      .handed = g_byte_array_sized_new (RESERVED),
                      .writing = g_byte_array_sized_new (RESERVED) };
  orrery_stream_set_user_data (stream, file, NULL);
  g_ptr_array_add (self->files, file);
}

/* --- the head of a file --- */

static void
append_vector (OrreryWriter *writer, const OrreryVec3 *v)
{
  orrery_writer_append_text (writer, "Vector((");
  orrery_writer_append_double (writer, v->x);
  orrery_writer_append_text (writer, ", ");
  orrery_writer_append_double (writer, v->y);
  orrery_writer_append_text (writer, ", ");
  orrery_writer_append_double (writer, v->z);
  orrery_writer_append_text (writer, "))");
}

/* Where the robot is as seen from the sensor: distance, direction in the world, in its own axes. */
static void
append_vector_to_robot (OrreryWriter *writer, OrreryComponent *component, OrreryComponent *robot)
{
  const OrreryTransform *from = orrery_component_get_pose (component);
  const OrreryTransform *to = orrery_component_get_pose (robot);
  OrreryVec3 global = orrery_vec3_subtract (&to->position, &from->position);
  double distance = orrery_vec3_length (&global);
  OrreryVec3 local;

  if (distance > 0)
    global = orrery_vec3_divide (&global, distance);
  orrery_quat_rotate_back (&from->rotation, &global, &local);
  orrery_writer_append_char (writer, '(');
  orrery_writer_append_double (writer, distance);
  orrery_writer_append_text (writer, ", ");
  append_vector (writer, &global);
  orrery_writer_append_text (writer, ", ");
  append_vector (writer, &local);
  orrery_writer_append_char (writer, ')');
}

/* At the beginning of the file, and again where simulated time was set anew. */
static void
fill_head (TextFile *file)
{
  OrreryComponent *component = orrery_stream_get_component (file->stream);
  OrreryComponent *robot = orrery_component_get_robot (component);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *text;
  gsize length;

  if (robot == NULL)
    robot = component;
  if (file->epoch != 0)
    orrery_writer_append_char (writer, '\n');
  file->epoch = orrery_datastream_get_epoch (orrery_stream_get_codec (file->stream));
  orrery_writer_append_text (writer, MARK);
  orrery_writer_append_text (writer, orrery_part_get_name (ORRERY_PART (robot)));
  orrery_writer_append_text (writer, " || SENSOR ");
  orrery_writer_append_text (writer, orrery_stream_get_name (file->stream));
  if (file->epoch > 1) {
    orrery_writer_append_text (writer, " || EPOCH ");
    orrery_writer_append_int (writer, (gint64) file->epoch);
  }
  orrery_writer_append_text (writer, "\n(distance, globalVector(3), localVector(3))\n");
  append_vector_to_robot (writer, component, robot);
  orrery_writer_append_text (writer, "\n\n");
  text = orrery_writer_get_data (writer, &length);
  g_byte_array_append (file->filling, (const guint8 *) text, (guint) length);
}

/* --- the thread --- */

/* All or nothing: the beginning of what could not be written whole is taken back. */
static void
write_file (TextFile *file)
{
  gsize n;

  if (file->writing->len == 0)
    return;
  n = file->broken
          ? 0
          : orrery_output_write (file->fd, file->writing->data, file->writing->len, READER_MS);
  if (n == file->writing->len) {
    file->written += n;
  } else if (!file->broken) {
    __atomic_store_n (&file->failure, errno, __ATOMIC_RELAXED);
    if (file->own && ftruncate (file->fd, file->written) == 0)
      lseek (file->fd, file->written, SEEK_SET);
    else
      file->broken = n > 0;
    /* Records without their head would be no text stream, which the next run could replace. */
    file->broken |= file->own && file->written == 0;
  }
  g_byte_array_set_size (file->writing, 0);
}

/* Alone, before there is a thread: where the first records do not fit, it still stands. */
static void
write_head (TextFile *file)
{
  GByteArray *empty = file->writing;

  fill_head (file);
  file->writing = file->filling;
  file->filling = empty;
  write_file (file);
}

static void
take_handed (OrreryTextDatastreamManager *self)
{
  for (guint i = 0; i < self->files->len; i++) {
    TextFile *file = self->files->pdata[i];
    GByteArray *empty = file->writing;

    file->writing = file->handed;
    file->handed = empty;
  }
}

static void *
write_files (void *data)
{
  OrreryTextDatastreamManager *self = data;
  gboolean stop = FALSE;

  while (!stop) {
    gint64 ns = g_get_monotonic_time () * 1000 + WRITE_EVERY_MS * 1000000LL;
    struct timespec until = { ns / ORRERY_SECOND, ns % ORRERY_SECOND };
    int status = 0;

    pthread_mutex_lock (&self->lock);
    while (!self->stop && status == 0)
      status = pthread_cond_timedwait (&self->stopped, &self->lock, &until);
    stop = self->stop;
    take_handed (self);
    pthread_mutex_unlock (&self->lock);
    for (guint i = 0; i < self->files->len; i++)
      write_file (self->files->pdata[i]);
  }
  return NULL;
}

/* --- starting and ending --- */

/* One file under two names, by links or by dots. */
static TextFile *
find_same (GPtrArray *files, const TextFile *file)
{
  struct stat own, other;

  if (fstat (file->fd, &own) != 0 || !S_ISREG (own.st_mode))
    return NULL;
  for (guint i = 0; i < files->len && files->pdata[i] != file; i++) {
    TextFile *earlier = files->pdata[i];

    if (fstat (earlier->fd, &other) == 0 && own.st_dev == other.st_dev &&
        own.st_ino == other.st_ino)
      return earlier;
  }
  return NULL;
}

static gboolean
open_file (OrreryTextDatastreamManager *self, TextFile *file, GError **error)
{
  OrreryOutputRules rules = { .directory = orrery_datastream_manager_get_output_directory (
                                  ORRERY_DATASTREAM_MANAGER (self)),
                              .mark = MARK };
  TextFile *same;

  file->fd = orrery_output_open (file->path, &rules, &file->own, error);
  if (file->fd < 0) {
    g_prefix_error (error, "text stream of %s: ", orrery_stream_get_name (file->stream));
    return FALSE;
  }
  same = find_same (self->files, file);
  if (same != NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the text streams of %s and %s write one file: %s is %s",
                      orrery_stream_get_name (same->stream), orrery_stream_get_name (file->stream),
                      file->path, same->path);
  return same == NULL;
}

static void
orrery_text_datastream_manager_start (OrreryDatastreamManager *manager, GError **error)
{
  OrreryTextDatastreamManager *self = (OrreryTextDatastreamManager *) manager;
  sigset_t all, before;
  int status;

  for (guint i = 0; i < self->files->len; i++) {
    if (!open_file (self, self->files->pdata[i], error))
      return;
    write_head (self->files->pdata[i]);
    orrery_stream_set_listening (((TextFile *) self->files->pdata[i])->stream, TRUE);
  }
  self->dirty = TRUE;
  if (self->files->len == 0)
    return;
  /* Signals are for the main thread. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  status = pthread_create (&self->thread, NULL, write_files, self);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  self->running = status == 0;
  if (status != 0)
    g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "text streams: no thread: %s",
                 g_strerror (status));
}

static void
orrery_text_datastream_manager_send (OrreryDatastreamManager *manager, OrreryStream *stream,
                                     const char *data, gsize length)
{
  TextFile *file = orrery_stream_get_user_data (stream);

  if (file->filling->len + length > MAX_WAITING) {
    file->too_slow = TRUE;
    return;
  }
  if (G_UNLIKELY (file->epoch != orrery_datastream_get_epoch (orrery_stream_get_codec (stream))))
    fill_head (file);
  g_byte_array_append (file->filling, (const guint8 *) data, (guint) length);
  ((OrreryTextDatastreamManager *) manager)->dirty = TRUE;
}

/* Under the lock. What the thread has not taken yet grows; past the limit it waits here. */
static void
hand_over (TextFile *file)
{
  GByteArray *filled = file->filling;

  if (filled->len == 0 || file->handed->len + filled->len > MAX_WAITING)
    return;
  if (file->handed->len == 0) {
    file->filling = file->handed;
    file->handed = filled;
    return;
  }
  g_byte_array_append (file->handed, filled->data, filled->len);
  g_byte_array_set_size (filled, 0);
}

static void
orrery_text_datastream_manager_flush (OrreryDatastreamManager *manager)
{
  OrreryTextDatastreamManager *self = (OrreryTextDatastreamManager *) manager;

  if (!self->dirty)
    return;
  pthread_mutex_lock (&self->lock);
  for (guint i = 0; i < self->files->len; i++)
    hand_over (self->files->pdata[i]);
  pthread_mutex_unlock (&self->lock);
  self->dirty = FALSE;
}

static void
note_loss (OrreryTextDatastreamManager *self, TextFile *file, const char *why)
{
  g_autofree char *output = g_strdup_printf ("%s: %s", file->path, why);

  file->warned = TRUE;
  orrery_datastream_manager_note_loss (ORRERY_DATASTREAM_MANAGER (self), output);
  orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "text stream of %s: records are lost: %s",
                         orrery_stream_get_name (file->stream), output);
}

static void
report (OrreryTextDatastreamManager *self)
{
  for (guint i = 0; i < self->files->len; i++) {
    TextFile *file = self->files->pdata[i];
    int failure = __atomic_load_n (&file->failure, __ATOMIC_RELAXED);

    if (file->warned || (failure == 0 && !file->too_slow))
      continue;
    note_loss (self, file, failure != 0 ? g_strerror (failure) : "the disk is too slow");
  }
}

static void
orrery_text_datastream_manager_intake (OrreryDatastreamManager *manager)
{
  OrreryTextDatastreamManager *self = (OrreryTextDatastreamManager *) manager;

  if (++self->n_intakes % REPORT_EVERY == 0)
    report (self);
}

static void
stop_thread (OrreryTextDatastreamManager *self)
{
  struct timespec until;

  pthread_mutex_lock (&self->lock);
  self->stop = TRUE;
  pthread_cond_signal (&self->stopped);
  pthread_mutex_unlock (&self->lock);
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += STOP_SECONDS;
  if (pthread_timedjoin_np (self->thread, NULL, &until) != 0) {
    /* It hangs in the system; what it still holds has to stay. */
    orrery_datastream_manager_note_loss (ORRERY_DATASTREAM_MANAGER (self),
                                         "text streams: a disk does not answer");
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                           "text streams: a disk does not answer, its last records are lost");
    pthread_detach (self->thread);
    g_object_ref (self);
  }
  self->running = FALSE;
}

static void
orrery_text_datastream_manager_close (OrreryDatastreamManager *manager)
{
  OrreryTextDatastreamManager *self = (OrreryTextDatastreamManager *) manager;

  if (!self->running)
    return;
  self->dirty = TRUE;
  orrery_text_datastream_manager_flush (manager);
  stop_thread (self);
  report (self);
}

static void
orrery_text_datastream_manager_finalize (GObject *object)
{
  OrreryTextDatastreamManager *self = (OrreryTextDatastreamManager *) object;

  /* The host has called `close`. */
  g_assert (!self->running);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  pthread_cond_destroy (&self->stopped);
  pthread_mutex_destroy (&self->lock);
  G_OBJECT_CLASS (orrery_text_datastream_manager_parent_class)->finalize (object);
}

static void
orrery_text_datastream_manager_class_init (OrreryTextDatastreamManagerClass *klass)
{
  OrreryDatastreamManagerClass *manager = ORRERY_DATASTREAM_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_text_datastream_manager_finalize;
  manager->open = orrery_text_datastream_manager_open;
  manager->start = orrery_text_datastream_manager_start;
  manager->send = orrery_text_datastream_manager_send;
  manager->flush = orrery_text_datastream_manager_flush;
  manager->intake = orrery_text_datastream_manager_intake;
  manager->close = orrery_text_datastream_manager_close;
}

static void
orrery_text_datastream_manager_init (OrreryTextDatastreamManager *self)
{
  pthread_condattr_t monotonic;

  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init (&self->stopped, &monotonic);
  pthread_condattr_destroy (&monotonic);
  pthread_mutex_init (&self->lock, NULL);
  self->files = g_ptr_array_new_with_free_func (text_file_free);
}

ORRERY_PLUGIN ("Records as text in files", "BSD-3-Clause",
               ORRERY_CLASS (TextDatastreamManager, OrreryTextDatastreamManager,
                             orrery_text_datastream_manager, .stream = "text",
                             .publisher = "orrery.middleware.text_datastream.Publisher"),
               ORRERY_CLASS (Publisher, OrreryTextPublisher, orrery_text_publisher,
                             .direction = "OUT"),
               ORRERY_CLASS (CSVPublisher, OrreryCsvPublisher, orrery_csv_publisher,
                             .direction = "OUT"))
