import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { EventChannel, isAborted, requestFor } from '@capstan/kube';
import type { Informer, Manager, ManagerOptions, Reconcile, Request } from '@capstan/kube';
import { isConflict } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import type { CheckerSettings } from './config.js';
import { DEFINITIONS, ENDPOINT_SLICES, REQUIREMENTS, VALIDATING_WEBHOOKS } from './kinds.js';
import { CHECKER_NAME, STATIC_CONFIGURATION } from './names.js';
import { reconcileRequirement } from './requirement/reconcile.js';
import type { Requirements } from './requirement/requirements.js';
import type { WebhookAddress, WebhookConfiguration } from './webhooks/configuration.js';
import { reconcileTopology } from './topology.js';
import { ApiServers } from './webhooks/api-servers.js';
import { Installer } from './webhooks/installer.js';
import { Probe } from './webhooks/probe.js';
import { StaticWebhook } from './webhooks/static.js';

/** What the controllers are put together with. */
export interface ControllerParts {
  readonly manager: ManagerOptions;
  readonly settings: Pick<CheckerSettings, 'hasStaticWebhook' | 'reach'>;
  readonly caPem?: string | undefined;
  readonly requirements: Requirements;
  /** Where this replica takes reviews, once it does. */
  readonly url: () => Promise<string>;
  /** The way to a single API server of several. */
  readonly connect?: ((url: string) => Transport) | undefined;
}

const WORKERS = 4;

/** Adds what the leader does: configurations in force, requirements reconciled. */
export function addControllers(manager: Manager, parts: ControllerParts): void {
  const { cache, client } = manager;
  const { requirements, settings } = parts;
  const configurations = cache.informer<WebhookConfiguration>(VALIDATING_WEBHOOKS);
  const configurationOf = (name: string): WebhookConfiguration | undefined => configurations.store.get(name);
  const { connect, manager: given } = parts;
  const servers = new ApiServers({ client, clock: manager.clock, main: given.transport, connect });
  const installer = new Installer(client, new Probe(servers, manager.clock));
  const address = (): Promise<WebhookAddress> => addressOf(parts);
  const again = new EventChannel<CompatibilityRequirement>('static webhook');
  const fixed = new StaticWebhook({
    installer,
    address,
    isOn: settings.hasStaticWebhook,
    configurationOf,
    isServed: servedBy(manager, settings.reach),
    onChange: () => {
      for (const requirement of requirements.all()) again.send(requirement);
    },
  });
  watchStatic(manager, fixed);
  if ('service' in settings.reach) followTopology(manager, settings.reach.service.namespace);
  const recorder = manager.eventRecorder(CHECKER_NAME);
  const { state: definitionsChecked } = fixed;
  const reconcile = reconcileRequirement({
    client,
    clock: manager.clock,
    requirements,
    installer,
    recorder,
    address,
    configurationOf,
    definitionsChecked,
  });
  const about = ({ metadata: { name } }: KubeObject): Request[] =>
    [...requirements.all()].filter(({ status }) => status?.crdName === name).map((each) => requestFor(each));
  const named = ({ metadata: { name = '' } }: KubeObject): Request[] => {
    const requirement = requirements.get(name);
    return requirement === undefined ? [] : [requestFor(requirement)];
  };
  manager
    .controller({ name: 'requirements', maxConcurrent: WORKERS, reconcile: untilStopped(reconcile) })
    .for(REQUIREMENTS)
    .watches(DEFINITIONS, about, { metadataOnly: true })
    .watches(VALIDATING_WEBHOOKS, named)
    .from(again, (requirement) => [requestFor(requirement)]);
}

/** When a cache that is behind what this program has written itself has caught up. */
const BEHIND_MS = 50;

/** What the end of the program cuts short has not failed, nor has what only came too early. */
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

const STATIC_REQUEST: Request = { namespace: '', name: STATIC_CONFIGURATION };

/** Looks at the configuration at the start, and whenever it changes or is gone. */
function watchStatic(manager: Manager, fixed: StaticWebhook): void {
  const start = new EventChannel('start');
  start.send({ apiVersion: 'v1', kind: 'Start', metadata: { name: STATIC_CONFIGURATION } });
  manager
    .controller({ name: 'static-webhook', reconcile: untilStopped(fixed.reconcile) })
    .watches(VALIDATING_WEBHOOKS, ({ metadata }) => (metadata.name === STATIC_CONFIGURATION ? [STATIC_REQUEST] : []))
    .from(start, () => [STATIC_REQUEST]);
}

/** Looks how the cluster is laid out, at the start and from time to time. */
function followTopology(manager: Manager, namespace: string): void {
  const start = new EventChannel('start');
  start.send({ apiVersion: 'v1', kind: 'Start', metadata: { name: CHECKER_NAME } });
  manager
    .controller({ name: 'topology', reconcile: untilStopped(reconcileTopology(manager.client, namespace)) })
    .from(start, () => [{ namespace: '', name: CHECKER_NAME }]);
}

async function addressOf({ caPem, settings: { reach }, url }: ControllerParts): Promise<WebhookAddress> {
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
