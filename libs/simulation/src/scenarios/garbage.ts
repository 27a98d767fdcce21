import type { Client } from '@capstan/kube';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { collectedOracles } from '../oracles/general.js';
import type { Scenario, Step } from '../scenario.js';
import { collectorProcess, namespaceProcess } from './processes.js';
import { configMap, CONFIG_MAPS, namespace, NAMESPACES } from './resources.js';

const IN_DEFAULT = { namespace: 'default' };

function ownedBy(owner: KubeObject, blocks = false): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid, ...(blocks ? { blockOwnerDeletion: true } : {}) };
}

async function createFamily(client: Client, name: string, children: number): Promise<void> {
  const parent = await client.create(CONFIG_MAPS, configMap('default', name));
  for (let index = 0; index < children; index += 1) {
    const ownerReferences = [ownedBy(parent, true)];
    const child = await client.create(CONFIG_MAPS, configMap('default', `${name}-${index}`, { ownerReferences }));
    await client.create(CONFIG_MAPS, configMap('default', `${name}-${index}-x`, { ownerReferences: [ownedBy(child)] }));
  }
}

function family(name: string, children: number): Step {
  return { name: `create ${name}`, run: ({ client }) => createFamily(client, name, children) };
}

function remove(name: string, propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Step {
  return {
    name: `delete ${name}`,
    run: ({ client }) => client.delete(CONFIG_MAPS, name, { ...IN_DEFAULT, propagationPolicy }),
  };
}

const GOING = ['background', 'foreground'];

/** Owners that go in every way, with what they own. */
export const garbageScenario: Scenario = {
  name: 'garbage',
  about: 'Owners are deleted in the background, in the foreground and orphaning, under faults and crashes',
  processes: [collectorProcess()],
  steps: [
    family('background', 3),
    family('foreground', 3),
    family('orphaned', 2),
    remove('foreground', 'Foreground'),
    remove('background', 'Background'),
    remove('orphaned', 'Orphan'),
  ],
  oracles: collectedOracles,
  faultsForMs: 90_000,
  stepGapMs: 10_000,
  convergeWithinMs: 20 * 60_000,
  quietMs: 5 * 60_000,
  goal: (state) => {
    const there = state.of('configmaps').filter((each) => each.metadata.namespace === 'default');
    const names = new Set(there.map(({ metadata }) => metadata.name ?? ''));
    const problems = there
      .filter(({ metadata }) => metadata.deletionTimestamp != null)
      .map(({ metadata }) => `ConfigMap ${metadata.name ?? ''} is still going`);
    for (const name of GOING)
      if (!names.has(name))
        for (const each of names)
          if (each.startsWith(`${name}-`)) problems.push(`ConfigMap ${each} outlived its owner`);
    if (names.has('orphaned-0') && !names.has('orphaned-0-x')) problems.push('an orphan lost its child');
    return problems;
  },
};

function fill(name: string): Step {
  return {
    name: `create ${name}`,
    run: async ({ client }) => {
      await client.create(NAMESPACES, namespace(name));
      for (let index = 0; index < 4; index += 1) {
        const finalizers = index === 0 ? ['capstan.test/hold'] : [];
        await client.create(CONFIG_MAPS, configMap(name, `content-${index}`, { finalizers }));
      }
    },
  };
}

function release(name: string): Step {
  const value = { metadata: { finalizers: null } };
  return {
    name: `release ${name}`,
    run: ({ client }) => client.patch(CONFIG_MAPS, 'content-0', { type: 'merge', value }, { namespace: name }),
  };
}

const leave = (name: string): Step => ({
  name: `delete ${name}`,
  run: ({ client }) => client.delete(NAMESPACES, name),
});

/** Namespaces that go with what is in them, some of it held by a finalizer. */
export const namespaceScenario: Scenario = {
  name: 'namespaces',
  about: 'Namespaces are deleted with what is in them, under faults and crashes',
  processes: [namespaceProcess()],
  steps: [fill('one'), fill('two'), leave('one'), leave('two'), release('two'), release('one')],
  oracles: collectedOracles,
  faultsForMs: 90_000,
  stepGapMs: 10_000,
  convergeWithinMs: 20 * 60_000,
  quietMs: 5 * 60_000,
  goal: (state) => {
    const held = new Set(
      state
        .of('configmaps')
        .filter(({ metadata }) => (metadata.finalizers ?? []).length > 0)
        .map(({ metadata }) => metadata.namespace),
    );
    return state
      .of('namespaces')
      .filter(({ metadata }) => metadata.deletionTimestamp != null && !held.has(metadata.name))
      .map(({ metadata }) => `Namespace ${metadata.name ?? ''} is still going`);
  },
};
