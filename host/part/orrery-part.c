/* SPDX-License-Identifier: BSD-3-Clause */
/* The common base of everything that a plugin class makes: name, services, options. */
#include "base/orrery-error-private.h"
#include "base/orrery-getter-private.h"
#include "part/orrery-call-private.h"
#include "part/orrery-log-levels-private.h"
#include "part/orrery-part-private.h"
#include "part/orrery-signature-private.h"

#include <string.h>

typedef struct {
  OrreryCallee *callee; /* the first one: see orrery_part_get_callee() */
  char *name;
  char *classpath;
  OrreryRandom random;
  OrreryCall *busy; /* owned: the long-running call that it works on */
  guint64 n_calls;
  GPtrArray *sources;   /* (nullable) */
  GPtrArray *published; /* (nullable) */
  GArray *commands;     /* (nullable) */
  GArray *kept;         /* (element-type GValue): its options, as they are listed; for a reset */
  const OrreryProxyFuncs *proxy_funcs;
  gpointer proxy;
  OrreryPartLog log;
  gboolean started;
} OrreryPartPrivate;

static gpointer orrery_part_parent_class;
gint orrery_part_private_offset;

#define PRIVATE(self) ((OrreryPartPrivate *) G_STRUCT_MEMBER_P (self, orrery_part_private_offset))

static void
orrery_part_real_call (OrreryPart *self, const char *name, OrreryCall *call, GError **error)
{
  const OrreryService *service =
      orrery_part_class_find_service (ORRERY_PART_GET_CLASS (self), name);

  if (service != NULL && service->func != NULL)
    service->func (self, call, error);
  else
    orrery_set_error (error, ORRERY_ERROR_INTERNAL,
                      "%s: the class has no function for the service %s", PRIVATE (self)->classpath,
                      name);
}

typedef struct {
  gsize place;
  GDestroyNotify free;
  gboolean in_place;
} Owned;

/* A class struct starts as a copy of its parent's: the list is the parent's until it is replaced.
 */
void
orrery_part_class_add_owned (OrreryPartClass *klass, gsize place, GDestroyNotify free,
                             gboolean in_place)
{
  OrreryPartClass *parent = g_type_class_peek_parent (klass);
  Owned owned = { place, free, in_place };

  if (klass->owned == NULL)
    klass->owned = g_array_new (FALSE, FALSE, sizeof (Owned));
  else if (klass->owned == parent->owned)
    klass->owned = g_array_copy (klass->owned);
  g_array_append_val (klass->owned, owned);
}

static void
free_owned (OrreryPart *self)
{
  GArray *list = ORRERY_PART_GET_CLASS (self)->owned;

  for (guint i = 0; list != NULL && i < list->len; i++) {
    const Owned *owned = &g_array_index (list, Owned, i);
    gpointer member = (char *) self + owned->place;

    if (owned->in_place)
      owned->free (member);
    else
      g_clear_pointer ((gpointer *) member, owned->free);
  }
}

static void
orrery_part_finalize (GObject *object)
{
  OrreryPartPrivate *priv = PRIVATE (ORRERY_PART (object));

  free_owned (ORRERY_PART (object));
  orrery_part_log_clear (ORRERY_PART (object), &priv->log);
  g_clear_pointer (&priv->name, g_free);
  g_clear_pointer (&priv->classpath, g_free);
  g_clear_pointer (&priv->callee, orrery_callee_free);
  g_clear_object (&priv->busy);
  g_clear_pointer (&priv->sources, g_ptr_array_unref);
  g_clear_pointer (&priv->published, g_ptr_array_unref);
  g_clear_pointer (&priv->commands, g_array_unref);
  g_clear_pointer (&priv->kept, g_array_unref);
  orrery_part_clear_properties (ORRERY_PART (object));
  orrery_part_clear_state (ORRERY_PART (object));
  G_OBJECT_CLASS (orrery_part_parent_class)->finalize (object);
}

static void
orrery_part_class_init (OrreryPartClass *klass)
{
  orrery_part_parent_class = g_type_class_peek_parent (klass);
  g_type_class_adjust_private_offset (klass, &orrery_part_private_offset);
  G_OBJECT_CLASS (klass)->finalize = orrery_part_finalize;
  klass->call = orrery_part_real_call;
}

