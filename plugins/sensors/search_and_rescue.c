/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds people who need help, and heals them. */
#include <orrery.h>

#include <math.h>

typedef struct {
  GVariant *victim_dict;
} SearchData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SearchData, victim_dict, "",
                "Who has the property Injured and is in sight: by name, coordinate (m), "
                "requirements, severity"),
};

/* How many steps it takes to heal. */
#define HEALING_STEPS 10

/*
 * Finds people who need help: objects with the property Injured, whatever its value, whose
 * collision shapes meet a cone ahead (its own x axis) whose whole aperture is Angle, and whose flat
 * base is at Distance; its own robot is left out. It looks in each step; services between tell of
 * those who were seen then, as they are now. Of the nearest, if that is within Heal_range, it can
 * take away the requirements that are among its Abilities.
 */
typedef struct {
  OrrerySensor parent_instance;
  char *abilities_text;
  GArray *abilities; /* (element-type gint64) */
  double heal_range; /* m */
  double angle;      /* degrees */
  double distance;   /* m */
  double frequency;  /* Hz, not used */
  OrreryWorld *world;
  GPtrArray *candidates;   /* (element-type OrreryObject), that begin with the property */
  guint n_objects;         /* of which those are candidates */
  GPtrArray *seen;         /* (element-type OrreryObject), of those, in the last look */
  OrreryObject *nearest;   /* borrowed; NULL: nobody was seen */
  double nearest_distance; /* m */
  OrreryBool heals;
  gint64 steps_left; /* until who is nearest then is healed */
} OrrerySearch;
ORRERY_DEFINE_CLASS_WITH_INIT (OrrerySearch, orrery_search, OrrerySensor, orrery_sensor)

/* --- lists of numbers --- */

static gboolean
take_item (GArray *list, const char *text)
{
  char *end;
  gint64 number = g_ascii_strtoll (text, &end, 10);

  if (end == text || *g_strchug (end) != '\0')
    return FALSE;
  g_array_append_val (list, number);
  return TRUE;
}

/* "1,2,3"; whatever is no number ends it. */
static GArray *
parse_list (const char *text, gboolean *fine)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_auto (GStrv) items = g_strsplit (text, ",", 1024);

  *fine = TRUE;
  for (guint i = 0; items[i] != NULL && *fine; i++) {
    const char *item = g_strstrip (items[i]);

    if (*item != '\0' || items[1] != NULL)
      *fine = take_item (list, item);
  }
  return list;
}

static GArray *
get_requirements (OrreryObject *victim)
{
  GVariant *value = orrery_object_get_value (victim, "Requirements");
  g_autoptr (GArray) list = NULL;
  gboolean fine;

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return parse_list (g_variant_get_string (value, NULL), &fine);

  list = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (gsize i = 0;
       value != NULL && g_variant_is_container (value) && i < g_variant_n_children (value); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) inner = g_variant_is_of_type (item, G_VARIANT_TYPE_VARIANT)
                                     ? g_variant_get_variant (item)
                                     : g_variant_ref (item);

    if (g_variant_is_of_type (inner, G_VARIANT_TYPE_INT64)) {
      gint64 number = g_variant_get_int64 (inner);
      g_array_append_val (list, number);
    }
  }
  return g_steal_pointer (&list);
}

static GVariant *
list_to_variant (GArray *list)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, list->data, list->len, sizeof (gint64));
}

static gint64
get_severity (OrreryObject *victim)
{
  GVariant *value = orrery_object_get_value (victim, "Severity");

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)
             ? g_variant_get_int64 (value)
             : 0;
}

/* --- seeing --- */

/* m, from origin to origin. */
static double
find_distance (OrrerySearch *self, OrrerySnapshot *snapshot, OrreryObject *object)
{
  const OrreryTransform *pose = orrery_component_get_pose (ORRERY_COMPONENT (self));

  return orrery_vec3_distance (
      &orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object))->position,
      &pose->position);
}

