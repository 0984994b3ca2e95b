// SPDX-License-Identifier: BSD-3-Clause
// Answers lines of JSON about messages with the packages of Foxglove, a line each:
// {"list": DIALECT} -> the names of the types that they know;
// {"sum": NAME} -> the md5 sum of ROS 1;
// {"type": NAME, "dialect": DIALECT, "bytes": HEX} -> the bytes that they write of what they read;
// {"type": NAME, "dialect": DIALECT, "seed": N} -> the bytes of a message of random values.
"use strict";

const known = require("@foxglove/rosmsg-msgs-common");
const { md5 } = require("@foxglove/rosmsg");
const ros1 = require("@foxglove/rosmsg-serialization");
const ros2 = require("@foxglove/rosmsg2-serialization");

const types = { ros1: known.ros1, ros2: known.ros2jazzy };

// A type and all inside, the type first, with the names that its fields have for them.
function collect(dialect, name, found = new Map()) {
  const type = types[dialect][name];
  if (type === undefined) throw new Error("no type " + name);
  if (found.has(name)) return found;
  found.set(name, { name, definitions: type.definitions });
  for (const field of type.definitions)
    if (field.isComplex === true) collect(dialect, field.type, found);
  return found;
}

// Their readers refuse types that have constants and no fields.
function isRead(dialect, name) {
  const fields = types[dialect][name].definitions;
  return fields.length === 0 || fields.some((field) => field.isConstant !== true);
}

function random(seed) {
  let state = (seed * 2654435761) >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

// ASCII only: their writer of CDR counts characters where bytes are meant.
const words = ["", "a", "base_link", "x\n\"y\""];
const numbers = [0, -1.5, 0.25, 1e10, Infinity];

function primitive(type, chance) {
  if (type === "string" || type === "wstring") return words[chance(words.length)];
  if (type === "bool") return chance(2) === 1;
  if (type === "time" || type === "duration") return { sec: chance(1 << 30), nsec: chance(1e9), nanosec: chance(1e9) };
  if (type.startsWith("float")) return numbers[chance(numbers.length)];
  if (type === "int64") return BigInt(chance(1 << 30)) * -4294967311n;
  if (type === "uint64") return BigInt(chance(1 << 30)) * 17179869184n + 5n;
  const bits = type === "byte" || type === "char" ? 7 : Number(type.replace(/\D+/, ""));
  return type.startsWith("int") ? chance(2 ** bits) - 2 ** (bits - 1) : chance(2 ** bits);
}

function make(found, name, chance) {
  const message = {};
  for (const field of found.get(name).definitions) {
    if (field.isConstant === true) continue;
    const one = () => (field.isComplex === true ? make(found, field.type, chance) : primitive(field.type, chance));
    const n = field.arrayLength ?? Math.min(chance(4), field.arrayUpperBound ?? 4);
    message[field.name] = field.isArray === true ? Array.from({ length: n }, one) : one();
  }
  return message;
}

function answer(asked) {
  if (asked.list !== undefined) return Object.keys(types[asked.list]).filter((name) => isRead(asked.list, name)).sort();
  if (asked.sum !== undefined) return md5([...collect("ros1", asked.sum).values()]);
  const found = collect(asked.dialect, asked.type);
  const definitions = [...found.values()];
  const { MessageReader, MessageWriter } = asked.dialect === "ros1" ? ros1 : ros2;
  const message =
    asked.bytes !== undefined
      ? new MessageReader(definitions).readMessage(Buffer.from(asked.bytes, "hex"))
      : make(found, asked.type, random(asked.seed));
  return Buffer.from(new MessageWriter(definitions).writeMessage(message)).toString("hex");
}

const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  let said;
  try {
    said = { is: answer(JSON.parse(line)) };
  } catch (error) {
    said = { error: String(error.message) };
  }
  process.stdout.write(JSON.stringify(said) + "\n");
});
