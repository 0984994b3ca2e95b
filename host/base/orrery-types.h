/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>
#include <stdbool.h>

G_BEGIN_DECLS

/*
 * The header of words. Everywhere: SI units, right-handed frames with z up, angles in radians.
 * Euler angles are roll about x, pitch about y, yaw about z; the rotation is Rz (yaw) Ry (pitch)
 * Rx (roll). Where something else is meant, its name or its comment says so.
 */

#define ORRERY_API __attribute__ ((visibility ("default")))

/**
 * ORRERY_NO_INIT: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 *
 * Defines an init function that does nothing: the instances begin as zeros. The macros below use
 * it.
 */
#define ORRERY_NO_INIT(TypeName, type_name)                                                        \
  static void type_name##_init (TypeName *self)                                                    \
  {                                                                                                \
  }

/**
 * ORRERY_DEFINE_FINAL_TYPE: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @PARENT_TYPE: the type that it derives from, as ORRERY_TYPE_SENSOR
 *
 * This and the four below are GObject's macros of the same end, for a class whose instances begin
 * as zeros: it has no init function to write.
 */
#define ORRERY_DEFINE_FINAL_TYPE(TypeName, type_name, PARENT_TYPE)                                 \
  G_DEFINE_FINAL_TYPE (TypeName, type_name, PARENT_TYPE)                                           \
  ORRERY_NO_INIT (TypeName, type_name)
/**
 * ORRERY_DEFINE_TYPE: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @PARENT_TYPE: the type that it derives from, as ORRERY_TYPE_SENSOR
 *
 * G_DEFINE_TYPE() for a class that has no init function to write.
 */
#define ORRERY_DEFINE_TYPE(TypeName, type_name, PARENT_TYPE)                                       \
  G_DEFINE_TYPE (TypeName, type_name, PARENT_TYPE) ORRERY_NO_INIT (TypeName, type_name)
/**
 * ORRERY_DEFINE_ABSTRACT_TYPE: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @PARENT_TYPE: the type that it derives from, as ORRERY_TYPE_SENSOR
 *
 * G_DEFINE_ABSTRACT_TYPE() for a class that has no init function to write.
 */
#define ORRERY_DEFINE_ABSTRACT_TYPE(TypeName, type_name, PARENT_TYPE)                              \
  G_DEFINE_ABSTRACT_TYPE (TypeName, type_name, PARENT_TYPE) ORRERY_NO_INIT (TypeName, type_name)
/**
 * ORRERY_DEFINE_TYPE_WITH_PRIVATE: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @PARENT_TYPE: the type that it derives from, as ORRERY_TYPE_SENSOR
 *
 * G_DEFINE_TYPE_WITH_PRIVATE() for a class that has no init function to write.
 */
#define ORRERY_DEFINE_TYPE_WITH_PRIVATE(TypeName, type_name, PARENT_TYPE)                          \
  G_DEFINE_TYPE_WITH_PRIVATE (TypeName, type_name, PARENT_TYPE)                                    \
  ORRERY_NO_INIT (TypeName, type_name)
/**
 * ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @PARENT_TYPE: the type that it derives from, as ORRERY_TYPE_SENSOR
 *
 * G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE() for a class that has no init function to write.
 */
#define ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(TypeName, type_name, PARENT_TYPE)                 \
  G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (TypeName, type_name, PARENT_TYPE)                           \
  ORRERY_NO_INIT (TypeName, type_name)

/**
 * ORRERY_DECLARE_CLASS: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @Parent: the struct of the parent class, as OrrerySensor
 *
 * Declares the class struct, which adds nothing to that of its parent, and the type function, for a
 * class that a macro or a file of its own defines.
 */
#define ORRERY_DECLARE_CLASS(TypeName, type_name, Parent)                                          \
  typedef struct {                                                                                 \
    Parent##Class parent_class;                                                                    \
  } TypeName##Class;                                                                               \
  GType type_name##_get_type (void);

/**
 * ORRERY_DEFINE_CLASS: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @Parent: the struct of the parent class, as OrrerySensor
 * @parent: its prefix, as orrery_sensor
 *
 * Defines the class of a struct of instances that no other file uses, as most classes of plugins
 * are. It follows the struct: ORRERY_DEFINE_CLASS (AcmeSonar, acme_sonar, OrrerySensor,
 * orrery_sensor). The file then defines acme_sonar_class_init(), and acme_sonar_init() too if it
 * uses ORRERY_DEFINE_CLASS_WITH_INIT(). ORRERY_DEFINE_BASE_CLASS() defines an abstract class.
 * Instances are cast in C, `(AcmeSonar *) part`: a checked cast would look at types in each step.
 */
