// SPDX-License-Identifier: BSD-3-Clause
// Reads recordings with the reader of @mcap/core: for each path on a line of standard input a line of JSON, what was
// read by the index and what as a stream.
"use strict";

const fs = require("fs");
const readline = require("readline");
const { execFileSync } = require("child_process");
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");

// No module of npm is needed for decompression: programs of the system do it.
function run(program) {
  return (bytes, size) => new Uint8Array(execFileSync(program, ["-d", "-c"], {
    input: bytes, maxBuffer: Number(size) + 1024, stdio: ["pipe", "pipe", "ignore"],
  }));
}
const decompressHandlers = { zstd: run("zstd"), lz4: run("lz4") };

function take(into, channels, message) {
  const channel = channels.get(message.channelId);
  into.messages += 1;
  into.topics[channel.topic] = (into.topics[channel.topic] || 0) + 1;
  into.last = Number(message.logTime);
  into.data.push(channel.topic + " " + message.logTime + " " + Buffer.from(message.data).toString());
}

async function byIndex(bytes, times) {
  const into = { messages: 0, topics: {}, data: [], attachments: {}, metadata: {} };
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset, length) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  into.statistics = Number(reader.statistics.messageCount);
  into.chunks = reader.chunkIndexes.length;
  for await (const message of reader.readMessages(times)) {
    take(into, reader.channelsById, message);
  }
  for await (const attachment of reader.readAttachments()) {
    into.attachments[attachment.name] = Buffer.from(attachment.data).toString("base64");
  }
  for await (const metadata of reader.readMetadata()) {
    into.metadata[metadata.name] = Object.fromEntries(metadata.metadata);
  }
  into.schemas = [...reader.schemasById.values()].map((s) => [s.name, s.encoding, Buffer.from(s.data).toString()]);
  into.channels = [...reader.channelsById.values()].map((c) => [c.topic, c.messageEncoding, Object.fromEntries(c.metadata)]);
  return into;
}

function asStream(bytes) {
  const into = { messages: 0, topics: {}, data: [], types: {} };
  const channels = new Map();
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  reader.append(new Uint8Array(bytes));
  for (let record; (record = reader.nextRecord());) {
    into.types[record.type] = (into.types[record.type] || 0) + 1;
    if (record.type === "Channel") {
      channels.set(record.id, record);
    }
    if (record.type === "Message") {
      take(into, channels, record);
    }
  }
  into.done = reader.done();
  return into;
}

async function read(path, times) {
  const bytes = fs.readFileSync(path);
  const result = { stream: asStream(bytes) };
  try {
    result.index = await byIndex(bytes, times);
  } catch (error) {
    result.refused = String(error.message);
  }
  return result;
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { path, start, end } = JSON.parse(line);
    const times = start === undefined ? {} : { startTime: BigInt(start), endTime: BigInt(end) };
    console.log(JSON.stringify(await read(path, times)));
  }
}

main();
