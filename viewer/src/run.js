// SPDX-License-Identifier: BSD-3-Clause
// The bar that pauses, steps, resets and paces the run. Where the server only shows it, the bar
// says so.

export const WHY_NOT = 'This run can only be looked at; one that is started with --control takes commands.';
const SHORT_WHY_NOT = 'read-only; start it with --control';
const LABELS = { running: ['Pause', 'Hold the run between two ticks'], paused: ['Play', 'Let the run go on'], stopped: ['Start', 'Begin the run'] };
const ACTIONS = { running: 'pause', paused: 'resume', stopped: 'start' };

export class Run extends EventTarget {
  constructor(bar, connection) {
    super();
    this.bar = bar;
    this.connection = connection;
    this.play = bar.querySelector('[data-run="play"]');
    this.pace = bar.querySelector('select');
    this.reason = bar.querySelector('.reason');
    this.titles = new Map([...bar.querySelectorAll('button, select')].map((one) => [one, one.title]));
    this.state = 'running';
    bar.addEventListener('click', (event) => this.use(event.target.dataset.run));
    this.pace.addEventListener('change', () => this.setPace());
    connection.addEventListener('found', () => this.settle());
    connection.addEventListener('services', () => this.settle());
    connection.addEventListener('lost', () => this.settle());
    this.settle();
  }

  // What can be used, and why the rest cannot.
  settle() {
    const { connection } = this;
    const known = connection.info !== undefined;
    this.can = connection.commands && connection.services.size > 0;
    for (const [one, title] of this.titles) {
      one.disabled = !this.can;
      one.title = this.can || !known ? title : WHY_NOT;
    }
    this.reason.textContent = known && !connection.commands ? SHORT_WHY_NOT : '';
    this.reason.title = this.reason.textContent === '' ? '' : WHY_NOT;
    this.showState();
    if (this.can)
      this.ask();
    this.dispatchEvent(new Event('change'));
  }

  showState() {
    const [label, title] = LABELS[this.state] ?? LABELS.running;
    this.play.textContent = label;
    if (this.can)
      this.play.title = title;
  }

  // Others may pause it as well.
  async ask() {
    if (!this.can)
      return;
    try {
      this.state = await this.connection.call('simulation', 'state');
    } catch {
      return; // it has just gone
    }
    this.showState();
  }

  async use(name) {
    if (name === undefined || name === 'drive' || !this.can)
      return;
    const action = name === 'play' ? ACTIONS[this.state] ?? 'pause' : name;
    try {
      await this.connection.call('simulation', action);
    } catch (error) {
      this.tell(`${action}: ${error.message}`);
    }
    await this.ask();
  }

  async setPace() {
    try {
      await this.connection.call('time', 'set_time_scale', [Number(this.pace.value)]);
    } catch (error) {
      this.tell(`pace: ${error.message}`);
    }
  }

  tell(words) {
    this.dispatchEvent(new CustomEvent('tell', { detail: words }));
  }
}
