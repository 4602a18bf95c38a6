import { readFile } from "node:fs/promises";
import { ELEMENTS, FUNCTIONS, load } from "./PREFIX.mjs";

const field = await load();
const { functions } = JSON.parse(await readFile(new URL("./package.json", import.meta.url), "utf8"));

/** Nanoseconds of a call: the least of 20 runs of a loop that lasts two milliseconds. */
function measure(calls) {
  let n = 16;
  for (;;) {
    const start = performance.now();
    calls(n);
    if (performance.now() - start > 2) break;
    n *= 2;
  }
  let best = Infinity;
  for (let run = 0; run < 20; run++) {
    const start = performance.now();
    calls(n);
    best = Math.min(best, (performance.now() - start) / n);
  }
  return best * 1e6;
}

const line = (name, ns) => console.log(`${name.padEnd(36)}${ns.toFixed(2).padStart(14)}`);

console.log(`${"".padEnd(36)}${"ns per call".padStart(14)}   least of 20 runs`);
for (const { operation, vectors } of functions) {
  const { lanes, parameters } = FUNCTIONS[operation];
  const places = field.places(operation);
  let next = 0;
  parameters.forEach((p, i) => {
    if (p[1] === "out") return;
    const words = vectors[0].inputs[next++];
    field.view(places[i], p).set(words.map((x) => (p[2] === 64 ? (lanes ? -BigInt(x) : BigInt(x)) : Number(x))));
  });
  const f = field.exports[`PREFIX_${operation}`];
  const [a, b, c] = places;
  // The usual counts of arguments are passed as they are, which takes less time than a list.
  const loops = {
    1: (n) => { while (n-- > 0) f(a); },
    2: (n) => { while (n-- > 0) f(a, b); },
    3: (n) => { while (n-- > 0) f(a, b, c); },
  };
  line(`PREFIX_${operation}`, measure(loops[places.length] ?? ((n) => { while (n-- > 0) f(...places); })));
}
if (ELEMENTS !== null) {
  const m = ELEMENTS.modulus;
  let [a, b] = [m >> 1n, m - 2n];
  line("BigInt mul", measure((n) => { while (n-- > 0) [a, b] = [(a * b) % m, a]; }));
  line("BigInt add", measure((n) => { while (n-- > 0) [a, b] = [(a + b) % m, a]; }));
}
