import { X509Certificate } from 'node:crypto';
import { createCa, keptCa, loadCa } from './certificates.js';
import type { CertificateAuthority } from './certificates.js';
import type { KeyPair } from './options.js';

/** A serving certificate, and the CA that issues it, as they are stored. */
export interface StoredServing {
  /** Undefined: none has been issued yet. */
  readonly serving: (KeyPair & { readonly bundlePem: string }) | undefined;
  /** Undefined: an earlier version kept no key of its CA. */
  readonly ca: KeyPair | undefined;
  /** When the CA came into the bundle, in milliseconds since the epoch. */
  readonly bundledAt: number | undefined;
}

/** What is to be stored. */
export interface WantedServing {
  readonly serving: KeyPair & { readonly bundlePem: string };
  readonly ca: KeyPair;
  readonly bundledAt: number | undefined;
}

export interface ServingNames {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Reissued with a third of its time left. */
const LEFT = 1 / 3;
/** Until all clients that trust a bundle have the CA that was added to it. */
export const BUNDLE_SPREADS_MS: number = HOUR_MS;

/**
 * A serving certificate as it is to be now, so that clients with its bundle, or the one of an hour ago, trust it at any
 * moment. A CA keeps its key when its certificate is renewed: what either has issued is trusted by both. A new CA, where the
 * key of the old one was not kept, is trusted first and issues later. Returns `stored` itself where nothing is to be done.
 */
export function wantedServing(stored: StoredServing, names: ServingNames, now: number): StoredServing | WantedServing {
  const ca = caOf(stored, names, now);
  const { serving } = stored;
  if (serving === undefined)
    return { ca: pairOf(ca), serving: { ...issue(ca, names, now), bundlePem: ca.certPem }, bundledAt: undefined };
  const before = certificatesIn(serving.bundlePem);
  const bundle = withCa(before, ca, now);
  const isAdded = !before.some((pem) => isSameKey(pem, ca.certPem));
  const bundledAt = isAdded ? now : stored.bundledAt;
  const leaf = new X509Certificate(serving.certPem);
  const left = Date.parse(leaf.validTo) - now;
  const isOfCa = leaf.verify(new X509Certificate(ca.certPem).publicKey);
  const hasSpread = bundledAt === undefined || now - bundledAt >= BUNDLE_SPREADS_MS;
  const isDue = isOfCa ? left < LEFT * lifetimeOf(leaf) : hasSpread || left < BUNDLE_SPREADS_MS;
  const pair = isDue ? issue(ca, names, now) : { certPem: serving.certPem, keyPem: serving.keyPem };
  const isKept = !isDue && bundle.join('') === before.join('') && stored.ca?.certPem === ca.certPem;
  if (isKept) return stored;
  return { ca: pairOf(ca), serving: { ...pair, bundlePem: bundle.join('') }, bundledAt };
}

function caOf({ ca }: StoredServing, { commonName }: ServingNames, now: number): CertificateAuthority {
  if (ca === undefined || loadCa(ca).endsAt <= now) return createCa({ commonName: `${commonName}-ca`, now });
  return keptCa(ca, now);
}

function pairOf({ certPem, keyPem }: CertificateAuthority): KeyPair {
  return { certPem, keyPem };
}

function issue(ca: CertificateAuthority, names: ServingNames, now: number): KeyPair {
  return ca.issueServing({ commonName: names.commonName, dnsNames: names.dnsNames, now });
}

/** The CA first, then those before it that have not ended: what they have issued may still be served. */
function withCa(before: readonly string[], { certPem }: CertificateAuthority, now: number): readonly string[] {
  const others = before.filter((pem) => pem !== certPem && Date.parse(new X509Certificate(pem).validTo) > now);
  return [certPem, ...others];
}

function isSameKey(one: string, other: string): boolean {
  return new X509Certificate(one).publicKey.equals(new X509Certificate(other).publicKey);
}

function lifetimeOf({ validFrom, validTo }: X509Certificate): number {
  return Math.max(DAY_MS, Date.parse(validTo) - Date.parse(validFrom));
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** Each certificate of a bundle, PEM, with the end of its line. */
function certificatesIn(bundle: string): readonly string[] {
  return [...bundle.matchAll(CERTIFICATE)].map(([pem]) => (pem.endsWith('\n') ? pem : `${pem}\n`));
}
