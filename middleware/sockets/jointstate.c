/* SPDX-License-Identifier: BSD-3-Clause */
/* The codec of joint states for sockets. */
#include <orrery.h>

/*
 * Where the joints of a PR2 are, as one flat map of JSON: all that the robot has, 0.0 where none of
 * the sensors of a CompoundSensor knows it, and whatever else those have that is a number.
 */
static const char *const joints[] = {
  "fl_caster_rotation_joint",
  "fl_caster_l_wheel_joint",
  "fl_caster_r_wheel_joint",
  "fr_caster_rotation_joint",
  "fr_caster_l_wheel_joint",
  "fr_caster_r_wheel_joint",
  "bl_caster_rotation_joint",
  "bl_caster_l_wheel_joint",
  "bl_caster_r_wheel_joint",
  "br_caster_rotation_joint",
  "br_caster_l_wheel_joint",
  "br_caster_r_wheel_joint",
  "torso_lift_joint",
  "torso_lift_motor_screw_joint",
  "head_pan_joint",
  "head_tilt_joint",
  "laser_tilt_mount_joint",
  "r_upper_arm_roll_joint",
  "r_shoulder_pan_joint",
  "r_shoulder_lift_joint",
  "r_forearm_roll_joint",
  "r_elbow_flex_joint",
  "r_wrist_flex_joint",
  "r_wrist_roll_joint",
  "r_gripper_joint",
  "r_gripper_l_finger_joint",
  "r_gripper_r_finger_joint",
  "r_gripper_r_finger_tip_joint",
  "r_gripper_l_finger_tip_joint",
  "r_gripper_motor_screw_joint",
  "r_gripper_motor_slider_joint",
  "l_upper_arm_roll_joint",
  "l_shoulder_pan_joint",
  "l_shoulder_lift_joint",
  "l_forearm_roll_joint",
  "l_elbow_flex_joint",
  "l_wrist_flex_joint",
  "l_wrist_roll_joint",
  "l_gripper_joint",
  "l_gripper_l_finger_joint",
  "l_gripper_r_finger_joint",
  "l_gripper_r_finger_tip_joint",
  "l_gripper_l_finger_tip_joint",
  "l_gripper_motor_screw_joint",
  "l_gripper_motor_slider_joint",
};

/* One number of the map. */
typedef struct {
  const char *name;
  const double *value; /* NULL: nobody knows */
} Entry;

typedef struct {
  OrreryDatastream parent_instance;
  GArray *entries; /* (element-type Entry) */
} OrreryJointStatePublisher;
ORRERY_DEFINE_CLASS (OrreryJointStatePublisher, orrery_joint_state_publisher, OrreryDatastream,
                     orrery_datastream)

static void
set_entry (OrreryJointStatePublisher *self, const char *name, const double *value)
{
  Entry added = { name, value };

  for (guint i = 0; i < self->entries->len; i++) {
    Entry *entry = &g_array_index (self->entries, Entry, i);

    if (g_str_equal (entry->name, name)) {
      entry->value = value;
      return;
    }
  }
  g_array_append_val (self->entries, added);
}

static void
add_record (OrreryJointStatePublisher *self, OrreryRecord *record)
{
  OrrerySchema *schema = orrery_record_get_schema (record);

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (field->type == ORRERY_FIELD_DOUBLE)
      set_entry (self, field->name, orrery_record_find_double (record, field->name));
  }
}

static void
orrery_joint_state_publisher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryJointStatePublisher *self = (OrreryJointStatePublisher *) part;
  OrreryRecord *record = orrery_setup_get_record (setup);
  OrrerySchema *schema = orrery_record_get_schema (record);
  guint n_records = 0;

  g_clear_pointer (&self->entries, g_array_unref);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < G_N_ELEMENTS (joints); i++)
    set_entry (self, joints[i], NULL);
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);
    OrreryRecord **each = orrery_record_find (record, field->name, ORRERY_FIELD_RECORD);

    if (each == NULL || *each == NULL)
      continue;
    n_records++;
    add_record (self, *each);
  }
  if (n_records == 0)
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "only a CompoundSensor can be published as the joints of a PR2: the record has "
        "no sensors");
}

static void
orrery_joint_state_publisher_encode (OrreryDatastream *stream, OrreryRecord *record,
                                     OrreryWriter *writer, GError **error)
{
  OrreryJointStatePublisher *self = (OrreryJointStatePublisher *) stream;

  orrery_writer_append_text (writer, "{\"timestamp\": ");
  orrery_writer_append_json_double (writer,
                                    orrery_time_to_seconds (orrery_record_get_timestamp (record)));
  for (guint i = 0; i < self->entries->len; i++) {
    const Entry *entry = &g_array_index (self->entries, Entry, i);

    orrery_writer_append_text (writer, ", ");
    orrery_writer_append_json_text (writer, entry->name);
    orrery_writer_append_text (writer, ": ");
    orrery_writer_append_json_double (writer, entry->value != NULL ? *entry->value : 0);
  }
  orrery_writer_append_char (writer, '}');
}

static void
orrery_joint_state_publisher_class_init (OrreryJointStatePublisherClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_joint_state_publisher_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_joint_state_publisher_encode;
  ORRERY_CLASS_OWNS (klass, OrreryJointStatePublisher, entries, g_array_unref);
}

ORRERY_PLUGIN ("Joints of a PR2 as lines of JSON", "BSD-3-Clause",
               ORRERY_CLASS (PR2JointStatePublisher, OrreryJointStatePublisher,
                             orrery_joint_state_publisher, .direction = "OUT"))
