/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery-test.h>

/* --- a class with a property of each type --- */

G_DECLARE_DERIVABLE_TYPE (Base, base, TEST, BASE, OrreryModifier)
struct _BaseClass {
  OrreryModifierClass parent_class;
};

typedef struct {
  double reach;
  int n;
  guint port;
  gint64 laps;
  gboolean flat;
  OrreryControl control;
  char *field;
  char *device;
  GVariant *deviation;
  GVariant *nothing;
  struct {
    double values[2];
  } part;

  guint n_changed;
  double reach_at_init;
} BasePrivate;

G_DEFINE_TYPE_WITH_PRIVATE (Base, base, ORRERY_TYPE_MODIFIER)

static BasePrivate *
look (gpointer object)
{
  return base_get_instance_private (object);
}

static void
count_change (OrreryPart *part)
{
  look (part)->n_changed++;
}

static GType
control_type (void)
{
  return ORRERY_TYPE_CONTROL;
}

static const OrreryProperty numbers[] = {
  ORRERY_PROPERTY_DOUBLE (BasePrivate, reach, "MaxReach", 0.5, 10, 2.5, "m", .name = "reach",
                          .changed = count_change),
  ORRERY_PROPERTY_INT (BasePrivate, n, "n", -4, 4, -1, "Times"),
  ORRERY_PROPERTY_UINT (BasePrivate, port, "BasePort", 1, 65535, 4000, "Port"),
  ORRERY_PROPERTY_INT64 (BasePrivate, laps, "laps_to_go", 1, G_MAXINT64 / 4, 2, "Laps"),
  ORRERY_PROPERTY_DOUBLE (BasePrivate, part.values[1], "Second", -1, 1, 0.25, "Of an array"),
};

static const OrreryProperty others[] = {
  ORRERY_PROPERTY_BOOLEAN (BasePrivate, flat, "Is_Flat", TRUE, "Whether it is flat"),
  ORRERY_PROPERTY_ENUM (BasePrivate, control, "ControlType", control_type, ORRERY_CONTROL_POSITION,
                        "How", .changed = count_change),
  ORRERY_PROPERTY_STRING (BasePrivate, field, "field", "x", "Field"),
  ORRERY_PROPERTY_STRING (BasePrivate, device, "Device", NULL, "File, or none"),
  ORRERY_PROPERTY_VARIANT (BasePrivate, deviation, "pos_std", "0.05", "Deviation, m"),
  ORRERY_PROPERTY_VARIANT (BasePrivate, nothing, "UTMOffset", NULL, "Easting, m"),
};

static void
base_class_init (BaseClass *klass)
{
  ORRERY_CLASS_SET_PRIVATE_PROPERTIES (klass, numbers);
  ORRERY_CLASS_SET_PRIVATE_PROPERTIES (klass, others);
}

static void
base_init (Base *self)
{
  look (self)->reach_at_init = look (self)->reach;
}

/* --- classes below it: one with a table, one by hand --- */

typedef struct {
  Base parent_instance;
  double width;
  double reach;
} Table;
typedef struct {
  BaseClass parent_class;
} TableClass;

static GType table_get_type (void);
G_DEFINE_TYPE (Table, table, base_get_type ())

static const OrreryProperty table_properties[] = {
  ORRERY_PROPERTY_DOUBLE (Table, width, "Width", 0, 1, 0.75, "m"),
  ORRERY_PROPERTY_DOUBLE (Table, reach, "MaxReach", 0, 1, 1, "m", .name = "reach"),
};

static void
table_class_init (TableClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, table_properties);
}

static void
table_init (Table *self)
{
}

typedef struct {
  Base parent_instance;
  double twice;
} Hand;
typedef struct {
  BaseClass parent_class;
} HandClass;

static GType hand_get_type (void);
G_DEFINE_TYPE (Hand, hand, base_get_type ())

static void
hand_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ((Hand *) object)->twice = 2 * g_value_get_double (value);
}

static void
hand_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_double (value, ((Hand *) object)->twice / 2);
}