/* Runs with the class of the instance, before the instance init of that class. */
static void
orrery_part_init (GTypeInstance *self, gpointer klass)
{
  PRIVATE (self)->callee = orrery_callee_new (NULL, NULL, NULL);
  orrery_part_apply_defaults ((OrreryPart *) self, klass);
}

/* Written out, since G_DEFINE_TYPE() keeps the class from the instance init. */
GType
orrery_part_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type)) {
    GType made =
        g_type_register_static_simple (G_TYPE_OBJECT, g_intern_static_string ("OrreryPart"),
                                       sizeof (OrreryPartClass),
                                       (GClassInitFunc) (void (*) (void)) orrery_part_class_init,
                                       sizeof (OrreryPart), orrery_part_init, G_TYPE_FLAG_ABSTRACT);

    orrery_part_private_offset = g_type_add_instance_private (made, sizeof (OrreryPartPrivate));
    g_once_init_leave (&type, made);
  }
  return type;
}

void
orrery_part_identify (OrreryPart *part, const char *name, const char *classpath, guint64 seed)
{
  OrreryPartPrivate *priv = PRIVATE (part);

  g_free (priv->name);
  g_free (priv->classpath);
  priv->name = g_strdup (name);
  priv->classpath = g_strdup (classpath);
  orrery_callee_set (priv->callee, classpath, name, NULL);
  orrery_random_init (&priv->random, seed, name);
}

void
orrery_part_set_seed (OrreryPart *part, guint64 seed)
{
  OrreryPartPrivate *priv = PRIVATE (part);

  orrery_random_init (&priv->random, seed, priv->name);
}

void
orrery_part_release (gpointer part)
{
  /* One that stays, since the part's own goes with it. */
  const OrreryCallee *own = orrery_part_get_callee (part);
  OrreryCallee *callee = orrery_callee_new (own->classpath, own->name, NULL);
  OrreryCalling before = orrery_calling_begin (callee, "finalize");

  g_object_unref (part);
  orrery_calling_end (before);
  orrery_callee_free (callee);
}

OrreryPartLog *
orrery_part_get_log (OrreryPart *part)
{
  return &PRIVATE (part)->log;
}

static void
keep (GPtrArray **kept, GPtrArray *found)
{
  g_clear_pointer (kept, g_ptr_array_unref);
  if (found != NULL && found->len > 0)
    *kept = g_ptr_array_ref (found);
}

void
orrery_part_set_found (OrreryPart *part, GPtrArray *sources, GPtrArray *published)
{
  keep (&PRIVATE (part)->sources, sources);
  keep (&PRIVATE (part)->published, published);
}

void
orrery_part_set_commands (OrreryPart *part, GArray *commands)
{
  g_clear_pointer (&PRIVATE (part)->commands, g_array_unref);
  if (commands != NULL && commands->len > 0)
    PRIVATE (part)->commands = g_array_ref (commands);
}

GArray *
orrery_part_get_commands (OrreryPart *part)
{
  return PRIVATE (part)->commands;
}

GPtrArray *
orrery_part_get_sources (OrreryPart *part)
{
  return PRIVATE (part)->sources;
}

GPtrArray *
orrery_part_get_published (OrreryPart *part)
{
  return PRIVATE (part)->published;
}

OrreryCall *
orrery_part_get_busy (OrreryPart *part)
{
  return PRIVATE (part)->busy;
}

guint64
orrery_part_get_n_calls (OrreryPart *part)
{
  return PRIVATE (part)->n_calls;
}

void
orrery_part_count_call (OrreryPart *part)
{
  PRIVATE (part)->n_calls++;
}

void
orrery_part_set_busy (OrreryPart *part, OrreryCall *call)
{
  g_set_object (&PRIVATE (part)->busy, call);
}

void
orrery_part_set_proxy (OrreryPart *part, const OrreryProxyFuncs *funcs, gpointer proxy)
{
  PRIVATE (part)->proxy_funcs = funcs;
  PRIVATE (part)->proxy = proxy;
}

