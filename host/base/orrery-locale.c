/* SPDX-License-Identifier: BSD-3-Clause */
/* What GLib reads numbers with is ready before there are threads. */
#include <glib.h>

/*
 * At their first call, g_ascii_string_to_unsigned() and its kin make the C locale. Where other
 * threads initialise something at that moment, this may leave errno set, and a good number is
 * refused.
 */
static void __attribute__ ((constructor)) make_c_locale (void)
{
  g_ascii_strtoull ("0", NULL, 10);
}
