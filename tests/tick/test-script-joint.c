/* SPDX-License-Identifier: BSD-3-Clause */
#include "tick/orrery-script-runner-private.h"
#include "world/orrery-world-private.h"

/* Whom a joint asks: from inside, since no engine has joints yet. */

G_DECLARE_FINAL_TYPE (Asked, asked, TEST, ASKED, OrreryScript)
struct _Asked {
  OrreryScript parent_instance;
  char letter;
  gboolean answers;
  gboolean fails;
};
G_DEFINE_FINAL_TYPE (Asked, asked, ORRERY_TYPE_SCRIPT)

static GString *asked_list;

static gboolean
asked_joint (OrreryScript *script, OrreryTick *tick, GError **error)
{
  Asked *self = TEST_ASKED (script);

  g_assert_cmpstr (orrery_object_get_name (orrery_tick_get_joint (tick)), ==, "arm.elbow.joint");
  g_string_append_c (asked_list, self->letter);
  if (self->fails)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "as told");
  return self->answers;
}

static void
asked_class_init (AskedClass *klass)
{
  ORRERY_SCRIPT_CLASS (klass)->joint = asked_joint;
}

static void
asked_init (Asked *self)
{
}

static char *warning;

static GLogWriterOutput
keep_warning (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE")) {
      g_free (warning);
      warning = g_strdup (fields[i].value);
    }
  return G_LOG_WRITER_HANDLED;
}

typedef struct {
  OrreryWorld *world;
  OrreryTick *tick;
  OrreryScripts *scripts;
  OrreryObject *joint;
} Fixture;

static void
drop (gpointer host, OrreryScriptSlot *slot)
{
}

static Asked *
add (Fixture *f, char letter, OrreryScriptType type, OrreryObject *object)
{
  OrreryScriptSlot *slot = orrery_script_slot_new ("script", type, object, NULL, NULL);
  Asked *asked = g_object_new (asked_get_type (), NULL);

  asked->letter = letter;
  orrery_script_slot_set_script (slot, ORRERY_SCRIPT (asked));
  orrery_script_place (slot->script, type, object);
  g_ptr_array_add (orrery_scripts_get_slots (f->scripts), slot);
  return asked;
}

static void
setup (Fixture *f, gconstpointer data)
{
  OrreryObject *arm, *elbow, *other;

  f->world = orrery_world_new ();
  f->tick = orrery_tick_new (f->world);
  f->scripts = orrery_scripts_new (NULL, drop, NULL);
  arm = orrery_world_add_object (f->world, "arm", NULL, NULL);
  elbow = orrery_world_add_object (f->world, "elbow", arm, NULL);
  f->joint = orrery_world_add_object (f->world, "joint", elbow, NULL);
  other = orrery_world_add_object (f->world, "other", arm, NULL);
  add (f, 'o', ORRERY_SCRIPT_CHILD, other);
  add (f, 'a', ORRERY_SCRIPT_CHILD, arm);
  add (f, 'j', ORRERY_SCRIPT_CHILD, f->joint);
  add (f, 'C', ORRERY_SCRIPT_CUSTOMIZATION, other);
  add (f, '+', ORRERY_SCRIPT_ADD_ON, NULL);
  add (f, 's', ORRERY_SCRIPT_SANDBOX, NULL);
  orrery_scripts_begin (f->scripts, ORRERY_SCRIPTS_ALL, f->tick);
  asked_list = g_string_new (NULL);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  orrery_scripts_end (f->scripts, ORRERY_SCRIPTS_ALL, f->tick);
  orrery_scripts_free (f->scripts);
  orrery_tick_unref (f->tick);
  g_object_unref (f->world);
  g_string_free (asked_list, TRUE);
}

static Asked *
find (Fixture *f, char letter)
{
  GPtrArray *slots = orrery_scripts_get_slots (f->scripts);

  for (guint i = 0; i < slots->len; i++) {
    Asked *asked = TEST_ASKED (((OrreryScriptSlot *) slots->pdata[i])->script);

    if (asked->letter == letter)
      return asked;
  }
  g_assert_not_reached ();
}

static void
check (Fixture *f, gboolean answered, const char *expected)
{
  g_assert_true (orrery_scripts_call_joint (f->scripts, f->joint, f->tick) == answered);
  g_assert_cmpstr (asked_list->str, ==, expected);
  g_string_truncate (asked_list, 0);
  g_assert_null (orrery_tick_get_joint (f->tick));
}

static void
test_upward (Fixture *f, gconstpointer data)
{
  g_test_summary ("from the joint upward, then those of the scene and of the program");
  check (f, FALSE, "jaC+s");
}

static void
test_answer (Fixture *f, gconstpointer data)
{
  find (f, 'C')->answers = TRUE;
  check (f, TRUE, "jaC");
  find (f, 'j')->answers = TRUE;
  check (f, TRUE, "j");
}

static void
test_failure (Fixture *f, gconstpointer data)
{
  find (f, 'a')->fails = TRUE;
  find (f, 'a')->answers = TRUE;
  check (f, FALSE, "jaC+s");
  g_assert_cmpstr (warning, ==, "script: joint: as told; the script is disabled");
  check (f, FALSE, "jC+s");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_log_set_writer_func (keep_warning, NULL, NULL);
  g_test_add ("/scripts/joint/upward", Fixture, NULL, setup, test_upward, teardown);
  g_test_add ("/scripts/joint/answer", Fixture, NULL, setup, test_answer, teardown);
  g_test_add ("/scripts/joint/failure", Fixture, NULL, setup, test_failure, teardown);
  status = g_test_run ();
  g_free (warning);
  return status;
}
