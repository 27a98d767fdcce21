import type { ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import { controlPlaneNamespace, pauseOf } from '@capstan/hosting';
import type { Pause, ReleaseLookups } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import type { Client, EventRecorder, Logger, OptionalResource, Reader } from '@capstan/kube';
import type { Clock, ConditionUpdate, KubeObject, Random } from '@capstan/meta';
import type { HostedClusterInputs, HostingPlatform, HostingPlatforms, NamedBy, ReleaseView } from '@capstan/provider';
import type { ReleasePayload } from '@capstan/release';
import type { OperatorImages } from '../operator-image/images.js';
import type { SidecarInjection } from '../sidecar/sidecar.js';
import type { Turns } from '../turns/turns.js';
import { hostedClusterOwner } from './ownership.js';

/** A condition as a step finds it; when it began and for which generation is added when it is written. */
export type Finding = Omit<ConditionUpdate, 'lastTransitionTime' | 'observedGeneration'>;

/** What a reconcile of HostedClusters needs. */
export interface HostedClusterDependencies {
  readonly client: Client;
  readonly cache: HostedClusterCache;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: EventRecorder;
  readonly platforms: HostingPlatforms;
  readonly releases: ReleaseLookups;
  /** Environment of the operator: images may be named there. */
  readonly env: Readonly<Record<string, string>>;
  /** Draws keys from its own chance: for simulations alone. */
  readonly drawsKeys: boolean;
  /** Which HostedClusters are reconciled here, of all operators. */
  readonly turns: Turns;
  readonly logger: Logger;
  /** Adds the proxy to the Deployments of a control plane on private types; undefined on standard ones. */
  readonly sidecar?: SidecarInjection | undefined;
  /** Images of control plane operators, where they have to add the proxy; undefined where that is not checked. */
  readonly operatorImages?: OperatorImages | undefined;
  /** Hashes of the platform settings applied last, by HostedCluster: the same ones are not applied again. */
  readonly appliedSettings: Map<string, string>;
  /** Of the management cluster, where it has any. */
  readonly routes: Pick<OptionalResource, 'in'>;
}

/** What is read from memory, and when custom kinds are first asked for. */
export interface HostedClusterCache extends Reader {
  /** Whether the management cluster serves a kind: others must not be asked for. */
  canRead(kind: { readonly group: string; readonly plural: string }): boolean;
}

/** The objects of a HostedCluster as they were read. */
export interface Snapshot {
  /** The control plane namespace: its metadata. */
  readonly namespace?: KubeObject | undefined;
  /** While that is deleted: what in it stands for something in a cloud and has to be dealt with by hand. */
  readonly holders?: readonly string[] | undefined;
  readonly nodePools: readonly NodePool[];
  readonly components: readonly ControlPlaneComponent[];
  /** Objects in the namespace of the HostedCluster that its spec names, by `Kind name`. */
  readonly sources: ReadonlyMap<string, KubeObject>;
  /** Secrets its platform asks for. */
  readonly platformSecrets: ReadonlyMap<string, KubeObject>;
  /** Namespaces its platform asks for that are not there. */
  readonly absentNamespaces: readonly NamedBy[];
  /** An older HostedCluster with the same infraID. */
  readonly rival?: HostedCluster | undefined;
  readonly ignitionService?: KubeObject | undefined;
  /** Routes, where one is to be given a name by a router; undefined where there can be none. */
  readonly routes?: readonly KubeObject[] | undefined;
}

/** One HostedCluster while it is reconciled: each step reads what earlier ones have filled in. */
export interface State {
  readonly dependencies: HostedClusterDependencies;
  readonly converger: Converger;
  readonly signal: AbortSignal;
  /** `namespace/name`. */
  readonly owner: string;
  /** Of the control plane. */
  readonly namespace: string;
  readonly nowMs: number;
  readonly pause: Pause;
  /** As it was read; `identity` replaces it with what was written. */
  hostedCluster: HostedCluster;
  /** By `identity`; undefined when this installation has no such platform. */
  platform: HostingPlatform | undefined;
  /** By `gather`. */
  snapshot: Snapshot;
  /** By `gather`; `controlPlane` replaces it with what was written. */
  controlPlane: HostedControlPlane | undefined;
  /** By `release`: that of the control plane; undefined when it cannot be looked up now. */
  release: ReleasePayload | undefined;
  /** By `release`: that of the guest; undefined when it cannot be looked up now. */
  guestRelease: ReleasePayload | undefined;
  /** By `workloads`, as written. */
  readonly deployments: Map<string, KubeObject>;
  /** By `access`: Secrets users have, by their place in the status; undefined when nobody looked. */
  access: Access | undefined;
  /** Conditions found so far, by type. */
  readonly findings: Map<string, Finding>;
  /** Why nothing may be changed; undefined when it may. */
  blocked: string | undefined;
  /** Why a part was skipped though nothing blocks the rest; undefined when all is done. */
  incomplete: string | undefined;
  /** When to reconcile again at the latest. */
  requeueAfterMs: number | undefined;
}

/** Secrets that users have of a control plane: by their place in the status. */
export type Access = Partial<
  Record<'customKubeconfig' | 'kubeadminPassword' | 'kubeconfig', { readonly name: string }>
>;

/** Sets a condition that a step has found. */
export function setFinding(state: Pick<State, 'findings'>, finding: Finding): void {
  state.findings.set(finding.type, finding);
}

/** Reconciles again after so long at the latest. */
export function requeueAfter(state: Pick<State, 'requeueAfterMs'>, afterMs: number): void {
  state.requeueAfterMs = Math.min(state.requeueAfterMs ?? afterMs, afterMs);
}

/** Stands for a release that cannot be looked up: it has no images. */
export const UNKNOWN_RELEASE: ReleaseView = { version: '0.0.0', image: () => undefined };

/** The inputs of a platform for a HostedCluster. */
export function inputsOf(
  state: Pick<State, 'controlPlane' | 'hostedCluster' | 'namespace' | 'release' | 'snapshot'>,
): HostedClusterInputs {
  const { controlPlane, hostedCluster, namespace, release = UNKNOWN_RELEASE, snapshot } = state;
  return {
    hostedCluster,
    controlPlane,
    controlPlaneNamespace: namespace,
    infraID: hostedCluster.spec?.infraID ?? '',
    release,
    secrets: snapshot.platformSecrets,
  };
}

/** Before `gather`. */
const EMPTY_SNAPSHOT: Snapshot = {
  nodePools: [],
  components: [],
  sources: new Map(),
  platformSecrets: new Map(),
  absentNamespaces: [],
};

/** One HostedCluster before the first step. */
export function newState(
  dependencies: HostedClusterDependencies,
  hostedCluster: HostedCluster,
  signal: AbortSignal,
): State {
  const { name = '', namespace: home = '' } = hostedCluster.metadata;
  const owner = `${home}/${name}`;
  const at = controlPlaneNamespace(home, name);
  const nowMs = dependencies.clock.now();
  return {
    dependencies,
    converger: new Converger({
      client: dependencies.client,
      reader: dependencies.cache,
      owner: hostedClusterOwner(owner, at),
      signal,
    }),
    signal,
    owner,
    namespace: at,
    nowMs,
    pause: pauseOf(hostedCluster.spec?.pausedUntil, nowMs),
    hostedCluster,
    platform: dependencies.platforms.find(hostedCluster.spec?.platform.type ?? ''),
    snapshot: EMPTY_SNAPSHOT,
    controlPlane: undefined,
    release: undefined,
    guestRelease: undefined,
    deployments: new Map(),
    access: undefined,
    findings: new Map(),
    blocked: undefined,
    incomplete: undefined,
    requeueAfterMs: undefined,
  };
}

/** The error that a step ended with. */
export interface Failure {
  readonly error: unknown;
}
