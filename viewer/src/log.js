// SPDX-License-Identifier: BSD-3-Clause
// The log of the run and the faults of its parts: the newest messages, by level and by words.

const KEPT = 1000;
const FAULT = 6; // ranks: the levels of the protocol, and above them faults
const RANKS = ['message', 'debug', 'info', 'warning', 'error', 'error', 'fault'];
const NOTED = 3; // from this rank on messages are counted while the panel is closed

// What has failed, in words.
const FAULTS = {
  step: ({ message }) => `its step was skipped: ${message}`,
  message: ({ message }) => `a message was refused: ${message}`,
  script: ({ where, message }) => `${where} failed, the script is disabled: ${message}`,
  worker: ({ where, message }) => `worker ${where} failed: ${message}`,
};

function cell(className, text) {
  const made = document.createElement('span');
  made.className = className;
  made.textContent = text;
  return made;
}

export class Log extends EventTarget {
  // @buttons: those that open it
  constructor(panel, buttons) {
    super();
    this.panel = panel;
    this.buttons = buttons;
    this.list = panel.querySelector('[role="log"]');
    this.level = panel.querySelector('select');
    this.words = panel.querySelector('input');
    this.count = panel.querySelector('output');
    this.entries = [];
    this.faults = new Map(); // by part, kind and place
    this.fresh = [];         // those that have no row yet
    this.unseen = 0;
    this.level.addEventListener('change', () => this.rebuild());
    this.words.addEventListener('input', () => this.rebuild());
    this.list.addEventListener('click', (event) => this.choose(event.target.closest('.line')));
    panel.addEventListener('keydown', (event) => this.onKey(event));
  }

  // --- what comes ---

  // Time of a tick, s, is known once the scene is.
  setFrequency(frequency) {
    this.frequency = frequency;
    this.rebuild();
  }

  // Another connection is told everything again.
  clear() {
    this.entries = [];
    this.faults.clear();
    this.unseen = 0;
    this.rebuild();
  }

  addLine({ level, name, message, tick }) {
    this.add({ rank: Math.min(Math.max(level, 1), 5), part: name, text: message, tick });
  }

  // A fault that comes again is counted where it stands.
  addFault(fault) {
    const key = `${fault.kind} ${fault.part} ${fault.where}`;
    const known = this.faults.get(key);
    const text = (FAULTS[fault.kind] ?? FAULTS.step)(fault);
    const entry = known ?? { rank: FAULT, part: fault.part, tick: fault.tick, key };
    entry.text = fault.count > 1 ? `${text} (${fault.count} times)` : text;
    if (known === undefined) {
      this.faults.set(key, entry);
      this.add(entry);
    } else if (entry.row !== undefined) {
      entry.row.lastChild.textContent = entry.text;
    }
  }

  add(entry) {
    this.entries.push(entry);
    this.fresh.push(entry);
    if (this.entries.length > KEPT)
      this.drop(this.entries.shift());
    if (this.panel.hidden && entry.rank >= NOTED)
      this.unseen += 1;
    this.isDirty = true;
  }

  drop(entry) {
    if (entry.key !== undefined)
      this.faults.delete(entry.key);
    if (this.fresh[0] === entry)
      this.fresh.shift();
    entry.row?.remove();
    entry.row = undefined;
  }

  // --- what is shown ---

  show(shown) {
    this.panel.hidden = !shown;
    this.panel.parentElement.classList.toggle('logged', shown);
    if (shown)
      this.unseen = 0;
    this.rebuild();
  }

  rebuild() {
    for (const entry of this.entries)
      entry.row = undefined;
    this.list.replaceChildren();
    this.fresh = [...this.entries];
    this.isDirty = true;
  }

  matches(entry) {
    const words = this.words.value.trim().toLowerCase();
    return entry.rank >= Number(this.level.value) &&
      (words === '' || entry.text.toLowerCase().includes(words) || entry.part.toLowerCase().includes(words));
  }

  // Once in a frame, however many messages came.
  draw() {
    if (!this.isDirty)
      return;
    this.isDirty = false;
    this.showButtons();
    if (this.panel.hidden)
      return;
    const { list } = this;
    const atEnd = list.scrollTop + list.clientHeight > list.scrollHeight - 8;
    const rows = this.fresh.filter((entry) => this.matches(entry)).map((entry) => this.makeRow(entry));
    this.fresh = [];
    list.append(...rows);
    if (list.querySelector('[tabindex="0"]') === null && list.lastChild !== null)
      list.lastChild.tabIndex = 0;
    if (atEnd)
      list.scrollTop = list.scrollHeight;
    this.count.textContent = this.entries.length === 0 ? 'no messages'
      : `${list.childElementCount} of ${this.entries.length}`;
  }

  showButtons() {
    for (const button of this.buttons) {
      const badge = button.querySelector('.badge');
      badge.textContent = this.unseen > 0 ? String(this.unseen) : '';
      button.ariaLabel = this.unseen > 0 ? `Log, ${this.unseen} new warnings and faults` : 'Log';
      button.setAttribute('aria-pressed', !this.panel.hidden);
    }
  }

  makeRow(entry) {
    const row = document.createElement('div');
    const time = this.frequency === undefined ? '' : `${(entry.tick / this.frequency).toFixed(2)} s`;
    row.className = 'line';
    row.dataset.rank = RANKS[entry.rank];
    row.setAttribute('role', 'button');
    row.tabIndex = -1;
    row.append(cell('time', time), cell('rank', RANKS[entry.rank]), cell('part', entry.part), cell('text', entry.text));
    row.entry = entry;
    entry.row = row;
    return row;
  }

  // --- what its user does ---

  choose(row) {
    if (row === null)
      return;
    this.focus(row);
    this.dispatchEvent(new CustomEvent('choose', { detail: row.entry.part }));
  }

  // One row is a stop of the Tab key.
  focus(row) {
    for (const other of this.list.querySelectorAll('[tabindex="0"]'))
      other.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  }

  onKey(event) {
    const row = event.target.closest('.line');
    if (event.key === 'Escape') {
      this.dispatchEvent(new Event('close'));
    } else if (row !== null) {
      const to = { ArrowDown: row.nextSibling, ArrowUp: row.previousSibling, Home: this.list.firstChild,
                   End: this.list.lastChild }[event.key];
      if (event.key === 'Enter' || event.key === ' ')
        this.choose(row);
      else if (to === undefined)
        return;
      else if (to !== null)
        this.focus(to);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
