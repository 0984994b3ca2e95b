// SPDX-License-Identifier: BSD-3-Clause
// Foxglove's own client of its protocol: follows the connection graph while it subscribes to a
// topic and lets go of it, fetches assets, and says what it has seen as one line of JSON.
// Arguments: the address, a topic, and what is fetched.
"use strict";

const { createHash } = require("crypto");
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const WebSocket = require("ws");

const [address, topic, ...uris] = process.argv.slice(2);
const client = new FoxgloveClient({ ws: new WebSocket(address, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
const seen = { assets: {}, updates: [], status: [] };
let channel, subscription;

function endIfDone() {
  if (seen.updates.length < 3 || Object.keys(seen.assets).length < uris.length)
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
client.on("advertise", (channels) => {
  channel = channels.find((one) => one.topic === topic).id;
  client.subscribeConnectionGraph();
  uris.forEach((uri, i) => client.fetchAsset(uri, i + 1));
});
client.on("connectionGraphUpdate", (update) => {
  seen.updates.push(update);
  if (seen.updates.length === 1)
    subscription = client.subscribe(channel);
  if (seen.updates.length === 2)
    client.unsubscribe(subscription);
  endIfDone();
});
client.on("fetchAssetResponse", ({ requestId, status, data, error }) => {
  const bytes = data && Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  seen.assets[uris[requestId - 1]] =
    { status, error, size: bytes && bytes.length, sha256: bytes && createHash("sha256").update(bytes).digest("hex") };
  endIfDone();
});
