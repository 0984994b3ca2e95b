// SPDX-License-Identifier: BSD-3-Clause
// roslib in node: drives a robot until it has moved, calls services, and says what it has seen as
// one line of JSON. Argument: the port.
"use strict";

const ROSLIB = require("roslib");

const ros = new ROSLIB.Ros({ url: "ws://127.0.0.1:" + process.argv[2] });
const seen = {};

function fail(error) {
  console.error(String(error && error.message ? error.message : error));
  process.exit(1);
}

const topic = (name, messageType, options) => new ROSLIB.Topic({ ros, name, messageType, ...options });

const call = (name, serviceType, request) =>
  new Promise((resolve, reject) =>
    new ROSLIB.Service({ ros, name, serviceType }).callService(new ROSLIB.ServiceRequest(request), resolve, reject));

const ask = (method, ...args) => new Promise((resolve, reject) => ros[method](...args, resolve, reject));

// Resolves with the first message that the function likes.
const wait = (from, isGood) =>
  new Promise((resolve) => {
    const listen = (message) => {
      if (!isGood(message))
        return;
      from.unsubscribe(listen);
      resolve(message);
    };
    from.subscribe(listen);
  });

async function run() {
  const pose = topic("/robot/pose", "");
  const packed = topic("/robot/pose", "", { compression: "cbor", throttle_rate: 20 });
  const motion = topic("/robot/motion", "geometry_msgs/Twist");
  const start = await wait(pose, () => true);

  motion.publish(new ROSLIB.Message({ v: 1.0, w: 0.0 }));
  seen.moved = (await wait(pose, (now) => now.x > start.x + 0.3)).x - start.x;
  seen.packed = typeof (await wait(packed, () => true)).x;
  seen.stopped = (await call("/robot/motion/stop", "std_srvs/srv/Trigger", {})).success;
  seen.robots = (await call("/simulation/list_robots", "orrery_interfaces/srv/Call", { arguments: "[]" })).result;
  seen.refused = await call("/robot/motion/fly", "", {}).catch((words) => words);
  seen.topics = (await ask("getTopics")).topics.sort();
  seen.services = (await ask("getServices")).includes("/robot/motion/set_speed");
  seen.nodes = await ask("getNodes");
  console.log(JSON.stringify(seen));
  ros.close();
}

ros.on("error", fail);
ros.on("connection", () => run().catch(fail));
