/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the part that answers a call of a request manager, and queues calls for the tick. */
#include "tick/orrery-router-private.h"

#include "base/orrery-hash-private.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"

/* The most calls that may wait for one tick; further calls are answered with an error. */
#define MAX_QUEUED 100000

typedef struct {
  OrreryRequestManager *manager;
  char *part;
  OrreryCall *call;
} Queued;

struct _OrreryCalls {
  OrreryInputs *inputs; /* borrowed */
  GHashTable *managers; /* (element-type OrreryRequestManager GHashTable): name -> parts */
  GHashTable *everyone; /* (element-type utf8 GPtrArray): mapped to all managers */
  GHashTable *inside;   /* (element-type utf8 GPtrArray) */
  GHashTable *allowed;  /* (element-type OrreryRequestManager): a set, see allow_all() */
  GHashTable *reaching; /* (element-type OrreryRequestManager): a set, see reach_all() */
  GArray *queue;        /* (element-type Queued) */
};

static GHashTable *
new_map (void)
{
  return g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                (GDestroyNotify) g_ptr_array_unref);
}

static void
clear_queued (gpointer data)
{
  Queued *queued = data;

  g_clear_object (&queued->call);
  g_clear_pointer (&queued->part, g_free);
}

OrreryCalls *
orrery_calls_new (OrreryInputs *inputs)
{
  OrreryCalls *calls = g_new0 (OrreryCalls, 1);

  calls->inputs = inputs;
  calls->managers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  calls->everyone = new_map ();
  calls->inside = new_map ();
  calls->allowed = g_hash_table_new (NULL, NULL);
  calls->reaching = g_hash_table_new (NULL, NULL);
  calls->queue = g_array_new (FALSE, FALSE, sizeof (Queued));
  g_array_set_clear_func (calls->queue, clear_queued);
  return calls;
}

void
orrery_calls_free (OrreryCalls *calls)
{
  g_array_unref (calls->queue);
  g_hash_table_unref (calls->managers);
  g_hash_table_unref (calls->everyone);
  g_hash_table_unref (calls->inside);
  g_hash_table_unref (calls->allowed);
  g_hash_table_unref (calls->reaching);
  g_free (calls);
}

static void
add (GHashTable *map, const char *name, OrreryPart *part)
{
  GPtrArray *parts = g_hash_table_lookup (map, name);

  if (parts == NULL) {
    parts = g_ptr_array_new_with_free_func (orrery_part_release);
    g_hash_table_insert (map, g_strdup (name), parts);
  }
  if (!g_ptr_array_find (parts, part, NULL))
    g_ptr_array_add (parts, g_object_ref (part));
}

static gboolean
has_service (OrreryPart *part, const char *service)
{
  return orrery_part_class_find_service (ORRERY_PART_GET_CLASS (part), service) != NULL;
}

static gboolean
check_clash (GHashTable *map, const char *name, OrreryPart *part, GError **error)
{
  GPtrArray *services = orrery_part_class_get_services (ORRERY_PART_GET_CLASS (part));
  GPtrArray *parts = g_hash_table_lookup (map, name);

  for (guint i = 0; parts != NULL && services != NULL && i < parts->len; i++)
    for (guint j = 0; j < services->len; j++) {
      const OrreryService *service = services->pdata[j];

      /* An overlay takes precedence over its component. */
      if (parts->pdata[i] == part || ORRERY_IS_COMPONENT (parts->pdata[i]) ||
          !has_service (parts->pdata[i], service->name))
        continue;
      return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                               "%s and %s both publish the service '%s %s'",
                               orrery_part_get_name (parts->pdata[i]), orrery_part_get_name (part),
                               name, service->name);
    }
  return TRUE;
}

