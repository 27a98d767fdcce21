import { goQuote } from '@capstan/meta';
import type { Clock, KubeObject, Random, UserInfo } from '@capstan/meta';
import type { Store } from '../store/index.js';
import { AUTHENTICATED, serviceAccountGroups } from './impersonation.js';
import { goQuotedList } from './rules.js';
import { SigningKey } from './signing-key.js';

/** An object a token is bound to, or the account it is of. */
export interface Referred {
  readonly name: string;
  readonly uid: string;
}

/** The claims of a token about its account. */
export interface PrivateClaims {
  readonly namespace: string;
  readonly node?: Referred;
  readonly pod?: Referred;
  readonly secret?: Referred;
  readonly serviceaccount: Referred;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': PrivateClaims;
  readonly nbf: number;
  readonly sub: string;
}

/** How tokens are made and what is asked of them. */
export interface ServiceAccountOptions {
  /** Defaults to `https://kubernetes.default.svc`. */
  readonly issuer?: string;
  /** The audiences of which a token must name one; the issuer by default. */
  readonly audiences?: readonly string[];
  /** A private key in PEM, RSA or P-256; a random one by default. */
  readonly signingKey?: string;
  /** Gives pods an account and its token, and refuses those whose account does not exist. Off by default. */
  readonly admission?: boolean;
}

/** A token that holds, or why it does not. */
export type Verified = { readonly user: UserInfo; readonly audiences: readonly string[] } | { readonly error: string };

interface TokenParts extends ServiceAccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

const DEFAULT_ISSUER = 'https://kubernetes.default.svc';
/** Clocks differ a little. */
const LEEWAY_SECONDS = 60;
const MAX_REMEMBERED = 1_000;
const BOUND = [
  ['pod', '/pods'],
  ['secret', '/secrets'],
  ['node', '/nodes'],
] as const;

/** Issues and checks the tokens of service accounts. */
export class ServiceAccountTokens {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #parts: TokenParts;
  #key: SigningKey | undefined;
  /** Tokens whose signatures were found good; everything that can change is checked each time. */
  readonly #signed = new Map<string, Claims>();

  constructor(parts: TokenParts) {
    this.#parts = parts;
    this.issuer = parts.issuer ?? DEFAULT_ISSUER;
    this.audiences = parts.audiences ?? [this.issuer];
    if (parts.signingKey !== undefined) this.#key = SigningKey.fromPem(parts.signingKey);
  }

  /** The key, made when first needed. */
  get key(): SigningKey {
    return (this.#key ??= SigningKey.fromRandom(this.#parts.random.split('service-account-key')));
  }

  /** A new token and the second it expires. */
  issue(wanted: {
    readonly id: string;
    readonly audiences: readonly string[];
    readonly seconds: number;
    readonly claims: PrivateClaims;
  }): { token: string; expires: number } {
    const { id, audiences, seconds, claims } = wanted;
    const now = this.#now();
    const body: Claims = {
      aud: audiences,
      exp: now + seconds,
      iat: now,
      iss: this.issuer,
      jti: id,
      'kubernetes.io': claims,
      nbf: now,
      sub: `system:serviceaccount:${claims.namespace}:${claims.serviceaccount.name}`,
    };
    const data = `${encode({ alg: this.key.algorithm, kid: this.key.id })}.${encode(body)}`;
    return { token: `${data}.${this.key.sign(data)}`, expires: body.exp };
  }

  /** Whose token it is. Undefined: not one of this issuer at all. */
  verify(token: string, audiences: readonly string[] = this.audiences): Verified | undefined {
    const claims = this.#claimsOf(token);
    if (claims === undefined) return undefined;
    if (typeof claims === 'string') return { error: claims };
    const shared = claims.aud.filter((audience) => audiences.includes(audience));
    if (shared.length === 0) {
      const [own, target] = [goQuotedList(claims.aud), goQuotedList(audiences)];
      return { error: `token audiences ${own} is invalid for the target audiences ${target}` };
    }
    const error = this.#outdated(claims) ?? this.#unfounded(claims['kubernetes.io']);
    return error === undefined ? { user: userOf(claims), audiences: shared } : { error };
  }

  #claimsOf(token: string): Claims | string | undefined {
    const known = this.#signed.get(token);
    if (known !== undefined) return known;
    const [head = '', body = '', signature = '', ...rest] = token.split('.');
    if (signature === '' || rest.length > 0) return undefined;
    const header = decode(head);
    const claims = decode(body);
    if (header === undefined || claims === undefined || claims['iss'] !== this.issuer) return undefined;
    // The algorithm is the key's, whatever the token would like.
    const isMeant = header['alg'] === this.key.algorithm && (header['kid'] ?? this.key.id) === this.key.id;
    if (!isMeant || !this.key.verify(`${head}.${body}`, signature) || !isClaims(claims))
      return 'failed to validate token';
    if (this.#signed.size >= MAX_REMEMBERED) this.#signed.clear();
    this.#signed.set(token, claims);
    return claims;
  }

  #outdated({ exp, nbf }: Claims): string | undefined {
    const now = this.#now();
    if (now - LEEWAY_SECONDS > exp) return 'service account token has expired';
    return now + LEEWAY_SECONDS < nbf ? 'service account token is not valid yet' : undefined;
  }

