// SPDX-License-Identifier: BSD-3-Clause
// The tree of objects: choosing, folding, finding, all by mouse and by keyboard.

export class Tree extends EventTarget {
  constructor(list, filter) {
    super();
    this.list = list;
    this.filter = filter;
    this.items = [];
    this.chosen = -1;
    list.addEventListener('click', (event) => this.onClick(event));
    list.addEventListener('keydown', (event) => this.onKey(event));
    filter.addEventListener('input', () => this.build());
  }

  load(description) {
    this.objects = description.objects;
    this.there = this.objects.map((object) => !object.spawnable);
    this.children = this.objects.map(() => []);
    this.roots = [];
    this.kinds = this.objects.map(() => '');
    for (const [index, object] of this.objects.entries())
      if (!object.beside)
        (object.parent >= 0 ? this.children[object.parent] : this.roots).push(index);
    for (const part of description.parts)
      this.kinds[part.object] = part.role;
    // A large scene begins folded, but for robots.
    const fold = this.objects.length > 60;
    this.open = new Set(this.objects.keys());
    if (fold)
      for (const index of this.objects.keys())
        if (this.kinds[index] !== 'robot')
          this.open.delete(index);
    this.build();
  }

  matches(index, text) {
    return this.there[index] && (this.objects[index].name.toLowerCase().includes(text) || this.children[index].some((child) => this.matches(child, text)));
  }

  // Only what is in the world is listed.
  setThere(there) {
    const had = this.list.contains(document.activeElement);
    const top = this.list.scrollTop;
    this.there = [...there];
    this.build();
    this.list.scrollTop = top;
    if (had)
      (this.items[this.chosen] ?? this.list.querySelector('[role="treeitem"]'))?.focus();
  }

  build() {
    const text = this.filter.value.trim().toLowerCase();
    this.items = [];
    this.list.replaceChildren(...this.roots.filter((index) => this.matches(index, text)).map((index) => this.makeItem(index, 1, text)));
    const current = this.items[this.chosen] ?? this.items.find((item) => item !== undefined);
    if (current !== undefined)
      current.tabIndex = 0;
  }

  makeItem(index, level, text) {
    const item = document.createElement('li');
    const row = document.createElement('div');
    const twist = document.createElement('span');
    const name = document.createElement('span');
    const kind = document.createElement('span');
    const below = this.children[index].filter((child) => this.matches(child, text));
    const open = below.length > 0 && (text !== '' || this.open.has(index));
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', level);
    item.setAttribute('aria-selected', index === this.chosen);
    item.tabIndex = -1;
    item.dataset.index = index;
    row.className = 'row';
    row.style.paddingLeft = `${8 + 14 * (level - 1)}px`;
    twist.className = 'twist';
    twist.ariaHidden = 'true';
    twist.textContent = below.length === 0 ? '' : open ? '▾' : '▸';
    name.textContent = this.objects[index].base;
    kind.className = 'kind';
    kind.textContent = this.kinds[index];
    row.append(twist, name, kind);
    item.append(row);
    if (below.length > 0)
      item.setAttribute('aria-expanded', open);
    if (open) {
      const list = document.createElement('ul');
      list.setAttribute('role', 'group');
      list.append(...below.map((child) => this.makeItem(child, level + 1, text)));
      item.append(list);
    }
    this.items[index] = item;
    return item;
  }

  onClick(event) {
    const item = event.target.closest('[role="treeitem"]');
    if (item === null)
      return;
    const index = Number(item.dataset.index);
    if (event.target.classList.contains('twist') && event.target.textContent !== '')
      this.fold(index, this.open.has(index));
    else
      this.dispatchEvent(new CustomEvent('choose', { detail: index }));
  }

  fold(index, closed) {
    if (closed)
      this.open.delete(index);
    else
      this.open.add(index);
    this.build();
    this.items[index]?.focus();
  }

  // Chosen from elsewhere, too: the branch is opened and shown.
  choose(index) {
    this.chosen = index;
    for (let at = index >= 0 ? this.objects[index].parent : -1; at >= 0; at = this.objects[at].parent)
      this.open.add(at);
    const had = this.list.contains(document.activeElement);
    const top = this.list.scrollTop;
    this.build();
    this.list.scrollTop = top;
    this.items[index]?.firstChild.scrollIntoView({ block: 'nearest' });
    if (had)
      this.items[index]?.focus();
  }

  onKey(event) {
    const item = event.target.closest('[role="treeitem"]');
    if (item === null)
      return;
    const index = Number(item.dataset.index);
    const shown = [...this.list.querySelectorAll('[role="treeitem"]')];
    const at = shown.indexOf(item);
    const open = item.getAttribute('aria-expanded');
    const go = (to) => to?.focus();
    switch (event.key) {
      case 'ArrowDown': go(shown[at + 1]); break;
      case 'ArrowUp': go(shown[at - 1]); break;
      case 'Home': go(shown[0]); break;
      case 'End': go(shown[shown.length - 1]); break;
      case 'ArrowRight':
        if (open === 'false')
          this.fold(index, false);
        else if (open === 'true')
          go(shown[at + 1]);
        break;
      case 'ArrowLeft':
        if (open === 'true')
          this.fold(index, true);
        else
          go(this.items[this.objects[index].parent]);
        break;
      case 'Enter': case ' ': this.dispatchEvent(new CustomEvent('choose', { detail: index })); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