const OrreryProxyFuncs *
orrery_part_get_proxy (OrreryPart *part, gpointer *proxy)
{
  *proxy = PRIVATE (part)->proxy;
  return PRIVATE (part)->proxy_funcs;
}

/* A class struct starts as a copy of its parent's: the list is the parent's until it is replaced.
 */
void
orrery_part_class_add_services (OrreryPartClass *klass, const OrreryService *services,
                                guint n_services)
{
  GPtrArray *inherited = klass->services;

  klass->services = g_ptr_array_new ();
  for (guint i = 0; inherited != NULL && i < inherited->len; i++)
    g_ptr_array_add (klass->services, inherited->pdata[i]);

  for (guint i = 0; i < n_services; i++) {
    const OrreryService *old = orrery_part_class_find_service (klass, services[i].name);
    guint place;

    if (old != NULL && g_ptr_array_find (klass->services, old, &place))
      klass->services->pdata[place] = (gpointer) &services[i];
    else
      g_ptr_array_add (klass->services, (gpointer) &services[i]);
  }
}

static gboolean
is_identifier (const char *name)
{
  if (!g_ascii_isalpha (*name) && *name != '_')
    return FALSE;
  return strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_") == strlen (name);
}

static gboolean
check_service (GPtrArray *before, const OrreryService *service, GError **error)
{
  g_autoptr (GPtrArray) arguments = NULL;

  if (!is_identifier (service->name))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "service '%.40s': no identifier",
                             service->name);
  for (guint i = 0; i < before->len; i++) {
    if (!g_str_equal (((const OrreryService *) before->pdata[i])->name, service->name))
      continue;
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "service %s: there are two of that name",
                             service->name);
  }
  arguments = orrery_signature_parse (service->signature, error);
  if (arguments == NULL)
    g_prefix_error (error, "service %s: ", service->name);
  return arguments != NULL;
}

/* The table ends with an entry without a name. */
static void
free_services (OrreryService *services)
{
  for (OrreryService *service = services; service->name != NULL; service++) {
    g_free ((char *) service->name);
    g_free ((char *) service->signature);
    g_free ((char *) service->words);
  }
  g_free (services);
}

gboolean
orrery_part_class_declare_services (OrreryPartClass *klass, GVariant *table, GError **error)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (table);
  g_autoptr (GPtrArray) read = g_ptr_array_new ();
  OrreryService *services;
  gsize n;

  if (!g_variant_is_of_type (held, G_VARIANT_TYPE ("a(ssus)")))
    return orrery_set_error (
        error, ORRERY_ERROR_INVALID,
        "a table of services is an array of (name, signature, flags, words), a(ssus), "
        "not %s",
        g_variant_get_type_string (held));
  n = g_variant_n_children (held);
  /* Never freed, like the class. */
  services = g_new0 (OrreryService, n + 1);
  for (gsize i = 0; i < n; i++) {
    guint32 flags;

    g_variant_get_child (held, i, "(ssus)", &services[i].name, &services[i].signature, &flags,
                         &services[i].words);
    services[i].flags = flags;
    if (!check_service (read, &services[i], error)) {
      free_services (services);
      return FALSE;
    }
    g_ptr_array_add (read, &services[i]);
  }
  orrery_part_class_add_services (klass, services, (guint) n);
  return TRUE;
}

const OrreryService *
orrery_part_class_find_service (OrreryPartClass *klass, const char *name)
{
  for (guint i = 0; klass->services != NULL && i < klass->services->len; i++) {
    const OrreryService *service = klass->services->pdata[i];

    if (g_str_equal (service->name, name))
      return service;
  }
  return NULL;
}

GPtrArray *
orrery_part_class_get_services (OrreryPartClass *klass)
{
  return klass->services;
}

const char **
orrery_part_get_service_names (OrreryPart *part)
{
  GPtrArray *services = NULL;
  const char **names = NULL;
  guint n = 0;

  g_return_val_if_fail (ORRERY_IS_PART (part), NULL);

  services = orrery_part_class_get_services (ORRERY_PART_GET_CLASS (part));
  n = services != NULL ? services->len : 0;
  names = g_new0 (const char *, n + 1);
  for (guint i = 0; i < n; i++)
    names[i] = ((const OrreryService *) services->pdata[i])->name;
  return names;
}

