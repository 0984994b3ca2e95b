// SPDX-License-Identifier: BSD-3-Clause
// Drives a robot by keys and by the pad: sends speeds to an actuator of it.

const SPEED = 1; // m/s
const TURN = 1;  // rad/s
const REPEAT_MS = 200;
const KEYS = { w: 'forward', arrowup: 'forward', s: 'back', arrowdown: 'back', a: 'left', arrowleft: 'left', d: 'right', arrowright: 'right' };

// By the fields of their records: what makes messages of two speeds.
const KINDS = [
  [['v', 'w'], (v, w) => ({ v, w })],
  [['x', 'y', 'w'], (v, w) => ({ x: v, y: 0, w })],
  [['vx', 'vy', 'vz', 'vw'], (v, w) => ({ vx: v, vy: 0, vz: 0, vw: w })],
  [['linear', 'angular'], (v, w, part) => {
    const isVector = part.fields.find((field) => field.name === 'linear').type === 'vec3';
    return isVector ? { linear: [v, 0, 0], angular: [0, 0, w] } : { linear: v, angular: w };
  }],
];

function findMaker(part) {
  return KINDS.find(([names]) => names.every((name) => part.fields.some((field) => field.name === name)))?.[1];
}

// An actuator of the robot that takes speeds, and what makes its messages.
export function findDrive(parts, robot) {
  for (const part of parts) {
    const make = part.role === 'actuator' && part.name.startsWith(`${robot.name}.`) ? findMaker(part) : undefined;
    if (make !== undefined)
      return { part, make };
  }
  return undefined;
}

export class Drive extends EventTarget {
  constructor(button, pad, connection) {
    super();
    this.button = button;
    this.pad = pad;
    this.connection = connection;
    this.held = new Set();
    this.speeds = [0, 0];
    document.addEventListener('keydown', (event) => this.onKey(event, true), true);
    document.addEventListener('keyup', (event) => this.onKey(event, false), true);
    document.addEventListener('visibilitychange', () => this.letGo());
    addEventListener('blur', () => this.letGo());
    for (const one of pad.querySelectorAll('button'))
      this.listenTo(one);
    setInterval(() => this.repeat(), REPEAT_MS);
  }

  listenTo(button) {
    const way = button.dataset.way;
    button.addEventListener('pointerdown', (event) => {
      button.setPointerCapture(event.pointerId);
      this.hold(way, true);
    });
    for (const kind of ['pointerup', 'pointercancel', 'lostpointercapture'])
      button.addEventListener(kind, () => this.hold(way, false));
    for (const [kind, on] of [['keydown', true], ['keyup', false]])
      button.addEventListener(kind, (event) => {
        if (event.key === ' ' || event.key === 'Enter')
          this.hold(way, on);
      });
    button.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  get on() {
    return this.target !== undefined;
  }

  start(target) {
    this.stop();
    this.target = target;
    this.topic = `/${target.part.name.replaceAll('.', '/')}`;
    this.show();
  }

  stop() {
    this.letGo();
    this.target = undefined;
    this.show();
  }

  show() {
    this.button.setAttribute('aria-pressed', this.on);
    this.pad.hidden = !this.on;
  }

  onKey(event, down) {
    const way = KEYS[event.key.toLowerCase()];
    if (!this.on || way === undefined || event.ctrlKey || event.metaKey || event.altKey ||
        (event.target instanceof Element && event.target.matches('input, select, textarea')))
      return;
    event.preventDefault();
    event.stopPropagation();
    this.hold(way, down);
  }

  hold(way, down) {
    if (!this.on || this.held.has(way) === down)
      return;
    if (down)
      this.held.add(way);
    else
      this.held.delete(way);
    this.send();
  }

  letGo() {
    if (this.held.size === 0)
      return;
    this.held.clear();
    this.send();
  }

  send() {
    const has = (way) => Number(this.held.has(way));
    this.speeds = [SPEED * (has('forward') - has('back')), TURN * (has('left') - has('right'))];
    this.connection.publish(this.topic, this.target.make(...this.speeds, this.target.part));
  }

  // An actuator may stop where it hears nothing.
  repeat() {
    if (this.on && this.held.size > 0)
      this.send();
  }
}
