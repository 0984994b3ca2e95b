/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances along a fan of rays. */
#include <orrery.h>

#include <math.h>
#include <string.h>

/* Rays of one scan. */
#define MAX_RAYS 4000000
/* Rays cast at once: their answers fit near the processor. */
#define BLOCK 256
#define DEGREE (G_PI / 180)
/* Of a surface of which nothing is said: Blender's default. */
#define SPECULAR 0.5

typedef struct {
  OrreryPoints point_list;
  OrreryArray range_list;
} LaserData;

typedef struct {
  OrreryPoints point_list;
  OrreryArray range_list;
  OrreryArray remission_list;
} RssiLaserData;

#define LASER_FIELDS(Struct)                                                                       \
  ORRERY_FIELD (Struct, point_list, "m",                                                           \
                "Where each ray ends, in the sensor's frame; (0, 0, 0) where nothing is met"),     \
      ORRERY_FIELD (Struct, range_list, "m",                                                       \
                    "Distance that each ray goes; laser_range where nothing is met")

static const OrreryField fields[] = { LASER_FIELDS (LaserData) };

static const OrreryField rssi_fields[] = {
  LASER_FIELDS (RssiLaserData),
  ORRERY_FIELD (RssiLaserData, remission_list, "",
                "How much of each ray comes back, 0 to 1; 0 where nothing is met"),
};

/*
 * A fan of rays about the sensor's x, from right to left, in layers from above to below. It meets
 * what bodies collide with, from outside of convex shapes; the robot that carries it only with
 * SeesRobot, as an engine leaves out who asks. Remission is the property Remission of what is
 * met, or of what that is part of, else how much of the light its material mirrors.
 */
typedef struct {
  OrrerySensor parent_instance;
  double laser_range;
  double scan_window;
  double resolution;
  guint layers;
  double layer_separation;
  double layer_offset;
  double roll, pitch, yaw; /* of the fan */
  gboolean visible_arc;
  gboolean sees_robot;

  OrreryRaycaster *rays; /* borrowed */
  OrreryVec3 *fan;       /* directions in the sensor's frame, unit */
  gsize n_rays;
  guint robot;        /* index of its object, or ORRERY_RAYS_SKIP_NOTHING */
  OrreryWorld *world; /* where anybody asks for remission: */
  double *remissions; /* by object; NaN: as its materials say */
  guint n_objects;
} OrreryLaserScanner;
ORRERY_DEFINE_CLASS (OrreryLaserScanner, orrery_laser_scanner, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, laser_range, "laser_range", 1e-3, 1e6, 30,
                          "How far a ray goes, m"),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, scan_window, "scan_window", 0, 360, 180,
                          "From the first ray of a layer to the last, degrees",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, resolution, "resolution", 1e-3, 360, 1,
                          "From one ray to the next, degrees", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryLaserScanner, visible_arc, "Visible_arc", FALSE,
                           "Whether viewers draw the fan; rays go as they do",
                           .flags = ORRERY_PROPERTY_UNUSED),
  ORRERY_PROPERTY_UINT (OrreryLaserScanner, layers, "layers", 1, 1024, 1, "Fans above one another",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, layer_separation, "layer_separation", 0, 180, 0.8,
                          "From one layer to the next, degrees", .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, layer_offset, "layer_offset", -360, 360, 0.125,
                          "By how much the first, third ... of several layers begin later, degrees",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, roll, "arc_roll", -360, 360, 0,
                          "Of the fan in the sensor, about x, degrees",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, pitch, "arc_pitch", -360, 360, 0,
                          "Of the fan in the sensor, about y, degrees",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScanner, yaw, "arc_yaw", -360, 360, 0,
                          "Of the fan in the sensor, about z, degrees",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (
      OrreryLaserScanner, sees_robot, "SeesRobot", FALSE,
      "Whether rays meet the robot that carries the sensor, from outside of its shapes",
      .flags = ORRERY_PROPERTY_AT_START),
};

/* --- the fan --- */

/* MORSE adds azimuths up, step by step, in degrees and in doubles; what it adds are properties of
 * Blender, which are floats. Counts depend on that: 0.1 is a little more as a float, so the last
 * ray of half a circle is beyond its end. */
