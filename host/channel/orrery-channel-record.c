/* SPDX-License-Identifier: BSD-3-Clause */
/* Records that travel through a channel together with the description of their fields. */
#include "channel/orrery-channel-private.h"
#include "record/orrery-flat-private.h"
#include "record/orrery-record.h"

#include <string.h>

/*
 * Records that bring their fields along: `(a(ssss)a(sv))`, a schema, and for each field that refers
 * to a record its name and a description of the same kind.
 */
#define DESCRIPTION G_VARIANT_TYPE ("(a(ssss)a(sv))")
/* Records that are nested deeper are refused when they are written. */
#define MAX_DEPTH 16

static OrreryRecord *
get_reference (OrreryRecord *record, const OrreryField *field)
{
  return *(OrreryRecord **) ((char *) orrery_record_data (record) + field->offset);
}

static GVariant *
describe (OrreryRecord *record)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  g_autoptr (GVariant) fields = orrery_schema_to_variant (schema);
  GVariantBuilder references;

  g_variant_builder_init (&references, G_VARIANT_TYPE ("a(sv)"));
  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (field->type == ORRERY_FIELD_RECORD && get_reference (record, field) != NULL)
      g_variant_builder_add (&references, "(sv)", field->name,
                             describe (get_reference (record, field)));
  }
  return g_variant_new ("(@a(ssss)a(sv))", fields, &references);
}

gboolean
orrery_emitter_emit_described (OrreryEmitter *emitter, OrreryRecord *record, GError **error)
{
  gpointer room;
  gsize size;

  g_return_val_if_fail (emitter != NULL && record != NULL, FALSE);

  /* The size is computed first, which refuses records that refer to each other in a cycle. */
  if (!orrery_flat_measure (record, &size, error))
    return FALSE;
  room = orrery_emitter_begin (emitter, size, describe (record), error);
  if (room == NULL)
    return FALSE;
  orrery_flat_write (record, room, size);
  orrery_emitter_commit (emitter, orrery_record_get_timestamp (record));
  return TRUE;
}

static OrreryRecord *create (GVariant *description, guint depth, GError **error);

static gboolean
refer (OrreryRecord *record, GVariant *reference, guint depth, GError **error)
{
  g_autoptr (GVariant) description = NULL;
  OrreryRecord **place;
  const char *name;

  g_variant_get (reference, "(&sv)", &name, &description);
  place = orrery_record_find (record, name, ORRERY_FIELD_RECORD);
  if (place == NULL || *place != NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "it has no record field %s", name);
  *place = create (description, depth + 1, error);
  return *place != NULL;
}

static OrreryRecord *
create (GVariant *description, guint depth, GError **error)
{
  g_autoptr (OrrerySchema) schema = NULL;
  g_autoptr (OrreryRecord) record = NULL;
  g_autoptr (GVariant) fields = NULL;
  g_autoptr (GVariant) references = NULL;

  if (depth == MAX_DEPTH || !g_variant_is_of_type (description, DESCRIPTION)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "it has no description of fields");
    return NULL;
  }
  g_variant_get (description, "(@a(ssss)@a(sv))", &fields, &references);
  schema = orrery_schema_new_from_variant (fields, error);
  if (schema == NULL)
    return NULL;
  record = orrery_record_new (schema);
  for (gsize i = 0; i < g_variant_n_children (references); i++) {
    g_autoptr (GVariant) reference = g_variant_get_child_value (references, i);

    if (!refer (record, reference, depth, error))
      return NULL;
  }
  return g_steal_pointer (&record);
}

OrreryRecord *
orrery_receiver_create_record (OrreryReceiver *receiver, GError **error)
{
  g_autoptr (GVariant) description = NULL;
  g_autoptr (OrreryRecord) record = NULL;

  g_return_val_if_fail (receiver != NULL, NULL);

  description = orrery_receiver_get_parameters (receiver);
  if (description == NULL) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "%s: %s", receiver->channel->name,
                      receiver->any ? "the value has no description of fields"
                                    : "nothing was read yet");
    return NULL;
  }
  record = create (description, 0, error);
  if (record == NULL) {
    g_prefix_error (error, "%s: ", receiver->channel->name);
    return NULL;
  }
  if (!orrery_receiver_get_record (receiver, record, error))
    return NULL;
  return g_steal_pointer (&record);
}
