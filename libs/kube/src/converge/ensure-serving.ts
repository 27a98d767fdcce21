import { ignoreNotFound, isAlreadyExists, isConflict } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { wantedServing } from '../certs/serving-secret.js';
import type { StoredServing, WantedServing } from '../certs/serving-secret.js';
import type { KeyPair } from '../certs/options.js';
import type { Client } from '../client/client.js';

/** A serving certificate: the Secret that contains it, and the Service that it is for. */
export interface ServingPlace {
  readonly namespace: string;
  readonly secret: string;
  readonly service: string;
}

export interface EnsureOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Creates nothing where there is no certificate yet. Default: creates it. */
  readonly onlyExisting?: boolean | undefined;
  /** Writes nothing. Default: no. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came of it, and the CAs by which the certificate is trusted, PEM in base64. */
export interface EnsuredServing {
  readonly outcome: 'created' | 'kept' | 'renewed';
  readonly caBundle: string;
}

type Data = Readonly<Record<string, string>>;

interface Secret extends KubeObject {
  readonly data?: Data;
}

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const BUNDLED_AT = 'capstan.dev/ca-bundled-at';
/** By which OpenShift's service CA marks the Secrets that it renews itself. */
const OF_SERVICE_CA = 'service.beta.openshift.io/originating-service-name';
const ATTEMPTS = 5;

/**
 * Creates a serving certificate of an own CA, or renews it in time. The CA is stored first: a certificate whose CA was lost
 * could not be renewed. Undefined where another controller issues the certificate, or there is none and none is wanted.
 */
export async function ensureServingSecret(
  client: Client,
  place: ServingPlace,
  options: EnsureOptions,
): Promise<EnsuredServing | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ensureOnce(client, place, options);
    } catch (error) {
      // Another replica has written meanwhile: its certificate is as good.
      if (attempt === ATTEMPTS || !(isConflict(error) || isAlreadyExists(error))) throw error;
    }
  }
}

async function ensureOnce(
  client: Client,
  { namespace, secret, service }: ServingPlace,
  { dryRun = false, now, onlyExisting = false, signal }: EnsureOptions,
): Promise<EnsuredServing | undefined> {
  const find = (name: string): Promise<Secret | undefined> =>
    client.get<Secret>(SECRETS, name, { namespace, signal }).catch(ignoreNotFound);
  const serving = await find(secret);
  if (serving === undefined ? onlyExisting : isOfOthers(serving)) return undefined;
  const ca = await find(`${secret}-ca`);
  const host = `${service}.${namespace}.svc`;
  const stored = storedOf(serving, ca);
  const wanted = wantedServing(stored, { commonName: host, dnsNames: [host, `${host}.cluster.local`] }, now);
  const caBundle = base64(wanted.serving?.bundlePem ?? '');
  if (wanted === stored) return { outcome: 'kept', caBundle };
  const write = (there: Secret | undefined, after: Secret): Promise<void> =>
    dryRun ? Promise.resolve() : store(client, there, after, signal);
  const { bundledAt, ca: caPair, serving: pair } = wanted as WantedServing;
  await write(ca, secretOf({ namespace, name: `${secret}-ca` }, dataOf(caPair)));
  const annotations = bundledAt === undefined ? {} : { [BUNDLED_AT]: String(bundledAt) };
  await write(serving, secretOf({ namespace, name: secret, annotations }, { ...dataOf(pair), 'ca.crt': caBundle }));
  return { outcome: serving === undefined ? 'created' : 'renewed', caBundle };
}

/** The service CA renews its own; of a Secret without a CA nothing is known. */
function isOfOthers({ data, metadata }: Secret): boolean {
  return data?.['ca.crt'] === undefined || metadata.annotations?.[OF_SERVICE_CA] !== undefined;
}

async function store(
  client: Client,
  there: Secret | undefined,
  { data = {}, metadata, ...rest }: Secret,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (there === undefined) {
    await client.create(SECRETS, { ...rest, metadata, data }, { signal });
    return;
  }
  if (Object.entries(data).every(([key, value]) => there.data?.[key] === value)) return;
  const annotations = { ...there.metadata.annotations, ...metadata.annotations };
  const after = { ...there, metadata: { ...there.metadata, annotations }, data: { ...there.data, ...data } };
  await client.update(SECRETS, after, { signal });
}

function secretOf(metadata: KubeObject['metadata'], data: Data): Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', data };
}

function dataOf({ certPem, keyPem }: KeyPair): Data {
  return { 'tls.crt': base64(certPem), 'tls.key': base64(keyPem) };
}

function storedOf(serving: Secret | undefined, ca: Secret | undefined): StoredServing {
  const at = Number(serving?.metadata.annotations?.[BUNDLED_AT]);
  const pair = pairOf(serving);
  return {
    serving: pair === undefined ? undefined : { ...pair, bundlePem: text(serving?.data?.['ca.crt']) },
    ca: pairOf(ca),
    bundledAt: Number.isNaN(at) ? undefined : at,
  };
}

function pairOf(secret: Secret | undefined): StoredServing['ca'] {
  const { 'tls.crt': certificate, 'tls.key': key } = secret?.data ?? {};
  return certificate === undefined || key === undefined ? undefined : { certPem: text(certificate), keyPem: text(key) };
}

const base64 = (plain: string): string => Buffer.from(plain).toString('base64');
const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString('utf8');
