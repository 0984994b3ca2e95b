/* SPDX-License-Identifier: BSD-3-Clause */
/* The joints of a person. */
#include <orrery.h>

typedef struct {
  double x, y, z, yaw, pitch, roll, empty1, empty2, empty3, empty4, empty5, empty6, dof_12, dof_13,
      dof_14, dof_15, dof_16, dof_17, dof_18, dof_19, dof_20, dof_21, dof_22, dof_23, dof_24,
      dof_25, dof_26, dof_27, dof_28, dof_29, dof_30, dof_31, dof_32, dof_33, dof_34, dof_35,
      dof_36, dof_37, dof_38, dof_39, dof_40, dof_41, dof_42, dof_43, dof_44, dof_45, dof_46,
      dof_47, dof_48, dof_49;
} PostureData;

#define FIELD(name, unit, words) ORRERY_FIELD (PostureData, name, unit, words)

static const OrreryField fields[] = {
  FIELD (x, "m", "Origin of the person in the world, x"),
  FIELD (y, "m", "Origin of the person in the world, y"),
  FIELD (z, "m", "Origin of the person in the world, z"),
  FIELD (yaw, "rad", "Rotation about z, less a quarter turn"),
  FIELD (pitch, "rad", "Rotation about y"),
  FIELD (roll, "rad", "Rotation about x"),
  FIELD (empty1, "", "Always 0"),
  FIELD (empty2, "", "Always 0"),
  FIELD (empty3, "", "Always 0"),
  FIELD (empty4, "", "Always 0"),
  FIELD (empty5, "", "Always 0"),
  FIELD (empty6, "", "Always 0"),
  FIELD (dof_12, "rad", "Chest about z"),
  FIELD (dof_13, "rad", "Chest about x"),
  FIELD (dof_14, "rad", "Chest about y"),
  FIELD (dof_15, "rad", "Minus Head about x"),
  FIELD (dof_16, "rad", "Head about z"),
  FIELD (dof_17, "rad", "Head about y"),
  FIELD (dof_18, "rad", "Minus UpArm_R about y"),
  FIELD (dof_19, "rad", "Minus UpArm_R about x"),
  FIELD (dof_20, "rad", "UpArm_R about z"),
  FIELD (dof_21, "rad", "ForeArm_R about z"),
  FIELD (dof_22, "rad", "Hand_R about x"),
  FIELD (dof_23, "rad", "Hand_R about y"),
  FIELD (dof_24, "rad", "Hand_R about z"),
  FIELD (dof_25, "rad", "Minus UpArm_L about y"),
  FIELD (dof_26, "rad", "Minus UpArm_L about x"),
  FIELD (dof_27, "rad", "UpArm_L about z"),
  FIELD (dof_28, "rad", "ForeArm_L about z"),
  FIELD (dof_29, "rad", "Hand_L about x"),
  FIELD (dof_30, "rad", "Hand_L about y"),
  FIELD (dof_31, "rad", "Hand_L about z"),
  FIELD (dof_32, "rad", "UpLeg_R about y"),
  FIELD (dof_33, "rad", "UpLeg_R about x"),
  FIELD (dof_34, "rad", "Minus UpLeg_R about z"),
  FIELD (dof_35, "rad", "LoLeg_R about x"),
  FIELD (dof_36, "rad", "Foot_R about x"),
  FIELD (dof_37, "rad", "Foot_R about y"),
  FIELD (dof_38, "rad", "Foot_R about z"),
  FIELD (dof_39, "rad", "UpLeg_L about y"),
  FIELD (dof_40, "rad", "UpLeg_L about x"),
  FIELD (dof_41, "rad", "Minus UpLeg_L about z"),
  FIELD (dof_42, "rad", "LoLeg_L about x"),
  FIELD (dof_43, "rad", "Foot_L about x"),
  FIELD (dof_44, "rad", "Foot_L about y"),
  FIELD (dof_45, "rad", "Foot_L about z"),
  FIELD (dof_46, "rad", "Always 0"),
  FIELD (dof_47, "rad", "Always 0"),
  FIELD (dof_48, "rad", "Always 0"),
  FIELD (dof_49, "rad", "Always 0"),
};

/*
 * Angles about x, y, z of an object against its start, and where they go: the number of a degree of
 * freedom, 0 for none, below 0 with the other sign. A limb has one object in MORSE's first model of
 * a person, whose record this is, and a row of bones in its second, HumanSkeleton: there the last
 * one counts, against what carries the first.
 */