OrreryServiceFlags
orrery_part_get_service_flags (OrreryPart *part, const char *name)
{
  const OrreryService *service = NULL;

  g_return_val_if_fail (ORRERY_IS_PART (part), ORRERY_SERVICE_IMMEDIATE);
  g_return_val_if_fail (name != NULL, ORRERY_SERVICE_IMMEDIATE);

  service = orrery_part_class_find_service (ORRERY_PART_GET_CLASS (part), name);
  return service != NULL ? service->flags & ~ORRERY_SERVICE_ASKS : ORRERY_SERVICE_IMMEDIATE;
}

ORRERY_DEFINE_GETTER (const char *, orrery_part_get_name, OrreryPart, ORRERY_IS_PART,
                      PRIVATE (self)->name)

ORRERY_DEFINE_GETTER (const char *, orrery_part_get_classpath, OrreryPart, ORRERY_IS_PART,
                      PRIVATE (self)->classpath)

OrreryRandom *
orrery_part_get_random (OrreryPart *part, OrreryTick *tick)
{
  OrreryRandom *random = &PRIVATE (part)->random;
  guint64 number = orrery_tick_get_number (tick);

  /* If a step asks several times, the stream continues. */
  if (random->tick != number || random->draw == 0)
    orrery_random_begin (random, number);
  return random;
}

double
orrery_part_draw_uniform (OrreryPart *part, OrreryTick *tick)
{
  g_return_val_if_fail (ORRERY_IS_PART (part) && tick != NULL, 0);
  return orrery_random_uniform (orrery_part_get_random (part, tick));
}

double
orrery_part_draw_gaussian (OrreryPart *part, OrreryTick *tick)
{
  g_return_val_if_fail (ORRERY_IS_PART (part) && tick != NULL, 0);
  return orrery_random_gaussian (orrery_part_get_random (part, tick));
}

void
orrery_part_restart_random (OrreryPart *part)
{
  PRIVATE (part)->random.draw = 0;
}

static gboolean
is_option (GParamSpec *pspec)
{
  return (pspec->flags & G_PARAM_WRITABLE) && (pspec->flags & G_PARAM_READABLE) &&
         !(pspec->flags & G_PARAM_CONSTRUCT_ONLY);
}

GParamSpec **
orrery_part_class_list_options (OrreryPartClass *klass, guint *n)
{
  /* What stands for a class has its properties, but in a form that GObject does not list. */
  OrreryPartClass *of = klass->stands_for != NULL ? klass->stands_for : klass;
  guint n_specs;
  GParamSpec **specs = g_object_class_list_properties (G_OBJECT_CLASS (of), &n_specs);

  *n = 0;
  for (guint i = 0; i < n_specs; i++)
    if (is_option (specs[i]))
      specs[(*n)++] = specs[i];
  specs[*n] = NULL;
  return specs;
}

static GParamSpec *
find_option (OrreryPartClass *klass, const char *name)
{
  OrreryPartClass *of = klass->stands_for != NULL ? klass->stands_for : klass;
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (of), name);
  g_autofree GParamSpec **specs = NULL;
  guint n;

  /* Most are found without a list of all. */
  if (pspec != NULL && is_option (pspec) && g_str_equal (orrery_param_get_name (pspec), name))
    return pspec;
  specs = orrery_part_class_list_options (klass, &n);
  for (guint i = 0; i < n; i++)
    if (g_str_equal (orrery_param_get_name (specs[i]), name) || g_str_equal (specs[i]->name, name))
      return specs[i];
  return NULL;
}

typedef struct {
  const char *name; /* NULL: the end */
  GParamSpec *pspec;
} Option;

