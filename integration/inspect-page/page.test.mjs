// Tests of the inspection page, in a headless Chromium that Playwright drives.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

const { chromium } = createRequire(`${process.env.DRIVER}/`)("playwright-core");
const TASKS = 10_000;
const DESKTOP = { viewport: { width: 1400, height: 900 }, colorScheme: "light" };
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true };
let browser, service;

/** Starts the service, and returns its process and the URL of its page. */
async function start(...args) {
  const child = spawn(process.env.PROGRAM, args.map(String), { stdio: ["pipe", "pipe", "ignore"] });
  const [line] = await once(child.stdout, "data");
  return { child, url: String(line).trim() };
}
async function stop({ child }) {
  child.stdin.end();
  await once(child, "exit");
}

/** Opens the page, and fails the test after any error of the page. */
async function open(t, options = DESKTOP, url = service.url, hash = "") {
  const context = await browser.newContext(options), page = await context.newPage();
  const errors = [], requests = [];
  page.on("pageerror", error => errors.push(error.stack));
  page.on("console", message => { if (message.type() === "error") errors.push(message.text()); });
  page.on("request", request => requests.push(request.url()));
  t.after(async () => {
    await context.close();
    const serious = errors.filter(text => !page.expected || !page.expected.test(text));
    assert.deepEqual(serious, []);
    for (const request of requests) assert.ok(request.startsWith(url) || request.startsWith("data:"), request);
  });
  await page.goto(url + hash);
  page.requests = requests;
  return page;
}
async function openWithTasks(...args) {
  const page = await open(...args);
  await page.waitForSelector("#rows .row");
  return page;
}
/** Stores a screenshot if a folder for them is set. */
async function picture(page, name) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
}
const texts = (page, selector) => page.locator(selector).allInnerTexts();
async function search(page, words) {
  await page.fill("#search", words);
  await page.waitForFunction(() => /found/.test(document.querySelector("#tasksTitle").textContent));
}
async function openTask(page, words) {
  await search(page, words);
  await page.locator("#rows .row").first().click();
  await page.waitForSelector("#task h3");
}

before(async () => {
  const args = process.getuid && process.getuid() === 0 ? ["--no-sandbox"] : [];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
  service = await start(TASKS);
});
after(async () => {
  await browser.close();
  await stop(service);
});

test("findings and groups name the faults", async t => {
  const page = await openWithTasks(t);
  await page.waitForFunction(() => /for \d/.test(document.querySelector("#workers").textContent), null, { timeout: 60_000 });
  assert.match((await texts(page, "#findings button")).join("\n"), /cycle/);
  assert.match((await texts(page, "#groups .group")).join("\n"), /10,000\s[\s\S]*ReadFrame at await sleep/);
  assert.match(await page.innerText("#summary"), /town, pid \d+ \| 10,206 tasks/);
  assert.match(await page.innerText("#workers"), /parse \(\d+\.\d+\) for/);
  await picture(page, "desktop-light");
});

test("poll of unknown waits is offered above the findings", async t => {
  const own = await start(100);
  const page = await openWithTasks(t, DESKTOP, own.url);
  t.after(() => stop(own));
  // The two tasks of the cycle are async blocks.
  await page.waitForSelector("#offer:not([hidden])", { timeout: 60_000 });
  assert.match(await page.innerText("#offerText"), /^\d+ idle tasks? of \d+ shows? only where (it was|they were) spawned, so findings have no line\./);
  const [offer, list] = await Promise.all(["#offer", "#findings"].map(part => page.locator(part).boundingBox()));
  assert.ok(offer.y + offer.height <= list.y && offer.y < 120, JSON.stringify(offer));
  const cycle = () => page.locator("#findings button", { hasText: "cycle:" }).first().innerText();
  assert.match(await cycle(), /, spawned at src\/main\.rs/);
  await picture(page, "desktop-offer");
  await page.click("#pollUnknown");
  await page.waitForFunction(() => /^Poll again$/.test(document.querySelector("#pollUnknown").innerText), null, { timeout: 60_000 });
  assert.match(await page.innerText("#offerText"), /tasks polled/i);
  assert.doesNotMatch(await cycle(), /, spawned at/);
  assert.equal(await page.locator("#findings button", { hasText: "cycle:" }).count(), 1);
  // The results are kept when the tasks are loaded again.
  const loads = page.requests.filter(request => /dump\.json/.test(request)).length;
  await page.click("#reload");
  while (page.requests.filter(request => /dump\.json/.test(request)).length === loads) await page.waitForTimeout(50);
  await page.waitForTimeout(500);
  assert.doesNotMatch(await cycle(), /, spawned at/);
  await page.keyboard.press("f");
  await page.waitForFunction(() => /^Poll of \d+ ms ago: /.test(document.querySelector("#offerText").innerText), null, { timeout: 60_000 });
});

