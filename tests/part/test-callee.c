/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-calling-private.h"
#include "part/orrery-part-private.h"
#include "process/orrery-fault.h"

#include <malloc.h>
#include <string.h>

/* What another thread has seen of a part outlives the part. */

typedef struct {
  OrreryPart parent_instance;
} TrialPart;

typedef OrreryPartClass TrialPartClass;

static GType trial_part_get_type (void);
G_DEFINE_TYPE (TrialPart, trial_part, ORRERY_TYPE_PART)

static OrreryFault seen;
static const OrreryCallee *callee;

static void
trial_part_finalize (GObject *object)
{
  g_assert_true (orrery_fault_look (&seen));
  callee = orrery_calling.callee;
  G_OBJECT_CLASS (trial_part_parent_class)->finalize (object);
}

static void
trial_part_class_init (TrialPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = trial_part_finalize;
}

static void
trial_part_init (TrialPart *self)
{
}

static OrreryPart *
make_part (const char *name)
{
  OrreryPart *part = g_object_new (trial_part_get_type (), NULL);

  orrery_part_identify (part, name, "trial.parts.Part", 0);
  return part;
}

static void
test_released (void)
{
  g_test_summary ("name and class of a part that was released can still be read");
  orrery_part_release (make_part ("robot.a_part_of_some_name"));
  g_assert_cmpstr (seen.function, ==, "finalize");
  for (guint i = 0; i < 100; i++) {
    g_autofree char *name = g_strdup_printf ("robot.another_part_number_%u", i);

    orrery_part_release (make_part (name));
    if (i == 0) {
      g_assert_cmpstr (seen.name, ==, "robot.another_part_number_0");
      g_assert_cmpstr (seen.classpath, ==, "trial.parts.Part");
    }
  }
}

static void
test_texts (void)
{
  OrreryFault first;

  g_test_summary ("the texts stay what they are when their part has gone");
  orrery_part_release (make_part ("robot.a_part_of_some_name"));
  first = seen;
  for (guint i = 0; i < 100; i++)
    orrery_part_release (make_part ("robot.one_more_of_the_same_size"));
  g_assert_cmpstr (first.name, ==, "robot.a_part_of_some_name");
  g_assert_cmpstr (first.classpath, ==, "trial.parts.Part");
}

static void
test_record (void)
{
  g_test_summary ("the record itself is never given back, only used again");
  for (guint i = 0; i < 1000; i++) {
    g_autofree char *name = g_strdup_printf ("robot.part_%u", i);

    orrery_part_release (make_part (name));
    g_assert_nonnull (callee->classpath);
    g_assert_cmpstr (callee->classpath, ==, "trial.parts.Part");
    g_assert_true (g_str_has_prefix (callee->name, "robot."));
  }
}

int
main (int argc, char **argv)
{
  /* What is freed is overwritten. */
  mallopt (M_PERTURB, 0x55);
  g_test_init (&argc, &argv, NULL);
  orrery_fault_catch (NULL);
  g_test_add_func ("/part/callee/released", test_released);
  g_test_add_func ("/part/callee/texts", test_texts);
  g_test_add_func ("/part/callee/record", test_record);
  return g_test_run ();
}
