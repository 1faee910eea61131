// The report page, driven as a reader would. Usage:
//   node report_page_test.mjs DASHPOT_PROGRAM PAGE_BUILD_FOLDER
// Ends with 77, which ctest counts as skipped, if there is no Chromium.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findChromium, launch, openReport, colourCount } from "./browser.mjs";
import { Runs } from "./runs.mjs";

const [dashpot, modules] = process.argv.slice(2);
if (!findChromium() || !existsSync(join(modules, "node_modules/playwright-core"))) {
  console.log("skipped: Chromium or playwright-core is missing; ./test installs both");
  process.exit(77);
}

const runs = new Runs(dashpot);
let browser;
before(async () => {
  runs.simulate("soft");
  runs.simulate("stiff", ["--set", "body.bar.youngsmodulus=5e5"]);
  browser = await launch(modules);
});
after(async () => {
  await browser?.close();
  runs.clear();
});

const visit = async (file, body, options) => {
  const { page, close } = await openReport(browser, file, options);
  await body(page);
  await close();
};
const step = (page) => page.evaluate(() => window.dashpot.player.step);
const seek = (page, to) => page.evaluate((frame) => window.dashpot.player.seek(frame), to);
/** Until the view has drawn what was asked for; it draws with the screen. */
const settle = (page) => page.evaluate(
  () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const text = (page, selector) => page.locator(selector).innerText();

/** { "ms.total": 3, "linear_momentum.x": 1 … }, as the page names them. */
function flatten(value, path = "", into = {}) {
  if (Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === "number"))
    value.forEach((each, axis) => { into[`${path}.${"xyz"[axis]}`] = each; });
  else if (Array.isArray(value) && value.every((each) => typeof each === "string")) into[path] = value.join(" ");
  else if (value && typeof value === "object")
    for (const [key, each] of Object.entries(value)) flatten(each, path ? `${path}.${key}` : key, into);
  else into[path] = value;
  return into;
}

const openNumbers = async (page) => {
  await page.locator(".numbers summary").click();
  await page.waitForFunction(() => document.querySelector(".numbers td[data-value]"));
};

/** The numbers of the table, by quantity, of the run in that column. */
const tableNumbers = (page, column = 0) => page.evaluate((place) => {
  const numbers = {};
  for (const row of document.querySelectorAll(".numbers tbody tr")) {
    const value = row.querySelectorAll("td")[place].dataset.value;
    if (value !== "") numbers[row.querySelector("th").textContent] = JSON.parse(value);
  }
  return numbers;
}, column);

test("it loads from a file, draws, and says what it shows", async () => {
  await visit(runs.report("soft"), async (page) => {
    assert.equal(await page.title(), "soft – Dashpot report");
    assert.equal(await page.locator(".problems").count(), 0);
    // Background alone has a few hundred colours; bodies, shadows and grid have thousands.
    assert.ok(await colourCount(page, ".viewer canvas") > 1000);
    assert.match(await text(page, ".readout"), /frame\s+1 \/ 12/);
    assert.match(await text(page, ".body-key"), /bar\s*<ball> & "co"/);
  });
});

test("its numbers are those of the stats file, at every frame", async () => {
  const stats = runs.stats("soft");
  await visit(runs.report("soft"), async (page) => {
    await openNumbers(page);
    for (const line of stats) {
      await seek(page, line.frame - 1);
      assert.deepEqual(await tableNumbers(page), flatten(line));
    }
    const plotted = await page.evaluate(() => window.dashpot.timeline.series(0, (line) => line.total));
    assert.deepEqual(plotted, stats.map((line) => line.total));
  });
});

test("the legend of a plot shows the value of the frame", async () => {
  const line = runs.stats("soft")[7];
  await visit(runs.report("soft"), async (page) => {
    await seek(page, 7);
    const shown = await page.locator(".plot-card").first().locator(".legend output").allInnerTexts();
    const wanted = ["total", "kinetic", "elastic", "gravitational", "dissipated", "work", "lost"];
    wanted.forEach((key, place) => {
      const error = Math.abs(Number(shown[place]) - line[key]);
      assert.ok(error <= 1e-3 * Math.abs(line[key]) + 1e-12, `${key}: ${shown[place]}`);
    });
  });
});

