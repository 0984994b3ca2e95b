/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of modifiers, and the methods that a config may name. */
#include "roles/orrery-modifier-private.h"

#include "base/orrery-error-private.h"

typedef struct {
  const char *method; /* of the class's table */
} OrreryModifierPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryModifier, orrery_modifier, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryModifierPrivate *) orrery_modifier_get_instance_private (self))

static void
orrery_modifier_class_init (OrreryModifierClass *klass)
{
}

void
orrery_modifier_class_set_methods (OrreryModifierClass *klass, const OrreryMethod *methods,
                                   guint n_methods)
{
  klass->methods = methods;
  klass->n_methods = n_methods;
}

gboolean
orrery_modifier_class_declare_methods (OrreryModifierClass *klass, GVariant *table, GError **error)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (table);
  OrreryMethod *methods;
  gsize n;

  if (!g_variant_is_of_type (held, G_VARIANT_TYPE ("a(ss)")))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "a table of methods is an array of (name, words), a(ss), not %s",
                             g_variant_get_type_string (held));
  n = g_variant_n_children (held);
  /* As long as the class, which is of the process. */
  methods = g_new0 (OrreryMethod, n + 1);
  for (gsize i = 0; i < n; i++)
    g_variant_get_child (held, i, "(ss)", &methods[i].name, &methods[i].words);
  orrery_modifier_class_set_methods (klass, methods, (guint) n);
  return TRUE;
}

OrreryModifierFunc
orrery_modifier_choose_method (OrreryModifier *modifier, const OrreryMethod *method)
{
  if (method->func != NULL)
    return method->func;
  PRIVATE (modifier)->method = method->name;
  return ORRERY_MODIFIER_GET_CLASS (modifier)->modify;
}

const char *
orrery_modifier_get_method (OrreryModifier *modifier)
{
  g_return_val_if_fail (ORRERY_IS_MODIFIER (modifier), NULL);
  return PRIVATE (modifier)->method;
}

const OrreryMethod *
orrery_modifier_class_find_method (OrreryModifierClass *klass, const char *name)
{
  for (guint i = 0; i < klass->n_methods; i++)
    if (g_str_equal (klass->methods[i].name, name))
      return &klass->methods[i];
  return NULL;
}
