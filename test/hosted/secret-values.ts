import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KubeObject } from '@capstan/meta';

type Texts = ReadonlyMap<string, string>;

/** What is drawn at random by design, and so is another in every run: tokens by their Secret, of pools by a prefix. */
const DRAWN: readonly { readonly secret: RegExp; readonly key: string; readonly values: RegExp }[] = [
  { secret: /^kas-tokens$/, key: 'tokens.csv', values: /^[^,]+/gm },
  { secret: /^kubeadmin-password$/, key: 'password', values: /^.+$/gm },
  { secret: /^token-/, key: 'token', values: /^.+$/gms },
];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[^-]+-----END (?:[A-Z]+ )?PRIVATE KEY-----\n?/g;
const PUBLIC_KEY = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----\n?/g;
/** A run of base64 long enough to be a certificate or a token, and no word. */
const ENCODED = /[A-Za-z0-9+/]{32,}={0,2}/g;

function textsOf({ data }: KubeObject): Texts {
  const entries = Object.entries((data ?? {}) as Readonly<Record<string, string>>);
  return new Map(entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]));
}

/** What of a control plane is random, and what it is called. */
interface Drawn {
  /** Names by values. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Certificates of CAs by the names of their Secrets. */
  readonly cas: ReadonlyMap<string, X509Certificate>;
}

function drawnIn(secrets: ReadonlyMap<string, Texts>): Drawn {
  const tokens = new Map<string, string>();
  const cas = new Map<string, X509Certificate>();
  for (const [name, texts] of secrets) {
    const ca = texts.has('ca.key') ? texts.get('ca.crt') : undefined;
    if (ca !== undefined) cas.set(name, new X509Certificate(ca));
    for (const { key, secret, values } of DRAWN) {
      const text = secret.test(name) ? texts.get(key) : undefined;
      for (const [at, [value]] of [...(text ?? '').matchAll(values)].entries()) tokens.set(value, `<${name} ${at}>`);
    }
  }
  return { tokens, cas };
}

/** The subject and signer of a certificate, without its number, its times and its key. */
function certificateText(pem: string, cas: Drawn['cas']): string {
  const certificate = new X509Certificate(pem);
  const { fingerprint256, keyUsage = [], subject, subjectAltName = '' } = certificate;
  const [signer] = [...cas].find(([, { publicKey }]) => certificate.verify(publicKey)) ?? ['itself'];
  if (cas.get(signer)?.fingerprint256 === fingerprint256) return `<CA ${signer}>`;
  return `<certificate of ${subject} by ${signer} for ${subjectAltName} ${keyUsage.join(' ')}>`.replaceAll('\n', ', ');
}

/** The owner of a key: the certificate in the same Secret, if it fits. */
function keyText(pem: string, siblings: Texts, cas: Drawn['cas']): string {
  const key = createPrivateKey(pem);
  const certificates = [...siblings.values()].flatMap((text) => text.match(CERTIFICATE) ?? []);
  const own = certificates.filter((each) => new X509Certificate(each).checkPrivateKey(key));
  return `<key of ${own.map((each) => certificateText(each, cas)).join(' and ')}>`;
}

function plainText(text: string, drawn: Drawn, siblings: Texts): string {
  const { cas, tokens } = drawn;
  const decoded = (encoded: string): string => {
    const inner = Buffer.from(encoded, 'base64').toString('utf8');
    const isKnown = tokens.has(inner) || inner.startsWith('-----BEGIN ');
    return isKnown ? `<base64 of ${plainText(inner, drawn, siblings)}>` : encoded;
  };
  const pems = text
    .replaceAll(CERTIFICATE, (pem) => certificateText(pem, cas))
    .replaceAll(PRIVATE_KEY, (pem) => keyText(pem, siblings, cas))
    .replaceAll(PUBLIC_KEY, '<public key>');
  const named = [...tokens].reduce((so, [value, name]) => so.replaceAll(value, name), pems);
  return named.replaceAll(ENCODED, decoded);
}

/**
 * What is in Secrets, as text that two runs can have in common: whatever was drawn goes by its name wherever it is
 * used, certificates are what they say and keys are whose they are. Everything else is as it is.
 */
export function secretValues(secrets: readonly KubeObject[]): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const all = new Map(secrets.map((secret) => [secret.metadata.name ?? '', textsOf(secret)]));
  const drawn = drawnIn(all);
  const plain = (texts: Texts): Readonly<Record<string, string>> =>
    Object.fromEntries([...texts].map(([key, text]) => [key, plainText(text, drawn, texts)]));
  return new Map([...all].map(([name, texts]) => [name, plain(texts)]));
}
