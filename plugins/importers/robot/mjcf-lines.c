/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds in which line the elements of an MJCF file are, and which of them are not read. */
#define G_LOG_DOMAIN "orrery.importers.mjcf"

#include "mjcf-lines.h"

#include "unread.h"

#include <string.h>

#define MAX_FILES 100
#define MAX_ASSETS 1000
#define MAX_BYTES (64u << 20)
#define MAX_PLACES 200000u

#define COLOURS "of a material only its colour is read"
#define CONTACTS "contacts are those of the scene's engine"
#define SOLVER "the engine has settings of its own"
#define VIEWER "it is for MuJoCo's viewer"
#define PROGRAMS "only programs that use MuJoCo read it"
#define AT_REST "bodies, joints and motors start at rest"
#define SIDES "a shape touches all others, or none where it is 0"
#define FLOWS "what flows meets the box of a body's inertia"

typedef enum { ALWAYS, UNLESS_BIT, IF_SEVERAL, UNLESS_FIRST } When;

/*
 * Elements (without an attribute), their attributes ("*": any that `known` does not list), and the
 * reason why they have no effect.
 */
static const struct {
  const char *element;
  const char *attribute;
  const char *why;
  When when;
} left[] = {
  { "light", NULL, "lamps are objects of the scene", ALWAYS },
  { "texture", NULL, COLOURS, ALWAYS },
  { "material", "texture", COLOURS, ALWAYS },
  { "material", "emission", COLOURS, ALWAYS },
  { "material", "specular", COLOURS, ALWAYS },
  { "material", "shininess", COLOURS, ALWAYS },
  { "material", "reflectance", COLOURS, ALWAYS },
  { "pair", NULL, "what touches is said by shapes alone", ALWAYS },
  { "numeric", NULL, PROGRAMS, ALWAYS },
  { "text", NULL, PROGRAMS, ALWAYS },
  { "tuple", NULL, PROGRAMS, ALWAYS },
  { "statistic", NULL, VIEWER, ALWAYS },
  { "headlight", NULL, VIEWER, ALWAYS },
  { "quality", NULL, VIEWER, ALWAYS },
  { "map", NULL, VIEWER, ALWAYS },
  { "scale", NULL, VIEWER, ALWAYS },
  { "rgba", NULL, VIEWER, ALWAYS },
  { "option", "*", SOLVER, ALWAYS },
  { "flag", "*", SOLVER, ALWAYS },
  { "geom", "contype", SIDES, UNLESS_BIT },
  { "geom", "conaffinity", SIDES, UNLESS_BIT },
  { "geom", "friction", "of friction only that against sliding is read", IF_SEVERAL },
  { "geom", "condim", CONTACTS, ALWAYS },
  { "geom", "priority", CONTACTS, ALWAYS },
  { "geom", "solmix", CONTACTS, ALWAYS },
  { "geom", "solref", CONTACTS, ALWAYS },
  { "geom", "solimp", CONTACTS, ALWAYS },
  { "geom", "margin", CONTACTS, ALWAYS },
  { "geom", "gap", CONTACTS, ALWAYS },
  { "geom", "fluidshape", FLOWS, ALWAYS },
  { "geom", "fluidcoef", FLOWS, ALWAYS },
  { "joint", "solreflimit", SOLVER, ALWAYS },
  { "joint", "solimplimit", SOLVER, ALWAYS },
  { "joint", "solreffriction", SOLVER, ALWAYS },
  { "joint", "solimpfriction", SOLVER, ALWAYS },
  { "joint", "margin", SOLVER, ALWAYS },
  { "joint", "solref", SOLVER, ALWAYS },
  { "joint", "solimp", SOLVER, ALWAYS },
  { "connect", "solref", SOLVER, ALWAYS },
  { "connect", "solimp", SOLVER, ALWAYS },
  { "weld", "solref", SOLVER, ALWAYS },
  { "weld", "solimp", SOLVER, ALWAYS },
  { "body", "mocap", "a body without a joint stands still", ALWAYS },
  { "general", "dyntype", "motors follow their commands without delay", ALWAYS },
  { "general", "dynprm", "motors follow their commands without delay", ALWAYS },
  { "key", NULL, "a run begins with the first keyframe", UNLESS_FIRST },
  { "key", "time", "a run starts at the time of the scene", ALWAYS },
  { "key", "qvel", AT_REST, ALWAYS },
  { "key", "act", AT_REST, ALWAYS },
  { "key", "ctrl", AT_REST, ALWAYS },
  { "key", "mpos", "a body without a joint stands still", ALWAYS },
  { "key", "mquat", "a body without a joint stands still", ALWAYS },
};

static const struct {
  const char *element;
  const char *attributes[8];
} known[] = {
  { "option", { "gravity", "wind", "density", "viscosity", "timestep", "integrator", "cone" } },
  { "flag", { "gravity" } },
};

