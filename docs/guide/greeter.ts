import { createOrUpdate, Manager, type ManagerOptions } from '@capstan/kube';
import { isNotFound, withControllerReference, type KubeObject } from '@capstan/meta';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true, kind: 'ConfigMap' };
const WHOM = 'greeter.example.com/whom';

/** An operator: every ConfigMap that names a person to greet gets another one, with the greeting. */
export function greeter(options: ManagerOptions): Manager {
  const manager = new Manager(options);
  const controller = manager.controller({
    name: 'greeter',
    reconcile: async ({ namespace, name }, { logger, signal }) => {
      const owner = await manager.cache.get(CONFIG_MAPS, name, { namespace }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      const whom = owner?.metadata.annotations?.[WHOM];
      if (owner === undefined || whom === undefined || owner.metadata.deletionTimestamp != null) return;
      const metadata = { name: `${name}-greeting`, namespace };
      const mutate = (greeting: KubeObject): void => {
        greeting.metadata.ownerReferences = withControllerReference(greeting, owner);
        greeting['data'] = { text: `Hello, ${whom}!` };
      };
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
      const { result } = await createOrUpdate({
        client: manager.client,
        resource: CONFIG_MAPS,
        object,
        mutate,
        signal,
      });
      logger.info('greeted', { whom, result });
    },
  });
  controller.for(CONFIG_MAPS).owns(CONFIG_MAPS);
  return manager;
}