gboolean
orrery_calls_map (OrreryCalls *calls, OrreryRequestManager *manager, const char *name,
                  OrreryPart *part, GError **error)
{
  GHashTable *map;

  if (manager == NULL) {
    if (!check_clash (calls->everyone, name, part, error))
      return FALSE;
    add (calls->everyone, name, part);
    return TRUE;
  }
  map = g_hash_table_lookup (calls->managers, manager);
  if (map == NULL) {
    map = new_map ();
    g_hash_table_insert (calls->managers, manager, map);
  }
  if (ORRERY_IS_OVERLAY (part) &&
      (!check_clash (calls->everyone, name, part, error) || !check_clash (map, name, part, error)))
    return FALSE;
  add (map, name, part);
  return TRUE;
}

void
orrery_calls_map_inside (OrreryCalls *calls, const char *name, OrreryPart *part)
{
  add (calls->inside, name, part);
}

void
orrery_calls_allow_all (OrreryCalls *calls, OrreryRequestManager *manager)
{
  g_hash_table_add (calls->allowed, manager);
}

void
orrery_calls_reach_all (OrreryCalls *calls, OrreryRequestManager *manager)
{
  g_hash_table_add (calls->reaching, manager);
}

/* What is mapped to a manager alone; NULL: a caller in this process. */
static GHashTable *
get_own (OrreryCalls *calls, OrreryRequestManager *manager)
{
  if (manager == NULL || g_hash_table_contains (calls->reaching, manager))
    return calls->inside;
  return g_hash_table_lookup (calls->managers, manager);
}

/* Flags of the services that a manager does not have; NULL: a caller in this process. */
static OrreryServiceFlags
get_withheld (OrreryCalls *calls, OrreryRequestManager *manager)
{
  gboolean has_all = manager == NULL || !ORRERY_REQUEST_MANAGER_GET_CLASS (manager)->is_open ||
                     g_hash_table_contains (calls->allowed, manager);

  return has_all ? 0 : ORRERY_SERVICE_RESTRICTED;
}

static void
remove_part (GHashTable *map, OrreryPart *part)
{
  GHashTableIter iter;
  GPtrArray *parts;

  g_hash_table_iter_init (&iter, map);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &parts)) {
    g_ptr_array_remove (parts, part);
    if (parts->len == 0)
      g_hash_table_iter_remove (&iter);
  }
}

void
orrery_calls_unmap (OrreryCalls *calls, OrreryPart *part)
{
  GHashTableIter iter;
  GHashTable *map;

  remove_part (calls->everyone, part);
  remove_part (calls->inside, part);
  g_hash_table_iter_init (&iter, calls->managers);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &map))
    remove_part (map, part);
}

GPtrArray *
orrery_calls_find (OrreryCalls *calls, OrreryRequestManager *manager, const char *name)
{
  GHashTable *map =
      manager != NULL ? g_hash_table_lookup (calls->managers, manager) : calls->everyone;

  return map != NULL ? g_hash_table_lookup (map, name) : NULL;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The part that was mapped last comes first: it answers if several parts have one name. */
static void
list_services (GHashTable *map, const char *name, OrreryServiceFlags withheld, GHashTable *seen,
               GVariantBuilder *list)
{
  GPtrArray *parts = map != NULL ? g_hash_table_lookup (map, name) : NULL;

  for (guint i = parts != NULL ? parts->len : 0; i > 0; i--) {
    GPtrArray *services =
        orrery_part_class_get_services (ORRERY_PART_GET_CLASS (parts->pdata[i - 1]));

    for (guint j = 0; services != NULL && j < services->len; j++) {
      const OrreryService *service = services->pdata[j];

      if ((service->flags & withheld) == 0 && g_hash_table_add (seen, (gpointer) service->name))
        g_variant_builder_add (list, "(ssu)", name, service->name,
                               (guint32) (service->flags & ~ORRERY_SERVICE_ASKS));
    }
  }
}

GVariant *
orrery_calls_list (OrreryCalls *calls, OrreryRequestManager *manager)
{
  GHashTable *maps[] = { get_own (calls, manager), calls->everyone };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ssu)"));
  GHashTableIter iter;
  gpointer name;

  for (guint i = 0; i < G_N_ELEMENTS (maps); i++) {
    if (maps[i] == NULL)
      continue;
    g_hash_table_iter_init (&iter, maps[i]);
    while (g_hash_table_iter_next (&iter, &name, NULL))
      if (i == 0 || maps[0] == NULL || !g_hash_table_contains (maps[0], name))
        g_ptr_array_add (names, name);
  }
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autoptr (GHashTable) seen = g_hash_table_new (orrery_text_hash, g_str_equal);

    for (guint j = 0; j < G_N_ELEMENTS (maps); j++)
      list_services (maps[j], names->pdata[i], get_withheld (calls, manager), seen, &list);
  }
  return g_variant_builder_end (&list);
}

