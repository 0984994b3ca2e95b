// SPDX-License-Identifier: BSD-3-Clause
// Foxglove's own client of its protocol: subscribes to a record, frames and the scene, and says what
// it has seen as one line of JSON. Argument: the port.
"use strict";

const { FoxgloveClient } = require("@foxglove/ws-protocol");
const WebSocket = require("ws");

const client = new FoxgloveClient({
  ws: new WebSocket(`ws://127.0.0.1:${process.argv[2]}/`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]),
});
const seen = { protocol: FoxgloveClient.SUPPORTED_SUBPROTOCOL, messages: {}, status: [] };
const topics = new Map();

function endIfDone() {
  if (seen.time === undefined || ["/robot/pose", "/tf", "/scene"].some((topic) => !(topic in seen.messages)))
    return;
  console.log(JSON.stringify(seen));
  client.close();
  process.exit(0);
}

client.on("error", (error) => {
  console.error(String(error && error.message ? error.message : error));
  process.exit(1);
});
client.on("serverInfo", (info) => { seen.info = info; });
client.on("status", (status) => { seen.status.push(status); });
client.on("time", ({ timestamp }) => {
  seen.time = Number(timestamp);
  endIfDone();
});
client.on("advertise", (channels) => {
  seen.channels = channels;
  for (const channel of channels)
    if (["/robot/pose", "/tf", "/scene"].includes(channel.topic))
      topics.set(client.subscribe(channel.id), channel.topic);
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const topic = topics.get(subscriptionId);
  seen.messages[topic] = { time: Number(timestamp), value: JSON.parse(new TextDecoder().decode(data)) };
  endIfDone();
});
