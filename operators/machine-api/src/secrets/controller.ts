/** Copies the Secrets that machines boot with, and providers reach their cloud with, between the two namespaces. */
import { contentChanged, eventSubject, performChange } from '@capstan/kube';
import type { Controller, EventRecorder, Manager, Reconcile, Request, Result } from '@capstan/kube';
import type { CredentialsCopy } from '@capstan/convert/machine-api';
import { isAlreadyExists, isConflict, isNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { MachineApiSettings } from '../config.js';
import type { Tools } from '../descriptors/descriptor.js';
import { CAPI_MACHINE_SETS, CAPI_MACHINES, INFRASTRUCTURES, SECRETS } from '../kinds.js';
import { SECRET_CONTROLLER, SYNC_FINALIZER } from '../names.js';
import { recordAt } from '../shared/model.js';
import type { Gatherer } from '../sync/gather.js';
import { decideCredentials, decideUserData } from './decide.js';
import type { SecretDecision } from './decide.js';
import type { Secret } from './user-data.js';

const STALE_MS = 1_000;
const BACKOFF = { baseMs: 500, maxMs: 30_000 };
const GATHER_MS = 20;
const USER_DATA_INDEX = 'user-data';

/** What in Cluster API names user data, and where. */
const REFERRERS = [
  { kind: CAPI_MACHINES, at: ['spec', 'bootstrap'] },
  { kind: CAPI_MACHINE_SETS, at: ['spec', 'template', 'spec', 'bootstrap'] },
];

export interface SecretWiring {
  readonly manager: Manager;
  readonly settings: MachineApiSettings;
  readonly tools: Tools;
  readonly gatherer: Gatherer;
}

/** Adds the controller; a request is the name of a Secret, which is the same in both namespaces. */
export function addSecretController(wiring: SecretWiring): void {
  const { manager, settings, tools } = wiring;
  const { clusterApi, machineApi } = settings.namespaces;
  const recorder = manager.eventRecorder(SECRET_CONTROLLER);
  const controller: Controller = manager.controller({
    name: SECRET_CONTROLLER,
    gatherMs: GATHER_MS,
    backoff: BACKOFF,
    reconcile: reconcileSecrets(wiring, recorder),
  });
  const predicates = [contentChanged];
  const requests = (names: readonly string[]): Request[] => names.map((name) => ({ namespace: clusterApi, name }));
  const credentials = (): Request[] => requests(credentialsIn(wiring).map(({ to }) => to));
  controller
    .watches(SECRETS, ({ metadata: { name = '' } }) => requests([name]), { namespace: clusterApi, predicates })
    .watches(SECRETS, ({ metadata: { name = '' } }) => [...requests([name]), ...requests(copiesOf(wiring, name))], {
      namespace: machineApi,
      predicates,
    })
    .watches(tools.clusters, credentials, { predicates })
    .watches(INFRASTRUCTURES, credentials, { predicates });
  for (const { at, kind } of REFERRERS) {
    manager.cache.addIndexer(kind, USER_DATA_INDEX, (object) => userDataNames(object, at));
    controller.watches(kind, (object) => requests(userDataNames(object, at)), { predicates });
  }
}

function userDataNames(object: JsonObject | KubeObject, at: readonly string[]): readonly string[] {
  const name = recordAt(object, ...at)['dataSecretName'];
  return typeof name === 'string' && name !== '' ? [name] : [];
}

function credentialsIn({ gatherer, tools }: SecretWiring): readonly CredentialsCopy[] {
  const cluster = gatherer.surroundings().context?.infrastructureCluster;
  return cluster === undefined ? [] : (tools.platform.credentials?.(cluster) ?? []);
}

const copiesOf = (wiring: SecretWiring, name: string): readonly string[] =>
  credentialsIn(wiring).flatMap(({ from, to }) => (from === name ? [to] : []));

/** The reconciliation of one name. */
function reconcileSecrets(wiring: SecretWiring, recorder: EventRecorder): Reconcile {
  const { client } = wiring.manager;
  return async ({ name }, { signal }): Promise<Result | undefined> => {
    const { changes, problem, subject } = decide(wiring, name);
    if (problem !== undefined && subject !== undefined)
      recorder.record(eventSubject(subject), { type: 'Warning', reason: 'CannotCopySecret', message: problem });
    try {
      for (const change of changes) await performChange(client, change, { signal });
      return undefined;
    } catch (error) {
      if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) return { requeueAfterMs: STALE_MS };
      throw error;
    }
  };
}

function decide(wiring: SecretWiring, name: string): SecretDecision & { readonly subject?: Secret | undefined } {
  const { gatherer, manager, settings } = wiring;
  const { namespaces } = settings;
  const clusterName = gatherer.surroundings().context?.clusterName;
  if (clusterName === undefined) return { changes: [] };
  const find = (namespace: string, at = name): Secret | undefined =>
    manager.cache.informer<Secret>(SECRETS, { namespace }).store.get(`${namespace}/${at}`);
  const capi = find(namespaces.clusterApi);
  const credentials = credentialsIn(wiring).find(({ to }) => to === name);
  if (credentials !== undefined) {
    const source = find(namespaces.machineApi, credentials.from);
    const from = `${namespaces.machineApi}/${credentials.from}`;
    const copy = { name, from, namespace: namespaces.clusterApi, clusterName };
    return { ...decideCredentials({ ...copy, source, existing: capi, keys: credentials.keys }), subject: source };
  }
  const mapi = find(namespaces.machineApi);
  const inputs = { name, namespaces, clusterName, mapi, capi, isReferenced: isReferenced(wiring, name) };
  return { ...decideUserData(inputs), subject: mapi ?? capi };
}

/** What has both copies has our finalizer. */
function isReferenced({ manager }: SecretWiring, name: string): boolean {
  return REFERRERS.some(({ kind }) =>
    manager.cache
      .informer(kind)
      .store.byIndex(USER_DATA_INDEX, name)
      .some(({ metadata }) => metadata.finalizers?.includes(SYNC_FINALIZER) === true),
  );
}
