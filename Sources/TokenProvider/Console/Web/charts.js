// Line charts in SVG: they say their unit, and a value under the pointer or by the arrow keys.

import { clock, compact, draw, make } from "./page.js";

const DASHES = ["", "6 4", "2 4", "10 3 2 3", "1 5"];
const LEFT = 52,
  RIGHT = 8,
  TOP = 8,
  BOTTOM = 20;

/** The milliseconds between two marks of time, so that there are few. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300].map((seconds) => seconds * 1000);

/** The largest value of the axis, at least `floor`: 1, 2 or 5 times a power of ten, or a power of two. */
function ceiling(value, floor, base) {
  const least = Math.max(value, floor);
  const power = base ** Math.floor(Math.log(least) / Math.log(base));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= least * 0.999) ?? least;
}

export class Chart {
  #points = [];
  #series = [];
  #cursor = null;
  #window = [-15 * 60000, 0];
  #limit = null;

  /** `format` makes a value's text; `floor` is the least top of the axis, `top` a fixed one. */
  constructor(place, { title, unit, about, format = compact, floor = 1, base = 10, top = null }) {
    Object.assign(this, { title, unit, format, floor, base, top });
    this.plot = make("div", {
      class: "plot",
      tabindex: 0,
      role: "slider",
      "aria-label": `${title}, ${unit}. Arrow keys move in time.`,
      "aria-valuemin": 0,
      "aria-valuemax": 0,
      "aria-valuenow": 0,
      "aria-valuetext": "no data yet",
      pointermove: (event) => this.#point(event),
      pointerdown: (event) => this.#point(event),
      pointerleave: () => this.#move(null),
      blur: () => this.#move(null),
      keydown: (event) => this.#key(event),
    });
    this.legend = make("ul", { class: "legend" });
    this.time = make("span", { class: "small quiet numbers" }, "now");
    place.append(make("figure", { class: "card chart" },
      make("header", {}, make("h3", { title: about }, title, make("span", { class: "quiet small" },
        ` ${unit}`)), this.time),
      this.plot, this.legend));
    new ResizeObserver(() => this.#render()).observe(this.plot);
  }

  /** `points` are `{time, values}` in order, a value per series or null; times are in milliseconds. */
  update(points, series, window, limit = null) {
    const isLast = this.#cursor === null || this.#cursor >= this.#points.length - 1;
    if (!isLast) {
      const time = this.#points[this.#cursor]?.time;
      const index = points.findIndex((point) => point.time >= time);
      this.#cursor = index < 0 ? null : index;
    } else if (this.#cursor !== null) {
      this.#cursor = points.length - 1;
    }
    [this.#points, this.#series, this.#window, this.#limit] = [points, series, window, limit];
    this.#render();
  }

  #point(event) {
    if (!this.#points.length) return;
    const box = this.plot.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    const time = this.#window[0] + share * (this.#window[1] - this.#window[0]);
    let best = 0;
    this.#points.forEach((point, index) => {
      if (Math.abs(point.time - time) < Math.abs(this.#points[best].time - time)) best = index;
    });
    this.#move(best);
  }

  #key(event) {
    const last = this.#points.length - 1;
    const from = this.#cursor ?? last;
    const steps = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1,
      PageUp: from + 12, PageDown: from - 12, Home: 0, End: last };
    if (event.key === "Escape") return this.#move(null);
    if (!(event.key in steps) || last < 0) return;
    event.preventDefault();
    this.#move(Math.min(last, Math.max(0, steps[event.key])));
  }

  #move(cursor) {
    if (cursor === this.#cursor) return;
    this.#cursor = cursor;
    this.#render();
  }

