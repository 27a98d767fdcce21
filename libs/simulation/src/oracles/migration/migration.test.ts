import { acknowledgement, MIGRATION_COPIED_ANNOTATION, withLock } from '@capstan/hosting';
import { systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { Cloud } from '@capstan/upstream';
import type { Instance } from '@capstan/upstream';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommitEvent } from '../../engine/event-log.js';
import type { RunRecord } from '../../scenario.js';
import { SimulationState } from '../../scenario.js';
import { migrationOracles, migrationRehearsalOracles } from './index.js';

const NAMESPACE = 'clusters-a';
const PROCESS = 'migration';
const LOCK = 'lock-1';
const PLURALS: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Deployment: 'apps/deployments',
  HostedCluster: 'hypershift.openshift.io/hostedclusters',
  Machine: 'cluster.x-k8s.io/machines',
  NodePool: 'hypershift.openshift.io/nodepools',
  Secret: 'secrets',
  StatefulSet: 'apps/statefulsets',
};
const [STANDARD, PRIVATE] = ['cluster.x-k8s.io/v1beta2', 'cluster.hypershift.openshift.io/v1beta2'];
const ID = 'aws:///us-east-1a/i-1';

const hosted = (kind: 'HostedCluster' | 'NodePool', name: string): KubeObject =>
  ({
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind,
    metadata: { name, namespace: 'clusters', uid: name },
    spec: { clusterName: 'a' },
  }) as unknown as KubeObject;
const CLUSTER = hosted('HostedCluster', 'a');
const LOCKED = withLock(CLUSTER as Parameters<typeof withLock>[0], { id: LOCK, startedAt: '2026-01-01T00:00:00Z' });

function object(apiVersion: string, kind: string, name: string, more: Partial<KubeObject> = {}): KubeObject {
  const { metadata, ...rest } = more;
  const uid = `${apiVersion} ${name}`;
  return { apiVersion, kind, ...rest, metadata: { name, namespace: NAMESPACE, uid, ...metadata } } as KubeObject;
}

/** A Machine with an instance. */
const machine = (apiVersion: string, name = 'm', metadata: KubeObject['metadata'] = {}): KubeObject =>
  object(apiVersion, 'Machine', name, { metadata, spec: { providerID: ID } });
const ORIGINAL = machine(STANDARD);
/** A copy that the migration has marked as complete. */
const COPY = machine(PRIVATE, 'm', { annotations: { [MIGRATION_COPIED_ANNOTATION]: 'yes' } });
const owned = (kind: string, apiVersion: string, by: KubeObject): KubeObject => {
  const { metadata } = by;
  const owner = { apiVersion: by.apiVersion, kind: by.kind, name: metadata.name ?? '', uid: metadata.uid ?? '' };
  return object(apiVersion, kind, 'owned', { metadata: { ownerReferences: [owner] } });
};
const SECRET = owned('Secret', 'v1', ORIGINAL);
const API_SERVER = object('apps/v1', 'Deployment', 'kube-apiserver', { spec: { replicas: 3 } });
const ETCD = object('apps/v1', 'StatefulSet', 'etcd', { spec: { replicas: 3 } });

/** The events of a run, each on top of those before. */
class Run {
  readonly cloud: Cloud;
  readonly #before: readonly KubeObject[];
  readonly #objects = new Map<string, KubeObject>();
  readonly #events: CommitEvent[] = [];

  constructor(before: readonly KubeObject[], instances: readonly Instance[] = [INSTANCE]) {
    const state = { instances, launched: instances.length };
    this.cloud = new Cloud({ clock: new ManualClock(0), random: systemRandom('cloud'), state });
    this.#before = before;
    for (const each of before) this.#objects.set(each.metadata.uid ?? '', each);
  }

  write(written: KubeObject, process = PROCESS): this {
    const previous = this.#objects.get(written.metadata.uid ?? '');
    this.#objects.set(written.metadata.uid ?? '', written);
    return this.#commit(previous === undefined ? 'create' : 'update', process, written, previous);
  }

