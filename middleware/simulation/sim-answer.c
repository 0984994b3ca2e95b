/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers of simulation_interfaces, and parts of its messages. */
#include "sim-answer.h"

#include "../message/variant.h"

#include <math.h>
#include <stdarg.h>

gboolean
sim_answer_set (SimAnswer *answer, SimCode code, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* A long name may have been cut within a character. */
  g_free (answer->words);
  answer->words = g_utf8_make_valid (words, -1);
  answer->code = code;
  return code == SIM_OK;
}

void
sim_answer_add (SimAnswer *answer, const char *field, GVariant *value)
{
  if (answer->rest == NULL)
    answer->rest = g_variant_builder_new (G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (answer->rest, "{sv}", field, value);
}

void
sim_answer_clear (SimAnswer *answer)
{
  g_clear_pointer (&answer->words, g_free);
  g_clear_pointer (&answer->rest, g_variant_builder_unref);
}

GVariant *
sim_answer_get_result (const SimAnswer *answer)
{
  GVariantBuilder result = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&result, "{sv}", "result", g_variant_new_int64 (answer->code));
  g_variant_builder_add (&result, "{sv}", "error_message",
                         g_variant_new_string (answer->words != NULL ? answer->words : ""));
  return g_variant_builder_end (&result);
}

/* --- parts of messages --- */

double
sim_get_number (GVariant *message, const char *field)
{
  g_autoptr (GVariant) value = message_variant_find (message, field);

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return (double) g_variant_get_int64 (value);
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_get_boolean (value);
  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)
             ? g_variant_get_double (value)
             : 0;
}

gint64
sim_get_integer (GVariant *message, const char *field)
{
  double number = sim_get_number (message, field);

  return number < 9e18 ? (gint64) number : G_MAXINT64;
}

char *
sim_get_text (GVariant *message, const char *field)
{
  g_autoptr (GVariant) value = message_variant_find (message, field);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
             ? g_variant_dup_string (value, NULL)
             : g_strdup ("");
}

OrreryVec3
sim_get_vector (GVariant *message, const char *field)
{
  g_autoptr (GVariant) vector = message_variant_find (message, field);
  OrreryVec3 out = { 0, 0, 0 };

  if (vector != NULL)
    out = (OrreryVec3){ sim_get_number (vector, "x"), sim_get_number (vector, "y"),
                        sim_get_number (vector, "z") };
  return out;
}

gboolean
sim_get_pose (GVariant *message, const char *field, OrreryTransform *pose)
{
  g_autoptr (GVariant) value = message_variant_find (message, field);
  g_autoptr (GVariant) turn = value != NULL ? message_variant_find (value, "orientation") : NULL;
  double length;

  if (turn == NULL)
    return FALSE;
  pose->position = sim_get_vector (value, "position");
  pose->rotation = (OrreryQuat){ sim_get_number (turn, "w"), sim_get_number (turn, "x"),
                                 sim_get_number (turn, "y"), sim_get_number (turn, "z") };
  length = sqrt (pose->rotation.w * pose->rotation.w + pose->rotation.x * pose->rotation.x +
                 pose->rotation.y * pose->rotation.y + pose->rotation.z * pose->rotation.z);
  if (!orrery_transform_is_finite (pose) || !(length > 1e-6) || !isfinite (length))
    return FALSE;
  orrery_quat_normalise (&pose->rotation);
  return TRUE;
}

static void
add_number (GVariantBuilder *builder, const char *field, double number)
{
  g_variant_builder_add (builder, "{sv}", field, g_variant_new_double (number));
}

GVariant *
sim_vector (const OrreryVec3 *vector)
{
  GVariantBuilder out = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  add_number (&out, "x", vector->x);
  add_number (&out, "y", vector->y);
  add_number (&out, "z", vector->z);
  return g_variant_builder_end (&out);
}

GVariant *
sim_pose (const OrreryTransform *pose)
{
  GVariantBuilder out = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder turn = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  OrreryQuat q = pose->rotation;

  orrery_quat_choose_sign (&q);
  add_number (&turn, "w", q.w);
  add_number (&turn, "x", q.x);
  add_number (&turn, "y", q.y);
  add_number (&turn, "z", q.z);
  g_variant_builder_add (&out, "{sv}", "position", sim_vector (&pose->position));
  g_variant_builder_add (&out, "{sv}", "orientation", g_variant_builder_end (&turn));
  return g_variant_builder_end (&out);
}