/* What is known of a name whose service was not found. */
typedef enum { UNKNOWN_PART, NO_SERVICE, WITHHELD } Missing;

static OrreryPart *
find_in (GHashTable *map, const char *name, const char *service, OrreryServiceFlags withheld,
         Missing *missing)
{
  GPtrArray *parts = map != NULL ? g_hash_table_lookup (map, name) : NULL;

  for (guint i = parts != NULL ? parts->len : 0; i > 0; i--) {
    OrreryPartClass *klass = ORRERY_PART_GET_CLASS (parts->pdata[i - 1]);
    const OrreryService *found = orrery_part_class_find_service (klass, service);

    if (found != NULL && (found->flags & withheld) == 0)
      return parts->pdata[i - 1];
    *missing = MAX (*missing, found != NULL ? WITHHELD : NO_SERVICE);
  }
  return NULL;
}

static OrreryPart *
find_part (OrreryCalls *calls, OrreryRequestManager *manager, const char *name, const char *service,
           Missing *missing)
{
  OrreryServiceFlags withheld = get_withheld (calls, manager);
  GHashTable *own = get_own (calls, manager);
  OrreryPart *part;

  *missing = UNKNOWN_PART;
  part = find_in (own, name, service, withheld, missing);
  return part != NULL ? part : find_in (calls->everyone, name, service, withheld, missing);
}

OrreryPart *
orrery_calls_find_service (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                           const char *service)
{
  Missing missing;

  return find_part (calls, manager, part, service, &missing);
}

/* --- near names for errors, for callers in this process; clients get no such search --- */

/* Hash tables have no order, but messages need one. */
static void
sort_names (GPtrArray *names)
{
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
}

static void
add_services (GPtrArray *names, GHashTable *map, const char *part)
{
  GPtrArray *parts = map != NULL ? g_hash_table_lookup (map, part) : NULL;

  for (guint i = 0; parts != NULL && i < parts->len; i++) {
    g_autofree const char **services = orrery_part_get_service_names (parts->pdata[i]);

    for (guint j = 0; services[j] != NULL; j++)
      g_ptr_array_add (names, (gpointer) services[j]);
  }
}

static char *
find_nearest_services (OrreryCalls *calls, const char *part, const char *service)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  add_services (names, calls->inside, part);
  add_services (names, calls->everyone, part);
  sort_names (names);
  return orrery_nearest_names (service, (const char *const *) names->pdata);
}

static void
add_parts (GPtrArray *names, GHashTable *map)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, map);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
}

static char *
find_nearest_parts (OrreryCalls *calls, const char *part)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  add_parts (names, calls->inside);
  add_parts (names, calls->everyone);
  sort_names (names);
  return orrery_nearest_names (part, (const char *const *) names->pdata);
}