  #render() {
    const box = this.plot.getBoundingClientRect();
    if (box.width < 1) return;
    const [width, height] = [box.width, box.height];
    const values = this.#points.flatMap((point) => point.values).filter(Number.isFinite);
    const most = Math.max(0, ...values);
    const showsLimit = this.#limit !== null && this.#limit <= most * 4;
    const top = this.top ?? ceiling(showsLimit ? Math.max(most, this.#limit) : most, this.floor, this.base);
    const x = (time) => LEFT + (time - this.#window[0]) / (this.#window[1] - this.#window[0]) * (width - LEFT -
      RIGHT);
    const y = (value) => TOP + (1 - Math.min(value, top) / top) * (height - TOP - BOTTOM);
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.#axes(svg, x, y, top, width, height);
    if (showsLimit) svg.append(draw("line", { class: "limit", x1: LEFT, x2: width - RIGHT, y1: y(this.#limit),
      y2: y(this.#limit) }));
    this.#series.forEach((name, index) => this.#line(svg, x, y, index));
    const shown = this.#points[this.#cursor ?? this.#points.length - 1];
    if (shown && this.#cursor !== null) this.#mark(svg, shown, x, y, height);
    if (values.length === 0) svg.append(draw("text", { x: (LEFT + width - RIGHT) / 2, y: y(top * 0.75) + 4,
      class: "empty", "text-anchor": "middle" }, "No data yet"));
    this.plot.replaceChildren(svg);
    this.#say(shown);
  }

  #axes(svg, x, y, top, width, height) {
    for (const share of [0, 0.5, 1]) {
      const place = Math.round(y(top * share)) + 0.5;
      svg.append(draw("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: place, y2: place }),
        draw("text", { x: LEFT - 8, y: place + 4, "text-anchor": "end" }, this.format(top * share, true)));
    }
    const [start, end] = this.#window;
    const step = STEPS.find((step) => (end - start) / step <= 4) ?? STEPS.at(-1);
    const [unit, name] = step < 60000 ? [1000, " s"] : [60000, " min"];
    for (let back = 0; back <= end - start; back += step) {
      const place = x(end - back);
      svg.append(draw("text", { x: place, y: height - 4, "text-anchor": back === 0 ? "end" : place < LEFT + 24 ?
            "start" : "middle" },
        back === 0 ? "now" : `−${back / unit}${back + step > end - start ? name : ""}`));
    }
  }

  #line(svg, x, y, index) {
    const runs = [
      []
    ];
    for (const point of this.#points) {
      const value = point.values[index];
      if (!Number.isFinite(value)) runs.push([]);
      else runs.at(-1).push(`${x(point.time).toFixed(1)} ${y(value).toFixed(1)}`);
    }
    for (const run of runs.filter((run) => run.length > 0)) {
      const path = `M${run.join("L")}${run.length === 1 ? "h.1" : ""}`;
      if (index === 0 && run.length > 1) {
        const [first, last] = [run[0].split(" ")[0], run.at(-1).split(" ")[0]];
        svg.append(draw("path", { class: "area fill-1", d: `${path}L${last} ${y(0)}L${first} ${y(0)}Z` }));
      }
      svg.append(draw("path", { class: `line series-${index + 1}`, d: path, "stroke-dasharray": DASHES[index] }));
    }
  }

  #mark(svg, point, x, y, height) {
    const place = x(point.time);
    svg.append(draw("line", { class: "cursor", x1: place, x2: place, y1: TOP, y2: height - BOTTOM }));
    point.values.forEach((value, index) => {
      if (Number.isFinite(value)) svg.append(draw("circle", { class: `dot fill-${index + 1}`, cx: place,
        cy: y(value), r: 4 }));
    });
  }

  #say(point) {
    const texts = this.#series.map((name, index) => {
      const values = this.#points.map((each) => each.values[index]).filter(Number.isFinite);
      return [name, point && Number.isFinite(point.values[index]) ? this.format(point.values[index]) : "–",
        { class: `series-${index + 1}`, "stroke-dasharray": DASHES[index] },
        values.length > 0 ? `most ${this.format(Math.max(...values))}` : ""
      ];
    });
    if (this.#limit !== null) texts.push(["Limit", this.format(this.#limit), { class: "limit" }, ""]);
    if (this.legend.children.length !== texts.length || texts.some(([name], index) => this.legend.children[index]
        .children[1].textContent !== name)) {
      this.legend.replaceChildren(...texts.map(([name, , line]) => make("li", {},
        draw("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" }, draw("path", { ...line, d: "M0 4H24" })),
        make("span", { class: "label" }, name), make("span", { class: "value numbers" }),
        make("span", { class: "most numbers quiet" }))));
    }
    texts.forEach(([, text, , most], index) => {
      this.legend.children[index].children[2].textContent = text;
      this.legend.children[index].children[3].textContent = most;
    });
    this.time.textContent = point && this.#cursor !== null ? clock(point.time) : "now";
    const last = Math.max(0, this.#points.length - 1);
    this.plot.setAttribute("aria-valuemax", last);
    this.plot.setAttribute("aria-valuenow", this.#cursor ?? last);
    this.plot.setAttribute("aria-valuetext", point ?
      `${clock(point.time)}: ${texts.map(([name, text]) => `${name} ${text}`).join(", ")}` : "no data yet");
  }
}
