import { machine, machineDeployment, machineSet } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { Heartbeat } from '@capstan/cluster';
import { Client, silentLogger } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { autoscalerOperator } from '@capstan/upstream';
import { NODES, PODS } from '@capstan/upstream/machine-api';
import { expect, it } from 'vitest';
import { GUEST_CONTROLLERS } from '../guests/guest-cluster.js';
import { Guests } from '../guests/guests.js';
import { Simulation } from '../engine/simulation.js';
import { operatorProcess } from '../runtime/process.js';

const NAMESPACE = 'clusters-one';
const HERE = { namespace: NAMESPACE };
const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const capi = (plural: string) => ({ group: 'cluster.x-k8s.io', version: 'v1beta2', plural, namespaced: true });
const SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';

const ref = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' };
const machineSpec = { clusterName: 'one', bootstrap: { dataSecretName: 's' }, infrastructureRef: ref };
const selector = { matchLabels: { pool: 'a' } };
const template = { metadata: { labels: selector.matchLabels }, spec: machineSpec };

function object(kind: string, name: string, spec: object, metadata: object = {}): KubeObject {
  return { apiVersion: 'cluster.x-k8s.io/v1beta2', kind, metadata: { name, ...HERE, ...metadata }, spec };
}

const owner = (of: KubeObject) => ({
  ownerReferences: [
    { apiVersion: of.apiVersion, kind: of.kind, name: of.metadata.name ?? '', uid: of.metadata.uid ?? '' },
  ],
});

function pod(name: string, nodeName: string | undefined): KubeObject {
  const containers = [{ name: 'main', image: 'i', resources: { requests: { cpu: '3', memory: '1Gi' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' } },
    spec: { containers, ...(nodeName === undefined ? {} : { nodeName }) },
  };
}

const UNSCHEDULABLE = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
const AUTOSCALER = 'cluster-autoscaler';

it(
  'scales a MachineDeployment for the pods of a guest cluster, with the requests of the original',
  { timeout: 60_000 },
  async () => {
    const simulation = new Simulation({ seed: 3 });
    const clock = simulation.timeline.clock();
    const guests = new Guests({ clock, random: simulation.random.split('guests'), isSimulated: true });
    const guest = guests.ensure(NAMESPACE, 'one');
    const management = new Client(simulation.server);
    const stop = new AbortController();
    const workload = new Client(guest.server, { user: GUEST_CONTROLLERS });
    for (const kind of [machine, machineSet, machineDeployment])
      await management.create(CRDS, crd(kind, { conversion: 'none' }) as unknown as KubeObject);
    await management.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const annotations = { [`${SIZE}-min-size`]: '1', [`${SIZE}-max-size`]: '3' };
    const deploymentSpec = { clusterName: 'one', replicas: 1, selector, template };
    const deployment = await management.create(
      capi('machinedeployments'),
      object('MachineDeployment', 'pool', deploymentSpec, { annotations }),
    );
    const setSpec = { clusterName: 'one', replicas: 1, selector, template };
    const set = await management.create(
      capi('machinesets'),
      object('MachineSet', 'pool-1', setSpec, owner(deployment)),
    );
    const join = async (name: string): Promise<void> => {
      const spec = { ...machineSpec, providerID: `aws:///us-east-1a/${name}` };
      const made = await management.create(capi('machines'), object('Machine', name, spec, owner(set)));
      await management.update(capi('machines'), { ...made, status: { nodeRef: { name } } }, { subresource: 'status' });
      const description = {
        name,
        ip: '10.0.0.1',
        podCidr: '10.1.0.0/24',
        providerId: `aws:///us-east-1a/${name}`,
        capacity: { cpu: '4', memory: '16Gi', pods: '20' },
      };
      const heartbeat = new Heartbeat({
        client: workload,
        clock,
        logger: silentLogger(),
        description,
        isLost: () => false,
      });
      await heartbeat.register();
      void heartbeat.run(stop.signal);
    };
    await join('i-1');
    await workload.create(PODS, pod('settled', 'i-1'));
    const homeless = await workload.create(PODS, pod('homeless', undefined));
    await workload.update(PODS, { ...homeless, status: { conditions: UNSCHEDULABLE } }, { subresource: 'status' });

    simulation.spawn(
      operatorProcess(autoscalerOperator, {
        args: [
          '--cloud-provider=clusterapi',
          `--node-group-auto-discovery=clusterapi:namespace=${NAMESPACE}`,
          '--kubeconfig=/mnt/kubeconfig/target-kubeconfig',
          '--clusterapi-cloud-config-authoritative',
          '--scale-down-delay-after-add=1m',
          '--scale-down-unneeded-time=1m',
          '--expander=random',
        ],
        files: { '/mnt/kubeconfig/target-kubeconfig': guest.kubeconfig() },
        servers: guests.known,
      }),
    );
    const sent = (from = 0): string[] =>
      simulation.log.events
        .filter((event) => event.type === 'send' && event.process === AUTOSCALER && event.at >= from)
        .map((event) => (event.type === 'send' ? `${event.method} ${event.target}` : ''))
        .filter((text) => !text.includes('/clusters/') && !text.includes('watch=true'));
    const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${NAMESPACE}`;

    await simulation.runUntil(60_000);
    expect((await management.get(capi('machinedeployments'), 'pool', HERE))['spec']).toMatchObject({ replicas: 2 });
    const first = sent();
    expect(first.slice(0, 3)).toEqual(['GET /api', 'GET /apis', 'GET /apis/cluster.x-k8s.io/v1beta2']);
    expect(first.filter((text) => text.includes('/scale'))).toEqual([
      `GET ${path}/machinedeployments/pool/scale`,
      `PATCH ${path}/machinedeployments/pool/scale`,
    ]);

    await join('i-2');
    await workload.delete(PODS, 'homeless', { namespace: 'default', gracePeriodSeconds: 0 });
    const before = simulation.elapsed;
    await simulation.runUntil(before + 5 * 60_000);
    expect((await management.get(capi('machinedeployments'), 'pool', HERE))['spec']).toMatchObject({ replicas: 1 });
    expect(sent(before).filter((text) => text.includes(path))).toEqual([
      `GET ${path}/machinedeployments/pool/scale`,
      `GET ${path}/machines/i-2`,
      `PUT ${path}/machines/i-2`,
      `PATCH ${path}/machinedeployments/pool/scale`,
    ]);
    const marked = await management.get(capi('machines'), 'i-2', HERE);
    expect(marked.metadata.annotations?.['cluster.x-k8s.io/delete-machine']).toMatch(/^2026-/);
    const tainted = await workload.get(NODES, 'i-2');
    expect((tainted['spec'] as { taints?: unknown }).taints).toEqual(
      expect.arrayContaining([
        {
          key: 'ToBeDeletedByClusterAutoscaler',
          value: expect.stringMatching(/^\d+$/) as unknown,
          effect: 'NoSchedule',
        },
      ]),
    );
    stop.abort();
    simulation.end();
    guests.stop();
  },
);
