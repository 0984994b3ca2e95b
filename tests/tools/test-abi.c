/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

/*
 * What plugins were compiled with does not change under them: sizes on machines with pointers of
 * 64 bits. A size that changes is a new major number of the ABI in configure.ac, and then a new
 * number here; a new virtual function takes one of _reserved and changes nothing. A descriptor
 * tells its sizes, so it may grow at its end, which is a new minor number; so may a struct that the
 * host makes and plugins only read, as OrreryObserved, which is a new number here alone.
 */

typedef struct {
  const char *name;
  gsize now;
  gsize then;
} Size;

/* clang-format off */
#define SIZE(Struct, then) { #Struct, sizeof (Struct), then }
/* clang-format on */

static const Size sizes[] = {
  SIZE (OrreryPartClass, 248),
  SIZE (OrreryComponentClass, 320),
  SIZE (OrrerySensorClass, 392),
  SIZE (OrreryActuatorClass, 392),
  SIZE (OrreryRobotClass, 392),
  SIZE (OrreryModifierClass, 336),
  SIZE (OrreryDatastreamClass, 328),
  SIZE (OrreryDatastreamManagerClass, 368),
  SIZE (OrreryRequestManagerClass, 344),
  SIZE (OrreryOverlayClass, 320),
  SIZE (OrreryPhysicsClass, 344),
  SIZE (OrreryImporterClass, 320),
  SIZE (OrreryRaycasterClass, 336),
  SIZE (OrreryRendererClass, 328),
  SIZE (OrreryScriptClass, 440),
  SIZE (OrreryLoaderClass, 208),
  SIZE (OrreryPart, 24),
  SIZE (OrreryComponent, 24),
  SIZE (OrrerySensor, 24),
  SIZE (OrreryActuator, 24),
  SIZE (OrreryRobot, 24),
  SIZE (OrreryModifier, 24),
  SIZE (OrreryDatastream, 24),
  SIZE (OrreryDatastreamManager, 24),
  SIZE (OrreryRequestManager, 24),
  SIZE (OrreryOverlay, 24),
  SIZE (OrreryPhysics, 24),
  SIZE (OrreryImporter, 24),
  SIZE (OrreryRaycaster, 24),
  SIZE (OrreryRay, 64),
  SIZE (OrreryHit, 48),
  SIZE (OrreryRays, 24),
  SIZE (OrreryRenderer, 24),
  SIZE (OrreryObserver, 24),
  SIZE (OrreryObserved, 112),
  SIZE (OrreryScript, 24),
  SIZE (OrreryLoader, 24),
  SIZE (OrreryPluginDesc, 40),
  SIZE (OrreryClassDesc, 104),
  SIZE (OrreryLevel, 24),
  SIZE (OrreryAlias, 24),
  SIZE (OrreryField, 32),
  SIZE (OrreryService, 40),
  SIZE (OrreryProperty, 80),
  SIZE (OrreryMethod, 24),
  SIZE (OrreryStamp, 8),
  SIZE (OrreryText, 16),
  SIZE (OrreryArray, 8),
  SIZE (OrreryPoints, 8),
  SIZE (OrreryVec3, 24),
  SIZE (OrreryEuler, 24),
  SIZE (OrreryQuat, 32),
  SIZE (OrreryMat3, 72),
  SIZE (OrreryMat4, 128),
  SIZE (OrreryTransform, 56),
  SIZE (OrreryRandom, 64),
  SIZE (OrreryBody, 136),
  SIZE (OrreryInertial, 72),
  SIZE (OrreryJoint, 168),
  SIZE (OrreryJointState, 80),
  SIZE (OrreryConstraint, 144),
  SIZE (OrreryCommand, 120),
  SIZE (OrreryQuantity, 64),
  SIZE (OrreryLook, 32),
  SIZE (OrreryContact, 64),
  SIZE (OrreryLamp, 96),
  SIZE (OrreryView, 104),
  SIZE (OrreryPicture, 24),
  SIZE (OrreryRobotData, 8),
};

/* The structs whose size is not the one that was promised. */
static guint
count_changed (const Size *table, guint n)
{
  guint changed = 0;

  for (guint i = 0; i < n; i++) {
    if (table[i].now == table[i].then)
      continue;
    g_test_message ("%s: %" G_GSIZE_FORMAT " bytes, was %" G_GSIZE_FORMAT, table[i].name,
                    table[i].now, table[i].then);
    changed++;
  }
  return changed;
}

static void
test_sizes (void)
{
  g_test_summary ("no public struct has another size than plugins were compiled with");
  g_assert_cmpint (ORRERY_ABI_MAJOR, ==, 2);
  if (sizeof (gpointer) != 8) {
    g_test_skip ("sizes are those of pointers of 64 bits");
    return;
  }
  g_assert_cmpuint (count_changed (sizes, G_N_ELEMENTS (sizes)), ==, 0);
}

/* What a member more does to a struct. */
typedef struct {
  OrreryField field;
  int more;
} Grown;

static void
test_a_struct_that_grew (void)
{
  const Size grown[] = { { "Grown", sizeof (Grown), sizeof (OrreryField) } };

  g_test_summary ("the comparison sees a struct that grew by one member");
  g_assert_cmpuint (count_changed (grown, 1), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/abi/sizes", test_sizes);
  g_test_add_func ("/abi/grown", test_a_struct_that_grew);
  return g_test_run ();
}