test("poll is a note at the tasks if each finding has a line", async t => {
  const page = await openWithTasks(t);
  const shown = await page.evaluate(() => {
    const current = summary, currentTasks = byId, draw = (trace, findings) => {
      byId = new Map([["1.1", { state: "i", trace }]]);
      summary = { ...current, workers: [], findings, groups: [{ idle: 7, count: 9, spawned: 0, trace: [] }] };
      drawOffer();
      return [$("offer").hidden, $("unknownNote").textContent];
    };
    const finding = { kind: "lock_waits", severity: "warning", tasks: ["1.1"], text: "locks: a" };
    const all = [draw([["Write"]], [finding]), draw([], [finding]), draw([["Write"]], [])];
    summary = current; byId = currentTasks; drawOffer();
    return all;
  });
  assert.equal(shown[0][0], true);
  assert.match(shown[0][1], /^7 idle tasks of 9 show only where they were spawned$/);
  assert.deepEqual(shown.slice(1), [[false, ""], [false, ""]]);
});

test("each clause of a finding has a line", async t => {
  const page = await openWithTasks(t);
  const texts = await page.locator("#findings button").allInnerTexts();
  assert.ok(texts.length > 2 && texts.every(text => !text.includes("; ") && !text.includes("`")), texts.join("\n"));
  const lines = await page.locator("#findings button", { hasText: "cycle:" }).first().locator(".clause").allInnerTexts();
  assert.ok(lines.length >= 2, lines.join("\n"));
  assert.match(await page.locator("#findings button b").first().innerText(), /^[\w ]+:$/);
});

test("clause about the poll is on findings with a time", async t => {
  const page = await openWithTasks(t);
  const clauses = await page.evaluate(() => ["cycle: task 1.1 waits for itself", "locks: 2 tasks waited for up to 2.5 s; a"]
    .map(text => clausesOf({ kind: "cycle", tasks: [], text, isOfPoll: true }).length));
  assert.deepEqual(clauses, [1, 3]);
});

test("finding with more tasks than its list has both numbers", async t => {
  const page = await openWithTasks(t);
  const titles = await page.evaluate(() => {
    const current = tasks, row = id => ({ id, flags: 0, name: "", state: "i", ms: 1, polls: 1, trace: [], waits: [], spawned: ["spawn", "", "a.rs", 1, 1] });
    tasks = [row("1.1"), row("2.1"), row("3.1")];
    const made = [2, 9999].map(count => {
      finding = { kind: "lock_waits", count, tasks: ["1.1", "2.1"], text: "locks: a" };
      select();
      return $("tasksTitle").textContent;
    });
    finding = null; tasks = current; select();
    return made;
  });
  assert.deepEqual(titles, ["Tasks: 2 of the finding", "Tasks: 2 of the 9,999 of the finding, those in their state for longest"]);
});

test("finding about a crowd lists its whole group", async t => {
  const page = await openWithTasks(t);
  await page.locator("#findings button", { hasText: "many tasks:" }).first().click();
  await page.waitForFunction(() => /tasks: 10,000 in the group/i.test(document.querySelector("#tasksTitle").innerText));
});

test("one task waited for its time, not for up to it", async t => {
  const page = await openWithTasks(t);
  const lines = await page.evaluate(() => {
    const current = summary, line = (idle, shortest_ms = 2500) => {
      summary = { ...current, groups: [{ idle, longest_ms: 2500, shortest_ms, trace: [], spawned: 0 }], places: [["spawn", "", "src/a.rs", 7, 9]] };
      return drawLongWaits().textContent;
    };
    const made = [line(1), line(2), line(2, 20)];
    summary = current;
    return made;
  });
  assert.deepEqual(lines, [
    "No finding, but 1 task waited for 2.5 s: spawned at src/a.rs:7:9.",
    "No finding, but 2 tasks waited for up to 2.5 s: spawned at src/a.rs:7:9.",
    "No finding, but some of 2 tasks waited for up to 2.5 s: spawned at src/a.rs:7:9.",
  ]);
});

