// What tests of the report page do with it, and a browser that lasts for all tests of a file.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { colourCount, findChromium, launch, openReport } from "./browser.mjs";
import { Runs } from "./runs.mjs";

/** Reads the arguments DASHPOT_PROGRAM PAGE_BUILD_FOLDER; ends with 77, which ctest counts as skipped, without Chromium. */
export function startTests(prepare) {
  const [dashpot, modules] = process.argv.slice(2);
  if (!findChromium() || !existsSync(join(modules, "node_modules/playwright-core"))) {
    console.log("skipped: Chromium or playwright-core is missing; ./test installs both");
    process.exit(77);
  }
  const runs = new Runs(dashpot);
  let browser;
  before(async () => {
    prepare(runs);
    browser = await launch(modules);
  });
  after(async () => {
    await browser?.close();
    runs.clear();
  });
  const open = (file, options) => openReport(browser, file, options);
  return { runs, open };
}

export const step = (page) => page.evaluate(() => window.dashpot.player.step);
export const seek = (page, to) => page.evaluate((frame) => window.dashpot.player.seek(frame), to);
/** Until the view has drawn what was asked for; it draws with the screen. */
export const settle = (page) => page.evaluate(
  () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const text = (page, selector) => page.locator(selector).innerText();

/** A page as it is when it is opened, for the next test. */
export async function reset(page) {
  await page.evaluate(() => {
    const { player, shading, viewer } = window.dashpot;
    if (player.playing) player.toggle();
    if (!player.loop) player.toggleLoop();
    player.setSpeed(1);
    player.seek(0);
    shading.choose("");
    viewer.fit();
    for (const details of document.querySelectorAll(".numbers details")) details.open = false;
    document.querySelector("dialog[open]")?.close();
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
}

/** { "ms.total": 3, "linear_momentum.x": 1 … }, as the page names them. */
export function flatten(value, path = "", into = {}) {
  if (Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === "number"))
    value.forEach((each, axis) => { into[`${path}.${"xyz"[axis]}`] = each; });
  else if (Array.isArray(value) && value.every((each) => typeof each === "string")) into[path] = value.join(" ");
  else if (value && typeof value === "object")
    for (const [key, each] of Object.entries(value)) flatten(each, path ? `${path}.${key}` : key, into);
  else into[path] = value;
  return into;
}

export async function openNumbers(page) {
  await page.locator(".numbers summary").click();
  await page.waitForFunction(() => document.querySelector(".numbers td[data-value]"));
}

/** The numbers of the table, by quantity, of the run in that column. */
export const tableNumbers = (page, column = 0) => page.evaluate((place) => {
  const numbers = {};
  for (const row of document.querySelectorAll(".numbers tbody tr")) {
    const value = row.querySelectorAll("td")[place].dataset.value;
    if (value !== "") numbers[row.querySelector("th").textContent] = JSON.parse(value);
  }
  return numbers;
}, column);

export async function isDrawn(page) {
  // Background alone has a few hundred colours; bodies, shadows and grid have thousands.
  assert.ok(await colourCount(page, ".viewer canvas") > 1000);
}
