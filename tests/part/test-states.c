/* SPDX-License-Identifier: BSD-3-Clause */
/* States of parts by tables: what is saved comes back bit by bit, what is another's is refused. */
#include <orrery-test.h>

#include <string.h>

/* --- a class with a table, and one below it with another and a function for the rest --- */

typedef struct {
  OrreryModifier parent_instance;
  double untouched;
  OrreryBool begun;
  OrreryTime time;
  OrreryTransform pose;
  double gains[2];
  OrreryText name;
  OrreryArray values;
  GVariant *free_form;
} Base;
typedef struct {
  OrreryModifierClass parent_class;
} BaseClass;

static GType base_get_type (void);
G_DEFINE_TYPE (Base, base, ORRERY_TYPE_MODIFIER)

static const OrreryField base_states[] = {
  ORRERY_STATE (Base, begun),         ORRERY_STATE (Base, time),
  ORRERY_STATE (Base, pose.position), ORRERY_STATE (Base, pose.rotation),
  ORRERY_STATE (Base, gains[1]),      ORRERY_STATE (Base, name),
  ORRERY_STATE (Base, values),        ORRERY_STATE (Base, free_form),
};

static void
base_class_init (BaseClass *klass)
{
  ORRERY_CLASS_SET_STATE (klass, Base, base_states);
}

static void
base_init (Base *self)
{
}

typedef struct {
  Base parent_instance;
  gint64 laps;
  guint rest;
  guint n_restored;
} Below;
typedef BaseClass BelowClass;

static GType below_get_type (void);
G_DEFINE_TYPE (Below, below, base_get_type ())

/* What its restore refuses as the rest. */
#define REFUSED 13

static const OrreryField below_states[] = { ORRERY_STATE (Below, laps) };

static GVariant *
below_save (OrreryPart *part)
{
  return g_variant_new_uint32 (((Below *) part)->rest);
}

/* The tables come first. */
static void
below_restore (OrreryPart *part, GVariant *state, GError **error)
{
  Below *self = (Below *) part;

  if (g_variant_get_uint32 (state) == REFUSED) {
    orrery_part_refuse_state (part, error);
    return;
  }
  self->n_restored++;
  self->rest = g_variant_get_uint32 (state) + (guint) self->laps;
}

static void
below_class_init (BelowClass *klass)
{
  ORRERY_PART_CLASS (klass)->save = below_save;
  ORRERY_PART_CLASS (klass)->restore = below_restore;
  ORRERY_PART_CLASS (klass)->state_type = "u";
  ORRERY_CLASS_SET_STATE (klass, Below, below_states);
}

static void
below_init (Below *self)
{
}

/* --- a class with a restore and no save, and one that remembers nothing --- */

typedef Base Told;
typedef BaseClass ToldClass;
static GType told_get_type (void);
G_DEFINE_TYPE (Told, told, base_get_type ())

static void
told_restore (OrreryPart *part, GVariant *state, GError **error)
{
  g_assert_null (state);
  ((Base *) part)->untouched++;
}

static void
told_class_init (ToldClass *klass)
{
  ORRERY_PART_CLASS (klass)->restore = told_restore;
}

static void
told_init (Told *self)
{
}

typedef struct {
  OrreryModifier parent_instance;
} Plain;
typedef OrreryModifierClass PlainClass;
static GType plain_get_type (void);
G_DEFINE_TYPE (Plain, plain, ORRERY_TYPE_MODIFIER)

static void
plain_class_init (PlainClass *klass)
{
}

static void
plain_init (Plain *self)
{
}

/* --- tests --- */

static void
fill (Base *self)
{
  static const double values[] = { 1, NAN, -0.0 };

  self->untouched = 1;
  self->begun = TRUE;
  self->time = G_MAXINT64 - 1;
  self->pose.position = (OrreryVec3){ 0.1, INFINITY, 5e-324 };
  self->pose.rotation = (OrreryQuat){ 0.5, -0.5, 0.5, -0.5 };
  self->gains[0] = self->gains[1] = 7;
  orrery_text_set (&self->name, "zoë");
  orrery_array_set (&self->values, values, G_N_ELEMENTS (values));
  self->free_form = g_variant_ref_sink (g_variant_new_string ("free"));
}

static void
assert_filled (Base *self)
{
  gsize n;
  const double *values = orrery_array_get (&self->values, &n);

  g_assert_true (self->begun);
  g_assert_cmpint (self->time, ==, G_MAXINT64 - 1);
  g_assert_cmpfloat (self->pose.position.x, ==, 0.1);
  g_assert_true (isinf (self->pose.position.y));
  g_assert_cmpfloat (self->pose.position.z, ==, 5e-324);
  g_assert_cmpfloat (self->pose.rotation.w, ==, 0.5);
  g_assert_cmpfloat (self->gains[1], ==, 7);
  g_assert_cmpstr (orrery_text_get (&self->name), ==, "zoë");
  g_assert_cmpuint (n, ==, 3);
  g_assert_true (n == 3 && isnan (values[1]) && signbit (values[2]));
  g_assert_cmpstr (g_variant_get_string (self->free_form, NULL), ==, "free");
  /* What no table has. */
  g_assert_cmpfloat (self->untouched, ==, 0);
  g_assert_cmpfloat (self->gains[0], ==, 0);
}

static void
refuse (gpointer part, GVariant *state)
{
  g_autoptr (GError) error = NULL;

  orrery_part_restore_state (part, state, &error);
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_true (error != NULL && strstr (error->message, "not a state of") != NULL);
}

