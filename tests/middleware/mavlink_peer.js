// SPDX-License-Identifier: BSD-3-Clause
// node-mavlink: connects to a port, says which messages come, as lines of JSON, and sends a target once one has come.
"use strict";

const net = require("net");
const { MavLinkPacketSplitter, MavLinkPacketParser, MavLinkProtocolV2, common, minimal, send } = require("node-mavlink");

const registry = { ...minimal.REGISTRY, ...common.REGISTRY };
const port = net.connect({ host: "127.0.0.1", port: Number(process.argv[2]) });
let sent = false;

function plain(key, value) {
  return typeof value === "bigint" ? Number(value) : value;
}

port.pipe(new MavLinkPacketSplitter()).pipe(new MavLinkPacketParser()).on("data", async (packet) => {
  const kind = registry[packet.header.msgid];
  const message = packet.protocol.data(packet.payload, kind);

  console.log(JSON.stringify({ name: kind.MSG_NAME, version: packet.protocol.constructor.NAME, ...message }, plain));
  if (sent)
    return;
  sent = true;
  const target = new common.SetPositionTargetLocalNed();

  target.x = 3;
  target.y = -2;
  target.z = -1;
  await send(port, target, new MavLinkProtocolV2());
});
port.on("error", (error) => { console.error(error.message); process.exit(1); });
