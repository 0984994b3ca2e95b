/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the Gazebo extensions of a URDF file: sensors in SDF and friction of links. */
#define G_LOG_DOMAIN "orrery.importers.urdf"

#include "urdf-private.h"

#include <math.h>

#define MAX_SENSORS 1000
#define MAX_TEXTS 1000 /* of one sensor */
#define DEGREES (180 / G_PI)
#define GAUSSIAN "orrery.modifiers.noise.Gaussian"

static void
device_free (gpointer data)
{
  Device *device = data;

  g_free (device->link);
  g_free (device->name);
  g_free (device->type);
  g_hash_table_unref (device->texts);
  g_hash_table_unref (device->read);
  g_ptr_array_unref (device->ways);
  g_free (device);
}

void
urdf_gazebo_init (Urdf *urdf)
{
  urdf->devices = g_ptr_array_new_with_free_func (device_free);
  urdf->frictions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  urdf->words = g_string_new (NULL);
}

void
urdf_gazebo_clear (Urdf *urdf)
{
  g_ptr_array_unref (urdf->devices);
  g_hash_table_unref (urdf->frictions);
  g_string_free (urdf->words, TRUE);
  g_free (urdf->reference);
}

/* --- reading --- */

static gboolean
is_known (const char *element)
{
  return g_str_equal (element, "sensor") || g_str_equal (element, "mu1") ||
         g_str_equal (element, "mu");
}

gboolean
urdf_gazebo_begin (Urdf *urdf, const char *element, const char **names, const char **values,
                   GError **error)
{
  guint depth = urdf->elements->len;
  Device *device;

  g_string_truncate (urdf->words, 0);
  if (depth == 1) {
    g_free (urdf->reference);
    urdf->reference = g_strdup (urdf_find_attribute (names, values, "reference"));
  }
  if (depth == 2 && g_str_equal (element, "plugin"))
    urdf->n_plugins++;
  else if (depth == 2 && !is_known (element))
    urdf_leave (urdf, element, "of Gazebo's own elements sensors and friction are read");
  if (depth != 2 || !g_str_equal (element, "sensor"))
    return TRUE;
  if (urdf->devices->len >= MAX_SENSORS)
    return urdf_fail (urdf, error, "more than %d sensors", MAX_SENSORS);
  device = g_new0 (Device, 1);
  device->link = g_strdup (urdf->reference);
  device->name = g_strdup (urdf_find_attribute (names, values, "name"));
  device->type = g_strdup (urdf_find_attribute (names, values, "type"));
  device->line = urdf->line;
  device->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  device->read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  device->ways = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (urdf->devices, device);
  return TRUE;
}

/* The path from the sensor to the element that ends. */
static char *
get_way (const Urdf *urdf, const char *element)
{
  GString *way = g_string_new (NULL);

  for (guint i = 3; i < urdf->elements->len; i++)
    g_string_append_printf (way, "%s/", (const char *) urdf->elements->pdata[i]);
  g_string_append (way, element);
  return g_string_free (way, FALSE);
}

/* @element: is no longer among the open ones. */
void
urdf_gazebo_end (Urdf *urdf, const char *element)
{
  guint depth = urdf->elements->len;
  char *text = g_strstrip (urdf->words->str);

  if (depth == 2 && urdf->reference != NULL &&
      (g_str_equal (element, "mu1") || g_str_equal (element, "mu"))) {
    double *friction = g_new (double, 1);

    *friction = g_ascii_strtod (text, NULL);
    if (isfinite (*friction) && *friction >= 0)
      g_hash_table_replace (urdf->frictions, g_strdup (urdf->reference), friction);
    else
      g_free (friction);
  } else if (depth > 2 && g_str_equal (urdf->elements->pdata[2], "sensor") && *text != '\0') {
    Device *device = urdf->devices->pdata[urdf->devices->len - 1];

    if (g_hash_table_size (device->texts) < MAX_TEXTS) {
      char *way = get_way (urdf, element);

      if (g_hash_table_replace (device->texts, way, g_strdup (text)))
        g_ptr_array_add (device->ways, g_strdup (way));
    }
  }
  g_string_truncate (urdf->words, 0);
}

/* --- numbers of a sensor --- */

static const char *
get_text (const Device *device, const char *way)
{
  g_hash_table_add (device->read, g_strdup (way));
  return g_hash_table_lookup (device->texts, way);
}

/* SDF has used several names, so the paths in @ways, separated by ';', are tried in order. */
static double
get_number (const Device *device, const char *ways, double otherwise)
{
  g_auto (GStrv) each = g_strsplit (ways, ";", -1);

  for (char **way = each; *way != NULL; way++) {
    const char *text = get_text (device, *way);
    char *end;
    double number = text != NULL ? g_ascii_strtod (text, &end) : NAN;

    if (fabs (number) <= 1e9)
      return number;
  }
  return otherwise;
}