typedef struct {
  double at;
  double end;
  double step;
} Azimuths;

static Azimuths
begin_layer (OrreryLaserScanner *self, guint layer)
{
  double shift = self->layers > 1 && layer % 2 == 0 ? (float) self->layer_offset : 0;
  double half = (float) self->scan_window / 2.0;

  return (Azimuths){ shift - half, shift + half, (float) self->resolution };
}

/* Layers that are shifted may have another count. */
static gsize
count_rays (OrreryLaserScanner *self)
{
  gsize n = 0;

  for (guint layer = 0; layer < self->layers && n <= MAX_RAYS; layer++)
    for (Azimuths a = begin_layer (self, layer); a.at <= a.end && n <= MAX_RAYS; a.at += a.step)
      n++;
  return n;
}

/* The sine of a layer's height is that of MORSE: the direction gets its length 1 afterwards. */
static gsize
make_layer (OrreryLaserScanner *self, guint layer, const OrreryQuat *turn, OrreryVec3 *fan)
{
  double up = ((self->layers - 1) / 2.0 - layer) * self->layer_separation * DEGREE;
  double length = sqrt (1 + sin (up) * sin (up));
  gsize n = 0;

  for (Azimuths a = begin_layer (self, layer); a.at <= a.end; a.at += a.step) {
    double azimuth = a.at * DEGREE;

    fan[n] = (OrreryVec3){ cos (azimuth) / length, sin (azimuth) / length, sin (up) / length };
    orrery_quat_rotate (turn, &fan[n], &fan[n]);
    n++;
  }
  return n;
}

static void
make_fan (OrreryLaserScanner *self, gsize n)
{
  OrreryQuat turn;
  gsize at = 0;

  orrery_quat_from_euler (self->roll * DEGREE, self->pitch * DEGREE, self->yaw * DEGREE, &turn);
  g_free (self->fan);
  self->n_rays = n;
  self->fan = g_new (OrreryVec3, self->n_rays);
  for (guint layer = 0; layer < self->layers; layer++)
    at += make_layer (self, layer, &turn, self->fan + at);
}

/* FALSE: it is no number */
static gboolean
read_number (GVariant *value, double *number)
{
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    *number = g_variant_get_double (value);
  else if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *number = g_variant_get_int64 (value);
  else
    return FALSE;
  return isfinite (*number);
}

/* What the object, or one that it is part of, says itself; NaN: nothing. */
static double
find_remission (OrreryObject *object)
{
  double number;

  for (; object != NULL; object = orrery_object_get_parent (object))
    if (read_number (orrery_object_get_value (object, "Remission"), &number))
      return number;
  return NAN;
}

static double
get_remission (OrreryLaserScanner *self, const OrreryHit *hit)
{
  OrreryShape *shape;
  OrreryBuffer *indices;
  OrreryMaterial *material;

  if (!isnan (self->remissions[hit->object]))
    return self->remissions[hit->object];
  shape = orrery_object_get_shapes (orrery_world_get_object (self->world, hit->object))
              ->pdata[hit->shape];
  indices = orrery_shape_get_triangle_materials (shape);
  material = orrery_shape_get_material (
      shape, indices != NULL && hit->triangle < orrery_buffer_get_length (indices, 0)
                 ? ((const guint32 *) orrery_buffer_get_data (indices))[hit->triangle]
                 : 0);
  return material != NULL ? orrery_material_get_specular (material) : SPECULAR;
}

static void
orrery_laser_scanner_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryLaserScanner *self = (OrreryLaserScanner *) part;
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));
  LaserData *data = orrery_record_data (orrery_setup_get_record (setup));
  gsize n = count_rays (self);

  if (n > MAX_RAYS) {
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "a scan_window of %g degrees in steps of a resolution of %g, in %u layers, has "
        "more than %d rays",
        self->scan_window, self->resolution, self->layers, MAX_RAYS);
    return;
  }
  self->rays = orrery_setup_get_rays (setup, error);
  if (self->rays == NULL)
    return;
  self->robot = robot != NULL && !self->sees_robot
                    ? orrery_object_get_index (orrery_component_get_object (robot))
                    : ORRERY_RAYS_SKIP_NOTHING;
  make_fan (self, n);
  memset (orrery_points_prepare (&data->point_list, self->n_rays), 0,
          self->n_rays * 3 * sizeof (double));
  memset (orrery_array_prepare (&data->range_list, self->n_rays), 0,
          self->n_rays * sizeof (double));
}

