/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the descriptor of a plugin before anything of it is called. */
#include "base/orrery-error-private.h"
#include "registry/orrery-classpath-private.h"
#include "registry/orrery-descriptor-private.h"

#include <math.h>
#include <string.h>

#define MAX_CLASSES 256
#define MAX_LEVELS 32
#define MAX_ALIASES 1024
#define MAX_TEXT 1024
#define MAX_NAME 128
#define MAX_FREQUENCY 1e6
/* More than the description of a class will ever need; a longer table is corrupt. */
#define MAX_CLASS_SIZE 4096

/* The part of a descriptor that never changes, whatever the ABI. */
typedef struct {
  guint32 size;
  guint32 class_size;
  guint16 abi_major;
  guint16 abi_minor;
} Header;

G_STATIC_ASSERT (G_STRUCT_OFFSET (OrreryPluginDesc, summary) >= sizeof (Header));

/* The size in ABI 1.0. Members that a smaller descriptor lacks have no default. */
#define MIN_SIZE sizeof (OrreryPluginDesc)
#define MIN_CLASS_SIZE                                                                             \
  (G_STRUCT_OFFSET (OrreryClassDesc, thread_safe) + sizeof (((OrreryClassDesc *) 0)->thread_safe))

void
orrery_descriptor_free (OrreryDescriptor *descriptor)
{
  if (descriptor == NULL)
    return;
  g_free (descriptor->classes);
  g_free (descriptor);
}

#define refuse(error, ...) orrery_set_error (error, ORRERY_ERROR_PLUGIN, __VA_ARGS__)

static gboolean
is_aligned (gconstpointer address)
{
  return (guintptr) address % G_ALIGNOF (gpointer) == 0;
}

static gboolean
has_struct (const OrreryImage *image, gconstpointer address, gsize size)
{
  return is_aligned (address) && orrery_image_has (image, address, size);
}

/* Whether a text of one line, not empty, lies in the file. */
static gboolean
is_text (const OrreryImage *image, const char *text, gsize max)
{
  gsize length = 0;

  if (text == NULL)
    return FALSE;
  while (orrery_image_has (image, text + length, 1) && text[length] != '\0') {
    if (g_ascii_iscntrl (text[length]) || ++length > max)
      return FALSE;
  }
  return length > 0 && orrery_image_has (image, text + length, 1) &&
         g_utf8_validate (text, length, NULL);
}

static gboolean
is_name (const OrreryImage *image, const char *text, guint max_parts)
{
  return is_text (image, text, MAX_NAME) && orrery_is_dotted_name (text, max_parts);
}

static gboolean
is_classpath (const OrreryImage *image, const char *text)
{
  return is_text (image, text, ORRERY_CLASSPATH_MAX_LENGTH) && strchr (text, '.') != NULL &&
         orrery_is_dotted_name (text, ORRERY_CLASSPATH_MAX_PARTS);
}

/* Whether g_type_register_static() accepts the name. */
static gboolean
is_type_name (const OrreryImage *image, const char *text)
{
  if (!is_text (image, text, MAX_NAME) || strlen (text) < 3)
    return FALSE;
  if (!g_ascii_isalpha (*text) && *text != '_')
    return FALSE;
  return strspn (text, G_CSET_A_2_Z G_CSET_a_2_z "0123456789-_+") == strlen (text);
}

static gboolean
is_function (const OrreryImage *image, gpointer function)
{
  for (guint i = 0; i < image->n_parts; i++) {
    const OrreryImagePart *part = &image->parts[i];

    if (part->is_code && (guintptr) function >= part->start && (guintptr) function < part->end)
      return TRUE;
  }
  return FALSE;
}

