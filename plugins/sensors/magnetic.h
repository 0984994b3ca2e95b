/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * The Earth's magnetic field by the World Magnetic Model: spherical harmonics of degree 12, linear
 * in time. Chulliat et al., The US/UK World Magnetic Model for 2015-2020: technical report, NOAA
 * 2015, section 1.2.
 */
#define MAGNETIC_DEGREE 12
#define MAGNETIC_N_ROWS (MAGNETIC_DEGREE * (MAGNETIC_DEGREE + 3) / 2)
/* Years for which there is a model. */
#define MAGNETIC_FIRST_YEAR 2015.0
#define MAGNETIC_LAST_YEAR 2030.0

typedef enum {
  MAGNETIC_WMM2015,
  MAGNETIC_WMM2015V2,
  MAGNETIC_WMM2020,
  MAGNETIC_WMM2025,
  MAGNETIC_N_MODELS,
} MagneticModelName;

typedef struct {
  double g, h;           /* nT at the epoch */
  double g_rate, h_rate; /* nT per year */
} MagneticRow;

/* Rows for n = 1 to 12, m = 0 to n. */
typedef struct {
  const char *name;
  double epoch; /* decimal year */
  MagneticRow rows[MAGNETIC_N_ROWS];
} MagneticModel;

extern const MagneticModel magnetic_models[MAGNETIC_N_MODELS];

/* A model at a date, and what the recursion of its functions needs of degree and order alone. */
typedef struct {
  double g[MAGNETIC_N_ROWS], h[MAGNETIC_N_ROWS]; /* nT */
  double a[MAGNETIC_N_ROWS], b[MAGNETIC_N_ROWS];
} MagneticField;

/* The newest model for that year. */
MagneticModelName magnetic_find_model (double year);
void magnetic_field_init (MagneticField *field, MagneticModelName model, double year);
/* @geodetic: longitude and latitude, degrees; altitude, m. @ned: nT, North, East, Down. */
void magnetic_field_get (const MagneticField *field, const OrreryVec3 *geodetic, OrreryVec3 *ned);

/* What sensors with a magnetometer share. */
typedef struct {
  OrreryGeodesy *geodesy;
  int model;           /* 1 more than the MagneticModelName asked for; 0: by the date */
  gboolean has_date;   /* whether `date` was asked for, else the day of the run counts */
  double date;         /* decimal year */
  gboolean world_axes; /* whether to turn North, East, Down to the world's axes */
  gboolean ready;      /* whether the field is that of model and date */
  MagneticField field;
  gboolean measured; /* whether `ned` is the field at `place`: who stands still asks once */
  OrreryVec3 place;  /* m, in the world */
  OrreryVec3 ned;    /* nT */
} Magnetic;

/* The properties date, Model and WorldAxes. @place: offset of the Magnetic in the struct;
 * @note_date calls magnetic_note_date(), @note_model magnetic_note_model(). */
void magnetic_class_init (OrreryPartClass *klass, gssize place,
                          void (*note_date) (OrreryPart *part),
                          void (*note_model) (OrreryPart *part));
gboolean magnetic_setup (Magnetic *self, OrreryWorld *world, GError **error);
/* The date was set. */
void magnetic_note_date (Magnetic *self);
void magnetic_note_model (Magnetic *self);
/* @out: nT, in axes turned by @pose->rotation */
void magnetic_measure (Magnetic *self, OrreryTick *tick, const OrreryTransform *pose,
                       OrreryVec3 *out);
