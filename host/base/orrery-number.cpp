/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text and back, shortest and exact, whatever the locale. */
#include "base/orrery-number-private.h"

#include <charconv>
#include <cmath>
#include <cstring>

/* The one C++ file of the host: C has no shortest digits of a double. */

static gsize
put (char *out, const char *text)
{
  gsize length = std::strlen (text);

  std::memcpy (out, text, length);
  return length;
}

static gsize
format_special (double value, char *out)
{
  if (std::isnan (value))
    return put (out, "NaN");
  return put (out, value < 0 ? "-Infinity" : "Infinity");
}

/* Places the point among @n digits, whose first has the weight 10^@exponent (-4 to 15). */
static char *
place_point (char *out, const char *digits, int n, int exponent)
{
  int whole = exponent + 1;

  if (whole <= 0) {
    out += put (out, "0.");
    std::memset (out, '0', -whole);
    std::memcpy (out - whole, digits, n);
    return out - whole + n;
  }
  if (whole >= n) {
    std::memcpy (out, digits, n);
    std::memset (out + n, '0', whole - n);
    std::memcpy (out + whole, ".0", 2);
    return out + whole + 2;
  }
  std::memcpy (out, digits, whole);
  out[whole] = '.';
  std::memcpy (out + whole + 1, digits + whole, n - whole);
  return out + n + 1;
}

template <typename Float>
static gsize
format (Float value, char *out)
{
  if (!std::isfinite (value))
    return format_special (value, out);
  /* Most numbers of a message with covariances. */
  if (value == 0)
    return put (out, std::signbit (value) ? "-0.0" : "0.0");

  /* The usual sizes, whose digits are the same in both forms. */
  Float size = std::fabs (value);
  if (size >= Float (1e-3) && size < Float (1e6)) {
    char *end = std::to_chars (out, out + ORRERY_NUMBER_SIZE, value, std::chars_format::fixed).ptr;

    if (std::memchr (out, '.', end - out) == nullptr)
      end += put (end, ".0");
    return end - out;
  }

  std::to_chars_result result =
      std::to_chars (out, out + ORRERY_NUMBER_SIZE, value, std::chars_format::scientific);

  /* d[.ddd]e+XX, of which Python moves the point within 1e-4 and 1e16. */
  char *first = out + (*out == '-');
  char *e = result.ptr - 4;
  while (*e != 'e')
    e--;
  int exponent = 0;
  std::from_chars (e + 2, result.ptr, exponent);
  if (e[1] == '-')
    exponent = -exponent;
  if (exponent < -4 || exponent >= 16)
    return result.ptr - out;

  char digits[ORRERY_NUMBER_SIZE];
  int n = 1;
  digits[0] = *first;
  if (e > first + 1) {
    n = static_cast<int> (e - first) - 1;
    std::memcpy (digits + 1, first + 2, n - 1);
  }
  return place_point (first, digits, n, exponent) - out;
}

gsize
orrery_number_format (double value, char *out)
{
  return format (value, out);
}

gsize
orrery_number_format_float (float value, char *out)
{
  return format (value, out);
}

gsize
orrery_number_format_fixed (double value, guint decimals, char *out)
{
  if (!std::isfinite (value))
    return format_special (value, out);
  return std::to_chars (out, out + ORRERY_NUMBER_FIXED_SIZE, value, std::chars_format::fixed,
                        static_cast<int> (decimals))
             .ptr -
         out;
}

gsize
orrery_number_format_int (gint64 value, char *out)
{
  return std::to_chars (out, out + ORRERY_NUMBER_SIZE, value).ptr - out;
}

gsize
orrery_number_format_uint (guint64 value, char *out)
{
  return std::to_chars (out, out + ORRERY_NUMBER_SIZE, value).ptr - out;
}

/* Whether a number outside the range is too large, not too small: the weight of its first digit. */
static bool
is_huge (const char *at, const char *end)
{
  long weight = 0, exponent = 0;
  bool found = false, point = false;

  for (; at < end && (*at | 0x20) != 'e'; at++) {
    found = found || (*at >= '1' && *at <= '9');
    weight += *at != '.' && *at != '-' && found && !point;
    weight -= *at == '0' && !found && point;
    point = point || *at == '.';
  }
  bool negative = end - at > 1 && at[1] == '-';
  for (; at < end; at++)
    if (*at >= '0' && *at <= '9' && exponent < G_MAXINT)
      exponent = 10 * exponent + (*at - '0');
  return found && weight + (negative ? -exponent : exponent) > 0;
}

gboolean
orrery_number_parse (const char *text, gsize length, double *value)
{
  double parsed = 0;
  std::from_chars_result result = std::from_chars (text, text + length, parsed);

  if (result.ec == std::errc::result_out_of_range) {
    *value = *text == '-' ? -0.0 : 0.0;
    return !is_huge (text, text + length);
  }
  *value = parsed;
  return !std::isinf (parsed);
}