static void
hand_class_init (HandClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = hand_set_property;
  G_OBJECT_CLASS (klass)->get_property = hand_get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1,
                                   g_param_spec_double ("half", "Half", "m", 0, 10, 0,
                                                        G_PARAM_READWRITE));
}

static void
hand_init (Hand *self)
{
}

/* A table below one by hand. */
typedef struct {
  Hand parent_instance;
  guint fingers;
} Fingers;
typedef struct {
  HandClass parent_class;
} FingersClass;

static GType fingers_get_type (void);
G_DEFINE_TYPE (Fingers, fingers, hand_get_type ())

static const OrreryProperty fingers_properties[] = {
  ORRERY_PROPERTY_UINT (Fingers, fingers, "Fingers", 0, 10, 5, "How many"),
};

static void
fingers_class_init (FingersClass *klass)
{
  ORRERY_CLASS_SET_PROPERTIES (klass, fingers_properties);
}

static void
fingers_init (Fingers *self)
{
}

/* --- tests --- */

static void
set (gpointer part, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_parsed (text));

  orrery_part_set_option (part, name, value, &error);
  g_assert_no_error (error);
}

static void
refuse (gpointer part, const char *name, const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_parsed (text));

  g_assert_false (orrery_part_set_option (part, name, value, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  if (error == NULL || strstr (error->message, words) == NULL)
    g_test_fail_printf ("'%s' is not in: %s", words, error != NULL ? error->message : "no error");
}

static char *
show (gpointer part, const char *name)
{
  g_autoptr (GVariant) value = orrery_part_get_option (part, name);

  return g_variant_print (value, FALSE);
}

static void
assert_shows (gpointer part, const char *name, const char *expected)
{
  g_autofree char *text = show (part, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_defaults (void)
{
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);
  BasePrivate *in = look (part);

  g_test_summary ("members have the defaults of the table, before the class's own init");
  g_assert_cmpfloat (in->reach_at_init, ==, 2.5);
  g_assert_cmpfloat (in->reach, ==, 2.5);
  g_assert_cmpint (in->n, ==, -1);
  g_assert_cmpuint (in->port, ==, 4000);
  g_assert_cmpint (in->laps, ==, 2);
  g_assert_cmpfloat (in->part.values[1], ==, 0.25);
  g_assert_true (in->flat);
  g_assert_cmpint (in->control, ==, ORRERY_CONTROL_POSITION);
  g_assert_cmpstr (in->field, ==, "x");
  g_assert_null (in->device);
  g_assert_cmpfloat (g_variant_get_double (in->deviation), ==, 0.05);
  g_assert_null (in->nothing);
  g_assert_cmpuint (in->n_changed, ==, 0);
}

static void
test_set (void)
{
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);
  BasePrivate *in = look (part);

  g_test_summary ("what is set is in the member, and read from it");
  set (part, "MaxReach", "int64 3");
  set (part, "n", "int64 4");
  set (part, "BasePort", "int64 60000");
  set (part, "laps_to_go", "int64 2305843009213693951");
  set (part, "Second", "-1.0");
  set (part, "Is_Flat", "false");
  set (part, "ControlType", "'Velocity'");
  set (part, "field", "'y'");
  set (part, "Device", "'/dev/null'");
  set (part, "pos_std", "{'x': 0.5}");
  g_assert_cmpfloat (in->reach, ==, 3);
  g_assert_cmpint (in->n, ==, 4);
  g_assert_cmpuint (in->port, ==, 60000);
  g_assert_cmpint (in->laps, ==, G_MAXINT64 / 4);
  g_assert_cmpfloat (in->part.values[1], ==, -1);
  g_assert_cmpfloat (in->part.values[0], ==, 0);
  g_assert_false (in->flat);
  g_assert_cmpint (in->control, ==, ORRERY_CONTROL_VELOCITY);
  g_assert_cmpstr (in->field, ==, "y");
  g_assert_cmpstr (in->device, ==, "/dev/null");

  in->port = 7;
  assert_shows (part, "BasePort", "7");
  assert_shows (part, "MaxReach", "3.0");
  assert_shows (part, "n", "4");
  assert_shows (part, "laps_to_go", "2305843009213693951");
  assert_shows (part, "Is_Flat", "false");
  assert_shows (part, "ControlType", "'Velocity'");
  assert_shows (part, "field", "'y'");
  assert_shows (part, "pos_std", "{'x': 0.5}");
}

static void
test_members (void)
{
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_double (9));
  static const struct {
    const char *name, *words;
    guint index;
    int code;
  } wrong[] = {
    { "pos_std", "'pos_std' has 3 members, [0] and so on: it has no [3]", 3, ORRERY_ERROR_INVALID },
    { "MaxReach", "'MaxReach' is 2.5, and no list: it has no [0]; leave the index out", 0,
      ORRERY_ERROR_INVALID },
    { "UTMOffset", "and no list: it has no [1]", 1, ORRERY_ERROR_INVALID },
    { "pos_stdd", "has no property 'pos_stdd'; did you mean pos_std", 0, ORRERY_ERROR_NOT_FOUND },
  };

  g_test_summary ("a member of a list is set, and the others stay, whatever the list is made of");
  set (part, "pos_std", "(1.0, 2.0, 3.0)");
  g_assert_true (orrery_part_set_option_member (ORRERY_PART (part), "pos_std", 1, value, NULL));
  assert_shows (part, "pos_std", "[<1.0>, <9.0>, <3.0>]");
  set (part, "pos_std", "[1.0, 2.0, 3.0]");
  g_assert_true (orrery_part_set_option_member (ORRERY_PART (part), "pos-std", 2, value, NULL));
  assert_shows (part, "pos_std", "[<1.0>, <2.0>, <9.0>]");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_false (orrery_part_set_option_member (ORRERY_PART (part), wrong[i].name,
                                                   wrong[i].index, value, &error));
    g_assert_error (error, ORRERY_ERROR, wrong[i].code);
    if (strstr (error->message, wrong[i].words) == NULL)
      g_test_fail_printf ("'%s' is not in: %s", wrong[i].words, error->message);
  }
  assert_shows (part, "pos_std", "[<1.0>, <2.0>, <9.0>]");
}

