/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensors that several cameras make up, as a stereo unit. */
#include "group.h"

#define KEY "orrery-group"

void
group_init (Group *group, OrreryPart *part)
{
  group->cameras = g_ptr_array_new ();
  group->calls = g_ptr_array_new_with_free_func (g_object_unref);
  g_object_set_data (G_OBJECT (part), KEY, group);
}

static void
forget_calls (Group *group)
{
  for (guint i = 0; i < group->calls->len; i++)
    orrery_call_set_done_func (group->calls->pdata[i], NULL, NULL, NULL);
  g_ptr_array_set_size (group->calls, 0);
}

void
group_clear (Group *group)
{
  if (group->calls != NULL)
    forget_calls (group);
  g_clear_pointer (&group->calls, g_ptr_array_unref);
  g_clear_pointer (&group->cameras, g_ptr_array_unref);
}

/* What is below the component and takes pictures. */
static void
find_cameras (Group *group, OrrerySetup *setup, OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    const char *name = orrery_object_get_name (children->pdata[i]);
    OrreryComponent *component = orrery_setup_find_component (setup, name);

    if (component != NULL && ORRERY_IS_SENSOR (component))
      g_ptr_array_add (group->cameras, component);
    find_cameras (group, setup, children->pdata[i]);
  }
}

void
group_set_up (Group *group, OrrerySetup *setup)
{
  orrery_setup_set_on_demand (setup);
  g_ptr_array_set_size (group->cameras, 0);
  find_cameras (group, setup, orrery_setup_get_object (setup));
}

/* --- capture --- */

static GVariant *
make_arguments (gint64 n)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&list, "v", g_variant_new_int64 (n));
  return g_variant_builder_end (&list);
}

static OrreryCall *
find_failed (Group *group)
{
  for (guint i = 0; i < group->calls->len; i++)
    if (orrery_call_get_fault (group->calls->pdata[i]) != ORRERY_CALL_OK)
      return group->calls->pdata[i];
  return NULL;
}

/* The call is done when all of them are. */
static void
on_done (OrreryCall *done, gpointer data)
{
  OrreryComponent *self = data;
  Group *group = g_object_get_data (G_OBJECT (self), KEY);
  OrreryCall *call = orrery_component_get_call (self);
  OrreryCall *failed = find_failed (group);
  GError *error = NULL;

  for (guint i = 0; i < group->calls->len; i++)
    if (!orrery_call_is_done (group->calls->pdata[i]))
      return;
  if (call == NULL)
    return;
  if (failed != NULL)
    orrery_call_get_result (failed, &error);
  if (error != NULL)
    orrery_call_fail (call, error);
  else
    orrery_call_return (call, NULL);
}

static void
wait_for_calls (Group *group, OrreryPart *part)
{
  for (guint i = 0; i < group->calls->len; i++)
    orrery_call_set_done_func (group->calls->pdata[i], on_done, part, NULL);
}

static void
capture (OrreryPart *part, OrreryCall *call, GError **error)
{
  Group *group = g_object_get_data (G_OBJECT (part), KEY);

  forget_calls (group);
  if (group->cameras->len == 0) {
    orrery_set_error (error, ORRERY_ERROR_STATE, "%s has no cameras below it",
                      orrery_part_get_name (part));
    return;
  }
  for (guint i = 0; i < group->cameras->len; i++)
    g_ptr_array_add (group->calls,
                     orrery_part_call (group->cameras->pdata[i], "capture",
                                       make_arguments (orrery_call_get_int (call, 0))));
  wait_for_calls (group, part);
}

static const OrreryService services[] = {
  { "capture", capture, ORRERY_SERVICE_LONG, "n:x",
    "Has all cameras below it take n pictures; done when all have them" },
};

static void
cancel (OrreryPart *part, OrreryCall *call)
{
  Group *group = g_object_get_data (G_OBJECT (part), KEY);

  for (guint i = 0; i < group->calls->len; i++) {
    orrery_call_set_done_func (group->calls->pdata[i], NULL, NULL, NULL);
    orrery_call_cancel (group->calls->pdata[i]);
  }
}

/* --- state --- */

/* Whether it waits for cameras, whose own states have what they do. */
static GVariant *
save (OrreryPart *part)
{
  return g_variant_new_boolean (orrery_component_get_call (ORRERY_COMPONENT (part)) != NULL);
}

static void
restore (OrreryPart *part, GVariant *state, GError **error)
{
  Group *group = g_object_get_data (G_OBJECT (part), KEY);

  forget_calls (group);
  for (guint i = 0; g_variant_get_boolean (state) && i < group->cameras->len; i++) {
    OrreryCall *call = orrery_component_get_call (group->cameras->pdata[i]);

    if (call != NULL)
      g_ptr_array_add (group->calls, g_object_ref (call));
  }
  wait_for_calls (group, part);
}

void
group_part_class_init (OrreryPartClass *klass)
{
  ORRERY_CLASS_SET_SERVICES (klass, services);
  klass->cancel = cancel;
  klass->save = save;
  klass->restore = restore;
  klass->state_type = "b";
}
