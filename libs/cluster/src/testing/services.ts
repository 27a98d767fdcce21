import type { KubeObject } from '@capstan/meta';
import type { EndpointSlice } from '../endpoints/objects.js';
import {
  CLUSTER_ROLES,
  CONFIG_MAPS,
  ENDPOINT_SLICES,
  ENDPOINTS,
  SERVICE_ACCOUNTS,
  SERVICES,
} from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { Workloads } from './workloads.js';

interface Endpoints extends KubeObject {
  subsets?: {
    addresses?: { ip: string; targetRef?: { name: string } }[];
    notReadyAddresses?: { ip: string }[];
    ports?: unknown[];
  }[];
}

async function slices(context: ScenarioContext): Promise<EndpointSlice[]> {
  const { client, namespace } = context;
  const { items } = await client.list<EndpointSlice>(ENDPOINT_SLICES, {
    namespace,
    labelSelector: 'kubernetes.io/service-name=web',
  });
  return [...items];
}

async function service(context: ScenarioContext): Promise<void> {
  const spec = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] };
  const metadata = { name: 'web', namespace: context.namespace, labels: { tier: 'front' } };
  await context.client.create(SERVICES, { apiVersion: 'v1', kind: 'Service', metadata, spec });
}

/** What services, accounts and roles must get. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'a service finds its ready pods, and only them',
    async run(context) {
      const w = new Workloads(context);
      await service(context);
      await context.eventually('there is an empty slice', async () => (await slices(context)).length === 1);
      await w.create('ReplicaSet', 'web', { replicas: 2 });
      const pods = await w.readyPods('web', 2);
      const ips = pods.map(({ status }) => status?.podIP ?? '').sort();
      const full = await context.eventually('the slice has both', async () => {
        const found = await slices(context);
        return found.length === 1 && found[0]?.endpoints?.length === 2 && found[0];
      });
      mustEqual(full.endpoints?.flatMap(({ addresses }) => addresses).sort(), ips, 'addresses of the slice');
      const ports = (full.ports ?? []) as { name: string; port: number; protocol: string }[];
      mustEqual(
        ports.map(({ name, port, protocol }) => [name, port, protocol]),
        [['http', 8080, 'TCP']],
        'ports',
      );
      mustEqual(full.metadata.labels?.['tier'], 'front', 'label of the service');
      const endpoints = (await context.eventually('the endpoints have both', async () => {
        const found = (await context.get('web', ENDPOINTS)) as Endpoints | undefined;
        return found?.subsets?.[0]?.addresses?.length === 2 && found;
      })) as Endpoints;
      mustEqual(endpoints.subsets?.[0]?.addresses?.map(({ ip }) => ip).sort(), ips, 'addresses of the endpoints');
      await w.patch('web', { replicas: 0 }, { group: 'apps', version: 'v1', plural: 'replicasets', namespaced: true });
      await context.eventually('both are empty', async () => {
        const left = (await slices(context)).flatMap((slice) => slice.endpoints ?? []);
        const found = (await context.mustLive('web', ENDPOINTS)) as Endpoints;
        return left.length === 0 && (found.subsets ?? []).length === 0;
      });
      await context.client.delete(SERVICES, 'web', { namespace: context.namespace });
      await context.gone('web', ENDPOINTS);
      await context.eventually('the slices are gone', async () => (await slices(context)).length === 0);
    },
  },
  {
    name: 'a pod that is not ready is no address but is known',
    async run(context) {
      await service(context);
      const w = new Workloads(context);
      await w.create('ReplicaSet', 'web', { replicas: 1, image: 'broken:1' });
      const endpoints = await context.eventually('the endpoints know it', async () => {
        const found = (await context.get('web', ENDPOINTS)) as Endpoints | undefined;
        return found?.subsets?.[0]?.notReadyAddresses?.length === 1 && found;
      });
      mustEqual(endpoints.subsets?.[0]?.addresses, undefined, 'ready addresses');
      const [slice] = await slices(context);
      const conditions = slice?.endpoints?.[0]?.['conditions'] as Record<string, boolean> | undefined;
      mustEqual([conditions?.['ready'], conditions?.['terminating']], [false, false], 'conditions');
    },
  },
  {
    name: 'every namespace has its account and the certificates to trust, again when they are lost',
    async run(context) {
      const found = (name: string, resource: typeof CONFIG_MAPS): Promise<KubeObject> =>
        context.eventually(`there is ${name}`, async () => (await context.get(name, resource)) ?? false);
      const account = await found('default', SERVICE_ACCOUNTS);
      const map = await found('kube-root-ca.crt', CONFIG_MAPS);
      mustEqual(Object.keys((map['data'] ?? {}) as object), ['ca.crt'], 'keys');
      await context.client.delete(SERVICE_ACCOUNTS, 'default', { namespace: context.namespace });
      await context.eventually('the account is back', async () => {
        const again = await context.get('default', SERVICE_ACCOUNTS);
        return again !== undefined && again.metadata.uid !== account.metadata.uid;
      });
      const value = { data: { 'ca.crt': 'other', more: 'x' } };
      const { namespace } = context;
      await context.client.patch(CONFIG_MAPS, 'kube-root-ca.crt', { type: 'merge', value }, { namespace });
      await context.eventually('the map is as it was', async () => {
        const again = await context.mustLive('kube-root-ca.crt', CONFIG_MAPS);
        return JSON.stringify(again['data']) === JSON.stringify(map['data']);
      });
    },
  },
  {
    name: 'an aggregated ClusterRole has the rules of the roles it selects',
    async run(context) {
      const label = `capstan.test/${context.suffix}`;
      const create = (name: string, fields: object, labels: Record<string, string> = {}): Promise<KubeObject> => {
        context.onCleanup(() => context.client.delete(CLUSTER_ROLES, name));
        const kind = 'ClusterRole';
        return context.client.create(CLUSTER_ROLES, {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind,
          metadata: { name, labels },
          ...fields,
        });
      };
      const all = `capstan-${context.suffix}-all`;
      const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
      await create(all, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'yes' } }] } });
      await create(`capstan-${context.suffix}-a`, { rules: [rule] }, { [label]: 'yes' });
      const rules = async (): Promise<number> => {
        const role = await context.client.get(CLUSTER_ROLES, all);
        return ((role['rules'] ?? []) as unknown[]).length;
      };
      await context.eventually('the rule is there', async () => (await rules()) === 1);
      await context.client.delete(CLUSTER_ROLES, `capstan-${context.suffix}-a`);
      await context.eventually('the rule is gone', async () => (await rules()) === 0);
    },
  },
];