/* One element. */
typedef struct {
  const char *section; /* interned: the element around it, as `sensor` */
  char *name;          /* or NULL */
  guint file;
  int line;
  guint body; /* of a camera: the number of the body that it is in, in the order of the file */
  gboolean is_camera;
} Place;

/* A file of a mesh, a height field, a texture or a skin. */
typedef struct {
  gboolean is_texture;
  char *name; /* as it is written */
} Asset;

struct _MjcfLines {
  GPtrArray *files;   /* (element-type utf8): of elements, the first is the file itself */
  GArray *assets;     /* (element-type Asset) */
  char *folders[2];   /* (nullable): of meshes, of textures */
  gboolean strips;    /* names of assets are taken without their folders */
  gboolean is_whole;  /* all files of elements were read */
  GArray *places;     /* (element-type Place), in the order of the file */
  GPtrArray *unknown; /* (element-type utf8): messages of files that are no plain XML */
  Unread *unread;
  GHashTable *options; /* (element-type utf8 utf8): attributes of <option> and <flag>, places */
  GPtrArray *open;     /* (element-type utf8): interned names of open elements */
  GArray *cameras;     /* (element-type Place): in MuJoCo's order; borrowed */
  GArray *bodies;      /* (element-type guint): of each of them, the body that it is in */
  guint file;
  guint n_keys;
  guint n_bodies;
};

static void read_file (MjcfLines *lines, guint file);

static void
clear_place (gpointer data)
{
  g_free (((Place *) data)->name);
}

static void
clear_asset (gpointer data)
{
  g_free (((Asset *) data)->name);
}

void
mjcf_lines_free (MjcfLines *lines)
{
  g_array_unref (lines->assets);
  g_free (lines->folders[0]);
  g_free (lines->folders[1]);
  g_ptr_array_unref (lines->files);
  g_array_unref (lines->places);
  g_ptr_array_unref (lines->unknown);
  unread_free (lines->unread);
  g_hash_table_unref (lines->options);
  g_ptr_array_unref (lines->open);
  g_array_unref (lines->bodies);
  g_array_unref (lines->cameras);
  g_free (lines);
}

/* --- what has no effect --- */

static gboolean
is_read (const char *element, const char *attribute)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_equal (element, known[i].element) &&
        g_strv_contains ((const char *const *) known[i].attributes, attribute))
      return TRUE;
  return FALSE;
}

static gboolean
matters (const MjcfLines *lines, When when, const char *value)
{
  switch (when) {
  case UNLESS_BIT:
    return !g_str_equal (value, "0") && !g_str_equal (value, "1");
  case IF_SEVERAL:
    return strpbrk (value, " \t\n") != NULL;
  case UNLESS_FIRST:
    return lines->n_keys > 1;
  default:
    return TRUE;
  }
}

static void
note (MjcfLines *lines, const char *element, const char *attribute, const char *why, int line)
{
  unread_note (lines->unread, element, attribute, lines->files->pdata[lines->file], line, why);
}

static void
look_for_unread (MjcfLines *lines, const char *element, const char **names, const char **values,
                 int line)
{
  for (guint i = 0; i < G_N_ELEMENTS (left); i++) {
    if (!g_str_equal (element, left[i].element))
      continue;
    if (left[i].attribute == NULL && matters (lines, left[i].when, ""))
      note (lines, left[i].element, NULL, left[i].why, line);
    for (guint k = 0; left[i].attribute != NULL && names[k] != NULL; k++)
      if ((g_str_equal (left[i].attribute, "*") ? !is_read (element, names[k])
                                                : g_str_equal (left[i].attribute, names[k])) &&
          matters (lines, left[i].when, values[k]))
        note (lines, left[i].element, names[k], left[i].why, line);
  }
}

void
mjcf_lines_tell_unread (const MjcfLines *lines)
{
  for (guint i = 0; i < lines->unknown->len; i++)
    g_message ("%s", (const char *) lines->unknown->pdata[i]);
  unread_tell (lines->unread, G_LOG_DOMAIN);
}

/* --- reading --- */

/* Of an attribute that is not there NULL. */
static const char *
find_value (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return values[i];
  return NULL;
}

static const char *
get_open (const MjcfLines *lines, guint above)
{
  return lines->open->len > above ? lines->open->pdata[lines->open->len - 1 - above] : "";
}

/* 0: it is in no body, and the world counts as one. */
static guint
get_body (const MjcfLines *lines)
{
  return lines->bodies->len > 0 ? g_array_index (lines->bodies, guint, lines->bodies->len - 1) : 0;
}

