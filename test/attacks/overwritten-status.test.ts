import {
  CONTROL_PLANE_COMPONENTS,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
} from '@capstan/hosting';
import { systemRandom } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { deepEqual, isInvalid } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { testPlatform } from '@capstan/provider/testing';
import { propertySeed } from '@capstan/tools';
import { HOME } from '@capstan/tools/hosting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settledCluster } from '../hosted/settled.js';
import type { HostedSimulation } from '../hosted/settled.js';
import { bounded } from './bounds.js';
import { spoiled, spoils } from './nonsense.js';
import type { JsonValue, Shape, Spoil } from './nonsense.js';

interface ObjectWithStatus extends KubeObject {
  readonly status?: { readonly [key: string]: JsonValue };
}

const SEED = propertySeed();
const PLATFORM = testPlatform();
const NAME = 'red';
const PLACE = controlPlaneNamespace(HOME, NAME);
const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
/** The longest interval at which a controller corrects a detail, and the time of a reconcile. */
const CORRECT_MS = 20_000;
/** Fields that none of our controllers writes: their owner may set them to anything. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  HostedCluster: ['lastSuccessfulEtcdBackupURL'],
  HostedControlPlane: ['autoNode', 'configuration', 'platform', 'secretEncryption'],
};
const TIME = /^(?:lastTransitionTime|lastReleaseImageTransitionTime|startedTime|completionTime)$/;

const SUBJECTS: readonly (readonly [kind: string, ref: ResourceRef, namespace: string, name: string])[] = [
  ['HostedCluster', HOSTED_CLUSTERS, HOME, NAME],
  ['HostedControlPlane', HOSTED_CONTROL_PLANES, PLACE, NAME],
  ['NodePool', NODE_POOLS, HOME, 'pool'],
  ['ControlPlaneComponent', CONTROL_PLANE_COMPONENTS, PLACE, 'kube-apiserver'],
  ['ControlPlaneComponent', CONTROL_PLANE_COMPONENTS, PLACE, 'etcd'],
];

let hosted: HostedSimulation;
beforeAll(async () => {
  hosted = await settledCluster(PLATFORM, NAME);
}, 120_000);
afterAll(() => hosted.simulation.end());

/** The status without its times, and with conditions in the order of their types. */
function timeless(value: JsonValue): JsonValue {
  const known = (key: string, each: unknown): unknown => {
    if (TIME.test(key)) return '';
    return key === 'observedGeneration' && each === 0 ? undefined : each;
  };
  const without = JSON.parse(JSON.stringify(value, known)) as JsonValue;
  const { conditions = [], ...rest } = without as JsonObject & { conditions?: { type: string }[] };
  return { ...rest, conditions: conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1)) } as JsonValue;
}

async function statuses(): Promise<JsonValue[]> {
  const read = SUBJECTS.map(([, ref, namespace, name]) =>
    hosted.client.get<ObjectWithStatus>(ref, name, { namespace }),
  );
  return (await Promise.all(read)).map(({ status = {} }) => timeless(status));
}

async function shapeOf({ group, plural, version }: ResourceRef): Promise<Shape> {
  type Definition = KubeObject & {
    spec: { versions: { name: string; schema: { openAPIV3Schema: Shape } }[] };
  };
  const { spec } = await hosted.client.get<Definition>(DEFINITIONS, `${plural}.${group}`);
  const served = spec.versions.find(({ name }) => name === version);
  return served?.schema.openAPIV3Schema.properties?.['status'] ?? {};
}

/** Writes the first nonsense that the server admits and that differs; gives what, or undefined when it admits none. */
async function overwrite(
  [, ref, namespace, name]: (typeof SUBJECTS)[number],
  { path, values }: Spoil,
): Promise<string | undefined> {
  const before = await hosted.client.get<ObjectWithStatus>(ref, name, { namespace });
  const { status = {} } = before;
  for (const value of values) {
    const nonsense = spoiled(status, path, value) ?? {};
    if (deepEqual(timeless(nonsense), timeless(status))) continue;
    try {
      await hosted.client.update<ObjectWithStatus>(ref, { ...before, status: nonsense } as ObjectWithStatus, {
        subresource: 'status',
      });
      return `${path.join('.')}: ${JSON.stringify(value) ?? 'nothing'}`;
    } catch (error) {
      if (!isInvalid(error)) throw error;
    }
  }
  return undefined;
}

describe.each(SUBJECTS)('the status of a %s', { timeout: 600_000 }, (...subject) => {
  const [kind, ref, namespace, name] = subject;
  const isOurs = ({ path }: Spoil): boolean => {
    const last = String(path.at(-1) ?? '');
    // A condition of another type belongs to another writer, and times are checked below.
    return !(OTHERS[kind] ?? []).includes(String(path[0])) && last !== 'type' && !TIME.test(last);
  };

  it(`is the same again after nonsense in any place (${name}, CAPSTAN_SEED=${SEED})`, async () => {
    const random = systemRandom(`${SEED} ${kind} ${name}`);
    const right = await statuses();
    const { status = {} } = await hosted.client.get<ObjectWithStatus>(ref, name, { namespace });
    const places = spoils(await shapeOf(ref), status, random)
      .filter(isOurs)
      .map((place) => ({ place, turn: random.next() }))
      .toSorted((a, b) => a.turn - b.turn);
    let most = bounded(10, Infinity);
    for (const { place } of places) {
      if (most === 0) break;
      const change = await overwrite(subject, place);
      if (change === undefined) continue;
      most -= 1;
      await hosted.simulation.runUntil(hosted.elapsed + CORRECT_MS);
      expect(await statuses(), `after ${change}`).toEqual(right);
    }
  });

  it(`corrects times in the future (${name})`, async () => {
    const before = await hosted.client.get<ObjectWithStatus>(ref, name, { namespace });
    const later = JSON.stringify(before.status).replaceAll(/("\w+Time":)"[^"]+"/g, '$1"2099-01-01T00:00:00Z"');
    const status = JSON.parse(later) as NonNullable<ObjectWithStatus['status']>;
    await hosted.client.update<ObjectWithStatus>(ref, { ...before, status }, { subresource: 'status' });
    await hosted.simulation.runUntil(hosted.elapsed + CORRECT_MS);
    for (const [, of, at, called] of SUBJECTS) {
      const object = await hosted.client.get<ObjectWithStatus>(of, called, { namespace: at });
      expect(JSON.stringify(object.status)).not.toContain('2099');
    }
  });
});
