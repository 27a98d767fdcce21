import { createECDH, createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { Random } from '@capstan/meta';

const SCALAR_BYTES = 32;

/** The key that service account tokens are signed with: RSA (RS256) or P-256 (ES256). */
export class SigningKey {
  readonly algorithm: 'RS256' | 'ES256';
  /** Names the key in tokens. */
  readonly id: string;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  constructor(key: KeyObject) {
    this.#private = key;
    this.#public = createPublicKey(key);
    this.algorithm = algorithmOf(key);
    const spki = this.#public.export({ type: 'spki', format: 'der' });
    this.id = createHash('sha256').update(spki).digest('base64url');
  }

  /** Reads a private key in PEM. */
  static fromPem(pem: string): SigningKey {
    return new SigningKey(createPrivateKey(pem));
  }

  /** A P-256 key of chance alone, so that a simulation has the same one each time. */
  static fromRandom(random: Random): SigningKey {
    const curve = createECDH('prime256v1');
    const scalar = random.bytes(SCALAR_BYTES);
    curve.setPrivateKey(scalar);
    const point = curve.getPublicKey();
    const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
    const [x, y] = [point.subarray(1, 1 + SCALAR_BYTES), point.subarray(1 + SCALAR_BYTES)];
    const jwk = { kty: 'EC', crv: 'P-256', d: base64(scalar), x: base64(x), y: base64(y) };
    return new SigningKey(createPrivateKey({ key: jwk, format: 'jwk' }));
  }

  sign(data: string): string {
    return sign('sha256', Buffer.from(data), { key: this.#private, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  }

  verify(data: string, signature: string): boolean {
    const key = { key: this.#public, dsaEncoding: 'ieee-p1363' } as const;
    return verify('sha256', Buffer.from(data), key, Buffer.from(signature, 'base64url'));
  }

  /** The public half as `/openid/v1/jwks` shows it. */
  jwk(): object {
    const { kty, crv, n, e, x, y } = this.#public.export({ format: 'jwk' });
    const named = { use: 'sig', kty, kid: this.id };
    return kty === 'EC' ? { ...named, crv, alg: this.algorithm, x, y } : { ...named, alg: this.algorithm, n, e };
  }
}

function algorithmOf(key: KeyObject): 'RS256' | 'ES256' {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256';
  throw new TypeError('service account tokens are signed with RSA or P-256 keys alone');
}