static GError *
say_missing (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
             const char *service, Missing missing)
{
  g_autofree char *nearest = NULL;

  if (missing == WITHHELD)
    return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                        "'%.60s %.60s' is not offered here, where nobody knows who calls; it is if "
                        "component_service names %s for 'simulation'",
                        part, service, orrery_part_get_name (ORRERY_PART (manager)));
  if (manager == NULL)
    nearest = missing == NO_SERVICE ? find_nearest_services (calls, part, service)
                                    : find_nearest_parts (calls, part);
  else
    nearest = g_strdup ("");
  /* Request managers that call out are known by the short name of their middleware. */
  if (missing == UNKNOWN_PART && g_str_equal (service, "call_remote"))
    return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                        "the scene has no request manager of '%.60s' that calls out%s; "
                        "add_service ('ros') or add_service ('ros2') of a component brings one",
                        part, nearest);
  if (missing == NO_SERVICE)
    return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "'%.60s' has no service '%.60s'%s",
                        part, service, nearest);
  return g_error_new (ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND,
                      "nothing named '%.60s' has services here%s", part, nearest);
}

void
orrery_calls_start (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                    OrreryCall *call)
{
  const char *service = orrery_call_get_service (call);
  OrreryObject *object = orrery_world_find_object (calls->inputs->world, part);
  const char *name = object != NULL ? orrery_object_get_name (object) : part;
  Missing missing;
  OrreryPart *found = find_part (calls, manager, name, service, &missing);

  if (manager != NULL)
    orrery_call_set_client (call);
  if (found != NULL && object != NULL && !orrery_object_is_present (object)) {
    orrery_call_refuse (call, ORRERY_CALL_FAILED,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_STATE,
                                     "'%.60s' is not spawned: it is not in the world", part));
    return;
  }
  if (found != NULL) {
    orrery_call_start (call, found);
    return;
  }
  orrery_call_refuse (call, ORRERY_CALL_NO_SERVICE,
                      say_missing (calls, manager, part, service, missing));
}

void
orrery_calls_start_outside (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                            OrreryCall *call)
{
  OrreryInputs *inputs = calls->inputs;

  /* An observer changes nothing of the run: where that is repeated, nobody asks it. */
  if (G_LIKELY (inputs->func == NULL) ||
      ORRERY_IS_OBSERVER (
          orrery_calls_find_service (calls, manager, part, orrery_call_get_service (call)))) {
    orrery_calls_start (calls, manager, part, call);
    return;
  }
  orrery_inputs_note_call (inputs, manager, part, call);
  orrery_calls_start (calls, manager, part, call);
  /* What it has staged is staged again where it is called again. */
  orrery_inputs_settle (inputs);
}

void
orrery_calls_submit (OrreryCalls *calls, OrreryRequestManager *manager, const char *part,
                     OrreryCall *call)
{
  Queued queued = { manager, g_strdup (part), g_object_ref (call) };

  if (calls->queue->len >= MAX_QUEUED) {
    orrery_call_refuse (call, ORRERY_CALL_FAILED,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_BUSY,
                                     "%d calls wait already for this tick", MAX_QUEUED));
    clear_queued (&queued);
    return;
  }
  g_array_append_val (calls->queue, queued);
}

gboolean
orrery_calls_are_queued (const OrreryCalls *calls)
{
  return calls->queue->len > 0;
}

void
orrery_calls_run (OrreryCalls *calls)
{
  /* Calls that are submitted by these calls run the next time. */
  guint n = calls->queue->len;

  for (guint i = 0; i < n; i++) {
    Queued *queued = &g_array_index (calls->queue, Queued, i);
    g_autoptr (OrreryCall) call = g_object_ref (queued->call);
    g_autofree char *part = g_strdup (queued->part);

    orrery_calls_start_outside (calls, queued->manager, part, call);
  }
  if (n > 0)
    g_array_remove_range (calls->queue, 0, n);
}

void
orrery_calls_end (OrreryCalls *calls)
{
  while (calls->queue->len > 0) {
    g_autoptr (OrreryCall) call = g_object_ref (g_array_index (calls->queue, Queued, 0).call);

    g_array_remove_index (calls->queue, 0);
    orrery_call_cancel (call);
  }
}
