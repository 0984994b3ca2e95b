/* SPDX-License-Identifier: BSD-3-Clause */
#include "registry/orrery-descriptor-private.h"

#include <math.h>
#include <string.h>

/* One descriptor that is right; each row breaks it in one place, and reads what the host says. */

#define N_CLASSES 4
#define N_MANY 2000

typedef struct {
  OrreryPluginDesc plugin;
  OrreryClassDesc classes[N_CLASSES];
  OrreryLevel levels[4];
  OrreryAlias aliases[3];
} Descriptor;

static GType
get_no_type (void)
{
  return G_TYPE_INVALID;
}

static GType
get_other_type (void)
{
  return G_TYPE_NONE;
}

static const Descriptor right = {
  .plugin = { sizeof (OrreryPluginDesc), sizeof (OrreryClassDesc), ORRERY_ABI_MAJOR,
              ORRERY_ABI_MINOR, "Words", "BSD-3-Clause", NULL },
  .classes = { { .name = "Eye",
                 .type_name = "AcmeEye",
                 .role = ORRERY_ROLE_SENSOR,
                 .get_type = get_no_type,
                 .frequency = 30 },
               { .name = "RawEye",
                 .type_name = "AcmeRawEye",
                 .role = ORRERY_ROLE_SENSOR,
                 .get_type = get_no_type },
               { .name = "Wire",
                 .type_name = "AcmeWire",
                 .role = ORRERY_ROLE_DATASTREAM_MANAGER,
                 .get_type = get_no_type,
                 .stream = "wire",
                 .publisher = "acme.wire.Out",
                 .reader = "acme.wire.In" } },
  .levels = { { "raw", "RawEye" }, { "fine", NULL, TRUE } },
  .aliases = { { "Blur", "orrery.sensors.pose.Pose", "raw" } },
};

static Descriptor it;                /* the one that is broken */
static OrreryLevel many_levels[100]; /* all the same */
static OrreryAlias many_aliases[N_MANY];
static OrreryClassDesc many_classes[N_MANY / 4];
static char control_text[] = "two\nlines";

static void
restore (void)
{
  it = right;
  it.plugin.classes = it.classes;
  it.classes[0].levels = it.levels;
  it.classes[0].aliases = it.aliases;
  for (guint i = 0; i < G_N_ELEMENTS (many_levels); i++)
    many_levels[i] = (OrreryLevel){ "raw", "RawEye" };
  for (guint i = 0; i < G_N_ELEMENTS (many_aliases); i++)
    many_aliases[i] = it.aliases[0];
  for (guint i = 0; i < G_N_ELEMENTS (many_classes); i++)
    many_classes[i] = it.classes[1];
}

static void
nothing (void)
{
}
static void
major (void)
{
  it.plugin.abi_major = 9;
}
static void
minor (void)
{
  it.plugin.abi_minor = 99;
}
static void
size (void)
{
  it.plugin.size = 8;
}
static void
class_size (void)
{
  it.plugin.class_size = 12;
}
static void
class_size_large (void)
{
  it.plugin.class_size = 1 << 20;
}
static void
summary (void)
{
  it.plugin.summary = NULL;
}
static void
licence (void)
{
  it.plugin.licence = control_text;
}
static void
classes_none (void)
{
  it.plugin.classes = &it.classes[3];
}
static void
classes_many (void)
{
  it.plugin.classes = many_classes;
}
static void
classes_stray (void)
{
  it.plugin.classes = (gconstpointer) 16;
}
static void
name (void)
{
  it.classes[1].name = "Raw Eye";
}
static void
name_twice (void)
{
  it.classes[1].name = "Eye";
}
static void
type_name (void)
{
  it.classes[1].type_name = "1";
}
static void
type_twice (void)
{
  it.classes[1].type_name = "AcmeEye";
  it.classes[1].get_type = get_other_type;
}
static void
role_none (void)
{
  it.classes[1].role = ORRERY_ROLE_NONE;
}
static void
role_number (void)
{
  it.classes[1].role = 77;
}
static void
no_function (void)
{
  it.classes[1].get_type = NULL;
}
static void
stray_function (void)
{
  it.classes[1].get_type = (GType (*) (void)) (void (*) (void)) (guintptr) 16;
}
static void
frequency (void)
{
  it.classes[1].frequency = NAN;
}
static void
level_name (void)
{
  it.levels[0].name = "very raw";
}
static void
level_default (void)
{
  it.levels[0].name = "default";
}
static void
level_twice (void)
{
  it.levels[1].name = "raw";
}
static void
level_class (void)
{
  it.levels[0].class_name = "";
}
static void
level_missing (void)
{
  it.levels[0].class_name = "BlueEye";
}
static void
level_role (void)
{
  it.levels[0].class_name = "Wire";
}
static void
levels_none (void)
{
  it.classes[0].levels = &it.levels[3];
}
static void
levels_many (void)
{
  it.classes[0].levels = many_levels;
}
static void
level_defaults (void)
{
  it.levels[0].by_default = TRUE;
}
static void
aliases_many (void)
{
  it.classes[0].aliases = many_aliases;
}
static void
alias_name (void)
{
  it.aliases[0].name = "";
}
static void
alias_component (void)
{
  it.aliases[0].component = "Pose";
}
static void
alias_level (void)
{
  it.aliases[0].level = "a b";
}
static void
stream (void)
{
  it.classes[2].stream = "";
}
static void
stream_role (void)
{
  it.classes[1].stream = "wire";
}
static void
codec_role (void)
{
  it.classes[1].publisher = "acme.wire.Out";
}
static void
direction_role (void)
{
  it.classes[1].direction = "OUT";
}
static void
direction (void)
{
  it.classes[2].role = ORRERY_ROLE_DATASTREAM;
  it.classes[2].stream = it.classes[2].publisher = it.classes[2].reader = NULL;
  it.classes[2].direction = "out";
}
static void
encoding_role (void)
{
  it.classes[1].encoding = "cdr";
}
static void
encoding (void)
{
  it.classes[2].encoding = "CDR";
}
static void
publisher (void)
{
  it.classes[2].publisher = "Out";
}
static void
reader (void)
{
  it.classes[2].reader = "In";
}