static void
test_members_of_others (void)
{
  g_autoptr (OrreryPart) part = g_object_new (fingers_get_type (), NULL);
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_double (9));
  g_autoptr (GError) error = NULL;

  g_test_summary (
      "where scenes may give properties of any name, a list that none gave has no member");
  orrery_part_class_allow_other_options (ORRERY_PART_GET_CLASS (part));
  g_assert_false (orrery_part_set_option_member (part, "gains", 1, value, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==,
                   "'gains' has no value of which [1] could be a member; set the whole list");
}

static void
test_ranges (void)
{
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);

  g_test_summary ("what is out of range, or of another type, is refused and changes nothing");
  refuse (part, "MaxReach", "10.5", "0.5 to 10");
  refuse (part, "n", "int64 -5", "-4 to 4");
  refuse (part, "BasePort", "int64 0", "1 to 65535");
  refuse (part, "laps_to_go", "int64 0", "1 to 2305843009213693951");
  refuse (part, "ControlType", "'Magic'", "one of Velocity, Position");
  refuse (part, "Is_Flat", "'so so'", "Is_Flat");
  g_assert_cmpfloat (look (part)->reach, ==, 2.5);
  g_assert_cmpuint (look (part)->n_changed, ==, 0);
}

static void
test_none (void)
{
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);

  g_test_summary ("a string that is a text by default is never NULL");
  g_object_set (part, "field", NULL, "device", "a", NULL);
  g_assert_cmpstr (look (part)->field, ==, "");
  g_object_set (part, "device", NULL, NULL);
  g_assert_null (look (part)->device);
}

static void
test_names (void)
{
  static const char *const names[] = { "reach",  "n",       "base-port",    "laps-to-go",
                                       "second", "is-flat", "control-type", "field",
                                       "device", "pos-std", "utm-offset" };
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);
  g_autofree GParamSpec **specs = NULL;
  guint n = 0;

  g_test_summary ("names of GObject are made of those of users, in the order of the tables");
  specs = orrery_part_class_list_options (ORRERY_PART_GET_CLASS (part), &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (specs[i]->name, ==, names[i]);
}

