import { describe, expect, it } from 'vitest';
import { clusterApiConverter, contractContext } from './index.js';

const contract = (version: string): string => `cluster.x-k8s.io/${version}`;
const definitions: Readonly<Record<string, Record<string, string>>> = {
  'awsmachines.infra.example': { [contract('v1beta1')]: 'v1beta1_v1beta2' },
  'boxes.infra.example': { [contract('v1beta1')]: 'v1alpha4', [contract('v1beta2')]: 'v1alpha1_v1_v1beta3' },
  'policies.infra.example': { [contract('v1beta2')]: 'v1beta1' },
  'sheep.infra.example': { [contract('v1beta2')]: 'v1' },
  'unlabelled.infra.example': {},
  'emptys.infra.example': { [contract('v1beta2')]: '', [contract('v1beta1')]: 'v1beta1' },
  'futures.infra.example': { [contract('v1')]: 'v1' },
};
const { apiVersionOf } = contractContext((name) => definitions[name]);

describe('the version by which a kind is referred to', () => {
  it.each<[string, string | undefined, string]>([
    ['AWSMachine', 'infra.example/v1beta2', 'the newest of an old contract'],
    ['Box', 'infra.example/v1', 'the newest of the newest contract, by the order of versions'],
    ['Policy', 'infra.example/v1beta1', 'of a plural in -ies'],
    ['Sheep', 'infra.example/v1', 'of a plural like the singular'],
    ['Empty', 'infra.example/v1beta1', 'passes over a contract that names none'],
    ['Unlabelled', undefined, 'not known without a label'],
    ['Future', undefined, 'not known by a contract that nobody speaks yet'],
    ['Nothing', undefined, 'not known without a definition'],
  ])('%s: %s, %s', (kind, version, _why) => {
    expect(apiVersionOf('infra.example', kind)).toBe(version);
  });
});

describe('what a webhook server mounts', () => {
  const warnings: string[] = [];
  const kinds = clusterApiConverter({ apiVersionOf }, ({ kind }, { path }) => warnings.push(`${String(kind)} ${path}`));
  const machine = kinds.find(({ kind }) => kind === 'Machine');
  const older = {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'm', namespace: 'ns' },
    spec: { infrastructureRef: { apiVersion: 'infra.example/v1alpha1', kind: 'Box', name: 'b', namespace: 'ns' } },
  };

  it('has all kinds around v1beta2', () => {
    expect(kinds.map(({ group, hub, kind, spokes }) => [group, hub, kind, Object.keys(spokes)])).toEqual(
      [
        'Cluster',
        'ClusterClass',
        'Machine',
        'MachineDeployment',
        'MachineDrainRule',
        'MachineHealthCheck',
        'MachinePool',
        'MachineSet',
      ].map((kind) => ['cluster.x-k8s.io', 'v1beta2', kind, ['v1beta1']]),
    );
  });

  it('converts both ways, and reports what does not come back', () => {
    const newer = machine?.spokes['v1beta1']?.toHub(older);
    expect(newer).toMatchObject({ spec: { infrastructureRef: { apiGroup: 'infra.example', kind: 'Box', name: 'b' } } });
    expect(warnings).toEqual(['Machine spec.infrastructureRef.apiVersion']);
    expect(machine?.spokes['v1beta1']?.fromHub(newer ?? older)).toMatchObject({
      spec: { infrastructureRef: { apiVersion: 'infra.example/v1', kind: 'Box', name: 'b', namespace: 'ns' } },
    });
  });

  it('throws what the API server shall say', () => {
    const apiVersion = 'cluster.x-k8s.io/v1beta2';
    const lost = {
      ...older,
      apiVersion,
      spec: { infrastructureRef: { apiGroup: 'infra.example', kind: 'Nothing', name: 'b' } },
    };
    expect(() => machine?.spokes['v1beta1']?.fromHub(lost)).toThrow(
      'cannot convert Machine ns/m to cluster.x-k8s.io/v1beta1: spec.infrastructureRef.apiGroup: ' +
        'failed to convert object: no version of kind "Nothing" in group "infra.example" is known',
    );
  });
});