/* --- a scan --- */

/* Where the answers of a block of rays go. */
typedef struct {
  double *points;
  double *ranges;
  double *remissions; /* or NULL */
} Places;

static void
take_hits (OrreryLaserScanner *self, const OrreryHit *hits, const OrreryVec3 *fan, gsize n,
           const Places *to)
{
  for (gsize i = 0; i < n; i++) {
    gboolean met = hits[i].object != G_MAXUINT;
    double distance = met ? hits[i].distance : 0;

    to->points[3 * i] = fan[i].x * distance;
    to->points[3 * i + 1] = fan[i].y * distance;
    to->points[3 * i + 2] = fan[i].z * distance;
    to->ranges[i] = met ? distance : self->laser_range;
    if (to->remissions != NULL)
      to->remissions[i] = met ? get_remission (self, &hits[i]) : 0;
  }
}

static gboolean
scan_block (OrreryLaserScanner *self, OrreryTick *tick, const OrreryTransform *pose,
            const OrreryMat3 *turn, const OrreryVec3 *fan, gsize n, const Places *to,
            GError **error)
{
  OrreryRay rays[BLOCK];
  OrreryHit hits[BLOCK];
  OrreryRays batch = { rays, n, ORRERY_SIGHT_OUTSIDE, self->robot };

  for (gsize i = 0; i < n; i++)
    rays[i] =
        (OrreryRay){ pose->position, orrery_mat3_apply (turn, &fan[i]), 0, self->laser_range };
  if (!orrery_raycaster_cast (self->rays, orrery_tick_get_snapshot (tick), &batch, hits, error))
    return FALSE;
  take_hits (self, hits, fan, n, to);
  return TRUE;
}

static void
scan (OrreryLaserScanner *self, OrreryTick *tick, const Places *to, GError **error)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (self));
  OrreryMat3 turn;

  orrery_quat_to_matrix (&pose->rotation, &turn);
  for (gsize at = 0; at < self->n_rays; at += BLOCK) {
    Places block = { to->points + 3 * at, to->ranges + at,
                     to->remissions != NULL ? to->remissions + at : NULL };

    if (!scan_block (self, tick, pose, &turn, self->fan + at, MIN (BLOCK, self->n_rays - at),
                     &block, error))
      return;
  }
}

static void
orrery_laser_scanner_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  OrreryLaserScanner *self = (OrreryLaserScanner *) sensor;
  LaserData *out = orrery_record_data (record);
  Places to = { orrery_points_prepare (&out->point_list, self->n_rays),
                orrery_array_prepare (&out->range_list, self->n_rays), NULL };

  scan (self, tick, &to, error);
}

/* --- what modifiers change --- */

static void
orrery_laser_scanner_limit (OrrerySensor *sensor, const OrreryField *field,
                            OrreryFieldLimits *limits)
{
  double range = ((OrreryLaserScanner *) sensor)->laser_range;

  if (field->offset == offsetof (LaserData, range_list))
    *limits = (OrreryFieldLimits){ 0, range, range, FALSE };
  else if (field->offset == offsetof (LaserData, point_list))
    limits->follows = TRUE;
  else
    limits->low = limits->nothing = 0;
}

/* A scanner in a worker has made its fan there. */
static gboolean
need_fan (OrreryLaserScanner *self, gsize n)
{
  if (self->fan == NULL && count_rays (self) == n)
    make_fan (self, n);
  return self->fan != NULL && self->n_rays == n;
}

/* What is nearer than the sensor, or farther than its rays go, is nothing. */
static void
follow_ranges (OrreryLaserScanner *self, LaserData *data, gsize n)
{
  const double *ranges = orrery_array_get (&data->range_list, NULL);
  double *points = orrery_points_prepare (&data->point_list, n);

  for (gsize i = 0; points != NULL && i < n; i++) {
    double distance = ranges[i] > 0 && ranges[i] < self->laser_range ? ranges[i] : 0;

    points[3 * i] = self->fan[i].x * distance;
    points[3 * i + 1] = self->fan[i].y * distance;
    points[3 * i + 2] = self->fan[i].z * distance;
  }
}

