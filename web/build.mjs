// SPDX-License-Identifier: Apache-2.0
// Builds the page from src/ into dist/: `npm ci && npm run build`. The result is committed, so that Swell builds without npm.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
await build({
  entryPoints: { app: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome109", "firefox115", "safari16"],
  legalComments: "none", // LICENCES.txt has them
  charset: "utf8",
  outdir: "dist",
});
for (const name of ["index.html", "icon.svg"]) copyFileSync(`src/${name}`, `dist/${name}`);

const notes = ["What is inside app.js and app.css besides Swell's own page (Apache-2.0):"];
for (const name of ["three", "uplot"]) {
  const about = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  notes.push(`${name} ${about.version}`, readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim());
}
writeFileSync("dist/LICENCES.txt", `${notes.join("\n\n")}\n`);
