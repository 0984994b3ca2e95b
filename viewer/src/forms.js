// SPDX-License-Identifier: BSD-3-Clause
// Services of the chosen part, each with a form, and its properties, which can be changed.
import { WHY_NOT } from './run.js';

// Those that the list of properties stands for.
const HIDDEN = new Set(['get_properties', 'set_property', 'get_configurations']);

function element(name, text = '', className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

export function readSignature(signature) {
  return signature.split(' ').filter((word) => word !== '').map((word) => {
    const [head, ...rest] = word.split('=');
    const [name, type] = head.split(':');
    return { name, type, fallback: rest.length > 0 ? rest.join('=') : undefined };
  });
}

function show(input, type, value) {
  if (type === 'b')
    input.checked = value === true || value === 'true';
  else if (value !== undefined)
    input.value = value;
}

function makeInput(type, value) {
  const input = document.createElement('input');
  input.type = type === 'b' ? 'checkbox' : type === 'x' || type === 'd' ? 'number' : 'text';
  show(input, type, value);
  if (type === 'd')
    input.step = 'any';
  if (type === 'v')
    input.placeholder = 'JSON';
  return input;
}

// undefined: nothing was written.
function readInput(input, type) {
  if (type === 'b')
    return input.checked;
  if (input.value === '' && type !== 's')
    return undefined;
  if (type === 'x' || type === 'd')
    return Number(input.value);
  return type === 's' ? input.value : JSON.parse(input.value);
}

function showFallback({ type, fallback }) {
  if (fallback === undefined || type === 'v')
    return undefined;
  return type === 's' ? fallback.replace(/^'(.*)'$/, '$1') : fallback;
}

let last = 0;

function labelled(words, input) {
  const label = element('label', words);
  last += 1;
  input.id = `input-${last}`;
  label.htmlFor = input.id;
  return label;
}

export class Forms {
  constructor(connection) {
    this.connection = connection;
    this.shown = new Map(); // property with its part: what shows another value
    connection.addEventListener('parameters', (event) => {
      for (const { name, value } of event.detail)
        this.shown.get(name)?.(value);
    });
  }

  forget() {
    this.shown = new Map();
    this.connection.know([]);
  }

  // What to show for a part.
  make(part) {
    const area = element('div', '', 'commands');
    this.forget();
    if (this.connection.info === undefined)
      return area;
    if (!this.connection.commands) {
      area.append(element('h3', 'Services and properties'), element('p', WHY_NOT, 'why'));
      return area;
    }
    const services = [...this.connection.services.values()].filter((one) => one.part === part.name && !HIDDEN.has(one.service));
    if (services.length > 0)
      area.append(element('h3', 'Services'), ...services.map((one) => this.makeService(one)));
    if (this.connection.services.has(`${part.name} get_properties`))
      this.addProperties(area, part);
    return area;
  }

  makeOfRun() {
    const services = [...this.connection.services.values()].filter((one) => one.part === 'simulation' || one.part === 'time');
    const area = element('div', '', 'commands');
    this.forget();
    if (services.length > 0)
      area.append(element('h3', 'Services of the run'), ...services.map((one) => this.makeService(one)));
    return area;
  }

  makeService(service) {
    const box = element('details');
    const form = element('form');
    const fields = readSignature(service.signature).map((argument) => {
      const input = makeInput(argument.type, showFallback(argument));
      input.required = argument.fallback === undefined && argument.type !== 'b' && argument.type !== 's';
      form.append(labelled(argument.name, input), input);
      return { argument, input };
    });
    const button = element('button', 'Call');
    const stop = element('button', 'Cancel');
    const answer = element('output');
    const waiting = new Set();
    button.setAttribute('aria-label', `Call ${service.service}`);
    stop.setAttribute('aria-label', `Cancel ${service.service}`);
    stop.type = 'button';
    stop.hidden = true;
    stop.addEventListener('click', () => waiting.forEach((call) => call.cancel()));
    form.append(button, stop, answer);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      await this.callBy(service, fields, answer, (call, waits) => {
        waiting[waits ? 'add' : 'delete'](call);
        stop.hidden = waiting.size === 0;
      });
    });
    box.dataset.service = service.service;
    box.append(element('summary', service.service), element('p', service.words, 'class'), form);
    return box;
  }

  async callBy(service, fields, answer, note) {
    const args = {};
    let call;
    answer.className = '';
    answer.textContent = 'waits for the answer';
    try {
      for (const { argument, input } of fields) {
        const value = readInput(input, argument.type);
        if (value !== undefined)
          args[argument.name] = value;
      }
      call = this.connection.call(service.part, service.service, args);
      note(call, true);
      const result = await call;
      answer.textContent = result === null ? 'done' : JSON.stringify(result, null, 1);
    } catch (error) {
      answer.className = 'bad';
      answer.textContent = error.message;
    } finally {
      note(call, false);
    }
  }

  async addProperties(area, { name, fixed }) {
    const { shown } = this; // another one, if another part was chosen meanwhile
    let found;
    try {
      found = (await this.connection.call(name, 'get_properties')).properties;
    } catch {
      return; // it has just gone
    }
    const rows = Object.entries(found);
    if (rows.length === 0 || shown !== this.shown)
      return;
    const grid = element('div', '', 'properties');
    for (const [property, [value, , words]] of rows)
      grid.append(...this.makeProperty(name, property, value, words, fixed.includes(property)));
    area.append(element('h3', 'Properties'), grid);
    this.connection.know([...shown.keys()]);
  }

  makeProperty(name, property, value, words, isFixed) {
    const type = typeof value === 'boolean' ? 'b' : typeof value === 'number' ? 'd' : typeof value === 'string' ? 's' : 'v';
    const print = (any) => (type === 'v' ? JSON.stringify(any) : any);
    const input = makeInput(type, print(value));
    const label = labelled(property, input);
    const why = element('output');
    let known = input.value;
    label.title = input.title = isFixed ? `${words}. It is read at the start only` : words;
    input.disabled = isFixed;
    input.dataset.property = property;
    // Somebody has set it; what is being written here stays.
    this.shown.set(`${name}.${property}`, (now) => {
      if (input.value !== known && type !== 'b')
        return;
      show(input, type, print(now));
      known = input.value;
    });
    input.addEventListener('change', async () => {
      why.className = '';
      why.textContent = '';
      try {
        await this.connection.call(name, 'set_property', { prop_name: property, prop_val: readInput(input, type) ?? null });
        why.textContent = 'set';
        known = input.value;
      } catch (error) {
        why.className = 'bad';
        why.textContent = error.message;
        if (type === 'b')
          input.checked = !input.checked;
        else
          input.value = known;
      }
    });
    return [label, input, why];
  }
}