static void
open_element (MjcfLines *lines, const char *element)
{
  gboolean is_body =
      g_str_equal (element, "worldbody") || (g_str_equal (element, "body") && get_body (lines) > 0);
  guint body = is_body ? ++lines->n_bodies : get_body (lines);

  /* The parts of the world may be in several places. */
  if (g_str_equal (element, "worldbody"))
    body = 1;
  g_ptr_array_add (lines->open, (gpointer) g_intern_string (element));
  g_array_append_val (lines->bodies, body);
}

static void
set_depth (MjcfLines *lines, guint depth)
{
  g_ptr_array_set_size (lines->open, (int) depth);
  g_array_set_size (lines->bodies, depth);
}

static char *
make_place (const MjcfLines *lines, const Place *place)
{
  return g_strdup_printf ("%s:%d", (const char *) lines->files->pdata[place->file], place->line);
}

/* A file that is included lies beside the first one; each is read once. */
static void
include (MjcfLines *lines, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (lines->files->pdata[0]);
  g_autofree char *path =
      g_path_is_absolute (name) ? g_strdup (name) : g_build_filename (folder, name, NULL);
  guint back = lines->file;
  guint depth = lines->open->len;

  if (g_ptr_array_find_with_equal_func (lines->files, path, g_str_equal, NULL))
    return;
  if (lines->files->len >= MAX_FILES) {
    lines->is_whole = FALSE;
    return;
  }
  g_ptr_array_add (lines->files, g_steal_pointer (&path));
  read_file (lines, lines->files->len - 1);
  /* A file that is wrong may leave elements open. */
  set_depth (lines, depth);
  lines->file = back;
}

static void
add_asset (MjcfLines *lines, const char *element, const char *attribute, const char *value)
{
  Asset asset = { .is_texture = g_str_equal (element, "texture") };
  gboolean names_file =
      g_str_equal (attribute, "file") ||
      (asset.is_texture && g_str_has_prefix (attribute, "file")); /* of the sides of a cube */

  if (!names_file || *value == '\0')
    return;
  if (lines->assets->len >= MAX_ASSETS) {
    lines->is_whole = FALSE;
    return;
  }
  asset.name = g_strdup (value);
  g_array_append_val (lines->assets, asset);
}

static void
look_for_files (MjcfLines *lines, const char *element, const char **names, const char **values)
{
  static const char *const kinds[] = { "mesh", "hfield", "texture", "skin", NULL };

  for (guint i = 0; g_strv_contains (kinds, element) && names[i] != NULL; i++)
    add_asset (lines, element, names[i], values[i]);
  if (!g_str_equal (element, "compiler"))
    return;
  for (guint i = 0; names[i] != NULL; i++) {
    if (g_str_equal (names[i], "meshdir") || g_str_equal (names[i], "texturedir")) {
      char **folder = &lines->folders[g_str_equal (names[i], "texturedir")];

      g_free (*folder);
      *folder = g_strdup (values[i]);
    } else if (g_str_equal (names[i], "strippath")) {
      lines->strips = g_str_equal (values[i], "true");
    }
  }
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **names,
          const char **values, gpointer data, GError **error)
{
  MjcfLines *lines = data;
  Place place = { .section = get_open (lines, 0), .file = lines->file };

  g_markup_parse_context_get_position (context, &place.line, NULL);
  /* The root of an included file is no element: what it holds lies where the file is included. */
  if (g_str_equal (place.section, "include")) {
    open_element (lines, get_open (lines, 1));
    return;
  }
  place.body = get_body (lines);
  place.is_camera = place.body > 0 && g_str_equal (element, "camera");
  open_element (lines, element);
  look_for_files (lines, element, names, values);
  if (lines->places->len >= MAX_PLACES)
    return;
  place.name = g_strdup (find_value (names, values, "name"));
  g_array_append_val (lines->places, place);
  lines->n_keys += g_str_equal (element, "key");
  look_for_unread (lines, element, names, values, place.line);
  if (g_str_equal (element, "option") || g_str_equal (element, "flag"))
    for (guint i = 0; names[i] != NULL; i++)
      g_hash_table_replace (lines->options, g_strdup (names[i]), make_place (lines, &place));
  if (g_str_equal (element, "include") && find_value (names, values, "file") != NULL)
    include (lines, find_value (names, values, "file"));
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  MjcfLines *lines = data;

  set_depth (lines, lines->open->len - 1);
}

