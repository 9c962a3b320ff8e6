// Steps per second of Restate, with the rows of the other engines.
//
//     npm install @restatedev/restate-server@1.7.12 @restatedev/restate-sdk
//     restate-server --base-dir FOLDER &
//     node restate_steps.mjs
//
// The server stores its log in FOLDER; it has no other database. The SDK needs Node 22, or a
// definition of `Promise.withResolvers`. The script loads it from the current folder.

import { createRequire } from "node:module";

const restate = createRequire(process.cwd() + "/")("@restatedev/restate-sdk");

const ROWS = [[1, 500], [64, 50], [1000, 10]];
const ROUNDS = 3;
const INGRESS = process.env.RESTATE_INGRESS ?? "http://127.0.0.1:8080";
const ADMIN = process.env.RESTATE_ADMIN ?? "http://127.0.0.1:9070";
const PORT = Number(process.env.SERVICE_PORT ?? 9080);

const counter = restate.service({
    name: "counter",
    handlers: {
        count: async (ctx, steps) => {
            let sum = 0;
            for (let number = 0; number < steps; number++) {
                const before = sum;
                sum = await ctx.run("add", () => before + number);
            }
            return sum;
        },
    },
});

async function post(url, body) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) {
        throw new Error(`${url}: ${response.status} ${await response.text()}`);
    }
    return response.json();
}

async function measure(workflows, steps) {
    const begin = performance.now();
    const calls = Array.from({ length: workflows }, () => post(`${INGRESS}/counter/count`, steps));
    for (const output of await Promise.all(calls)) {
        if (output !== (steps * (steps - 1)) / 2) {
            throw new Error(`wrong output ${output}`);
        }
    }
    return (workflows * steps * 1000) / (performance.now() - begin);
}

await restate.serve({ services: [counter], port: PORT });
await post(`${ADMIN}/deployments`, { uri: `http://127.0.0.1:${PORT}` });
console.log("| workflows | steps each | steps/s, median | least | most |");
for (const [workflows, steps] of ROWS) {
    const rates = [];
    for (let round = 0; round < ROUNDS; round++) {
        rates.push(await measure(workflows, steps));
    }
    rates.sort((one, other) => one - other);
    const [least, middle, most] = rates.map((rate) => rate.toFixed(0));
    console.log(`| ${workflows} | ${steps} | ${middle} | ${least} | ${most} |`);
}
process.exit(0);
