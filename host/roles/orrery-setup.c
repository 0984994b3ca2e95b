/* SPDX-License-Identifier: BSD-3-Clause */
/* What a part is given in its setup: its object, the world, other components. */
#include "roles/orrery-setup-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error.h"
#include "roles/orrery-component-private.h"

G_DEFINE_BOXED_TYPE (OrrerySetup, orrery_setup, orrery_setup_ref, orrery_setup_unref)

OrrerySetup *
orrery_setup_new (OrreryWorld *world, OrreryComponent *component, GVariant *options,
                  OrreryFindFunc find, gpointer host)
{
  OrrerySetup *setup = g_new0 (OrrerySetup, 1);

  g_atomic_ref_count_init (&setup->refs);
  setup->world = g_object_ref (world);
  setup->component = component != NULL ? g_object_ref (component) : NULL;
  setup->options = g_variant_ref_sink (
      options != NULL ? options : g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
  setup->find = find;
  setup->host = host;
  setup->sources = g_ptr_array_new ();
  setup->found = g_ptr_array_new ();
  setup->published = g_ptr_array_new_with_free_func (g_free);
  setup->commands = g_array_new (FALSE, FALSE, sizeof (OrreryDeclared));
  return setup;
}

static void
setup_free (OrrerySetup *setup)
{
  g_clear_object (&setup->component);
  g_clear_object (&setup->world);
  g_clear_pointer (&setup->options, g_variant_unref);
  g_clear_pointer (&setup->sources, g_ptr_array_unref);
  g_clear_pointer (&setup->found, g_ptr_array_unref);
  g_clear_pointer (&setup->published, g_ptr_array_unref);
  g_clear_pointer (&setup->commands, g_array_unref);
  g_free (setup);
}

ORRERY_DEFINE_COUNTED (OrrerySetup, orrery_setup, refs, setup_free)

void
orrery_setup_end (OrrerySetup *setup)
{
  setup->ended = TRUE;
  setup->find = NULL;
  setup->find_rays = NULL;
  setup->reckon_inertia = NULL;
  setup->measure = NULL;
  setup->get_renderer = NULL;
  setup->host = NULL;
  setup->allow_users = NULL;
  setup->token_file = NULL;
  setup->messages = NULL;
}

/* A binding may keep what was lent. */
static gboolean
is_open (OrrerySetup *setup, const char *function)
{
  if (setup->ended)
    g_warning ("%s: setup is over", function);
  return !setup->ended;
}

ORRERY_DEFINE_GETTER (OrreryWorld *, orrery_setup_get_world, OrrerySetup, ORRERY_IS_STRUCT,
                      self->world)

OrreryObject *
orrery_setup_get_object (OrrerySetup *setup)
{
  return setup->component != NULL ? orrery_component_get_object (setup->component) : setup->object;
}

ORRERY_DEFINE_GETTER (OrreryComponent *, orrery_setup_get_component, OrrerySetup, ORRERY_IS_STRUCT,
                      self->component)

OrreryRecord *
orrery_setup_get_record (OrrerySetup *setup)
{
  return setup->component != NULL ? orrery_component_get_record (setup->component) : NULL;
}

static void
note_found (OrrerySetup *setup, OrreryComponent *component)
{
  if (component != setup->component && !g_ptr_array_find (setup->found, component, NULL))
    g_ptr_array_add (setup->found, component);
}

OrreryComponent *
orrery_setup_find_component (OrrerySetup *setup, const char *name)
{
  OrreryComponent *component;

  g_return_val_if_fail (name != NULL, NULL);
  component = setup->find != NULL ? setup->find (setup->host, name) : NULL;
  if (component != NULL)
    note_found (setup, component);
  return component;
}

void
orrery_setup_add_source (OrrerySetup *setup, OrreryComponent *component)
{
  g_return_if_fail (ORRERY_IS_COMPONENT (component));
  if (!is_open (setup, G_STRFUNC))
    return;
  g_ptr_array_add (setup->sources, component);
  note_found (setup, component);
}

void
orrery_setup_set_on_demand (OrrerySetup *setup)
{
  if (is_open (setup, G_STRFUNC))
    setup->on_demand = TRUE;
}

void
orrery_setup_read_none (OrrerySetup *setup)
{
  if (is_open (setup, G_STRFUNC))
    setup->reads_none = TRUE;
}

void
orrery_setup_add_command (OrrerySetup *setup, OrreryObject *object, OrreryCommandKind kind)
{
  OrreryDeclared declared = { 0 };

  g_return_if_fail (object != NULL);
  declared.object = orrery_object_get_index (object);
  declared.kind = kind;
  if (is_open (setup, G_STRFUNC) && setup->commands->len < ORRERY_MAX_DECLARED)
    g_array_append_val (setup->commands, declared);
}

void
orrery_setup_set_schema (OrrerySetup *setup, OrrerySchema *schema)
{
  g_return_if_fail (setup->component != NULL);
  g_return_if_fail (schema != NULL);
  if (is_open (setup, G_STRFUNC))
    orrery_component_set_schema (setup->component, schema);
}

OrreryRaycaster *
orrery_setup_get_rays (OrrerySetup *setup, GError **error)
{
  if (setup->find_rays != NULL)
    return setup->find_rays (setup->host, error);
  orrery_set_error (error, ORRERY_ERROR_STATE, "rays can be requested in setup only");
  return NULL;
}

gboolean
orrery_setup_reckon_inertia (OrrerySetup *setup, GError **error)
{
  if (setup->reckon_inertia != NULL)
    return setup->reckon_inertia (setup->host, error);
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "inertia can be computed in setup only, with a physics engine");
}

