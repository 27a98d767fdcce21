import {
  machine as clusterApiMachine,
  machineHealthCheck as clusterApiHealthCheck,
  machineSet as clusterApiMachineSet,
} from '@capstan/api/cluster-api';
import { infrastructure as infrastructureKind } from '@capstan/api/config';
import { controlPlaneMachineSet, kinds as machineKinds } from '@capstan/api/machine';
import { crd, resource } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { HARBOUR_CLUSTERS, harbourDefinitions } from '@capstan/provider/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TIMEOUT_MS, testServer } from '../testing-server.js';
import type { TestServer } from '../testing-server.js';
import type { ConvertOptions } from './run.js';
import {
  controlPlane,
  convert,
  harbourCluster,
  healthCheck,
  infrastructure,
  machine,
  machineSet,
} from './testing-fleet.js';
import type { Ran } from './testing-fleet.js';
import { documents, printed } from './testing-folder.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const CLUSTER_API_KINDS: readonly Kind[] = [clusterApiMachine, clusterApiMachineSet, clusterApiHealthCheck];
const ALL_KINDS = [...machineKinds, ...CLUSTER_API_KINDS, infrastructureKind].map((kind) =>
  crd(kind, { conversion: 'none' }),
);

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

function live(options: ConvertOptions, ...names: readonly string[]): Promise<Ran> {
  return convert({ ...options, kubeconfig: server.kubeconfig }, { names });
}

async function create(objects: readonly object[]): Promise<void> {
  for (const object of objects as readonly KubeObject[]) {
    const kind = [...machineKinds, ...CLUSTER_API_KINDS, infrastructureKind].find(
      (each) => object.apiVersion?.startsWith(`${each.group}/`) === true && each.kind === object.kind,
    );
    const [group = '', version = ''] = (object.apiVersion ?? '').split('/');
    const ref =
      kind === undefined
        ? { ...HARBOUR_CLUSTERS, plural: `${(object.kind ?? '').toLowerCase()}s`, group }
        : resource(kind, version);
    await server.client.create(ref, object, {});
  }
}

/** What stays the same when an object is stored by another server. */
function withoutServerFields(object: unknown): object {
  const { apiVersion, kind, metadata, spec } = object as KubeObject & { spec: object };
  const { labels, name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, labels }, spec };
}

describe('a cluster', () => {
  it('reports that a server has no machine kinds', async () => {
    await expect(live({ check: true })).rejects.toThrow(
      'the cluster does not serve machines.machine.openshift.io v1beta1',
    );
    await expect(live({ to: 'machine-api', fromCluster: true })).rejects.toThrow(
      'the cluster does not serve machines.cluster.x-k8s.io v1beta2',
    );
  });

  it('is checked as a whole, with what it runs on', async () => {
    await server.define([...ALL_KINDS, ...harbourDefinitions()]);
    for (const name of ['openshift-machine-api', 'openshift-cluster-api'])
      await server.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const { status, ...plain } = infrastructure;
    await create([
      plain,
      harbourCluster,
      machine('worker-a-1'),
      machineSet('worker-a'),
      healthCheck('workers'),
      controlPlane(),
    ]);
    const kept = await server.client.get(resource(infrastructureKind, 'v1'), 'cluster');
    await server.client.update(resource(infrastructureKind, 'v1'), { ...kept, status } as KubeObject, {
      subresource: 'status',
    });
    const checked = await live({ check: true });
    expect(checked.out).toMatchSnapshot();
    expect({ ok: checked.ok, err: checked.err }).toEqual({ ok: true, err: '' });
  });

  it('gives all its objects, those of a kind, or one of them', async () => {
    const all = await live({ fromCluster: true });
    expect(printed(all.out)).toEqual([
      expect.stringMatching(/^HarbourMachineTemplate\/worker-a-/),
      expect.stringMatching(/^HarbourMachineTemplate\/cluster-/),
      'HarbourMachine/worker-a-1',
      'Machine/worker-a-1',
      'MachineSet/worker-a',
      'ControlPlaneMachineSet/cluster',
      'MachineHealthCheck/workers',
    ]);
    expect(printed((await live({}, 'machines')).out)).toEqual(['HarbourMachine/worker-a-1', 'Machine/worker-a-1']);
    expect(printed((await live({}, 'mhc', 'cpms/cluster')).out)).toEqual([
      expect.stringMatching(/^HarbourMachineTemplate\/cluster-/),
      'ControlPlaneMachineSet/cluster',
      'MachineHealthCheck/workers',
    ]);
    const one = await live({}, 'machinesets.machine.openshift.io/worker-a');
    expect(printed(one.out).slice(1)).toEqual(['MachineSet/worker-a']);
  });

  it('takes what was converted, and gives it back as it was', async () => {
    const { out } = await live({}, 'machines', 'machinesets', 'mhc');
    await create(documents(out));
    for (const back of [
      await live({ to: 'machine-api' }, 'machines', 'machinesets', 'mhc'),
      await live({}, 'machines.cluster.x-k8s.io', 'machinesets', 'mhc'),
    ]) {
      expect(back.err).toBe(
        'Secrets that have to exist: openshift-machine-api/worker-user-data\n3 objects of 3 convert to Machine API\n',
      );
      const wanted = [machine('worker-a-1'), machineSet('worker-a'), healthCheck('workers')];
      const refs = machineKinds
        .filter((kind) => kind !== controlPlaneMachineSet)
        .map((kind) => resource(kind, 'v1beta1'));
      const names = ['worker-a-1', 'worker-a', 'workers'];
      const stored = await Promise.all(
        refs.map((ref, at) => server.client.get(ref, names[at] ?? '', { namespace: 'openshift-machine-api' })),
      );
      // The server fills in defaults; those are what was read.
      expect(documents(back.out).map(withoutServerFields)).toEqual(stored.map(withoutServerFields));
      expect(documents(back.out)).toHaveLength(wanted.length);
    }
  });

  it('reports what does not exist', async () => {
    await expect(live({}, 'machine/nobody')).rejects.toThrow(
      'there is no machines.machine.openshift.io nobody in namespace openshift-machine-api',
    );
    await expect(live({ fromNamespace: 'elsewhere' }, 'machine/worker-a-1')).rejects.toThrow(
      'there is no machines.machine.openshift.io worker-a-1 in namespace elsewhere',
    );
    await expect(live({ fromNamespace: 'elsewhere', check: true })).rejects.toThrow('there is nothing to convert');
  });

  it('is compared with what its manager of Cluster API brings to nodes', async () => {
    const tainted = machine('tainted') as { spec: object };
    const metadata = { labels: { 'example.com/rack': 'r1' } };
    await create([
      { ...tainted, spec: { ...tainted.spec, metadata, taints: [{ key: 'infra', effect: 'NoSchedule' }] } },
    ]);
    const before = await live({ check: true }, 'machine/tainted');
    expect(before.out).toContain('warning  spec.metadata.labels[example.com/rack]: reaches no node');
    expect(before.out).toContain('warning  spec.taints[0]: with key "infra" reaches no node');
    const labels = { app: 'capi' };
    const args = ['--additional-sync-machine-labels=^example\\.com/', '--feature-gates=MachineTaintPropagation=true'];
    const manager: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'capi-controller-manager', namespace: 'openshift-cluster-api' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'manager', image: 'capi', args }] } },
      },
    };
    const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
    await server.client.create(deployments, manager);
    const after = await live({ check: true }, 'machine/tainted');
    expect(after.out).not.toContain('reaches no node');
    expect(after.out).toContain('compared with: ');
    expect(after.out).toContain('Deployment capi-controller-manager (the cluster)');
  });
});
