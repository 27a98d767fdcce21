import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backends, type Backend } from '../src/conformance/backend.js';
import { MERGE, type Session } from '../src/conformance/session.js';
import { create, install, isRefused, removeAll } from '../src/conformance/shipped-crds.js';
import { openSession } from '../src/conformance/suite.js';

/* Which API is authoritative, on every kind that is mirrored: the rules of the fields that the feature gate brings. */

const SPECS: Readonly<Record<string, { readonly version: string; readonly kind: string; readonly spec: object }>> = {
  machines: { version: 'v1beta1', kind: 'Machine', spec: {} },
  machinesets: { version: 'v1beta1', kind: 'MachineSet', spec: { template: { spec: {} } } },
  machinehealthchecks: {
    version: 'v1beta1',
    kind: 'MachineHealthCheck',
    spec: { selector: {}, unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '300s' }] },
  },
  controlplanemachinesets: {
    version: 'v1',
    kind: 'ControlPlaneMachineSet',
    spec: {
      selector: {},
      template: {
        machineType: 'machines_v1beta1_machine_openshift_io',
        machines_v1beta1_machine_openshift_io: {
          metadata: {
            labels: {
              'machine.openshift.io/cluster-api-machine-role': 'master',
              'machine.openshift.io/cluster-api-machine-type': 'master',
              'machine.openshift.io/cluster-api-cluster': 'c',
            },
          },
          spec: {},
        },
      },
    },
  },
};

const DIRECT = 'must not transition directly from MachineAPI to ClusterAPI';
const REMOVED = 'authoritativeAPI may not be removed once set';
const DECREASED = 'synchronizedGeneration must not decrease';
const fields = (authoritativeAPI?: string, synchronizedGeneration?: number) => ({
  ...(authoritativeAPI === undefined ? {} : { authoritativeAPI }),
  ...(synchronizedGeneration === undefined ? {} : { synchronizedGeneration }),
});

/** From, to, and a part of the refusal. */
const CHANGES: readonly (readonly [string, object, object | undefined, string?])[] = [
  ['nothing -> MachineAPI', {}, fields('MachineAPI')],
  ['nothing -> ClusterAPI', {}, fields('ClusterAPI')],
  ['MachineAPI -> Migrating', fields('MachineAPI'), fields('Migrating')],
  ['ClusterAPI -> Migrating', fields('ClusterAPI'), fields('Migrating')],
  ['Migrating -> MachineAPI', fields('Migrating'), fields('MachineAPI')],
  ['Migrating -> ClusterAPI', fields('Migrating'), fields('ClusterAPI')],
  ['MachineAPI -> ClusterAPI', fields('MachineAPI'), fields('ClusterAPI'), DIRECT],
  ['ClusterAPI -> MachineAPI', fields('ClusterAPI'), fields('MachineAPI'), DIRECT],
  ['an unknown value', fields('MachineAPI'), fields('Both'), 'Unsupported value: "Both"'],
  ['removal', fields('MachineAPI'), {}, REMOVED],
  ['removal of the whole status', fields('MachineAPI'), undefined, REMOVED],
  ['a later generation', fields('MachineAPI', 3), fields('MachineAPI', 4)],
  ['an earlier generation', fields('MachineAPI', 3), fields('MachineAPI', 2), DECREASED],
  ['no generation', fields('MachineAPI', 3), fields('MachineAPI'), DECREASED],
  ['an earlier generation into Migrating', fields('MachineAPI', 3), fields('Migrating', 2), DECREASED],
  ['an earlier generation in Migrating', fields('Migrating', 3), fields('Migrating', 2), DECREASED],
  ['an earlier generation out of Migrating', fields('Migrating', 3), fields('ClusterAPI', 1)],
  ['no generation out of Migrating', fields('Migrating', 3), fields('ClusterAPI')],
  ['a negative generation', fields('MachineAPI'), fields('MachineAPI', -1), 'greater than or equal to 0'],
  ['the API of the last sync', {}, { synchronizedAPI: 'ClusterAPI' }],
  ['Migrating as the API of the last sync', {}, { synchronizedAPI: 'Migrating' }, 'Unsupported value: "Migrating"'],
];

