// SPDX-License-Identifier: BSD-3-Clause
// What is drawn for components: rays and points, frames, paths, pictures.
import {
  AxesHelper, BoxGeometry, BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, Points, PointsMaterial,
} from './three.js';

const PATH_POINTS = 4000;
const PATH_STEP = 0.02; // m
const MAX_RAYS = 400;
const CONTACT_LEAST = 0.05; // m, of the line of a contact
const CONTACT_MOST = 0.6;
const CONTACT_HALF = 2;     // N s, at which it has half of that
const COLORS = [0x1f77c9, 0xd9641a, 0x2b9a4c, 0xb03a8a, 0x7a58c9, 0x0f9a9a];

// Numbers of an array of rows of three: from bytes or, of few points, as lists.
function numbersOf(value) {
  return value?.values ?? (Array.isArray(value) ? value.flat() : []);
}

function isPicture(value) {
  return value?.shape?.length === 3 && value.values instanceof Uint8Array && [1, 3, 4].includes(value.shape[2]);
}

function isDepth(value) {
  return value?.shape?.length === 2 && value.values instanceof Float32Array && value.shape[0] > 1 && value.shape[1] > 3;
}

// What a depth camera sees, in its optical axes: x to the right, y down, z forward.
function isCloud(value) {
  return value?.shape?.length === 2 && value.values instanceof Float32Array && value.shape[1] === 3;
}

function turnFromOptical(values) {
  const turned = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 3)
    turned.set([values[i + 2], -values[i], -values[i + 1]], i);
  return turned;
}

export function showsSomething(part) {
  return part.fields.some((field) => field.type === 'points' || field.type === 'buffer');
}

class Rays {
  constructor(color) {
    this.group = new Group();
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ color, size: 3.5, sizeAttenuation: false }));
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, transparent: true, opacity: 0.28, depthWrite: false }));
    this.points.frustumCulled = this.lines.frustumCulled = false;
    this.group.add(this.points, this.lines);
  }

  set(values) {
    const ends = new Float32Array(values.length);
    let n = 0;
    for (let i = 0; i + 2 < values.length; i += 3)
      if ((values[i] !== 0 || values[i + 1] !== 0 || values[i + 2] !== 0) && Number.isFinite(values[i])) {
        ends.set([values[i], values[i + 1], values[i + 2]], n);
        n += 3;
      }
    const step = Math.max(1, Math.ceil(n / 3 / MAX_RAYS));
    const rays = new Float32Array(6 * Math.ceil(n / 3 / step));
    for (let i = 0, k = 0; i < n; i += 3 * step, k += 6)
      rays.set([ends[i], ends[i + 1], ends[i + 2]], k + 3);
    this.points.geometry.dispose();
    this.lines.geometry.dispose();
    this.points.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(ends.subarray(0, n), 3));
    this.lines.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(rays, 3));
  }

  dispose() {
    this.points.geometry.dispose();
    this.lines.geometry.dispose();
    this.group.removeFromParent();
  }
}

class Picture {
  constructor(parent, name) {
    this.figure = document.createElement('figure');
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `Picture of ${name}`);
    const caption = document.createElement('figcaption');
    caption.textContent = name;
    this.figure.append(this.canvas, caption);
    parent.append(this.figure);
  }

  resize(width, height) {
    if (this.canvas.width !== width || this.canvas.height !== height)
      Object.assign(this.canvas, { width, height });
    this.context ??= this.canvas.getContext('2d');
    return this.context.createImageData(width, height);
  }

  setColors({ shape: [height, width, channels], values }) {
    const image = this.resize(width, height);
    for (let i = 0, k = 0; i < values.length; i += channels, k += 4) {
      image.data[k] = values[i];
      image.data[k + 1] = values[channels > 1 ? i + 1 : i];
      image.data[k + 2] = values[channels > 1 ? i + 2 : i];
      image.data[k + 3] = 255;
    }
    this.context.putImageData(image, 0, 0);
  }

  setDepth({ shape: [height, width], values }) {
    const image = this.resize(width, height);
    let farthest = 0;
    for (const value of values)
      if (Number.isFinite(value) && value > farthest)
        farthest = value;
    for (let i = 0, k = 0; i < values.length; i++, k += 4) {
      image.data[k] = image.data[k + 1] = image.data[k + 2] = 255 * (1 - Math.min(1, values[i] / (farthest || 1)));
      image.data[k + 3] = 255;
    }
    this.context.putImageData(image, 0, 0);
  }

  dispose() {
    this.figure.remove();
  }
}

class Path {
  constructor(color) {
    this.positions = new Float32Array(3 * PATH_POINTS);
    this.n = 0;
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color }));
    this.line.geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
    this.line.frustumCulled = false;
    this.line.geometry.setDrawRange(0, 0);
  }

  add(x, y, z) {
    const last = 3 * (this.n - 1);
    if (this.n > 0 && Math.hypot(x - this.positions[last], y - this.positions[last + 1], z - this.positions[last + 2]) < PATH_STEP)
      return;
    if (this.n === PATH_POINTS) {
      this.positions.copyWithin(0, 3 * PATH_POINTS / 2);
      this.n /= 2;
    }
    this.positions.set([x, y, z + 0.01], 3 * this.n);
    this.n += 1;
    this.line.geometry.getAttribute('position').needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.n);
  }

  clear() {
    this.n = 0;
    this.line.geometry.setDrawRange(0, 0);
  }

  dispose() {
    this.line.geometry.dispose();
    this.line.removeFromParent();
  }
}

