import { hypershiftOperator } from '@capstan/hypershift';
import type { ClientName, PrivateCrds } from '@capstan/hypershift';
import { fakeReleases } from '@capstan/hypershift/testing';
import type { FakeReleases } from '@capstan/hypershift/testing';
import { Client, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { OperatorContext } from '@capstan/kube';
import type { ApiRequest, KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { translatedTransport } from '@capstan/simulation';
import { installDefinitions } from '@capstan/tools/hosting';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { hostedDefinitions } from './definitions.js';

type Built = ReturnType<typeof hypershiftOperator>;

/** The namespace of both operators. */
export const OPERATORS = 'hypershift';
const MAPPING = new GroupMapping(CLUSTER_API_RULES);

/** None is installed, so that none is restored: it is looked which are. */
const PRIVATE_CRDS: PrivateCrds = {
  version: '1',
  fieldOwner: 'capstan',
  shim: 'capi-conversion-webhook-shim',
  shimSecret: 'capi-conversion-webhook-shim',
  render: () => Promise.resolve([]),
};

/** A request as an operator has sent it, before any proxy. */
export interface Sent {
  readonly operator: 'legacy' | 'private';
  readonly transport: 'direct' | 'proxied';
  readonly method: string;
  readonly target: string;
  /** The controller that has sent it, by its user agent; empty for the caches of the operator, its events and its lease. */
  readonly controller: string;
}

/** The CRDs of hosted clusters, and those of Cluster API once more under private groups. */
export function bothGroups(): readonly KubeObject[] {
  const standard = hostedDefinitions();
  const mirrored = standard
    .filter((each) => MAPPING.side((each['spec'] as { group: string }).group) === 'standard')
    .map((each): KubeObject => {
      const { definition } = mirrorDefinition(each, {
        mapping: MAPPING,
        shim: { namespace: OPERATORS, name: 'capi-conversion-webhook-shim' },
      });
      return { ...definition, spec: { ...(definition['spec'] as object), conversion: { strategy: 'None' } } };
    });
  return [...standard, ...mirrored];
}

/** Writes them to a server, and waits until it serves them. */
export async function installBothGroups(client: Client): Promise<void> {
  await installDefinitions(client, bothGroups());
}

/** What the operator on private types writes of clusters that another operator reconciles: marks, and reports. */
const NOT_RECONCILING: ReadonlySet<string> = new Set<ClientName>(['MigrationController', 'turns']);

/** Both operators as programs on one server, and everything that they send. */
export class TwoOperators {
  readonly sent: Sent[] = [];
  readonly releases: FakeReleases = fakeReleases();
  readonly #wayOf: (operator: Sent['operator']) => Transport;
  readonly #end = new AbortController();
  readonly #running: Promise<void>[] = [];

  /** `wayOf` is how each operator reaches the server, as whom. */
  constructor(wayOf: (operator: Sent['operator']) => Transport) {
    this.#wayOf = wayOf;
  }

  async start(operator: Sent['operator']): Promise<void> {
    const proxied = translatedTransport(this.#wayOf(operator), translate(MAPPING));
    const usual =
      operator === 'private' ? this.#recorded(operator, 'proxied', proxied) : this.#recorded(operator, 'direct');
    const context: OperatorContext<Built['flags']> = {
      options: { transport: usual, clock: systemClock(), random: systemRandom(operator), logger: silentLogger() },
      flags: operator === 'private' ? { 'private-capi-types': true } : { legacy: true },
      env: operator === 'private' ? { PROXY_IMAGE: 'proxy:1' } : {},
      namespace: OPERATORS,
      files: { read: unused },
      inCluster: () => Promise.resolve(this.#recorded(operator, 'direct')),
      connect: unused,
      carry: (_call, act) => Promise.resolve(act()),
    };
    const definition = hypershiftOperator({
      platforms: new HostingPlatforms([testPlatform()]),
      releases: () => this.releases,
      isPodless: true,
      privateCrds: PRIVATE_CRDS,
    });
    this.#running.push((await definition.build(context)).run(this.#end.signal));
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#running);
  }

  /** Writes that reconcile a HostedCluster or its NodePools, after the first so many requests: to its status, and in its control plane. */
  reconciling({ name, namespace }: { readonly name: string; readonly namespace: string }, after = 0): readonly Sent[] {
    const own = `/namespaces/${namespace}/`;
    return this.sent.slice(after).filter(({ controller, method, target }) => {
      if (method === 'GET' || NOT_RECONCILING.has(controller)) return false;
      const isOwn = target.includes(`${own}hostedclusters/${name}`) || target.includes(`${own}nodepools/${name}-`);
      return isOwn || target.includes(`/${namespace}-${name}/`) || target.endsWith(`/namespaces/${namespace}-${name}`);
    });
  }

  #recorded(operator: Sent['operator'], transport: Sent['transport'], to = this.#wayOf(operator)): Transport {
    return {
      send: (request: ApiRequest) => {
        const { headers, method, target } = request;
        const [, controller = ''] = headers['user-agent']?.split('/') ?? [];
        this.sent.push({ operator, transport, method, controller, target: target.split('?')[0] ?? '' });
        return to.send(request);
      },
    };
  }
}

function unused(): never {
  throw new Error('this operator reads no file and reaches no other server');
}

export function clientOf(server: Transport): Client {
  return new Client(server, { userAgent: 'test' });
}
