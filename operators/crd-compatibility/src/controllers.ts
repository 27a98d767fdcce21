import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { EventChannel, isAborted } from '@capstan/kube';
import type { Informer, Manager, ManagerOptions, Reconcile } from '@capstan/kube';
import { isConflict } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import type { CheckerSettings } from './config.js';
import { ENDPOINT_SLICES, VALIDATING_WEBHOOKS } from './kinds.js';
import { CHECKER_NAME } from './names.js';
import { watchRequirements } from './requirement/controller.js';
import { reconcileRequirement } from './requirement/reconcile.js';
import type { Requirements } from './requirement-cache/requirements.js';
import type { WebhookAddress, WebhookConfiguration } from './webhooks/configuration.js';
import { watchTopology } from './topology/controller.js';
import { reconcileTopology } from './topology/reconcile.js';
import { ApiServers } from './webhooks/api-servers.js';
import { Installer } from './webhooks/installer.js';
import { Probe } from './webhooks/probe.js';
import { watchStaticWebhook } from './static-webhook/controller.js';
import { reconcileStaticWebhook } from './static-webhook/reconcile.js';
import { enforcementStatus } from './static-webhook/status.js';

/** The dependencies and settings of the controllers. */
export interface ControllerOptions {
  readonly manager: ManagerOptions;
  readonly settings: Pick<CheckerSettings, 'hasStaticWebhook' | 'reach'>;
  readonly caPem?: string | undefined;
  readonly requirements: Requirements;
  /** Where this replica takes reviews, once it does. */
  readonly url: () => Promise<string>;
  /** The way to a single API server of several. */
  readonly connect?: ((url: string) => Transport) | undefined;
}

/** Adds the controllers that the leader runs. */
export function addControllers(manager: Manager, parts: ControllerOptions): void {
  const { cache, client } = manager;
  const { requirements, settings } = parts;
  const configurations = cache.informer<WebhookConfiguration>(VALIDATING_WEBHOOKS);
  const configurationOf = (name: string): WebhookConfiguration | undefined => configurations.store.get(name);
  const { connect, manager: given } = parts;
  const servers = new ApiServers({ client, clock: manager.clock, main: given.transport, connect });
  const installer = new Installer(client, new Probe(servers, manager.clock));
  const address = (): Promise<WebhookAddress> => addressOf(parts);
  const changes = new EventChannel<CompatibilityRequirement>('static webhook');
  const isOn = settings.hasStaticWebhook;
  const status = enforcementStatus(isOn ? 'pending' : 'off', () => {
    for (const requirement of requirements.all()) changes.send(requirement);
  });
  const isServed = servedBy(manager, settings.reach);
  const keepWebhook = reconcileStaticWebhook({ installer, address, isOn, configurationOf, isServed, status });
  watchStaticWebhook(manager, untilStopped(keepWebhook));
  const { reach } = settings;
  if ('service' in reach) watchTopology(manager, untilStopped(reconcileTopology(client, reach.service.namespace)));
  const reconcile = reconcileRequirement({
    client,
    clock: manager.clock,
    requirements,
    installer,
    recorder: manager.eventRecorder(CHECKER_NAME),
    address,
    configurationOf,
    definitionsChecked: status.current,
  });
  watchRequirements(manager, untilStopped(reconcile), { requirements, changes });
}

/** When the cache has caught up with our own writes. */
const BEHIND_MS = 50;

/** A reconcile that a stop interrupted has not failed, nor has one that read a stale cache. */
function untilStopped(reconcile: Reconcile): Reconcile {
  return async (request, context) => {
    try {
      return await reconcile(request, context);
    } catch (error) {
      if (context.signal.aborted && isAborted(error)) return undefined;
      if (isConflict(error)) return { requeueAfterMs: BEHIND_MS };
      throw error;
    }
  };
}

async function addressOf({ caPem, settings: { reach }, url }: ControllerOptions): Promise<WebhookAddress> {
  const at = 'service' in reach ? reach : { url: reach.url ?? (await url()) };
  return { at, caPem };
}

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[] | null;
}

/** Whether a pod is ready behind the Service; without one it is this program itself that serves. */
function servedBy({ cache }: Manager, reach: CheckerSettings['reach']): () => boolean {
  if (!('service' in reach)) return () => true;
  const { name, namespace } = reach.service;
  const labelSelector = `kubernetes.io/service-name=${name}`;
  const slices: Informer<EndpointSlice> = cache.informer(ENDPOINT_SLICES, { namespace, labelSelector });
  return () =>
    [...slices.store.list()].some(({ endpoints }) => endpoints?.some(({ conditions }) => conditions?.ready !== false));
}
