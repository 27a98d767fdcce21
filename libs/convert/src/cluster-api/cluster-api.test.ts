import { formatDuration } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeafMaker } from '../engine/random-object.js';
import { Choices, absent, objectMaker } from '../engine/random-object.js';
import { lawViolations } from '../engine/laws.js';
import type { Side } from '../engine/rule.js';
import { totalityGaps } from '../engine/totality.js';
import type { ClusterApiContext } from './index.js';
import { clusterApiConversions, clusterApiFields } from './index.js';

const context: ClusterApiContext = {
  apiVersionOf: (group) => (group === '' ? 'v1beta7' : `${group}/v1beta7`),
};
const none = { missing: [], stale: [], unequal: [] };
const choices = fc.array(fc.nat(0xffff), { minLength: 0, maxLength: 400, size: 'max' });

/** Whole seconds and half ones, or none. */
const durationOf = (random: Choices): unknown =>
  random.below(4) === 0 ? absent : formatDuration(BigInt(random.below(4000)) * 500_000_000n);

/** What random texts would not hit: types, metadata, and references that can be resolved. */
function specialOf(kind: string, side: Side): LeafMaker {
  const fixed: Readonly<Record<string, unknown>> = {
    apiVersion: `cluster.x-k8s.io/${side === 'left' ? 'v1beta1' : 'v1beta2'}`,
    kind,
  };
  return (path, random) => {
    if (path === 'metadata')
      return { name: 'a', namespace: random.below(2) === 0 ? 'a' : 'b', annotations: { x: 'y' } };
    if (/(?:Ref|Template)\.apiVersion$/.test(path)) return random.below(3) === 0 ? undefined : 'infra.example/v1beta7';
    if (path.endsWith('.apiGroup')) return ['infra.example', '', 'example'][random.below(3)];
    // To a schema a duration is a text like any other.
    if (/[tT]imeout$/.test(path)) return durationOf(random);
    return fixed[path];
  };
}

describe.each(clusterApiConversions)('$kind between v1beta1 and v1beta2', ({ kind, map }) => {
  const fields = clusterApiFields(kind);

  it('speaks of every field of both versions', () => {
    expect(totalityGaps(map.claims, fields)).toEqual({ left: none, right: none });
  });

  it.each(['left', 'right'] as const)('keeps the laws for objects of the %s side', (side) => {
    const make = objectMaker(fields[side], specialOf(kind, side));
    fc.assert(
      fc.property(choices, (numbers) => {
        expect(lawViolations(map, side, make(new Choices(numbers)), context)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
