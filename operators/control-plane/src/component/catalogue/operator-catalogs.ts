import type { ComponentDefinition } from '../definition.js';
import { OPENSHIFT_API, TEMPORARY } from './shared.js';

const INDEXES: Readonly<Record<string, string>> = {
  'certified-operators': 'certified-operator-index',
  'community-operators': 'community-operator-index',
  'redhat-operators': 'redhat-operator-index',
};

/** Catalogs of OLM, served from the management cluster unless they are placed in the guest. */
export const operatorCatalogs: readonly ComponentDefinition[] = Object.entries(INDEXES).map(([name, index]) => ({
  name: `${name}-catalog`,
  workload: 'Deployment',
  replicas: 'one',
  dependencies: [OPENSHIFT_API],
  isOptional: true,
  isPartOf: ({ image, spec }) =>
    spec.olmCatalogPlacement !== 'guest' && image('operator-lifecycle-manager') !== undefined,
  containers: [
    {
      name: 'registry',
      image: ({ version }) => `registry.redhat.io/redhat/${index}:v${version.split('.').slice(0, 2).join('.')}`,
      command: ['/bin/opm'],
      args: ['serve', '/configs', '--cache-dir=/tmp/cache'],
      ports: { grpc: 50_051 },
      mounts: TEMPORARY,
      cpu: '10m',
      memory: '160Mi',
    },
  ],
}));
