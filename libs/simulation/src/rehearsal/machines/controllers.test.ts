import type { KubeObject } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { expect, it } from 'vitest';
import { isWatchedByStandIns, machineControllersOf } from './controllers.js';

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const CORE = ['Cluster', 'Machine', 'MachineDeployment', 'MachineHealthCheck', 'MachineSet'];

function crd(kind: string, group: string, version = 'v1beta2'): KubeObject {
  const names = { kind, plural: `${kind.toLowerCase()}s` };
  const metadata = { name: `${names.plural}.${group}` };
  const versions = [{ name: version, served: true, storage: true }];
  return { apiVersion: 'v1', kind: 'CRD', metadata, spec: { group, names, scope: 'Namespaced', versions } } as never;
}

const core = (version?: string): readonly KubeObject[] => CORE.map((kind) => crd(kind, 'cluster.x-k8s.io', version));
const aws = (version?: string): readonly KubeObject[] =>
  ['AWSCluster', 'AWSMachine', 'AWSMachineTemplate'].map((kind) => crd(kind, INFRASTRUCTURE, version));
const object = (kind: string, group: string): KubeObject => ({ apiVersion: `${group}/v1`, kind, metadata: {} });
const MACHINES = [object('Machine', 'cluster.x-k8s.io'), object('AWSMachine', INFRASTRUCTURE)];

it.each<[string, readonly KubeObject[], readonly KubeObject[], object]>([
  [
    'of the core and of the provider, in the version of their contract',
    [...core(), ...aws()],
    MACHINES,
    { core: 'v1beta2', platforms: ['aws'], carried: [] },
  ],
  ['of the older core', [...core('v1beta1'), ...aws()], MACHINES, { core: 'v1beta1', platforms: ['aws'], carried: [] }],
  [
    'not of kinds that nobody plays, which are named',
    [...core(), ...aws()],
    [...MACHINES, object('KarpenterThing', INFRASTRUCTURE), object('ConfigMap', '')],
    { core: 'v1beta2', platforms: ['aws'], carried: [`KarpenterThing.${INFRASTRUCTURE}`] },
  ],
  [
    'not of a provider in a version that its stand-in does not read',
    [...core(), ...aws('v1beta1')],
    MACHINES,
    { core: 'v1beta2', platforms: [], carried: [`AWSMachine.${INFRASTRUCTURE}`] },
  ],
  [
    'not of providers that no machine is of',
    [...core(), ...aws()],
    MACHINES.slice(0, 1),
    { core: 'v1beta2', platforms: [], carried: [] },
  ],
  [
    'none at all where a kind is missing that the manager watches',
    [...core().slice(1), ...aws()],
    MACHINES,
    { core: undefined, platforms: [], carried: [`AWSMachine.${INFRASTRUCTURE}`, 'Machine.cluster.x-k8s.io'] },
  ],
])('A copy has stand-ins %s', (_name, crds, objects, expected) => {
  expect(machineControllersOf(objects, crds, MAPPING)).toEqual(expected);
});

it('What stand-ins watch is copied even where there is no object of it', () => {
  const crds = [...core(), ...aws(), crd('MachinePool', 'cluster.x-k8s.io'), crd('HostedCluster', 'a.b')];
  const watched = crds.filter(isWatchedByStandIns).map(({ spec }) => (spec as { names: { kind: string } }).names.kind);
  expect(watched).toEqual([...CORE, 'AWSCluster', 'AWSMachine']);
});
