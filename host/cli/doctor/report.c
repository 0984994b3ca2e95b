/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings of `orrery doctor`, for people and as JSON. */
#include "doctor.h"

#include "../help/help.h"

typedef struct {
  const char *part;
  DoctorStatus status;
  char *words;
  char *remedy; /* (nullable) */
} Finding;

struct _DoctorReport {
  GArray *findings; /* (element-type Finding) */
  const char *part;
};

static const char *const names[] = { "ok", "note", "missing", "wrong" };
/* Green, none, yellow, red. */
static const char *const colours[] = { "\033[32m", "", "\033[33m", "\033[31m" };

/* Columns of the names, with what is before and behind them. */
#define INDENT 11

static void
finding_clear (gpointer finding)
{
  g_free (((Finding *) finding)->words);
  g_free (((Finding *) finding)->remedy);
}

DoctorReport *
doctor_report_new (void)
{
  DoctorReport *report = g_new0 (DoctorReport, 1);

  report->findings = g_array_new (FALSE, FALSE, sizeof (Finding));
  g_array_set_clear_func (report->findings, finding_clear);
  return report;
}

void
doctor_report_free (DoctorReport *report)
{
  g_array_unref (report->findings);
  g_free (report);
}

void
doctor_report_begin (DoctorReport *report, const char *part)
{
  report->part = part;
}

void
doctor_report_add (DoctorReport *report, DoctorStatus status, const char *remedy, const char *words,
                   ...)
{
  Finding finding = { .part = report->part, .status = status };
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, words);
  text = g_strdup_vprintf (words, args);
  va_end (args);
  finding.words = g_strdelimit (orrery_escape_text (text, FALSE), "\r\n\t", ' ');
  finding.remedy = remedy != NULL ? orrery_escape_text (remedy, FALSE) : NULL;
  g_array_append_val (report->findings, finding);
}

gboolean
doctor_report_has (DoctorReport *report, const char *part, DoctorStatus status)
{
  for (guint i = 0; i < report->findings->len; i++) {
    Finding *finding = &g_array_index (report->findings, Finding, i);

    if (finding->status == status && (part == NULL || g_str_equal (finding->part, part)))
      return TRUE;
  }
  return FALSE;
}

/* The first line begins with the name of the status, the others below the words. */
static void
append_finding (GString *text, const Finding *finding, gboolean is_coloured, guint width)
{
  g_autofree char *words = cli_wrap (finding->words, INDENT, width);
  const char *name = names[finding->status];
  const char *colour = is_coloured ? colours[finding->status] : "";

  g_string_append_printf (text, "  %s%s%s%*s%s", colour, name, *colour != '\0' ? "\033[0m" : "",
                          INDENT - 2 - (int) strlen (name), "", words + INDENT);
  if (finding->remedy != NULL) {
    g_autofree char *remedy = cli_wrap (finding->remedy, INDENT + 2, width);

    g_string_append_printf (text, "%*s> %s", INDENT, "", remedy + INDENT + 2);
  }
}

void
doctor_report_print (DoctorReport *report)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *part = NULL;
  gboolean is_coloured = cli_is_terminal (stdout);
  guint width = cli_get_columns (stdout);

  for (guint i = 0; i < report->findings->len; i++) {
    const Finding *finding = &g_array_index (report->findings, Finding, i);

    if (g_strcmp0 (part, finding->part) != 0)
      g_string_append_printf (text, "%s%s%s%s\n", part != NULL ? "\n" : "",
                              is_coloured ? "\033[1m" : "", finding->part,
                              is_coloured ? "\033[0m" : "");
    part = finding->part;
    append_finding (text, finding, is_coloured, width);
  }
  cli_write (stdout, text->str);
}

void
doctor_report_print_json (DoctorReport *report, int status)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) document = NULL;
  GVariantBuilder list, dict;
  const char *data;
  gsize length;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{ss}"));
  for (guint i = 0; i < report->findings->len; i++) {
    const Finding *finding = &g_array_index (report->findings, Finding, i);

    g_variant_builder_open (&list, G_VARIANT_TYPE ("a{ss}"));
    g_variant_builder_add (&list, "{ss}", "part", finding->part);
    g_variant_builder_add (&list, "{ss}", "status", names[finding->status]);
    g_variant_builder_add (&list, "{ss}", "words", finding->words);
    if (finding->remedy != NULL)
      g_variant_builder_add (&list, "{ss}", "remedy", finding->remedy);
    g_variant_builder_close (&list);
  }
  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&dict, "{sv}", "version", g_variant_new_string (ORRERY_VERSION));
  g_variant_builder_add (&dict, "{sv}", "exit", g_variant_new_int32 (status));
  g_variant_builder_add (&dict, "{sv}", "findings", g_variant_builder_end (&list));
  document = g_variant_ref_sink (g_variant_builder_end (&dict));
  orrery_writer_append_json_variant (writer, document);
  orrery_writer_append_char (writer, '\n');
  data = orrery_writer_get_data (writer, &length);
  fwrite (data, 1, length, stdout);
}