/* Among the objects that are new since the last look, too. */
static void
find_candidates (OrrerySearch *self)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));
  OrreryObject *own = robot != NULL ? orrery_component_get_object (robot) : NULL;
  guint n = orrery_world_get_n_objects (self->world);

  for (guint i = self->n_objects; i < n; i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);

    if (object != own && orrery_object_get_value (object, "Injured") != NULL)
      g_ptr_array_add (self->candidates, object);
  }
  self->n_objects = n;
}

static void
look (OrrerySearch *self, OrrerySnapshot *snapshot)
{
  OrreryCone cone = { .pose = *orrery_component_get_pose (ORRERY_COMPONENT (self)),
                      .height = self->distance };

  if (self->n_objects != orrery_world_get_n_objects (self->world))
    find_candidates (self);
  orrery_cone_set_angle (&cone, self->angle);
  g_ptr_array_set_size (self->seen, 0);
  for (guint i = 0; i < self->candidates->len; i++) {
    OrreryObject *object = self->candidates->pdata[i];

    if (orrery_object_is_present (object) &&
        orrery_cone_get_distance (&cone, object,
                                  orrery_snapshot_get_pose (snapshot,
                                                            orrery_object_get_index (object))) == 0)
      g_ptr_array_add (self->seen, object);
  }
}

static GVariant *
describe (OrrerySnapshot *snapshot, OrreryObject *victim)
{
  const OrreryVec3 *p =
      &orrery_snapshot_get_pose (snapshot, orrery_object_get_index (victim))->position;
  g_autoptr (GArray) requirements = get_requirements (victim);
  GVariantBuilder place, map;

  g_variant_builder_init (&place, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&place, "{sv}", "x", g_variant_new_double (p->x));
  g_variant_builder_add (&place, "{sv}", "y", g_variant_new_double (p->y));
  g_variant_builder_add (&place, "{sv}", "z", g_variant_new_double (p->z));
  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&map, "{sv}", "coordinate", g_variant_builder_end (&place));
  g_variant_builder_add (&map, "{sv}", "requirements", list_to_variant (requirements));
  g_variant_builder_add (&map, "{sv}", "severity", g_variant_new_int64 (get_severity (victim)));
  return g_variant_builder_end (&map);
}

/* --- healing --- */

/* The words of MORSE, whatever was too far. */
static gboolean
set_nobody (double range, GError **error)
{
  return orrery_set_error (error, ORRERY_ERROR_STATE, "No victim within range (%.2f m)", range);
}

static gboolean
is_able (OrrerySearch *self, gint64 requirement)
{
  for (guint i = 0; i < self->abilities->len; i++)
    if (g_array_index (self->abilities, gint64, i) == requirement)
      return TRUE;
  return FALSE;
}

/* The next step begins, or says why it cannot. */
static void
heal (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySearch *self = (OrrerySearch *) part;

  self->heals = TRUE;
  self->steps_left = HEALING_STEPS;
}

static gboolean
check_patient (OrrerySearch *self, GError **error)
{
  g_autoptr (GArray) requirements = NULL;

  if (self->nearest == NULL)
    return set_nobody (self->distance, error);
  if (self->nearest_distance >= self->heal_range)
    return set_nobody (self->heal_range, error);
  /* Whoever begins to heal somebody goes on. */
  if (self->steps_left < HEALING_STEPS)
    return TRUE;
  requirements = get_requirements (self->nearest);
  for (guint i = 0; i < requirements->len; i++)
    if (is_able (self, g_array_index (requirements, gint64, i)))
      return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE, "Not equipped of helping victim");
}

/* Takes away what it is able to; answers. */
static void
finish_healing (OrrerySearch *self, OrreryTick *tick)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (self));
  OrreryCommands *commands = orrery_tick_get_commands (tick);
  g_autoptr (GArray) requirements = get_requirements (self->nearest);
  g_autoptr (GString) rest = g_string_new (NULL);

  for (guint i = 0; i < requirements->len; i++) {
    gint64 requirement = g_array_index (requirements, gint64, i);

    if (!is_able (self, requirement))
      g_string_append_printf (rest, "%s%" G_GINT64_FORMAT, rest->len > 0 ? "," : "", requirement);
  }
  orrery_commands_set_value (commands, self->nearest, "Requirements",
                             g_variant_new_string (rest->str));
  if (rest->len == 0)
    orrery_commands_set_value (commands, self->nearest, "Severity", g_variant_new_int64 (0));
  if (call != NULL) {
    g_autofree char *words =
        g_strdup_printf ("Victim '%s' %shealed", orrery_object_get_name (self->nearest),
                         rest->len == 0 ? "" : "partially ");
    orrery_call_return (call, g_variant_new_string (words));
  }
  self->heals = FALSE;
}

