// node build.mjs DIRECTORY: bundles src/ with the packages in DIRECTORY/node_modules into
// DIRECTORY/page.html, which is the page without data, and DIRECTORY/page.cpp, which holds it.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
const modules = join(out, "node_modules");
const { buildSync } = createRequire(join(out, "package.json"))("esbuild");

// esbuild keeps the licence comments that sources have; uPlot's text is only in its LICENSE.
function notices() {
  return ["three", "uplot"].map((name) => {
    const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
    const licence = readFileSync(join(modules, name, "LICENSE"), "utf8").trim();
    return `${name} ${version}\n\n${licence}`;
  }).join("\n\n----\n\n");
}

function bundle(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    nodePaths: [modules],
    legalComments: "none",  // all notices are in the page's own element
    logLevel: "warning",
  });
  return outputFiles[0].text;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const pieces = {
  "<!--dashpot-notices-->": escaped(notices()),
  "/*dashpot-style*/": bundle("style.css"),
  "/*dashpot-script*/": bundle("main.ts").replaceAll("</script", "<\\/script"),
};
let html = readFileSync(join(here, "src", "page.html"), "utf8");
for (const [mark, text] of Object.entries(pieces)) {
  if (!html.includes(mark)) throw new Error(`page.html has no ${mark}`);
  html = html.replace(mark, () => text);
}
writeFileSync(join(out, "page.html"), html);

const packed = deflateSync(Buffer.from(html), { level: 9 });
const rows = [];
for (let i = 0; i < packed.length; i += 24) rows.push([...packed.subarray(i, i + 24)].join(","));
writeFileSync(join(out, "page.cpp"), `// Made by standalone/report/page/build.mjs.
#include "standalone/report/page_template.h"

namespace dashpot {
namespace {
const unsigned char kPage[] = {
${rows.join(",\n")}};
}  // namespace

PageTemplate page_template() {
  return {kPage, sizeof(kPage), ${Buffer.byteLength(html)}};
}

}  // namespace dashpot
`);