static gboolean
judge_header (const OrreryImage *image, const Header *header, GError **error)
{
  if (!has_struct (image, header, sizeof *header))
    return refuse (error, "its orrery_plugin_desc lies outside the file");
  if (header->abi_major != ORRERY_ABI_MAJOR)
    return refuse (error, "built for plugin ABI %u.%u, this host has %u.%u: build it again",
                   header->abi_major, header->abi_minor, ORRERY_ABI_MAJOR, ORRERY_ABI_MINOR);
  if (header->abi_minor > ORRERY_ABI_MINOR)
    return refuse (error, "needs plugin ABI %u.%u, this host has %u.%u: a newer Orrery runs it",
                   header->abi_major, header->abi_minor, ORRERY_ABI_MAJOR, ORRERY_ABI_MINOR);
  if (header->size < MIN_SIZE || !has_struct (image, header, header->size))
    return refuse (error, "its descriptor has a size of %u bytes, at least %zu are expected",
                   header->size, MIN_SIZE);
  if (header->class_size < MIN_CLASS_SIZE || header->class_size > MAX_CLASS_SIZE ||
      header->class_size % G_ALIGNOF (gpointer) != 0)
    return refuse (error,
                   "its descriptor has classes of %u bytes each, %zu to %u in whole words are "
                   "expected",
                   header->class_size, MIN_CLASS_SIZE, MAX_CLASS_SIZE);
  return TRUE;
}

/* Counts the entries of a table that ends with one whose first member, a name, is NULL; -1 if it
 * leaves the file or is longer than @max. */
static int
count_entries (const OrreryImage *image, gconstpointer table, gsize size, guint max)
{
  const guint8 *entry = table;

  for (guint n = 0; n <= max; n++, entry += size) {
    if (!has_struct (image, entry, size))
      return -1;
    if (*(const char *const *) entry == NULL)
      return n;
  }
  return -1;
}

static gboolean
judge_level (const OrreryImage *image, const OrreryDescriptor *descriptor,
             const OrreryClassDesc *desc, const OrreryLevel *level, GError **error)
{
  const OrreryClassDesc *its_class = desc;

  if (!is_name (image, level->name, 1))
    return refuse (error, "class %s: the name of a level is no identifier", desc->name);
  if (g_str_equal (level->name, "default"))
    return refuse (error, "class %s: no level may be called default", desc->name);
  for (const OrreryLevel *other = desc->levels; other < level; other++)
    if (g_str_equal (other->name, level->name))
      return refuse (error, "class %s: level %s is listed twice", desc->name, level->name);
  if (level->class_name != NULL) {
    if (!is_name (image, level->class_name, ORRERY_CLASSPATH_MAX_PARTS))
      return refuse (error, "class %s: level %s: its class has no name", desc->name, level->name);
    its_class = orrery_descriptor_find_class (descriptor, level->class_name);
  }
  if (its_class == NULL)
    return refuse (error, "class %s: level %s: there is no class %s in this file", desc->name,
                   level->name, level->class_name);
  if (its_class->role != desc->role)
    return refuse (error, "class %s: level %s: class %s has not the role %s", desc->name,
                   level->name, level->class_name, orrery_role_get_name (desc->role));
  return TRUE;
}

static gboolean
judge_levels (const OrreryImage *image, const OrreryDescriptor *descriptor,
              const OrreryClassDesc *desc, GError **error)
{
  guint n_defaults = 0;
  int n;

  if (desc->levels == NULL)
    return TRUE;
  n = count_entries (image, desc->levels, sizeof *desc->levels, MAX_LEVELS);
  if (n <= 0)
    return refuse (error, "class %s: its table of levels is empty or has no end", desc->name);
  for (int i = 0; i < n; i++) {
    if (!judge_level (image, descriptor, desc, &desc->levels[i], error))
      return FALSE;
    n_defaults += desc->levels[i].by_default ? 1 : 0;
  }
  if (n_defaults > 1)
    return refuse (error, "class %s: %u levels are the default, one may be", desc->name,
                   n_defaults);
  return TRUE;
}

static gboolean
judge_aliases (const OrreryImage *image, const OrreryClassDesc *desc, GError **error)
{
  int n;

  if (desc->aliases == NULL)
    return TRUE;
  n = count_entries (image, desc->aliases, sizeof *desc->aliases, MAX_ALIASES);
  if (n < 0)
    return refuse (error, "class %s: its table of aliases has no end", desc->name);
  for (int i = 0; i < n; i++) {
    const OrreryAlias *alias = &desc->aliases[i];

    if (!is_text (image, alias->name, MAX_NAME))
      return refuse (error, "class %s: alias %d has no name", desc->name, i);
    if (!is_classpath (image, alias->component))
      return refuse (error, "class %s: alias %s names no classpath", desc->name, alias->name);
    if (alias->level != NULL && !is_name (image, alias->level, 1))
      return refuse (error, "class %s: alias %s: its level is no identifier", desc->name,
                     alias->name);
  }
  return TRUE;
}

