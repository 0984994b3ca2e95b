// SPDX-License-Identifier: BSD-3-Clause
// The time line of a run that is played from a recording: it plays, holds, goes to any time, in
// steps forwards and backwards.

const STATES = ['playing', 'paused', 'seeking', 'ended'];
const secondsOf = ({ sec, nsec }) => sec + nsec / 1e9;

export class Playback extends EventTarget {
  constructor(bar, connection) {
    super();
    this.bar = bar;
    this.connection = connection;
    this.play = bar.querySelector('[data-play="play"]');
    this.line = bar.querySelector('input');
    this.shown = bar.querySelector('output');
    this.speed = bar.querySelector('select');
    this.state = 'playing';
    this.time = 0; // s, as all times here
    this.asked = 0; // counts requests
    this.waits = undefined; // the request whose answer is not there yet
    this.next = undefined;  // where to go then
    bar.addEventListener('click', (event) => this.use(event.target.dataset.play));
    this.line.addEventListener('input', () => this.seek(this.start + Number(this.line.value)));
    this.speed.addEventListener('change', () => this.ask(this.state === 'playing'));
    connection.addEventListener('found', (event) => this.settle(event.detail));
    connection.addEventListener('lost', () => { this.waits = this.next = undefined; });
    connection.addEventListener('playback', (event) => this.take(event.detail));
  }

  settle(info) {
    this.can = info?.capabilities.includes('playbackControl') ?? false;
    this.bar.hidden = !this.can;
    if (this.can) {
      this.start = secondsOf(info.dataStartTime);
      this.end = secondsOf(info.dataEndTime);
      this.line.max = (this.end - this.start).toFixed(6);
      this.show();
    }
    this.dispatchEvent(new Event('change'));
  }

  // What the simulator says.
  take({ status, time, speed, sought, id }) {
    this.state = STATES[status] ?? 'paused';
    // Where somebody else asked as well, only the newest is answered.
    if (sought || (id === String(this.waits) && this.state !== 'seeking'))
      this.waits = undefined;
    if (this.state !== 'seeking')
      this.time = time;
    if (document.activeElement !== this.speed)
      this.setSpeed(speed);
    if (this.waits === undefined && this.next !== undefined) {
      const next = this.next;
      this.next = undefined;
      this.seek(next);
    }
    this.show();
  }

  setSpeed(speed) {
    const known = [...this.speed.options].find((option) => Math.abs(Number(option.value) - speed) < 1e-6);
    if (known !== undefined)
      this.speed.value = known.value;
  }

  // Where poses say that it is; not while somebody moves the time line.
  setTime(time) {
    if (!this.can || this.waits !== undefined)
      return;
    this.time = time;
    this.show();
  }

  show() {
    const at = Math.max(0, this.time - this.start);
    const words = `${at.toFixed(2)} / ${(this.end - this.start).toFixed(2)} s`;
    const label = this.state === 'playing' ? 'Pause' : 'Play';
    if (this.waits === undefined)
      this.line.value = at;
    if (this.shown.textContent !== words) {
      this.shown.textContent = words;
      this.line.setAttribute('aria-valuetext', `${at.toFixed(2)} seconds`);
    }
    if (this.play.textContent !== label)
      this.play.textContent = label;
  }

  use(name) {
    if (!this.can)
      return;
    const step = 1 / this.frequency;
    if (name === 'play' && this.state === 'ended')
      this.ask(true, this.start);
    else if (name === 'play')
      this.ask(this.state !== 'playing' && !(this.state === 'seeking' && this.plays));
    else if (name === 'back')
      this.seek(this.time - step, false);
    else if (name === 'forward')
      this.seek(this.time + step, false);
    else if (name === 'start')
      this.seek(this.start);
  }

  // Records are made by ticks: for one that somebody begins to look at, the last tick runs again.
  showAgain() {
    if (this.can && (this.state === 'paused' || this.state === 'ended'))
      this.seek(this.time);
  }

  // One at a time: while the simulator is on its way, only the newest place waits.
  seek(time, plays = this.state === 'playing') {
    const place = Math.min(this.end, Math.max(this.start, time));
    this.time = place;
    if (this.waits !== undefined)
      this.next = place;
    else
      this.ask(plays, place);
    this.show();
  }

  ask(plays, time) {
    this.plays = plays;
    this.asked += 1;
    if (time !== undefined)
      this.waits = this.asked;
    this.connection.askPlayback(plays, Number(this.speed.value), time, String(this.asked));
  }
}
