import {
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MANUAL_ROLLBACK,
  MIGRATION_BASELINE,
  MIGRATION_COPIED_ANNOTATION,
  MIGRATION_COPIES,
  MIGRATION_FAILED_ANNOTATION,
  MIGRATION_PAUSED_ANNOTATION,
  NODE_POOLS,
  PRIVATE_CAPI_TYPES_ANNOTATION,
  withLock,
  withRollback,
} from '@capstan/hosting';
import type { FailureReason } from '@capstan/hypershift';
import { patchFrom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS, kindOf, PRIVATE, STANDARD } from '../fixture.js';
import type { MigrationFixture } from '../fixture.js';
import type { Write } from './refusing-transport.js';
import type { MigrationRun } from './scenario.js';
import { NAMESPACE } from './server.js';

/** How a migration ends that nothing interrupts, and what makes it end so. */
export interface Kind {
  readonly name: string;
  /** The step that fails; undefined where none does. */
  readonly step?: string;
  /** Why it is rolled back; undefined for one that succeeds. */
  readonly reason?: FailureReason;
  readonly prepare: (run: MigrationRun) => Promise<void> | void;
  /** Originals are created again by the rollback: those of before are gone. */
  readonly isRecreated?: boolean;
  /** What is asked of the cloud for the user or by the private controllers, sorted; nothing otherwise. */
  readonly calls?: readonly string[];
  /** Objects that a user deletes or writes, by kind: what becomes of them is the user's. */
  readonly userKinds?: readonly string[];
  /** Kind and name of an object of a user that must be there at the end. */
  readonly kept?: string;
  /** What is wrong with the objects of a user at the end. */
  readonly findLost?: (after: readonly KubeObject[]) => string | undefined;
}

const AT = { namespace: NAMESPACE } as const;
const HOME = { namespace: 'clusters' } as const;
const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
} as const;
const HEALTH_CHECKS = kindOf(STANDARD, 'MachineHealthCheck');
const DELETE_MACHINE = 'cluster.x-k8s.io/delete-machine';
const merge = (value: object) => ({ type: 'merge', value }) as const;

function refuses(isRefused: (write: Write) => boolean): Kind['prepare'] {
  return (run) => {
    run.isRefused = isRefused;
  };
}

/** Once a condition holds, does something once. */
function once(holds: (run: MigrationRun) => boolean, act: (run: MigrationRun) => Promise<unknown>): Kind['prepare'] {
  return (run) => {
    let isDone = false;
    run.meanwhile = async () => {
      if (isDone || !holds(run)) return;
      isDone = true;
      await act(run);
    };
  };
}

const isPaused = ({ history }: MigrationRun): boolean =>
  history.of('Cluster').some(({ metadata }) => metadata.annotations?.[MIGRATION_PAUSED_ANNOTATION] !== undefined);
const isCopied = ({ history }: MigrationRun): boolean =>
  history.of('Cluster').some(({ metadata }) => metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined);

/** Whether the private controllers may act, and there is no commit yet. */
const isUnpaused = (run: MigrationRun): boolean =>
  isCopied(run) &&
  run.history
    .of('Cluster')
    .some(
      ({ apiVersion, metadata }) =>
        apiVersion.startsWith(`${PRIVATE}/`) && metadata.annotations?.[MIGRATION_PAUSED_ANNOTATION] === undefined,
    );

const isCommitted = ({ history }: MigrationRun): boolean =>
  history
    .of('HostedCluster')
    .some(({ metadata }) => metadata.annotations?.[PRIVATE_CAPI_TYPES_ANNOTATION] !== undefined);
const hasFailed = ({ history }: MigrationRun): boolean =>
  history.of('HostedCluster').some(({ metadata }) => metadata.annotations?.[MIGRATION_FAILED_ANNOTATION] !== undefined);

/** Deletes a machine whose pods are only evicted once something holds. */
async function deleteDraining({ controllers, fixture }: MigrationRun, isDrained: () => boolean): Promise<void> {
  controllers.isDraining = () => !isDrained();
  await fixture.client.delete(kindOf(STANDARD, 'Machine'), 'workers-1', AT);
}

/** A MachineHealthCheck of a user. */
async function createHealthCheck(fixture: MigrationFixture, name: string, finalizers: string[] = []): Promise<void> {
  const selector = { matchLabels: { set: 'other' } };
  const metadata = { name, ...AT, finalizers };
  await fixture.create(HEALTH_CHECKS, { metadata, spec: { clusterName: 'infra-a', selector } } as never);
}

/** Deletes an object that a finalizer keeps. */
async function deleteHeld({ fixture: { client } }: MigrationRun, kind: ResourceKind, name: string): Promise<void> {
  await client.patch(kind, name, merge({ metadata: { finalizers: ['test/held'] } }), HOME);
  await client.delete(kind, name, HOME);
}

