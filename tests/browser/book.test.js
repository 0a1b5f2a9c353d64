// The book (./attend book) as a reader sees it: opened from disk, in light and dark, narrow, on paper, by keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { coloursOf, newFolder, openFile, run, startBrowser } from "./browser.js";

const folder = newFolder();
const inFolder = pathToFileURL(folder).href;
let browser;
let files;  // every page and every source file of the book
let row;    // the pages in reading order

before(async () => {
  run("./attend", "book", folder);
  files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html")).sort();
  browser = await startBrowser();
  const { page, close } = await open("index.html");
  const entries = page.locator("#contents ol").first().locator("> li > a");
  const links = await entries.evaluateAll((all) => all.map((entry) => entry.href));
  row = links.map((link) => path.relative(folder, fileURLToPath(link)));
  await close();
});
after(() => browser?.close());

// A page of the book; what it asks of its own folder is no fault.
async function open(name, options) {
  const opened = await openFile(browser, path.join(folder, name), options);
  const faults = () => opened.faults.filter((fault) => !fault.startsWith(`request: ${inFolder}/`));
  return { ...opened, faults };
}

// Presses Tab until the element has the focus.
async function tabTo(page, locator) {
  for (let presses = 0; presses < 1000; ++presses) {
    if (await locator.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the keyboard does not reach ${locator}`);
}

test("every chapter has its place in the contents", () => {
  const chapters = row.filter((name) => /^tutorials\/\d\d_/.test(name));
  assert.ok(chapters.length >= 12);
  assert.deepEqual(chapters, [...chapters].sort());
  for (const name of row) assert.ok(files.includes(name), name);
});

test("every link leads to a file of the book, and to a place in it", () => {
  const textOf = Object.fromEntries(files.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
  for (const name of files) {
    for (const [, link] of textOf[name].matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file, place] = decodeURIComponent(link).split("#");
      const target = file === "" ? name : path.join(path.dirname(name), file);
      assert.ok(existsSync(path.join(folder, target)), `${name} leads to ${target}, which is not there`);
      if (place) assert.ok(textOf[target].includes(` id="${place}"`), `${name}: there is no ${place} in ${target}`);
    }
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`${colorScheme}: no error, nothing asked for outside, the colours of the scheme, no picture empty`, async () => {
    for (const name of [...row, "nn/gru.hpp.html"]) {
      const { page, faults, close } = await open(name, { colorScheme });
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground, colorScheme === "dark" ? "rgb(22, 24, 28)" : "rgb(255, 255, 255)", name);
      for (const picture of await page.locator("img").all()) {
        assert.ok((await coloursOf(page, picture)) > 8, `${name}: ${await picture.getAttribute("src")}`);
      }
      assert.deepEqual(faults(), [], name);
      await close();
    }
  });
}

test("400 pixels wide, no page scrolls sideways", async () => {
  for (const name of row) {
    const { page, close } = await open(name, { viewport: { width: 400, height: 800 } });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 400, `${name} is ${width} pixels wide`);
    await close();
  }
});

test("1200 pixels wide, code of up to 120 columns is shown whole", async () => {
  for (const name of row) {
    const { page, close } = await open(name, { viewport: { width: 1200, height: 800 } });
    const cut = await page.locator("pre").evaluateAll((all) => all
      .filter((pre) => pre.scrollWidth > pre.clientWidth)
      .map((pre) => pre.textContent)
      .filter((text) => text.split("\n").every((line) => line.length <= 120)));
    assert.deepEqual(cut, [], name);
    await close();
  }
});

test("on a narrower screen the keyboard reaches code that is wider, and moves it", async () => {
  const { page, close } = await open("tutorials/11_memory/index.html", { viewport: { width: 600, height: 800 } });
  const wide = await page.locator("pre").evaluateAll((all) =>
    all.findIndex((pre) => pre.scrollWidth > pre.clientWidth));
  assert.ok(wide >= 0);
  const code = page.locator("pre").nth(wide);
  await tabTo(page, code);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((pre) => pre.scrollLeft > 0, await code.elementHandle());
  await close();
});

test("formulas are drawn", async () => {
  const { page, close } = await open("tutorials/04_dot_products_and_scale/index.html");
  const formula = await page.locator("math").first().boundingBox();
  assert.ok(formula.width > 100 && formula.height > 30, JSON.stringify(formula));
  await close();
});

test("by keyboard: next leads through the whole row, previous back, and the contents to a chapter", async () => {
  const { page, close } = await open(row[0]);
  const here = () => path.relative(folder, fileURLToPath(page.url().split("#")[0]));
  const enter = () => Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await tabTo(page, page.locator('.steps a[rel="next"]'));
  await enter();
  for (const name of row.slice(2)) {
    await page.locator('.steps a[rel="next"]').focus();
    await enter();
    assert.equal(here(), name);
  }
  assert.equal(await page.locator('a[rel="next"]').count(), 0);
  await page.locator('.steps a[rel="prev"]').focus();
  await enter();
  assert.equal(here(), row.at(-2));

  await tabTo(page, page.locator('.bar a[href="#contents"]'));
  await page.keyboard.press("Enter");
  await tabTo(page, page.locator("#contents a", { hasText: "05 ·" }));
  await enter();
  assert.match(here(), /^tutorials\/05_/);
  const marked = await page.locator(`#contents a[aria-current="page"]`).textContent();
  assert.equal(marked, await page.locator("h1").textContent());
  await close();
});

test("in the terminal (./attend read) no line of a chapter is wider than 80 columns", () => {
  for (const name of row.filter((place) => /^tutorials\/\d\d_/.test(place))) {
    const number = name.match(/\d\d/)[0];
    for (const line of run("./attend", "read", "--answers", number).split("\n")) {
      const columns = [...line.replace(/\p{Mn}/gu, "")].length;
      assert.ok(columns <= 80, `${number}, ${columns} columns: ${line}`);
    }
  }
});

test("on paper there is the page alone, its answers unfolded", async () => {
  const { page, close } = await open("tutorials/05_self_attention/index.html");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#contents").isVisible(), false);
  assert.equal(await page.locator(".steps").isVisible(), false);
  assert.ok((await page.locator("details").first().boundingBox()).height > 40);
  await close();
});
