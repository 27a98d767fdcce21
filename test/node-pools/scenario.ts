import type { MachineDeployment } from '@capstan/api/cluster-api';
import type { NodePool } from '@capstan/api/hypershift';
import { addNodePoolController, CACHE, Turns } from '@capstan/hypershift';
import { MACHINE_DEPLOYMENTS, NODE_POOLS } from '@capstan/hosting';
import { Client, Manager } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { ignoreNotFound, isNotFound } from '@capstan/meta';
import type { JsonObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { HARBOUR_MACHINE_TEMPLATES } from '@capstan/provider/testing';
import { expect } from 'vitest';
import { installHostedDefinitions } from '../hosted-cluster/definitions.js';
import { hostCluster, setStatus } from './host.js';
import { HARBOUR, HOME, imageOf, NAMESPACE, NAMESPACES, nodePool, SECRETS, TestReleases } from './objects.js';

const TIMEOUT_MS = 60_000;
const AT_HOME = { namespace: HOME };
const IN_NAMESPACE = { namespace: NAMESPACE };

/** The life of a pool on any server; the test stands in for Cluster API. */
export async function describeNodePools(transport: Transport): Promise<void> {
  const manager = new Manager({ transport, cache: CACHE });
  const { clock, logger, random } = manager;
  const client = new Client(transport);
  const recorder = manager.eventRecorder('nodepool-controller');
  const releases = new TestReleases();
  const platforms = new HostingPlatforms([HARBOUR]);
  addNodePoolController(manager, {
    client: manager.client,
    platforms,
    releases,
    clock,
    logger,
    random,
    recorder,
    turns: Turns.alone(manager.client),
  });
  const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    await waitUntil(what, holds, { clock, limitMs: TIMEOUT_MS, everyMs: 100 });
  };
  await installHostedDefinitions(client);
  for (const name of [NAMESPACE, HOME])
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await hostCluster(client);

  const stop = new AbortController();
  const running = manager.run(stop.signal);
  try {
    await lifeOf(client, until);
  } finally {
    stop.abort();
    await running;
  }
}

type Until = (what: string, holds: () => Promise<boolean>) => Promise<void>;

/** From nothing to a version, to another, and to nothing again. */
async function lifeOf(client: Client, until: Until): Promise<void> {
  const pool = (): Promise<NodePool> => client.get<NodePool>(NODE_POOLS, 'workers', IN_NAMESPACE);
  const deployment = (): Promise<MachineDeployment | undefined> =>
    client.get<MachineDeployment>(MACHINE_DEPLOYMENTS, 'workers', AT_HOME).catch(ignoreNotFound);
  const rollOut = async (version: string): Promise<void> => {
    await until(`machines of ${version}`, async () => (await deployment())?.spec?.template.spec.version === version);
    const { metadata, spec } = (await deployment()) ?? {};
    const counts = ['availableReplicas', 'readyReplicas', 'replicas', 'upToDateReplicas'];
    const status: JsonObject = Object.fromEntries(counts.map((count) => [count, spec?.replicas]));
    const at = { namespace: HOME, name: 'workers' };
    await setStatus(client, MACHINE_DEPLOYMENTS, at, { ...status, observedGeneration: metadata?.generation });
    await until(`the version ${version}`, async () => (await pool()).status?.version === version);
  };
  const count = async (ref: typeof SECRETS): Promise<number> => {
    const { items } = await client.list(ref, AT_HOME);
    return items.filter(({ metadata }) => metadata.annotations?.['hypershift.openshift.io/nodePool'] !== undefined)
      .length;
  };

  await client.create(NODE_POOLS, nodePool('workers'));
  await rollOut('4.22.0');
  expect([await count(SECRETS), await count(HARBOUR_MACHINE_TEMPLATES)]).toEqual([2, 1]);
  expect((await pool()).metadata.finalizers).toEqual(['hypershift.openshift.io/finalizer']);
  const patch = { type: 'merge', value: { spec: { release: { image: imageOf('4.22.1') } } } } as const;
  await client.patch(NODE_POOLS, 'workers', patch, IN_NAMESPACE);
  await rollOut('4.22.1');
  await until('what is no longer needed is gone', async () => (await count(HARBOUR_MACHINE_TEMPLATES)) === 1);
  // The server refuses writes with a stale version: nothing more is written once all is as it should be.
  await until('the pool is at rest', async () => isAtRest(client, pool));
  await client.delete(NODE_POOLS, 'workers', IN_NAMESPACE);
  await until('the pool is gone', () =>
    pool().then(
      () => false,
      (error: unknown) => isNotFound(error),
    ),
  );
  expect([await deployment(), await count(SECRETS), await count(HARBOUR_MACHINE_TEMPLATES)]).toEqual([undefined, 0, 0]);
}

async function isAtRest(client: Client, pool: () => Promise<NodePool>): Promise<boolean> {
  const before = (await pool()).metadata.resourceVersion;
  // Longer than details of status wait.
  for (let look = 0; look < 40; look += 1) await client.list(NODE_POOLS, IN_NAMESPACE);
  return (await pool()).metadata.resourceVersion === before;
}
