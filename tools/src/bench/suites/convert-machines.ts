import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conversionPlatforms } from '@capstan/cli/platforms';
import { MachineConverter } from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { stringify } from 'yaml';
import type { BenchRow } from '../model.js';

const PROGRAM = fileURLToPath(new URL('../../../../apps/cli/bin/capstan.js', import.meta.url));
const MACHINES = 10_000;
const LIMIT_MS = 600_000;
/** So many before it counts: rules are many small functions, and the compiler takes its time to see them all. */
const WARM_UP = 30_000;

const infrastructureCluster: JsonObject = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'fleet-x7k2p', namespace: 'openshift-cluster-api' },
  spec: {
    region: 'eu-central-1',
    identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
    controlPlaneLoadBalancer: { name: 'fleet-x7k2p-int', loadBalancerType: 'nlb' },
  },
};

const context: MachineContext = {
  clusterName: 'fleet-x7k2p',
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster,
};

function named(name: string): object {
  return { filters: [{ name: 'tag:Name', values: [name] }] };
}

/** A worker as the installer writes it, that runs. */
function machine(name: string): JsonObject {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'openshift-machine-api',
      uid: '5d3f1a2b-0000-4000-8000-000000000001',
      resourceVersion: '123456',
      generation: 2,
      creationTimestamp: '2026-01-02T03:04:05Z',
      finalizers: ['machine.machine.openshift.io'],
      annotations: { 'machine.openshift.io/instance-state': 'running' },
      labels: {
        'machine.openshift.io/cluster-api-cluster': 'fleet-x7k2p',
        'machine.openshift.io/cluster-api-machine-role': 'worker',
        'machine.openshift.io/cluster-api-machine-type': 'worker',
        'machine.openshift.io/cluster-api-machineset': 'fleet-x7k2p-worker-eu-central-1a',
        'machine.openshift.io/instance-type': 'm6i.xlarge',
        'machine.openshift.io/region': 'eu-central-1',
        'machine.openshift.io/zone': 'eu-central-1a',
      },
    },
    spec: {
      lifecycleHooks: {},
      metadata: {},
      providerID: 'aws:///eu-central-1a/i-0123456789abcdef0',
      providerSpec: {
        value: {
          apiVersion: 'machine.openshift.io/v1beta1',
          kind: 'AWSMachineProviderConfig',
          ami: { id: 'ami-0123456789abcdef0' },
          blockDevices: [{ ebs: { encrypted: true, iops: 0, volumeSize: 120, volumeType: 'gp3' } }],
          credentialsSecret: { name: 'aws-cloud-credentials' },
          deviceIndex: 0,
          iamInstanceProfile: { id: 'fleet-x7k2p-worker-profile' },
          instanceType: 'm6i.xlarge',
          metadata: { creationTimestamp: null },
          metadataServiceOptions: { authentication: 'Optional' },
          placement: { availabilityZone: 'eu-central-1a', region: 'eu-central-1' },
          securityGroups: [named('fleet-x7k2p-node'), named('fleet-x7k2p-lb')],
          subnet: named('fleet-x7k2p-subnet-private-eu-central-1a'),
          tags: [{ name: 'kubernetes.io/cluster/fleet-x7k2p', value: 'owned' }],
          userDataSecret: { name: 'worker-user-data' },
        },
      },
    },
    status: {
      phase: 'Running',
      addresses: [
        { type: 'InternalIP', address: '10.0.129.7' },
        { type: 'InternalDNS', address: 'ip-10-0-129-7.eu-central-1.compute.internal' },
      ],
      lastUpdated: '2026-01-02T03:10:05Z',
      nodeRef: { kind: 'Node', name: 'ip-10-0-129-7.eu-central-1.compute.internal' },
      providerStatus: { instanceId: 'i-0123456789abcdef0', instanceState: 'running' },
    },
  };
}

function inProcess(platform: MachinePlatform): BenchRow[] {
  const converter = new MachineConverter(platform);
  const worker = machine('worker-1');
  const { errors, objects } = converter.toClusterApi(worker, context);
  const [infrastructure, made] = objects;
  if (infrastructure === undefined || made === undefined) throw new Error(JSON.stringify(errors));
  const parts = { machine: made, infrastructure };
  const back = converter.toMachineApi(parts, context);
  if (back.errors.length > 0) throw new Error(JSON.stringify(back.errors));
  const row = (name: string, text: string, convert: () => unknown, warm = 0): BenchRow => ({
    name,
    unit: 'machines/s',
    better: 'higher',
    target: 50_000,
    reference: {
      name: 'JSON.parse and JSON.stringify',
      run: (bench) => bench.rate(() => JSON.stringify(JSON.parse(text) as unknown)),
    },
    run: (bench) => {
      for (; warm < WARM_UP; warm += 1) convert();
      return bench.rate(convert);
    },
  });
  return [
    row('a machine on AWS to Cluster API', JSON.stringify(worker), () => converter.toClusterApi(worker, context)),
    row('a machine on AWS to Machine API', JSON.stringify(parts), () => converter.toMachineApi(parts, context)),
  ];
}

/** What a program does at least: it reads the file, and writes every object. */
const YARDSTICK = `const { items } = JSON.parse(require('node:fs').readFileSync(process.argv[1], 'utf8'));
for (const item of items) process.stdout.write(JSON.stringify(item) + '\\n');`;

function seconds(args: readonly string[]): number {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: LIMIT_MS,
    env: { ...process.env, HOME: '/nonexistent' },
  });
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr.slice(0, 2000)}`);
  return (performance.now() - begin) / 1000;
}

function throughCommand(folder: string, isQuick: boolean): BenchRow[] {
  const items = Array.from({ length: MACHINES }, (_, at) => machine(`fleet-x7k2p-worker-${at}`));
  const files = { json: join(folder, 'm.json'), yaml: join(folder, 'm.yaml'), cluster: join(folder, 'c.json') };
  writeFileSync(files.json, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  writeFileSync(files.cluster, JSON.stringify(infrastructureCluster));
  const convert = (file: string, output: string) => (): number =>
    seconds([PROGRAM, 'convert', '-f', file, '--infrastructure', files.cluster, '-o', output]);
  const row = (name: string, run: () => number, target?: number): BenchRow => ({
    name,
    unit: 's',
    better: 'lower',
    ...(target === undefined ? {} : { target }),
    reference: { name: 'node reads and writes them', run: () => seconds(['-e', YARDSTICK, files.json]) },
    run,
  });
  const json = row('10,000 machines through the command, JSON', convert(files.json, 'json'), 3);
  if (isQuick) return [json];
  // By the writer that knows all of YAML, and not by the one that is measured.
  writeFileSync(files.yaml, items.map((item) => `---\n${stringify(item, { version: '1.1', lineWidth: 0 })}`).join(''));
  return [json, row('10,000 machines through the command, YAML', convert(files.yaml, 'yaml'))];
}

/** Machines between Machine API and Cluster API, in the process and through the command; none without their platform. */
export async function machineRows(
  isQuick: boolean,
): Promise<{ readonly rows: readonly BenchRow[]; close(): Promise<void> }> {
  const platform = (await conversionPlatforms()).ofProviderSpec('AWSMachineProviderConfig');
  if (platform === undefined || 'refused' in platform) return { rows: [], close: () => Promise.resolve() };
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-convert-'));
  const close = (): Promise<void> => Promise.resolve(rmSync(folder, { recursive: true, force: true }));
  try {
    return { rows: [...inProcess(platform), ...throughCommand(folder, isQuick)], close };
  } catch (error) {
    await close();
    throw error;
  }
}