// Points where bodies touch, and lines along the normal, as long as the impulse says.
class Contacts {
  constructor() {
    this.group = new Group();
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ color: 0xe0241b, size: 7, sizeAttenuation: false, depthTest: false }));
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xe0241b, depthTest: false }));
    this.points.frustumCulled = this.lines.frustumCulled = false;
    this.points.renderOrder = this.lines.renderOrder = 2;
    this.group.add(this.points, this.lines);
    this.group.visible = false;
  }

  set(rows) {
    const n = rows.length / 7;
    const points = new Float32Array(3 * n);
    const lines = new Float32Array(6 * n);
    for (let i = 0; i < n; i++) {
      const [x, y, z, a, b, c, impulse] = rows.subarray(7 * i, 7 * i + 7);
      const length = CONTACT_LEAST + CONTACT_MOST * impulse / (impulse + CONTACT_HALF);
      points.set([x, y, z], 3 * i);
      lines.set([x, y, z, x + a * length, y + b * length, z + c * length], 6 * i);
    }
    this.points.geometry.dispose();
    this.lines.geometry.dispose();
    this.points.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
    this.lines.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(lines, 3));
    this.n = n;
  }
}

// Boxes that mean something, one color for each type.
function makeZones(zones) {
  const group = new Group();
  const types = [...new Set(zones.map((zone) => zone.type))].sort();
  for (const { type, low, high } of zones) {
    const size = high.map((value, i) => value - low[i]);
    const box = new Mesh(new BoxGeometry(...size), new MeshBasicMaterial({
      color: COLORS[types.indexOf(type) % COLORS.length], transparent: true, opacity: 0.22, depthWrite: false }));
    box.position.set(...low.map((value, i) => (value + high[i]) / 2));
    group.add(box);
  }
  return group;
}

export class Layers {
  constructor(world, pictures) {
    this.world = world;
    this.pictureArea = pictures;
    this.rays = new Map();
    this.pictures = new Map();
    this.paths = [];
    this.frames = [];
    this.contacts = new Contacts();
    this.zones = new Group();
    this.world.layer.add(this.contacts.group);
    this.showsFrames = this.showsPaths = this.showsContacts = this.showsZones = false;
  }

  load(description) {
    this.clear();
    this.description = description;
    this.paths = description.parts.filter((part) => part.role === 'robot')
      .map((part, i) => ({ index: part.object, path: new Path(COLORS[i % COLORS.length]) }));
    for (const { path } of this.paths)
      this.world.layer.add(path.line);
    this.zones = makeZones(description.zones ?? []);
    this.world.layer.add(this.zones);
    this.setFrames(this.showsFrames);
    this.setPaths(this.showsPaths);
    this.setZones(this.showsZones);
  }

  clear() {
    for (const topic of [...this.rays.keys(), ...this.pictures.keys()])
      this.drop(topic);
    for (const { path } of this.paths)
      path.dispose();
    for (const box of this.zones.children) {
      box.geometry.dispose();
      box.material.dispose();
    }
    this.zones.removeFromParent();
    this.paths = [];
    this.frames = [];
  }

  // Time was moved: paths begin anew.
  forget() {
    for (const { path } of this.paths)
      path.clear();
  }

  drop(topic) {
    this.rays.get(topic)?.dispose();
    this.rays.delete(topic);
    this.pictures.get(topic)?.dispose();
    this.pictures.delete(topic);
    this.world.touch();
  }

  setFrames(shown) {
    this.showsFrames = shown;
    for (const axes of this.frames)
      axes.removeFromParent();
    const size = Math.min(0.6, Math.max(0.15, this.world.size / 40));
    this.frames = shown ? this.world.nodes.map((node) => {
      const axes = new AxesHelper(size);
      node.add(axes);
      return axes;
    }) : [];
    this.world.touch();
  }

  setPaths(shown) {
    this.showsPaths = shown;
    for (const { path } of this.paths)
      path.line.visible = shown;
    this.world.touch();
  }

  setZones(shown) {
    this.showsZones = shown;
    this.zones.visible = shown;
    this.world.touch();
  }

  showContacts(shown) {
    this.showsContacts = shown;
    this.contacts.group.visible = shown;
    this.world.touch();
  }

  setContacts(rows) {
    this.contacts.set(rows);
    this.world.touch();
  }

  setPoses(rows) {
    for (const { index, path } of this.paths)
      if (!this.world.there[index])
        path.clear();
      else
        path.add(rows[7 * index], rows[7 * index + 1], rows[7 * index + 2]);
  }

  setRecord(topic, part, record) {
    for (const field of part.fields) {
      const value = record[field.name];
      if (field.type === 'points')
        this.setPoints(topic, part, numbersOf(value));
      else if (isCloud(value))
        this.setPoints(topic, part, turnFromOptical(value.values));
      else if (isPicture(value))
        this.getPicture(topic, part).setColors(value);
      else if (isDepth(value))
        this.getPicture(topic, part).setDepth(value);
    }
  }

  setPoints(topic, part, values) {
    if (!this.rays.has(topic)) {
      this.rays.set(topic, new Rays(COLORS[this.rays.size % COLORS.length]));
      this.world.nodes[part.object].add(this.rays.get(topic).group);
    }
    this.rays.get(topic).set(values);
    this.world.touch();
  }

  getPicture(topic, part) {
    if (!this.pictures.has(topic))
      this.pictures.set(topic, new Picture(this.pictureArea, part.name));
    return this.pictures.get(topic);
  }
}
