import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCa } from './certificates.js';
import { wantedServing } from './serving-secret.js';
import type { StoredServing } from './serving-secret.js';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const NAMES = { commonName: 'shim.hypershift.svc', dnsNames: ['shim.hypershift.svc'] };
const NOTHING: StoredServing = { serving: undefined, ca: undefined, bundledAt: undefined };

/** As a client that has a bundle finds the certificate of a server. */
function isTrusted(certPem: string, bundlePem: string, now: number): boolean {
  const leaf = new X509Certificate(certPem);
  const isValid = (each: X509Certificate): boolean =>
    Date.parse(each.validFrom) <= now && now < Date.parse(each.validTo);
  const cas = bundlePem.split(/(?<=-----END CERTIFICATE-----\n)/).filter((pem) => pem.trim() !== '');
  return (
    isValid(leaf) &&
    cas
      .map((pem) => new X509Certificate(pem))
      .some((ca) => isValid(ca) && leaf.checkIssued(ca) && leaf.verify(ca.publicKey))
  );
}

/** Looks now and then for years; gives how often each changed. At every look, clients have the bundle of the look before. */
function live(first: StoredServing, { everyMs, years }: { readonly everyMs: number; readonly years: number }) {
  let stored = first;
  let trusted = first.serving?.bundlePem;
  const changes = { leaf: 0, ca: 0 };
  for (let now = START; now < START + years * YEAR_MS; now += everyMs) {
    const next = wantedServing(stored, NAMES, now);
    if (next.serving === undefined) throw new TypeError('nothing was issued');
    if (next.serving.certPem !== stored.serving?.certPem) changes.leaf += 1;
    if (next.ca?.certPem !== stored.ca?.certPem) changes.ca += 1;
    for (const bundle of [trusted ?? next.serving.bundlePem, next.serving.bundlePem])
      expect([new Date(now).toISOString(), isTrusted(next.serving.certPem, bundle, now)]).toEqual([
        new Date(now).toISOString(),
        true,
      ]);
    // Which a server that has not read it again still serves.
    if (stored.serving !== undefined) expect(isTrusted(stored.serving.certPem, next.serving.bundlePem, now)).toBe(true);
    trusted = next.serving.bundlePem;
    stored = next;
  }
  return changes;
}

describe('A serving certificate of an own CA', () => {
  it('is trusted at every moment of thirty years, also by clients that have the bundle from before', () => {
    const changes = live(NOTHING, { everyMs: 21 * 24 * HOUR_MS, years: 30 });
    expect(changes.leaf).toBeGreaterThan(40);
    expect(changes.ca).toBeGreaterThan(2);
  });

  it('is issued by a new CA only once that is trusted, where the key of the old one was not kept', () => {
    const old = createCa({ commonName: 'old', now: START - 100 * 24 * HOUR_MS });
    const pair = old.issueServing({ ...NAMES, now: START - 100 * 24 * HOUR_MS });
    const first = { ...NOTHING, serving: { ...pair, bundlePem: old.certPem } };
    const added = wantedServing(first, NAMES, START);
    expect(added.serving?.certPem).toBe(pair.certPem);
    expect(added.serving?.bundlePem.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(wantedServing(added, NAMES, START + HOUR_MS - 1)).toBe(added);
    expect(wantedServing(added, NAMES, START + HOUR_MS).serving?.certPem).not.toBe(pair.certPem);
    expect(live(first, { everyMs: HOUR_MS, years: 0.01 })).toEqual({ leaf: 1, ca: 1 });
    expect(live(first, { everyMs: 7 * 24 * HOUR_MS, years: 2 })).toEqual({ leaf: 3, ca: 1 });
  });

  it('is issued at once where the one that is there has ended', () => {
    const old = createCa({ commonName: 'old', now: START - 2 * YEAR_MS });
    const pair = old.issueServing({ ...NAMES, now: START - 2 * YEAR_MS });
    const next = wantedServing({ ...NOTHING, serving: { ...pair, bundlePem: old.certPem } }, NAMES, START);
    expect(isTrusted(next.serving?.certPem ?? '', next.serving?.bundlePem ?? '', START)).toBe(true);
  });

  it('is left alone while there is time', () => {
    const stored = wantedServing(NOTHING, NAMES, START);
    expect(wantedServing(stored, NAMES, START + 0.6 * YEAR_MS)).toBe(stored);
    expect(wantedServing(stored, NAMES, START + 0.7 * YEAR_MS)).not.toBe(stored);
  });
});
