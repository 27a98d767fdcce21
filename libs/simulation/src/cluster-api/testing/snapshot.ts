import type { Client, ResourceRef } from '@capstan/kube';
import { canonicalJson } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { coreResource, NODES } from '@capstan/upstream/cluster-api';
import type { CoreKind } from '@capstan/upstream/cluster-api';
import { TEST_CLUSTERS, TEST_CONFIGS, TEST_CONTROL_PLANES, TEST_MACHINES } from './definitions.js';
import { NAMESPACE } from './objects.js';

/** What must be the same for every manager: without what chance, time and the server add. */

const CORE: readonly CoreKind[] = ['Cluster', 'MachineDeployment', 'MachineSet', 'Machine', 'MachineHealthCheck'];

const DROPPED: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'observedGeneration',
  'managedFields',
  'lastTransitionTime',
  'lastUpdated',
  'lastHeartbeatTime',
  'nodeInfo',
  'addresses',
]);

/** Names made by chance, and what stands for them. */
function tokens(objects: readonly KubeObject[]): [string, string][] {
  const named = (kind: string, token: string): [string, string][] =>
    objects
      .filter((object) => object.kind === kind)
      .map(({ metadata }): [string, string] => [metadata.name ?? '', token]);
  const ids = objects.flatMap((object): [string, string][] => {
    const { providerID } = (object['spec'] ?? {}) as { providerID?: string };
    return providerID === undefined ? [] : [[providerID, 'PROVIDER-ID']];
  });
  const hashes = objects.flatMap(({ metadata }): [string, string][] => {
    const hash = metadata.labels?.['machine-template-hash'];
    return hash === undefined ? [] : [[hash, 'HASH']];
  });
  return [...ids, ...hashes, ...named('Machine', 'MACHINE'), ...named('MachineSet', 'SET'), ...named('Node', 'NODE')];
}

function normal(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => normal(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) if (!DROPPED.has(key)) copy[key] = normal(item, replace);
  return copy;
}

/** Who wrote what of an object, and how. */
function writersOf({ metadata }: KubeObject): string[] {
  const entries = (metadata.managedFields ?? []).map(
    ({ manager = '', operation = '', subresource = '' }) => `${manager} ${operation} ${subresource}`,
  );
  return [...new Set(entries)].filter((entry) => !/^(?:node|capstan|scenario)/.test(entry)).toSorted();
}

/** Every object of the scenario as text, equal ones counted together. */
export async function snapshot(client: Client, guest: Client): Promise<Record<string, number>> {
  const list = async (ref: ResourceRef, kind: string): Promise<KubeObject[]> =>
    (await client.list(ref, { namespace: NAMESPACE })).items.map((item) => ({ ...item, kind }));
  const objects: KubeObject[] = [];
  for (const kind of CORE) objects.push(...(await list(coreResource(kind, 'v1beta2'), kind)));
  objects.push(...(await list(TEST_CLUSTERS, 'TestCluster')), ...(await list(TEST_MACHINES, 'TestMachine')));
  objects.push(...(await list(TEST_CONFIGS, 'TestConfig')), ...(await list(TEST_CONTROL_PLANES, 'TestControlPlane')));
  objects.push(...(await list({ ...TEST_MACHINES, plural: 'testmachinetemplates' }, 'TestMachineTemplate')));
  objects.push(...(await guest.list(NODES)).items.map((item) => ({ ...item, kind: 'Node' })));
  const pairs = tokens(objects).toSorted(([a], [b]) => b.length - a.length);
  const replace = (text: string): string =>
    pairs
      .reduce((left, [name, token]) => left.replaceAll(name, token), text)
      .replaceAll(/(?:MACHINE, )+MACHINE/g, 'MACHINES');
  const counted: Record<string, number> = {};
  for (const object of objects) {
    const text = canonicalJson({ ...(normal(object, replace) as JsonObject), writers: writersOf(object) });
    counted[text] = (counted[text] ?? 0) + 1;
  }
  return counted;
}
