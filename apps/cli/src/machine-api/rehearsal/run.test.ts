import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { awsCluster, awsMachine, awsMachineTemplate } from '@capstan/api/infrastructure/aws';
import { crd } from '@capstan/api/model';
import { CLUSTER_API_NAMESPACE, CLUSTERS, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineCrds, machineSetObject, USER_DATA } from '@capstan/simulation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../main.js';
import { TestIo } from '../../testing-io.js';
import { testServer, TIMEOUT_MS } from '../../testing-server.js';
import type { TestServer } from '../../testing-server.js';
import type { SwitchReport } from './report.js';

const kind = (group: string, version: string, plural: string, namespaced: boolean) => ({
  group,
  version,
  plural,
  namespaced,
});
const INFRASTRUCTURES = kind('config.openshift.io', 'v1', 'infrastructures', false);
const AWS_CLUSTERS = kind('infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsclusters', true);
const NAMESPACES = kind('', 'v1', 'namespaces', false);
const NODES = kind('', 'v1', 'nodes', false);
const SECRETS = kind('', 'v1', 'secrets', true);
const CLUSTER = 'demo-x7k2p';
const SET = 'workers';
const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  const all = [...clusterApiKinds, ...configKinds, awsCluster, awsMachine, awsMachineTemplate];
  await server.define([...machineCrds(true), ...all.map((each) => crd(each, { conversion: 'none' }))]);
  await createPlatform();
  await createMachines(2);
}, TIMEOUT_MS);
afterAll(() => server.close());

const object = (apiVersion: string, type: string, metadata: object, rest: object): KubeObject =>
  ({ apiVersion, kind: type, metadata, ...rest }) as KubeObject;

async function createPlatform(): Promise<void> {
  const { client } = server;
  for (const name of [MACHINE_API_NAMESPACE, CLUSTER_API_NAMESPACE])
    await client.create(NAMESPACES, object('v1', 'Namespace', { name }, {}));
  await client.create(SECRETS, USER_DATA);
  const aws = { aws: { region: 'us-east-1' }, type: 'AWS' };
  const status = { infrastructureName: CLUSTER, platformStatus: aws, platform: 'AWS' };
  const made = await client.create(
    INFRASTRUCTURES,
    object('config.openshift.io/v1', 'Infrastructure', { name: 'cluster' }, { spec: {} }),
  );
  await client.update(INFRASTRUCTURES, { ...made, status }, { subresource: 'status' });
  const metadata = { name: CLUSTER, namespace: CLUSTER_API_NAMESPACE };
  const external = { ...metadata, annotations: { 'cluster.x-k8s.io/managed-by': 'external' } };
  const spec = { region: 'us-east-1', controlPlaneEndpoint: { host: 'api.demo.example.com', port: 6443 } };
  await client.create(
    AWS_CLUSTERS,
    object('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSCluster', external, { spec }),
  );
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: CLUSTER };
  await client.create(
    CLUSTERS,
    object('cluster.x-k8s.io/v1beta2', 'Cluster', metadata, { spec: { infrastructureRef } }),
  );
}

/** As Machine API leaves them: the operator has not been there yet. */
async function createMachines(count: number): Promise<void> {
  const { client } = server;
  const set = await client.create(MAPI_MACHINE_SETS, machineSetObject(SET, count));
  const { metadata, spec } = (set['spec'] as { template: { metadata: object; spec: object } }).template;
  const { name, uid = '' } = set.metadata;
  const owner = { apiVersion: set.apiVersion, kind: set.kind, name, uid, controller: true, blockOwnerDeletion: true };
  for (let at = 0; at < count; at += 1) {
    const [own, node] = [`${SET}-${at}`, `ip-10-0-0-${at}.ec2.internal`];
    const providerID = `aws:///us-east-1a/i-0123456789abcde0${at}`;
    const machine = await client.create(
      MAPI_MACHINES,
      object(
        'machine.openshift.io/v1beta1',
        'Machine',
        { ...metadata, ...IN_MAPI, name: own, ownerReferences: [owner], finalizers: ['machine.machine.openshift.io'] },
        { spec: { ...spec, providerID } },
      ),
    );
    const status = { phase: 'Running', nodeRef: { kind: 'Node', name: node } };
    await client.update(MAPI_MACHINES, { ...machine, status }, { subresource: 'status' });
    await client.create(NODES, object('v1', 'Node', { name: node }, { spec: { providerID } }));
  }
}

async function rehearse(...args: readonly string[]): Promise<{
  readonly code: number;
  readonly io: TestIo;
  readonly reports: readonly SwitchReport[];
}> {
  const io = new TestIo();
  const given = ['--kubeconfig', server.kubeconfig, '--threads', '1', '-o', 'json', ...args];
  const code = await main(['machine-api', 'rehearse', ...given], io);
  const reports = io.stdout === '' ? [] : (JSON.parse(io.stdout) as { switches: readonly SwitchReport[] }).switches;
  return { code, io, reports };
}

const patchSet = (value: object): Promise<unknown> =>
  server.client.patch(
    MAPI_MACHINE_SETS,
    SET,
    { type: 'merge', value: { spec: { template: { spec: value } } } },
    IN_MAPI,
  );

describe('capstan machine-api rehearse', () => {
  it(
    'switches a set with its machines there and back on a copy that is mirrored first, and writes nothing',
    async () => {
      const before = await server.client.list(MAPI_MACHINES, IN_MAPI);
      const { code, reports } = await rehearse('--seeds', '1');
      expect(reports).toMatchObject([
        {
          resource: `machineset/${SET}`,
          verdict: 'would-switch',
          differs: [],
          leftOut: [],
          rehearsals: { run: 2, switched: 2, failed: [] },
        },
      ]);
      expect(reports[0]?.expectedSeconds).toBeGreaterThan(0);
      expect(code).toBe(0);
      expect((await server.client.list(MAPI_MACHINES, IN_MAPI)).items).toEqual(before.items);
      expect((await server.client.list(AWS_CLUSTERS)).items).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    'names what would block a switch',
    async () => {
      const unknown = { ebs: { iops: 1, volumeType: 'unknown' } };
      await patchSet({ providerSpec: { value: { blockDevices: [unknown] } } });
      try {
        const { code, reports } = await rehearse('--seeds', '0');
        expect(reports).toMatchObject([
          {
            verdict: 'would-not-switch',
            blockedBy: {
              reason: `machineset/${SET} cannot move`,
              message: expect.stringContaining(`machineset/${SET} is not synchronized: ConversionFailed`) as string,
            },
          },
        ]);
        expect(code).toBe(1);
      } finally {
        await patchSet({ providerSpec: { value: { blockDevices: null } } });
      }
    },
    TIMEOUT_MS,
  );

  it.each([
    [['nowhere'], 'there is no MachineSet nowhere in Machine API'],
    [['machine/nowhere'], 'there is no Machine nowhere in Machine API'],
    [['node/a'], '"node/a" names no resource'],
    [['--to', 'Nothing'], "option '--to <api>' argument 'Nothing' is invalid"],
  ])('has no answer to %j', async (args, message) => {
    const { code, io } = await rehearse(...args);
    expect(io.stderr).toContain(message);
    expect(code).toBe(2);
  });

  it(
    'reports that there is nothing to rehearse where authority is there',
    async () => {
      const { code, reports } = await rehearse('--to', 'MachineAPI', '--seeds', '0');
      expect(reports).toMatchObject([{ verdict: 'switched-already', rehearsals: { run: 0 } }]);
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );
});
