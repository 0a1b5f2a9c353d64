// What a report can do beyond being read: follow a row or a node, choose a head, move through the training. The page
// holds all tables and pictures without it; the numbers behind them are in the element "data".
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

// ---- small helpers --------------------------------------------------------------------------------------------------

function create(tag, attributes = {}, text = "") {
  const svg = ["svg", "line", "text", "title"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

const shown = (value) => (value === null ? "not a number" : String(Number(value.toPrecision(4))));

const labelOf = (labels, index) => (labels.length > 0 ? (labels[index] === " " ? "␣" : labels[index]) : String(index));

// Arrow keys, Home and End move the focus within a group of elements, of which Tab reaches one.
function moveWithKeys(elements, choose) {
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  elements.forEach((element, index) => {
    element.setAttribute("tabindex", index === 0 ? "0" : "-1");
    element.addEventListener("focus", () => choose(index));
    element.addEventListener("keydown", (event) => {
      if (!(event.key in steps)) return;
      event.preventDefault();
      const next = Math.min(elements.length - 1, Math.max(0, index + steps[event.key]));
      elements.forEach((other, at) => other.setAttribute("tabindex", at === next ? "0" : "-1"));
      elements[next].focus();
    });
  });
}

// ---- heat maps ------------------------------------------------------------------------------------------------------

// The row's numbers as a sentence; of a long row the largest.
function rowInWords(map, row) {
  const longest = 12;
  let cells = map.values[row].map((value, column) => ({ value, label: labelOf(map.columns, column) }));
  const cut = cells.length > longest;
  if (cut) cells = cells.sort((a, b) => b.value - a.value).slice(0, longest);
  const numbers = cells.map((cell) => `${cell.label} ${shown(cell.value)}`).join(", ");
  return `Row ${row} “${labelOf(map.rows, row)}”${cut ? `, its ${longest} largest` : ""}: ${numbers}`;
}

// Weights can be drawn as lines; other maps, and those of more labels than a screen is high, stay tables.
function canBeLines(map) {
  const most = 40;
  const weights = map.low === 0 && map.high === 1;
  return weights && Math.max(map.values.length, ...map.values.map((row) => row.length)) <= most;
}

// Row labels on the left, column labels on the right, between them a line for each weight, as broad as that.
function drawLines(map) {
  const left = 130, right = 330, width = 460;
  const rows = map.values.length, columns = rows > 0 ? map.values[0].length : 0;
  const height = 24 * Math.max(rows, columns);
  const yOfRow = (row) => (height * (row + 0.5)) / rows, yOfColumn = (column) => (height * (column + 0.5)) / columns;
  const svg = create("svg", { class: "links", width, height, "aria-hidden": "true" });
  map.values.forEach((weights, row) => {
    weights.forEach((weight, column) => {
      if (!(weight >= 0.01)) return;
      const look = { "stroke-width": 1 + 6 * weight, "stroke-opacity": 0.15 + 0.85 * weight, "data-row": row };
      svg.append(create("line", { x1: left, y1: yOfRow(row), x2: right, y2: yOfColumn(column), ...look }));
    });
  });
  for (let row = 0; row < rows; ++row) {
    const at = { x: left - 8, y: yOfRow(row) + 4, "text-anchor": "end", "data-row": row };
    svg.append(create("text", at, labelOf(map.rows, row)));
  }
  for (let column = 0; column < columns; ++column) {
    svg.append(create("text", { x: right + 8, y: yOfColumn(column) + 4 }, labelOf(map.columns, column)));
  }
  return svg;
}

// A figure of one or more maps with the same kind of rows. Its state is the row in focus and the frames that are shown.
class Maps {
  constructor(figure) {
    this.maps = data.figures[Number(figure.dataset.figure)].maps;
    this.frames = [...figure.querySelectorAll(".frame")];
    this.row = -1;
    this.linesWanted = false;
    this.controls = create("div", { class: "controls" });
    this.links = create("div", { class: "frames" });
    this.told = create("p", { class: "told", role: "status" });
    figure.querySelector(".frames").before(this.controls);
    figure.querySelector(".frames").append(this.links);
    figure.append(this.told);
    this.frames.forEach((frame, number) => this.followRows(frame, number));
    this.addControls(figure.dataset.kind);
    this.tell("Point at a row, or go to it with Tab and the arrow keys, to read its numbers.");
  }

  followRows(frame, number) {
    const rows = [...frame.querySelectorAll("tbody tr")];
    rows.forEach((row, index) => row.addEventListener("pointerenter", () => this.choose(number, index)));
    moveWithKeys(rows, (index) => this.choose(number, index));
  }

  addControls(kind) {
    if (kind === "heads") this.addHeads();
    if (kind === "training") this.addSlider();
    if (kind === "one") this.show([0]);
    if (!this.maps.every(canBeLines)) return;
    const button = create("button", { type: "button", "aria-pressed": "false" }, "as lines");
    button.addEventListener("click", () => {
      this.linesWanted = !this.linesWanted;
      button.setAttribute("aria-pressed", String(this.linesWanted));
      this.drawLinks();
    });
    this.controls.append(button);
  }

  // A button for each head, and one for all of them side by side.
  addHeads() {
    const all = this.maps.map((map, number) => number);
    const choices = [["all", all], ...all.map((number) => [this.nameOf(number), [number]])];
    const buttons = choices.map(([name, frames]) => {
      const button = create("button", { type: "button", "aria-pressed": "false" }, name);
      button.addEventListener("click", () => {
        buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
        this.show(frames);
      });
      return button;
    });
    this.controls.append(...buttons);
    buttons[0].click();
  }

  // A slider through the steps of the training, at the last one first.
  addSlider() {
    const last = this.maps.length - 1;
    const form = { type: "range", min: 0, max: last, value: last };
    const slider = create("input", { ...form, "aria-label": "step of the training" });
    const name = create("output");
    const move = () => {
      const number = Number(slider.value);
      name.textContent = this.nameOf(number);
      slider.setAttribute("aria-valuetext", this.nameOf(number));
      this.show([number]);
    };
    slider.addEventListener("input", move);
    this.controls.append(slider, name);
    move();
  }

  nameOf(number) {
    return this.frames[number].querySelector("h3").textContent;
  }

  show(numbers) {
    this.visible = numbers;
    this.frames.forEach((frame, number) => (frame.hidden = !numbers.includes(number)));
    if (this.row >= 0) this.choose(numbers[0], this.row);
    this.drawLinks();
  }

  drawLinks() {
    const drawn = this.linesWanted ? this.visible.map((number) => this.linesOf(number)) : [];
    this.links.replaceChildren(...drawn);
    this.markRow();
  }

  linesOf(number) {
    const frame = create("div", { class: "wide" });
    if (this.maps.length > 1) frame.append(create("h3", {}, this.nameOf(number)));
    frame.append(drawLines(this.maps[number]));
    return frame;
  }

  choose(number, row) {
    const map = this.maps[number];
    if (map.values.length === 0) return this.tell("There is no row: the model wrote nothing.");
    this.row = Math.min(row, map.values.length - 1);
    const name = this.maps.length > 1 ? `${this.nameOf(number)}. ` : "";
    this.tell(name + rowInWords(map, this.row));
    this.markRow();
  }

  // The same row in every frame: heads, and steps of the training, are compared by it.
  markRow() {
    for (const frame of this.frames) {
      frame.querySelectorAll("tbody tr").forEach((row, index) => row.classList.toggle("chosen", index === this.row));
    }
    for (const mark of this.links.querySelectorAll("[data-row]")) {
      const chosen = Number(mark.dataset.row) === this.row;
      mark.classList.toggle("chosen", chosen);
      mark.classList.toggle("faint", mark.tagName === "line" && this.row >= 0 && !chosen);
    }
  }

  tell(text) {
    this.told.textContent = text;
  }
}

// ---- graphs ---------------------------------------------------------------------------------------------------------

// The node in focus keeps its edges, the others fade, and its words are told.
function followNodes(figure) {
  const nodes = [...figure.querySelectorAll(".node")];
  const edges = [...figure.querySelectorAll(".edge")];
  const invitation = "Point at a node, or go to it with Tab and the arrow keys.";
  const told = create("p", { class: "told", role: "status" }, invitation);
  figure.querySelector("svg").parentElement.after(told);
  const choose = (index) => {
    nodes.forEach((node, at) => node.classList.toggle("chosen", at === index));
    for (const edge of edges) {
      const chosen = Number(edge.dataset.from) === index;
      edge.classList.toggle("chosen", chosen);
      edge.classList.toggle("faint", !chosen);
    }
    told.textContent = nodes[index].getAttribute("aria-label");
  };
  nodes.forEach((node, index) => {
    node.setAttribute("role", "button");
    node.addEventListener("pointerenter", () => choose(index));
  });
  moveWithKeys(nodes, choose);
}

document.querySelectorAll("figure.maps").forEach((figure) => new Maps(figure));
document.querySelectorAll("figure.graph").forEach(followNodes);
