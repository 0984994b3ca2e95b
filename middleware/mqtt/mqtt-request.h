/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* What a client of MQTT asks for, and what it is answered. */

/* Letters of the name of a client, and of an id that is a text. */
#define MQTT_MAX_WORD 128

typedef struct {
  GVariant *arguments; /* (nullable): `av` */
  GVariant *id;        /* (nullable): a text or a number, that comes back with the answer */
  char *reply;         /* (nullable): one level of a topic: PREFIX/reply/REPLY has the answer */
} MqttRequest;

/**
 * mqtt_request_parse:
 * @text: (array length=length): a payload: nothing, a list of arguments, or an object with some of
 *   `arguments`, `id`, `reply`
 *
 * Returns: whether it is one of these; also if not, @request has the id and the reply that it names
 */
gboolean mqtt_request_parse (const char *text, gsize length, MqttRequest *request, GError **error);
void mqtt_request_clear (MqttRequest *request);

/**
 * mqtt_answer_write:
 * @id: (nullable): of the request
 * @status: SUCCESS, FAILED or PREEMPTED
 * @value: (nullable): the result
 * @words: (nullable): why it failed, in place of @value
 */
void mqtt_answer_write (OrreryWriter *writer, GVariant *id, const char *status, GVariant *value,
                        const char *words);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (MqttRequest, mqtt_request_clear)
