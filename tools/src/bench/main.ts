import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

import type { BenchArguments } from './arguments.js';
import { USAGE, parseArguments } from './arguments.js';
import { makeContext } from './context.js';
import type { RowResult } from './model.js';
import { suites } from './registry.js';
import type { Baseline } from './run.js';
import { runSuite, updatedBaseline } from './run.js';
import { formatTable } from './table.js';

/** Among the sources, so that it is committed; the compiled program finds it from where it runs. */
const baselineFile = fileURLToPath(new URL('../../src/bench/baseline.json', import.meta.url));

function readBaseline(): Baseline {
  return JSON.parse(readFileSync(baselineFile, 'utf8')) as Baseline;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

async function bench(options: BenchArguments): Promise<number> {
  const context = makeContext(options.quick);
  const baseline = readBaseline();
  const wanted = suites.filter(({ name, onDemand }) =>
    options.suites.length === 0 ? onDemand !== true : options.suites.includes(name),
  );
  const results: RowResult[] = [];
  for (const suite of wanted) {
    // New rows are compared with nothing when the stored ratios are about to be replaced.
    const ran = await runSuite(suite, context, options.update ? undefined : baseline, ({ name }) => {
      process.stderr.write(`bench: ${suite.name}/${name}\n`);
    });
    results.push(...ran);
  }
  process.stdout.write(`${formatTable(results)}\n`);
  if (options.json !== undefined) {
    const machine = { node: process.version, arch: arch(), cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown' };
    writeJson(options.json, { machine, quick: options.quick, results });
  }
  if (options.update) writeJson(baselineFile, updatedBaseline(baseline, results));
  const regressed = results.filter((result) => result.regressed).length;
  if (regressed > 0) process.stderr.write(`bench: ${regressed} rows are more than 3 times worse than stored\n`);
  return regressed === 0 ? 0 : 1;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const known = suites.map(({ name }) => name);
  const options = parseArguments(args, known);
  if (typeof options === 'string') {
    process.stderr.write(`bench: ${options}\n${USAGE}`);
    return 2;
  }
  return bench(options);
}

// Open watches of measured servers have timers of their own; nothing here is waited for any longer.
process.exit(await main(process.argv.slice(2)));
