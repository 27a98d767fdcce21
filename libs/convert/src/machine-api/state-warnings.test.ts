import type { JsonObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { setAt } from '../engine/path.js';
import { stateWarnings } from './state-warnings.js';
import { boat } from './testing/harbour.js';

const pathsOf = (change: (machine: JsonObject) => void): string[] =>
  stateWarnings(boat(change)).map(({ path }) => path);

it('An ordinary machine has nothing that its copy would lack', () => {
  expect(
    pathsOf((machine) => {
      setAt(
        machine,
        ['metadata', 'finalizers'],
        [
          'machine.machine.openshift.io',
          'sync.machine.openshift.io/finalizer',
          'awsmachine.infrastructure.cluster.x-k8s.io',
          'openstackmachine.infrastructure.cluster.x-k8s.io/ip-claim',
          'infrastructure.cluster.x-k8s.io/nutanixmachine',
        ],
      );
      setAt(machine, ['metadata', 'ownerReferences'], [{ kind: 'MachineSet', name: 'worker-a' }]);
      setAt(machine, ['spec', 'authoritativeAPI'], 'MachineAPI');
    }),
  ).toEqual([]);
});

it.each<readonly [string, readonly string[], unknown, string]>([
  ['being deleted', ['metadata', 'deletionTimestamp'], '2026-01-01T00:00:00Z', 'metadata.deletionTimestamp'],
  ['with a finalizer of a user', ['metadata', 'finalizers'], ['example.com/hold'], 'metadata.finalizers[0]'],
  [
    'with an owner of another kind',
    ['metadata', 'ownerReferences'],
    [{ kind: 'Fleet', name: 'a' }],
    'metadata.ownerReferences[0]',
  ],
  ['of Cluster API', ['spec', 'authoritativeAPI'], 'ClusterAPI', 'spec.authoritativeAPI'],
  [
    'whose machines will be of Cluster API',
    ['spec', 'template', 'spec', 'authoritativeAPI'],
    'ClusterAPI',
    'spec.template.spec.authoritativeAPI',
  ],
  [
    'whose control plane machines will be of Cluster API',
    ['spec', 'template', 'machines_v1beta1_machine_openshift_io', 'spec', 'authoritativeAPI'],
    'ClusterAPI',
    'spec.template.machines_v1beta1_machine_openshift_io.spec.authoritativeAPI',
  ],
])('An object %s gives a warning', (_name, path, value, expected) => {
  expect(pathsOf((machine) => setAt(machine, path, value))).toEqual([expected]);
});
