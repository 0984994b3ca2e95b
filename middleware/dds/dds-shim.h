/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Fast DDS behind C: samples are bytes, types are names. Any thread; nothing of an object may be
 * used once it is being freed. Events come on threads of Fast DDS, which has locks of its own in
 * its hands then: they may call nothing of this header. */

G_BEGIN_DECLS

typedef struct _DdsParticipant DdsParticipant;
typedef struct _DdsWriter DdsWriter;
typedef struct _DdsReader DdsReader;

/* Of a participant, a writer or a reader. The first 12 bytes are those of its participant, the
 * first two name who made the library. */
typedef struct {
  guint8 bytes[16];
} DdsGuid;

#define DDS_GUID_PREFIX 12

/* Which sample of which writer; all bytes zero: none. */
typedef struct {
  DdsGuid guid;
  gint64 number;
} DdsIdentity;

typedef struct {
  gboolean reliable;
  gboolean transient_local; /* later readers get the last samples */
  guint depth;              /* samples that are kept */
} DdsQos;

typedef struct {
  gconstpointer data;
  gsize length;
} DdsPart;

typedef struct {
  DdsIdentity identity;
  DdsIdentity related; /* what the sample answers; with a request: the reader of its answer */
} DdsSampleInfo;

typedef struct {
  /* @change: whether @other came or went, 1 or -1; @n: how many there are now */
  void (*matched) (gpointer data, const DdsGuid *other, int change, guint n);
  /* (nullable): a reader has samples */
  void (*available) (gpointer data);
  /* Another end of this topic wants or offers what this one does not. @policy: in words */
  void (*refused) (gpointer data, const char *policy);
} DdsEvents;

typedef struct {
  guint domain;
  const char *name;
  gboolean discovers;            /* FALSE: finds nobody, and nobody finds it */
  gboolean multicast;            /* finds others by multicast */
  const char *const *interfaces; /* (nullable): addresses; NULL: all */
  const char *const *peers;      /* (nullable): addresses that are asked who is there */
} DdsParticipantOptions;

DdsParticipant *dds_participant_new (const DdsParticipantOptions *options, GError **error);
/* With all that it has. */
void dds_participant_free (DdsParticipant *participant);
void dds_participant_get_guid (DdsParticipant *participant, DdsGuid *guid);

typedef struct {
  const char *topic;     /* of DDS: rt/chatter */
  const char *type;      /* of DDS: std_msgs::msg::dds_::String_ */
  const char *user_data; /* (nullable): told to those who ask about this end */
  DdsQos qos;
  const DdsEvents *events;
  gpointer data;
} DdsEndOptions;

DdsWriter *dds_writer_new (DdsParticipant *participant, const DdsEndOptions *options,
                           GError **error);
/* When this returns, no event of it is on the way. */
void dds_writer_free (DdsWriter *writer);
/* Waits until all reliable readers have what was written, at most so many ms. */
void dds_writer_drain (DdsWriter *writer, gint64 limit);
void dds_writer_get_guid (DdsWriter *writer, DdsGuid *guid);
/* Writes one sample, whose parts follow each other. @related: (nullable). @number: (out)
 * (optional) */
gboolean dds_writer_write (DdsWriter *writer, const DdsPart *parts, guint n_parts,
                           const DdsIdentity *related, gint64 *number);

DdsReader *dds_reader_new (DdsParticipant *participant, const DdsEndOptions *options,
                           GError **error);
void dds_reader_free (DdsReader *reader);
void dds_reader_get_guid (DdsReader *reader, DdsGuid *guid);
/* The next sample, if there is one. @sample: (out) (transfer full) (nullable): NULL: it has more
 * than @max bytes */
gboolean dds_reader_take (DdsReader *reader, gsize max, DdsSampleInfo *info, GBytes **sample);

G_END_DECLS
