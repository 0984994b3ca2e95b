/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of one stream, which its manager reads. */
#include "part/orrery-part-private.h"
#include "part/orrery-property.h"
#include "roles/orrery-stream-private.h"

typedef struct {
  double rate;
  GPtrArray *given; /* (element-type utf8): names */
} OrreryStreamOptionsPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (OrreryStreamOptions, orrery_stream_options, ORRERY_TYPE_PART)

#define PRIVATE(self)                                                                              \
  ((OrreryStreamOptionsPrivate *) orrery_stream_options_get_instance_private (self))

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryStreamOptionsPrivate, rate, "rate", 0, 1e6, 0,
                          "Most messages per second of simulated time, Hz; 0: one for each step of "
                          "the component",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static void
orrery_stream_options_finalize (GObject *object)
{
  g_ptr_array_unref (PRIVATE (ORRERY_STREAM_OPTIONS (object))->given);
  G_OBJECT_CLASS (orrery_stream_options_parent_class)->finalize (object);
}

static void
orrery_stream_options_class_init (OrreryStreamOptionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_stream_options_finalize;
  ORRERY_CLASS_SET_PRIVATE_PROPERTIES (klass, properties);
}

static void
orrery_stream_options_init (OrreryStreamOptions *self)
{
  PRIVATE (self)->given = g_ptr_array_new_with_free_func (g_free);
}

double
orrery_stream_options_get_rate (OrreryStreamOptions *options)
{
  g_return_val_if_fail (ORRERY_IS_STREAM_OPTIONS (options), 0);
  return PRIVATE (options)->rate;
}

gboolean
orrery_stream_options_is_given (OrreryStreamOptions *options, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_STREAM_OPTIONS (options), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  return g_ptr_array_find_with_equal_func (PRIVATE (options)->given, name, g_str_equal, NULL);
}

gboolean
orrery_stream_options_set (OrreryStreamOptions *options, const char *name, GVariant *value,
                           GError **error)
{
  if (!orrery_part_set_option (ORRERY_PART (options), name, value, error))
    return FALSE;
  g_ptr_array_add (PRIVATE (options)->given, g_strdup (name));
  return TRUE;
}