static void
get_pose (const Device *device, OrreryTransform *pose)
{
  const char *text = get_text (device, "pose");
  double numbers[6] = { 0 };

  for (guint i = 0; text != NULL && i < 6; i++) {
    char *end;

    numbers[i] = g_ascii_strtod (text, &end);
    if (end == text || !(fabs (numbers[i]) <= 1e9))
      numbers[i] = 0;
    text = end;
  }
  pose->position = (OrreryVec3){ numbers[0], numbers[1], numbers[2] };
  orrery_quat_from_euler (numbers[3], numbers[4], numbers[5], &pose->rotation);
}

/* --- as components --- */

static void
add_noise (const Device *device, OrreryImport *import, const char *field, const char *way)
{
  g_autofree char *deviation = g_strconcat (way, "/stddev", NULL);
  g_autofree char *mean = g_strconcat (way, "/mean", NULL);
  double sigma = get_number (device, deviation, 0), offset = get_number (device, mean, 0);
  GVariantDict options;

  if (!(sigma > 0) && offset == 0)
    return;
  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "field", "s", field);
  g_variant_dict_insert (&options, "sigma", "d", fmax (sigma, 0));
  g_variant_dict_insert (&options, "mean", "d", offset);
  orrery_import_add_modifier (import, GAUSSIAN, g_variant_dict_end (&options));
}

static void
insert (GVariantDict *values, const char *name, double number, double low, double high)
{
  g_variant_dict_insert (values, name, "d", CLAMP (number, low, high));
}

static GVariant *
describe_scanner (const Device *device, OrreryTransform *pose)
{
  double n = get_number (device, "ray/scan/horizontal/samples;lidar/scan/horizontal/samples", 640);
  double low =
      get_number (device, "ray/scan/horizontal/min_angle;lidar/scan/horizontal/min_angle", 0);
  double high =
      get_number (device, "ray/scan/horizontal/max_angle;lidar/scan/horizontal/max_angle", 0);
  double layers = get_number (device, "ray/scan/vertical/samples;lidar/scan/vertical/samples", 1);
  double down = get_number (device, "ray/scan/vertical/min_angle;lidar/scan/vertical/min_angle", 0);
  double up = get_number (device, "ray/scan/vertical/max_angle;lidar/scan/vertical/max_angle", 0);
  double window = fabs (high - low) * DEGREES, middle = (high + low) / 2 * DEGREES;
  GVariantDict values;

  n = n > 1 ? floor (n) : 1;
  layers = layers > 1 ? fmin (floor (layers), 10000) : 1;
  g_variant_dict_init (&values, NULL);
  insert (&values, "laser_range", get_number (device, "ray/range/max;lidar/range/max", 30), 1e-3,
          1e6);
  insert (&values, "scan_window", n > 1 ? window : 0, 0, 360);
  /* Scanners add up steps as floats; a slightly smaller step keeps the sum within the window. */
  insert (&values, "resolution", n > 1 && window > 0 ? window / (n - 1) * (1 - 3e-7) : 1, 1e-3,
          360);
  insert (&values, "arc_yaw", fabs (middle) > 1e-9 ? middle : 0, -360, 360);
  g_variant_dict_insert (&values, "layers", "x", (gint64) layers);
  if (layers > 1) {
    insert (&values, "layer_separation", fabs (up - down) * DEGREES / (layers - 1), 0, 360);
    insert (&values, "layer_offset", 0, 0, 360);
    insert (&values, "arc_pitch", -(up + down) / 2 * DEGREES, -360, 360);
  }
  return g_variant_dict_end (&values);
}

static GVariant *
describe_camera (const Device *device, OrreryTransform *pose)
{
  GVariantDict values;

  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert (&values, "cam_width", "x",
                         (gint64) CLAMP (get_number (device, "camera/image/width", 320), 1, 4096));
  g_variant_dict_insert (&values, "cam_height", "x",
                         (gint64) CLAMP (get_number (device, "camera/image/height", 240), 1, 4096));
  insert (&values, "cam_fov", get_number (device, "camera/horizontal_fov", 1.047) * DEGREES, 1,
          179);
  insert (&values, "cam_near", get_number (device, "camera/clip/near", 0.1), 1e-4, 1e5);
  insert (&values, "cam_far", get_number (device, "camera/clip/far", 100), 1e-3, 1e6);
  return g_variant_dict_end (&values);
}

static GVariant *
describe_imu (const Device *device, OrreryTransform *pose)
{
  GVariantDict values;

  /* The file does not say where on the Earth it is. */
  g_variant_dict_init (&values, NULL);
  g_variant_dict_insert (&values, "Compass", "b", FALSE);
  return g_variant_dict_end (&values);
}

static GVariant *
describe_nothing (const Device *device, OrreryTransform *pose)
{
  return NULL;
}