static void
on_notify (Base *part, GParamSpec *pspec, GString *told)
{
  g_string_append_printf (told, "%s=%g ", pspec->name, look (part)->reach);
}

static void
test_changed (void)
{
  g_autoptr (Base) part = g_object_new (base_get_type (), NULL);
  g_autoptr (GString) told = g_string_new (NULL);

  g_test_summary ("the hook and `notify` come once for what was set, after the member");
  g_signal_connect (part, "notify", G_CALLBACK (on_notify), told);
  set (part, "MaxReach", "int64 3");
  g_assert_cmpuint (look (part)->n_changed, ==, 1);
  set (part, "n", "int64 1");
  g_assert_cmpuint (look (part)->n_changed, ==, 1);
  set (part, "ControlType", "'Velocity'");
  g_assert_cmpuint (look (part)->n_changed, ==, 2);
  g_assert_cmpstr (told->str, ==, "reach=3 n=3 control-type=3 ");
}

static void
test_below (void)
{
  g_autoptr (Base) part = g_object_new (table_get_type (), NULL);
  Table *table = (Table *) part;

  g_test_summary (
      "a class below adds its table; its property of the same name is the one that counts");
  g_assert_cmpfloat (table->width, ==, 0.75);
  g_assert_cmpfloat (table->reach, ==, 1);
  set (part, "Width", "0.5");
  set (part, "MaxReach", "0.25");
  set (part, "field", "'z'");
  g_assert_cmpfloat (table->width, ==, 0.5);
  g_assert_cmpfloat (table->reach, ==, 0.25);
  g_assert_cmpfloat (look (part)->reach, ==, 2.5);
  g_assert_cmpstr (look (part)->field, ==, "z");
  refuse (part, "MaxReach", "int64 2", "0 to 1");
}

static void
test_by_hand (void)
{
  g_autoptr (Base) part = g_object_new (fingers_get_type (), NULL);

  g_test_summary ("tables and properties by hand go together, in either order");
  g_assert_cmpuint (((Fingers *) part)->fingers, ==, 5);
  set (part, "Half", "1.5");
  set (part, "Fingers", "int64 3");
  set (part, "BasePort", "int64 80");
  g_assert_cmpfloat (((Hand *) part)->twice, ==, 3);
  g_assert_cmpuint (((Fingers *) part)->fingers, ==, 3);
  g_assert_cmpuint (look (part)->port, ==, 80);
  assert_shows (part, "Half", "1.5");
  assert_shows (part, "Fingers", "3");
}

/* --- misuse --- */

static void
test_check (void)
{
  static const struct {
    OrreryProperty property;
    const char *words;
  } wrong[] = {
    { { .type = G_TYPE_STRING, .words = "" }, "no name" },
    { ORRERY_PROPERTY_STRING (BasePrivate, field, "_2D", NULL, ""), "no name that GObject takes" },
    { ORRERY_PROPERTY_STRING (BasePrivate, field, "x", NULL, "", .name = "a b"), "GObject takes" },
    { ORRERY_PROPERTY_STRING (BasePrivate, field, "far_reach", NULL, ""), "two of that name" },
    { ORRERY_PROPERTY_STRING (BasePrivate, field, "x", NULL, NULL), "no words" },
    { { .nick = "x", .type = G_TYPE_OBJECT, .words = "" }, "no property has that type" },
    { ORRERY_PROPERTY_DOUBLE (BasePrivate, reach, "x", 0, 1, 2, ""), "none of its values" },
    { ORRERY_PROPERTY_DOUBLE (BasePrivate, reach, "x", 0, 1, NAN, ""), "none of its values" },
    { ORRERY_PROPERTY_INT (BasePrivate, n, "x", 3, 2, 2, ""), "none of its values" },
    { ORRERY_PROPERTY_INT (BasePrivate, n, "x", 0, 2, 2, "", .from_text = TRUE), "only a double" },
    { ORRERY_PROPERTY_INT (BasePrivate, n, "x", 0, 2, 2, "", .flags = 1 << 7), "such flags" },
    { ORRERY_PROPERTY_INT (BasePrivate, n, "x", 0, G_MAXINT64, 2, ""), "none of its values" },
    { ORRERY_PROPERTY_UINT (BasePrivate, port, "x", -1, 2, 2, ""), "none of its values" },
    { ORRERY_PROPERTY_BOOLEAN (BasePrivate, flat, "x", 2, ""), "none of its values" },
    { ORRERY_PROPERTY_ENUM (BasePrivate, control, "x", NULL, 0, ""), "none of its values" },
    { ORRERY_PROPERTY_ENUM (BasePrivate, control, "x", control_type, 99, ""), "none of its" },
    { ORRERY_PROPERTY_VARIANT (BasePrivate, nothing, "x", "{", ""), "none of its values" },
  };
  g_autoptr (GError) fine = NULL;

  g_test_summary ("a table that cannot be is refused, with the entry and the reason");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    OrreryProperty table[] = { ORRERY_PROPERTY_STRING (BasePrivate, field, "FarReach", "x", ""),
                               wrong[i].property };
    g_autoptr (GError) error = NULL;

    g_assert_false (orrery_properties_check (table, 2, &error));
    g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_PLUGIN);
    if (strstr (error->message, wrong[i].words) == NULL)
      g_test_fail_printf ("%u: '%s' is not in: %s", i, wrong[i].words, error->message);
  }
  g_assert_true (orrery_properties_check (numbers, G_N_ELEMENTS (numbers), &fine));
  g_assert_no_error (fine);
}

