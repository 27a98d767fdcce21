import { defineOperator, errorText, eventSubject, Manager, patchFrom } from '@capstan/kube';
import type { ManagerOptions, OperatorDefinition } from '@capstan/kube';
import { deepEqual, ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** A Service, with the fields that load balancers read. */
export interface BalancedService extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly ports?: readonly { readonly port: number; readonly name?: string }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } };
}

/** Where a Service is reached from outside. */
export interface Ingress {
  readonly ip?: string;
  readonly hostname?: string;
}

/** Makes the ways into a cluster. */
export interface Balancer {
  /** Idempotent; gives where the Service is now reached. */
  open(service: BalancedService): Promise<Ingress>;
  close(namespace: string, name: string): Promise<void>;
}

const SERVICES = { group: '', version: 'v1', plural: 'services', namespaced: true, kind: 'Service' };

/** Gives every Service of type LoadBalancer its address, as the controller of a cloud does. */
export function loadBalancerManager(options: ManagerOptions, balancer: Balancer): Manager {
  const manager = new Manager(options);
  const events = manager.eventRecorder('service-controller');
  const controller = manager.controller({
    name: 'load-balancers',
    reconcile: async ({ name, namespace }) => {
      const service = await manager.cache.get<BalancedService>(SERVICES, name, { namespace }).catch(ignoreNotFound);
      if (service?.spec?.type !== 'LoadBalancer') {
        await balancer.close(namespace, name);
        return;
      }
      const ingress = [
        await balancer.open(service).catch((error: unknown) => {
          // Otherwise a client that waits for the address would not see why there is none.
          const message = `Error syncing load balancer: ${errorText(error)}`;
          events.record(eventSubject(service), { type: 'Warning', reason: 'SyncLoadBalancerFailed', message });
          throw error;
        }),
      ];
      if (deepEqual(service.status?.loadBalancer?.ingress, ingress)) return;
      const after = { ...service, status: { ...service.status, loadBalancer: { ingress } } };
      await patchFrom(manager.client, SERVICES, { before: service, after }, { subresource: 'status' });
    },
  });
  controller.for<BalancedService>(SERVICES);
  return manager;
}

/** The same as an operator. */
export function loadBalancers(balancer: Balancer): OperatorDefinition<Record<never, never>> {
  return defineOperator({
    name: 'load-balancers',
    flags: {},
    build: ({ options }) => loadBalancerManager(options, balancer),
  });
}

/** Names that lead nowhere but within this process. */
export function namedBalancer(opened: (service: BalancedService, host: string) => void): Balancer {
  const known = new Set<string>();
  return {
    open: async (service) => {
      const { name = '', namespace = '' } = service.metadata;
      const hostname = `${name}.${namespace}.lb.capstan.internal`;
      if (!known.has(hostname)) opened(service, hostname);
      known.add(hostname);
      return { hostname };
    },
    close: async (namespace, name) => {
      known.delete(`${name}.${namespace}.lb.capstan.internal`);
    },
  };
}