static const struct {
  const char *name;
  const char *first, *last;
  int dof[3];
} parts[] = {
  { "Chest", "spine05", "spine01", { 13, 14, 12 } },
  { "Head", "neck01", "head", { -15, 17, 16 } },
  { "UpArm_R", "clavicle_R", "upperarm02_R", { -19, -18, 20 } },
  { "ForeArm_R", "lowerarm01_R", "lowerarm02_R", { 0, 0, 21 } },
  { "Hand_R", "wrist_R", "wrist_R", { 22, 23, 24 } },
  { "UpArm_L", "clavicle_L", "upperarm02_L", { -26, -25, 27 } },
  { "ForeArm_L", "lowerarm01_L", "lowerarm02_L", { 0, 0, 28 } },
  { "Hand_L", "wrist_L", "wrist_L", { 29, 30, 31 } },
  { "UpLeg_R", "pelvis_R", "upperleg02_R", { 33, 32, -34 } },
  { "LoLeg_R", "lowerleg01_R", "lowerleg02_R", { 35, 0, 0 } },
  { "Foot_R", "foot_R", "foot_R", { 36, 37, 38 } },
  { "UpLeg_L", "pelvis_L", "upperleg02_L", { 40, 39, -41 } },
  { "LoLeg_L", "lowerleg01_L", "lowerleg02_L", { 42, 0, 0 } },
  { "Foot_L", "foot_L", "foot_L", { 43, 44, 45 } },
};

#define N_PARTS G_N_ELEMENTS (parts)
#define FIRST_DOF 12

typedef struct {
  OrreryObject *object;  /* borrowed; NULL: not there */
  OrreryObject *carrier; /* borrowed: what it is bent against */
  OrreryTransform start; /* of the object on that */
} Limb;

/*
 * How a person stands, in the fields that MORSE's robots of flesh had: where the robot is, and the
 * angles of its limbs, which are objects of these names on it. A limb that is not there is
 * straight.
 */
typedef struct {
  OrrerySensor parent_instance;
  Limb limbs[N_PARTS];
} OrreryHumanPosture;
ORRERY_DEFINE_CLASS (OrreryHumanPosture, orrery_human_posture, OrrerySensor, orrery_sensor)

static OrreryObject *
find_below (OrreryObject *object, const char *name)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *child = children->pdata[i];
    OrreryObject *found =
        g_str_equal (orrery_object_get_basename (child), name) ? child : find_below (child, name);

    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
find_limb (OrreryObject *robot, guint part, Limb *limb)
{
  OrreryObject *first = find_below (robot, parts[part].name);

  *limb = (Limb){ .object = first };
  if (first == NULL) {
    first = find_below (robot, parts[part].first);
    limb->object = first != NULL ? find_below (robot, parts[part].last) : NULL;
  }
  if (limb->object == NULL)
    return;
  limb->carrier = orrery_object_get_parent (first);
  orrery_transform_identity (&limb->start);
  for (OrreryObject *at = limb->object; at != NULL && at != limb->carrier;
       at = orrery_object_get_parent (at))
    orrery_transform_multiply (orrery_object_get_start (at), &limb->start, &limb->start);
}

static void
orrery_human_posture_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  for (guint i = 0; i < N_PARTS; i++)
    find_limb (orrery_component_get_object (robot), i, &((OrreryHumanPosture *) part)->limbs[i]);
}

static void
bend (const Limb *limb, OrrerySnapshot *snapshot, const int dof[3], double *dofs)
{
  OrreryTransform local;
  double angles[3];

  orrery_transform_relative (
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (limb->carrier)),
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (limb->object)), &local);
  orrery_transform_relative (&limb->start, &local, &local);
  orrery_quat_to_euler (&local.rotation, &angles[0], &angles[1], &angles[2]);
  for (guint i = 0; i < 3; i++)
    if (dof[i] != 0)
      dofs[ABS (dof[i]) - FIRST_DOF] = dof[i] > 0 ? angles[i] : -angles[i];
}

static void
orrery_human_posture_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  OrreryHumanPosture *self = (OrreryHumanPosture *) sensor;
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (sensor));
  const OrreryTransform *pose = orrery_component_get_pose (robot);
  PostureData *out = orrery_record_data (record);

  out->x = pose->position.x;
  out->y = pose->position.y;
  out->z = pose->position.z;
  orrery_quat_to_euler (&pose->rotation, &out->roll, &out->pitch, &out->yaw);
  out->yaw = orrery_normalise_angle (out->yaw - G_PI / 2);
  for (guint i = 0; i < N_PARTS; i++)
    if (self->limbs[i].object != NULL)
      bend (&self->limbs[i], orrery_tick_get_snapshot (tick), parts[i].dof, &out->dof_12);
}

static void
orrery_human_posture_class_init (OrreryHumanPostureClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_human_posture_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_human_posture_sense;
  ORRERY_CLASS_SET_DATA (klass, PostureData, fields);
}

ORRERY_PLUGIN ("How a person stands", "BSD-3-Clause",
               ORRERY_CLASS (HumanPosture, OrreryHumanPosture, orrery_human_posture,
                             .thread_safe = TRUE))
