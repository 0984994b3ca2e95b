/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the index of the manual, which docs/manual_index.py makes and describes. */
#include "help.h"

#include <string.h>

#define INDEX "share/orrery-1/manual/index.tsv"

struct _CliManual {
  char *text;      /* the index, its lines cut into columns */
  GArray *records; /* (element-type CliHit) */
};

/* --- the index --- */

static void
add_record (CliManual *manual, char *line)
{
  CliHit hit = { .page = line, .number = manual->records->len };
  const char **columns[] = { &hit.anchor, &hit.headings, &hit.text };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    line = strchr (line, '\t');
    if (line == NULL)
      return;
    *line++ = '\0';
    *columns[i] = line;
  }
  g_array_append_val (manual->records, hit);
}

CliManual *
cli_manual_open (GError **error)
{
  g_autoptr (CliManual) manual = g_new0 (CliManual, 1);
  g_autofree char *path = orrery_get_prefix_path (INDEX);
  char *next;

  manual->records = g_array_new (FALSE, FALSE, sizeof (CliHit));
  if (!g_file_get_contents (path, &manual->text, NULL, NULL)) {
    orrery_set_error (error, ORRERY_ERROR_NO_FILE, "%s: the index of the manual is not there",
                      path);
    return NULL;
  }
  for (char *line = manual->text; line != NULL; line = next) {
    next = strchr (line, '\n');
    if (next != NULL)
      *next++ = '\0';
    if (*line != '#' && *line != '\0')
      add_record (manual, line);
  }
  return g_steal_pointer (&manual);
}

void
cli_manual_free (CliManual *manual)
{
  g_array_unref (manual->records);
  g_free (manual->text);
  g_free (manual);
}

/* --- words in texts --- */

static gboolean
is_letter (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guchar) c >= 0x80;
}

/* Letters of ASCII match in either case.
 * Returns: (nullable): where it is; as a word of its own if it is one anywhere */
static const char *
find_word (const char *text, const char *word, gboolean *is_whole)
{
  gsize length = strlen (word);
  const char *first = NULL;

  *is_whole = FALSE;
  for (const char *at = text; *at != '\0'; at++) {
    if (g_ascii_strncasecmp (at, word, length) != 0)
      continue;
    if ((at == text || !is_letter (at[-1])) && !is_letter (at[length])) {
      *is_whole = TRUE;
      return at;
    }
    if (first == NULL)
      first = at;
  }
  return first;
}

static guint
rate (const char *text, const char *word)
{
  gboolean is_whole;

  if (find_word (text, word, &is_whole) == NULL)
    return 0;
  return is_whole ? 3 : 1;
}

static gboolean
is_page_of (const char *page, const char *word)
{
  gsize length = strlen (word);

  return g_ascii_strncasecmp (page, word, length) == 0 && g_str_equal (page + length, ".md");
}

/* Pages with a heading for each name of Python, or for each command: guides say more of a word. */
static gboolean
is_list_of_names (const char *page)
{
  return g_str_has_prefix (page, "python-") || g_str_equal (page, "commands.md");
}

/* The nearest heading says most, then those above it, then the text; a short text is about less
 * else. */
static void
score (CliHit *hit)
{
  const char *last = g_strrstr (hit->headings, " > ");
  guint weight = is_list_of_names (hit->page) ? 1 : 4;

  hit->n_words = hit->score = 0;
  for (char **word = hit->words; *word != NULL; word++) {
    guint sum = 2 * weight * rate (last != NULL ? last : hit->headings, *word) +
                weight * rate (hit->headings, *word) + 3 * rate (hit->text, *word) +
                (is_page_of (hit->page, *word) ? 12 : 0);

    hit->score += sum;
    hit->n_words += sum > 0;
  }
  hit->score += strlen (hit->text) < 240 ? 1 : 0;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const CliHit *one = a, *other = b;

  if (one->score != other->score)
    return one->score > other->score ? -1 : 1;
  return one->number < other->number ? -1 : 1;
}

/* --- search --- */

/* Returns: (element-type CliHit): the lines that have most of the words, best first */
static GArray *
find_lines (const CliManual *manual, char **words)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (CliHit));
  guint most = 1;

  for (guint i = 0; i < manual->records->len; i++) {
    CliHit hit = g_array_index (manual->records, CliHit, i);

    hit.words = words;
    score (&hit);
    if (hit.n_words > most)
      g_array_set_size (hits, 0);
    most = MAX (most, hit.n_words);
    if (hit.n_words == most)
      g_array_append_val (hits, hit);
  }
  g_array_sort (hits, compare);
  return hits;
}