static void
step_healing (OrrerySearch *self, OrreryTick *tick)
{
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (self));
  GError *error = NULL;

  if (check_patient (self, &error)) {
    if (--self->steps_left == 0)
      finish_healing (self, tick);
    return;
  }
  self->heals = FALSE;
  if (call != NULL)
    orrery_call_fail (call, error);
  else
    g_error_free (error);
}

static void
orrery_search_cancel (OrreryPart *part, OrreryCall *call)
{
  ((OrrerySearch *) part)->heals = FALSE;
}

static void
get_robot_abilities (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, list_to_variant (((OrrerySearch *) part)->abilities));
}

/* Whoever is in the cone, however far. */
static OrreryObject *
get_victim (OrreryPart *part, GError **error)
{
  OrrerySearch *self = (OrrerySearch *) part;

  if (self->nearest == NULL)
    set_nobody (self->distance, error);
  return self->nearest;
}

static void
get_victim_requirements (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryObject *victim = get_victim (part, error);
  g_autoptr (GArray) requirements = victim != NULL ? get_requirements (victim) : NULL;

  if (victim != NULL)
    orrery_call_return (call, list_to_variant (requirements));
}

static void
get_victim_severity (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryObject *victim = get_victim (part, error);

  if (victim != NULL)
    orrery_call_return (call, g_variant_new_int64 (get_severity (victim)));
}

static const OrreryService services[] = {
  { "heal", heal, ORRERY_SERVICE_LONG, "",
    "Takes away what the nearest victim within Heal_range requires and the robot is able to" },
  { "get_robot_abilities", get_robot_abilities, ORRERY_SERVICE_IMMEDIATE, "",
    "The numbers in Abilities" },
  { "get_victim_requirements", get_victim_requirements, ORRERY_SERVICE_IMMEDIATE, "",
    "What the nearest victim in the cone requires: numbers" },
  { "get_victim_severity", get_victim_severity, ORRERY_SERVICE_IMMEDIATE, "",
    "How badly the nearest victim in the cone is hurt" },
};

/* --- the sensor --- */

static void
orrery_search_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySearch *self = (OrrerySearch *) part;
  SearchData *data = orrery_record_data (orrery_setup_get_record (setup));

  g_clear_pointer (&data->victim_dict, g_variant_unref);
  data->victim_dict = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
  g_set_object (&self->world, orrery_setup_get_world (setup));
  g_ptr_array_set_size (self->candidates, 0);
  self->n_objects = 0;
  find_candidates (self);
  g_ptr_array_set_size (self->seen, 0);
  self->nearest = NULL;
  self->heals = FALSE;
}

static void
orrery_search_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrrerySearch *self = (OrrerySearch *) sensor;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  SearchData *out = orrery_record_data (record);
  GVariantBuilder map;

  look (self, snapshot);
  self->nearest = NULL;
  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < self->seen->len; i++) {
    OrreryObject *victim = self->seen->pdata[i];
    double distance = find_distance (self, snapshot, victim);

    g_variant_builder_add (&map, "{sv}", orrery_object_get_name (victim),
                           describe (snapshot, victim));
    if (self->nearest != NULL && self->nearest_distance <= distance)
      continue;
    self->nearest = victim;
    self->nearest_distance = distance;
  }
  g_clear_pointer (&out->victim_dict, g_variant_unref);
  out->victim_dict = g_variant_ref_sink (g_variant_builder_end (&map));

  if (self->heals)
    step_healing (self, tick);
}

/* --- state --- */

static const OrreryField states[] = {
  ORRERY_STATE (OrrerySearch, nearest_distance),
  ORRERY_STATE (OrrerySearch, heals),
  ORRERY_STATE (OrrerySearch, steps_left),
};

