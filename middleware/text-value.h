/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/** text_value_find: the place of a field in a record */
gconstpointer text_value_find (OrreryRecord *record, const OrreryField *field);

/** text_number_append_fixed: a number as Python's '%.6f' does it: infinities as inf */
void text_number_append_fixed (OrreryWriter *writer, double value);

/**
 * text_value_append:
 * @writer: where to
 * @field: what it is
 * @data: its value
 *
 * Writes a value as Python's repr() does: vectors, arrays and matrices as lists, rotations and
 * records as dictionaries, a variant as JSON, of a buffer its shape only.
 */
void text_value_append (OrreryWriter *writer, const OrreryField *field, gconstpointer data);
