import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ClusterAPI } from '@capstan/api/operator';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { decide, definitionFor } from './decide.js';
import type { Plan } from './decide.js';
import type { Snapshot } from './snapshot.js';
import { requirementFor } from '../requirements/requirement.js';
import { conditionsOf } from './conditions.js';
import { definition, dependent, transportMap } from '../testing/objects.js';
import type { ConfigMap } from '../transport/read.js';
import { readReleases } from '../transport/releases.js';
import type { Releases } from '../transport/releases.js';
import { CONTENT_ANNOTATION, FIELD_MANAGER, MANAGED_BY_LABEL } from '../vocabulary.js';
import type { Role } from '../vocabulary.js';

const MACHINES = 'machines.cluster.x-k8s.io';
const DEPRECATED = {
  status: { type: 'object', properties: { deprecated: { type: 'object', properties: { v1beta1: {} } } } },
};
const machine = definition('Machine', { v1beta1: {}, v1beta2: DEPRECATED });
const cluster = definition('Cluster', { v1beta2: {} });
const MAPS = [
  transportMap('active', [machine, cluster]),
  transportMap('future', [machine, cluster], { role: 'future', release: '4.23.0' }),
];
const BOTH = { active: true, future: true };

function listing(...names: string[]): ClusterAPI {
  return {
    apiVersion: 'operator.openshift.io/v1alpha1',
    kind: 'ClusterAPI',
    metadata: { name: 'cluster', generation: 2 },
    spec: names.length === 0 ? {} : { unmanagedCustomResourceDefinitions: names },
  };
}

function snapshot(given: Partial<Snapshot> & { readonly maps?: readonly ConfigMap[] } = {}): Snapshot {
  const { maps = MAPS, ...rest } = given;
  return {
    mode: BOTH,
    clusterApi: listing(),
    releases: readReleases(maps),
    installed: new Map(),
    written: new Map(),
    requirements: new Map(),
    foreignRequirements: new Set(),
    clusterOperator: undefined,
    ...rest,
  };
}

function released(
  role: Role = 'active',
  { [role]: release }: Releases = readReleases(MAPS),
): Parameters<typeof requirementFor>[0] {
  const found = release.definitions.get(MACHINES);
  return found as NonNullable<typeof found>;
}

type Checked = Readonly<Record<'Admitted' | 'Compatible' | 'Progressing', string>>;
const WELL: Checked = { Progressing: 'False', Admitted: 'True', Compatible: 'True' };

