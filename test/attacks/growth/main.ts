/*
 * Measures how the time of each case grows, in a process of its own: what else a test run does in this one would count. One
 * line of JSON for each. Arguments: the seed, the least time that sizes are taken from, how many random texts each
 * parser gets, one of how many cases is measured, and perhaps a part of the names of those that are.
 */
import { BODIES, prepareConverted } from './bodies.js';
import { LIBRARIES, TEXT_PARSERS, quietly } from './libraries.js';
import { measure, type GrowthCase } from './measure.js';
import { REQUESTS, prepareServer } from './requests.js';
import { YAML_TEXTS } from './yaml.js';

const [seed = '1', least = '2', texts = '3', share = '1', only = ''] = process.argv.slice(2);

/** A small generator of our own: the same seed gives the same texts everywhere. */
function random(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Texts in which a few characters come again and again, with others before and behind. */
function textCases(): GrowthCase[] {
  return Object.entries(TEXT_PARSERS).flatMap(([parser, [alphabet, parse]], index) => {
    const next = random(Number(seed) + index);
    const word = (longest: number): string =>
      Array.from({ length: next(longest + 1) }, () => alphabet[next(alphabet.length)] ?? '').join('');
    return Array.from({ length: Number(texts) }, (): GrowthCase => {
      const [before, again, behind] = [word(3), word(2) || (alphabet[0] ?? ''), word(2)];
      const prepare = (size: number): (() => unknown) => {
        const text = `${before}${again.repeat(size)}${behind}`;
        return quietly(() => parse(text));
      };
      return { name: `${parser}: ${JSON.stringify([before, again, behind])}`, most: 1_000_000, prepare };
    });
  });
}

await prepareServer();
await prepareConverted();
const cases = [...LIBRARIES, ...YAML_TEXTS, ...REQUESTS, ...BODIES, ...textCases()].filter(({ name }) =>
  name.includes(only),
);
for (const [index, each] of cases.entries()) {
  if (index % Number(share) !== Number(seed) % Number(share) && !each.isAlways) continue;
  const growth = await measure(each, { leastMs: Number(least), rounds: 3 });
  process.stdout.write(`${JSON.stringify(growth)}\n`);
}
