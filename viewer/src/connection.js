// SPDX-License-Identifier: BSD-3-Clause
// The connection to the simulator: Foxglove's protocol with two encodings of our own. It connects
// again by itself when the simulator comes back.

const MESSAGE = 1;
const ANSWER = 3;
const PLAYBACK = 5;
const PUBLISH = 1;
const CALL = 2;
const PLAY = 3;
const CHANNEL = 1; // the first of those that the page sends on
const LOOK = 20; // bytes
const LOOKS = ['energy', 'light', 'color', 'material', 'scale'];
const FIRST_WAIT = 250;
const LONGEST_WAIT = 3000;

// The token is taken out of the address, which others are sent; the tab keeps it.
function takeToken() {
  const words = new URLSearchParams(location.hash.slice(1));
  const token = words.get('token');
  if (token !== null) {
    sessionStorage.setItem('token', token);
    words.delete('token');
    const rest = words.toString().replaceAll('%2C', ',');
    history.replaceState(null, '', `${location.pathname}${location.search}${rest === '' ? '' : `#${rest}`}`);
  }
  return sessionStorage.getItem('token');
}

export class Connection extends EventTarget {
  constructor() {
    super();
    this.channels = new Map(); // by topic
    this.wanted = new Map();   // topic: subscription number
    this.topics = new Map();   // subscription number: topic
    this.services = new Map(); // by part and name: 'robot.motion stop'
    this.calls = new Map();    // number: functions of a promise
    this.sent = new Map();     // topic: channel of what the page sends
    this.known = [];           // parameters of which it is told when they are set
    this.last = this.lastCall = 0;
    this.token = takeToken();
    addEventListener('hashchange', () => { this.token = takeToken(); });
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const place = location.protocol.replace('http', 'ws') + '//' + location.host + '/' + this.query;
    this.socket = new WebSocket(place, 'orrery.view.v1');
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = (event) => this.take(event.data);
    this.socket.onclose = () => this.lost();
  }

  // One token in the address itself, of a file, opens all; the other one opens commands.
  get query() {
    const isGiven = new URLSearchParams(location.search).has('token') || this.token === null;
    return isGiven ? location.search : `?token=${encodeURIComponent(this.token)}`;
  }

  lost() {
    this.channels.clear();
    this.services.clear();
    this.sent.clear();
    this.known = [];
    this.info = undefined;
    for (const { reject } of this.calls.values())
      reject(new Error('the connection was lost'));
    this.calls.clear();
    this.dispatchEvent(new Event('lost'));
    this.askWhy();
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  // A socket that is refused does not say why.
  async askWhy() {
    try {
      const answer = await fetch(`access.json${this.query}`);
      if (answer.ok && !(await answer.json()).opens)
        this.dispatchEvent(new Event('refused'));
    } catch {
      // There is no server.
    }
  }

  // Whether the server takes commands.
  get commands() {
    return this.info?.capabilities.includes('services') ?? false;
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
    else if (message.op === 'advertiseServices')
      this.takeServices(message.services);
    else if (message.op === 'serviceCallFailure')
      this.settle(message.callId, undefined, new Error(message.message));
    else if (message.op === 'parameterValues')
      this.dispatchEvent(new CustomEvent('parameters', { detail: message.parameters }));
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

  takeServices(services) {
    for (const service of services)
      this.services.set(`${service.part} ${service.service}`, service);
    this.dispatchEvent(new Event('services'));
  }

  settle(number, value, error) {
    const call = this.calls.get(number);
    this.calls.delete(number);
    if (error === undefined)
      call?.resolve(value);
    else
      call?.reject(error);
  }

  takeAnswer(view) {
    const length = view.getUint32(9, true);
    const text = new TextDecoder().decode(new Uint8Array(view.buffer, 13 + length));
    this.settle(view.getUint32(5, true), JSON.parse(text).result);
  }

  takePlayback(view) {
    this.dispatchEvent(new CustomEvent('playback', { detail: {
      status: view.getUint8(1),
      time: Number(view.getBigUint64(2, true)) / 1e9,
      speed: view.getFloat32(10, true),
      sought: view.getUint8(14) !== 0,
      id: new TextDecoder().decode(new Uint8Array(view.buffer, 19)),
    } }));
  }

  // A run that is played: whether it is to go on, how fast, and where to, s.
  askPlayback(plays, speed, time, id) {
    const bytes = new TextEncoder().encode(id);
    const frame = new Uint8Array(19 + bytes.length);
    const view = new DataView(frame.buffer);
    if (this.socket.readyState !== WebSocket.OPEN)
      return;
    view.setUint8(0, PLAY);
    view.setUint8(1, plays ? 0 : 1);
    view.setFloat32(2, speed, true);
    view.setUint8(6, time === undefined ? 0 : 1);
    view.setBigUint64(7, BigInt(Math.round((time ?? 0) * 1e9)), true);
    view.setUint32(15, bytes.length, true);
    frame.set(bytes, 19);
    this.socket.send(frame);
  }

  takeMessage(view) {
    if (view.getUint8(0) === ANSWER)
      this.takeAnswer(view);
    if (view.getUint8(0) === PLAYBACK)
      this.takePlayback(view);
    if (view.getUint8(0) !== MESSAGE)
      return;
    const topic = this.topics.get(view.getUint32(1, true));
    const bytes = view.buffer.slice(13);
    if (topic === '/poses')
      this.takePoses(bytes);
    else if (topic === '/looks')
      this.takeLooks(bytes);
    else if (topic === '/orrery/log' || topic === '/orrery/faults')
      this.dispatchEvent(new CustomEvent(topic.slice('/orrery/'.length), { detail: JSON.parse(new TextDecoder().decode(bytes)) }));
    else if (topic === '/contacts')
      this.dispatchEvent(new CustomEvent('contacts', { detail: new Float32Array(bytes) }));
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

  // What is not as in the scene: energies and colours of lamps, colours, materials and sizes of shapes.
  takeLooks(bytes) {
    const view = new DataView(bytes);
    const looks = [];
    for (let at = 0; at + LOOK <= bytes.byteLength; at += LOOK) {
      const value = [8, 12, 16].map((place) => view.getFloat32(at + place, true));
      looks.push({ object: view.getUint32(at, true), what: LOOKS[view.getUint32(at + 4, true)], value });
    }
    this.dispatchEvent(new CustomEvent('looks', { detail: looks }));
  }

  ask(topic) {
    const channel = this.channels.get(topic);
    const id = this.wanted.get(topic);
    if (channel !== undefined && this.socket.readyState === WebSocket.OPEN)
      this.send({ op: 'subscribe', subscriptions: [{ id, channelId: channel.id }] });
  }

  // A binary message: a kind, numbers, a text.
  sendBytes(kind, numbers, text) {
    const bytes = new TextEncoder().encode(text);
    const frame = new Uint8Array(1 + 4 * numbers.length + bytes.length);
    const view = new DataView(frame.buffer);
    view.setUint8(0, kind);
    numbers.forEach((number, i) => view.setUint32(1 + 4 * i, number, true));
    frame.set(bytes, 1 + 4 * numbers.length);
    this.socket.send(frame);
  }

  // Arguments by name or by place; the result, when it is there. The promise has a function that
  // cancels the call, which then fails.
  call(part, name, args = {}) {
    const service = this.services.get(`${part} ${name}`);
    if (service === undefined || this.socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new Error(`there is no service ${part} ${name}`));
    this.lastCall += 1;
    const number = this.lastCall;
    const promise = new Promise((resolve, reject) => {
      this.calls.set(number, { resolve, reject });
      this.sendBytes(CALL, [service.id, number, 4], `json${JSON.stringify(args)}`);
    });
    promise.cancel = () => this.calls.has(number) && this.send({ op: 'cancelServiceCall', callId: number });
    return promise;
  }

  // The properties of which it is told when somebody sets them, in the place of those before.
  know(names) {
    if (!this.commands || this.socket.readyState !== WebSocket.OPEN)
      return;
    if (this.known.length > 0)
      this.send({ op: 'unsubscribeParameterUpdates', parameterNames: this.known });
    if (names.length > 0)
      this.send({ op: 'subscribeParameterUpdates', parameterNames: names });
    this.known = names;
  }

  // Fields of an actuator's record.
  publish(topic, fields) {
    if (!this.commands || this.socket.readyState !== WebSocket.OPEN)
      return;
    if (!this.sent.has(topic)) {
      const id = CHANNEL + this.sent.size;
      this.sent.set(topic, id);
      this.send({ op: 'advertise', channels: [{ id, topic, encoding: 'json', schemaName: '' }] });
    }
    this.sendBytes(PUBLISH, [this.sent.get(topic)], JSON.stringify(fields));
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
