import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, NODE_POOLS } from '@capstan/hosting';
import { Discovery, errorText } from '@capstan/kube';
import type { ApiResource, Client, ResourceKind } from '@capstan/kube';
import { isForbidden, isMethodNotSupported, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { eachBounded } from '@capstan/migration';
import type { CopiedObject } from '@capstan/simulation';
import type { GroupMapping } from '@capstan/translate';
import { NoVerdictError } from '../../errors.js';
import { typed } from '../../hosted/dump-folder.js';
import { isPoolOf, SKIPPED, withoutSecrets } from './model.js';
import type { ClusterFilter, SourceCluster, SourceFleet } from './model.js';

const CRDS: ResourceKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  kind: 'CustomResourceDefinition',
};
const CONCURRENCY = 8;

export interface LiveOptions {
  readonly client: Client;
  readonly mapping: GroupMapping;
  readonly filter: ClusterFilter;
  readonly signal: AbortSignal;
}

/** Reads hosted clusters from a management cluster: lists alone, nothing is written. */
export async function readLive({ client, filter, mapping, signal }: LiveOptions): Promise<SourceFleet> {
  const { items } = await required('HostedClusters', client.list<HostedCluster>(HOSTED_CLUSTERS, { signal }));
  const crds = (await required('CustomResourceDefinitions', client.list(CRDS, { signal }))).items;
  const { failures, preferred } = await new Discovery(client).snapshot(signal);
  const problems = failures.map(
    ({ group, message, version }) => `${group}/${version} cannot be discovered: ${message}`,
  );
  const kinds = preferred.filter(
    ({ group, plural, verbs }) => verbs.includes('list') && !SKIPPED.has(`${group}/${plural}`),
  );
  const clusters: SourceCluster[] = [];
  for (const hostedCluster of items.filter(filter)) {
    const leftOut = [...problems];
    const lists = new Lists(client, leftOut, signal);
    const { name = '', namespace = '' } = hostedCluster.metadata;
    const control = controlPlaneNamespace(namespace, name);
    const shared = kinds.filter(({ group, namespaced }) => !namespaced && mapping.side(group) !== undefined);
    const objects = [
      ...(await lists.all(
        kinds.filter(({ namespaced }) => namespaced),
        control,
      )),
      ...(await lists.all(shared, undefined)),
      ...(await lists.all([NODE_POOLS], namespace)).filter(({ object }) => isPoolOf(object, name)),
    ];
    clusters.push({ hostedCluster: typed(hostedCluster, HOSTED_CLUSTERS) as HostedCluster, objects, leftOut });
  }
  return { clusters, crds: crds.map((each) => typed(each, CRDS)) };
}

/** What nothing can be answered without. */
async function required<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const hint = isForbidden(error)
      ? `grant this user get and list of ${what}: a rehearsal writes nothing`
      : 'name another cluster with --context, or a folder of `capstan dump cluster` with --from';
    throw new NoVerdictError(`${what} cannot be listed: ${errorText(error)}`, hint, { cause: error });
  }
}

/** Lists that may be refused: what is refused is left out, and named. */
class Lists {
  readonly #client: Client;
  readonly #leftOut: string[];
  readonly #signal: AbortSignal;

  constructor(client: Client, leftOut: string[], signal: AbortSignal) {
    this.#client = client;
    this.#leftOut = leftOut;
    this.#signal = signal;
  }

  async all(kinds: readonly (ApiResource | ResourceKind)[], namespace: string | undefined): Promise<CopiedObject[]> {
    const found = new Map<object, readonly KubeObject[]>();
    await eachBounded(kinds, CONCURRENCY, async (kind) => {
      found.set(kind, await this.#one(kind, namespace));
    });
    return kinds.flatMap((kind) =>
      (found.get(kind) ?? []).map((object) => ({ resource: kind, object: withoutSecrets(typed(object, kind)) })),
    );
  }

  async #one(kind: ApiResource | ResourceKind, namespace: string | undefined): Promise<readonly KubeObject[]> {
    try {
      return (await this.#client.list(kind, { namespace, signal: this.#signal })).items;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (isNotFound(error) || isMethodNotSupported(error)) return [];
      const what = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
      const why = isForbidden(error) ? 'cannot be listed: forbidden' : `cannot be listed: ${errorText(error)}`;
      this.#leftOut.push(`${what}${namespace === undefined ? '' : ` in ${namespace}`} ${why}`);
      return [];
    }
  }
}
