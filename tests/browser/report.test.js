// The report of a program (--report FILE) as a reader sees it: opened from disk, by pointer and by keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import path from "node:path";
import { coloursOf, newFolder, openFile, run, startBrowser } from "./browser.js";

const folder = newFolder();
const pages = {};    // by name: the file of a report
const printed = {};  // by name: what the program printed
let browser;

before(async () => {
  for (const chapter of ["05", "06"]) {
    pages[chapter] = path.join(folder, `${chapter}.html`);
    printed[chapter] = run("./attend", "run", chapter, "--quick", "--report", pages[chapter]);
  }
  pages.sample = path.join(folder, "sample.html");
  run("ninja", "-C", "build/release", "report_sample");
  printed.sample = run("build/release/tests/report_sample", "--report", pages.sample);
  browser = await startBrowser();
});
after(() => browser?.close());

// Letters have many shades of their own: without them an empty picture has one colour, or two with its ground.
const hideLetters = "table.map * { color: transparent !important } svg text { visibility: hidden }";

const numbersIn = (text) => [...text.matchAll(/\s(-?\d[\d.e-]*)(?=,|$)/g)].map((match) => Number(match[1]));

// The figures of a page as its data has them.
const dataOf = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));

for (const name of ["05", "06", "sample"]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`${name}, ${colorScheme}: no error, no request, and no picture is empty`, async () => {
      const { page, faults, close } = await openFile(browser, pages[name], { colorScheme });
      await page.addStyleTag({ content: hideLetters });
      const pictures = await page.locator("table.map:visible, figure svg:visible").all();
      assert.ok(pictures.length > 0);
      for (const picture of pictures) assert.ok((await coloursOf(page, picture)) > 2, await picture.innerHTML());
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground, colorScheme === "dark" ? "rgb(20, 23, 27)" : "rgb(255, 255, 255)");
      assert.deepEqual(faults, []);
      await close();
    });
  }

  test(`${name}: the keyboard reaches every row, and the row in focus tells the numbers of the program`, async () => {
    const { page, close } = await openFile(browser, pages[name]);
    const { figures } = await dataOf(page);
    for (const figure of await page.locator("figure.maps").all()) {
      const maps = figures[Number(await figure.getAttribute("data-figure"))].maps;
      const shown = (await figure.locator(".frame").evaluateAll((all) => all.map((one) => !one.hidden))).indexOf(true);
      await figure.locator(".frame:visible tbody tr").first().focus();
      for (const row of maps[shown].values) {
        const told = numbersIn(await figure.locator(".told").textContent());
        const expected = row.map((value) => Number((value ?? NaN).toPrecision(4)));
        assert.ok(told.length >= Math.min(row.length, 12) - 1, `${told} beside ${row}`);
        assert.ok(told.every((number) => expected.includes(number)), `${told} is not among ${expected}`);
        if (row.length <= 12) assert.deepEqual(told, expected);
        await page.keyboard.press("ArrowDown");
      }
    }
    await close();
  });
}

test("05: the numbers of the row 'cat' are those that the terminal shows", async () => {
  const { page, close } = await openFile(browser, pages["05"]);
  await page.locator("figure.maps tbody tr", { has: page.locator("th", { hasText: /^cat$/ }) }).first().focus();
  const told = numbersIn(await page.locator("figure.maps .told").first().textContent());
  const line = printed["05"].split("\n").find((text) => /^ *cat │/.test(text));
  assert.deepEqual(told.map((number) => number.toFixed(2)), line.match(/\d\.\d\d/g));
  await close();
});

test("05: the command on the page is the one that was given, and the claims are those that were printed", async () => {
  const { page, close } = await openFile(browser, pages["05"]);
  assert.equal(await page.locator("header code").textContent(), `./attend run 05 --quick --report ${pages["05"]}`);
  const cards = await page.locator(".claims li").count();
  assert.equal(cards, printed["05"].split("\n").filter((line) => line.startsWith("✓")).length);
  assert.match(await page.locator("header").textContent(), new RegExp(`${cards} of ${cards} claims held`));
  await close();
});

test("the last line of the program says where the report is", () => {
  for (const name of Object.keys(pages)) assert.match(printed[name].trimEnd().split("\n").at(-1), /^Report.*\.html$/);
});

test("labels such as </s>, <b> and </script> are shown as they are", async () => {
  const { page, close } = await openFile(browser, pages.sample);
  const labels = await page.locator("figure.maps").first().locator("tbody th").allTextContents();
  assert.deepEqual(labels, ["</s>", "<b>", "&", '"', "'", "</script>", "␣"]);
  assert.equal((await dataOf(page)).figures[0].maps[0].rows[5], "</script>");
  assert.equal(await page.locator("main script, main b").count(), 0);
  await close();
});

test("a button shows one head alone, and its row tells that head's numbers", async () => {
  const { page, close } = await openFile(browser, pages.sample);
  const heads = page.locator('figure[data-kind="heads"]');
  assert.equal(await heads.locator(".frame:visible").count(), 2);
  await heads.getByRole("button", { name: "head 1" }).click();
  assert.equal(await heads.locator(".frame:visible").count(), 1);
  await heads.locator(".frame:visible tbody tr").first().focus();
  assert.match(await heads.locator(".told").textContent(), /^head 1\. .*& 0\.9,/);
  await close();
});

test("the slider goes through the training by keyboard, and the row in focus stays", async () => {
  const { page, close } = await openFile(browser, pages.sample);
  const figure = page.locator('figure[data-kind="training"]');
  await figure.locator(".frame:visible tbody tr").first().hover();
  assert.match(await figure.locator(".told").textContent(), /^step 100\. .*<b> 0\.95,/);
  await figure.getByRole("slider").focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await figure.locator("output").textContent(), "step 50");
  assert.match(await figure.locator(".told").textContent(), /^step 50\. .*<b> 0\.5,/);
  await close();
});

test("as lines, a map has a line for each weight, and those of other rows fade", async () => {
  const { page, close } = await openFile(browser, pages.sample);
  const figure = page.locator("figure.maps").first();
  await figure.getByRole("button", { name: "as lines" }).click();
  assert.equal(await figure.locator(".links line").count(), 49);
  await figure.locator("tbody tr").nth(2).hover();
  assert.equal(await figure.locator(".links line.faint").count(), 42);
  await page.addStyleTag({ content: hideLetters });
  assert.ok((await coloursOf(page, figure.locator("svg.links"))) > 2);
  await close();
});

test("a node of a graph keeps its edges, and its words tell their weights", async () => {
  const { page, close } = await openFile(browser, pages.sample);
  const graph = page.locator("figure.graph");
  await graph.locator(".node").first().focus();
  assert.equal(await graph.locator(".told").textContent(), "'a' looks at '<b>' (0.75), 'c' (0.25)");
  assert.equal(await graph.locator(".edge.chosen").count(), 2);
  await page.keyboard.press("ArrowDown");
  assert.equal(await graph.locator(".told").textContent(), "'<b>' looks at 'a' (1.00)");
  await close();
});

test("without JavaScript all tables and pictures are there", async () => {
  const { page, close } = await openFile(browser, pages.sample, { javaScriptEnabled: false });
  const maps = page.locator("table.map");
  assert.equal(await maps.count(), 7);
  for (const map of await maps.all()) assert.ok(await map.isVisible());
  assert.equal(await page.locator("figure svg").count(), 4);
  assert.equal(await page.locator(".claims li").count(), 2);
  await close();
});
