// SPDX-License-Identifier: BSD-3-Clause
// A node of @foxglove/ros1: drives a robot by /cmd_vel until /odom says that it has moved, looks at a
// scan, and says what it has seen as one line of JSON. The master is that of ROS_MASTER_URI.
"use strict";

const { RosNode } = require("@foxglove/ros1");
const { TcpServerNode, TcpSocketNode, getPid } = require("@foxglove/ros1/nodejs");
const { HttpServerNodejs } = require("@foxglove/xmlrpc/nodejs");

const TWIST = `Vector3 linear
Vector3 angular
================================================================================
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`;

// Resolves with the first message that the function likes.
const wait = (from, isGood) =>
  new Promise((resolve, reject) => {
    const listen = (message) => {
      if (isGood(message)) {
        from.off("message", listen);
        resolve(message);
      }
    };
    from.on("error", reject);
    from.on("message", listen);
  });

async function run() {
  const node = new RosNode({
    name: "/foxglove",
    hostname: "127.0.0.1",
    pid: getPid(),
    rosMasterUri: process.env.ROS_MASTER_URI,
    httpServer: new HttpServerNodejs(),
    tcpSocketCreate: TcpSocketNode.Create,
    tcpServer: await TcpServerNode.Listen({ host: "127.0.0.1" }),
  });
  await node.start();

  const odometry = node.subscribe({ topic: "/odom", dataType: "nav_msgs/Odometry" });
  const start = await wait(odometry, () => true);
  const scan = await wait(node.subscribe({ topic: "/scan", dataType: "sensor_msgs/LaserScan" }), () => true);

  await node.advertise({ topic: "/cmd_vel", dataType: "geometry_msgs/Twist", messageDefinitionText: TWIST, latching: true });
  const none = { x: 0, y: 0, z: 0 };
  await node.publish("/cmd_vel", { linear: { x: 1, y: 0, z: 0 }, angular: none });
  const x = (message) => message.pose.pose.position.x;
  const end = await wait(odometry, (now) => x(now) > x(start) + 0.3);

  console.log(JSON.stringify({
    moved: x(end) - x(start),
    frames: [end.header.frame_id, end.child_frame_id, scan.header.frame_id],
    seconds: end.header.stamp.sec,
    ranges: Array.from(scan.ranges),
    types: (await node.getPublishedTopics()).filter(([name]) => name === "/odom" || name === "/scan").sort(),
  }));
  node.shutdown();
  process.exit(0);
}

run().catch((error) => {
  console.error(error.stack);
  process.exit(1);
});
