/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-type.h"
#include "roles/orrery-datastream.h"

G_BEGIN_DECLS

/**
 * OrreryTopicFlags: (skip)
 * @ORRERY_TOPIC_LATCHED: the last message is kept for those who come later
 * @ORRERY_TOPIC_SHARED: other streams write the same topic, as `/tf`
 *
 * How a topic differs from one that has a single writer and no memory.
 */
typedef enum {
  ORRERY_TOPIC_LATCHED = 1 << 0,
  ORRERY_TOPIC_SHARED = 1 << 1,
} OrreryTopicFlags;

/**
 * OrreryTopic: (skip)
 * @name: `/robot/pose`; without a leading slash it is relative to the namespace of the manager
 * @type: (nullable): what its messages are; %NULL: bytes of the codec's own
 * @flags: #OrreryTopicFlags
 *
 * One kind of messages of a codec, with listeners of its own.
 */
typedef struct {
  const char *name;
  const OrreryMessageType *type;
  OrreryTopicFlags flags;
} OrreryTopic;

/**
 * orrery_datastream_add_topic: (skip)
 * @codec: a codec in its `setup`
 * @topic: a topic; its name is copied
 *
 * Declares a topic. Those of a codec that encodes are the topics of orrery_writer_begin(), in this
 * order; a codec that decodes has one, which its manager subscribes to. At most %ORRERY_MAX_TOPICS.
 *
 * Returns: its index
 */
ORRERY_API guint orrery_datastream_add_topic (OrreryDatastream *codec, const OrreryTopic *topic);
/**
 * orrery_datastream_declare_topic:
 * @codec: a codec in its `setup`
 * @name: `/robot/pose`
 * @type: what the middleware calls its messages: `lab_msgs/Depth`
 * @md5: their sum, 32 digits
 * @definition: text of the type, with those of the types that it uses
 * @latched: whether the last message is kept for those who come later
 * @shared: whether other streams write the same topic
 *
 * Declares a topic whose messages the codec serialises by itself, of a type that the host need not
 * know. Otherwise the same as orrery_datastream_add_topic(). The texts are copied.
 *
 * Returns: its index
 */
ORRERY_API guint orrery_datastream_declare_topic (OrreryDatastream *codec, const char *name,
                                                  const char *type, const char *md5,
                                                  const char *definition, gboolean latched,
                                                  gboolean shared);
/**
 * orrery_datastream_describe_topic: (skip)
 * @i: index of a topic, below orrery_datastream_get_n_topics()
 * @type: (out) (transfer none): name of the type of its messages
 * @md5: (out) (transfer none): their sum
 * @definition: (out) (transfer none): text of the type
 *
 * What peers of a topic are told about its messages, whether the host knows their type or not. The
 * texts are there as long as the codec.
 *
 * Returns: whether anything is known of them
 */
ORRERY_API gboolean orrery_datastream_describe_topic (OrreryDatastream *codec, guint i,
                                                      const char **type, const char **md5,
                                                      const char **definition);
/**
 * orrery_datastream_get_n_topics: (skip)
 *
 * How many topics the codec has declared in its setup. A codec without topics makes bytes without a
 * type, and its manager names them.
 *
 * Returns: the number, at most %ORRERY_MAX_TOPICS
 */
ORRERY_API guint orrery_datastream_get_n_topics (OrreryDatastream *codec);
/**
 * orrery_datastream_get_topic: (skip)
 * @i: index of a topic, below orrery_datastream_get_n_topics()
 *
 * A topic as it was declared. Its type is %NULL also where orrery_datastream_declare_topic() has
 * described it: see orrery_datastream_describe_topic().
 *
 * Returns: (transfer none): the topic; as long as the codec, once its setup is over
 */
ORRERY_API const OrreryTopic *orrery_datastream_get_topic (OrreryDatastream *codec, guint i);
/**
 * orrery_make_topic_name:
 * @component: full name of a component
 *
 * The name that MORSE gives to a topic without a name: `robot.001.sensor` is `/robot001/sensor`.
 * What no name of ROS may contain becomes an underscore.
 *
 * Returns: (transfer full): a name with a leading slash
 */
ORRERY_API char *orrery_make_topic_name (const char *component);

G_END_DECLS
