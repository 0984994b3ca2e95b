/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Numbers as text and back, the same in every locale. The digits are those of the standard library
 * (std::to_chars, std::from_chars): shortest that read back, and read exactly.
 */

/* Room for any double in its shortest form: -1.2345678901234567e-308 */
#define ORRERY_NUMBER_SIZE 32
/* Room for any double with fixed decimals: a sign, 309 digits, a point, 17 decimals. */
#define ORRERY_NUMBER_FIXED_SIZE 332
#define ORRERY_NUMBER_MAX_DECIMALS 17

/* Writes @value as Python's repr does (0.1, 1.0, 1e+16, 1e-05), or NaN, Infinity, -Infinity; no
 * NUL. Returns: bytes written, less than ORRERY_NUMBER_SIZE */
gsize orrery_number_format (double value, char *out);
/* The same with as few digits as tell it from other floats: 0.1 */
gsize orrery_number_format_float (float value, char *out);
/* The same with @decimals digits after the point, rounded from the exact value, half to even. */
gsize orrery_number_format_fixed (double value, guint decimals, char *out);
gsize orrery_number_format_int (gint64 value, char *out);
gsize orrery_number_format_uint (guint64 value, char *out);

/* Reads a decimal number in the form of C without sign of plus, space or letters but e; the caller
 * has checked the form. Too small is 0. Returns: FALSE if it is beyond the range of a double */
gboolean orrery_number_parse (const char *text, gsize length, double *value);

G_END_DECLS