typedef struct {
  const char *what;
  void (*change) (void);
  const char *said; /* NULL: it is right */
} Row;

static const Row rows[] = {
  { "right", nothing, NULL },
  { "major", major, "built for plugin ABI 9.3, this host has 2.3: build it again" },
  { "minor", minor, "needs plugin ABI 2.99, this host has 2.3: a newer Orrery runs it" },
  { "size", size, "its descriptor has a size of 8 bytes, at least 40 are expected" },
  { "class-size", class_size,
    "its descriptor has classes of 12 bytes each, 84 to 4096 in whole words are expected" },
  { "class-size-large", class_size_large,
    "its descriptor has classes of 1048576 bytes each, 84 to 4096 in whole words are expected" },
  { "summary", summary, "its summary or licence is no text of one line" },
  { "licence", licence, "its summary or licence is no text of one line" },
  { "classes-none", classes_none, "its table of classes is empty or has no end" },
  { "classes-many", classes_many, "its table of classes is empty or has no end" },
  { "classes-stray", classes_stray, "its table of classes is empty or has no end" },
  { "name", name, "class number 1: its name is no identifier" },
  { "name-twice", name_twice, "class Eye is listed twice" },
  { "type-name", type_name, "class RawEye: its type's name is none that GObject takes" },
  { "type-twice", type_twice, "classes Eye and RawEye are both of type AcmeEye" },
  { "role-none", role_none,
    "class RawEye has no role: its type derives from none of Orrery's roles directly; say .role = "
    "ORRERY_ROLE_... in its entry" },
  { "role-number", role_number,
    "class RawEye has role number 77, of which this host knows nothing" },
  { "no-function", no_function, "class RawEye has no get-type function" },
  { "stray-function", stray_function, "class RawEye: its get-type function lies outside the file" },
  { "frequency", frequency, "class RawEye: a frequency is 0 to 1000000 Hz" },
  { "level-name", level_name, "class Eye: the name of a level is no identifier" },
  { "level-default", level_default, "class Eye: no level may be called default" },
  { "level-twice", level_twice, "class Eye: level raw is listed twice" },
  { "level-class", level_class, "class Eye: level raw: its class has no name" },
  { "level-missing", level_missing,
    "class Eye: level raw: there is no class BlueEye in this file" },
  { "level-role", level_role, "class Eye: level raw: class Wire has not the role sensor" },
  { "levels-none", levels_none, "class Eye: its table of levels is empty or has no end" },
  { "levels-many", levels_many, "class Eye: its table of levels is empty or has no end" },
  { "level-defaults", level_defaults, "class Eye: 2 levels are the default, one may be" },
  { "aliases-many", aliases_many, "class Eye: its table of aliases has no end" },
  { "alias-name", alias_name, "class Eye: alias 0 has no name" },
  { "alias-component", alias_component, "class Eye: alias Blur names no classpath" },
  { "alias-level", alias_level, "class Eye: alias Blur: its level is no identifier" },
  { "stream", stream, "class Wire: the name of its stream is no text" },
  { "stream-role", stream_role, "class RawEye: the role sensor has no stream; managers have" },
  { "codec-role", codec_role,
    "class RawEye: the role sensor has no publisher or reader; datastream managers have" },
  { "direction-role", direction_role,
    "class RawEye: the role sensor has no direction; datastreams have" },
  { "direction", direction, "class Wire: its direction is neither IN nor OUT" },
  { "encoding-role", encoding_role,
    "class RawEye: the role sensor has no encoding; datastream managers have" },
  { "encoding", encoding, "class Wire: its encoding is none of ros1, cdr, json, cbor" },
  { "publisher", publisher, "class Wire: its publisher is no classpath" },
  { "reader", reader, "class Wire: its reader is no classpath" },
};

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (OrreryDescriptor) descriptor = NULL;
  g_autoptr (GError) error = NULL;
  OrreryImage image;

  restore ();
  row->change ();
  g_assert_true (orrery_image_find (&image, &it));
  descriptor = orrery_descriptor_judge (&image, &it, &error);
  if (row->said == NULL) {
    g_assert_no_error (error);
    g_assert_cmpuint (descriptor->n_classes, ==, 3);
    g_assert_cmpint (orrery_class_desc_get_default_level (&descriptor->classes[0]), ==, 1);
    return;
  }
  g_assert_null (descriptor);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
  g_assert_cmpstr (error->message, ==, row->said);
}

/* The image ends within the descriptor. */
static void
test_outside (void)
{
  g_autoptr (GError) error = NULL;
  OrreryImage image = { .n_parts = 1 };

  restore ();
  image.parts[0].start = (guintptr) &it;
  image.parts[0].end = (guintptr) &it + 4;
  g_assert_null (orrery_descriptor_judge (&image, &it, &error));
  g_assert_cmpstr (error->message, ==, "its orrery_plugin_desc lies outside the file");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_summary ("A descriptor that breaks any rule is refused, and the refusal names the rule");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = g_strconcat ("/descriptor/", rows[i].what, NULL);

    g_test_add_data_func (path, &rows[i], test_row);
  }
  g_test_add_func ("/descriptor/outside", test_outside);
  return g_test_run ();
}