static gboolean
judge_stream (const OrreryImage *image, const OrreryClassDesc *desc, GError **error)
{
  gboolean is_manager = desc->role == ORRERY_ROLE_DATASTREAM_MANAGER;

  if (desc->stream != NULL && !is_text (image, desc->stream, MAX_NAME))
    return refuse (error, "class %s: the name of its stream is no text", desc->name);
  if (desc->stream != NULL && !is_manager && desc->role != ORRERY_ROLE_REQUEST_MANAGER)
    return refuse (error, "class %s: the role %s has no stream; managers have", desc->name,
                   orrery_role_get_name (desc->role));
  if ((desc->publisher != NULL || desc->reader != NULL) && !is_manager)
    return refuse (error,
                   "class %s: the role %s has no publisher or reader; datastream managers have",
                   desc->name, orrery_role_get_name (desc->role));
  if (desc->publisher != NULL && !is_classpath (image, desc->publisher))
    return refuse (error, "class %s: its publisher is no classpath", desc->name);
  if (desc->reader != NULL && !is_classpath (image, desc->reader))
    return refuse (error, "class %s: its reader is no classpath", desc->name);
  return TRUE;
}

static gboolean
judge_encoding (const OrreryImage *image, const OrreryClassDesc *desc, GError **error)
{
  static const char *const encodings[] = { "ros1", "cdr", "json", "cbor", NULL };

  if (desc->encoding == NULL)
    return TRUE;
  if (desc->role != ORRERY_ROLE_DATASTREAM_MANAGER)
    return refuse (error, "class %s: the role %s has no encoding; datastream managers have",
                   desc->name, orrery_role_get_name (desc->role));
  if (!is_text (image, desc->encoding, MAX_NAME) || !g_strv_contains (encodings, desc->encoding))
    return refuse (error, "class %s: its encoding is none of ros1, cdr, json, cbor", desc->name);
  return TRUE;
}

static gboolean
judge_direction (const OrreryImage *image, const OrreryClassDesc *desc, GError **error)
{
  if (desc->direction == NULL)
    return TRUE;
  if (desc->role != ORRERY_ROLE_DATASTREAM)
    return refuse (error, "class %s: the role %s has no direction; datastreams have", desc->name,
                   orrery_role_get_name (desc->role));
  if (!is_text (image, desc->direction, MAX_NAME) ||
      (!g_str_equal (desc->direction, "IN") && !g_str_equal (desc->direction, "OUT")))
    return refuse (error, "class %s: its direction is neither IN nor OUT", desc->name);
  return TRUE;
}

static gboolean
judge_role (const OrreryClassDesc *desc, GError **error)
{
  if (desc->role == ORRERY_ROLE_NONE)
    return refuse (error,
                   "class %s has no role: its type derives from none of Orrery's roles directly; "
                   "say .role = ORRERY_ROLE_... in its entry",
                   desc->name);
  if ((guint) desc->role > ORRERY_ROLE_OBSERVER)
    return refuse (error, "class %s has role number %u, of which this host knows nothing",
                   desc->name, (guint) desc->role);
  return TRUE;
}

/* One class may have two names, but two classes of one name are an error. */
static gboolean
judge_names (const OrreryDescriptor *descriptor, guint index, GError **error)
{
  const OrreryClassDesc *desc = &descriptor->classes[index];

  for (guint i = 0; i < index; i++) {
    const OrreryClassDesc *other = &descriptor->classes[i];

    if (g_str_equal (other->name, desc->name))
      return refuse (error, "class %s is listed twice", desc->name);
    if (g_str_equal (other->type_name, desc->type_name) && other->get_type != desc->get_type)
      return refuse (error, "classes %s and %s are both of type %s", other->name, desc->name,
                     desc->type_name);
  }
  return TRUE;
}

