import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificateAuthority } from '@capstan/kube';
import type { Random } from '@capstan/meta';
import { alternativeNames } from './certificates.table.js';
import type { CertificateRow } from './certificates.table.js';

const DAY_MS = 86_400_000;
/** How long a certificate is good for. */
export const VALID_FOR_MS: number = 365 * DAY_MS;
/** A certificate is reissued so long before it ends. */
export const RENEW_BEFORE_MS: number = 30 * DAY_MS;

/** Whether a kept certificate will do. */
export type LeafState = { readonly goodUntilMs: number } | { readonly reissue: string };

/** Checks the certificate in a Secret, whose values are PEM. */
export function checkLeaf(
  row: CertificateRow,
  data: Readonly<Record<string, string>>,
  { caPem, nowMs }: { readonly caPem: string; readonly nowMs: number },
): LeafState {
  const certificate = parsed(data[row.keys.cert]);
  if (certificate === undefined || (data[row.keys.key] ?? '') === '') return { reissue: 'it cannot be read' };
  const ca = new X509Certificate(caPem);
  if (!certificate.checkIssued(ca) || !certificate.verify(ca.publicKey)) return { reissue: 'its CA is another one' };
  const names = namesOf(certificate);
  const missing = row.hosts.filter((host) => !names.has(canonicalHost(host)));
  if (missing.length > 0) return { reissue: `it is not good for ${missing.join(', ')}` };
  const goodUntilMs = Date.parse(certificate.validTo) - RENEW_BEFORE_MS;
  return goodUntilMs > nowMs ? { goodUntilMs } : { reissue: 'it ends soon' };
}

function parsed(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function namesOf({ subjectAltName }: X509Certificate): ReadonlySet<string> {
  const entries = (subjectAltName ?? '').split(', ').map((entry) => entry.replace(/^(?:DNS|IP Address):/, ''));
  return new Set(entries.map(canonicalHost));
}

/** Node writes IPv6 addresses in full, people do not. */
function canonicalHost(host: string): string {
  return isIP(host) === 6 ? new URL(`http://[${host}]`).hostname : host;
}

/** A certificate and its key, both PEM. */
export function issueLeaf(
  { commonName, groups, hosts, usages }: CertificateRow,
  ca: CertificateAuthority,
  { keyFrom, nowMs, random }: { readonly nowMs: number; readonly random: Random; readonly keyFrom: Random | undefined },
): { readonly certPem: string; readonly keyPem: string } {
  const names = alternativeNames(hosts);
  const made = { now: nowMs, random, keyFrom, validForMs: VALID_FOR_MS };
  return ca.issue({ commonName, organizations: groups, ...names, usages, ...made });
}