/* Who was seen, and the nearest, -1: nobody. */
#define STATE "(aui)"

static int
get_index (OrreryObject *object)
{
  return object != NULL ? (int) orrery_object_get_index (object) : -1;
}

static OrreryObject *
get_object (OrrerySearch *self, int index)
{
  gboolean known = index >= 0 && index < (int) orrery_world_get_n_objects (self->world);

  return known ? orrery_world_get_object (self->world, (guint) index) : NULL;
}

static GVariant *
orrery_search_save (OrreryPart *part)
{
  OrrerySearch *self = (OrrerySearch *) part;
  GVariantBuilder seen;

  g_variant_builder_init (&seen, G_VARIANT_TYPE ("au"));
  for (guint i = 0; i < self->seen->len; i++)
    g_variant_builder_add (&seen, "u", orrery_object_get_index (self->seen->pdata[i]));
  return g_variant_new (STATE, &seen, get_index (self->nearest));
}

static void
orrery_search_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrrerySearch *self = (OrrerySearch *) part;
  g_autoptr (GVariantIter) seen = NULL;
  int nearest;
  guint index;

  g_variant_get (state, STATE, &seen, &nearest);
  g_ptr_array_set_size (self->seen, 0);
  while (g_variant_iter_next (seen, "u", &index))
    if (index < orrery_world_get_n_objects (self->world))
      g_ptr_array_add (self->seen, orrery_world_get_object (self->world, index));
  self->nearest = get_object (self, nearest);
}

static gboolean
check_abilities (OrreryPart *part, GVariant *value, GError **error)
{
  const char *text = g_variant_get_string (value, NULL);
  gboolean fine;
  g_autoptr (GArray) list = parse_list (text, &fine);

  if (!fine)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "'%.60s' is not a list of integers separated by commas", text);
  return fine;
}

static void
read_abilities (OrreryPart *part)
{
  OrrerySearch *self = (OrrerySearch *) part;
  gboolean fine;

  g_clear_pointer (&self->abilities, g_array_unref);
  self->abilities = parse_list (self->abilities_text, &fine);
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrrerySearch, abilities_text, "Abilities", "",
                          "What the robot can do for people: numbers, commas between",
                          .check = check_abilities, .changed = read_abilities),
  ORRERY_PROPERTY_DOUBLE (OrrerySearch, heal_range, "Heal_range", 0, 1e9, 5,
                          "How near somebody must be to be helped, m"),
  ORRERY_PROPERTY_DOUBLE (
      OrrerySearch, angle, "Angle", 0, 360, 60,
      "Aperture of the cone in which people are seen, degrees; 179.9 counts at most"),
  ORRERY_PROPERTY_DOUBLE (OrrerySearch, distance, "Distance", 0, 1e9, 10,
                          "Height of that cone: how far ahead people are seen, m"),
  ORRERY_PROPERTY_DOUBLE (OrrerySearch, frequency, "Freq", 0, 1e9, 3,
                          "Of the detector, which here is the sensor itself: not used",
                          .flags = ORRERY_PROPERTY_UNUSED),
};

static void
orrery_search_class_init (OrrerySearchClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_search_setup;
  ORRERY_PART_CLASS (klass)->cancel = orrery_search_cancel;
  ORRERY_PART_CLASS (klass)->save = orrery_search_save;
  ORRERY_PART_CLASS (klass)->restore = orrery_search_restore;
  ORRERY_PART_CLASS (klass)->state_type = STATE;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_search_sense;
  ORRERY_CLASS_SET_DATA (klass, SearchData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrrerySearch, states);
  ORRERY_CLASS_OWNS (klass, OrrerySearch, abilities, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySearch, candidates, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySearch, seen, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySearch, world, g_object_unref);
}

static void
orrery_search_init (OrrerySearch *self)
{
  self->abilities = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->candidates = g_ptr_array_new ();
  self->seen = g_ptr_array_new ();
}

ORRERY_PLUGIN ("People who need help, and help", "BSD-3-Clause",
               ORRERY_CLASS (SearchAndRescue, OrrerySearch, orrery_search, .frequency = 6))