static gboolean
judge_class (const OrreryImage *image, const OrreryDescriptor *descriptor, guint index,
             GError **error)
{
  const OrreryClassDesc *desc = &descriptor->classes[index];

  if (!is_name (image, desc->name, ORRERY_CLASSPATH_MAX_PARTS - 1))
    return refuse (error, "class number %u: its name is no identifier", index);
  if (!is_type_name (image, desc->type_name))
    return refuse (error, "class %s: its type's name is none that GObject takes", desc->name);
  if (!judge_role (desc, error) || !judge_names (descriptor, index, error))
    return FALSE;
  if (desc->get_type == NULL)
    return refuse (error, "class %s has no get-type function", desc->name);
  if (!is_function (image, (gpointer) desc->get_type))
    return refuse (error, "class %s: its get-type function lies outside the file", desc->name);
  if (!isfinite (desc->frequency) || desc->frequency < 0 || desc->frequency > MAX_FREQUENCY)
    return refuse (error, "class %s: a frequency is 0 to %.0f Hz", desc->name, MAX_FREQUENCY);
  return TRUE;
}

gboolean
orrery_descriptor_judge_classes (const OrreryImage *image, const OrreryDescriptor *descriptor,
                                 GError **error)
{
  for (guint i = 0; i < descriptor->n_classes; i++)
    if (!judge_class (image, descriptor, i, error))
      return FALSE;
  /* These checks look at other classes, which are known to be valid by now. */
  for (guint i = 0; i < descriptor->n_classes; i++) {
    const OrreryClassDesc *desc = &descriptor->classes[i];

    if (!judge_levels (image, descriptor, desc, error) || !judge_aliases (image, desc, error) ||
        !judge_stream (image, desc, error) || !judge_direction (image, desc, error) ||
        !judge_encoding (image, desc, error))
      return FALSE;
  }
  return TRUE;
}

static OrreryClassDesc *
copy_classes (const OrreryPluginDesc *desc, guint n)
{
  OrreryClassDesc *classes = g_new0 (OrreryClassDesc, n + 1);
  gsize size = MIN (desc->class_size, sizeof *classes);

  for (guint i = 0; i < n; i++)
    memcpy (&classes[i], (const guint8 *) desc->classes + (gsize) i * desc->class_size, size);
  return classes;
}

OrreryDescriptor *
orrery_descriptor_judge (const OrreryImage *image, gconstpointer address, GError **error)
{
  g_autoptr (OrreryDescriptor) descriptor = NULL;
  const OrreryPluginDesc *desc = address;
  int n;

  if (!judge_header (image, address, error))
    return NULL;
  if (!is_text (image, desc->summary, MAX_TEXT) || !is_text (image, desc->licence, MAX_TEXT)) {
    refuse (error, "its summary or licence is no text of one line");
    return NULL;
  }
  n = count_entries (image, desc->classes, desc->class_size, MAX_CLASSES);
  if (n <= 0) {
    refuse (error, "its table of classes is empty or has no end");
    return NULL;
  }
  descriptor = g_new0 (OrreryDescriptor, 1);
  descriptor->abi_major = desc->abi_major;
  descriptor->abi_minor = desc->abi_minor;
  descriptor->summary = desc->summary;
  descriptor->licence = desc->licence;
  descriptor->classes = copy_classes (desc, n);
  descriptor->n_classes = n;
  return orrery_descriptor_judge_classes (image, descriptor, error) ? g_steal_pointer (&descriptor)
                                                                    : NULL;
}

const OrreryClassDesc *
orrery_descriptor_find_class (const OrreryDescriptor *descriptor, const char *name)
{
  for (guint i = 0; i < descriptor->n_classes; i++)
    if (g_str_equal (descriptor->classes[i].name, name))
      return &descriptor->classes[i];
  return NULL;
}

int
orrery_class_desc_get_default_level (const OrreryClassDesc *desc)
{
  if (desc->levels == NULL)
    return -1;
  for (int i = 0; desc->levels[i].name != NULL; i++)
    if (desc->levels[i].by_default)
      return i;
  return 0;
}
