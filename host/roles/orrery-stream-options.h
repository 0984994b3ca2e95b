/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/**
 * OrreryStreamOptions:
 *
 * What an entry of `component_datastream` says to the manager. A manager that has options of its
 * own derives a class, whose properties they are, and names it in
 * orrery_datastream_manager_class_set_stream_options(): the host then checks names, types and
 * ranges as it does for components, and `orrery plugins` shows them.
 *
 * Every stream has the option `rate`, which the host applies.
 */
#define ORRERY_TYPE_STREAM_OPTIONS (orrery_stream_options_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryStreamOptions, orrery_stream_options, ORRERY, STREAM_OPTIONS,
                          OrreryPart)

/**
 * OrreryStreamOptions:rate:
 *
 * Most messages per second of simulated time, Hz: between two of them, records are not sent. 0 to
 * 1e6; 0, the default: one for each step of the component. It limits what is sent, and is refused
 * for a stream that takes messages. Read when the simulation starts.
 */

/**
 * OrreryStreamOptionsClass:
 */
struct _OrreryStreamOptionsClass {
  OrreryPartClass parent_class;

  /*< private >*/
  gpointer _reserved[4];
};

/**
 * orrery_stream_options_get_rate:
 *
 * The option `rate` of the stream, which the host applies: a manager need not look at it.
 *
 * Returns: most messages per second of simulated time, Hz; 0: one for each step of the component
 */
ORRERY_API double orrery_stream_options_get_rate (OrreryStreamOptions *options);

/**
 * orrery_stream_options_is_given:
 * @name: as users write it
 *
 * Tells a value that is given from a default that is the same.
 *
 * Returns: whether the entry has this option under this name
 */
ORRERY_API gboolean orrery_stream_options_is_given (OrreryStreamOptions *options, const char *name);

G_END_DECLS
