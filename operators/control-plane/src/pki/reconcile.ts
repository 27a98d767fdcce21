import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createCa, loadCa } from '@capstan/kube';
import type { CertificateAuthority } from '@capstan/kube';
import type { KubeObject, Random } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';
import { SECRETS } from '../kinds.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Remembered } from '../objects/remembered.js';
import type { Settled } from '../objects/settled.js';
import { CAS } from './certificates.table.js';
import type { CertificateRow } from './certificates.table.js';
import { decideKeys, decideLeaf, PASSWORD, planOf, SIGNING_KEY, TOKENS } from './decide.js';
import type { PkiPlan, PlanInputs } from './decide.js';
import { kubeconfigSecrets, secret, textsOf } from './kubeconfigs.js';
import { issueLeaf, RENEW_BEFORE_MS, VALID_FOR_MS } from './leaf.js';
import { newPassword, newToken, readTokens, tokenFile } from './tokens.js';
import type { Tokens } from './tokens.js';

/** What keys and certificates are made with. */
export interface PkiScope {
  readonly objects: OwnedObjects;
  readonly settled: Settled;
  readonly plans: Remembered<PkiPlan>;
  /** Names the control plane among those that are settled. */
  readonly owner: string;
  readonly nowMs: number;
  readonly random: Random;
  /** Draws keys from chance that a seed may own: for simulations alone. */
  readonly drawsKeys: boolean;
  /** The private key for tokens that the user has brought, PEM; undefined when one is to be made. */
  readonly signingKey: () => Promise<string | undefined>;
  /** What this process saw of the Secrets that cannot be generated again. */
  readonly kept: Map<string, KubeObject>;
  /** Whether clients may trust the earlier keys: then new ones are annotated. */
  readonly isInUse: boolean;
  readonly inputs: PlanInputs;
}

/** Generates what is missing of keys, certificates, tokens and kubeconfigs; returns when the next certificate is due. */
export async function reconcilePki(scope: PkiScope): Promise<number> {
  const { nowMs, objects, owner, plans, settled, inputs } = scope;
  const key = JSON.stringify({ ...inputs, serving: [...inputs.serving] });
  const { names, rows } = plans.of(owner, key, () => planOf(inputs));
  const there = (): (KubeObject | undefined)[] => names.map((name) => objects.snapshot.get(SECRETS, name));
  const until = settled.until(owner, 'pki', { key, objects: there(), nowMs });
  if (until !== undefined) return until;
  const untilMs = await ensureAll(scope, rows);
  const made = there();
  if (objects.areAsDesired(made)) settled.settle(owner, 'pki', { key, objects: made, untilMs });
  return untilMs;
}

async function ensureAll(scope: PkiScope, rows: readonly CertificateRow[]): Promise<number> {
  const { objects, random, inputs } = scope;
  const cas = new Map<string, CertificateAuthority>();
  for (const name of CAS) cas.set(name, await ensureCa(scope, name));
  await ensureSigningKey(scope);
  const tokens = await ensureTokens(scope);
  await ensureOnce(scope, PASSWORD, () => ({ password: newPassword(random.split(`${scope.owner} password`)) }));
  let untilMs = Infinity;
  for (const row of rows) {
    const ca = cas.get(row.signer);
    if (ca !== undefined) untilMs = Math.min(untilMs, await ensureLeaf(scope, row, ca));
  }
  const caPem = cas.get('root-ca')?.certPem ?? '';
  for (const wanted of kubeconfigSecrets({ ...inputs, caPem, tokens })) await objects.ensure(SECRETS, wanted);
  return untilMs;
}

/** A Secret that is created once and then kept, whatever is in it. A deleted one is restored as it was last seen. */
async function ensureOnce(
  { isInUse, kept, nowMs, objects }: PkiScope,
  name: string,
  make: () => Readonly<Record<string, string>>,
  isGood: (texts: Readonly<Record<string, string>>) => boolean = () => true,
): Promise<Readonly<Record<string, string>>> {
  const existing = objects.snapshot.get(SECRETS, name);
  const decision = decideKeys({ existing, lastSeen: kept.get(name), isInUse, nowMs });
  const wanted = (): KubeObject =>
    decision.do === 'generate'
      ? { ...secret(name, make()), metadata: { name, annotations: decision.annotations } }
      : secret(name, textsOf(decision.secret));
  const found = decision.do === 'keep' ? decision.secret : await objects.ensureExists(SECRETS, wanted);
  const texts = textsOf(found);
  if (isGood(texts)) kept.set(name, found);
  return texts;
}