  delete(gone: KubeObject, process = PROCESS): this {
    this.#objects.delete(gone.metadata.uid ?? '');
    return this.#commit('delete', process, gone, gone);
  }

  lock(): this {
    return this.write(LOCKED);
  }

  acknowledge(): this {
    return this.write(
      { ...LOCKED, status: { conditions: [acknowledgement(LOCK)] } } as unknown as KubeObject,
      'operator',
    );
  }

  #commit(change: CommitEvent['change'], process: string, written: KubeObject, previous: KubeObject | undefined): this {
    this.#events.push({
      type: 'commit',
      at: 0,
      process,
      effect: 1,
      change,
      method: 'PUT',
      userAgent: '',
      resource: PLURALS[written.kind] ?? '',
      namespace: written.metadata.namespace ?? '',
      name: written.metadata.name ?? '',
      revision: this.#events.length + 1,
      object: written,
      previous,
      isBlindReplace: false,
      seen: undefined,
    });
    return this;
  }

  /** What oracles find, those of a record and those that look as it happens; `act` is what a provider does meanwhile. */
  found(act: (cloud: Cloud) => void = () => undefined): { readonly later: string[]; readonly live: string[] } {
    const options = {
      cloud: this.cloud,
      mapping: new GroupMapping(CLUSTER_API_RULES),
      hostedCluster: 'clusters/a',
      namespace: NAMESPACE,
      others: [PROCESS],
      operators: ['operator'],
    };
    const initial = stateOf(this.#before);
    const final = stateOf([...this.#objects.values()]);
    const watching = migrationRehearsalOracles(options, initial);
    act(this.cloud);
    const found = watching.flatMap((oracle) =>
      this.#events.flatMap((event) => oracle.onEvent?.(event) ?? []).map((each) => `${oracle.name}: ${each}`),
    );
    const atEnd = watching.flatMap((oracle) => (oracle.atEnd?.(final) ?? []).map((each) => `${oracle.name}: ${each}`));
    const record = { events: this.#events, initial, final } as unknown as RunRecord;
    const later = migrationOracles(options).flatMap((oracle) =>
      oracle.check(record).map(({ message }) => `${oracle.name}: ${message}`),
    );
    return { later, live: [...found, ...atEnd] };
  }
}

function stateOf(objects: readonly KubeObject[]): SimulationState {
  const byResource = new Map<string, readonly KubeObject[]>();
  for (const each of objects) {
    const resource = PLURALS[each.kind] ?? '';
    byResource.set(resource, [...(byResource.get(resource) ?? []), each]);
  }
  return new SimulationState(byResource);
}

const INSTANCE: Instance = {
  platform: 'aws',
  token: 't',
  name: 'm',
  type: 'm5.large',
  image: 'ami',
  region: 'us-east-1',
  zone: 'us-east-1a',
  tags: {},
  userData: '',
  id: 'i-1',
  providerId: ID,
  state: 'running',
  addresses: [],
  hostname: 'm',
  caller: '',
  launchedAt: 0,
};

let run: Run;
beforeEach(() => {
  run = new Run([CLUSTER, ORIGINAL, SECRET, API_SERVER, ETCD]);
});

describe('The oracles of a migration find nothing', () => {
  it('in one that copies, re-points, and deletes what is old', () => {
    run
      .lock()
      .acknowledge()
      .write(COPY)
      .write(owned('Secret', 'v1', COPY))
      .delete(ORIGINAL)
      .write(CLUSTER);
    expect(run.found()).toEqual({ later: [], live: [] });
  });

  it('in what happens without the lock', () => {
    run.write({ ...API_SERVER, spec: { replicas: 1 } }, 'operator').delete(SECRET, 'garbage-collector');
    expect(run.found()).toEqual({ later: [], live: [] });
  });

  it('in an instance that had two Machines before', () => {
    const other = machine(STANDARD, 'other');
    const found = new Run([CLUSTER, ORIGINAL, other])
      .lock()
      .write({ ...ORIGINAL, status: {} })
      .found();
    expect(found.live.filter((each) => each.startsWith('instances-are-named'))).toEqual([]);
  });
});

describe('Of planted violations, the oracle', () => {
  const REVISION_2 = 'at revision 2';

  it.each<[string, () => Run, string]>([
    [
      'instances-are-named finds a Machine that is deleted before its copy is there',
      () => run.lock().delete(ORIGINAL),
      `instance ${ID} belongs to no Machine ${REVISION_2}`,
    ],
    [
      'instances-are-named finds a second Machine of the same group',
      () => run.lock().write(machine(STANDARD, 'second')),
      `instance ${ID} belongs to 2 Machines ${REVISION_2}`,
    ],
    [
      'one-group-at-the-end finds originals that are left',
      () => run.lock().write(COPY).write(CLUSTER),
      'objects are left in both groups',
    ],
    [
      'one-group-at-the-end finds an instance that no Machine names any more',
      () => run.delete(SECRET).write({ ...ORIGINAL, spec: {} }),
      `Machines name ; there are the instances ${ID}`,
    ],
    [
      'owners-exist finds an owner that is deleted too early',
      () => run.lock().write(COPY).delete(ORIGINAL),
      'cluster.x-k8s.io/machines clusters-a/m is deleted while it owns Secret owned',
    ],
    [
      'owners-exist finds a copy that refers to an owner under its old UID',
      () => run.lock().write(owned('ConfigMap', 'v1', machine(PRIVATE, 'never-created'))),
      'configmaps clusters-a/owned refers to Machine never-created, which does not exist',
    ],
    [
      'owned-objects-stay finds a Secret that the garbage collector took',
      () => run.lock().delete(SECRET, 'garbage-collector'),
      'secrets clusters-a/owned is deleted, which Machine m owns',
    ],
    [
      'other-workloads-stay finds one that is scaled',
      () => run.lock().write({ ...API_SERVER, spec: { replicas: 1 } }),
      'apps/deployments clusters-a/kube-apiserver has another spec',
    ],
    [
      'other-workloads-stay finds one that is deleted',
      () => run.lock().delete(API_SERVER),
      'apps/deployments clusters-a/kube-apiserver is deleted',
    ],
    [
      'other-workloads-stay finds a StatefulSet that is scaled',
      () => run.lock().write({ ...ETCD, spec: { replicas: 1 } }),
      'apps/statefulsets clusters-a/etcd has another spec',
    ],
    [
      'operators-stop finds an operator that goes on after it has acknowledged',
      () =>
        run
          .lock()
          .acknowledge()
          .write({ ...API_SERVER, status: { replicas: 3 } } as KubeObject, 'operator'),
      'apps/deployments clusters-a/kube-apiserver was written by operator after it had acknowledged the lock',
    ],
    [
      'one-group-acts finds a controller of the old group once the copies count',
      () =>
        run
          .lock()
          .write(COPY)
          .write({ ...ORIGINAL, status: { phase: 'Running' } }, 'cluster-api'),
      'cluster.x-k8s.io/machines clusters-a/m was written by cluster-api while the private groups are authoritative',
    ],
    [
      'one-group-acts finds a controller of the new group before the copies count',
      () => run.lock().write(machine(PRIVATE), 'cluster-api'),
      'cluster.x-k8s.io/machines clusters-a/m was written by cluster-api while the standard groups are authoritative',
    ],
  ])('%s', (name, plant, message) => {
    const found = plant().found();
    const [oracle = ''] = name.split(' ');
    expect(found.later).toContain(`${oracle}: ${message}`);
    expect(found.live).toContain(`${oracle}: ${message}`);
  });

  it('no-cloud-calls finds what a provider asks for, once', () => {
    const { later, live } = run.found((cloud) => {
      cloud.get('capi-provider', 'i-1');
      cloud.terminate('capi-provider', 'i-1');
      cloud.terminate('capi-provider', 'i-1');
    });
    expect(live.filter((each) => each.startsWith('no-cloud-calls'))).toEqual([
      'no-cloud-calls: capi-provider called terminate i-1',
    ]);
    expect(later.some((each) => each.startsWith('no-cloud-calls'))).toBe(false);
  });
});
