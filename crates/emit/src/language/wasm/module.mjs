const VIEWS = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array };

/** Loads the functions: of the bytes given, or of PREFIX.wasm beside this file. */
export async function load(bytes) {
  if (bytes === undefined) {
    const { readFile } = await import("node:fs/promises");
    bytes = await readFile(new URL("./PREFIX.wasm", import.meta.url));
  }
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const exports = instance.exports;
  const memory = exports.memory;
  const start = (exports.__heap_base.value + 15) & ~15;
  const sizes = ([, , bits, length]) => ((bits / 8) * length + 15) & ~15;
  const totals = Object.values(FUNCTIONS).map((f) => f.parameters.reduce((sum, p) => sum + sizes(p), 0));
  const lacking = start + Math.max(...totals) - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / 65536));

  /** Where the parameters of a function lie; a written one on a read one where that is asked for. */
  function places(name, share) {
    let at = start;
    const all = FUNCTIONS[name].parameters.map((p) => {
      const here = at;
      at += sizes(p);
      return here;
    });
    if (share) all[share[0]] = all[share[1]];
    return all;
  }

  function view(place, [, , bits, length]) {
    return new VIEWS[bits](memory.buffer, place, length);
  }

  /** Calls a function on arrays of words; gives the written ones. */
  function call(name, given, share) {
    const { parameters } = FUNCTIONS[name];
    const all = places(name, share);
    const read = parameters.filter((p) => p[1] !== "out");
    if (given.length !== read.length) {
      throw new TypeError(`\`${name}\` takes ${read.length} arrays, ${given.length} were given`);
    }
    let next = 0;
    parameters.forEach((p, i) => {
      if (p[1] === "out") {
        if (!share || share[0] !== i) view(all[i], p).fill(p[2] === 64 ? 0x5a5an : 0x5a);
        return;
      }
      const words = given[next++];
      if (words.length !== p[3]) {
        throw new RangeError(`\`${p[0]}\` of \`${name}\` has ${words.length} words, and ${p[3]} are needed`);
      }
      view(all[i], p).set(words);
    });
    exports[`PREFIX_${name}`](...all);
    return parameters.flatMap((p, i) => (p[1] === "in" ? [] : [Array.from(view(all[i], p))]));
  }

  const words = {};
  for (const name of Object.keys(FUNCTIONS)) words[name] = (...given) => call(name, given);
  const field = { exports, memory, words, call, places, view, buffers: CIPHER && buffers({ exports, memory, start }), stream: streams({ exports, memory, start }), messages: messages(words) };
  return ELEMENTS === null ? field : Object.assign(field, numbers(words));
}

/** Elements as integers modulo m. */
function numbers(words) {
  const { modulus, factor, bits, weights, widths, methods } = ELEMENTS;
  const inverse = inverted(factor % modulus, modulus);
  const toBigInt = (a) => {
    const sum = weights.reduce((sum, weight, i) => sum + (BigInt(a[i]) << BigInt(weight)), 0n);
    return (sum * inverse) % modulus;
  };
  const toWords = (x) => {
    const number = ((((BigInt(x) % modulus) + modulus) % modulus) * factor) % modulus;
    return weights.map((weight, i) => {
      const word = number >> BigInt(weight);
      const kept = widths[i] === null ? word : word & ((1n << BigInt(widths[i])) - 1n);
      return bits === 64 ? kept : Number(kept);
    });
  };
  const all = {};
  for (const [name, operation] of methods) {
    all[name] = (...given) => toBigInt(words[operation](...given.map(toWords))[0]);
  }
  return { toBigInt, toWords, numbers: all };
}

/** The inverse modulo m, by Euclid. */
function inverted(a, m) {
  let [r, s, x, y] = [m, a, 0n, 1n];
  while (s !== 0n) {
    const q = r / s;
    [r, s, x, y] = [s, r - q * s, y, x - q * y];
  }
  return ((x % m) + m) % m;
}