static void
follow_points (OrreryLaserScanner *self, LaserData *data, gsize n)
{
  double *ranges = orrery_array_prepare (&data->range_list, n);
  double *points;

  /* Writable, and as they are. */
  orrery_points_set (&data->point_list, orrery_points_get (&data->point_list, NULL), n);
  points = orrery_points_prepare (&data->point_list, n);
  for (gsize i = 0; points != NULL && ranges != NULL && i < n; i++) {
    OrreryVec3 point = { points[3 * i], points[3 * i + 1], points[3 * i + 2] };
    double distance = orrery_vec3_length (&point);

    ranges[i] = distance > 0 && distance < self->laser_range ? distance : self->laser_range;
    if (!(distance < self->laser_range))
      points[3 * i] = points[3 * i + 1] = points[3 * i + 2] = 0;
  }
}

static gboolean
follow_distances (OrreryLaserScanner *self, LaserData *data, const OrreryField *field)
{
  gsize n_ranges = 0, n_points = 0;

  orrery_array_get (&data->range_list, &n_ranges);
  orrery_points_get (&data->point_list, &n_points);
  if (field->offset == offsetof (LaserData, range_list) && need_fan (self, n_ranges))
    follow_ranges (self, data, n_ranges);
  else if (field->offset == offsetof (LaserData, point_list))
    follow_points (self, data, n_points);
  else
    return FALSE;
  return TRUE;
}

static void
orrery_laser_scanner_follow (OrrerySensor *sensor, OrreryRecord *record, const OrreryField *field)
{
  follow_distances ((OrreryLaserScanner *) sensor, orrery_record_data (record), field);
}

static void
orrery_laser_scanner_class_init (OrreryLaserScannerClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_laser_scanner_limit;
  ORRERY_SENSOR_CLASS (klass)->follow = orrery_laser_scanner_follow;
  ORRERY_PART_CLASS (klass)->setup = orrery_laser_scanner_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_laser_scanner_sense;
  ORRERY_CLASS_SET_DATA (klass, LaserData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryLaserScanner, fan, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryLaserScanner, remissions, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryLaserScanner, world, g_object_unref);
}

/* --- with remission --- */

typedef struct {
  OrreryLaserScanner parent_instance;
} OrreryRssiLaserScanner;
ORRERY_DEFINE_CLASS (OrreryRssiLaserScanner, orrery_rssi_laser_scanner, OrreryLaserScanner,
                     orrery_laser_scanner)

/* Of the objects that are new since the last look, too. */
static void
look_again (OrreryLaserScanner *self)
{
  guint n = orrery_world_get_n_objects (self->world);

  self->remissions = g_renew (double, self->remissions, n);
  for (guint i = self->n_objects; i < n; i++)
    self->remissions[i] = find_remission (orrery_world_get_object (self->world, i));
  self->n_objects = n;
}

static void
orrery_rssi_laser_scanner_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryLaserScanner *self = (OrreryLaserScanner *) part;
  RssiLaserData *data = orrery_record_data (orrery_setup_get_record (setup));

  orrery_laser_scanner_setup (part, setup, error);
  if (self->rays == NULL || self->n_rays == 0)
    return;
  g_set_object (&self->world, orrery_setup_get_world (setup));
  self->n_objects = 0;
  look_again (self);
  memset (orrery_array_prepare (&data->remission_list, self->n_rays), 0,
          self->n_rays * sizeof (double));
}

static void
orrery_rssi_laser_scanner_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                 GError **error)
{
  OrreryLaserScanner *self = (OrreryLaserScanner *) sensor;
  RssiLaserData *out = orrery_record_data (record);
  Places to = { orrery_points_prepare (&out->point_list, self->n_rays),
                orrery_array_prepare (&out->range_list, self->n_rays),
                orrery_array_prepare (&out->remission_list, self->n_rays) };

  if (self->world != NULL && self->n_objects != orrery_world_get_n_objects (self->world))
    look_again (self);
  scan (self, tick, &to, error);
}

