// Screenshots of the inspection page, one for each fault of the example `hang`, for the book.
//
// `integration/inspect-page/run-hangs FOLDER` stores them in FOLDER.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

const { chromium } = createRequire(`${process.env.DRIVER}/`)("playwright-core");
const VIEW = { viewport: { width: 1200, height: 760 }, colorScheme: "light" };
/** The picture of slow polls has the histogram, which is at the end of the page. */
const HEIGHTS = { "slow-polls": 1000 };
const WAIT_MS = 6000;
const FAULTS = [
  "crossed-locks", "held-future", "held-group", "cycle", "blocking-lock", "endless-loop",
  "slow-polls", "leak", "far-timer", "silent-peer", "held-guard", "missing-reply",
];

/** Runs the fault, opens its first finding, and stores what the page shows. */
async function picture(browser, fault) {
  const child = spawn(process.env.PROGRAM, [fault, "--page", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(child.stdout, "data");
    const context = await browser.newContext(VIEW);
    const page = await context.newPage();
    if (HEIGHTS[fault]) await page.setViewportSize({ ...VIEW.viewport, height: HEIGHTS[fault] });
    await page.goto(String(line).trim());
    await page.waitForTimeout(WAIT_MS);
    const finding = page.locator("#findings button").first();
    if (await finding.count()) {
      await finding.click();
      await page.waitForSelector("#task h3", { timeout: 10_000 }).catch(() => undefined);
    }
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${fault}.png` });
    await context.close();
  } finally {
    child.kill("SIGKILL");
  }
}

const args = process.getuid && process.getuid() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
const only = process.argv.slice(2);
for (const fault of FAULTS.filter(name => !only.length || only.includes(name))) {
  await picture(browser, fault);
  console.log(fault);
}
await browser.close();