test("positions come out of the page as they went in", async () => {
  const stats = runs.stats("soft");
  await visit(runs.report("soft"), async (page) => {
    for (const line of [stats[0], stats[5], stats[11]]) {
      await seek(page, line.frame - 1);
      await settle(page);
      const { low, high, precision } = await page.evaluate(() => {
        const { surface } = window.dashpot.viewer.cells[0];
        const p = surface.mesh.geometry.getAttribute("position").array;
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        for (let i = 0; i < p.length; ++i) {
          const x = p[i] + surface.surface.origin[i % 3];
          low[i % 3] = Math.min(low[i % 3], x);
          high[i % 3] = Math.max(high[i % 3], x);
        }
        return { low, high, precision: surface.surface.step };
      });
      for (let axis = 0; axis < 3; ++axis) {
        assert.ok(Math.abs(low[axis] - line.bounds[0][axis]) <= precision);
        assert.ok(Math.abs(high[axis] - line.bounds[1][axis]) <= precision);
      }
    }
  });
});

test("it plays by the clock, pauses, and scrubs", async () => {
  await visit(runs.report("soft"), async (page) => {
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.dashpot.player.step > 0);
    assert.equal(await page.locator(".play").getAttribute("aria-label"), "Pause");
    await page.locator(".play").click();
    const paused = await step(page);
    await page.waitForTimeout(200);
    assert.equal(await step(page), paused);

    await page.keyboard.press("Home");
    for (let i = 0; i < 3; ++i) await page.keyboard.press("ArrowRight");
    assert.equal(await step(page), 3);
    await page.keyboard.press("End");
    assert.equal(await step(page), 11);
    const slider = page.locator(".track input");
    const box = await slider.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.ok(Math.abs(await step(page) - 5.5) <= 1);
    await page.keyboard.press("l");
    assert.equal(await page.locator(".transport .quiet-button").getAttribute("aria-pressed"), "false");
    await page.evaluate(() => window.dashpot.player.setSpeed(20));
    await page.keyboard.press("Space");
    await page.waitForFunction(() => !window.dashpot.player.playing);  // it stops at the end
    assert.equal(await step(page), 11);
    await page.keyboard.press("Home");
    await slider.focus();
    const before = await step(page);
    await page.keyboard.press("ArrowRight");
    assert.equal(await step(page), before + 1);
  });
});

test("a click on a curve goes to its frame", async () => {
  await visit(runs.report("soft"), async (page) => {
    const box = await page.locator(".u-over").first().boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height / 2);
    assert.ok(Math.abs(await step(page) - 5.5) <= 0.5);
    await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
    assert.equal(await step(page), 11);
  });
});

test("shadings recolour the bodies and have a scale", async () => {
  await visit(runs.report("soft"), async (page) => {
    await page.keyboard.press("End");
    const colours = async () => {
      await settle(page);
      return page.evaluate(() => {
        const array = window.dashpot.viewer.cells[0].surface.mesh.geometry.getAttribute("color").array;
        return Array.from(array).reduce((sum, each, i) => sum + each * ((i % 97) + 1), 0);
      });
    };
    const seen = new Set([await colours()]);
    for (const [key, label] of [["2", "Stretch"], ["3", "Speed"], ["4", "Dissipation"]]) {
      await page.keyboard.press(key);
      assert.match(await text(page, ".scale"), new RegExp(`${label}[^]*0[^]*≥ \\d`));
      assert.equal(await page.locator(".segments [aria-pressed=true]").innerText(), label);
      seen.add(await colours());
    }
    assert.equal(seen.size, 4);
    await page.keyboard.press("1");
    assert.ok(await page.locator(".scale").isHidden());
    assert.equal(await page.locator(".segments button", { hasText: "Stress" }).count(), 0);
  });
});

test("a shading that the frames do not have says how to get it", async () => {
  runs.simulate("bare", ["--frames", "1-3"], []);
  await visit(runs.report("bare"), async (page) => {
    const button = page.locator(".segments button", { hasText: "Dissipation" });
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    await button.click({ force: true });
    assert.match(await text(page, ".shading-note"), /--attribs dissipation/);
    assert.ok(await page.locator(".scale").isHidden());
    await page.keyboard.press("2");  // stretch needs no attribute
    assert.match(await text(page, ".shading-note"), /measured from frame 1, which was at rest/);
  });
});

test("warnings name their frames, and take one there", async () => {
  const marked = runs.stats("soft").filter((line) => line.status.includes("budgetexhausted"));
  assert.ok(marked.length > 0);
  await visit(runs.report("soft"), async (page) => {
    await page.keyboard.press("Home");
    assert.match(await text(page, ".warnings"), /iteration budget ended/);
    await page.locator(".warnings .chips button").first().click();
    assert.equal(await step(page), marked[0].frame - 1);
  });
});

