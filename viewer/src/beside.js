// SPDX-License-Identifier: BSD-3-Clause
// Another run at the same time: as ghosts where it differs, or whole, in the other half of the picture.

const FAR = 1e-3;   // m
const TURNED = 1e-3; // rad
const MODES = ['ghost', 'side', 'off'];
const LABELS = { ghost: 'Ghosts', side: 'Side by side', off: 'Hidden' };

function distanceOf(rows, i, j) {
  return Math.hypot(rows[7 * i] - rows[7 * j], rows[7 * i + 1] - rows[7 * j + 1], rows[7 * i + 2] - rows[7 * j + 2]);
}

function angleOf(rows, i, j) {
  let dot = 0;
  for (let k = 3; k < 7; k++)
    dot += rows[7 * i + k] * rows[7 * j + k];
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

export class Beside {
  constructor(panel, world) {
    this.panel = panel;
    this.world = world;
    this.words = panel.querySelector('output');
    this.button = panel.querySelector('button');
    this.mode = 'ghost';
    this.pairs = [];
    this.button.addEventListener('click', () => this.setMode(MODES[(MODES.indexOf(this.mode) + 1) % MODES.length]));
  }

  // Objects of both runs belong together by their names.
  load(description) {
    const numbers = new Map();
    this.title = description.beside;
    this.panel.hidden = this.title === undefined;
    this.pairs = [];
    this.alone = [];
    for (const [index, object] of description.objects.entries())
      if (!object.beside)
        numbers.set(object.name, index);
    for (const [index, object] of description.objects.entries()) {
      const other = object.beside ? numbers.get(object.name.slice('beside/'.length)) : undefined;
      if (other !== undefined)
        this.pairs.push({ ghost: index, own: other, hidden: object.hidden ?? false });
      else if (object.beside)
        this.alone.push(index);
    }
    this.world.pairs = new Map(this.pairs.map(({ ghost, own }) => [ghost, own]));
    this.names = description.objects.map((object) => object.base);
    this.setMode(this.mode);
  }

  setMode(mode) {
    this.mode = mode;
    this.button.textContent = LABELS[mode];
    this.world.setSplit(this.title !== undefined && mode === 'side');
    if (this.rows !== undefined)
      this.setPoses(this.rows);
  }

  setPoses(rows) {
    const { mode, world } = this;
    let most;
    let n = 0;
    this.rows = rows;
    for (const { ghost, own, hidden } of this.pairs) {
      const distance = distanceOf(rows, ghost, own);
      const differs = distance > FAR || angleOf(rows, ghost, own) > TURNED;
      n += differs ? 1 : 0;
      if (differs && (most === undefined || distance > most.distance))
        most = { distance, own };
      world.nodes[ghost].visible = !hidden && world.there[ghost] && (mode === 'side' || (mode === 'ghost' && differs));
      world.setDiffers(ghost, differs);
    }
    for (const ghost of this.alone) {
      world.nodes[ghost].visible = world.there[ghost] && mode !== 'off';
      world.setDiffers(ghost, true);
    }
    if (this.title !== undefined)
      this.tell(n, most);
  }

  tell(n, most) {
    const total = this.pairs.length;
    const place = this.mode === 'side' ? (this.world.isWide ? ', on the right' : ', below') : '';
    const words = most === undefined ? `${this.title}${place}: all ${total} objects are where they are here`
      : `${this.title}${place}: ${n} of ${total} objects differ, most of all ${this.names[most.own]}, by ${most.distance.toFixed(3)} m`;
    if (this.words.textContent !== words)
      this.words.textContent = words;
  }
}
