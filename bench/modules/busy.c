/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

/* bench.busy: a sensor that adds up a series for as many terms as it is told, some 1 ns each. */

typedef struct {
  double x;
} BusyData;

static const OrreryField fields[] = {
  ORRERY_FIELD (BusyData, x, "", "The sum"),
};

G_DECLARE_FINAL_TYPE (BenchBusy, bench_busy, BENCH, BUSY, OrrerySensor)
struct _BenchBusy {
  OrrerySensor parent_instance;
  gint64 terms;
};
ORRERY_DEFINE_FINAL_TYPE (BenchBusy, bench_busy, ORRERY_TYPE_SENSOR)

static void
bench_busy_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  double sum = 0;

  for (gint64 i = 1; i <= BENCH_BUSY (sensor)->terms; i++)
    sum += 1.0 / (double) (i * i);
  ((BusyData *) orrery_record_data (record))->x = sum;
}

static void
bench_busy_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  BENCH_BUSY (object)->terms = g_value_get_int64 (value);
}

static void
bench_busy_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int64 (value, BENCH_BUSY (object)->terms);
}

static void
bench_busy_class_init (BenchBusyClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = bench_busy_set_property;
  G_OBJECT_CLASS (klass)->get_property = bench_busy_get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1,
                                   g_param_spec_int64 ("terms", "terms", "Of the series", 0,
                                                       G_MAXINT32, 0, G_PARAM_READWRITE));
  ORRERY_SENSOR_CLASS (klass)->sense = bench_busy_sense;
  ORRERY_CLASS_SET_DATA (klass, BusyData, fields);
}

ORRERY_PLUGIN ("A sensor that takes its time", "BSD-3-Clause",
               ORRERY_CLASS (Busy, BenchBusy, bench_busy, .thread_safe = TRUE))