describe.each(backends().map((backend) => [backend.name, backend] as const))('on %s', (_, backend: Backend) => {
  let s: Session;

  beforeAll(async () => {
    s = await openSession(backend);
  });

  afterAll(async () => {
    await removeAll(s);
    await s.quiet('DELETE', '/api/v1/namespaces/{ns}');
    s.close();
  }, 120_000);

  describe.each(Object.entries(SPECS))('%s', (plural, { kind, spec, version }) => {
    const [on, off] = [
      `machine.openshift.io/${plural}-machine-api-migration.yaml`,
      `machine.openshift.io/${plural}.yaml`,
    ];
    const groupOf = (variant: string): string => `${variant}-${plural}.${s.ns}.example.com`;
    const objectOf = (group: string, name: string, own: object = {}): object => ({
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name },
      spec: { ...spec, ...own },
    });

    test.skipIf(isRefused(backend, on))('with the gate each change is allowed or refused', async () => {
      const group = groupOf('on');
      await install(s, on, group);
      const objects = `/apis/${group}/${version}/namespaces/{ns}/${plural}`;
      const created = await create(s, objects, objectOf(group, 'first'));
      // A default would decide for one API where the other has a counterpart.
      expect(created).not.toHaveProperty('spec.authoritativeAPI');
      const migrating = objectOf(group, 'second', { authoritativeAPI: 'Migrating' });
      expect((await s.quiet('POST', objects, { body: migrating })).text).toContain(
        'Unsupported value: \\"Migrating\\"',
      );
      const put = async (name: string, status: object | undefined) => {
        const { status: _old, ...rest } = (await s.quiet('GET', `${objects}/${name}`)).object();
        const body = status === undefined ? rest : { ...rest, status };
        return s.quiet('PUT', `${objects}/${name}/status`, { body });
      };
      for (const [at, [what, from, to, refusal]] of CHANGES.entries()) {
        const name = `case-${at}`;
        await create(s, objects, objectOf(group, name));
        expect([what, (await put(name, from)).status]).toEqual([what, 200]);
        const written = await put(name, to);
        expect([what, written.status, refusal === undefined || written.text]).toEqual([
          what,
          refusal === undefined ? 200 : 422,
          refusal === undefined || expect.stringContaining(JSON.stringify(refusal).slice(1, -1)),
        ]);
        // A write of something else does not touch upon authority.
        const patched = await s.quiet('PATCH', `${objects}/${name}`, {
          body: { spec: { authoritativeAPI: 'ClusterAPI' } },
          type: MERGE,
        });
        expect([what, patched.status]).toEqual([what, 200]);
      }
    });

    test.skipIf(isRefused(backend, off))('without the gate there are none', async () => {
      const group = groupOf('off');
      await install(s, off, group);
      const objects = `/apis/${group}/${version}/namespaces/{ns}/${plural}`;
      const created = await create(s, objects, objectOf(group, 'first', { authoritativeAPI: 'ClusterAPI' }));
      expect(created).not.toHaveProperty('spec.authoritativeAPI');
    });
  });

  const controlPlanes = 'machine.openshift.io/controlplanemachinesets-machine-api-migration.yaml';

  test.skipIf(isRefused(backend, controlPlanes))('a control plane has the template of its type', async () => {
    const group = `planes.${s.ns}.example.com`;
    await install(s, controlPlanes, group);
    const objects = `/apis/${group}/v1/namespaces/{ns}/controlplanemachinesets`;
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 't' };
    const machines_v1beta2_cluster_x_k8s_io = {
      failureDomains: ['us-east-1a'],
      metadata: { labels: {} },
      spec: { clusterName: 'c', infrastructureRef },
    };
    const body = (name: string, template: object) => ({
      apiVersion: `${group}/v1`,
      kind: 'ControlPlaneMachineSet',
      metadata: { name },
      spec: { selector: {}, template: { machineType: 'machines_v1beta2_cluster_x_k8s_io', ...template } },
    });
    await create(s, objects, body('whole', { machines_v1beta2_cluster_x_k8s_io }));
    const empty = await s.quiet('POST', objects, { body: body('empty', {}) });
    expect(empty.text).toContain('machines_v1beta2_cluster_x_k8s_io configuration is required');
  });
});