typedef struct {
  const char *type;
  const char *classpath;
  GVariant *(*describe) (const Device *device, OrreryTransform *pose);
  const char *noises[7]; /* field, way to it, and so on; NULL at the end */
} Kind;

#define SCANNER "orrery.sensors.laserscanner.LaserScanner"
#define CAMERA "orrery.sensors.video_camera.VideoCamera"
#define DEPTH "orrery.sensors.depth_camera.DepthCamera"
#define GPS "orrery.sensors.gps.GPS"
#define RATE(axis) "angular_velocity." axis, "imu/angular_velocity/" axis "/noise"
#define PULL(axis) "linear_acceleration." axis, "imu/linear_acceleration/" axis "/noise"

static const Kind kinds[] = {
  { "ray", SCANNER, describe_scanner, { "range_list", "ray/noise" } },
  { "gpu_ray", SCANNER, describe_scanner, { "range_list", "ray/noise" } },
  { "lidar", SCANNER, describe_scanner, { "range_list", "lidar/noise" } },
  { "gpu_lidar", SCANNER, describe_scanner, { "range_list", "lidar/noise" } },
  { "camera", CAMERA, describe_camera, { NULL } },
  { "wideanglecamera", CAMERA, describe_camera, { NULL } },
  { "depth", DEPTH, describe_camera, { NULL } },
  { "depth_camera", DEPTH, describe_camera, { NULL } },
  { "rgbd_camera", DEPTH, describe_camera, { NULL } },
  { "imu", "orrery.sensors.imu.IMU", describe_imu, { NULL } },
  { "gps", GPS, describe_nothing, { NULL } },
  { "navsat", GPS, describe_nothing, { NULL } },
  { "contact", "orrery.sensors.contact.Contact", describe_nothing, { NULL } },
};

static void
add_imu_noise (const Device *device, OrreryImport *import)
{
  static const char *const noises[] = { RATE ("x"), RATE ("y"), RATE ("z"),
                                        PULL ("x"), PULL ("y"), PULL ("z") };

  for (guint i = 0; i < G_N_ELEMENTS (noises); i += 2)
    add_noise (device, import, noises[i], noises[i + 1]);
}

static void
add_gps_noise (const Device *device, OrreryImport *import)
{
  static const char *const kind = "gps/position_sensing/";
  g_autofree char *across = g_strconcat (kind, "horizontal/noise", NULL);
  g_autofree char *up = g_strconcat (kind, "vertical/noise", NULL);

  add_noise (device, import, "x", across);
  add_noise (device, import, "y", across);
  add_noise (device, import, "z", up);
}

static void
add_device (const Urdf *urdf, const Device *device, const Kind *kind, Link *link,
            OrreryImport *import)
{
  double rate = get_number (device, "update_rate", 0);
  OrreryTransform pose;

  get_pose (device, &pose);
  orrery_import_add_component (import, link->object,
                               device->name != NULL && *device->name != '\0' ? device->name
                                                                             : device->type,
                               &pose, kind->classpath, rate > 0 ? fmin (rate, 1e4) : 0,
                               kind->describe (device, &pose));
  if (kind->noises[0] != NULL)
    add_noise (device, import, kind->noises[0], kind->noises[1]);
  if (g_str_equal (kind->type, "imu"))
    add_imu_noise (device, import);
  if (g_str_equal (kind->classpath, GPS))
    add_gps_noise (device, import);
}

/* What a sensor of ours has no use for. */
static void
leave_texts (const Urdf *urdf, const Device *device)
{
  for (guint i = 0; i < device->ways->len; i++)
    if (!g_hash_table_contains (device->read, device->ways->pdata[i]))
      unread_note (urdf->unread, "sensor", device->ways->pdata[i], urdf->path, device->line,
                   "the component of that type has nothing like it");
}

static const Kind *
find_kind (const char *type)
{
  for (guint i = 0; type != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (type, kinds[i].type))
      return &kinds[i];
  return NULL;
}

void
urdf_gazebo_add (const Urdf *urdf, OrreryImport *import)
{
  for (guint i = 0; i < urdf->devices->len; i++) {
    const Device *device = urdf->devices->pdata[i];
    const Kind *kind = find_kind (device->type);
    Link *link = device->link != NULL ? g_hash_table_lookup (urdf->by_name, device->link) : NULL;

    if (kind != NULL && link != NULL) {
      add_device (urdf, device, kind, link, import);
      leave_texts (urdf, device);
    } else {
      g_message ("%s:%d: sensor '%s' of the type '%s' is left out: %s%s", urdf->path, device->line,
                 device->name != NULL ? device->name : "", device->type != NULL ? device->type : "",
                 kind == NULL ? "no component measures that" : "there is no link ",
                 kind != NULL && device->link != NULL ? device->link : "");
    }
  }
  if (urdf->n_plugins > 0)
    g_message ("%s: %u plugins of Gazebo are left out: what they do is for components and streams "
               "of the scene",
               urdf->path, urdf->n_plugins);
}
