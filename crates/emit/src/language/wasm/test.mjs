import { readFile } from "node:fs/promises";
import { ELEMENTS, FUNCTIONS, load } from "./PREFIX.mjs";

let checks = 0;
let failures = 0;

function expect(what, row, holds) {
  checks++;
  if (!holds) {
    failures++;
    console.log(`FAILED: ${what}, vector ${row}`);
  }
}

const field = await load();
const { functions } = JSON.parse(await readFile(new URL("./package.json", import.meta.url), "utf8"));

/** Rows of words of the parameters that are read, or written; of bit-sliced functions 64 vectors a row. */
function rows(name, vectors, written) {
  const { lanes, parameters } = FUNCTIONS[name];
  const wanted = parameters.filter((p) => p[1] === "in-out" || (p[1] === "out") === written);
  const of = (vector) => (written ? vector.outputs : vector.inputs);
  if (!lanes) {
    return vectors.map((v) => of(v).map((words, i) => words.map((x) => (wanted[i][2] === 64 ? BigInt(x) : Number(x)))));
  }
  const all = [];
  for (let from = 0; from < vectors.length; from += 64) {
    const chunk = vectors.slice(from, from + 64);
    const bit = (lane, i, j) => BigInt(of(chunk[lane % chunk.length])[i][j]) & 1n;
    const word = (i, j) => Array.from({ length: 64 }, (_, lane) => bit(lane, i, j) << BigInt(lane)).reduce((a, b) => a | b);
    all.push(wanted.map((p, i) => Array.from({ length: p[3] }, (_, j) => word(i, j))));
  }
  return all;
}

const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

for (const { operation, vectors } of functions) {
  const given = rows(operation, vectors, false);
  const known = rows(operation, vectors, true);
  for (const share of [undefined, ...FUNCTIONS[operation].shares]) {
    given.forEach((inputs, row) => {
      const results = field.call(operation, inputs, share);
      results.forEach((words, i) => expect(operation, row, same(words, known[row][i])));
    });
  }
}

// What the operations are on integers.
const MEANS = {
  mul: (a, b) => a * b,
  square: (a) => a * a,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  neg: (a) => -a,
};
if (ELEMENTS !== null) {
  const m = ELEMENTS.modulus;
  const some = [0n, 1n, 2n, m - 1n, m >> 1n, (3n * m) / 7n, 0x123456789abcdef0fedcba9876543210n % m];
  some.forEach((a, row) => expect("words and BigInt", row, field.toBigInt(field.toWords(a)) === a % m));
  for (const [name, , operands] of ELEMENTS.methods.filter(([name]) => name in MEANS)) {
    const pairs = operands === 1 ? some.map((a) => [a]) : some.flatMap((a) => some.map((b) => [a, b]));
    pairs.forEach((given, row) => {
      const wanted = ((MEANS[name](...given) % m) + m) % m;
      expect(`${name} of BigInt`, row, field.numbers[name](...given) === wanted);
    });
  }
}
for (const [name, { parameters }] of Object.entries(FUNCTIONS)) {
  let refused = false;
  try {
    field.words[name](...parameters.filter((p) => p[1] !== "out").map(() => []));
  } catch (e) {
    refused = e instanceof RangeError;
  }
  expect(`${name}: arrays of a wrong length`, 0, refused || parameters.every((p) => p[1] === "out"));
}
// BUFFERS
console.log(`${checks} checks, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
