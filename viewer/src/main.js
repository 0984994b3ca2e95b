// SPDX-License-Identifier: BSD-3-Clause
// The page of a run: brings together connection, scene, tree, details and layers.
import { Beside } from './beside.js';
import { Connection } from './connection.js';
import { Details } from './details.js';
import { Drive, findDrive } from './drive.js';
import { Forms } from './forms.js';
import { Layers, showsSomething } from './layers.js';
import { Log } from './log.js';
import { Playback } from './playback.js';
import { Run } from './run.js';
import { Tree } from './tree.js';
import { World } from './world.js';
import './page.css';

const STILL_MS = 700;
const PACE_MS = 5000; // over which the pace is the mean
const LINK_MS = 400;

const find = (id) => document.getElementById(id);
const ALWAYS = ['/poses', '/looks', '/orrery/log', '/orrery/faults']; // what is subscribed to all the time
const isNarrow = () => matchMedia('(max-width: 760px)').matches;
const topicOf = (part) => `/${part.name.replaceAll('.', '/')}`;

class Page {
  constructor() {
    // What the server has to say is on its way while the rest is made.
    this.connection = new Connection();
    this.early = this.fetchScene();
    this.world = new World(find('scene'));
    this.tree = new Tree(find('tree'), find('filter'));
    this.details = new Details(find('details'), new Forms(this.connection));
    this.layers = new Layers(this.world, find('pictures'));
    this.run = new Run(find('run'), this.connection);
    this.beside = new Beside(find('beside'), this.world);
    this.playback = new Playback(find('playback'), this.connection);
    this.drive = new Drive(find('run').querySelector('[data-run="drive"]'), find('pad'), this.connection);
    this.log = new Log(find('log'), document.querySelectorAll('.opens-log, [data-panel="log"]'));
    this.chosen = -1;
    this.follows = this.showsSensors = false;
    this.marks = []; // of simulated and real time, for the pace
    this.counts = { poses: 0, drawn: 0 };
    this.listen();
    this.setTheme(localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    requestAnimationFrame(() => this.draw());
    setInterval(() => this.check(), STILL_MS);
  }

  listen() {
    const { connection, tree } = this;
    connection.addEventListener('found', (event) => this.load(event.detail));
    connection.addEventListener('lost', () => this.lose());
    connection.addEventListener('refused', () => this.refuse());
    connection.addEventListener('services', () => this.details.offer());
    this.playback.addEventListener('change', () => { find('run').hidden = this.playback.can; });
    this.run.addEventListener('tell', (event) => this.tell(event.detail));
    this.drive.button.addEventListener('click', () => this.setDrive(!this.drive.on));
    connection.addEventListener('poses', (event) => this.takePoses(event.detail));
    connection.addEventListener('looks', (event) => this.world.setLooks(event.detail));
    connection.addEventListener('contacts', (event) => this.layers.setContacts(event.detail));
    connection.addEventListener('record', (event) => this.takeRecord(event.detail));
    connection.addEventListener('status', (event) => this.tell(event.detail.message));
    for (const topic of ALWAYS)
      connection.subscribe(topic);
    this.listenToLog();
    tree.addEventListener('choose', (event) => this.choose(event.detail));
    this.details.addEventListener('change', () => this.link());
    this.world.controls.addEventListener('change', () => this.link());
    find('theme').addEventListener('click', () => this.setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
    find('through').addEventListener('change', () => this.lookThrough(this.cameras[find('through').selectedIndex - 1]));
    find('tools').addEventListener('click', (event) => this.useTool(event.target.dataset.tool));
    document.querySelector('nav.tabs').addEventListener('click', (event) => this.showPanel(event.target.closest('button')?.dataset.panel));
    document.addEventListener('keydown', (event) => this.onKey(event));
    this.listenToPointer(find('scene'));
  }

  listenToLog() {
    const { connection, log } = this;
    connection.addEventListener('found', () => log.clear());
    connection.addEventListener('log', (event) => log.addLine(event.detail));
    connection.addEventListener('faults', (event) => log.addFault(event.detail));
    log.addEventListener('choose', (event) => this.choosePart(event.detail));
    log.addEventListener('close', () => this.toggleLog());
    document.querySelector('.opens-log').addEventListener('click', () => this.toggleLog());
    find('log').querySelector('.close').addEventListener('click', () => this.toggleLog());
  }

  // A click that is no drag picks.
  listenToPointer(canvas) {
    let down;
    canvas.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener('pointerup', (event) => {
      if (down !== undefined && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 5)
        this.choose(this.findOwner(this.world.pick(event.clientX, event.clientY)));
      down = undefined;
    });
  }

  // Who clicks on a wheel means the robot, unless that is chosen already.
  findOwner(index) {
    for (let at = index; at >= 0; at = this.scene.objects[at].parent)
      if (this.parts.has(at))
        return this.chosen === at ? index : at;
    return index;
  }

  refuse() {
    this.isRefused = true;
    this.setState('lost', 'token missing or wrong: open the address in the log');
  }

  lose() {
    if (!this.isRefused)
      this.setState('lost', 'no simulation, trying again');
    this.isRefused = false;
    this.drive.stop();
    this.details.offer();
  }

  // --- the scene ---

  async fetchScene() {
    try {
      return await (await fetch(`scene.json${location.search}`)).json();
    } catch {
      return undefined;
    }
  }

  async load(info) {
    if (this.scene?.session === info.sessionId) {
      this.setState('still', 'connected');
      return;
    }
    const early = await this.early;
    const scene = early?.session === info.sessionId ? early : await this.fetchScene();
    this.early = undefined;
    if (scene === undefined)
      return; // the server has gone
    const before = this.scene?.objects[this.chosen]?.name;
    const isFirst = this.scene === undefined;
    const followed = this.follows;
    const through = this.cameras?.find((part) => part.object === this.world.through?.index)?.name;
    this.scene = scene;
    this.playback.frequency = scene.frequency;
    this.log.setFrequency(scene.frequency);
    this.parents = scene.objects.map((object) => object.parent);
    this.parts = new Map();
    for (const part of scene.parts)
      this.parts.set(part.object, part);
    this.byTopic = new Map(scene.parts.map((part) => [topicOf(part), part]));
    find('title').textContent = scene.title;
    document.title = scene.title === '' ? 'Orrery' : `${scene.title} – Orrery`;
    this.world.lookThrough(-1);
    this.offerCameras();
    this.tree.load(scene);
    await this.world.load(scene);
    this.beside.load(scene);
    this.layers.load(scene);
    this.chosen = -1;
    this.setState('still', 'connected');
    if (isFirst) {
      const robots = scene.parts.filter((part) => part.role === 'robot').map((part) => part.object)
        .filter((index) => this.world.there[index]);
      this.world.lookAtStart(robots, this.parents);
      this.restore();
    } else {
      this.choose(scene.objects.findIndex((object) => object.name === before));
      this.setFollow(followed && this.chosen >= 0);
      this.lookThrough(this.cameras.find((part) => part.name === through));
    }
    this.subscribe();
    this.details.offer();
    this.ready = true;
    this.show(); // the next frame may take its time
  }

  // The object of a part, or of what it belongs to: a modifier, a script.
  choosePart(name) {
    const { objects } = this.scene ?? { objects: [] };
    let [at] = name.split('/');
    let index = objects.findIndex((object) => object.name === at);
    while (index < 0 && at.includes('.')) {
      at = at.slice(0, at.lastIndexOf('.'));
      index = objects.findIndex((object) => object.name === at);
    }
    if (index < 0 || !this.world.there[index])
      return;
    this.choose(index);
    if (isNarrow())
      this.showPanel('details');
  }

  choose(index) {
    this.chosen = index;
    this.tree.choose(index);
    this.world.mark(index, this.parents);
    if (this.drive.on && index >= 0 && !this.drive.target.part.name.startsWith(`${this.findRobot()?.name}.`))
      this.setDrive(true);
    if (index < 0) {
      this.details.clear();
      this.setFollow(false);
    } else {
      this.details.choose(this.scene.objects[index], this.parts.get(index));
      if (this.shown !== undefined)
        this.details.setPose(this.shown.rows.subarray(7 * index, 7 * index + 7));
      if (this.follows)
        this.world.follow(index);
    }
    this.subscribe();
    this.link();
  }

  // The robot that is chosen, or that carries what is; without either the first one.
  findRobot() {
    for (let at = this.chosen; at >= 0; at = this.scene.objects[at].parent)
      if (this.parts.get(at)?.role === 'robot')
        return this.parts.get(at);
    return this.scene.parts.find((part) => part.role === 'robot' && this.world.there[part.object]);
  }

  setDrive(on) {
    const robot = on && this.scene !== undefined ? this.findRobot() : undefined;
    const target = robot !== undefined ? findDrive(this.scene.parts, robot) : undefined;
    if (target !== undefined)
      this.drive.start(target);
    else
      this.drive.stop();
    if (on && target === undefined)
      this.tell(robot === undefined ? 'There is no robot to drive.' : `${robot.name} has no actuator that takes speeds.`);
  }

  // Records are asked for only while somebody looks at them.
  subscribe() {
    const wanted = new Set(this.layers.showsContacts ? ['/contacts'] : []);
    const part = this.parts.get(this.chosen);
    if (part !== undefined)
      wanted.add(topicOf(part));
    if (this.showsSensors)
      for (const one of this.scene.parts)
        if (showsSomething(one))
          wanted.add(topicOf(one));
    for (const topic of [...this.connection.wanted.keys()])
      if (!ALWAYS.includes(topic) && !wanted.has(topic)) {
        this.connection.unsubscribe(topic);
        this.layers.drop(topic);
      }
    const more = [...wanted].some((topic) => !this.connection.wanted.has(topic));
    for (const topic of wanted)
      this.connection.subscribe(topic);
    if (more)
      this.playback.showAgain();
  }

  takeRecord({ topic, record }) {
    const part = this.byTopic?.get(topic);
    if (part === undefined || !this.connection.wanted.has(topic))
      return;
    if (part === this.details.part)
      this.details.setRecord(record);
    this.layers.setRecord(topic, part, record);
  }

  // Something was spawned or removed.
  takePresence() {
    this.tree.setThere(this.world.there);
    if (this.chosen >= 0 && !this.world.there[this.chosen])
      this.choose(-1);
    if (this.world.through !== undefined && !this.world.there[this.world.through.index])
      this.lookThrough(undefined);
  }

  // --- time ---

  takePoses(poses) {
    const now = performance.now();
    const last = this.marks[this.marks.length - 1];
    this.poses = poses;
    this.playback.setTime(poses.time);
    if (this.scene !== undefined)
      this.details.start = poses.time - poses.ticks / this.scene.frequency;
    if (last !== undefined && poses.ticks === last.ticks)
      return;
    if (last !== undefined && (poses.ticks < last.ticks || poses.ticks > last.ticks + 2 * this.scene?.frequency)) {
      this.marks = []; // time began anew, or was moved
      this.layers.forget();
    }
    this.marks.push({ now, ticks: poses.ticks });
    while (this.marks.length > 2 && this.marks[1].now < now - PACE_MS)
      this.marks.shift();
    if (poses.ticks > 0)
      this.lastMoved = now;
  }

  showTime(ticks) {
    const { frequency } = this.scene;
    const [first, last] = [this.marks[0], this.marks[this.marks.length - 1]];
    find('time').textContent = `${(ticks / frequency).toFixed(1)} s`;
    find('ticks').textContent = String(ticks);
    if (last.now - first.now > PACE_MS / 5)
      find('pace').textContent = `${((last.ticks - first.ticks) / frequency / (last.now - first.now) * 1000).toFixed(2)}×`;
  }

  check() {
    const now = performance.now();
    const late = now - (this.checked ?? now) > 1.5 * STILL_MS;
    this.checked = now;
    // Where drawing takes long, messages wait as this did.
    if (this.connection.channels.size === 0 || late)
      return;
    const moves = now - (this.lastMoved ?? -STILL_MS) < STILL_MS;
    if (moves !== (this.run.state === 'running'))
      this.run.ask();
    if (moves) {
      this.setState('live', 'live');
    } else {
      this.setState('still', 'at rest');
      this.marks = this.marks.slice(-1);
      find('pace').textContent = '–';
    }
  }

  setState(state, words) {
    const shown = find('state');
    if (shown.dataset.state === state && shown.textContent === words)
      return;
    shown.dataset.state = state;
    shown.textContent = words;
  }

  tell(words) {
    const notice = find('notice');
    notice.textContent = words;
    notice.hidden = false;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => { notice.hidden = true; }, 6000);
  }

  draw() {
    requestAnimationFrame(() => this.draw());
    this.show();
  }

  show() {
    const poses = this.poses;
    if (poses !== undefined && this.ready && poses.count === this.scene.objects.length) {
      if (poses.ticks !== this.shown?.ticks)
        this.showTime(poses.ticks);
      this.shown = poses;
      this.poses = undefined;
      if (this.world.setPoses(poses.rows))
        this.takePresence();
      this.beside.setPoses(poses.rows);
      this.layers.setPoses(poses.rows);
      this.counts.poses += 1;
      if (this.chosen >= 0)
        this.details.setPose(poses.rows.subarray(7 * this.chosen, 7 * this.chosen + 7));
    }
    this.log.draw();
    // A picture of nothing would only delay the first one of the scene.
    if (this.ready && this.world.draw()) {
      this.counts.drawn += 1;
      this.showFrame();
    }
  }

  // --- tools ---

  useTool(name) {
    if (this.scene === undefined)
      return;
    switch (name) {
      case 'all': this.lookThrough(undefined); this.setFollow(false); this.world.lookAtAll(); break;
      case 'top': this.lookThrough(undefined); this.world.lookFromTop(); break;
      case 'follow': this.setFollow(!this.follows); break;
      case 'sensors': this.setSensors(!this.showsSensors); break;
      case 'frames': this.layers.setFrames(!this.layers.showsFrames); break;
      case 'paths': this.layers.setPaths(!this.layers.showsPaths); break;
      case 'contacts': this.layers.showContacts(!this.layers.showsContacts); this.subscribe(); break;
      case 'zones': this.layers.setZones(!this.layers.showsZones); break;
      default: return;
    }
    this.press('frames', this.layers.showsFrames);
    this.press('paths', this.layers.showsPaths);
    this.press('contacts', this.layers.showsContacts);
    this.press('zones', this.layers.showsZones);
    this.link();
  }

  press(tool, on) {
    document.querySelector(`[data-tool="${tool}"]`).setAttribute('aria-pressed', on);
  }

  offerCameras() {
    const choice = find('through');
    this.cameras = this.scene.parts.filter((part) => part.camera !== undefined);
    choice.replaceChildren(...['Free view', ...this.cameras.map((part) => part.name)].map((name) => new Option(name)));
    choice.hidden = this.cameras.length === 0;
  }

  // @part: a camera of the scene; none: the view is free again
  lookThrough(part) {
    const shown = part !== undefined && this.world.there[part.object] ? part : undefined;
    if (part !== undefined && shown === undefined)
      this.tell(`${part.name} is not in the world.`);
    if (shown !== undefined && this.follows)
      this.setFollow(false);
    this.world.lookThrough(shown?.object, shown?.camera);
    find('through').selectedIndex = this.cameras.indexOf(shown) + 1;
    this.link();
  }

  // The chosen one, or the next one; behind the last one the view is free.
  lookThroughNext() {
    const at = this.cameras.findIndex((part) => part.object === this.world.through?.index);
    const chosen = at < 0 ? this.cameras.find((part) => part.object === this.chosen) : undefined;
    this.lookThrough(chosen ?? this.cameras[at + 1]);
  }

  // What the camera itself sees of the picture.
  showFrame() {
    const frame = find('frame');
    const at = this.world.split ? undefined : this.world.frame();
    frame.hidden = at === undefined;
    if (at === undefined)
      return;
    for (const [name, value] of Object.entries(at))
      frame.style[name] = `${value}px`;
    frame.firstChild.textContent = this.parts.get(this.world.through.index).name;
  }

  setFollow(on) {
    if (on)
      this.lookThrough(undefined);
    if (on && this.chosen < 0) {
      const robot = this.findRobot();
      if (robot !== undefined)
        this.choose(robot.object);
    }
    const near = on && this.chosen >= 0;
    if (near && !this.follows)
      this.comeNear();
    this.follows = near;
    this.world.follow(near ? this.chosen : -1);
    this.press('follow', near);
  }

  // From far away there is nothing to see of what is followed.
  comeNear() {
    const box = this.world.boxOfTree(this.chosen, this.parents);
    const size = Math.max(box.max.distanceTo(box.min), 0.5);
    if (this.world.camera.position.distanceTo(box.min) > 12 * size)
      this.world.lookAtBox(box.expandByScalar(0.7 * size));
  }

  setSensors(on) {
    this.showsSensors = on;
    this.press('sensors', on);
    this.subscribe();
  }

  showPanel(name) {
    if (name === undefined)
      return;
    for (const button of document.querySelectorAll('nav.tabs button'))
      button.setAttribute('aria-pressed', button.dataset.panel === name);
    find('objects').classList.toggle('shown', name === 'objects');
    find('details').classList.toggle('shown', name === 'details');
    this.log.show(name === 'log');
  }

  toggleLog() {
    const shown = find('log').hidden;
    const had = find('log').contains(document.activeElement);
    if (isNarrow())
      this.showPanel(shown ? 'log' : 'scene');
    else
      this.log.show(shown);
    if (shown)
      find('log').querySelector('input').focus();
    else if (had)
      document.querySelector(isNarrow() ? '[data-panel="scene"]' : '.opens-log').focus();
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem('theme', theme);
    this.world.setTheme(theme);
    this.details.setTheme(theme);
  }

  onKey(event) {
    if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (this.playback.can && this.move(event))
      return;
    const tools = { a: 'all', t: 'top', f: 'follow', s: 'sensors', x: 'frames', p: 'paths', c: 'contacts', z: 'zones' };
    const tool = tools[event.key.toLowerCase()];
    if (tool !== undefined)
      this.useTool(tool);
    else if (event.key.toLowerCase() === 'l')
      this.toggleLog(), event.preventDefault();
    else if (event.key.toLowerCase() === 'v' && this.scene !== undefined)
      this.lookThroughNext();
    else if (event.key === 'Escape' && this.world.through !== undefined)
      this.lookThrough(undefined);
    else if (event.key === 'Escape' && this.scene !== undefined)
      this.choose(-1);
    else if (event.target === find('scene') && this.turn(event.key))
      event.preventDefault();
  }

  // The space bar on a button presses that.
  move(event) {
    const name = { ' ': event.target.matches('button') ? undefined : 'play', ',': 'back', '.': 'forward', Home: 'start' }[event.key];
    if (name === undefined)
      return false;
    this.playback.use(name);
    event.preventDefault();
    return true;
  }

  turn(key) {
    const { camera, controls, through } = this.world;
    if (through !== undefined)
      return false;
    const way = camera.position.clone().sub(controls.target);
    const axis = { ArrowLeft: -0.1, ArrowRight: 0.1 }[key];
    if (axis !== undefined)
      way.applyAxisAngle(camera.up, axis);
    else if (key === 'ArrowUp' || key === 'ArrowDown')
      way.z = Math.max(-0.98 * way.length(), Math.min(0.98 * way.length(), way.z + (key === 'ArrowUp' ? 0.1 : -0.1) * way.length()));
    else if (key === '+' || key === '-')
      way.multiplyScalar(key === '+' ? 1 / 1.15 : 1.15);
    else
      return false;
    camera.position.copy(controls.target).add(way);
    controls.update();
    this.world.touch();
    return true;
  }

  // --- a link that restores the view ---

  link() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => {
      if (!this.ready)
        return;
      const view = this.world.getView();
      const words = new URLSearchParams();
      words.set('eye', view.eye.map((value) => value.toFixed(2)).join(','));
      words.set('at', view.target.map((value) => value.toFixed(2)).join(','));
      if (this.world.through !== undefined)
        words.set('through', this.parts.get(this.world.through.index).name);
      if (this.chosen >= 0)
        words.set('object', this.scene.objects[this.chosen].name);
      const { layers } = this;
      const on = { follow: this.follows, sensors: this.showsSensors, frames: layers.showsFrames, paths: layers.showsPaths,
                   contacts: layers.showsContacts, zones: layers.showsZones };
      const shown = Object.keys(on).filter((name) => on[name]);
      if (shown.length > 0)
        words.set('show', shown.join(','));
      if (this.details.plots.size > 0)
        words.set('plot', [...this.details.plots.keys()].join(','));
      history.replaceState(null, '', `${location.search}#${words.toString().replaceAll('%2C', ',')}`);
    }, LINK_MS);
  }

  restore() {
    const words = new URLSearchParams(location.hash.slice(1));
    const numbers = (name) => (words.get(name) ?? '').split(',').map(Number);
    const index = this.scene.objects.findIndex((object) => object.name === words.get('object'));
    const shown = (words.get('show') ?? '').split(',');
    if (index >= 0)
      this.choose(index);
    for (const tool of ['sensors', 'frames', 'paths', 'contacts', 'zones'])
      if (shown.includes(tool))
        this.useTool(tool);
    for (const name of (words.get('plot') ?? '').split(','))
      if (name !== '' && index >= 0)
        this.details.togglePlot(name, '');
    if (shown.includes('follow'))
      this.setFollow(true);
    const [eye, target] = [numbers('eye'), numbers('at')];
    if (eye.length === 3 && target.length === 3 && [...eye, ...target].every(Number.isFinite))
      this.world.setView({ eye, target });
    this.lookThrough(this.cameras.find((part) => part.name === words.get('through')));
  }
}

window.orrery = new Page();