gboolean
orrery_setup_measure (OrrerySetup *setup, OrreryMeasurement what, OrreryObject *object,
                      GError **error)
{
  g_return_val_if_fail (object != NULL, FALSE);
  if (setup->measure != NULL)
    return setup->measure (setup->host, what, object, error);
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "forces are measured by a physics engine, and this process has none, or "
                           "setup is over; sensors of forces run in the host's process");
}

ORRERY_DEFINE_GETTER (GVariant *, orrery_setup_get_options, OrrerySetup, ORRERY_IS_STRUCT,
                      self->options)

gboolean
orrery_setup_has_option (OrrerySetup *setup, const char *name)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (setup->options, name, NULL);

  return value != NULL;
}

OrreryRenderer *
orrery_setup_get_renderer (OrrerySetup *setup, GError **error)
{
  if (setup->get_renderer != NULL)
    return setup->get_renderer (setup->host, error);
  orrery_set_error (error, ORRERY_ERROR_INVALID,
                    "only components may ask for a renderer, and only while they are set up");
  return NULL;
}

ORRERY_DEFINE_GETTER (gboolean, orrery_setup_is_offline, OrrerySetup, ORRERY_IS_STRUCT,
                      self->offline)

ORRERY_DEFINE_GETTER (const char *, orrery_setup_get_allowed_users, OrrerySetup, ORRERY_IS_STRUCT,
                      self->allow_users)

ORRERY_DEFINE_GETTER (gboolean, orrery_setup_wants_not_finite_words, OrrerySetup, ORRERY_IS_STRUCT,
                      self->not_finite_words)

ORRERY_DEFINE_GETTER (const char *, orrery_setup_get_token_file, OrrerySetup, ORRERY_IS_STRUCT,
                      self->token_file)

ORRERY_DEFINE_GETTER (OrreryMessageCatalogue *, orrery_setup_get_messages, OrrerySetup,
                      ORRERY_IS_STRUCT, self->messages)

void
orrery_setup_publish (OrrerySetup *setup, const char *name)
{
  g_return_if_fail (name != NULL);
  if (is_open (setup, G_STRFUNC))
    g_ptr_array_add (setup->published, g_strdup (name));
}
