// Headless Chromium, and what a page may not do in it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findChromium() {
  return process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
}

/** `modules` is the folder that holds package.json and node_modules of the page. */
export async function launch(modules) {
  const { chromium } = createRequire(join(resolve(modules), "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}

/** Opens a report from its file and waits until it is unpacked. */
export async function openReport(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1060, height: 520 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90000);  // of a machine that is busy with other tests
  const complaints = [], requests = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // SwiftShader comments on the speed of reading pixels.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text()))
      complaints.push(message.text());
  });
  page.on("request", (request) => requests.push(request.url()));
  const url = pathToFileURL(file).href;
  await page.goto(url);
  await page.waitForSelector("html[data-ready=yes]");
  return {
    page,
    /** Ends the visit: the page was silent and asked nobody for anything. */
    async close() {
      assert.deepEqual(complaints, []);
      assert.deepEqual(requests.filter((each) => each !== url && !each.startsWith("blob:")), []);
      await context.close();
    },
  };
}

/** How many different colours an element shows. */
export async function colourCount(page, selector) {
  const png = (await page.locator(selector).screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    image.src = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return new Set(pixels).size;
  }, png);
}
