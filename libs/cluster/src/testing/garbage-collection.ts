import { isNotFound } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { ResourceRef } from '@capstan/kube';
import { CLUSTER_ROLES, CONFIG_MAPS, CRDS, EVENTS, HOLD, mustEqual, ownedBy, SECRETS } from './context.js';
import type { Scenario, ScenarioContext } from './context.js';

const ABSENT_UID = '00000000-0000-4000-8000-000000000000';

function absentOwner(extra: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-was', uid: ABSENT_UID, ...extra };
}

/** A served custom resource definition of a group of its own, removed afterwards. */
async function widgets(context: ScenarioContext): Promise<ResourceRef & { kind: string; apiVersion: string }> {
  const group = `s${context.suffix}.capstan.test`;
  const name = `widgets.${group}`;
  context.onCleanup(() => context.client.delete(CRDS, name));
  await context.client.create(CRDS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const ref = { group, version: 'v1', plural: 'widgets', namespaced: true, kind: 'Widget', apiVersion: `${group}/v1` };
  await context.eventually('widgets are served', () =>
    context.client.list(ref, { namespace: context.namespace }).then(
      () => true as const,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    ),
  );
  return ref;
}

/** What the garbage collector must do. */
export const garbageCollectionScenarios: readonly Scenario[] = [
  {
    name: 'a chain of dependents goes after its owner',
    async run(context) {
      const a = await context.configMap('a');
      const b = await context.configMap('b', { ownerReferences: [ownedBy(a)] });
      await context.configMap('c', { ownerReferences: [ownedBy(b)] });
      await context.delete('a', 'Background');
      await context.gone('b');
      await context.gone('c');
    },
  },
  {
    name: 'dependents of an owner that never existed are deleted',
    async run(context) {
      await context.configMap('lost', { ownerReferences: [absentOwner()] });
      await context.gone('lost');
    },
  },
  {
    name: 'an owner of the same name with another uid does not count',
    async run(context) {
      await context.configMap('owner');
      await context.configMap('lost', { ownerReferences: [absentOwner({ name: 'owner' })] });
      await context.gone('lost');
      await context.mustLive('owner');
    },
  },
  {
    name: 'a dependent with one living owner lives and loses the reference to the dead one',
    async run(context) {
      const alive = await context.configMap('alive');
      const dead = await context.configMap('dead');
      await context.configMap('child', { ownerReferences: [ownedBy(dead), ownedBy(alive)] });
      await context.delete('dead', 'Background');
      const child = await context.eventually('the reference is removed', async () => {
        const object = await context.mustLive('child');
        return object.metadata.ownerReferences?.length === 1 && object;
      });
      mustEqual(child.metadata.ownerReferences, [ownedBy(alive)], 'references left');
    },
  },
  {
    name: 'a foreground deletion waits for blocking dependents only',
    async run(context) {
      const owner = await context.configMap('owner');
      await context.configMap('blocking', {
        finalizers: [HOLD],
        ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })],
      });
      await context.configMap('loose', { finalizers: [HOLD], ownerReferences: [ownedBy(owner)] });
      await context.delete('owner', 'Foreground');
      for (const name of ['blocking', 'loose']) {
        await context.eventually(
          `${name} is being deleted`,
          async () => (await context.mustLive(name)).metadata.deletionTimestamp != null,
        );
      }
      await context.settle();
      mustEqual(
        (await context.mustLive('owner')).metadata.finalizers,
        ['foregroundDeletion'],
        'finalizers of the waiting owner',
      );
      await context.release('blocking');
      await context.gone('owner');
      await context.mustLive('loose');
      await context.release('loose');
      await context.gone('loose');
    },
  },
  {
    name: 'an orphaning deletion leaves the dependents without owner',
    async run(context) {
      const owner = await context.configMap('owner');
      await context.configMap('child', {
        ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true, controller: true })],
      });
      await context.delete('owner', 'Orphan');
      await context.gone('owner');
      await context.settle();
      mustEqual((await context.mustLive('child')).metadata.ownerReferences, undefined, 'references of the orphan');
    },
  },
  {
    name: 'a circle of blocking owners does not hold itself up',
    async run(context) {
      const a = await context.configMap('a');
      const b = await context.configMap('b', { ownerReferences: [ownedBy(a, { blockOwnerDeletion: true })] });
      const ownerReferences = [ownedBy(b, { blockOwnerDeletion: true })];
      await context.client.patch(
        CONFIG_MAPS,
        'a',
        { type: 'merge', value: { metadata: { ownerReferences } } },
        { namespace: context.namespace },
      );
      await context.delete('a', 'Foreground');
      await context.gone('a');
      await context.gone('b');
    },
  },
  {
    name: 'a cluster-scoped dependent of a namespaced owner is never collected but reported',
    async run(context) {
      const owner = await context.configMap('owner');
      const name = `capstan-${context.suffix}`;
      context.onCleanup(() => context.client.delete(CLUSTER_ROLES, name));
      const role: KubeObject = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name, ownerReferences: [ownedBy(owner)] },
        rules: [],
      };
      const created = await context.client.create(CLUSTER_ROLES, role);
      const uid = created.metadata.uid ?? '';
      const event = await context.eventually('the event is written', async () => {
        const { items } = await context.client.list(EVENTS, {
          namespace: 'default',
          fieldSelector: `involvedObject.uid=${uid}`,
        });
        return items[0];
      });
      context.onCleanup(() => context.client.delete(EVENTS, event.metadata.name ?? '', { namespace: 'default' }));
      mustEqual([event['type'], event['reason']], ['Warning', 'OwnerRefInvalidNamespace'], 'event');
      mustEqual(
        event['message'],
        `ownerRef [v1/ConfigMap, namespace: , name: owner, uid: ${owner.metadata.uid}] does not exist in namespace ""`,
        'message',
      );
      await context.delete('owner', 'Background');
      await context.settle();
      await context.mustLive(name, CLUSTER_ROLES);
    },
  },
  {
    name: 'an owner in another namespace does not count',
    async run(context) {
      const other = `${context.namespace}-b`;
      await context.createNamespace(other);
      const owner = await context.client.create(CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'owner', namespace: other },
      });
      await context.settle(200);
      await context.configMap('child', { ownerReferences: [ownedBy(owner)] });
      await context.gone('child');
    },
  },
  {
    name: 'a dependent of a kind nobody serves is left alone',
    async run(context) {
      await context.configMap('child', {
        ownerReferences: [absentOwner({ apiVersion: 'nobody.capstan.test/v1', kind: 'Nothing' })],
      });
      await context.settle(1000);
      await context.mustLive('child');
    },
  },
  {
    name: 'a dependent is deleted whichever served version of its group the reference names',
    async run(context) {
      await context.client.create(SECRETS, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: 'child',
          namespace: context.namespace,
          ownerReferences: [absentOwner({ apiVersion: 'apps/v1beta1', kind: 'Deployment' })],
        },
      });
      await context.gone('child', SECRETS);
    },
  },
  {
    name: 'custom resources defined while the collector runs are collected, and lose dangling references by merge patch',
    async run(context) {
      const ref = await widgets(context);
      const widget = (name: string, ownerReferences: OwnerReference[]): Promise<KubeObject> =>
        context.client.create(ref, {
          apiVersion: ref.apiVersion,
          kind: ref.kind,
          metadata: { name, namespace: context.namespace, ownerReferences },
        });
      const alive = await context.configMap('alive');
      const owner = await widget('owner', []);
      await widget('both', [ownedBy(owner), ownedBy(alive)]);
      await widget('child', [ownedBy(owner)]);
      await context.configMap('child', { ownerReferences: [ownedBy(owner)] });
      await context.delete('owner', 'Background', ref);
      await context.gone('child', ref);
      await context.gone('child');
      await context.eventually(
        'the reference is removed',
        async () => (await context.mustLive('both', ref)).metadata.ownerReferences?.length === 1,
      );
    },
  },
];
