import { MACHINE_API_MEMBER } from '@capstan/convert/machine-api';
import type { MachinePlatform, PlatformKind } from '@capstan/convert/machine-api';
import { ConversionPlatforms } from '@capstan/provider';
import { driftwoodConversion, harbourContext, harbourConversion } from '@capstan/provider/testing';
import { TestIo } from '../testing-io.js';
import { runConvert } from './run.js';
import type { ConvertOptions } from './run.js';

function canal({ kind, version }: PlatformKind): PlatformKind {
  const named = (text: string): string => text.replace('Harbour', 'Canal').replace('harbour', 'canal');
  return { kind: { ...kind, kind: named(kind.kind), plural: named(kind.plural) }, version };
}

/** The same under other names. */
const canalConversion: MachinePlatform = {
  ...harbourConversion,
  type: 'Canal',
  providerSpec: { ...harbourConversion.providerSpec, kind: 'CanalMachineProviderSpec' },
  machine: canal(harbourConversion.machine),
  template: canal(harbourConversion.template),
  cluster: canal(harbourConversion.cluster),
};

/** The made-up platforms: two whose machines can be converted, one whose cannot. */
export const platforms = new ConversionPlatforms([harbourConversion, canalConversion, driftwoodConversion]);

/** What the machines of the tests lie in. */
export const harbourCluster = harbourContext.infrastructureCluster as object;

export const infrastructure = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  spec: { platformSpec: {} },
  status: { infrastructureName: harbourContext.clusterName, platformStatus: { type: 'External' } },
};

const LABELS = {
  'machine.openshift.io/cluster-api-cluster': harbourContext.clusterName,
  'machine.openshift.io/cluster-api-machine-role': 'worker',
  'machine.openshift.io/cluster-api-machine-type': 'worker',
};

/** A provider spec of the platform. */
export function providerSpec(more: object = {}): object {
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'HarbourMachineProviderSpec',
    berth: 'b1',
    cranes: 2,
    size: 'large',
    image: 'rhcos-1',
    port: 'rotterdam',
    userDataSecret: { name: 'worker-user-data' },
    ...more,
  };
}

function object(apiVersion: string, kind: string, name: string, more: object): object {
  return { apiVersion, kind, metadata: { name, namespace: 'openshift-machine-api', labels: LABELS }, ...more };
}

const V1BETA1 = 'machine.openshift.io/v1beta1';

export function machine(name: string, more: object = {}): object {
  return object(V1BETA1, 'Machine', name, {
    spec: { providerID: `harbour:///b1/${name}`, providerSpec: { value: providerSpec(more) } },
  });
}

export function machineSet(name: string, more: object = {}): object {
  const labels = { ...LABELS, 'machine.openshift.io/cluster-api-machineset': name };
  return object(V1BETA1, 'MachineSet', name, {
    spec: {
      replicas: 2,
      selector: {
        matchLabels: {
          'machine.openshift.io/cluster-api-cluster': harbourContext.clusterName,
          'machine.openshift.io/cluster-api-machineset': name,
        },
      },
      template: { metadata: { labels }, spec: { providerSpec: { value: providerSpec(more) } } },
    },
  });
}

export function healthCheck(name: string): object {
  return object(V1BETA1, 'MachineHealthCheck', name, {
    spec: {
      selector: { matchLabels: { 'machine.openshift.io/cluster-api-machine-role': 'worker' } },
      unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '300s' }],
      maxUnhealthy: '40%',
      nodeStartupTimeout: '10m',
    },
  });
}

/** The machines of the control plane. */
export function controlPlane(): object {
  const labels = {
    'machine.openshift.io/cluster-api-cluster': harbourContext.clusterName,
    'machine.openshift.io/cluster-api-machine-role': 'master',
    'machine.openshift.io/cluster-api-machine-type': 'master',
  };
  return {
    apiVersion: 'machine.openshift.io/v1',
    kind: 'ControlPlaneMachineSet',
    metadata: { name: 'cluster', namespace: 'openshift-machine-api', labels },
    spec: {
      replicas: 3,
      state: 'Active',
      strategy: { type: 'RollingUpdate' },
      selector: { matchLabels: labels },
      template: {
        machineType: MACHINE_API_MEMBER,
        [MACHINE_API_MEMBER]: { metadata: { labels }, spec: { providerSpec: { value: providerSpec() } } },
      },
    },
  };
}

/** What a conversion printed, and what it ended with. */
export interface Ran {
  readonly ok: boolean;
  readonly out: string;
  readonly err: string;
}

/** Converts as the command does. */
export async function convert(
  options: ConvertOptions,
  { names = [], stdin = '' }: { readonly names?: readonly string[]; readonly stdin?: string } = {},
): Promise<Ran> {
  const io = new TestIo();
  io.stdin = stdin;
  const ok = await runConvert(names, options, io, platforms);
  return { ok, out: io.stdout, err: io.stderr };
}