GArray *
cli_manual_search (const CliManual *manual, char **words, guint of_page)
{
  GArray *hits = find_lines (manual, words);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) pages = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  for (guint i = 0; i < hits->len; i++) {
    const CliHit *hit = &g_array_index (hits, CliHit, i);
    guint n_of_page = GPOINTER_TO_UINT (g_hash_table_lookup (pages, hit->page));

    if (n_of_page >= of_page ||
        !g_hash_table_add (seen, g_strdup_printf ("%s#%s", hit->page, hit->anchor)))
      continue;
    g_hash_table_insert (pages, (gpointer) hit->page, GUINT_TO_POINTER (n_of_page + 1));
    g_array_index (hits, CliHit, n++) = *hit;
  }
  g_array_set_size (hits, n);
  return hits;
}

/* Distributions compress what is long. */
char *
cli_manual_find_page (const CliManual *manual, const CliHit *hit)
{
  static const char *const directories[] = { ORRERY_DOCDIR_FROM_PREFIX, "share/doc/orrery" };
  static const char *const suffixes[] = { "", ".gz" };

  for (guint i = 0; i < G_N_ELEMENTS (directories) * G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *relative =
        g_strconcat (directories[i / 2], "/", hit->page, suffixes[i % 2], NULL);
    g_autofree char *path = orrery_get_prefix_path (relative);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      return g_strconcat (path, *hit->anchor != '\0' ? "#" : "", hit->anchor, NULL);
  }
  return g_strconcat (hit->page, *hit->anchor != '\0' ? "#" : "", hit->anchor, NULL);
}

/* --- a line of context --- */

/* Where the first of the words is that the text has; its start where it has none. */
static const char *
find_first (const CliHit *hit)
{
  const char *first = NULL;
  gboolean is_whole;

  for (char **word = hit->words; *word != NULL; word++) {
    const char *at = find_word (hit->text, *word, &is_whole);

    if (at != NULL && (first == NULL || at < first))
      first = at;
  }
  return first != NULL ? first : hit->text;
}

static void
append_bold (GString *line, const char *text, char **words)
{
  while (*text != '\0') {
    gsize length = 0;

    for (char **word = words; *word != NULL; word++)
      if (g_ascii_strncasecmp (text, *word, strlen (*word)) == 0)
        length = MAX (length, strlen (*word));
    if (length > 0)
      g_string_append_printf (line, "\033[1m%.*s\033[0m", (int) length, text);
    else
      g_string_append_c (line, *text);
    text += MAX (length, 1);
  }
}

char *
cli_manual_make_context (const CliHit *hit, guint width, gboolean is_bold)
{
  const char *at = find_first (hit);
  glong before = g_utf8_pointer_to_offset (hit->text, at);
  glong length = g_utf8_strlen (hit->text, -1);
  /* One column is for the sign that something was left out, at either end. */
  glong room = (glong) width - 2;
  glong begin = length > room ? CLAMP (before - room / 3, 0, length - room) : 0;
  const char *start = g_utf8_offset_to_pointer (hit->text, begin);
  g_autofree char *part = NULL;
  GString *line = g_string_new (begin > 0 ? "…" : NULL);

  /* From the beginning of a word on. */
  while (begin > 0 && start < at && start[-1] != ' ')
    start = g_utf8_next_char (start);
  part = g_utf8_substring (start, 0, MIN (room, g_utf8_strlen (start, -1)));
  if (is_bold)
    append_bold (line, part, hit->words);
  else
    g_string_append (line, part);
  if (begin + room < length)
    g_string_append (line, "…");
  return g_string_free (line, FALSE);
}

/* --- words that are not there --- */

static void
add_words (GHashTable *words, const char *text)
{
  while (*text != '\0') {
    const char *begin = text;

    while (is_letter (*text) || (*text == '.' && text > begin && is_letter (text[1])))
      text++;
    if (text - begin > 2 && text - begin < 64)
      g_hash_table_add (words, g_ascii_strdown (begin, text - begin));
    if (*text != '\0')
      text++;
  }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
cli_manual_find_nearest (const CliManual *manual, char **words)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree const char **names = NULL;
  g_autofree char *word = g_ascii_strdown (words[0], -1);
  guint n;

  for (guint i = 0; i < manual->records->len; i++) {
    add_words (known, g_array_index (manual->records, CliHit, i).headings);
    add_words (known, g_array_index (manual->records, CliHit, i).text);
  }
  names = (const char **) g_hash_table_get_keys_as_array (known, &n);
  /* The order of the table is none. */
  qsort (names, n, sizeof *names, compare_names);
  return orrery_nearest_names (word, names);
}
