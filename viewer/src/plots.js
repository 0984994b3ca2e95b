// SPDX-License-Identifier: BSD-3-Clause
// A plot of one number of a record over simulated time.
import uPlot from '../vendor/uplot/uPlot.esm.js';

const KEPT = 2400;

// A line of one value is in the middle.
function spread(low, high) {
  const margin = 0.08 * (high - low) || Math.max(0.1 * Math.abs(low ?? 0), 0.01);
  return [(low ?? 0) - margin, (high ?? 0) + margin];
}

export class Plot {
  constructor(parent, label, theme, width) {
    this.times = [];
    this.values = [];
    this.label = label;
    this.parent = parent;
    this.width = width;
    this.draw(theme);
  }

  draw(theme) {
    const text = theme === 'dark' ? '#a3afbb' : '#55616e';
    const line = theme === 'dark' ? '#2e3843' : '#e3e7ec';
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: '11px system-ui, sans-serif' };
    this.plot?.destroy();
    this.plot = new uPlot({
      title: this.label, width: this.width, height: 150, pxAlign: 0,
      scales: { x: { time: false }, y: { range: (plot, low, high) => spread(low, high) } }, cursor: { drag: { x: false, y: false } },
      axes: [{ ...axis, size: 26 }, { ...axis, size: 52 }],
      series: [{}, { stroke: theme === 'dark' ? '#7db4f0' : '#1f5fa8', width: 1.5, points: { show: false } }],
    }, [this.times, this.values], this.parent);
    this.plot.root.querySelector('.u-title').style.fontSize = '12px';
    this.plot.root.setAttribute('role', 'img');
    this.plot.root.setAttribute('aria-label', `Plot of ${this.label}`);
  }

  add(time, value) {
    if (this.times.length > 0 && time < this.times[this.times.length - 1])
      this.times.length = this.values.length = 0; // time began anew
    this.times.push(time);
    this.values.push(value);
    if (this.times.length > 2 * KEPT) {
      this.times.splice(0, KEPT);
      this.values.splice(0, KEPT);
    }
    this.plot.setData([this.times, this.values]);
  }

  remove() {
    this.plot.destroy();
  }
}
