/* SPDX-License-Identifier: BSD-3-Clause */
/* A model in MJCF of robots with four legs and twelve motors that stand on a floor. */
#include "quadruped.h"

#define ROW 8

static void
add_leg (GString *xml, guint robot, guint leg)
{
  double x = leg & 1 ? -0.2 : 0.2, y = leg & 2 ? -0.15 : 0.15;
  g_autofree char *name = g_strdup_printf ("%u_%u", robot, leg);

  g_string_append_printf (
      xml,
      "<body name='hip%s' pos='%g %g 0'><joint name='a%s' axis='1 0 0'/><geom type='sphere' "
      "size='.03' mass='.4' contype='0' conaffinity='0'/>"
      "<body name='thigh%s'><joint name='b%s' axis='0 1 0'/><geom type='capsule' size='.02' "
      "fromto='0 0 0 0 0 -.2' mass='.5' contype='0' conaffinity='0'/>"
      "<body name='shin%s' pos='0 0 -.2'><joint name='c%s' axis='0 1 0'/><geom type='capsule' "
      "size='.015' fromto='0 0 0 0 0 -.2' mass='.2' contype='0' conaffinity='0'/>"
      "<geom type='sphere' size='.025' pos='0 0 -.2' mass='.05'/></body></body></body>\n",
      name, x, y, name, name, name, name, name);
}

char *
bench_write_quadrupeds (guint n, guint n_rows, guint n_contacts)
{
  GString *xml = g_string_new ("<mujoco><option timestep='0.008333333333333333'/>"
                               "<default><joint damping='0.5' armature='0.01'/></default>");

  g_string_append_printf (xml,
                          "<size njmax='%u' nconmax='%u'/>\n<worldbody>"
                          "<geom type='box' size='100 100 .5' pos='0 0 -.5'/>\n",
                          n_rows, n_contacts);
  for (guint i = 0; i < n; i++) {
    g_string_append_printf (xml,
                            "<body name='r%u' pos='%u %u .43'><freejoint/><geom type='box' "
                            "size='.25 .12 .05' mass='6'/>\n",
                            i, i % ROW, i / ROW);
    for (guint k = 0; k < BENCH_LEGS; k++)
      add_leg (xml, i, k);
    g_string_append (xml, "</body>\n");
  }
  g_string_append (xml, "</worldbody><actuator>\n");
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < BENCH_LEGS; k++)
      for (const char *joint = "abc"; *joint != '\0'; joint++)
        g_string_append_printf (xml, "<position name='m%c%u_%u' joint='%c%u_%u' kp='60'/>\n",
                                *joint, i, k, *joint, i, k);
  g_string_append (xml, "</actuator></mujoco>\n");
  return g_string_free (xml, FALSE);
}