test("two runs share a timeline, a camera and a scale", async () => {
  const short = runs.simulate("short", ["--frames", "1-8"]);
  await visit(runs.report("soft", "stiff", short), async (page) => {
    assert.deepEqual(await page.locator(".cell-name").allInnerTexts(), ["soft", "stiff", "short"]);
    await page.keyboard.press("End");
    await settle(page);
    assert.deepEqual(await page.locator(".cell-note").allInnerTexts(), ["", "", "ended at frame 8"]);
    await openNumbers(page);
    assert.deepEqual(await tableNumbers(page, 0), flatten(runs.stats("soft")[11]));
    assert.deepEqual(await tableNumbers(page, 1), flatten(runs.stats("stiff")[11]));
    assert.deepEqual(await tableNumbers(page, 2), {});
    const differing = await page.locator(".parameters tr.differs th").allInnerTexts();
    assert.ok(differing.includes("youngsmodulus"));
    assert.ok(!differing.includes("gravity"));
    const plot = page.locator(".plot-card").first();
    assert.equal(await plot.locator(".legend button").count(), 3);
    await plot.locator("select").selectOption("kinetic");
    const shown = Number(await plot.locator(".legend output").nth(1).innerText());
    const wanted = runs.stats("stiff")[11].kinetic;
    assert.ok(Math.abs(shown - wanted) <= 1e-3 * wanted);
  });
});

test("the view turns by mouse and by keys", async () => {
  await visit(runs.report("soft", "stiff"), async (page) => {
    const eye = () => page.evaluate(() => window.dashpot.viewer.eye);
    const start = await eye();
    const box = await page.locator(".viewer").boundingBox();
    await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4 + 90, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    assert.notDeepEqual(await eye(), start);
    await page.keyboard.press("v");
    const near = (a, b) => a.every((each, i) => Math.abs(each - b[i]) < 1e-6);
    assert.ok(near(await eye(), start));
    await page.locator(".viewer canvas").focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("+");
    assert.ok(!near(await eye(), start));
    assert.equal(await step(page), 0);
  });
});

test("everything is within reach of the keyboard", async () => {
  await visit(runs.report("soft"), async (page) => {
    const reached = new Set();
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => {
        const { tagName, className, ariaLabel } = document.activeElement;
        return `${tagName} ${className} ${ariaLabel ?? ""}`;
      }));
    }
    const all = [...reached].join("\n");
    for (const wanted of ["CANVAS", "BUTTON play", "INPUT  Frame", "SELECT  Speed", "BUTTON quiet-button"])
      assert.ok(all.includes(wanted), `${wanted} not in\n${all}`);
    await page.keyboard.press("?");
    assert.match(await text(page, "dialog"), /play or pause/);
    await page.locator("dialog summary").click();
    assert.match(await text(page, "dialog pre"), /three[^]*MIT[^]*uplot[^]*MIT/i);
    await page.keyboard.press("Escape");
    assert.ok(await page.locator("dialog").isHidden());
  });
});

test("light or dark follows the system, or the key", async () => {
  await visit(runs.report("soft"), async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.keyboard.press("t");
    assert.equal(await theme(), "light");
  }, { colorScheme: "dark" });
});

test("a narrow window needs no sideways scrolling", async () => {
  await visit(runs.report("soft", "stiff"), async (page) => {
    const overflow = await page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  }, { viewport: { width: 380, height: 720 } });
});

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
    assert.ok(await colourCount(page, ".viewer canvas") > 1000);
    await openNumbers(page);
    assert.deepEqual(await tableNumbers(page), flatten(runs.stats("single")[0]));
  });
});

test("numbers that are none become gaps", async () => {
  await visitDamaged("nan", (name) => runs.edit(`${name}/stats.jsonl`, (all) => {
    const lines = all.split("\n");
    lines[4] = lines[4].replace(/"kinetic":[^,]+/, '"kinetic":NaN').replace(/"total":[^,]+/, '"total":-Infinity');
    return lines.join("\n");
  }), async (page, problems) => {
    assert.match(problems, /no finite number for kinetic in frame 5/);
    const series = await page.evaluate(() => window.dashpot.timeline.series(0, (line) => line.kinetic));
    assert.equal(series[4], null);
    assert.equal(series[5], runs.stats("soft")[5].kinetic);
    await seek(page, 4);
    assert.equal((await tableNumbers(page)).kinetic, null);
  });
});

test("numbers of a run that exploded do not break the page", async () => {
  await visitDamaged("exploded", (name) => {
    runs.remove(`${name}/f.0012.bgeo.sc`);  // so that there is a problem to show
    runs.edit(`${name}/stats.jsonl`, (all) => all.split("\n").map((line, place) => place < 8 ? line
      : line.replace(/"total":[^,]+/, `"total":3e${10 * place}`)
        .replace(/"primal_residual":[^,]+/, `"primal_residual":1e${5 * place}`)).join("\n"));
  }, async (page) => {
    await page.keyboard.press("End");
    assert.equal(await page.locator(".plot-card .legend output").first().innerText(), "3e110");
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
    assert.ok(await colourCount(page, ".viewer canvas") > 1000);
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
