/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles/orrery-modifier.h"

G_DEFINE_ABSTRACT_TYPE (OrreryModifier, orrery_modifier, ORRERY_TYPE_PART)

static void
orrery_modifier_class_init (OrreryModifierClass *klass)
{
}

static void
orrery_modifier_init (OrreryModifier *self)
{
}

void
orrery_modifier_class_set_methods (OrreryModifierClass *klass, const OrreryMethod *methods,
                                   guint n_methods)
{
  klass->methods = methods;
  klass->n_methods = n_methods;
}

const OrreryMethod *
orrery_modifier_class_find_method (OrreryModifierClass *klass, const char *name)
{
  for (guint i = 0; i < klass->n_methods; i++)
    if (g_str_equal (klass->methods[i].name, name))
      return &klass->methods[i];
  return NULL;
}
