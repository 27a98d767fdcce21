import { Converger, describeChange, exactly, Manager, type ManagerOptions } from '@capstan/kube';
import { isNotFound, withControllerReference } from '@capstan/meta';

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
      const ownerReferences = withControllerReference({ metadata }, owner);
      const converger = new Converger({ client: manager.client, signal });
      const data = exactly({ text: `Hello, ${whom}!` });
      await converger.ensure(CONFIG_MAPS, { metadata: { ...metadata, ownerReferences }, data });
      logger.info('greeted', { whom, changes: converger.changes.map(describeChange).join(', ') });
    },
  });
  controller.for(CONFIG_MAPS).owns(CONFIG_MAPS);
  return manager;
}