test("histogram has a title and the counts of slow polls", async t => {
  const page = await openWithTasks(t);
  assert.match(await page.innerText("#polls"), /^[\d,]+ polls of all workers by duration, sampled\. Each bar covers twice the times of the bar before it/);
  assert.match(await page.innerText("#polls .scale"), /^below [\d.]+ [mµ]?s\s*below [\d.]+ [mµ]?s$/);
  const slow = await page.evaluate(() => {
    const current = summary;
    summary = { workers: [{ polls_by_time: [...new Array(28).fill(1), 3] }] };
    drawPolls();
    const lines = [...document.querySelectorAll("#polls .error")].map(line => line.textContent);
    summary = current;
    return lines;
  });
  assert.deepEqual(slow, ["bar of 67 ms to 134 ms: about 1 poll", "bar of 134 ms to 268 ms: about 3 polls"]);
});

test("spawns show their change since the page was opened", async t => {
  const own = await start(100);
  const page = await openWithTasks(t, DESKTOP, own.url);
  t.after(() => stop(own));
  await page.keyboard.press("s");
  assert.match((await texts(page, "#groups .group")).join("\n"), /spawned at\s[\s\S]*\n100\s[\s\S]*main\.rs:\d+:\d+/i);
  await page.waitForTimeout(1500);
  own.child.stdin.write("x");
  await page.waitForFunction(() => [...document.querySelectorAll("#groups .group")]
    .some(row => row.children[0].textContent === "10" && row.children[2].textContent === "+10"), null, { timeout: 20_000 });
  // The change since the page was opened stays, and the one since the last answer ends.
  await page.waitForFunction(() => [...document.querySelectorAll("#groups .group")]
    .some(row => row.children[1].textContent === "" && row.children[2].textContent === "+10"), null, { timeout: 20_000 });
  await page.locator("#groups .group", { hasText: /^10\D/ }).first().click();
  await page.waitForFunction(() => /tasks: 10 of the spawn/i.test(document.querySelector("#tasksTitle").innerText), null, { timeout: 20_000 });
  // The group of these tasks has grown from one task.
  await page.waitForFunction(() => [...document.querySelectorAll("#findings .clause")]
    .some(line => /^10 tasks spawned at .*main\.rs:\d+:\d+ are alive, 10 more than when this page was opened/.test(line.innerText)), null, { timeout: 60_000 });
  await picture(page, "desktop-spawns");
  await page.click("#byWait");
  assert.match((await texts(page, "#groups .group")).join("\n"), /Retry at await sleep/);
});

test("groups show their change", async t => {
  const own = await start(100);
  const page = await openWithTasks(t, DESKTOP, own.url);
  t.after(() => stop(own));
  own.child.stdin.write("x");
  await page.waitForFunction(() => [...document.querySelectorAll("#groups .group")]
    .some(row => /^11\s*\+10\s/.test(row.innerText)), null, { timeout: 20_000 });
});

test("table of all tasks has few elements", async t => {
  const page = await openWithTasks(t);
  assert.ok(await page.locator("#rows .row").count() < 80);
  assert.match(await page.innerText("#tasksTitle"), /tasks: 10,206/i);
  await page.locator("#columns button", { hasText: "id" }).click();
  await page.locator("#columns button", { hasText: "id" }).click();
  await page.evaluate(() => { const pane = document.querySelector("#table"); pane.scrollTop = pane.scrollHeight; });
  await page.waitForFunction(() => /^10205\./.test([...document.querySelectorAll("#rows .row")].at(-1).innerText));
  assert.ok(await page.locator("#rows .row").count() < 80);
});

test("search and keys select tasks", async t => {
  const page = await openWithTasks(t);
  await page.keyboard.press("/");
  await page.keyboard.type("keep-alive");
  await page.waitForFunction(() => /tasks: 200 found/i.test(document.querySelector("#tasksTitle").innerText));
  await page.locator("#table").focus();
  await page.keyboard.press("j");
  await page.waitForSelector("#task h3");
  const first = await page.innerText("#task h3");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(before => { const head = document.querySelector("#task h3"); return head && head.innerText !== before; }, first);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => /10,206/.test(document.querySelector("#tasksTitle").innerText));
  assert.match(await page.innerText("#task"), /Select a finding/);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#keys").isVisible());
});

