/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks of scripts: their names, their order, and which scripts have them. */
#include "roles/orrery-callback-private.h"

#include <string.h>

#define TREE (1u << ORRERY_SCRIPT_CHILD | 1u << ORRERY_SCRIPT_CUSTOMIZATION)
#define PROGRAM (1u << ORRERY_SCRIPT_ADD_ON | 1u << ORRERY_SCRIPT_SANDBOX)
#define LASTING (PROGRAM | 1u << ORRERY_SCRIPT_CUSTOMIZATION)
#define ALL (TREE | PROGRAM)

typedef struct {
  const char *name;
  gsize offset; /* of the function in the class */
  guint types;  /* a bit for each that has it */
} Callback;

#define CALLBACK(name, types)                                                                      \
  {                                                                                                \
#name, G_STRUCT_OFFSET(OrreryScriptClass, name), types                                         \
  }

static const Callback callbacks[ORRERY_N_CALLBACKS] = {
  [ORRERY_CALLBACK_INIT] = CALLBACK (init, ALL),
  [ORRERY_CALLBACK_BEFORE_SIMULATION] = CALLBACK (before_simulation, LASTING),
  [ORRERY_CALLBACK_AFTER_SIMULATION] = CALLBACK (after_simulation, LASTING),
  [ORRERY_CALLBACK_SENSING] = CALLBACK (sensing, ALL),
  [ORRERY_CALLBACK_ACTUATION] = CALLBACK (actuation, ALL),
  [ORRERY_CALLBACK_NON_SIMULATION] = CALLBACK (non_simulation, LASTING),
  [ORRERY_CALLBACK_SUSPEND] = CALLBACK (suspend, ALL),
  [ORRERY_CALLBACK_SUSPENDED] = CALLBACK (suspended, ALL),
  [ORRERY_CALLBACK_RESUME] = CALLBACK (resume, ALL),
  [ORRERY_CALLBACK_THREAD] = CALLBACK (thread, ALL),
  [ORRERY_CALLBACK_DYN] = CALLBACK (dyn, TREE),
  [ORRERY_CALLBACK_CONTACT] = CALLBACK (contact, TREE),
  [ORRERY_CALLBACK_JOINT] = CALLBACK (joint, ALL),
  [ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH] = CALLBACK (before_instance_switch, LASTING),
  [ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH] = CALLBACK (after_instance_switch, LASTING),
  [ORRERY_CALLBACK_CLEANUP] = CALLBACK (cleanup, ALL),
};

const char *
orrery_callback_get_name (OrreryCallback callback)
{
  g_assert ((guint) callback < ORRERY_N_CALLBACKS);
  return callbacks[callback].name;
}

/* What CoppeliaSim puts in front of all names, and behind those of three in earlier releases. */
#define PREFIX "sysCall_"
#define SUFFIX "Callback"

static gboolean
may_have_suffix (OrreryCallback callback)
{
  return callback == ORRERY_CALLBACK_DYN || callback == ORRERY_CALLBACK_CONTACT ||
         callback == ORRERY_CALLBACK_JOINT;
}

/* `before_simulation`, `beforeSimulation` and `sysCall_beforeSimulation` alike. */
static gboolean
is_name (OrreryCallback callback, const char *given)
{
  const char *ours = callbacks[callback].name;
  gboolean prefixed = g_str_has_prefix (given, PREFIX);

  if (prefixed)
    given += strlen (PREFIX);
  for (; *ours != '\0'; ours++, given++) {
    char expected = *ours;

    if (*ours == '_' && (prefixed || *given != '_'))
      expected = g_ascii_toupper (*++ours);
    if (*given != expected)
      return FALSE;
  }
  return *given == '\0' || (prefixed && may_have_suffix (callback) && g_str_equal (given, SUFFIX));
}

int
orrery_callback_find (const char *name)
{
  for (guint i = 0; i < ORRERY_N_CALLBACKS; i++)
    if (is_name (i, name))
      return (int) i;
  return -1;
}

gboolean
orrery_callback_is_of_type (OrreryCallback callback, OrreryScriptType type)
{
  g_assert ((guint) callback < ORRERY_N_CALLBACKS);
  return (callbacks[callback].types >> type & 1) != 0;
}

gboolean
orrery_callback_is_reverse (OrreryCallback callback)
{
  return callback == ORRERY_CALLBACK_CONTACT;
}

gboolean
orrery_callback_is_in_class (OrreryCallback callback, const OrreryScriptClass *klass)
{
  return orrery_callback_get_func (callback, klass) != NULL;
}

GCallback
orrery_callback_get_func (OrreryCallback callback, const OrreryScriptClass *klass)
{
  GCallback func;

  g_assert ((guint) callback < ORRERY_N_CALLBACKS);
  memcpy (&func, (const char *) klass + callbacks[callback].offset, sizeof func);
  return func;
}
