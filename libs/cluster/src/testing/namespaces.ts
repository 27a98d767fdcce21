import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS, HOLD, mustEqual, NAMESPACES, SECRETS } from './context.js';
import type { Scenario, ScenarioContext } from './context.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function conditions(namespace: KubeObject): Condition[] {
  const status = namespace['status'] as { conditions?: Condition[] } | undefined;
  return (status?.conditions ?? []).map(({ type, status: value, reason, message }) => ({
    type,
    status: value,
    reason,
    message,
  }));
}

async function secret(context: ScenarioContext, name: string, metadata: KubeObject['metadata'] = {}): Promise<void> {
  await context.client.create(SECRETS, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: context.namespace, ...metadata },
  });
}

/** What must become of deleted namespaces. */
export const namespaceScenarios: readonly Scenario[] = [
  {
    name: 'a deleted namespace goes with all its content',
    async run(context) {
      for (let index = 0; index < 5; index += 1) {
        await context.configMap(`map-${index}`);
        await secret(context, `secret-${index}`);
      }
      await context.client.delete(NAMESPACES, context.namespace);
      await context.gone(context.namespace, NAMESPACES);
      const left = await context.client.list(CONFIG_MAPS, { namespace: context.namespace });
      mustEqual(left.items.length, 0, 'config maps left');
    },
  },
  {
    name: 'a namespace waits for finalizers, reports them, and is deleted as soon as they are removed',
    async run(context) {
      await context.configMap('held-1', { finalizers: [HOLD] });
      await context.configMap('held-2', { finalizers: [HOLD, 'capstan.test/other'] });
      await secret(context, 'plain');
      await context.client.delete(NAMESPACES, context.namespace);
      const waiting = await context.eventually('the conditions are written', async () => {
        const namespace = await context.mustLive(context.namespace, NAMESPACES);
        return conditions(namespace).length > 0 && namespace;
      });
      mustEqual((waiting['status'] as { phase?: string }).phase, 'Terminating', 'phase');
      mustEqual(
        conditions(waiting),
        [
          {
            type: 'NamespaceDeletionDiscoveryFailure',
            status: 'False',
            reason: 'ResourcesDiscovered',
            message: 'All resources successfully discovered',
          },
          {
            type: 'NamespaceDeletionGroupVersionParsingFailure',
            status: 'False',
            reason: 'ParsedGroupVersions',
            message: 'All legacy kube types successfully parsed',
          },
          {
            type: 'NamespaceDeletionContentFailure',
            status: 'False',
            reason: 'ContentDeleted',
            message: 'All content successfully deleted, may be waiting on finalization',
          },
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: 'Some resources are remaining: configmaps. has 2 resource instances',
          },
          {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message:
              'Some content in the namespace has finalizers remaining: capstan.test/hold in 2 resource instances, capstan.test/other in 1 resource instances',
          },
        ],
        'conditions',
      );
      await context.release('held-1');
      await context.release('held-2');
      await context.gone(context.namespace, NAMESPACES);
    },
  },
  {
    name: 'a namespace with another finalizer stays, empty',
    async run(context) {
      const namespace = `${context.namespace}-f`;
      await context.client.create(NAMESPACES, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, finalizers: [HOLD] },
      });
      await context.client.create(CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', namespace },
      });
      await context.client.delete(NAMESPACES, namespace);
      const held = await context.eventually('the content is gone', async () => {
        const object = await context.mustLive(namespace, NAMESPACES);
        const { finalizers } = object['spec'] as { finalizers?: string[] };
        return (finalizers ?? []).length === 0 && object;
      });
      mustEqual(held.metadata.finalizers, [HOLD], 'finalizers');
      mustEqual((await context.client.list(CONFIG_MAPS, { namespace })).items.length, 0, 'config maps left');
      await context.release(namespace, NAMESPACES);
      await context.gone(namespace, NAMESPACES);
    },
  },
];