  /** What the token refers to must still be there and be the same. */
  #unfounded(claims: PrivateClaims): string | undefined {
    const { namespace, serviceaccount } = claims;
    const account = this.#parts.store.get('/serviceaccounts', namespace, serviceaccount.name)?.object();
    if (account === undefined) return `serviceaccounts ${goQuote(serviceaccount.name)} not found`;
    if (this.#isGone(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    if (account.metadata.uid !== serviceaccount.uid)
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`;
    for (const [key, resource] of BOUND) {
      const ref = claims[key];
      // The node of a pod is recorded, not relied on.
      if (ref === undefined || (key === 'node' && claims.pod !== undefined)) continue;
      const bound = this.#parts.store.get(resource, key === 'node' ? '' : namespace, ref.name)?.object();
      if (bound === undefined || this.#isGone(bound)) return 'service account token has been invalidated';
      if (bound.metadata.uid !== ref.uid)
        return `${key} UID (${bound.metadata.uid}) does not match service account ${key} ref claim (${ref.uid})`;
    }
    return undefined;
  }

  #isGone({ metadata: { deletionTimestamp } }: KubeObject): boolean {
    return deletionTimestamp != null && Date.parse(deletionTimestamp) / 1000 + LEEWAY_SECONDS < this.#now();
  }

  #now(): number {
    return Math.floor(this.#parts.clock.now() / 1000);
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Only what this server signed comes here, but a key may have been used elsewhere too. */
function isClaims(value: Record<string, unknown>): value is Record<string, unknown> & Claims {
  const { aud, exp, nbf, sub, 'kubernetes.io': own } = value as Partial<Claims>;
  return (
    Array.isArray(aud) &&
    typeof exp === 'number' &&
    typeof nbf === 'number' &&
    typeof own?.namespace === 'string' &&
    typeof own.serviceaccount?.name === 'string' &&
    typeof own.serviceaccount.uid === 'string' &&
    sub === `system:serviceaccount:${own.namespace}:${own.serviceaccount.name}`
  );
}

function userOf({ jti, sub, 'kubernetes.io': claims }: Claims): UserInfo {
  const { namespace, serviceaccount, pod, node } = claims;
  const extra: Record<string, readonly string[]> = { 'authentication.kubernetes.io/credential-id': [`JTI=${jti}`] };
  for (const [kind, ref] of [
    ['node', node],
    ['pod', pod],
  ] as const) {
    if (ref === undefined) continue;
    extra[`authentication.kubernetes.io/${kind}-name`] = [ref.name];
    extra[`authentication.kubernetes.io/${kind}-uid`] = [ref.uid];
  }
  const groups = [...serviceAccountGroups(namespace), AUTHENTICATED];
  return { username: sub, uid: serviceaccount.uid, groups, extra };
}
