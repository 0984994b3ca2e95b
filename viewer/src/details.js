// SPDX-License-Identifier: BSD-3-Clause
// What is known of the chosen object: name, class, pose, the record of its component, plots.
import { Plot } from './plots.js';

const SHOWN_MS = 100;

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function show(value) {
  return typeof value !== 'number' || Number.isInteger(value) ? String(value)
    : Math.abs(value) < 1e-9 ? '0' // what is left of rounding
    : Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4 ? value.toExponential(3) : value.toFixed(4);
}

export function anglesOf([, , , x, y, z, w]) {
  const turn = 180 / Math.PI;
  return [
    turn * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    turn * Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    turn * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

// The numbers of a record by name, `pose.x`; lists are counted.
function* leaves(name, value) {
  if (value === null || typeof value !== 'object')
    yield [name, value];
  else if (value.values !== undefined && value.shape !== undefined)
    yield [name, `${value.shape.join(' × ')} ${value.values.constructor.name.replace('Array', '').toLowerCase()}`];
  else
    for (const [key, inner] of Object.entries(value))
      yield* leaves(`${name}.${key}`, inner);
}

export class Details extends EventTarget {
  constructor(panel, forms) {
    super();
    this.forms = forms;
    this.panel = panel;
    this.empty = panel.firstElementChild;
    this.plots = new Map();
    this.last = 0;
    this.start = 0; // of the run, s
  }

  clear() {
    for (const plot of this.plots.values())
      plot.remove();
    this.plots.clear();
    this.rows = undefined;
    this.part = undefined;
    this.panel.replaceChildren(this.empty);
    this.offer();
  }

  choose(object, part) {
    this.clear();
    this.part = part;
    const pose = element('table');
    this.cells = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'].map((name, i) => {
      const row = element('tr');
      const cell = element('td');
      row.append(element('th', name), cell, element('td', i < 3 ? 'm' : '°', 'unit'));
      pose.append(row);
      return cell;
    });
    const children = [element('h2', object.base), element('p', part?.class ?? object.name, 'class')];
    if (object.base !== object.name && part !== undefined)
      children.push(element('p', object.name, 'class'));
    children.push(element('h3', 'Pose in the world'), pose);
    if (part !== undefined && part.fields.length > 0) {
      this.table = element('table');
      this.table.id = 'record';
      this.area = element('div', '', 'plots');
      children.push(element('h3', 'Record'), this.table, this.area);
    }
    this.panel.replaceChildren(...children);
    this.offer();
  }

  // Services and properties, once it is known what there is: without a part those of the run.
  offer() {
    this.commands?.remove();
    this.commands = undefined;
    if (this.part !== undefined)
      this.commands = this.forms.make(this.part);
    else if (this.panel.contains(this.empty))
      this.commands = this.forms.makeOfRun();
    if (this.commands !== undefined)
      this.panel.append(this.commands);
  }

  setPose(row) {
    if (this.cells === undefined || this.panel.contains(this.empty))
      return;
    const values = [row[0], row[1], row[2], ...anglesOf(row)];
    values.forEach((value, i) => { this.cells[i].textContent = value.toFixed(i < 3 ? 3 : 1); });
  }

  setRecord(record) {
    const found = [];
    for (const [name, value] of Object.entries(record))
      if (name !== 'timestamp')
        found.push(...leaves(name, value));
    for (const [name, value] of found)
      if (typeof value === 'number')
        this.plots.get(name)?.add(record.timestamp - this.start, value);
    const now = performance.now();
    if (now - this.last < SHOWN_MS && this.rows !== undefined)
      return;
    this.last = now;
    if (this.rows === undefined || this.rows.size !== found.length || found.some(([name]) => !this.rows.has(name)))
      this.makeRows(found);
    for (const [name, value] of found)
      this.rows.get(name).textContent = show(value);
  }

  makeRows(found) {
    this.rows = new Map();
    this.table.replaceChildren(...found.map(([name, value]) => {
      const row = element('tr');
      const head = element('th', name);
      const cell = element('td');
      const field = this.part.fields.find((one) => one.name === name.split('.')[0]);
      const plot = element('td', '', 'plot');
      head.title = field?.words ?? '';
      if (typeof value === 'number')
        plot.append(this.makePlotButton(name, field?.unit ?? ''));
      row.append(head, cell, element('td', field?.unit ?? '', 'unit'), plot);
      this.rows.set(name, cell);
      return row;
    }));
  }

  makePlotButton(name, unit) {
    const button = element('button', '∿');
    button.type = 'button';
    button.setAttribute('aria-label', `Plot ${name}`);
    button.title = `Plot ${name}`;
    button.setAttribute('aria-pressed', this.plots.has(name));
    button.addEventListener('click', () => {
      this.togglePlot(name, unit);
      button.setAttribute('aria-pressed', this.plots.has(name));
      this.dispatchEvent(new Event('change'));
    });
    return button;
  }

  togglePlot(name, unit) {
    if (this.plots.has(name)) {
      this.plots.get(name).remove();
      this.plots.delete(name);
    } else if (this.area !== undefined) {
      const width = Math.max(200, this.panel.clientWidth - 30);
      this.plots.set(name, new Plot(this.area, unit !== '' ? `${name}, ${unit}` : name, document.documentElement.dataset.theme, width));
    }
  }

  setTheme(theme) {
    for (const plot of this.plots.values())
      plot.draw(theme);
  }
}