function keyFrom({ drawsKeys, owner, random }: PkiScope, name: string): Random | undefined {
  return drawsKeys ? random.split(`${owner} ${name} key`) : undefined;
}

async function ensureCa(scope: PkiScope, name: string): Promise<CertificateAuthority> {
  const { nowMs, owner, random, inputs } = scope;
  const make = (): Readonly<Record<string, string>> => {
    const { certPem, keyPem } = createCa({
      commonName: `${inputs.namespace}-${name}`,
      now: nowMs,
      random: random.split(`${owner} ${name} serial`),
      keyFrom: keyFrom(scope, name),
    });
    return { 'ca.crt': certPem, 'ca.key': keyPem };
  };
  let ca: CertificateAuthority | undefined;
  let cause: unknown;
  await ensureOnce(scope, name, make, (texts) => {
    try {
      ca = loadCa({ certPem: texts['ca.crt'] ?? '', keyPem: texts['ca.key'] ?? '' });
      return true;
    } catch (error) {
      cause = error;
      return false;
    }
  });
  if (ca !== undefined) return ca;
  const at = `Secret ${inputs.namespace}/${name}`;
  const what = `${at} holds no CA (ca.crt and ca.key): restore it, or delete it to have the last good one again, or else another`;
  throw new ControlPlaneError('InvalidConfiguration', what, { cause });
}

/** The key that tokens of service accounts are signed with. */
async function ensureSigningKey(scope: PkiScope): Promise<void> {
  const isThere = scope.objects.snapshot.get(SECRETS, SIGNING_KEY) !== undefined;
  const own = isThere ? undefined : await scope.signingKey();
  // The user still has what he has brought.
  await ensureOnce(own === undefined ? scope : { ...scope, isInUse: false }, SIGNING_KEY, () => {
    const drawn = (): string =>
      createCa({ commonName: SIGNING_KEY, now: scope.nowMs, keyFrom: keyFrom(scope, SIGNING_KEY) }).keyPem;
    const keyPem = own ?? drawn();
    const publicPem = createPublicKey(createPrivateKey(keyPem)).export({ type: 'spki', format: 'pem' }).toString();
    return { 'service-account.key': keyPem, 'service-account.pub': publicPem };
  });
}

async function ensureTokens(scope: PkiScope): Promise<Tokens> {
  const { objects, owner, random } = scope;
  const fresh = (): Tokens => ({
    admin: newToken(random.split(`${owner} admin token`)),
    bootstrap: newToken(random.split(`${owner} bootstrap token`)),
  });
  const isGood = (texts: Readonly<Record<string, string>>): boolean =>
    readTokens(texts['tokens.csv'] ?? '') !== undefined;
  const texts = await ensureOnce(scope, TOKENS, () => ({ 'tokens.csv': tokenFile(fresh()) }), isGood);
  const kept = readTokens(texts['tokens.csv'] ?? '');
  if (kept !== undefined) return kept;
  const tokens = fresh();
  await objects.ensure(SECRETS, secret(TOKENS, { 'tokens.csv': tokenFile(tokens) }));
  return tokens;
}

/** Keeps or issues a certificate; returns when it is due. */
async function ensureLeaf(scope: PkiScope, row: CertificateRow, ca: CertificateAuthority): Promise<number> {
  const { nowMs, objects, owner, random } = scope;
  const existing = objects.snapshot.get(SECRETS, row.secret);
  const decision = decideLeaf(row, existing, { caPem: ca.certPem, nowMs });
  if (decision.do === 'keep') return decision.untilMs;
  const { cert, key, ca: caField } = row.keys;
  const issued = issueLeaf(row, ca, {
    nowMs,
    random: random.split(`${owner} ${row.secret} serial at ${nowMs}`),
    keyFrom: keyFrom(scope, `${row.secret} at ${nowMs}`),
  });
  const texts = {
    [cert]: issued.certPem,
    [key]: issued.keyPem,
    ...(caField === undefined ? {} : { [caField]: ca.certPem }),
  };
  const wanted = secret(row.secret, texts);
  if (existing !== undefined) await objects.ensure(SECRETS, wanted);
  else {
    const found = await objects.ensureExists(SECRETS, () => wanted);
    const isOwn = textsOf(found)[cert] === issued.certPem;
    // What the cache did not show may have to be reissued as well; that is seen the next time.
    if (!isOwn) return nowMs;
  }
  return nowMs + VALID_FOR_MS - RENEW_BEFORE_MS;
}