#define ORRERY_DEFINE_CLASS(TypeName, type_name, Parent, parent)                                   \
  ORRERY_DECLARE_CLASS (TypeName, type_name, Parent)                                               \
  ORRERY_DEFINE_TYPE (TypeName, type_name, parent##_get_type ())
/**
 * ORRERY_DEFINE_CLASS_WITH_INIT: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @Parent: the struct of the parent class, as OrrerySensor
 * @parent: its prefix, as orrery_sensor
 *
 * ORRERY_DEFINE_CLASS() for a class with an init function, which the file defines.
 */
#define ORRERY_DEFINE_CLASS_WITH_INIT(TypeName, type_name, Parent, parent)                         \
  ORRERY_DECLARE_CLASS (TypeName, type_name, Parent)                                               \
  G_DEFINE_TYPE (TypeName, type_name, parent##_get_type ())
/**
 * ORRERY_DEFINE_BASE_CLASS: (skip)
 * @TypeName: the struct of the instances
 * @type_name: the prefix of its functions
 * @Parent: the struct of the parent class, as OrrerySensor
 * @parent: its prefix, as orrery_sensor
 *
 * ORRERY_DEFINE_CLASS() for an abstract class, from which others of the same file derive.
 */
#define ORRERY_DEFINE_BASE_CLASS(TypeName, type_name, Parent, parent)                              \
  ORRERY_DECLARE_CLASS (TypeName, type_name, Parent)                                               \
  ORRERY_DEFINE_ABSTRACT_TYPE (TypeName, type_name, parent##_get_type ())

/**
 * OrreryTime:
 *
 * A time or a duration in whole nanoseconds. Seconds as a double exist only at the border.
 */
typedef gint64 OrreryTime;

/**
 * ORRERY_SECOND:
 *
 * One second as an #OrreryTime.
 */
#define ORRERY_SECOND G_GINT64_CONSTANT (1000000000)

/**
 * OrreryBool:
 *
 * A truth value as a field of a record (a gboolean is an int to the compiler).
 */
typedef bool OrreryBool;

/**
 * OrreryStamp:
 * @ns: nanoseconds
 *
 * A time as a field of a record: nanoseconds inside, seconds in every view from outside.
 */
typedef struct {
  OrreryTime ns;
} OrreryStamp;

/**
 * OrreryText:
 * @str: (nullable): UTF-8, ended by NUL; %NULL reads as the empty text
 * @allocated: size of @str in bytes
 *
 * A text as a field of a record. Change it with orrery_text_set(), which allocates only to grow.
 */
typedef struct {
  char *str;
  gsize allocated;
} OrreryText;

typedef struct _OrreryBuffer OrreryBuffer;
typedef struct _OrreryCall OrreryCall;
typedef struct _OrreryChannel OrreryChannel;
typedef struct _OrreryCommands OrreryCommands;
typedef struct _OrreryComponent OrreryComponent;
typedef struct _OrreryEmitter OrreryEmitter;
typedef struct _OrreryGeodesy OrreryGeodesy;
typedef struct _OrreryMaterial OrreryMaterial;
typedef struct _OrreryNode OrreryNode;
typedef struct _OrreryObject OrreryObject;
typedef struct _OrreryPart OrreryPart;
typedef struct _OrreryRaycaster OrreryRaycaster;
typedef struct _OrreryReader OrreryReader;
typedef struct _OrreryReceiver OrreryReceiver;
typedef struct _OrreryRecord OrreryRecord;
typedef struct _OrreryRegistry OrreryRegistry;
typedef struct _OrreryRenderer OrreryRenderer;
typedef struct _OrrerySchema OrrerySchema;
typedef struct _OrreryImport OrreryImport;
typedef struct _OrrerySetup OrrerySetup;
typedef struct _OrreryShape OrreryShape;
typedef struct _OrrerySimulation OrrerySimulation;
typedef struct _OrrerySnapshot OrrerySnapshot;
typedef struct _OrreryStream OrreryStream;
typedef struct _OrreryTick OrreryTick;
typedef struct _OrreryWorld OrreryWorld;
typedef struct _OrreryWriter OrreryWriter;

/**
 * OrreryArray:
 * @buffer: (nullable): a buffer of doubles, one dimension; %NULL reads as empty
 *
 * An array of doubles as a field of a record. Change it with orrery_array_set() or swap the buffer.
 */
typedef struct {
  OrreryBuffer *buffer;
} OrreryArray;

/**
 * OrreryPoints:
 * @buffer: (nullable): a buffer of doubles of shape n x 3; %NULL reads as empty
 *
 * An array of points as a field of a record.
 */
typedef struct {
  OrreryBuffer *buffer;
} OrreryPoints;

/**
 * orrery_text_set: (skip)
 * @text: a field
 * @value: (nullable): UTF-8, copied; %NULL is the empty text; may be a part of @text itself
 *
 * Allocates only if @text has no room for @value; the room never shrinks.
 */
ORRERY_API void orrery_text_set (OrreryText *text, const char *value);

/**
 * orrery_text_get: (skip)
 * @text: a field
 *
 * An empty field reads as the empty text, not as %NULL.
 *
 * Returns: (transfer none): the text, never %NULL; valid until the field changes
 */
ORRERY_API const char *orrery_text_get (const OrreryText *text);

/**
 * orrery_time_from_seconds:
 * @seconds: a time in seconds, finite, within +-9.2e9
 *
 * A time beyond the range or a NaN is a mistake of the caller: it is logged, and the result is 0.
 *
 * Returns: the nearest whole nanosecond
 */
ORRERY_API OrreryTime orrery_time_from_seconds (double seconds);

/**
 * orrery_time_to_seconds:
 * @time: a time in nanoseconds
 *
 * The double is exact to its last place but one at worst. Within +-2^53 ns (104 days)
 * orrery_time_from_seconds() gives back the same nanosecond.
 *
 * Returns: @time in seconds
 */
ORRERY_API double orrery_time_to_seconds (OrreryTime time);

G_END_DECLS