test("group and finding filter the tasks", async t => {
  const page = await openWithTasks(t);
  await page.locator("#groups .group", { hasText: "KeepAlive" }).click();
  await page.waitForFunction(() => /tasks: 200 in the group/i.test(document.querySelector("#tasksTitle").innerText));
  await page.click("#clear");
  await page.waitForFunction(() => /tasks: 10,206/i.test(document.querySelector("#tasksTitle").innerText));
  await page.locator("#findings button", { hasText: "cycle" }).first().click();
  await page.waitForFunction(() => /tasks: 2 of the finding/i.test(document.querySelector("#tasksTitle").innerText));
  await page.waitForSelector("#task h3");
  await page.locator("#task a").first().click();
  await page.waitForFunction(() => /index|flusher/.test(document.querySelector("#task h3")?.innerText));
});

test("task shows its futures and its diagram", async t => {
  const page = await openWithTasks(t);
  await openTask(page, "session");
  assert.match(await page.innerText("#task"), /idle for .*polled 1 time/);
  const futures = await texts(page, "#task .future");
  assert.match(futures.join("\n"), /Session at await read_frame[\s\S]*ReadFrame at await sleep/);
  assert.ok(await page.locator("#task .future.lit").count() >= 1);
  const diagram = page.locator("#task svg", { hasText: "await read_frame" });
  assert.equal(await diagram.locator("g.current text").first().textContent(), "await read_frame");
  assert.ok(await diagram.locator("path[marker-end]").count() >= 3);
  await picture(page, "desktop-task");
});

test("poll shows where plain futures wait", async t => {
  const page = await openWithTasks(t);
  await openTask(page, "index");
  assert.doesNotMatch((await texts(page, "#task .future")).join("\n"), /main\.rs/);
  await page.click("#pollTask");
  await page.waitForFunction(() => /found by a poll/i.test(document.querySelector("#task").innerText));
  assert.match((await texts(page, "#task .future")).join("\n"), /main\.rs:\d+|spawn_cycle/);
  assert.match(await page.innerText("#pollNote"), /^1 task polled$/i);
  await picture(page, "desktop-poll");
  await page.click("#poll");
  await page.waitForFunction(() => /^[\d,]{5,} tasks polled\. No awaits are known of others: /i.test(document.querySelector("#pollNote").innerText), null, { timeout: 60_000 });
  assert.match(await page.innerText("#pollNote"), /\b(1 task was|\d+ tasks were) being polled by a thread/i);
});

