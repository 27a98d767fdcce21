import { addFinalizer, hasFinalizer, patchFrom, removeFinalizer } from '@capstan/kube';
import type { Reconcile, Request, ResourceKind, Result } from '@capstan/kube';
import { isPaused, CLUSTER_LABEL, kindOf, MANAGED_BY } from './objects.js';
import type { Cluster, InfrastructureCluster, InfrastructureStatus } from './objects.js';
import type { InfrastructurePlatform } from './platforms.table.js';
import { clusterNamed, fromCache, ownerName, withConditions, withPaused, writeStatus } from './shared.js';
import type { ProviderContext } from './shared.js';
import { withFailureDomains, withReadiness } from './status.js';

/** All that a decision about an infrastructure cluster rests on. */
export interface ClusterInputs {
  readonly row: InfrastructurePlatform;
  readonly infra: InfrastructureCluster;
  readonly owner: Cluster | undefined;
  /** How many infrastructure machines it still has. */
  readonly machines: number;
}

/** What is to be done about an infrastructure cluster, and why. */
export type ClusterDecision =
  | { readonly do: 'ignore'; readonly reason: string }
  | { readonly do: 'adopt' | 'pause' | 'provision' | 'release' | 'wait-for-machines' };

/** Decides about an infrastructure cluster. */
export function decideCluster({ infra, machines, owner, row }: ClusterInputs): ClusterDecision {
  const isGoing = infra.metadata.deletionTimestamp != null;
  const isOurs = hasFinalizer(infra, row.clusterFinalizer);
  if (infra.metadata.annotations?.[MANAGED_BY] !== undefined)
    return { do: 'ignore', reason: 'it is externally managed' };
  if (isGoing && !isOurs) return { do: 'ignore', reason: 'it is going' };
  if (isPaused(infra, owner)) return { do: 'pause' };
  if (isGoing) return { do: machines > 0 ? 'wait-for-machines' : 'release' };
  if (owner === undefined) return { do: 'ignore', reason: 'no Cluster owns it yet' };
  return { do: isOurs ? 'provision' : 'adopt' };
}

/** Where the API server of a cluster is to be found. */
export type EndpointOf = (cluster: Cluster) => { readonly host: string; readonly port: number } | undefined;

/** Brings one infrastructure cluster to what it should be. */
export class ClusterReconciler {
  readonly #provider: ProviderContext;
  readonly #kind: ResourceKind;
  readonly #machineKind: ResourceKind;
  readonly #endpointOf: EndpointOf;

  constructor(provider: ProviderContext, endpointOf: EndpointOf) {
    this.#provider = provider;
    this.#kind = kindOf(provider.row, 'Cluster');
    this.#machineKind = kindOf(provider.row, 'Machine');
    this.#endpointOf = endpointOf;
  }

  readonly reconcile: Reconcile = async (request: Request) => {
    const infra = await fromCache<InfrastructureCluster>(this.#provider, this.#kind, request);
    if (infra === undefined) return undefined;
    const owner = await clusterNamed(this.#provider, infra, ownerName(infra, 'Cluster'));
    const name = owner?.metadata.name ?? infra.metadata.labels?.[CLUSTER_LABEL] ?? infra.metadata.name ?? '';
    const { items } = await this.#provider.manager.cache.list(this.#machineKind, {
      namespace: request.namespace,
      labelSelector: `${CLUSTER_LABEL}=${name}`,
    });
    const { row } = this.#provider;
    return this.#act(infra, owner, decideCluster({ row, infra, owner, machines: items.length }));
  };

  async #act(
    infra: InfrastructureCluster,
    owner: Cluster | undefined,
    decision: ClusterDecision,
  ): Promise<Result | undefined> {
    const { manager, row } = this.#provider;
    switch (decision.do) {
      case 'ignore':
        return undefined;
      case 'pause':
        await writeStatus(this.#provider, this.#kind, infra, (status) =>
          withPaused(this.#provider, this.#named(infra, status), true),
        );
        return undefined;
      case 'adopt':
        await addFinalizer(manager.client, this.#kind, infra, row.clusterFinalizer);
        return undefined;
      case 'wait-for-machines':
        return { requeueAfterMs: this.#provider.intervals.soonMs };
      case 'release':
        await removeFinalizer(manager.client, this.#kind, infra, row.clusterFinalizer);
        return undefined;
      case 'provision':
        return owner === undefined ? undefined : this.#provision(infra, owner);
    }
  }

  #named({ metadata: { name, namespace } }: InfrastructureCluster, status: InfrastructureStatus): InfrastructureStatus {
    const { clusterReference } = this.#provider.row;
    if (clusterReference === undefined || status[clusterReference] !== undefined) return status;
    return { ...status, [clusterReference]: { name, namespace } };
  }

  async #provision(infra: InfrastructureCluster, owner: Cluster): Promise<undefined> {
    const { contract, manager, row } = this.#provider;
    const hasEndpoint = (infra.spec?.controlPlaneEndpoint?.host ?? '') !== '';
    const endpoint = hasEndpoint ? undefined : this.#endpointOf(owner);
    const spec = endpoint === undefined ? infra.spec : { ...infra.spec, controlPlaneEndpoint: endpoint };
    const after = spec === undefined ? infra : { ...infra, spec };
    const written = await patchFrom(manager.client, this.#kind, { before: infra, after });
    const ready = { type: 'Ready', status: 'True', reason: 'Provisioned' } as const;
    await writeStatus(this.#provider, this.#kind, written, (status) => {
      const named = this.#named(infra, status);
      const spread = withFailureDomains(withPaused(this.#provider, named, false), row.failureDomains, contract);
      return withConditions(this.#provider, withReadiness(spread, true, contract), [ready]);
    });
  }
}