/* Nothing comes back from where nothing is. */
static void
orrery_rssi_laser_scanner_follow (OrrerySensor *sensor, OrreryRecord *record,
                                  const OrreryField *field)
{
  RssiLaserData *data = orrery_record_data (record);
  gsize n = 0, n_points = 0;
  const double *points, *before;
  double *remissions;

  if (!follow_distances ((OrreryLaserScanner *) sensor, orrery_record_data (record), field))
    return;
  /* Writable, and as they are. */
  before = orrery_array_get (&data->remission_list, &n);
  orrery_array_set (&data->remission_list, before, n);
  remissions = orrery_array_prepare (&data->remission_list, n);
  points = orrery_points_get (&data->point_list, &n_points);
  for (gsize i = 0; remissions != NULL && i < MIN (n, n_points); i++)
    if (points[3 * i] == 0 && points[3 * i + 1] == 0 && points[3 * i + 2] == 0)
      remissions[i] = 0;
}

static void
orrery_rssi_laser_scanner_class_init (OrreryRssiLaserScannerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_rssi_laser_scanner_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_rssi_laser_scanner_sense;
  ORRERY_SENSOR_CLASS (klass)->follow = orrery_rssi_laser_scanner_follow;
  ORRERY_CLASS_SET_DATA (klass, RssiLaserData, rssi_fields);
}

/* --- one that turns --- */

/* After each scan the sensor itself turns about its z, as its frame and its points do. */
typedef struct {
  OrreryLaserScanner parent_instance;
  double rotation;
} OrreryLaserScannerRotationZ;
ORRERY_DEFINE_CLASS (OrreryLaserScannerRotationZ, orrery_laser_scanner_rotation_z,
                     OrreryLaserScanner, orrery_laser_scanner)

static const OrreryProperty rotation_properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryLaserScannerRotationZ, rotation, "rotation", -G_PI, G_PI, 0.01745,
                          "By how much it turns after each scan, rad"),
};

static void
turn (OrreryLaserScannerRotationZ *self, OrreryTick *tick)
{
  OrreryObject *object = orrery_component_get_object (ORRERY_COMPONENT (self));
  OrreryObject *parent = orrery_object_get_parent (object);
  OrreryTransform pose = *orrery_component_get_pose (ORRERY_COMPONENT (self));
  OrreryQuat step;

  if (parent != NULL)
    orrery_transform_relative (orrery_snapshot_get_pose (orrery_tick_get_snapshot (tick),
                                                         orrery_object_get_index (parent)),
                               &pose, &pose);
  orrery_quat_from_euler (0, 0, self->rotation, &step);
  orrery_quat_multiply (&pose.rotation, &step, &pose.rotation);
  orrery_quat_normalise (&pose.rotation);
  orrery_commands_set_pose (orrery_tick_get_commands (tick), object, &pose);
}

static void
orrery_laser_scanner_rotation_z_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                       GError **error)
{
  orrery_laser_scanner_sense (sensor, tick, record, error);
  turn ((OrreryLaserScannerRotationZ *) sensor, tick);
}

static void
orrery_laser_scanner_rotation_z_class_init (OrreryLaserScannerRotationZClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_laser_scanner_rotation_z_sense;
  ORRERY_CLASS_SET_PROPERTIES (klass, rotation_properties);
}

#define LEVELS ORRERY_LEVELS ({ "raw", NULL, .by_default = TRUE }, { "rssi", "RSSILaserScanner" })

ORRERY_PLUGIN ("Distances along a fan of rays", "BSD-3-Clause",
               ORRERY_CLASS (LaserScanner, OrreryLaserScanner, orrery_laser_scanner,
                             .frequency = 10, .thread_safe = TRUE, .levels = LEVELS),
               ORRERY_CLASS (RSSILaserScanner, OrreryRssiLaserScanner, orrery_rssi_laser_scanner,
                             .role = ORRERY_ROLE_SENSOR, .frequency = 10, .thread_safe = TRUE),
               ORRERY_CLASS (LaserScannerRotationZ, OrreryLaserScannerRotationZ,
                             orrery_laser_scanner_rotation_z, .role = ORRERY_ROLE_SENSOR))
