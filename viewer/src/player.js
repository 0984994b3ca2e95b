// SPDX-License-Identifier: BSD-3-Clause
// Stands in for the simulator in a page that is a file: the run is in the element `kept-run`, as
// middleware/viewer/page.c writes it. It gives the page the WebSocket and the files that it asks
// for, plays, holds and seeks. Not part of the bundle; it runs before that.

(() => {
  const MESSAGE = 1, PLAYBACK = 5, PLAY = 3;
  const PLAYING = 0, PAUSED = 1, ENDED = 3;
  const FIRST_CHANNEL = 1;
  const HEAD = 16;

  const text = document.getElementById('kept-run').textContent;
  const run = JSON.parse(text);
  const start = BigInt(run.start), end = BigInt(run.end);
  // Of each topic its times, ns, and messages, in order.
  const kept = run.topics.map(() => ({ times: [], messages: [] }));
  let time = start, speed = 1, state = PLAYING, last;

  function fromBase64(words) {
    const bytes = atob(words);
    return Uint8Array.from({ length: bytes.length }, (_, i) => bytes.charCodeAt(i));
  }

  async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  function take(bytes) {
    const view = new DataView(bytes.buffer);
    let poses;
    for (let at = 0; at + HEAD <= bytes.length;) {
      const topic = kept[view.getUint32(at, true)];
      const length = view.getUint32(at + 4, true);
      const message = bytes.slice(at + HEAD, at + HEAD + length);
      // Poses are what they differ in from those before.
      if (topic === kept[0]) {
        for (let i = 0; poses !== undefined && i < length; i++)
          message[i] ^= poses[i];
        poses = message;
      }
      topic.times.push(view.getBigUint64(at + 8, true));
      topic.messages.push(message);
      at += HEAD + length;
    }
  }

  const ready = inflate(fromBase64(run.data)).then(take);

  // The index of the last message at a time; -1: there is none yet.
  function find(times, at) {
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= at)
        low = middle + 1;
      else
        high = middle;
    }
    return low - 1;
  }

  // Where a run that is held is moved to: the first poses from there on, or the last ones up to it.
  function place(at) {
    const { times } = kept[0];
    const index = find(times, at);
    if (at <= start || index < 0)
      return start;
    if (at >= end)
      return end;
    if (state === PLAYING)
      return at;
    return at > time && times[index] < at ? times[index + 1] ?? end : times[index];
  }

  const split = (ns) => ({ sec: Number(ns / 1000000000n), nsec: Number(ns % 1000000000n) });

  class KeptSocket {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 3;

    constructor() {
      this.readyState = KeptSocket.CONNECTING;
      this.wanted = new Map(); // number of a topic: subscription, and the index of what was sent last
      ready.then(() => this.open());
    }

    open() {
      this.readyState = KeptSocket.OPEN;
      this.tell({ op: 'serverInfo', name: 'Orrery', capabilities: ['time', 'playbackControl'], supportedEncodings: [],
                  dataStartTime: split(start), dataEndTime: split(end), metadata: {}, sessionId: run.scene.session });
      this.tell({ op: 'advertise', channels: run.topics.map((topic, i) => (
        { id: FIRST_CHANNEL + i, topic, encoding: 'orrery', schemaName: '' })) });
      requestAnimationFrame((now) => this.play(now));
    }

    tell(message) {
      this.onmessage?.({ data: JSON.stringify(message) });
    }

    send(message) {
      if (typeof message !== 'string') {
        this.takeBytes(new DataView(message.buffer));
        return;
      }
      const { op, subscriptions = [], subscriptionIds = [] } = JSON.parse(message);
      if (op === 'subscribe')
        for (const { id, channelId } of subscriptions)
          this.wanted.set(channelId - FIRST_CHANNEL, { id, sent: -1 });
      if (op === 'unsubscribe')
        for (const [topic, { id }] of this.wanted)
          if (subscriptionIds.includes(id))
            this.wanted.delete(topic);
      // Those who begin to look see what there is.
      queueMicrotask(() => this.show());
    }

    takeBytes(view) {
      if (view.getUint8(0) !== PLAY)
        return;
      const sought = view.getUint8(6) !== 0;
      state = view.getUint8(1) === 0 ? PLAYING : PAUSED;
      speed = view.getFloat32(2, true);
      if (sought)
        time = place(view.getBigUint64(7, true));
      if (sought)
        for (const one of this.wanted.values())
          one.sent = -1;
      this.answer(sought, new Uint8Array(view.buffer, 19));
      this.show();
    }

    answer(sought, id = new Uint8Array(0)) {
      const frame = new Uint8Array(19 + id.length);
      const view = new DataView(frame.buffer);
      view.setUint8(0, PLAYBACK);
      view.setUint8(1, state);
      view.setBigUint64(2, time, true);
      view.setFloat32(10, speed, true);
      view.setUint8(14, sought ? 1 : 0);
      view.setUint32(15, id.length, true);
      frame.set(id, 19);
      this.onmessage?.({ data: frame.buffer });
    }

    // What is newest at this time, of each topic that the page wants.
    show() {
      for (const [topic, one] of this.wanted) {
        const { times, messages } = kept[topic];
        const index = find(times, time);
        if (index < 0 || index === one.sent)
          continue;
        one.sent = index;
        const frame = new Uint8Array(13 + messages[index].length);
        const view = new DataView(frame.buffer);
        view.setUint8(0, MESSAGE);
        view.setUint32(1, one.id, true);
        view.setBigUint64(5, times[index], true);
        frame.set(messages[index], 13);
        this.onmessage?.({ data: frame.buffer });
      }
    }

    play(now) {
      requestAnimationFrame((next) => this.play(next));
      // A page that was hidden goes on where it was.
      const passed = Math.min(now - (last ?? now), 250);
      last = now;
      if (state !== PLAYING)
        return;
      time += BigInt(Math.round(passed * 1e6 * speed));
      if (time >= end) {
        time = end;
        state = ENDED;
        this.answer(false);
      }
      this.show();
    }
  }

  const files = window.fetch;
  window.WebSocket = KeptSocket;
  window.fetch = async (place, ...options) => {
    const name = String(place).split(/[?#]/)[0];
    if (name === 'scene.json')
      return new Response(JSON.stringify(run.scene));
    if (name === 'access.json')
      return new Response('{"opens":true}');
    const asset = name.match(/^assets\/(\w+)\.glb$/);
    if (asset !== null && Object.hasOwn(run.assets, asset[1]))
      return new Response(fromBase64(run.assets[asset[1]]));
    return files(place, ...options);
  };
})();
