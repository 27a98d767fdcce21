import type {
  ControlPlaneComponent,
  ControlPlaneVersionStatus,
  HostedControlPlane,
  HostedControlPlaneSpec,
} from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS } from '@capstan/hosting';
import type { Endpoint, PinnedReleases } from '@capstan/hosting';
import type { Client, OptionalResource } from '@capstan/kube';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import { isNotFound } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseError, ReleasePayload } from '@capstan/release';
import { reconcileComponent } from '../component/reconcile.js';
import { componentVersions } from '../control-plane-version/components.js';
import { controlPlaneVersion } from '../control-plane-version/compute.js';
import { plausible } from '../control-plane-version/plausible.js';
import { ControlPlaneError } from '../errors.js';
import { DEPLOYMENTS, SECRETS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Remembered } from '../objects/remembered.js';
import type { Settled } from '../objects/settled.js';
import type { KeptKeys } from '../pki/kept-keys.js';
import { textsOf } from '../pki/kubeconfigs.js';
import { reconcilePki } from '../pki/reconcile.js';
import type { PkiPlan } from '../pki/reconcile.js';
import { endpointsOf, ensureRoutes, ensureServices } from '../services/reconcile.js';
import type { PublishedEndpoints, PublishedRoutes } from '../services/reconcile.js';
import type { Settings } from '../settings.js';
import { apiServerPort } from '../spec.js';
import { controlPlanePlan } from './plan.js';
import type { ControlPlanePlan } from './plan.js';
import { prune } from './prune.js';
import { apiServerHosts, controlPlaneImage, platformFindings, inputsKey } from './inputs.js';

/** What all control planes are reconciled with. */
export interface Hands {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly platforms: HostingPlatforms;
  readonly releases: PinnedReleases;
  readonly settled: Settled;
  readonly plans: Remembered<ControlPlanePlan>;
  readonly pkiPlans: Remembered<PkiPlan>;
  readonly keptKeys: KeptKeys;
  readonly routes: Pick<OptionalResource, 'in'>;
  readonly settings: Settings;
  /** Draws keys from chance that a seed may own: for simulations alone. */
  readonly drawsKeys: boolean;
  /** The Secret with which images are pulled, as the cache has it. */
  readonly pullSecret: (namespace: string) => KubeObject | undefined;
}

/** One control plane in one reconciliation: what it began with, and what its steps have found. */
export interface State {
  readonly hcp: HostedControlPlane;
  readonly spec: HostedControlPlaneSpec;
  readonly objects: OwnedObjects;
  /** `namespace/name` */
  readonly key: string;
  readonly now: string;
  readonly signal: AbortSignal;
  /** Filled by `release`. */
  payload?: ReleasePayload;
  releaseError?: ReleaseError;
  /** Filled by `services`. */
  published?: PublishedEndpoints;
  routes?: PublishedRoutes | undefined;
  endpoint?: Endpoint;
  /** Filled by every step that finds something that the user has to change. */
  readonly invalid: string[];
  plan?: ControlPlanePlan;
  /** Whether `plan` may lack components because the provider has not added its own yet. */
  isPartial?: boolean;
  /** Filled by `pki`, and by `components` where a status is to be written later. */
  dueMs?: number;
  /** Filled by `components`. */
  components?: ControlPlaneComponent[];
  /** Failures that a retry may fix. */
  readonly errors: unknown[];
}

/** A step of a reconciliation. A {@link ControlPlaneError} that it throws is reported; steps that need its result do nothing. */
export type Step = (state: State, hands: Hands) => Promise<void> | void;

async function release(state: State, { pullSecret, releases }: Hands): Promise<void> {
  const { key, signal, spec } = state;
  const secret = pullSecret(state.hcp.metadata.namespace ?? '');
  const texts = secret === undefined ? {} : textsOf(secret);
  const found = await releases.lookup(key, controlPlaneImage(spec), { pullSecret: texts['.dockerconfigjson'], signal });
  if ('payload' in found) state.payload = found.payload;
  else state.releaseError = found.error;
}

async function services(state: State, { routes, settled }: Hands): Promise<void> {
  const { hcp, key: owner, objects, spec } = state;
  const { generation, uid } = hcp.metadata;
  await ensureServices({ spec, objects, settled, owner, key: `${uid ?? ''} ${generation ?? 0}` });
  const { namespace = '' } = hcp.metadata;
  state.routes = await ensureRoutes(state, () => routes.in(namespace, state.signal));
  const published = endpointsOf(spec, objects.snapshot, state.routes);
  state.published = published;
  // What was reached before stays the endpoint while its address is not shown: nothing is torn down for that.
  const endpoint = published.endpoints.APIServer ?? hcp.status?.controlPlaneEndpoint;
  if (endpoint !== undefined && endpoint.host !== '') state.endpoint = endpoint;
}

