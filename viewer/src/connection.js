// SPDX-License-Identifier: BSD-3-Clause
// The connection to the simulator: Foxglove's protocol with two encodings of our own. It connects
// again by itself when the simulator comes back.

const MESSAGE = 1;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 3000;

export class Connection extends EventTarget {
  constructor() {
    super();
    this.channels = new Map(); // by topic
    this.wanted = new Map();   // topic: subscription number
    this.topics = new Map();   // subscription number: topic
    this.last = 0;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const place = location.protocol.replace('http', 'ws') + '//' + location.host + '/' + location.search;
    this.socket = new WebSocket(place, 'orrery.view.v1');
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = (event) => this.take(event.data);
    this.socket.onclose = () => this.lost();
  }

  lost() {
    this.channels.clear();
    this.dispatchEvent(new Event('lost'));
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  take(data) {
    if (typeof data === 'string')
      this.takeText(JSON.parse(data));
    else
      this.takeMessage(new DataView(data));
  }

  takeText(message) {
    if (message.op === 'serverInfo')
      this.info = message;
    else if (message.op === 'advertise')
      this.takeChannels(message.channels);
    else if (message.op === 'status')
      this.dispatchEvent(new CustomEvent('status', { detail: message }));
  }

  takeChannels(channels) {
    this.wait = FIRST_WAIT;
    for (const channel of channels)
      this.channels.set(channel.topic, channel);
    for (const topic of this.wanted.keys())
      this.ask(topic);
    this.dispatchEvent(new CustomEvent('found', { detail: this.info }));
  }

  takeMessage(view) {
    if (view.getUint8(0) !== MESSAGE)
      return;
    const topic = this.topics.get(view.getUint32(1, true));
    const bytes = view.buffer.slice(13);
    if (topic === '/poses')
      this.takePoses(bytes);
    else if (topic !== undefined)
      this.dispatchEvent(new CustomEvent('record', { detail: { topic, record: decodeRecord(bytes) } }));
  }

  takePoses(bytes) {
    const view = new DataView(bytes);
    this.dispatchEvent(new CustomEvent('poses', { detail: {
      time: view.getFloat64(0, true),
      count: view.getUint32(8, true),
      ticks: view.getUint32(12, true),
      rows: new Float32Array(bytes, 16),
    } }));
  }

  ask(topic) {
    const channel = this.channels.get(topic);
    const id = this.wanted.get(topic);
    if (channel !== undefined && this.socket.readyState === WebSocket.OPEN)
      this.send({ op: 'subscribe', subscriptions: [{ id, channelId: channel.id }] });
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  subscribe(topic) {
    if (this.wanted.has(topic))
      return;
    this.last += 1;
    this.wanted.set(topic, this.last);
    this.topics.set(this.last, topic);
    this.ask(topic);
  }

  unsubscribe(topic) {
    const id = this.wanted.get(topic);
    if (id === undefined)
      return;
    this.wanted.delete(topic);
    this.topics.delete(id);
    if (this.channels.has(topic) && this.socket.readyState === WebSocket.OPEN)
      this.send({ op: 'unsubscribe', subscriptionIds: [id] });
  }
}

const ARRAYS = {
  uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, int16: Int16Array, uint32: Uint32Array,
  int32: Int32Array, uint64: BigUint64Array, int64: BigInt64Array, float32: Float32Array,
  float64: Float64Array,
};

// Length of the head, the head as JSON, then the arrays that the head names.
export function decodeRecord(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const record = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  for (const [name, value] of Object.entries(record)) {
    if (value === null || typeof value !== 'object' || !('$' in value))
      continue;
    const n = value.shape.reduce((a, b) => a * b, 1);
    record[name] = { shape: value.shape, values: new ARRAYS[value.$](bytes, 4 + length + value.at, n) };
  }
  return record;
}
