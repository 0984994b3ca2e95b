// SPDX-License-Identifier: BSD-3-Clause
// A node of @foxglove/ros2, whose RTPS is written in JavaScript. It says what it has seen of a topic,
// one line of JSON for each message, after a line with the topics that it knows then.
// Arguments: the domain, the topic, its type.
"use strict";

const { ros2jazzy: types } = require("@foxglove/rosmsg-msgs-common");
const { RosNode } = require("@foxglove/ros2");
const { UdpSocketNode } = require("@foxglove/ros2/nodejs");

const [domain, topic, dataType] = process.argv.slice(2);
// The port by which the 21st participant of the domain on a machine is found, without multicast.
const PORT = 7400 + 250 * Number(domain) + 10 + 2 * 20;

class LocalSocket extends UdpSocketNode {
  static async Create(options) {
    return new LocalSocket((await UdpSocketNode.Create(options))._socket);
  }

  async bind(options) {
    await super.bind({ ...options, port: options.port || PORT });
  }

  // Without an interface, that of the default route is joined, and the loopback has none.
  async addMembership(address) {
    await super.addMembership(address, "127.0.0.1");
  }

  async setMulticastTTL() {
    await this.setMulticastInterface("127.0.0.1");
    await super.setMulticastTTL(0);
  }
}

async function run() {
  const node = new RosNode({
    name: "foxglove",
    domainId: Number(domain),
    addresses: ["127.0.0.1"],
    udpSocketCreate: LocalSocket.Create,
    log: process.env.PEER_LOG ? console : undefined,
  });
  await node.start();
  const inner = Object.entries(types).map(([name, { definitions }]) => ({ name, definitions }));
  const msgDefinition = [{ definitions: types[dataType.replace("/msg/", "/")].definitions }, ...inner];
  const subscription = node.subscribe({ topic, dataType, msgDefinition });
  subscription.once("message", () => console.log("topics " + JSON.stringify(node.getPublishedTopics())));
  subscription.on("message", (_time, message) => console.log("message " + JSON.stringify(message)));
  console.log("ready");
  process.stdin.resume();
  process.stdin.on("end", () => node.shutdown().then(() => process.exit(0)));
}

run().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