const WITH_BROKEN_OPERATOR: Kind['prepare'] = async ({ fixture, hosted }) => {
  hosted.images.supported.clear();
  hosted.images.overrides.set('4.18', 'quay.io/hypershift/control-plane-operator:4.18');
  hosted.actors.delete('control-plane-operator');
  const status = { initialized: true, ready: true, version: '4.18.3' };
  await fixture.client.patch(HOSTED_CONTROL_PLANES, 'a', merge({ status }), { ...AT, subresource: 'status' });
};

/** Migrates without an interruption, so that what follows is a rollback by hand. */
async function migrated(run: MigrationRun): Promise<void> {
  await run.migrate();
  run.isRollback = true;
  run.begin = async () => {
    const before = await run.hosted.hostedCluster();
    const locked = withLock(before, { id: 'by-hand', startedAt: '2026-01-01T01:00:00Z' });
    const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
    await patchFrom(run.fixture.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
  };
}

const SUCCESSES: readonly Kind[] = [
  { name: 'success', prepare: () => {} },
  {
    name: 'a pause of each object',
    prepare: ({ hosted }) => {
      hosted.ignoresClusterPause = true;
    },
  },
  {
    name: 'a machine deleted after the controllers have stopped',
    userKinds: ['Machine'],
    calls: ['create', 'terminate'],
    prepare: once(isPaused, ({ fixture }) => fixture.client.delete(kindOf(STANDARD, 'Machine'), 'workers-1', AT)),
  },
  {
    name: 'a deletion that does not end',
    userKinds: ['MachineHealthCheck'],
    prepare: async ({ fixture }) => {
      await createHealthCheck(fixture, 'leaving', ['test/held']);
      await fixture.client.delete(HEALTH_CHECKS, 'leaving', AT);
    },
  },
  {
    name: 'a machine that is drained until after the commit',
    userKinds: ['Machine'],
    calls: ['create', 'terminate'],
    prepare: (run) => deleteDraining(run, () => isCommitted(run)),
  },
  {
    name: 'a NodePool deleted under the lock',
    userKinds: ['NodePool'],
    prepare: once(isCopied, (run) => deleteHeld(run, NODE_POOLS, 'a-workers')),
  },
  {
    name: 'a HostedCluster deleted after the commit',
    userKinds: ['HostedCluster'],
    prepare: once(isCommitted, (run) => deleteHeld(run, HOSTED_CLUSTERS, 'a')),
  },
];

const FAILURES: readonly Kind[] = [
  {
    name: 'no acknowledgement',
    step: 'acknowledge',
    reason: 'acknowledge-timeout',
    prepare: ({ hosted }) => void hosted.actors.delete('operators'),
  },
  {
    name: 'a Cluster that is being deleted',
    step: 'settle',
    reason: 'deletion-timeout',
    userKinds: ['Cluster'],
    prepare: ({ fixture }) => fixture.client.delete(kindOf(STANDARD, 'Cluster'), 'infra-a', AT).then(() => {}),
  },
  {
    name: 'a machine that is drained until after the rollback',
    reason: 'health-check-timeout',
    userKinds: ['Cluster', 'Machine'],
    calls: ['create', 'terminate'],
    prepare: async (run) => {
      await deleteDraining(run, () => hasFailed(run));
      const failed = merge({ status: { phase: 'Failed' } });
      const options = { ...AT, subresource: 'status' };
      await once(isUnpaused, ({ fixture }) =>
        fixture.client.patch(kindOf(PRIVATE, 'Cluster'), 'infra-a', failed, options),
      )(run);
    },
  },
  {
    name: 'an unsupported control plane operator',
    step: 'cpo-image',
    reason: 'cpo-unsupported',
    prepare: ({ hosted }) => hosted.images.supported.clear(),
  },
  {
    name: 'a refused baseline',
    step: 'baseline',
    reason: 'step-failed',
    prepare: refuses(({ method, path }) => method === 'POST' && path.endsWith('/configmaps')),
  },
  {
    name: 'a lost baseline',
    step: 'baseline',
    reason: 'baseline-lost',
    prepare: once(isPaused, ({ fixture }) =>
      fixture.client.delete(CONFIG_MAPS, MIGRATION_BASELINE, AT).catch(ignoreNotFound),
    ),
  },
  {
    name: 'a refused pause',
    step: 'pause',
    reason: 'step-failed',
    prepare: refuses(({ path }) => path.includes(`/${STANDARD}/`) && path.endsWith('/clusters/infra-a')),
  },
  {
    name: 'pods that do not end',
    step: 'scale-down',
    reason: 'scale-down-timeout',
    prepare: ({ hosted }) => void hosted.actors.delete('deployments'),
  },
  {
    name: 'refused permissions',
    step: 'access',
    reason: 'step-failed',
    prepare: refuses(({ path }) => path.includes('/roles/')),
  },
  {
    name: 'a missing CRD',
    step: 'copy',
    reason: 'missing-private-crd',
    prepare: async ({ fixture }) => {
      await fixture.client.delete(CRDS, `machinesets.${PRIVATE}`);
    },
  },
  {
    name: 'a refused copy',
    step: 'copy',
    reason: 'resource-conversion-failed',
    prepare: refuses(
      ({ method, path }) => method === 'POST' && path.includes(`/${PRIVATE}/`) && path.endsWith('/machines'),
    ),
  },
  {
    name: 'refused sidecars',
    step: 'sidecars',
    reason: 'step-failed',
    prepare: refuses(({ body, path }) => path.endsWith('/deployments/cluster-api') && body.includes('initContainers')),
  },
  {
    name: 'no sidecars',
    step: 'scale-up',
    reason: 'deployment-timeout',
    prepare: ({ hosted }) => void hosted.actors.delete('control-plane-operator'),
  },
  {
    name: 'an overridden control plane operator without sidecars',
    step: 'scale-up',
    reason: 'deployment-timeout',
    prepare: WITH_BROKEN_OPERATOR,
  },
  {
    name: 'a refused unpause',
    step: 'unpause',
    reason: 'step-failed',
    prepare: refuses(({ body, path }) => path.includes(`/${PRIVATE}/`) && body.includes('"paused":null')),
  },
  {
    name: 'private controllers that fail',
    step: 'verify',
    reason: 'health-check-timeout',
    calls: ['create', 'create', 'terminate'],
    prepare: ({ controllers }) => {
      controllers.changes = true;
    },
  },
  {
    name: 'an original written meanwhile',
    step: 'compare',
    reason: 'resource-conversion-failed',
    userKinds: ['MachineSet'],
    prepare: once(isCopied, ({ fixture }) =>
      fixture.client.patch(
        kindOf(STANDARD, 'MachineSet'),
        'workers',
        merge({ spec: { template: { spec: { minReadySeconds: 5 } } } }),
        AT,
      ),
    ),
  },
  {
    name: 'an original marked meanwhile',
    step: 'compare',
    reason: 'resource-conversion-failed',
    userKinds: ['Machine'],
    findLost: (after) => {
      const { metadata } = after.find(({ kind }) => kind === 'Machine') ?? {};
      const isKept = metadata?.annotations?.[DELETE_MACHINE] === 'true' && metadata.labels?.['of'] === 'a-user';
      return isKept ? undefined : `the marks of a user: ${JSON.stringify(metadata)}`;
    },
    // Neither counts as a generation.
    prepare: once(isCopied, ({ fixture }) =>
      fixture.client.patch(
        kindOf(STANDARD, 'Machine'),
        'workers-1',
        merge({ metadata: { annotations: { [DELETE_MACHINE]: 'true' }, labels: { of: 'a-user' } } }),
        AT,
      ),
    ),
  },
  {
    name: 'an original deleted meanwhile',
    step: 'compare',
    reason: 'resource-conversion-failed',
    userKinds: ['MachineHealthCheck'],
    findLost: (after) =>
      after.some(({ kind }) => kind === 'MachineHealthCheck') ? 'the deletion of a MachineHealthCheck' : undefined,
    prepare: async (run) => {
      await createHealthCheck(run.fixture, 'of-a-user');
      await once(isCopied, ({ fixture }) => fixture.client.delete(HEALTH_CHECKS, 'of-a-user', AT))(run);
    },
  },
  {
    name: 'a record of copies deleted meanwhile',
    step: 'compare',
    reason: 'baseline-lost',
    prepare: once(isUnpaused, ({ fixture }) =>
      fixture.client.delete(CONFIG_MAPS, MIGRATION_COPIES, AT).catch(ignoreNotFound),
    ),
  },
  {
    name: 'an object created meanwhile',
    step: 'compare',
    reason: 'resource-conversion-failed',
    userKinds: ['MachineHealthCheck'],
    kept: 'MachineHealthCheck of-a-user',
    prepare: once(isUnpaused, ({ fixture }) => createHealthCheck(fixture, 'of-a-user')),
  },
  {
    name: 'a refused commit',
    step: 'commit',
    reason: 'step-failed',
    prepare: refuses(
      ({ body, path }) => path.includes('/hostedclusters/') && body.includes(PRIVATE_CAPI_TYPES_ANNOTATION),
    ),
  },
  {
    name: 'a HostedCluster deleted under the lock',
    reason: 'cluster-deleted',
    userKinds: ['HostedCluster'],
    prepare: once(isCopied, (run) => deleteHeld(run, HOSTED_CLUSTERS, 'a')),
  },
  { name: 'a rollback by hand', reason: 'manual-rollback', isRecreated: true, prepare: migrated },
  {
    name: 'a rollback by hand after the cluster has grown',
    reason: 'manual-rollback',
    isRecreated: true,
    userKinds: ['MachineSet', 'Machine'],
    calls: ['create', 'create'],
    prepare: async (run) => {
      await migrated(run);
      const { client } = run.fixture;
      const sets = kindOf(PRIVATE, 'MachineSet');
      const { spec } = await client.get(sets, 'workers', AT);
      const replicas = ((spec as { replicas?: number }).replicas ?? 1) + 2;
      await client.patch(sets, 'workers', merge({ spec: { replicas } }), AT);
      await run.hosted.play();
    },
  },
];

/** Every way in which a migration ends; of each step that can fail, at least one. */
export const KINDS: readonly Kind[] = [...SUCCESSES, ...FAILURES];