test("click on a finding opens the task that its text names first", async t => {
  const page = await openWithTasks(t);
  await page.waitForFunction(() => /blocked worker/.test(document.querySelector("#findings").textContent), null, { timeout: 60_000 });
  const findings = page.locator("#findings button"), total = await findings.count();
  let opened = 0;
  for (let index = 0; index < total; index++) {
    const id = /(?:task|job) (\d+\.\d+|#\d+)/.exec(await findings.nth(index).innerText())?.[1];
    if (!id) continue;
    await findings.nth(index).click();
    await page.waitForFunction(id => document.querySelector("#task h3")?.innerText.endsWith(id), id);
    await page.keyboard.press("Escape");
    opened += 1;
  }
  assert.ok(opened >= 2, `${opened} of ${total}`);
});

test("finding of a job shows its row and opens it", async t => {
  const page = await openWithTasks(t);
  const shown = await page.evaluate(() => {
    const current = [tasks, choose], opened = [];
    const row = (id, flags) => ({ id, flags, name: "", state: "r", ms: 1, polls: 1, trace: [], waits: [], spawned: ["spawn", "", "a.rs", 1, 1] });
    tasks = [row("#1", 8), row("1.1", 0), row("2.1", 0)]; choose = id => opened.push(id);
    chooseFinding({ kind: "long_job", severity: "warning", tasks: ["1.1"], jobs: ["#1"], text: "long job: a" });
    const ids = shown.map(row => row.id).sort();
    finding = null; [tasks, choose] = current; select();
    return [opened, ids, functionOf("volt::a::BlockingJob<app::main::{{closure}}::{{closure}}>"), functionOf("app::serve")];
  });
  assert.deepEqual(shown, [["#1"], ["#1", "1.1"], "a closure in app::main", "app::serve"]);
});

test("times of a task and of its group are those of one dump", async t => {
  const own = await start(100);
  const page = await openWithTasks(t, DESKTOP, own.url);
  t.after(() => stop(own));
  await openTask(page, "session");
  for (let sample = 0; sample < 5; sample++) {
    await page.waitForTimeout(900);
    const times = await page.evaluate(() => {
      const group = [...document.querySelectorAll("#groups .group")].find(row => /ReadFrame/.test(row.innerText));
      const longest = shown.reduce((one, other) => one.ms >= other.ms ? one : other);
      return [/idle for ([\d.]+ \w+)/.exec(document.querySelector("#task").innerText)[1],
        document.querySelector("#rows .chosen").children[3].innerText, duration(longest.ms), group.children[3].innerText];
    });
    assert.equal(times[0], times[1]);
    assert.equal(times[2], times[3]);
  }
});

test("timers are counted by the time left", async t => {
  const page = await openWithTasks(t);
  const text = await page.evaluate(() => {
    const current = summary;
    summary = { ...current, timers: { count: 6, all: 9, next_ms: 0, by_decade: [1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 1], farthest: [["1.1", 2591997000]] } };
    drawTimers();
    const text = document.querySelector("#timers").innerText;
    summary = current; drawTimers();
    return text;
  });
  assert.match(text, /^6 timers of known futures, the next is due; 3 more of futures that are not known\s+by the time left: 1 due, 4 below 1\.0 s, 1 below 115\.7 days\s+farthest:\s[\s\S]* in 30\.0 days$/);
});

test("group of one spawn has its place", async t => {
  const page = await openWithTasks(t);
  assert.match((await texts(page, "#groups .group")).join("\n"), /ReadFrame at await sleep, .*, spawned at .*main\.rs:\d+:\d+/);
});

test("names are text, not HTML", async t => {
  const page = await openWithTasks(t);
  await openTask(page, "bold");
  assert.match(await page.innerText("#task h3"), /<b>bold<\/b>/);
  assert.equal(await page.locator("#task h3 b").count(), 0);
});

test("mark keeps the tasks that are not polled", async t => {
  const page = await openWithTasks(t);
  await page.keyboard.press("m");
  await page.waitForTimeout(1000);
  await page.keyboard.press("r");
  await page.waitForFunction(() => {
    const found = /tasks: ([\d,]+) not polled since the mark/i.exec(document.querySelector("#tasksTitle").innerText);
    return found && Number(found[1].replace(",", "")) <= 10_006;
  });
});

test("tasks that are polled for nothing are counted", async t => {
  const page = await openWithTasks(t);
  // Only the keep-alive tasks are polled, and they wait at the same place again.
  await page.waitForFunction(() => {
    const button = document.querySelector("#nothing");
    if (button.hidden) document.querySelector("#reload").click();
    return /^[1-9]\d*( \(.*\))? polled for nothing$/.test(button.innerText);
  }, null, { polling: 1000, timeout: 120_000 });
  await page.click("#nothing");
  await page.waitForFunction(() => /tasks: [1-9]\d* polled for nothing/i.test(document.querySelector("#tasksTitle").innerText));
  const names = await texts(page, "#rows .row :nth-child(2)");
  assert.ok(names.length > 0 && names.every(name => name === "keep-alive"), names.join());
  await page.keyboard.press("n");
  await page.waitForFunction(() => /tasks: 10,206/i.test(document.querySelector("#tasksTitle").innerText));
  await search(page, "session");
  await page.keyboard.press("Escape");
  await page.locator("#groups .group", { hasText: "ReadFrame" }).first().click();
  await page.waitForFunction(() => /tasks: 10,000 in the group/i.test(document.querySelector("#tasksTitle").innerText));
  await page.click("#reload");
  await page.waitForFunction(() => document.querySelector("#nothing").hidden);
});

test("task that waits at another place is not polled for nothing", async t => {
  const page = await openWithTasks(t);
  const loads = await page.evaluate(() => {
    const load = (polls, line) => [{ id: "1.1", polls, trace: [["A", "await b", "src/a.rs", line, 1]], within: [], waits: [], places: [] }];
    const all = [load(1, 1), load(2, 2), load(3, 2), load(3, 2)];
    all.forEach((rows, index) => compareLoads(all[index - 1] || [], rows, true));
    return all.map(([row]) => row.isForNothing);
  });
  assert.deepEqual(loads, [false, false, true, false]);
});

test("colours follow the system and the button", async t => {
  const page = await openWithTasks(t, { ...DESKTOP, colorScheme: "dark" });
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await back(), "rgb(20, 22, 26)");
  await picture(page, "desktop-dark");
  await page.click("#theme");
  assert.equal(await back(), "rgb(250, 250, 248)");
});