static G_DEFINE_QUARK (orrery - part - options, options)

    /* Returns: (transfer none): all options of a class that has instances, so that no more come */
    static const Option *get_options (OrreryPartClass *klass)
{
  static GMutex mutex;
  GType type = G_TYPE_FROM_CLASS (klass->stands_for != NULL ? klass->stands_for : klass);
  Option *options = g_type_get_qdata (type, options_quark ());
  g_autofree GParamSpec **specs = NULL;
  guint n;

  if (options != NULL)
    return options;
  g_mutex_lock (&mutex);
  options = g_type_get_qdata (type, options_quark ());
  if (options == NULL) {
    specs = orrery_part_class_list_options (klass, &n);
    options = g_new0 (Option, n + 1);
    for (guint i = 0; i < n; i++)
      options[i] = (Option){ orrery_param_get_name (specs[i]), specs[i] };
    /* As long as the type, which is never freed. */
    g_type_set_qdata (type, options_quark (), options);
  }
  g_mutex_unlock (&mutex);
  return options;
}

static GParamSpec *
find_option_of (OrreryPart *part, const char *name)
{
  const Option *options = get_options (ORRERY_PART_GET_CLASS (part));

  for (const Option *each = options; each->name != NULL; each++)
    if (g_str_equal (each->name, name))
      return each->pspec;
  for (const Option *each = options; each->name != NULL; each++)
    if (g_str_equal (each->pspec->name, name))
      return each->pspec;
  return NULL;
}

char **
orrery_part_get_option_names (OrreryPart *part)
{
  g_autofree GParamSpec **specs = NULL;
  char **names;
  guint n;

  g_return_val_if_fail (ORRERY_IS_PART (part), NULL);

  specs = orrery_part_class_list_options (ORRERY_PART_GET_CLASS (part), &n);
  names = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    names[i] = g_strdup (orrery_param_get_name (specs[i]));
  return names;
}

gboolean
orrery_part_class_read_at_start (OrreryPartClass *klass, const char *name)
{
  GParamSpec *pspec = NULL;

  g_return_val_if_fail (ORRERY_IS_PART_CLASS (klass), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  pspec = find_option (klass, name);
  if (pspec != NULL)
    orrery_param_get_rule (pspec)->flags |= ORRERY_PROPERTY_AT_START;
  return pspec != NULL;
}

void
orrery_part_class_allow_other_options (OrreryPartClass *klass)
{
  klass->other_options = TRUE;
}

gboolean
orrery_part_allows_other_options (OrreryPart *part)
{
  return ORRERY_PART_GET_CLASS (part)->other_options;
}

gboolean
orrery_part_set_option (OrreryPart *part, const char *name, GVariant *value, GError **error)
{
  GParamSpec *pspec;

  g_return_val_if_fail (ORRERY_IS_PART (part), FALSE);

  pspec = find_option_of (part, name);
  if (pspec == NULL && ORRERY_PART_GET_CLASS (part)->other_options && !PRIVATE (part)->started)
    return TRUE;
  if (pspec == NULL) {
    g_auto (GStrv) names = orrery_part_get_option_names (part);
    g_autofree char *nearest = orrery_nearest_names (name, (const char *const *) names);

    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "%s has no property '%.60s'%s",
                             PRIVATE (part)->classpath, name, nearest);
  }
  if (!orrery_param_set (part, pspec, value, PRIVATE (part)->started, error))
    return orrery_prefix_error (error, "property '%s': ", orrery_param_get_name (pspec));
  return TRUE;
}

gboolean
orrery_part_set_option_member (OrreryPart *part, const char *name, guint index, GVariant *value,
                               GError **error)
{
  g_autoptr (GVariant) now = NULL, list = NULL;

  g_return_val_if_fail (ORRERY_IS_PART (part), FALSE);
  g_return_val_if_fail (name != NULL && value != NULL, FALSE);

  now = orrery_part_get_option (part, name);
  if (now == NULL && ORRERY_PART_GET_CLASS (part)->other_options)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' has no value of which [%u] could be a member; set the whole "
                             "list",
                             name, index);
  /* Says that there is no such property. */
  if (now == NULL)
    return orrery_part_set_option (part, name, value, error);
  list = orrery_variant_put_member (now, index, value, name, error);
  return list != NULL && orrery_part_set_option (part, name, list, error);
}