function platform(state: State, { plans, platforms, settings }: Hands): void {
  const { endpoint, hcp, key, payload, spec } = state;
  if (payload !== undefined)
    state.plan = plans.of(key, inputsKey(hcp, payload, endpoint), () =>
      controlPlanePlan(hcp, spec, { payload, endpoint, platforms, settings }),
    );
  const found = state.plan?.platform ?? platformFindings(hcp, spec, platforms);
  if ('problem' in found) state.invalid.push(found.problem);
  state.isPartial = !('components' in found);
}

async function pki(state: State, hands: Hands): Promise<void> {
  const { endpoint, hcp, key, objects, plan, published, spec } = state;
  const { name = '', namespace = '' } = hcp.metadata;
  if (endpoint === undefined) return;
  const ignition = published?.endpoints.Ignition;
  const serving = (plan?.components ?? []).flatMap(({ definition }): [string, string][] =>
    definition.servingCertificate === undefined ? [] : [[definition.name, definition.servingCertificate]],
  );
  state.dueMs = await reconcilePki({
    objects,
    settled: hands.settled,
    plans: hands.pkiPlans,
    owner: key,
    nowMs: hands.clock.now(),
    random: hands.random,
    drawsKeys: hands.drawsKeys,
    signingKey: () => signingKey(state, hands),
    kept: hands.keptKeys.of(key, hcp.metadata.uid ?? ''),
    isInUse: objects.snapshot.get(DEPLOYMENTS, 'kube-apiserver') !== undefined,
    inputs: {
      namespace,
      infraID: spec.infraID,
      endpoint,
      port: apiServerPort(spec),
      dnsName: spec.kubeAPIServerDNSName,
      apiServerHosts: apiServerHosts(spec, name, endpoint),
      ignitionHosts: ignition === undefined ? [] : [ignition.host],
      serving: new Map(serving),
    },
  });
}

/** The key that the user has brought: read once, when the first tokens are to be signed. */
async function signingKey({ hcp, signal, spec }: State, { client }: Hands): Promise<string | undefined> {
  const name = spec.serviceAccountSigningKey?.name ?? '';
  if (name === '') return undefined;
  const { namespace = '' } = hcp.metadata;
  try {
    const found = textsOf(await client.get(SECRETS, name, { namespace, signal }))['key'];
    if (found !== undefined) return found;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw new ControlPlaneError(
    'InvalidConfiguration',
    `spec.serviceAccountSigningKey names Secret ${namespace}/${name}, which has no private key under "key": create it`,
  );
}

async function components(state: State, hands: Hands): Promise<void> {
  const { endpoint, hcp, key, now, objects, payload, plan, signal } = state;
  // Without an address the certificate of the API server would be issued twice.
  if (plan === undefined || payload === undefined || endpoint === undefined) return;
  const { client, clock, settled } = hands;
  const scope = {
    client,
    objects,
    settled,
    owner: key,
    key: inputsKey(hcp, payload, endpoint),
    inputs: plan.inputs,
    generation: hcp.metadata.generation ?? 1,
    now,
    clock,
    signal,
  };
  state.components = [];
  for (const part of plan.components) {
    const { component, dueMs = Infinity, error } = await reconcileComponent(part, scope);
    state.components.push(component);
    state.dueMs = Math.min(state.dueMs ?? Infinity, dueMs);
    if (error !== undefined && !(error instanceof ControlPlaneError)) state.errors.push(error);
  }
}

async function leftovers({ components: made, isPartial, objects, plan }: State): Promise<void> {
  if (made === undefined || plan === undefined || isPartial === true) return;
  await prune(objects, plan.kept);
}

/**
 * What is made of what there is: which version, and how far its components are. Undefined when no release is known. What
 * it was before is what this process wrote last; where it has written nothing yet, what of the status is plausible.
 */
export function versionOf(
  { hcp, isPartial, now, objects, payload, plan }: State,
  written: ControlPlaneVersionStatus | undefined,
): ControlPlaneVersionStatus | undefined {
  const read = written ?? hcp.status?.controlPlaneVersion;
  if (payload === undefined) return read;
  const desired = { version: payload.version, image: payload.pullSpec };
  const created = hcp.metadata.creationTimestamp ?? now;
  return controlPlaneVersion({
    current: read === undefined ? undefined : plausible(read, { desired, created, now }),
    desired,
    generation: hcp.metadata.generation ?? 1,
    components: componentVersions({
      components: objects.snapshot.list<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS),
      parts: [...(plan?.names ?? [])],
      isPartial: isPartial !== false,
    }),
    now,
  });
}

/** The steps of a reconciliation, in their order. */
export const STEPS: readonly Step[] = [release, services, platform, pki, components, leftovers];
/** Of one that is paused: those that only look. */
export const PAUSED_STEPS: readonly Step[] = [release, platform];
