// Reports of runs that are not complete. Usage:
//   node incomplete_runs_test.mjs DASHPOT_PROGRAM PAGE_BUILD_FOLDER
import assert from "node:assert/strict";
import { test } from "node:test";
import { flatten, isDrawn, openNumbers, seek, startTests, step, tableNumbers, text } from "./page_tools.mjs";

const { runs, open } = startTests((made) => made.simulate("soft"));

const visit = async (file, body) => {
  const { page, close } = await open(file);
  await body(page);
  await close();
};

/** Opens the report of a damaged copy; every curve and panel must still work. */
async function visitDamaged(name, damage, body) {
  runs.copy("soft", name);
  damage(name);
  await visit(runs.report(name), async (page) => {
    await page.keyboard.press("End");
    await page.keyboard.press("2");
    await page.locator(".numbers summary").click();
    await page.waitForFunction(() => !document.querySelector(".numbers td:not([data-value])"));
    await body(page, await text(page, ".problems"));
  });
}

test("an interrupted run says where it ended", async () => {
  await visitDamaged("interrupted", (name) => {
    runs.edit(`${name}/stats.jsonl`, (all) => all.split("\n").slice(0, 7).join("\n") + '\n{"frame":8,"ti');
    for (let frame = 8; frame <= 12; ++frame) runs.remove(`${name}/f.${String(frame).padStart(4, "0")}.bgeo.sc`);
  }, async (page, problems) => {
    assert.match(problems, /ended at frame 7 of 12/);
    assert.match(problems, /Line 8 of stats.jsonl cannot be read/);
    assert.equal(await step(page), 6);
  });
});

test("a run of one frame opens", async () => {
  runs.simulate("single", ["--frames", "1-1"]);
  await visit(runs.report("single"), async (page) => {
    assert.ok(await page.locator(".play").isDisabled());
    await isDrawn(page);
    await openNumbers(page);
    assert.deepEqual(await tableNumbers(page), flatten(runs.stats("single")[0]));
  });
});

test("numbers that are none become gaps, and huge ones do not break the page", async () => {
  await visitDamaged("numbers", (name) => runs.edit(`${name}/stats.jsonl`, (all) => {
    const lines = all.split("\n");
    lines[4] = lines[4].replace(/"kinetic":[^,]+/, '"kinetic":NaN').replace(/"total":[^,]+/, '"total":-Infinity');
    return lines.map((line, place) => place < 8 ? line : line.replace(/"total":[^,]+/, `"total":3e${10 * place}`)
      .replace(/"primal_residual":[^,]+/, `"primal_residual":1e${5 * place}`)).join("\n");
  }), async (page, problems) => {
    assert.match(problems, /no finite number for kinetic in frame 5/);
    const series = await page.evaluate(() => window.dashpot.timeline.series(0, (line) => line.kinetic));
    assert.equal(series[4], null);
    assert.equal(series[5], runs.stats("soft")[5].kinetic);
    assert.equal(await page.locator(".plot-card .legend output").first().innerText(), "3e110");  // the last frame
    await seek(page, 4);
    assert.equal((await tableNumbers(page)).kinetic, null);
  });
});

test("frames without a file, or with a damaged one, are named", async () => {
  await visitDamaged("holes", (name) => {
    runs.remove(`${name}/f.0001.bgeo.sc`, `${name}/f.0005.bgeo.sc`, `${name}/f.0006.bgeo.sc`);
    runs.edit(`${name}/f.0009.bgeo.sc`, () => "not geometry");
  }, async (page, problems) => {
    assert.match(problems, /Frames 1, 5-6 have no file/);
    assert.match(problems, /Frame 9 cannot be shown/);
    await seek(page, 5);
    await page.waitForFunction(() => /frame 6 is missing; this is 4/.test(document.querySelector(".cell-note").textContent));
  });
});

test("without run.json, statistics or frames it shows the rest", async () => {
  await visitDamaged("nameless", (name) => runs.remove(`${name}/run.json`), async (page, problems) => {
    assert.match(problems, /run.json is missing/);
    await isDrawn(page);
  });
  await visitDamaged("mute", (name) => runs.remove(`${name}/stats.jsonl`), async (page, problems) => {
    assert.match(problems, /statistics stats.jsonl are missing/);
    assert.equal(await page.locator(".plot-card").count(), 0);
  });
  await visitDamaged("empty", (name) => {
    for (let frame = 1; frame <= 12; ++frame) runs.remove(`${name}/f.${String(frame).padStart(4, "0")}.bgeo.sc`);
  }, async (page, problems) => {
    assert.match(problems, /no frame files/);
    assert.deepEqual(await tableNumbers(page), flatten(runs.stats("soft")[11]));
  });
});