GVariant *
orrery_part_get_option (OrreryPart *part, const char *name)
{
  GParamSpec *pspec;

  g_return_val_if_fail (ORRERY_IS_PART (part), NULL);

  pspec = find_option_of (part, name);
  return pspec != NULL ? orrery_param_get (G_OBJECT (part), pspec) : NULL;
}

gboolean
orrery_part_is_option_fixed (OrreryPart *part, const char *name)
{
  GParamSpec *pspec;

  g_return_val_if_fail (ORRERY_IS_PART (part), FALSE);

  pspec = find_option_of (part, name);
  return pspec != NULL && orrery_param_get_rule (pspec)->flags != 0;
}

void
orrery_part_mark_started (OrreryPart *part)
{
  PRIVATE (part)->started = TRUE;
}

gboolean
orrery_part_is_started (OrreryPart *part)
{
  return PRIVATE (part)->started;
}

/* --- options as they were --- */

void
orrery_part_keep_options (OrreryPart *part)
{
  OrreryPartPrivate *priv = PRIVATE (part);
  const Option *options = get_options (ORRERY_PART_GET_CLASS (part));

  orrery_part_mark_started (part);
  g_clear_pointer (&priv->kept, g_array_unref);
  priv->kept = g_array_new (FALSE, TRUE, sizeof (GValue));
  g_array_set_clear_func (priv->kept, (GDestroyNotify) g_value_unset);
  for (guint i = 0; options[i].name != NULL; i++) {
    GValue *value;

    g_array_set_size (priv->kept, i + 1);
    value = &g_array_index (priv->kept, GValue, i);
    g_value_init (value, G_PARAM_SPEC_VALUE_TYPE (options[i].pspec));
    g_object_get_property (G_OBJECT (part), options[i].pspec->name, value);
  }
}

void
orrery_part_restore_options (OrreryPart *part)
{
  OrreryPartPrivate *priv = PRIVATE (part);
  const Option *options = get_options (ORRERY_PART_GET_CLASS (part));

  for (guint i = 0; priv->kept != NULL && i < priv->kept->len; i++) {
    const GValue *kept = &g_array_index (priv->kept, GValue, i);
    GParamSpec *pspec = options[i].pspec;
    g_auto (GValue) now = G_VALUE_INIT;

    g_value_init (&now, G_PARAM_SPEC_VALUE_TYPE (pspec));
    g_object_get_property (G_OBJECT (part), pspec->name, &now);
    /* A setter may have side effects, so options that have not changed are not set. */
    if (g_param_values_cmp (pspec, kept, &now) != 0)
      g_object_set_property (G_OBJECT (part), pspec->name, kept);
  }
}

gboolean
orrery_part_take_options (OrreryPart *part, const OrreryOptionValue *values, guint n,
                          GError **error)
{
  const Option *next = get_options (ORRERY_PART_GET_CLASS (part));

  for (guint i = 0; i < n; i++) {
    gboolean in_order = next->name != NULL && g_str_equal (next->name, values[i].name);
    GParamSpec *pspec = in_order ? next->pspec : find_option_of (part, values[i].name);

    if (in_order)
      next++;
    if ((pspec == NULL || !orrery_param_is (part, pspec, values[i].value)) &&
        !orrery_part_set_option (part, values[i].name, values[i].value, error))
      return FALSE;
  }
  return TRUE;
}

void
orrery_part_set_service_type (OrreryPart *part, const char *service, const char *type)
{
  g_autofree char *key = NULL;

  g_return_if_fail (ORRERY_IS_PART (part));
  g_return_if_fail (service != NULL);

  key = g_strconcat ("orrery-service-type-", service, NULL);
  g_object_set_data_full (G_OBJECT (part), key, g_strdup (type), g_free);
}

const char *
orrery_part_get_service_type (OrreryPart *part, const char *service)
{
  g_autofree char *key = NULL;

  g_return_val_if_fail (ORRERY_IS_PART (part), NULL);
  g_return_val_if_fail (service != NULL, NULL);

  key = g_strconcat ("orrery-service-type-", service, NULL);
  return g_object_get_data (G_OBJECT (part), key);
}
