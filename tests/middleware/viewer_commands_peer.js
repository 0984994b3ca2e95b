// SPDX-License-Identifier: BSD-3-Clause
// Foxglove's own client commands a run: services, parameters, a message to an actuator. It says what
// it has seen as one line of JSON. Arguments: the port, the token.
"use strict";

const { FoxgloveClient } = require("@foxglove/ws-protocol");
const WebSocket = require("ws");

const [port, token] = process.argv.slice(2);
const client = new FoxgloveClient({
  ws: new WebSocket(`ws://127.0.0.1:${port}/?token=${token}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]),
});
const seen = { answers: {}, failures: {}, parameters: {}, status: [] };
const names = new Map(); // of calls
let services;
let last = 0;

function call(name, request) {
  last += 1;
  names.set(last, name);
  const data = new TextEncoder().encode(JSON.stringify(request));
  client.sendServiceCallRequest({ serviceId: services.get(name).id, callId: last, encoding: "json", data });
}

function endIfDone() {
  const wanted = ["/simulation/list_robots", "/robot/motion/set_speed", "/robot/motion/stop"];
  if (wanted.some((name) => !(name in seen.answers)) || !("/simulation/set_log_level" in seen.failures) ||
      !("one" in seen.parameters) || !("two" in seen.parameters) || seen.heard === undefined || seen.moved === undefined)
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
  client.subscribe(channels.find((one) => one.topic === "/robot/pose").id);
});
client.on("advertiseServices", (list) => {
  services = new Map(list.map((one) => [one.name, one]));
  seen.service = services.get("/robot/motion/set_speed");
  call("/simulation/list_robots", {});
  call("/robot/motion/stop", {});
  call("/robot/motion/set_speed", { v: 0, w: 0 });
  call("/simulation/set_log_level", { component: "robot.motion", level: "nonesuch" });
  client.getParameters(["robot.motion.timeout", "robot.pose.nonesuch"], "one");
  client.subscribeParameterUpdates(["robot.motion.timeout"]);
  client.setParameters([{ name: "robot.motion.timeout", value: 3.5 }], "two");
});
client.on("serviceCallResponse", ({ callId, data }) => {
  seen.answers[names.get(callId)] = JSON.parse(new TextDecoder().decode(data));
  if (names.get(callId) === "/robot/motion/set_speed") {
    const channel = client.advertise({ topic: "/robot/motion", encoding: "json", schemaName: "" });
    client.sendMessage(channel, new TextEncoder().encode(JSON.stringify({ v: 1.0 })));
  }
  endIfDone();
});
client.on("serviceCallFailure", ({ callId, message }) => {
  seen.failures[names.get(callId)] = message;
  endIfDone();
});
client.on("parameterValues", ({ id, parameters }) => {
  if (id === undefined)
    seen.heard = parameters;
  else
    seen.parameters[id] = parameters;
  endIfDone();
});
client.on("message", ({ data }) => {
  const { x } = JSON.parse(new TextDecoder().decode(data));
  if (x > 0.05)
    seen.moved = x;
  endIfDone();
});
