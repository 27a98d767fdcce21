import { apiErrors } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { ensure, fields, records, text } from '../../builtin/shared/json.js';
import type { Core } from '../core.js';
import type { Flow } from '../effects.js';
import { generateName } from '../identity.js';
import type { ServedResource } from '../served-resource.js';

const PODS = '/pods';
const ACCOUNTS = '/serviceaccounts';
const DEFAULT_ACCOUNT = 'default';
const MIRROR = 'kubernetes.io/config.mirror';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
/** A little over an hour, so that a token of this plug-in can be distinguished from others. */
const TOKEN_SECONDS = 3607;
/** A namespace's own account comes a moment after the namespace. */
const DEFAULT_ACCOUNT_ATTEMPTS = 10;
const RETRY_MS = 100;

function forbidden(pod: KubeObject, reason: string): Error {
  const name = pod.metadata.name || (pod.metadata.generateName ?? '');
  return apiErrors.forbidden({ group: '', resource: 'pods' }, name, reason);
}

/** The admission plug-in ServiceAccount: a pod runs under an account, and can prove it by a token in every container. */
export function* admitServiceAccount(core: Core, { storage }: ServedResource, pod: KubeObject): Flow<void> {
  if (!core.admitsServiceAccounts || storage !== PODS) return;
  const { namespace = '' } = pod.metadata;
  const spec = ensure(pod, 'spec');
  if (pod.metadata.annotations?.[MIRROR] !== undefined) {
    refuseMirror(pod, spec);
    return;
  }
  const name = text(spec['serviceAccountName']) || DEFAULT_ACCOUNT;
  const account = yield* findAccount(core, namespace, name);
  if (account === undefined) {
    const where = `${namespace}/${name}`;
    throw forbidden(pod, `error looking up service account ${where}: serviceaccount "${name}" not found`);
  }
  spec['serviceAccountName'] = name;
  // The old name of this one follows it.
  spec['serviceAccount'] = name;
  const wish = spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true;
  if (wish === true) mountToken(core, spec);
  if (records(spec['imagePullSecrets']).length === 0) copyPullSecrets(account, spec);
}

function copyPullSecrets(account: KubeObject, spec: JsonObject): void {
  const secrets = records(account['imagePullSecrets']);
  if (secrets.length > 0) spec['imagePullSecrets'] = secrets.map((secret) => ({ name: text(secret['name']) }));
}

function* findAccount(core: Core, namespace: string, name: string): Flow<KubeObject | undefined> {
  const attempts = name === DEFAULT_ACCOUNT ? DEFAULT_ACCOUNT_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt += 1) {
    const account = core.store.get(ACCOUNTS, namespace, name);
    if (account !== undefined || attempt === attempts) return account?.object();
    yield { type: 'sleep', ms: RETRY_MS + core.below(RETRY_MS) };
  }
}

/** A mirror pod, which only shows what a node runs by itself, has no permissions in the cluster. */
function refuseMirror(pod: KubeObject, spec: JsonObject): void {
  if (text(spec['serviceAccountName']) !== '') throw forbidden(pod, 'a mirror pod may not reference service accounts');
  if (namesSecret(spec)) throw forbidden(pod, 'a mirror pod may not reference secrets');
  const projections = records(spec['volumes']).flatMap((volume) => records(fields(volume['projected'])['sources']));
  if (projections.some((source) => source['serviceAccountToken'] !== undefined))
    throw forbidden(pod, 'a mirror pod may not use ServiceAccountToken volume projections');
}

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];
const SECRET_KEYS = ['secret', 'secretRef', 'secretKeyRef', 'nodePublishSecretRef'];

function namesSecret(spec: JsonObject): boolean {
  const containers = CONTAINERS.flatMap((list) => records(spec[list]));
  const places = [spec['volumes'], ...containers.flatMap(({ env, envFrom }) => [env, envFrom])];
  return records(spec['imagePullSecrets']).length > 0 || places.some(hasSecretKey);
}

function hasSecretKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return SECRET_KEYS.some((key) => fields(value)[key] != null) || Object.values(value).some(hasSecretKey);
}

function mountToken(core: Core, spec: JsonObject): void {
  const volumes = records(spec['volumes']);
  const existing = volumes.find((volume) => text(volume['name']).startsWith(VOLUME_PREFIX));
  const name = existing === undefined ? generateName(core, VOLUME_PREFIX) : text(existing['name']);
  let isMounted = false;
  for (const list of ['initContainers', 'containers']) {
    for (const container of records(spec[list])) {
      const mounts = records(container['volumeMounts']);
      // Who has something else there has chosen.
      if (mounts.some((mount) => mount['mountPath'] === MOUNT_PATH)) continue;
      container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }];
      isMounted = true;
    }
  }
  if (existing === undefined && isMounted) spec['volumes'] = [...volumes, tokenVolume(name)];
}

function tokenVolume(name: string): JsonObject {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 420,
    },
  };
}
