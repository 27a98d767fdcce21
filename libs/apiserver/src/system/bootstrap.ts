import type { KubeObject } from '@capstan/meta';
import { bootstrapRoles } from '../auth/bootstrap-roles.js';
import { RBAC_GROUP } from '../auth/rbac.js';
import type { Core } from '../registry/core.js';
import { createObject } from '../registry/create.js';
import { runFlow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import type { ResourceIndex } from '../registry/resource-index.js';
import type { ServedResource } from '../registry/served-resource.js';

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

function kubernetesService(): KubeObject {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      clusterIP: '10.0.0.1',
      ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 443 }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  };
}

/** Creates what every cluster has from the start; what is there already stays as it is. */
export function bootstrap(core: Core, resources: ResourceIndex, withRoles: boolean): void {
  for (const name of NAMESPACES)
    ensure(core, resources.find('', 'v1', 'namespaces'), { kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
  ensure(core, resources.find('', 'v1', 'services'), kubernetesService());
  if (!withRoles) return;
  for (const { plural, object } of bootstrapRoles()) ensure(core, resources.find(RBAC_GROUP, 'v1', plural), object);
}

function ensure(core: Core, served: ServedResource | undefined, object: KubeObject): void {
  const { name = '', namespace = '' } = object.metadata;
  if (served === undefined || core.store.get(served.storage, namespace, name) !== undefined) return;
  served.strategy.applyDefaults?.(object);
  trackFields(served, '', { live: undefined, next: object }, { manager: 'kube-apiserver', time: core.timestamp() });
  const scope = { core, served, namespace, dryRun: false, subresource: '', warnings: [] };
  // Nothing here can need an effect: the namespaces come first.
  void runFlow(createObject(scope, object), () => Promise.resolve());
}
