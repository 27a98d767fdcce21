import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import type { KubeObject } from '@capstan/meta';
import { HARBOUR_MACHINE_TEMPLATES, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { snapshot, HOME, KEY, owned, pool } from '../testing/snapshots.js';
import { companionChanges, templateChanges, collectTemplates, desiredTemplate, inputsOf } from './template.js';
import type { Templated } from './template.js';
import { isMachine, trimMachine } from './trim.js';

const HARBOUR = testPlatform();
const template = HARBOUR.machineTemplate ?? {
  kind: HARBOUR_MACHINE_TEMPLATES,
  machine: HARBOUR_MACHINE_TEMPLATES,
  spec: () => [],
};
const inputs = inputsOf(snapshot());

function desired(of = template): Templated {
  const outcome = inputs === undefined ? { problems: ['no inputs'] } : desiredTemplate(of, inputs, KEY);
  if ('problems' in outcome) throw new Error(outcome.problems.join());
  return outcome;
}

describe('a template', () => {
  it('is named after the hash of its spec', () => {
    const { object } = desired();
    expect(object).toMatchObject({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'HarbourMachineTemplate',
      metadata: { namespace: HOME, annotations: { 'hypershift.openshift.io/nodePool': KEY } },
      spec: { template: { spec: { berth: 'b1', cranes: 1, size: 'small', image: 'harbour-4.22.0' } } },
    });
    expect(object.metadata.name).toMatch(/^workers-[0-9a-f]{8}$/);
  });

  it('keeps its name when something overrides that the platform leaves out of it, and is written again', () => {
    const tagged = (tag: string) => ({
      ...template,
      spec: () => ({ size: 'small', tag }),
      named: () => ({ size: 'small' }),
    });
    const [a, b] = [desired(tagged('a')), desired(tagged('b'))];
    expect(a.object.metadata.name).toBe(b.object.metadata.name);
    expect(templateChanges(b, [a.object]).map(({ verb }) => verb)).toEqual(['apply']);
  });

  it('is not changed for defaults of the server, and is applied again when another client changed it', () => {
    const existing = desired();
    const spec = existing.object['spec'] as { template: { spec: object } };
    const filledIn = { ...existing.object, spec: { template: { spec: { ...spec.template.spec, tier: 'x' } } } };
    const changed = { ...existing.object, spec: { template: { spec: { ...spec.template.spec, size: 'huge' } } } };
    expect(templateChanges(existing, [filledIn])).toEqual([]);
    expect(templateChanges(existing, [changed]).map(({ verb }) => verb)).toEqual(['apply']);
    expect(templateChanges(existing, []).map(({ verb }) => verb)).toEqual(['apply']);
  });

  it('reports what is wrong with the NodePool', () => {
    const odd = inputsOf(
      snapshot({ nodePool: { ...pool(), spec: { ...pool().spec, platform: { type: 'Harbour' } } } as never }),
    );
    expect(odd === undefined ? undefined : desiredTemplate(template, odd, KEY)).toEqual({
      problems: ['spec.platform.harbour.berth: berth is empty: name one'],
    });
  });
});

describe('templates are collected', () => {
  const using = (name: string) => ({ spec: { template: { spec: { infrastructureRef: { name } } } } });
  const templates = ['target', 'deployed', 'in-a-set', 'unused'].map((name) => owned('HarbourMachineTemplate', name));
  const theirs = owned('HarbourMachineTemplate', 'theirs', { metadata: { annotations: {} } });
  it('once no set of the pool names them, and never those of others', () => {
    const existing = {
      templates: [...templates, theirs],
      machineDeployment: owned<MachineDeployment>('MachineDeployment', 'workers', using('deployed')),
      machineSets: [owned<MachineSet>('MachineSet', 'workers-1', using('in-a-set'))],
    };
    const changes = collectTemplates(snapshot({ existing }), { kind: HARBOUR_MACHINE_TEMPLATES, name: 'target' });
    expect(changes.map((change) => change.verb === 'delete' && change.object.metadata.name)).toEqual(['unused']);
  });
});

describe('what a template names', () => {
  const kind = { group: 'harbour.example.com', version: 'v1', plural: 'images', namespaced: true, kind: 'Image' };
  const image: KubeObject = {
    apiVersion: 'harbour.example.com/v1',
    kind: 'Image',
    metadata: { name: 'i', namespace: HOME },
  };
  const platform = testPlatform({
    companionKinds: [kind],
    machineTemplate: { ...template, companions: () => [image] },
  });
  it('is created once, by whichever NodePool is first', () => {
    if (inputs === undefined) throw new Error('no inputs');
    const annotations = { 'hypershift.openshift.io/cluster': 'clusters/example' };
    expect(companionChanges(snapshot({ platform }), inputs)).toEqual([
      { verb: 'create', kind, object: { ...image, metadata: { ...image.metadata, annotations } } },
    ]);
    expect(companionChanges(snapshot({ platform, existing: { companions: [image] } }), inputs)).toEqual([]);
  });
});

it('of a machine is kept what pools read', () => {
  const conditions = ['Ready', 'Updating', 'NodeHealthy'].map((type) => ({
    type,
    status: 'True',
    reason: 'r',
    message: 'm',
    lastTransitionTime: 't',
  }));
  const machine = owned<KubeObject>('Machine', 'm', {
    metadata: { managedFields: [{}], labels: { a: 'b' } },
    spec: { bootstrap: { dataSecretName: 'd' }, providerID: 'p' },
    status: { conditions, nodeRef: { name: 'n' }, nodeInfo: { kubeletVersion: 'v1', bootID: 'x' }, addresses: [] },
  });
  expect([isMachine(machine), isMachine({ ...machine, apiVersion: 'machine.openshift.io/v1beta1' })]).toEqual([
    true,
    false,
  ]);
  expect(trimMachine(machine)).toEqual({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name: 'm',
      namespace: HOME,
      annotations: { 'hypershift.openshift.io/nodePool': KEY },
      labels: { a: 'b' },
    },
    spec: { bootstrap: { dataSecretName: 'd' } },
    status: {
      nodeRef: { name: 'n' },
      nodeInfo: { kubeletVersion: 'v1' },
      conditions: ['Ready', 'NodeHealthy'].map((type) => ({ type, status: 'True', reason: 'r', message: 'm' })),
    },
  });
});
