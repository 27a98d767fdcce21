import fc from 'fast-check';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { lawViolations } from '../engine/laws.js';
import { Choices, absent, objectMaker } from '../engine/random-object.js';
import type { LeafMaker } from '../engine/random-object.js';
import type { Side } from '../engine/rule.js';
import { totalityGaps } from '../engine/totality.js';
import type { TwoWayMap } from '../engine/two-way-map.js';
import { controlPlaneMap } from './control-plane.js';
import { healthCheckMap } from './health-check.js';
import { machineMap } from './machine.js';
import { machineSetMap } from './machine-set.js';
import type { MachineContext } from './platform.js';
import { context, harbour } from './testing/harbour.js';
import type { ConvertedKind } from './whole-fields.js';
import { wholeFields } from './whole-fields.js';

const maps: Readonly<Record<ConvertedKind, TwoWayMap<MachineContext>>> = {
  Machine: machineMap(harbour),
  MachineSet: machineSetMap(harbour),
  ControlPlaneMachineSet: controlPlaneMap(harbour),
  MachineHealthCheck: healthCheckMap,
};
const cases = (Object.keys(maps) as ConvertedKind[]).flatMap((kind) =>
  (['left', 'right'] as const).map((side) => [kind, side] as const),
);

const keys = [
  'env',
  'machine.openshift.io/cluster-api-machine-role',
  'machine.openshift.io/cluster-api-machine-type',
  'machine.openshift.io/zone',
  'machine.openshift.io/memoryMb',
  'machine.openshift.io/GPU',
  'node-role.kubernetes.io/worker',
  'node-role.kubernetes.io/infra',
  'cluster.x-k8s.io/cluster-name',
  'cluster.x-k8s.io/control-plane',
  'cluster.x-k8s.io/paused',
  'capacity.cluster-autoscaler.kubernetes.io/memory',
  'capacity.cluster-autoscaler.kubernetes.io/gpu-count',
  'capacity.cluster-autoscaler.kubernetes.io/gpu-type',
  'pre-drain.delete.hook.machine.cluster.x-k8s.io/a',
];
const values = ['', 'worker', 'infra', 'master', '4', '16384', '16Gi', '1Mi', 'nvidia.com/gpu', 'fleet'];
const pick = (from: readonly string[], random: Choices): string => from[random.below(from.length)] as string;

/** Labels and annotations of every sort: whole maps, which is why they are made at their first leaf. */
function entries(random: Choices): JsonObject {
  const made: JsonObject = {};
  for (let left = random.below(5); left > 0; left--) made[pick(keys, random)] = pick(values, random);
  return made;
}

/** What must be so for an object to be of its kind, and often enough for it to convert. */
const special: LeafMaker = (path, random) => {
  if (/(?:^|\.)metadata\.(?:labels|annotations)\{\}$/.test(path)) return pick(values, random);
  if (path.endsWith('.port')) return 'hamburg';
  if (path.endsWith('clusterName')) return 'fleet';
  if (path.endsWith('providerID')) return random.below(2) === 0 ? `harbour://b-${random.below(9)}` : absent;
  if (path.endsWith('boatID')) return absent;
  if (/(?:timeout|nodeStartupTimeout)$/.test(path)) return pick(['300s', '5m0s', '0', '1h', '1500ms'], random);
  if (path.endsWith('nodeDeletionTimeoutSeconds')) return 10;
  if (path.endsWith('propagation')) return 'Always';
  if (/(?:kind|apiVersion|apiGroup|machineType)$/.test(path)) return absent;
  const isRefused =
    /spec\.metadata\.(?:name|generateName|namespace|ownerReferences)|template\.metadata\.(?:name|generateName|namespace|ownerReferences)|metadata\.name(?:space)?$|version$|readinessGates|configRef|TimeoutSeconds$|minReadySeconds$|machineNaming|lifecycleHooks|failureDomains|infrastructureRef\.name|authoritativeAPI/;
  return isRefused.test(path) && random.below(40) > 0 ? absent : undefined;
};

describe.each(cases)('%s, from the %s', (kind, side: Side) => {
  const map = maps[kind];
  const make = objectMaker(wholeFields(kind, harbour)[side], special);

  it('keeps the laws', () => {
    let converted = 0;
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 400, size: 'max' }), (numbers) => {
        const choices = new Choices(numbers);
        const object = make(choices);
        for (const place of placesOf(kind, side)) place(object, () => entries(choices));
        if (map.convert(side, object, context).errors.length === 0) converted += 1;
        expect(lawViolations(map, side, object, context)).toEqual([]);
      }),
    );
    expect(converted).toBeGreaterThan(10);
  });

  it('speaks of every field', () => {
    const { [side]: gaps } = totalityGaps(map.claims, wholeFields(kind, harbour));
    const ignored =
      /(?:status|metadata\.(?:uid|resourceVersion|generation|creationTimestamp|deletion\w+|managedFields|selfLink|ownerReferences|finalizers|generateName))$/;
    expect([gaps.missing, gaps.unequal]).toEqual([[], []]);
    // The template of a control plane has less room for machines of Cluster API than a set has.
    const roomless =
      /machines_v1beta2_cluster_x_k8s_io\.spec\.(?:deletion|version|readinessGates|bootstrap|providerID)/;
    expect(gaps.stale.filter((path) => !ignored.test(path) && !roomless.test(path))).toEqual([]);
  });
});

type Place = (object: JsonObject, make: () => JsonObject) => void;

/** Puts maps where an object has labels and annotations. */
function placesOf(kind: ConvertedKind, side: Side): Place[] {
  const part = {
    Machine: 'machine',
    MachineSet: 'machineSet',
    ControlPlaneMachineSet: 'set',
    MachineHealthCheck: 'check',
  };
  const paths = [side === 'left' ? [] : [part[kind]]];
  if (kind === 'MachineSet') paths.push([...(paths[0] ?? []), 'spec', 'template']);
  if (kind === 'Machine' && side === 'left') paths.push(['spec']);
  return paths.flatMap((path) =>
    ['labels', 'annotations'].map((field): Place => (object, make) => {
      let current = object;
      for (const name of [...path, 'metadata']) {
        current[name] ??= {};
        current = current[name] as JsonObject;
      }
      current[field] = make();
    }),
  );
}