test("phone shows a task as an overlay", async t => {
  const page = await openWithTasks(t, PHONE);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
  await picture(page, "phone");
  await openTask(page, "session");
  await page.waitForTimeout(200);
  await picture(page, "phone-task");
  await page.click("#close");
  assert.ok(await page.locator("#groups").isVisible());
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  await page.click("#pollUnknown");
  await page.waitForFunction(() => /Poll again/.test(document.querySelector("#pollUnknown").innerText), null, { timeout: 60_000 });
  assert.ok(await fits(), "the findings of the poll are not cut off");
  await page.click("#bySpawn");
  assert.ok(await fits(), "the spawns are not cut off");
});

test("hidden and paused pages send no requests", async t => {
  const page = await openWithTasks(t);
  await page.keyboard.press("p");
  await page.waitForTimeout(500);
  const paused = page.requests.length;
  await page.waitForTimeout(5000);
  assert.equal(page.requests.length, paused);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }));
  await page.keyboard.press("p");
  await page.waitForTimeout(3000);
  assert.equal(page.requests.length, paused);
  await page.evaluate(() => { delete document.hidden; document.dispatchEvent(new Event("visibilitychange")); });
  await page.waitForTimeout(1000);
  assert.ok(page.requests.length > paused);
});

test("token in the fragment opens the data", async t => {
  const token = "0123456789abcdef", own = await start(10, token);
  const page = await openWithTasks(t, DESKTOP, own.url, `#token=${token}`);
  assert.ok(page.requests.every(request => !new URL(request).search.includes(token)));
  const without = await open(t, DESKTOP, own.url);
  without.expected = /401/;
  let asked = 0;
  without.on("dialog", dialog => { asked += 1; dialog.accept(token); });
  await without.waitForSelector("#rows .row");
  assert.equal(asked, 1);
  t.after(() => stop(own));
});

test("durable page shows machines without a worker", async t => {
  const page = await open(t, DESKTOP, service.url, "durable/");
  await page.waitForSelector("#groups tr:nth-child(3)");
  const rows = (await texts(page, "#groups tr")).map(row => row.trim().split(/\t|\n/));
  assert.deepEqual(rows[0].slice(3, 5), ["unclaimed", "since"]);
  assert.deepEqual(rows.slice(1), [
    ["1", "0", "0 ms", "1", "0 ms", "runnable", "Pay", "Waiting"],
    ["2", "0", "10.0 min", "2", "10.0 min", "runnable", "Ship", "Waiting"],
  ]);
  const heads = await page.locator("#groups th").evaluateAll(all => all.map(each => getComputedStyle(each).textAlign));
  assert.deepEqual(heads.slice(3, 6), ["right", "right", "left"]);
  const classes = await page.locator("#groups td:nth-child(4)").evaluateAll(all => all.map(each => each.className));
  assert.deepEqual(classes, ["number", "number error"]);
  await picture(page, "durable-groups");
  await page.selectOption("#unclaimed", "60");
  await page.waitForFunction(() => document.querySelectorAll("#groups tr").length === 2);
  await page.waitForFunction(() => document.querySelectorAll("#machines tr").length === 3);
  assert.doesNotMatch(await page.innerText("main"), /Pay/);
  await page.locator("#machines tr", { hasText: "Ship" }).first().click();
  await page.waitForSelector("#detail h2");
  assert.match(await page.innerText("#detail"), /machine 1/i);
  await picture(page, "durable-unclaimed");
});

test("end of the process is shown", async t => {
  const own = await start(10);
  const page = await openWithTasks(t, DESKTOP, own.url);
  page.expected = /ERR_CONNECTION_REFUSED/;
  await stop(own);
  await page.waitForFunction(() => /no answer/.test(document.querySelector("#summary").innerText), null, { timeout: 20_000 });
});
