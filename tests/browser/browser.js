// A browser for tests, and the repository that they test.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

// A folder of its own, which the system clears away.
export const newFolder = () => mkdtempSync(path.join(tmpdir(), "attend-pages-"));

// Runs a program from the root of the repository and gives what it printed; throws when it does not end with 0.
export function run(program, ...args) {
  const ended = spawnSync(program, args, { cwd: root, encoding: "utf8", env: { ...process.env, ATTEND_YES: "1" } });
  if (ended.status !== 0) {
    throw new Error(`${program} ${args.join(" ")}: exit code ${ended.status}\n${ended.stdout}\n${ended.stderr}`);
  }
  return ended.stdout;
}

// Debian's Chromium. As root it wants to be told that it may run without its sandbox.
export function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

// Opens a file as a reader would, from disk. `options` are those of a browser context: colorScheme, javaScriptEnabled.
// `faults` collects, while the page is open, every message of error, every request that leaves it and every exception.
export async function openFile(browser, file, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  const own = pathToFileURL(file).href;
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => request.url().split("#")[0] !== own && faults.push(`request: ${request.url()}`));
  await page.goto(own);
  return { page, faults, close: () => context.close() };
}

// An empty page of each browser, in which pictures are looked at.
const benches = new Map();
async function benchOf(browser) {
  if (!benches.has(browser)) benches.set(browser, await browser.newPage());
  return benches.get(browser);
}

// How many different colours a picture of the element has: one or two are a blank.
export async function coloursOf(page, locator) {
  const picture = (await locator.screenshot()).toString("base64");
  const bench = await benchOf(page.context().browser());
  return bench.evaluate(async (encoded) => {
    const image = new Image();
    image.src = `data:image/png;base64,${encoded}`;
    await image.decode();
    const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
    drawing.drawImage(image, 0, 0);
    return new Set(new Uint32Array(drawing.getImageData(0, 0, image.width, image.height).data.buffer)).size;
  }, picture);
}