/* The elements of an included file stand in place of the element that includes it. */
static void
read_file (MjcfLines *lines, guint file)
{
  static const GMarkupParser parser = { .start_element = on_start, .end_element = on_end };
  const char *path = lines->files->pdata[file];
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, lines, NULL);
  g_autoptr (GMappedFile) mapped = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  lines->is_whole = lines->is_whole && g_file_test (path, G_FILE_TEST_IS_REGULAR);
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return;
  mapped = g_mapped_file_new (path, FALSE, &error);
  length = mapped != NULL ? g_mapped_file_get_length (mapped) : 0;
  if (length > 0 && length <= MAX_BYTES) {
    lines->file = file;
    g_markup_parse_context_parse (context, g_mapped_file_get_contents (mapped), (gssize) length,
                                  &error);
  }
  lines->is_whole = lines->is_whole && length > 0 && length <= MAX_BYTES && error == NULL;
  if (error != NULL)
    g_ptr_array_add (lines->unknown, g_strdup_printf ("%s: it cannot be said what of it is left "
                                                      "out: %s",
                                                      path, error->message));
}

static int
compare_cameras (gconstpointer a, gconstpointer b)
{
  const Place *one = *(const Place *const *) a, *two = *(const Place *const *) b;

  if (one->body != two->body)
    return one->body < two->body ? -1 : 1;
  return one < two ? -1 : one > two;
}

static void
list_cameras (MjcfLines *lines)
{
  for (guint i = 0; i < lines->places->len; i++) {
    const Place *place = &g_array_index (lines->places, Place, i);

    if (place->is_camera)
      g_array_append_val (lines->cameras, place);
  }
  g_array_sort (lines->cameras, compare_cameras);
}

MjcfLines *
mjcf_lines_read (const char *path)
{
  MjcfLines *lines = g_new0 (MjcfLines, 1);

  lines->files = g_ptr_array_new_with_free_func (g_free);
  lines->places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_array_set_clear_func (lines->places, clear_place);
  lines->assets = g_array_new (FALSE, FALSE, sizeof (Asset));
  g_array_set_clear_func (lines->assets, clear_asset);
  lines->is_whole = TRUE;
  lines->unknown = g_ptr_array_new_with_free_func (g_free);
  lines->unread = unread_new ();
  lines->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  lines->open = g_ptr_array_new ();
  lines->bodies = g_array_new (FALSE, FALSE, sizeof (guint));
  lines->cameras = g_array_new (FALSE, FALSE, sizeof (Place *));
  g_ptr_array_add (lines->files, g_strdup (path));
  read_file (lines, 0);
  list_cameras (lines);
  return lines;
}

/* --- what was found --- */

/* As MuJoCo finds it: beside the first file, in the folder that the compiler is given. */
static char *
find_asset (const MjcfLines *lines, const Asset *asset)
{
  const char *folder = lines->folders[asset->is_texture];
  g_autofree char *top = g_path_get_dirname (lines->files->pdata[0]);
  g_autofree char *base =
      lines->strips ? g_path_get_basename (asset->name) : g_strdup (asset->name);

  if (g_path_is_absolute (base))
    return g_steal_pointer (&base);
  if (folder != NULL && g_path_is_absolute (folder))
    return g_build_filename (folder, base, NULL);
  return g_build_filename (top, folder != NULL ? folder : "", base, NULL);
}

GPtrArray *
mjcf_lines_list_files (const MjcfLines *lines, gboolean *is_all)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < lines->files->len; i++)
    g_ptr_array_add (list, g_strdup (lines->files->pdata[i]));
  for (guint i = 0; i < lines->assets->len; i++) {
    char *path = find_asset (lines, &g_array_index (lines->assets, Asset, i));

    if (g_ptr_array_find_with_equal_func (list, path, g_str_equal, NULL))
      g_free (path);
    else
      g_ptr_array_add (list, path);
  }
  *is_all = lines->is_whole;
  for (guint i = list->len; i > 0; i--)
    if (!g_file_test (list->pdata[i - 1], G_FILE_TEST_IS_REGULAR)) {
      *is_all = FALSE;
      g_ptr_array_remove_index (list, i - 1);
    }
  return list;
}

char *
mjcf_lines_find (const MjcfLines *lines, const char *section, const char *name, guint number)
{
  guint n = 0;

  for (guint i = 0; i < lines->places->len; i++) {
    const Place *place = &g_array_index (lines->places, Place, i);
    gboolean here = g_str_equal (place->section, section);

    n += here;
    if (*name != '\0' ? g_strcmp0 (place->name, name) == 0 && (here || *section == '\0')
                      : here && n == number + 1)
      return make_place (lines, place);
  }
  return g_strdup (lines->files->pdata[0]);
}

char *
mjcf_lines_find_camera (const MjcfLines *lines, const char *name, guint number)
{
  for (guint i = 0; i < lines->cameras->len; i++) {
    const Place *place = g_array_index (lines->cameras, const Place *, i);

    if (*name != '\0' ? g_strcmp0 (place->name, name) == 0 : i == number)
      return make_place (lines, place);
  }
  return g_strdup (lines->files->pdata[0]);
}

const char *
mjcf_lines_find_option (const MjcfLines *lines, const char *name)
{
  return g_hash_table_lookup (lines->options, name);
}
