import { cloneJson } from '@capstan/meta';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CliError } from '../errors.js';
import {
  controlPlane,
  convert,
  harbourCluster,
  healthCheck,
  infrastructure,
  machine,
  machineSet,
} from './testing-fleet.js';
import { documents, list } from './testing-folder.js';

const around = [infrastructure, harbourCluster];
const MACHINE_API = [machine('a'), machineSet('b'), healthCheck('c'), controlPlane(), ...around];
let clusterApi: readonly object[] = [];

beforeAll(async () => {
  const { ok, out } = await convert({ filename: ['-'] }, { stdin: JSON.stringify(list(...MACHINE_API)) });
  expect(ok).toBe(true);
  clusterApi = [...documents(out), ...around];
});

/** Every place in a value, as the names to it. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  const copy = cloneJson(value) as Record<string, unknown>;
  copy[name] = replaced(copy[name], rest, other);
  return copy;
}

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e300, '', 'text', '\u0000', [], {}, [null], [[]], [{}], {
    a: null,
  }),
  fc.constantFrom<unknown>({ __proto__: 1 }, { name: 7 }, { kind: [] }, { value: 'x' }, { labels: 1 }, { spec: [] }),
  fc.jsonValue(),
);

async function expectReport(objects: readonly object[], at: number, other: unknown): Promise<void> {
  const places = objects.flatMap((object, index) => placesIn(object).map((path) => [String(index), ...path]));
  const path = places[at % places.length] ?? [];
  const given = replaced(objects, path, other) as unknown[];
  try {
    const { err, out } = await convert({ filename: ['-'], check: true }, { stdin: JSON.stringify(list(...given)) });
    expect({ hasOutput: out.length > 0, err }).toEqual({ hasOutput: true, err: '' });
    expect(out).not.toContain('a fault of this program');
  } catch (error) {
    // Nothing else may come out: it would be printed without what to do.
    if (!(error instanceof CliError)) throw error;
  }
}

describe('objects with anything in any place', () => {
  it.each(['Machine API', 'Cluster API'])('are reported, and never crash the command: %s', async (api) => {
    const objects = api === 'Machine API' ? MACHINE_API : clusterApi;
    await fc.assert(
      fc.asyncProperty(fc.nat(), anything, (at, other) => expectReport(objects, at, other)),
      { numRuns: Number(process.env['CAPSTAN_OBJECTS'] ?? 60) },
    );
  });

  it('may be deeper than anybody writes', async () => {
    const depth = 2_000;
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const field of ['sails', 'image']) {
      const stdin = JSON.stringify(machine('a', { [field]: 'DEEP' })).replace('"DEEP"', deep);
      for (const options of [{ check: true }, { output: 'yaml' }, { output: 'json' }] as const) {
        const { err, out } = await convert({ filename: ['-'], ...options }, { stdin });
        expect(out + err).toMatch(/1 cannot be converted|1 object of 1 converts/);
      }
    }
  });
});