/** A requirement as the checker leaves it. */
function checked(role: Role, conditions: Partial<Checked> = {}, generation = 1): CompatibilityRequirement {
  const wanted = requirementFor(released(role), role, role === 'active' ? '4.22.0' : '4.23.0');
  const all = Object.entries({ ...WELL, ...conditions });
  return {
    ...wanted,
    metadata: { ...wanted.metadata, generation },
    status: {
      conditions: all.map(([type, status]) => ({
        type,
        status: status as 'True',
        reason: 'Because',
        message: `${type} is ${status}`,
        observedGeneration: 1,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  };
}

function byName(...all: readonly KubeObject[]): ReadonlyMap<string, never> {
  return new Map(all.map((each) => [each.metadata.name ?? '', each as never]));
}

function names({ install, required }: Plan): object {
  return {
    install: install.map((each) => each.metadata.name),
    required: required.map((each) => each.wanted.metadata.name),
  };
}

/** The conditions of the ClusterOperator, each as `status: message` by type. */
function conditions(given: Snapshot): Readonly<Record<string, string>> {
  const updates = conditionsOf(decide(given), { bad: given.releases.bad, failures: [] });
  return Object.fromEntries(updates.map(({ message, status, type }) => [type, `${status}: ${message}`]));
}

describe('what is installed and required', () => {
  const CLUSTERS = 'clusters.cluster.x-k8s.io';

  it.each<[string, Snapshot['mode'], object]>([
    ['nothing', { active: false, future: false }, { install: [], required: [] }],
    [
      'the future only',
      { active: false, future: true },
      { install: [], required: ['machine-cluster.x-k8s.io-ccapio-4.23.0'] },
    ],
    [
      'what runs only',
      { active: true, future: false },
      { install: [CLUSTERS], required: ['machine-cluster.x-k8s.io-ccapio'] },
    ],
    [
      'both',
      BOTH,
      { install: [CLUSTERS], required: ['machine-cluster.x-k8s.io-ccapio', 'machine-cluster.x-k8s.io-ccapio-4.23.0'] },
    ],
  ])('with %s', (_what, mode, expected) => {
    expect(names(decide(snapshot({ mode, clusterApi: listing(MACHINES) })))).toEqual(expected);
  });

  it('what is listed is never installed, no matter who created it', () => {
    const ours = definitionFor(released());
    for (const there of [undefined, ours, machine])
      expect(
        decide(
          snapshot({
            clusterApi: listing(MACHINES, CLUSTERS),
            installed: there === undefined ? new Map() : byName(there),
          }),
        ).install,
      ).toEqual([]);
  });

  it('what is there and not ours is left alone, and speaks against an upgrade', () => {
    const plan = decide(snapshot({ installed: byName(machine) }));
    expect(names(plan)).toMatchObject({ install: [CLUSTERS] });
    expect(plan.unclaimed).toEqual([MACHINES]);
    expect(conditions(snapshot({ installed: byName(machine) }))['Upgradeable']).toBe(
      `False: ${MACHINES} exists and is not managed by this operator: add it to spec.unmanagedCustomResourceDefinitions of clusterapi/cluster`,
    );
  });

  it.each<[string, KubeObject['metadata']]>([
    ['the label', { name: MACHINES, labels: { [MANAGED_BY_LABEL]: 'cluster-api' } }],
    ['the field manager', { name: MACHINES, managedFields: [{ manager: FIELD_MANAGER }] }],
  ])('what has %s is ours, and brought up to date', (_mark, metadata) => {
    const plan = decide(snapshot({ installed: byName({ ...machine, metadata }) }));
    expect(names(plan)).toMatchObject({ install: [CLUSTERS, MACHINES] });
    expect(plan.unclaimed).toEqual([]);
  });

  describe('what this process has written', () => {
    const ours = definitionFor(released());
    const metadata = { ...ours.metadata, uid: 'u', generation: 3 };
    const written = new Map([[MACHINES, { uid: 'u', generation: 3 }]]);

    it('is not written again, whatever others add to it', () => {
      const there = { ...ours, metadata: { ...metadata, labels: { ...ours.metadata.labels, mine: 'too' } } };
      expect(names(decide(snapshot({ written, installed: byName(there) })))).toMatchObject({ install: [CLUSTERS] });
    });

    it.each<[string, KubeObject['metadata']]>([
      ['its spec was changed', { ...metadata, generation: 4 }],
      ['it was recreated', { ...metadata, uid: 'v' }],
      ['our label was changed', { ...metadata, labels: { [MANAGED_BY_LABEL]: 'another' } }],
      ['the manifest is another', { ...metadata, annotations: { [CONTENT_ANNOTATION]: 'of an older one' } }],
    ])('is written again when %s', (_why, changed) => {
      const installed = byName({ ...ours, metadata: changed });
      expect(names(decide(snapshot({ written, installed })))).toMatchObject({ install: [CLUSTERS, MACHINES] });
    });

    it('is written once by a process that has just begun', () => {
      expect(names(decide(snapshot({ installed: byName({ ...ours, metadata }) })))).toMatchObject({
        install: [CLUSTERS, MACHINES],
      });
    });
  });
});

describe('a requirement', () => {
  it('of what runs denies, also objects in the namespace of the platform', () => {
    const needs = dependent('capo', { [MACHINES]: 'v1beta1' });
    const releases = readReleases([transportMap('active', [machine, needs])]);
    const { metadata, spec } = requirementFor(released('active', releases), 'active', '4.22.0');
    expect(metadata.name).toBe('machine-cluster.x-k8s.io-ccapio');
    expect(spec).toEqual({
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: expect.stringContaining('kind: CustomResourceDefinition') },
        requiredVersions: { defaultSelection: 'StorageOnly', additionalVersions: ['v1beta1'] },
        excludedFields: [{ path: 'status.deprecated', versions: ['v1beta2'] }],
      },
      customResourceDefinitionSchemaValidation: { action: 'Deny' },
      objectSchemaValidation: {
        action: 'Deny',
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-cluster-api' } },
      },
    });
  });

  it('of the future warns, and leaves objects alone', () => {
    const { metadata, spec } = requirementFor(released('future'), 'future', '4.23.0');
    expect(metadata.name).toBe('machine-cluster.x-k8s.io-ccapio-4.23.0');
    expect(spec).toMatchObject({ customResourceDefinitionSchemaValidation: { action: 'Warn' } });
    expect(spec).not.toHaveProperty('objectSchemaValidation');
  });

  it('excludes the deprecated part alone where the status has other fields', () => {
    const status = {
      type: 'object',
      properties: { deprecated: { type: 'object', properties: { v1beta1: {}, v1beta0: {} } } },
    };
    const releases = readReleases([transportMap('a', [definition('Machine', { v1beta2: { status } })])]);
    const { spec } = requirementFor(released('active', releases), 'active', '4.22.0');
    expect(spec.compatibilitySchema.excludedFields).toEqual([
      { path: 'status.deprecated.v1beta1', versions: ['v1beta2'] },
    ]);
  });

  it('excludes nothing where there is nothing deprecated', () => {
    const releases = readReleases([transportMap('a', [definition('Machine', { v1beta2: {} })])]);
    const { spec } = requirementFor(released('active', releases), 'active', '4.22.0');
    expect(spec.compatibilitySchema).not.toHaveProperty('excludedFields');
  });
});

describe('an upgrade', () => {
  const after = [
    transportMap('active', [definition('Machine', { v1: {} })], { release: '4.23.0' }),
    transportMap('future', [machine], { role: 'future', release: '4.24.0' }),
  ];
  const before = byName(checked('active'), checked('future'));

  it('changes the requirement of what runs in place, and drops that of the future it now is', () => {
    const plan = decide(snapshot({ maps: after, clusterApi: listing(MACHINES), requirements: before }));
    expect(plan.required.map((each) => [each.wanted.metadata.name, each.standing.isWritten])).toEqual([
      ['machine-cluster.x-k8s.io-ccapio', false],
      ['machine-cluster.x-k8s.io-ccapio-4.24.0', false],
    ]);
    expect(plan.drop).toEqual(['machine-cluster.x-k8s.io-ccapio-4.23.0']);
  });

  it.each<[string, Partial<Snapshot> & { readonly maps?: readonly ConfigMap[] }]>([
    ['a map cannot be read', { maps: [...after, { ...transportMap('broken', []), data: {} }] }],
    ['the gate of its role is off', { maps: after, mode: { active: true, future: false } }],
  ])('drops nothing while %s', (_why, given) => {
    expect(decide(snapshot({ clusterApi: listing(MACHINES), requirements: before, ...given })).drop).toEqual([]);
  });
});

describe('a generation is observed', () => {
  const observed = (given: Partial<Snapshot>): boolean =>
    decide(snapshot({ clusterApi: listing(MACHINES), ...given })).isObserved;

  it.each<[string, boolean, Partial<Snapshot>]>([
    ['when nothing is listed', true, { clusterApi: listing() }],
    ['when what is listed is enforced', true, { requirements: byName(checked('active')) }],
    ['not before there is a requirement', false, {}],
    ['not before it is enforced', false, { requirements: byName(checked('active', { Admitted: 'False' })) }],
    ['not by what was enforced before it changed', false, { requirements: byName(checked('active', {}, 2)) }],
    ['not by a requirement that only warns', false, { requirements: byName(checked('future')) }],
    [
      'by one that warns where nothing runs yet',
      true,
      { requirements: byName(checked('future')), mode: { active: false, future: true } },
    ],
    ['not when no map has what is listed', false, { clusterApi: listing('pools.example.x.io') }],
    ['not with both gates off', false, { clusterApi: listing(), mode: { active: false, future: false } }],
  ])('%s', (_when, expected, given) => {
    expect(observed(given)).toBe(expected);
  });
});

describe('the cluster operator', () => {
  const listed = (...requirements: readonly CompatibilityRequirement[]): Snapshot =>
    snapshot({
      clusterApi: listing(MACHINES),
      installed: byName(definitionFor(released()), definitionFor({ ...released(), definition: cluster })),
      requirements: byName(...requirements),
    });

  it('reports AsExpected when all is well', () => {
    expect(conditions(listed(checked('active'), checked('future')))).toEqual({
      Available: 'True: Cluster API is managed',
      Progressing: 'False: All components are healthy',
      Degraded: 'False: All components are healthy',
      Upgradeable: 'True: The cluster can be upgraded',
    });
  });

  it.each<[string, Snapshot, string, string]>([
    [
      'what runs does not fit',
      listed(checked('active', { Compatible: 'False' }), checked('future')),
      'Degraded',
      `True: ${MACHINES} does not meet machine-cluster.x-k8s.io-ccapio: Compatible is False`,
    ],
    [
      'what runs is not enforced',
      listed(checked('active', { Admitted: 'False' }), checked('future')),
      'Degraded',
      `True: ${MACHINES} does not meet machine-cluster.x-k8s.io-ccapio: Admitted is False`,
    ],
    [
      'it is only being worked on',
      listed(checked('active', { Compatible: 'False', Progressing: 'True' }), checked('future')),
      'Degraded',
      'False: All components are healthy',
    ],
    [
      'the future does not fit',
      listed(checked('active'), checked('future', { Compatible: 'False' })),
      'Degraded',
      'False: All components are healthy',
    ],
    [
      'the future does not fit',
      listed(checked('active'), checked('future', { Compatible: 'False' })),
      'Upgradeable',
      `False: ${MACHINES} does not meet machine-cluster.x-k8s.io-ccapio-4.23.0: Compatible is False`,
    ],
    [
      'the future was not checked',
      listed(checked('active')),
      'Upgradeable',
      `False: ${MACHINES} has not been checked against machine-cluster.x-k8s.io-ccapio-4.23.0 yet`,
    ],
    [
      'what runs does not fit',
      listed(checked('active', { Compatible: 'False' }), checked('future')),
      'Upgradeable',
      'True: The cluster can be upgraded',
    ],
    [
      'a map is bad',
      snapshot({ maps: [{ ...transportMap('core', []), data: {} }] }),
      'Degraded',
      'True: transport config map openshift-cluster-api-operator/core cannot be used: it has neither data nor binaryData',
    ],
    [
      'a name is taken',
      snapshot({ clusterApi: listing(MACHINES), foreignRequirements: new Set(['machine-cluster.x-k8s.io-ccapio']) }),
      'Degraded',
      "True: compatibilityrequirement machine-cluster.x-k8s.io-ccapio is not this operator's: rename or delete it",
    ],
  ])('when %s (%#)', (_when, given, type, expected) => {
    expect(conditions(given)[type]).toBe(expected);
  });

  it('names ten things and counts the rest', () => {
    const kinds = Array.from({ length: 12 }, (_, at) => definition(`Kind${String(at).padStart(2, '0')}`, { v1: {} }));
    const given = snapshot({ maps: [transportMap('active', kinds)], installed: byName(...kinds) });
    const message = conditions(given)['Upgradeable'] ?? '';
    expect(message.split('\n')).toHaveLength(11);
    expect(message.split('\n').at(-1)).toBe('and 2 more');
  });
});
