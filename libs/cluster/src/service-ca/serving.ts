import { createPrivateKey, X509Certificate } from 'node:crypto';
import { formatTime } from '@capstan/meta';
import type { KubeObject, Random } from '@capstan/meta';
import type { CertificateAuthority } from '@capstan/kube';
import { timeMs } from '../workload/pods.js';

export const SECRET_NAME = 'service.beta.openshift.io/serving-cert-secret-name';
export const SIGNED_BY = 'service.beta.openshift.io/serving-cert-signed-by';
export const SIGNING_ERROR = 'service.beta.openshift.io/serving-cert-generation-error';
const SERVICE_NAME = 'service.beta.openshift.io/originating-service-name';
const SERVICE_UID = 'service.beta.openshift.io/originating-service-uid';
const EXPIRY = 'service.beta.openshift.io/expiry';

const HOUR_MS = 3_600_000;
const VALID_FOR_MS = 2 * 365 * 24 * HOUR_MS;
/** A certificate with less time left is made again. */
const MIN_LEFT_MS = HOUR_MS;

export interface Service extends KubeObject {
  spec?: { clusterIP?: string };
}

export interface Secret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
}

/** The secret a service wants its certificate in; undefined when it wants none. */
export function wantedSecret({ metadata }: Service): string | undefined {
  return metadata.annotations?.[SECRET_NAME] || undefined;
}

/** The service a serving secret was made for. */
export function originOf({ metadata }: Secret): string | undefined {
  return metadata.annotations?.[SERVICE_NAME];
}

/** Whether the annotations of a secret name a service it was created for. */
export function isForService({ metadata }: Secret): boolean {
  const annotations = metadata.annotations ?? {};
  return annotations[SERVICE_NAME] !== undefined || annotations[SERVICE_UID] !== undefined;
}

/** The names clients dial a service by; one without an address of its own is dialled pod by pod. */
export function servingNames({ metadata, spec }: Service): string[] {
  const host = `${metadata.name ?? ''}.${metadata.namespace ?? ''}.svc`;
  const names = [host, `${host}.cluster.local`];
  return spec?.clusterIP === 'None' ? [...names, ...names.map((name) => `*.${name}`)] : names;
}

function belongsTo(secret: Secret, service: Service): boolean {
  return secret.metadata.annotations?.[SERVICE_UID] === service.metadata.uid;
}

/** Why a secret cannot serve as the service's; undefined when it can. */
export function refusal(secret: Secret, service: Service): string | undefined {
  if (belongsTo(secret, service)) return undefined;
  const { name, namespace } = secret.metadata;
  const found = secret.metadata.annotations?.[SERVICE_UID] ?? '';
  return `secret ${namespace}/${name} does not have corresponding service UID ${service.metadata.uid}, has ${JSON.stringify(found)}`;
}

/** Whether the certificate of a secret is the service's, by this CA, and will last a while. */
export function isGood(secret: Secret, service: Service, ca: CertificateAuthority, nowMs: number): boolean {
  const expiry = secret.metadata.annotations?.[EXPIRY];
  if (expiry === undefined || timeMs(expiry) - nowMs < MIN_LEFT_MS) return false;
  try {
    return fits(secret, service, ca);
  } catch {
    // Not even a certificate.
    return false;
  }
}

function fits({ data = {} }: Secret, service: Service, ca: CertificateAuthority): boolean {
  const certificate = new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
  const key = createPrivateKey(Buffer.from(data['tls.key'] ?? '', 'base64'));
  const issuer = new X509Certificate(ca.certPem);
  const isSigned = certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  const subjectNames = new Set((certificate.subjectAltName ?? '').split(', '));
  const isNamed = servingNames(service).every((name) => subjectNames.has(`DNS:${name}`));
  return isSigned && isNamed && certificate.checkPrivateKey(key);
}

export interface IssueOptions {
  readonly ca: CertificateAuthority;
  readonly nowMs: number;
  readonly random: Random;
}

/** A fresh secret for a service; what another put into an existing one stays. */
export function makeSecret(service: Service, existing: Secret | undefined, options: IssueOptions): Secret {
  const { ca, nowMs, random } = options;
  const { name = '', namespace = '', uid = '' } = service.metadata;
  const dnsNames = servingNames(service);
  const pair = ca.issueServing({
    commonName: dnsNames[0] ?? '',
    dnsNames,
    now: nowMs,
    validForMs: VALID_FOR_MS,
    random,
  });
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const owner = { apiVersion: 'v1', kind: 'Service', name, uid };
  const others = (existing?.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
  return {
    ...existing,
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...existing?.metadata,
      name: wantedSecret(service) ?? '',
      namespace,
      annotations: {
        ...existing?.metadata.annotations,
        [SERVICE_NAME]: name,
        [SERVICE_UID]: uid,
        [EXPIRY]: formatTime(nowMs + VALID_FOR_MS),
      },
      ownerReferences: [...others, owner],
    },
    type: 'kubernetes.io/tls',
    data: {
      ...existing?.data,
      'tls.crt': encoded(`${pair.certPem.trimEnd()}\n${ca.certPem}`),
      'tls.key': encoded(pair.keyPem),
    },
  };
}