typedef Table Wrong;
typedef TableClass WrongClass;

static GType wrong_get_type (void);
G_DEFINE_TYPE (Wrong, wrong, base_get_type ())

static void
wrong_class_init (WrongClass *klass)
{
  static const OrreryProperty twice[] = {
    ORRERY_PROPERTY_DOUBLE (Wrong, width, "Far", 0, 1, 1, "m"),
    ORRERY_PROPERTY_DOUBLE (Wrong, width, "far", 0, 1, 1, "m"),
  };
  static const OrreryProperty fine[] = {
    ORRERY_PROPERTY_DOUBLE (Wrong, width, "Width", 0, 1, 1, "m"),
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  ORRERY_CLASS_SET_PROPERTIES (klass, twice);
  object_class->set_property = hand_set_property;
  ORRERY_CLASS_SET_PROPERTIES (klass, fine);
  object_class->set_property = NULL;

  ORRERY_CLASS_SET_PROPERTIES (klass, fine);
  g_object_class_install_property (object_class, 1,
                                   g_param_spec_uint ("odd", "Odd", "", 0, 9, 0,
                                                      G_PARAM_READWRITE));
}

static void
wrong_init (Wrong *self)
{
}

static void
test_misuse (void)
{
  g_autoptr (Base) part = NULL;

  g_test_summary ("a wrong table adds nothing, as does one of a class with a set_property of its "
                  "own; a property by hand beside a table is not taken for one of it");
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*property 1, 'far': there are two*");
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*is_by_hand*");
  part = g_object_new (wrong_get_type (), NULL);
  g_test_assert_expected_messages ();
  g_assert_null (orrery_part_get_option (ORRERY_PART (part), "Far"));
  assert_shows (part, "Width", "1.0");

  if (g_test_subprocess ()) {
    g_object_set (part, "odd", 3, NULL);
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*invalid property id 1 for \"odd\"*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/properties/defaults", test_defaults);
  g_test_add_func ("/properties/set", test_set);
  g_test_add_func ("/properties/members", test_members);
  g_test_add_func ("/properties/ranges", test_ranges);
  g_test_add_func ("/properties/none", test_none);
  g_test_add_func ("/properties/names", test_names);
  g_test_add_func ("/properties/changed", test_changed);
  g_test_add_func ("/properties/below", test_below);
  g_test_add_func ("/properties/by-hand", test_by_hand);
  g_test_add_func ("/properties/check", test_check);
  g_test_add_func ("/properties/misuse", test_misuse);
  g_test_add_func ("/properties/members-of-others", test_members_of_others);
  return g_test_run ();
}
