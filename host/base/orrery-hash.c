/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes texts that come from outside: SipHash-1-3 of Aumasson and Bernstein. */
#include "base/orrery-hash-private.h"

#include <string.h>
#include <sys/random.h>

typedef struct {
  guint64 a, b, c, d;
} Sip;

static guint64 secret[2];

static void
make_secret (void)
{
  /* Early in the life of a machine there may be none yet: then addresses, which are random, too. */
  if (getrandom (secret, sizeof secret, GRND_NONBLOCK) == sizeof secret)
    return;
  secret[0] = (guint64) (gsize) &secret;
  secret[1] = (guint64) g_get_monotonic_time ();
}

static inline guint64
rotate (guint64 x, guint n)
{
  return x << n | x >> (64 - n);
}

static inline void
mix (Sip *s)
{
  s->a += s->b;
  s->c += s->d;
  s->b = rotate (s->b, 13) ^ s->a;
  s->d = rotate (s->d, 16) ^ s->c;
  s->a = rotate (s->a, 32) + s->d;
  s->c += s->b;
  s->d = rotate (s->d, 21) ^ s->a;
  s->b = rotate (s->b, 17) ^ s->c;
  s->c = rotate (s->c, 32);
}

static inline void
take_word (Sip *s, guint64 word)
{
  s->d ^= word;
  mix (s);
  s->a ^= word;
}

guint
orrery_text_hash (gconstpointer text)
{
  static gsize ready;
  const char *at = text;
  gsize length = strlen (at);
  guint64 word;
  Sip s;

  if (g_once_init_enter (&ready)) {
    make_secret ();
    g_once_init_leave (&ready, 1);
  }
  s = (Sip){ secret[0] ^ G_GUINT64_CONSTANT (0x736f6d6570736575),
             secret[1] ^ G_GUINT64_CONSTANT (0x646f72616e646f6d),
             secret[0] ^ G_GUINT64_CONSTANT (0x6c7967656e657261),
             secret[1] ^ G_GUINT64_CONSTANT (0x7465646279746573) };
  for (gsize left = length; left >= sizeof word; left -= sizeof word, at += sizeof word) {
    memcpy (&word, at, sizeof word);
    take_word (&s, word);
  }
  word = (guint64) length << 56;
  memcpy (&word, at, length % sizeof word);
  take_word (&s, word);
  s.c ^= 0xff;
  for (guint i = 0; i < 3; i++)
    mix (&s);
  word = s.a ^ s.b ^ s.c ^ s.d;
  return (guint) (word ^ word >> 32);
}
