// The report page of whole runs, driven as a reader would. Usage:
//   node report_page_test.mjs DASHPOT_PROGRAM PAGE_BUILD_FOLDER
import assert from "node:assert/strict";
import { test } from "node:test";
import { flatten, isDrawn, openNumbers, reset, seek, settle, startTests, step, tableNumbers, text } from "./page_tools.mjs";

const { runs, open } = startTests((made) => {
  made.simulate("soft");
  made.simulate("stiff", ["--set", "body.bar.youngsmodulus=5e5"]);
  made.simulate("short", ["--frames", "1-8"]);
});

const visit = async (file, body, options) => {
  const { page, close } = await open(file, options);
  await body(page);
  await close();
};

const scaleFields = (page) => page.locator(".scale input");

// Opening a page takes longer than most tests do with it: one run and three runs are opened once.
const reports = { one: ["soft"], three: ["soft", "stiff", "short"] };
const pages = {};
const on = (name, body) => async () => {
  pages[name] ??= await open(runs.report(...reports[name]));
  const { page } = pages[name];
  await page.bringToFront();
  await reset(page);
  await body(page);
};

test("it loads from a file, draws, and says what it shows", on("one", async (page) => {
  assert.equal(await page.title(), "soft – Dashpot report");
  assert.equal(await page.locator(".problems").count(), 0);
  await isDrawn(page);
  assert.match(await text(page, ".readout"), /frame\s+1 \/ 12/);
  assert.match(await text(page, ".body-key"), /bar\s*<ball> & "co"/);
}));

test("its numbers are those of the stats file, at every frame", on("one", async (page) => {
  const stats = runs.stats("soft");
  await openNumbers(page);
  for (const line of stats) {
    await seek(page, line.frame - 1);
    assert.deepEqual(await tableNumbers(page), flatten(line));
  }
  const plotted = await page.evaluate(() => window.dashpot.timeline.series(0, (line) => line.total));
  assert.deepEqual(plotted, stats.map((line) => line.total));
}));

test("the legend of a plot shows the value of the frame", on("one", async (page) => {
  const line = runs.stats("soft")[7];
  await seek(page, 7);
  const shown = await page.locator(".plot-card").first().locator(".legend output").allInnerTexts();
  const wanted = ["total", "kinetic", "elastic", "gravitational", "dissipated", "work", "lost"];
  wanted.forEach((key, place) => {
    const error = Math.abs(Number(shown[place]) - line[key]);
    assert.ok(error <= 1e-3 * Math.abs(line[key]) + 1e-12, `${key}: ${shown[place]}`);
  });
}));

test("positions come out of the page as they went in", on("one", async (page) => {
  const stats = runs.stats("soft");
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
}));

test("it plays by the clock, pauses, and scrubs", on("one", async (page) => {
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
}));

test("a click on a curve goes to its frame", on("one", async (page) => {
  await page.locator(".u-over").first().scrollIntoViewIfNeeded();
  const box = await page.locator(".u-over").first().boundingBox();
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height / 2);
  assert.ok(Math.abs(await step(page) - 5.5) <= 0.5);
  await page.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
  assert.equal(await step(page), 11);
}));

test("shadings recolour the bodies and have a scale", on("one", async (page) => {
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
    assert.match(await text(page, ".scale"), new RegExp(label));
    assert.ok(Number(await scaleFields(page).nth(1).inputValue()) > 0);
    assert.equal(await page.locator(".segments [aria-pressed=true]").innerText(), label);
    seen.add(await colours());
  }
  assert.equal(seen.size, 4);
  await page.keyboard.press("1");
  assert.ok(await page.locator(".scale").isHidden());
  assert.equal(await page.locator(".segments button", { hasText: "Stress" }).count(), 0);
}));

test("the range of colours can be typed, and is fitted on request", on("one", async (page) => {
  await page.keyboard.press("End");
  await page.keyboard.press("2");
  const [low, high] = [scaleFields(page).nth(0), scaleFields(page).nth(1)];
  /** The places of the lowest and highest stored value in the colour map. */
  const colours = () => page.evaluate(() => Array.from(window.dashpot.viewer.colours));
  const own = await high.inputValue(), before = await colours();
  assert.equal(before[0], 0);
  assert.equal(before[255], 255);
  await high.fill(String(Number(own) * 1e3));
  await high.press("Enter");
  assert.ok((await colours())[255] < 200);
  assert.equal(await page.locator(".segments [aria-pressed=true]").innerText(), "Stretch");  // digits are no shortcuts here
  await low.fill("much");
  await low.press("Enter");
  assert.equal(await low.inputValue(), "0");
  await page.locator(".scale button", { hasText: "all frames" }).click();
  assert.equal(await high.inputValue(), own);
  assert.deepEqual(await colours(), before);
  await page.keyboard.press("Home");
  await seek(page, 1);
  await page.locator(".scale button", { hasText: "this frame" }).click();
  assert.ok(Number(await high.inputValue()) < Number(own));  // it has only begun to bend
}));

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

test("warnings name their frames, and take one there", on("one", async (page) => {
  const marked = runs.stats("soft").filter((line) => line.status.includes("budgetexhausted"));
  assert.ok(marked.length > 0);
  await page.keyboard.press("Home");
  assert.match(await text(page, ".warnings"), /iteration budget ended/);
  await page.locator(".warnings .chips button").first().click();
  assert.equal(await step(page), marked[0].frame - 1);
}));

test("two runs share a timeline, a camera and a scale", on("three", async (page) => {
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
}));

test("the view turns by mouse and by keys", on("three", async (page) => {
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
}));

test("everything is within reach of the keyboard", on("one", async (page) => {
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
}));