static void
test_table (void)
{
  g_autoptr (GObject) from = g_object_new (base_get_type (), NULL);
  g_autoptr (GObject) to = g_object_new (base_get_type (), NULL);
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("members of the table come back bit by bit, and no others");
  fill ((Base *) from);
  state = orrery_part_save_state (ORRERY_PART (from));
  orrery_part_restore_state (ORRERY_PART (to), state, &error);
  g_assert_no_error (error);
  assert_filled ((Base *) to);
  orrery_part_restore_state (ORRERY_PART (to), NULL, &error);
  g_assert_no_error (error);
  assert_filled ((Base *) to);
}

static void
test_below (void)
{
  g_autoptr (GObject) from = g_object_new (below_get_type (), NULL);
  g_autoptr (GObject) to = g_object_new (below_get_type (), NULL);
  g_autoptr (GObject) base = g_object_new (base_get_type (), NULL);
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GVariant) of_base = orrery_part_save_state (ORRERY_PART (base));
  g_autoptr (GError) error = NULL;

  g_test_summary ("a class has the tables of its base and its own, then its function");
  fill ((Base *) from);
  ((Below *) from)->laps = 30;
  ((Below *) from)->rest = 4;
  state = orrery_part_save_state (ORRERY_PART (from));
  orrery_part_restore_state (ORRERY_PART (to), state, &error);
  g_assert_no_error (error);
  assert_filled ((Base *) to);
  g_assert_cmpint (((Below *) to)->laps, ==, 30);
  g_assert_cmpuint (((Below *) to)->rest, ==, 34);
  refuse (base, state);
  refuse (to, of_base);
  g_assert_cmpuint (((Below *) to)->n_restored, ==, 1);
}

static GVariant *
save_filled (GObject *part)
{
  fill ((Base *) part);
  ((Below *) part)->laps = 30;
  return orrery_part_save_state (ORRERY_PART (part));
}

static void
assert_empty (Below *self)
{
  gsize n;

  g_assert_false (self->parent_instance.begun);
  g_assert_cmpint (self->parent_instance.time, ==, 0);
  g_assert_cmpstr (orrery_text_get (&self->parent_instance.name), ==, "");
  orrery_array_get (&self->parent_instance.values, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (self->parent_instance.free_form);
  g_assert_cmpint (self->laps, ==, 0);
  g_assert_cmpuint (self->rest, ==, 0);
}

/* @tables: two, of which the first is good */
static void
refuse_tables (gpointer part, GVariant **tables)
{
  GVariant *list = g_variant_new_array (G_VARIANT_TYPE_BYTESTRING, tables, 2);
  GVariant *rest = g_variant_new_variant (g_variant_new_uint32 (1));
  g_autoptr (GVariant) state =
      g_variant_ref_sink (g_variant_new ("(@aay@mv)", list, g_variant_new_maybe (NULL, rest)));

  refuse (part, state);
  assert_empty (part);
}

static void
test_refused (void)
{
  g_autoptr (GObject) part = g_object_new (below_get_type (), NULL);
  const char *others[] = { "1", "(@aay [], just <uint32 1>)",
                           "([b'not', b'bytes'], just <uint32 1>)" };
  g_autoptr (GObject) from = g_object_new (below_get_type (), NULL);
  g_autoptr (GVariant) state = save_filled (from);
  g_autoptr (GVariant) tables = g_variant_get_child_value (state, 0);
  const char *rests[] = { "just <'text'>", "@mv nothing", "just <uint32 13>" };
  GVariant *children[2];

  g_test_summary ("what has other tables, or another rest, is refused with one message, and whole");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (GVariant) other = g_variant_parse (NULL, others[i], NULL, NULL, NULL);

    g_assert_nonnull (other);
    refuse (part, other);
  }
  for (guint i = 0; i < G_N_ELEMENTS (rests); i++) {
    g_autoptr (GVariant) rest = g_variant_parse (NULL, rests[i], NULL, NULL, NULL);
    g_autoptr (GVariant) other = g_variant_ref_sink (g_variant_new ("(@aay@mv)", tables, rest));

    refuse (part, other);
    assert_empty ((Below *) part);
  }
  /* The table of the base alone. */
  children[0] = g_variant_get_child_value (tables, 0);
  children[1] = g_variant_new_bytestring ("no table");
  refuse_tables (part, children);
  g_variant_unref (children[0]);
  g_assert_cmpuint (((Below *) part)->n_restored, ==, 0);
}

static void
test_told (void)
{
  g_autoptr (GObject) told = g_object_new (told_get_type (), NULL);
  g_autoptr (GObject) plain = g_object_new (plain_get_type (), NULL);
  g_autoptr (GVariant) state = orrery_part_save_state (ORRERY_PART (told));

  g_test_summary ("a restore without a save has the tables alone; without both there is no state");
  orrery_part_restore_state (ORRERY_PART (told), state, NULL);
  g_assert_cmpfloat (((Base *) told)->untouched, ==, 1);
  g_assert_null (orrery_part_save_state (ORRERY_PART (plain)));
}

static void
test_bad_table (void)
{
  static const OrreryField outside[] = { ORRERY_FIELD_AS ("far", ORRERY_FIELD_DOUBLE, sizeof (Base),
                                                          "", "") };
  OrreryPartClass *klass = g_type_class_ref (plain_get_type ());

  g_test_summary ("a table that does not fit its struct is a mistake of the class");
  g_test_expect_message ("orrery", G_LOG_LEVEL_CRITICAL, "*field far: no double at offset*");
  ORRERY_CLASS_SET_STATE (klass, Base, outside);
  g_test_assert_expected_messages ();
  g_assert_null (klass->states);
  g_type_class_unref (klass);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/part/states/table", test_table);
  g_test_add_func ("/part/states/below", test_below);
  g_test_add_func ("/part/states/refused", test_refused);
  g_test_add_func ("/part/states/told", test_told);
  g_test_add_func ("/part/states/bad-table", test_bad_table);
  return g_test_run ();
}
