/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-getter-private.h"
#include "roles/orrery-component.h"
#include "roles/orrery-setup.h"

typedef OrreryComponent *(*OrreryFindFunc) (gpointer host, const char *name);
typedef OrreryRaycaster *(*OrreryRaysFunc) (gpointer host, GError **error);
typedef gboolean (*OrreryReckonFunc) (gpointer host, GError **error);
typedef gboolean (*OrreryMeasureFunc) (gpointer host, OrreryMeasurement what, OrreryObject *object,
                                       GError **error);
typedef OrreryRenderer *(*OrreryRendererFunc) (gpointer host, GError **error);

/* What an actuator commands; of the size of a guint64, as which it is a key. */
typedef struct {
  guint object; /* its index */
  guint kind;   /* an OrreryCommandKind */
} OrreryDeclared;

/* More than that one actuator does not declare: each wheel of a robot is one. */
#define ORRERY_MAX_DECLARED 1000u

struct _OrrerySetup {
  gatomicrefcount refs;
  OrreryWorld *world;
  OrreryComponent *component;
  OrreryObject *object; /* borrowed: of a script, which is no component */
  GVariant *options;    /* a{sv} */
  OrreryFindFunc find;
  OrreryRaysFunc find_rays;        /* NULL: whoever sets up has none to give */
  OrreryReckonFunc reckon_inertia; /* NULL: there is no physics */
  OrreryMeasureFunc measure;       /* likewise */
  OrreryRendererFunc get_renderer; /* NULL: there is none for this part */
  gpointer host;
  GPtrArray *sources;   /* (element-type OrreryComponent) */
  GPtrArray *found;     /* (element-type OrreryComponent): each once, without itself */
  GPtrArray *published; /* (element-type utf8) */
  gboolean on_demand;
  gboolean reads_none; /* but the sources */
  GArray *commands;    /* (element-type OrreryDeclared) */
  gboolean offline;
  const char *allow_users; /* borrowed until the setup ends */
  const char *token_file;
  gboolean not_finite_words;
  OrreryMessageCatalogue *messages; /* borrowed until the setup ends */
  gboolean ended;
};

OrrerySetup *orrery_setup_new (OrreryWorld *world, OrreryComponent *component, GVariant *options,
                               OrreryFindFunc find, gpointer host);
/* Setup is over: who keeps the object reaches nothing through it any more. */
void orrery_setup_end (OrrerySetup *setup);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrrerySetup, orrery_setup_unref)