test("light or dark follows the system, or the key", async () => {
  await visit(runs.report("soft"), async (page) => {
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "dark");
    await page.keyboard.press("t");
    assert.equal(await theme(), "light");
  }, { colorScheme: "dark" });
});

test("a narrow window needs no sideways scrolling", on("three", async (page) => {
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 380, height: 720 });
  await settle(page);
  const overflow = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  await page.setViewportSize({ width, height });
}));

test("colliders are where they were in the run", async () => {
  const made = runs.simulateScene("lift", `
[simulation]
frames = [1, 6]
[[body]]
name = "ball"
geometry = { type = "sphere", radius = 0.2, cells = 4 }
translate = [0, 0.5, 0]
[[collider]]
name = "block"
shape = { type = "box", size = [0.4, 0.1, 0.4], voxelsize = 0.05 }
translate = [0, 0.2, 0]
velocity = [0, 1.2, 0]
[[collider]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
friction = 0.75
[[collider]]
name = "wall"
plane = { point = [-1, 0, 0], normal = [1, 0, 0] }
`);
  await visit(runs.report(made), async (page) => {
    await isDrawn(page);
    /** Heights between which the block is drawn, and how many planes there are. */
    const drawn = () => page.evaluate(() => {
      const { colliders, ground } = window.dashpot.viewer.cells[0];
      const [block, floor, wall] = colliders.shown;
      const { mesh, heights } = { mesh: block.meshes[0], heights: [] };
      mesh.updateWorldMatrix(true, false);
      const p = mesh.geometry.getAttribute("position");
      for (let i = 0; i < p.count; ++i) heights.push(mesh.position.clone().fromBufferAttribute(p, i).applyMatrix4(mesh.matrixWorld).y);
      return {
        low: Math.min(...heights), high: Math.max(...heights), visible: mesh.visible, ground,
        floor: floor.plane.group.position.y, wall: wall.plane.group.position.x,
      };
    });
    const near = (a, b) => assert.ok(Math.abs(a - b) < 0.01, `${a} is not ${b}`);
    let block = await drawn();
    assert.ok(block.visible);
    assert.equal(block.ground, null);  // the scene's own floor is enough
    /** How far from the middle of the view, 0 to 1, the block's corners come in all frames. */
    const furthest = await page.evaluate(() => {
      const { camera, bounds } = window.dashpot.viewer;
      const places = [-0.2, 0.2].flatMap((x) => [-0.2, 0.2].flatMap((z) => [0.15, 0.25 + 1.2 * 5 / 24].map((y) => {
        const p = bounds.min.clone().set(x, y, z).project(camera);
        return Math.max(Math.abs(p.x), Math.abs(p.y));
      })));
      return Math.max(...places);
    });
    assert.ok(furthest < 1, `the block is cut off at ${furthest}`);
    near(block.low, 0.15);
    near(block.high, 0.25);
    near(block.floor, 0);
    near(block.wall, -1);
    await page.keyboard.press("End");
    await settle(page);
    block = await drawn();
    near(block.low, 0.15 + 1.2 * 5 / 24);
    const scene = await page.locator(".parameters").evaluate((card) => card.textContent);
    assert.match(scene, /Collider floor[^]*friction0.75/);
    const titles = await page.locator(".plot-card h3").allInnerTexts();
    assert.ok(titles.some((each) => each.startsWith("Penetration")));
  });
});

test("contacts are shown where bodies touch, as large as their forces", async () => {
  const made = runs.simulateScene("landing", `
[simulation]
frames = [1, 12]
[[body]]
name = "block"
geometry = { type = "box", size = [0.4, 0.2, 0.4], cells = [2, 1, 2] }
translate = [0, 0.1, 0]
[[collider]]
name = "floor"
plane = { point = [0, 0, 0], normal = [0, 1, 0] }
`, ["--attribs", "contacts"]);
  await visit(runs.report(made), async (page) => {
    const contacts = () => page.evaluate(() => {
      const { viewer } = window.dashpot;
      const [{ contacts }] = viewer.cells;
      return {
        on: viewer.contacts, visible: contacts.group.visible, drawn: contacts.meshes.dots.count,
        frame: contacts.frames[window.dashpot.player.step].map(({ place, arrow }) => [...place, ...arrow]),
      };
    });
    const button = page.locator(".contact-switch");
    assert.equal((await contacts()).visible, false);
    assert.equal(await page.locator(".contact-key").isVisible(), false);
    await seek(page, 11);
    await button.click();
    await settle(page);
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    assert.match(await text(page, ".contact-key"), /sticks\s*slips\s*longest arrow ≥ [0-9.]+ N/);
    const { drawn, frame, visible } = await contacts();
    assert.ok(visible);
    assert.equal(drawn, frame.length);
    assert.equal(frame.length, 9);  // points of its base
    for (const [x, y, z, along, up, across] of frame) {
      assert.ok(Math.abs(y) < 1e-3 && Math.abs(x) < 0.21 && Math.abs(z) < 0.21);
      assert.ok(up > 0 && Math.hypot(along, across) < up);
    }
    // At rest they carry the weight: 0.032 m³ of water.
    const { top } = await page.evaluate(() => window.dashpot.report.contacts);
    const carried = top * frame.reduce((sum, contact) => sum + contact[4], 0);
    assert.ok(Math.abs(carried - 32 * 9.81) < 0.05 * 32 * 9.81, `${carried} N`);
    await page.keyboard.press("c");
    assert.equal((await contacts()).on, false);
  });
});

test("without contacts in the frames there is no switch for them", on("one", async (page) => {
  assert.equal(await page.locator(".contact-switch").isVisible(), false);
  await page.keyboard.press("c");
  assert.equal(await page.evaluate(() => window.dashpot.viewer.contacts), false);
}));

test("after all that, no page has complained or asked the network", async () => {
  for (const { close } of Object.values(pages)) await close();
});
