// SPDX-License-Identifier: BSD-3-Clause
// Holds messages of Foxglove's kinds against the schemas of @foxglove/schemas. Standard input: a line of JSON, with
// `path`, a recording without compression, or `channels`: schemaName, schema and messages of each. Standard output:
// what is wrong, which kinds were seen, and messages in CDR as they were read.
"use strict";

const fs = require("fs");
const { McapIndexedReader } = require("@mcap/core");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");
const theirs = require("@foxglove/schemas/jsonschema");
const { foxgloveMessageSchemas, generateRosMsg, generateRosMsgMergedSchema } = require("@foxglove/schemas/internal");

const complaints = [];

function kind(schema) {
  return schema.type === "integer" || schema.enum || schema.oneOf ? "number" : schema.type;
}

// Each property that ours names is one of theirs, of the same kind.
function compareSchemas(where, ours, other) {
  if (kind(ours) !== kind(other)) {
    complaints.push(`${where}: ${kind(ours)} is not ${kind(other)}`);
  }
  for (const [name, property] of Object.entries(ours.properties || {})) {
    const wanted = (other.properties || {})[name];
    if (wanted === undefined) {
      complaints.push(`${where}.${name}: they have no such field`);
    } else {
      compareSchemas(`${where}.${name}`, property, wanted);
    }
  }
  if (ours.items && other.items) {
    compareSchemas(`${where}[]`, ours.items, other.items);
  }
}

function checkObject(where, value, schema) {
  for (const [name, property] of Object.entries(schema.properties)) {
    if (name in value) {
      checkValue(`${where}.${name}`, value[name], property);
    } else if ((schema.required || []).includes(name)) {
      complaints.push(`${where}.${name}: is missing`);
    }
  }
  for (const name of Object.keys(value)) {
    if (!(name in schema.properties)) {
      complaints.push(`${where}.${name}: they have no such field`);
    }
  }
}

// Each field that they require is there, of their kind, and none that they do not have.
function checkValue(where, value, schema) {
  const is = { number: typeof value === "number" || value === null, string: typeof value === "string",
    boolean: typeof value === "boolean", array: Array.isArray(value), object: typeof value === "object" && value !== null };
  if (!is[kind(schema)]) {
    complaints.push(`${where}: ${JSON.stringify(value)} is no ${kind(schema)}`);
  } else if (schema.type === "object") {
    checkObject(where, value, schema);
  } else if (schema.type === "array") {
    value.slice(0, 4).forEach((item, i) => checkValue(`${where}[${i}]`, item, schema.items));
    if (schema.minItems !== undefined && value.length < schema.minItems) {
      complaints.push(`${where}: ${value.length} items`);
    }
  } else if (schema.contentEncoding === "base64" && Buffer.from(value, "base64").toString("base64") !== value) {
    complaints.push(`${where}: is no base64`);
  }
}

function checkJson(name, schema, messages) {
  const other = theirs[name.replace("foxglove.", "")];
  if (other === undefined) {
    complaints.push(`${name}: they have no such schema`);
    return;
  }
  compareSchemas(name, JSON.parse(schema), other);
  messages.forEach((message) => checkValue(name, message, other));
}

// Fields with names, kinds and lengths, in order, of all types of a definition but those of times, which are known.
function flatten(definitions) {
  return definitions.filter((each) => !/builtin_interfaces/.test(each.name || "")).map((each, i) => [i === 0 ? "" : (each.name || "").replace("/msg/", "/"),
    each.definitions.filter((field) => !field.isConstant).map((field) =>
      [field.name, field.type.replace("/msg/", "/"), Boolean(field.isArray), field.arrayLength || 0])])
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

function checkPacked(name, schema, messages) {
  const short = name.replace("foxglove_msgs/msg/", "");
  const definitions = parse(schema, { ros2: true });
  const merged = generateRosMsgMergedSchema(foxgloveMessageSchemas[short], { rosVersion: 2 });
  const ours = JSON.stringify(flatten(definitions)), other = JSON.stringify(flatten(parse(merged, { ros2: true })));
  if (ours !== other) {
    complaints.push(`${name}: ${ours} is not ${other}`);
  }
  const reader = new MessageReader(definitions);
  return messages.map((bytes) => reader.readMessage(bytes));
}

async function readFile(path) {
  const bytes = fs.readFileSync(path);
  const reader = await McapIndexedReader.Initialize({ readable: {
    size: async () => BigInt(bytes.length),
    read: async (offset, length) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))),
  } });
  const channels = new Map();
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId), schema = reader.schemasById.get(channel.schemaId);
    if (schema === undefined || !schema.name.startsWith("foxglove")) {
      continue;
    }
    if (!channels.has(channel.topic)) {
      channels.set(channel.topic, { topic: channel.topic, schemaName: schema.name, encoding: schema.encoding,
        messageEncoding: channel.messageEncoding, schema: new TextDecoder().decode(schema.data), messages: [] });
    }
    channels.get(channel.topic).messages.push(schema.encoding === "ros2msg" ? message.data
      : JSON.parse(new TextDecoder().decode(message.data)));
  }
  return [...channels.values()];
}

function toPlain(key, value) {
  if (ArrayBuffer.isView(value)) {
    return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : Array.from(value);
  }
  return typeof value === "bigint" ? Number(value) : value;
}

async function main() {
  const asked = JSON.parse(fs.readFileSync(0, "utf8"));
  const channels = asked.channels || await readFile(asked.path);
  const packed = {};
  for (const channel of channels) {
    if (channel.encoding === "ros2msg") {
      packed[channel.topic] = checkPacked(channel.schemaName, channel.schema, channel.messages);
    } else {
      checkJson(channel.schemaName, channel.schema, channel.messages);
    }
  }
  console.log(JSON.stringify({ complaints, packed, kinds: channels.map((channel) => channel.schemaName) }, toPlain));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
