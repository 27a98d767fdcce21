import { connectFile, defineOperator, Manager, timestamp } from '@capstan/kube';
import type { OperatorDefinition, Result } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { ReleaseProvider } from '@capstan/release';
import { nextVersionStatus } from './cluster-version.js';
import type { ClusterVersion } from './cluster-version.js';

const FLAGS = {
  'enable-auto-update': 'boolean',
  hypershift: 'boolean',
  listen: 'string',
  'node-name': 'string',
  'release-image': 'string',
  'serving-cert-file': 'string',
  'serving-key-file': 'string',
} as const;
const CLUSTER_VERSIONS = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'clusterversions',
  namespaced: false,
  kind: 'ClusterVersion',
};
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
/** Nodes come by the dozen, and it is enough to know whether there are any. */
const GATHER_MS = 1_000;
const PULL_SECRET_FILE = '/etc/release/pull-secret/.dockerconfigjson';

interface Node extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Brings a hosted cluster to a release and reports the progress; stands in for the cluster-version-operator. */
export function clusterVersionOperator(releases: ReleaseProvider): OperatorDefinition<typeof FLAGS> {
  return defineOperator({
    name: 'cluster-version-operator',
    flags: FLAGS,
    build: async (context) => {
      const { env, files, flags, options } = context;
      const { kubeconfig } = flags;
      const image = flags['release-image'] ?? env['RELEASE_IMAGE'] ?? '';
      const transport = kubeconfig === undefined ? options.transport : await connectFile(context, kubeconfig);
      const manager = new Manager({ ...options, transport, leaderElection: undefined });
      const nodes = manager.cache.informer<Node>(NODES);
      const isReady = ({ status }: Node): boolean =>
        status?.conditions?.some(({ status: is, type }) => type === 'Ready' && is === 'True') === true;
      const controller = manager.controller({
        name: 'cluster-version',
        gatherMs: GATHER_MS,
        reconcile: async ({ name }): Promise<Result | undefined> => {
          const version = await manager.cache.get<ClusterVersion>(CLUSTER_VERSIONS, name).catch(ignoreNotFound);
          if (version === undefined) return undefined;
          const pullSecret = await files.read(PULL_SECRET_FILE).catch(() => undefined);
          const payload = await releases.lookup(image, pullSecret);
          const next = nextVersionStatus(version, {
            image: payload.pullSpec,
            version: payload.version,
            hasNodes: [...nodes.store.list()].some((node) => isReady(node)),
            now: timestamp(options.clock),
          });
          if (next === undefined) return undefined;
          // Whole: a merge patch cannot set null, as the schema wants it where there are no updates.
          await manager.client.update(CLUSTER_VERSIONS, { ...version, status: next }, { subresource: 'status' });
          return undefined;
        },
      });
      controller.for(CLUSTER_VERSIONS).watches<Node>(NODES, () => [{ namespace: '', name: 'version' }], {
        predicates: [(event) => event.type !== 'update' || isReady(event.old) !== isReady(event.object)],
      });
      return manager;
    },
  });
}
