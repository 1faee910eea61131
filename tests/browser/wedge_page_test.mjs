// The report page of a wedge: many runs that have to fit. Usage:
//   node wedge_page_test.mjs DASHPOT_PROGRAM PAGE_BUILD_FOLDER
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, startTests, text } from "./page_tools.mjs";

const NAMES = ["0", "1e-2", "0.3"].flatMap((time) =>
  ["5e4", "1e5", "2e5"].map((modulus) => `dampingtime ${time}, youngsmodulus ${modulus}`));

const { runs, open } = startTests((made) => {
  made.run("wedge", "scene.toml", "--vary", "body.bar.dampingtime=0.3,0,1e-2", "--vary", "body.bar.youngsmodulus=1e5,5e4,2e5",
    "--frames", "1-3", "--threads", "2", "--out", "wedge");
});

let opened;
const on = (body) => async () => {
  opened ??= await open(runs.report("wedge"));
  await opened.page.setViewportSize({ width: 1060, height: 620 });
  await settle(opened.page);
  await body(opened.page);
};

test("runs have short names, in the order of their values", on(async (page) => {
  assert.equal(await page.title(), "wedge: dampingtime × youngsmodulus – Dashpot report");
  assert.deepEqual(await page.locator(".cell-name").allInnerTexts(), NAMES);
  assert.match(await page.locator(".cell-name").first().getAttribute("title"), /wedge.bar.dampingtime-0_bar.youngsmodulus-5e4/);
  assert.equal(new Set(await page.locator(".summary .swatch").evaluateAll(
    (all) => all.map((each) => getComputedStyle(each).backgroundColor))).size, 9);
}));

test("labels stay in their cells and above the bodies, also on a phone", on(async (page) => {
  for (const width of [1060, 400]) {
    await page.setViewportSize({ width, height: 720 });
    await settle(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    assert.ok((await page.locator("h1").boundingBox()).height < 60);
    const { rows, height, labels, cut, top } = await page.evaluate(() => {
      const { viewer } = window.dashpot;
      const corners = [viewer.bounds.min, viewer.bounds.max];
      const all = corners.flatMap((a) => corners.flatMap((b) => corners.map((c) =>
        a.clone().set(a.x, b.y, c.z).project(viewer.camera).y)));
      const names = [...document.querySelectorAll(".cell-name")];
      return {
        rows: viewer.layout().rows, height: viewer.element.clientHeight,
        labels: names.map((each) => each.offsetTop + each.offsetHeight),
        cut: names.filter((each) => each.scrollHeight > each.clientHeight + 1).length,
        top: (1 - Math.max(...all)) / 2,  // of a cell's height, free above all bodies
      };
    });
    assert.equal(cut, 0, `names are cut at ${width}`);
    assert.ok(Math.max(...labels) <= top * height / rows + 1, `${labels} on bodies at ${width}: ${top * height / rows}`);
  }
}));

test("what differs is shown, of all runs, beside a first column that stays", on(async (page) => {
  const visible = () => page.locator(".parameters tbody tr:visible th").allInnerTexts();
  assert.deepEqual((await visible()).sort(), ["dampingtime", "youngsmodulus"]);
  const scroll = page.locator(".parameters .has-differences .scroll");
  const first = scroll.locator("tr.differs th").first(), last = scroll.locator("tr.differs").first().locator("td").last();
  const place = (await first.boundingBox()).x;
  await scroll.evaluate((element) => { element.scrollLeft = element.scrollWidth; });
  assert.ok(Math.abs((await first.boundingBox()).x - place) < 1);
  const [box, end] = [await scroll.boundingBox(), await last.boundingBox()];
  assert.ok(end.x + end.width <= box.x + box.width + 1);
  await page.locator(".parameters .switch input").uncheck();
  assert.ok((await visible()).length > 10);
  await page.locator(".parameters .switch input").check();
}));

test("a run that failed is named on the page", async () => {
  runs.edit("wedge/bar.dampingtime-0.3_bar.youngsmodulus-1e5/status.json", () => '{"state": "failed", "message": "It <b>burst</b>."}');
  const { page, close } = await open(runs.report("wedge"));
  assert.match(await text(page, ".problems"), /dampingtime 0.3, youngsmodulus 1e5: it failed: It <b>burst<\/b>\./);
  await close();
});

test("after all that, the page has not complained or asked the network", async () => {
  await opened.close();
});
