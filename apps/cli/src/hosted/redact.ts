import type { KubeObject } from '@capstan/meta';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const HIDDEN = 'redacted';

/** What others may see of an object: of Secrets the keys and how long each value is, and nobody's field lists. */
export function redacted(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const shown = { ...object, metadata };
  return redactedValue(object.kind === 'Secret' ? withoutValues(shown) : shown) as KubeObject;
}

function withoutValues(secret: KubeObject): KubeObject {
  // What was applied is written there whole.
  const { [LAST_APPLIED]: _, ...annotations } = secret.metadata.annotations ?? {};
  const metadata = { ...secret.metadata, ...(secret.metadata.annotations === undefined ? {} : { annotations }) };
  return {
    ...secret,
    metadata,
    ...blankedField(secret, 'data', (text) => Buffer.from(text, 'base64').length),
    ...blankedField(secret, 'stringData', (text) => Buffer.from(text, 'utf8').length),
  };
}

function blankedField(secret: KubeObject, field: string, bytesOf: (text: string) => number): Record<string, unknown> {
  const values = secret[field];
  if (typeof values !== 'object' || values === null) return {};
  const blanked = Object.entries(values).map(([key, value]) => [key, `redacted, ${bytesOf(String(value))} bytes`]);
  return { [field]: Object.fromEntries(blanked) as unknown };
}

/*
 * Credentials turn up in what is no Secret: kubeconfigs in ConfigMaps and annotations, tokens in status and logs, keys in
 * user data. They are found by how they look. Every repetition below is bounded, so that a log cannot be written that
 * takes long to read.
 */

/** Fields that hold a credential wherever they are: in an object, and in JSON or YAML within a text. */
const FIELDS = [
  'access_?-?token',
  'auth',
  'bearer_?-?token',
  'client-key-data',
  'client_?-?secret',
  'id-token',
  'pass(?:word|wd)',
  'refresh_?-?token',
  'secret_?-?access_?-?key',
  'token',
].join('|');
const FIELD = new RegExp(`^(?:${FIELDS})$`, 'i');
/** Of a container: `env: [{ name: DB_PASSWORD, value: … }]`. */
const VARIABLE = /(?:PASSWORD|PASSWD|TOKEN|SECRET|ACCESS_KEY|PRIVATE_KEY)$/i;
const MAX_VALUE = 16_384;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN ([A-Z ]{0,32}PRIVATE KEY)-----[^-]{0,16384}(?:-----END \1-----)?/g, `-----${HIDDEN} $1-----`],
  // A JWT, as the tokens of service accounts are.
  [/(?<![\w-])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8,4096}/g, `${HIDDEN} token`],
  [/(?<![\w-])(bearer|basic) +[\w.~+/=-]{8,16384}/gi, `$1 ${HIDDEN}`],
  // The tokens that OpenShift gives users.
  [/(?<![\w-])sha256~[\w-]{20,128}/g, `${HIDDEN} token`],
  // In JSON, in JSON within JSON, and in YAML: the value up to the end of the string or of the line.
  [
    new RegExp(
      `((?<![\\w-])(?:${FIELDS})(?:\\\\{0,4}["'])? {0,8}: {0,8})(?:\\\\{0,4}["'])[^"'\\\\\\n]{1,${MAX_VALUE}}`,
      'gi',
    ),
    `$1"${HIDDEN}`,
  ],
  [new RegExp(`((?<![\\w-])(?:${FIELDS}): {1,8})[^\\s"'{}\\[\\],\\\\]{1,${MAX_VALUE}}`, 'gi'), `$1${HIDDEN}`],
  // On a command line.
  [new RegExp(`(--(?:${FIELDS})[= ])[^\\s"',\\]]{1,${MAX_VALUE}}`, 'gi'), `$1${HIDDEN}`],
];
/** Shorter texts are names and hashes; there is no room for a credential in an encoded document. */
const LEAST_ENCODED = 64;
const BASE64 = /^[A-Za-z0-9+/\r\n]{64,}={0,2}\s?$/;

/** A text without the credentials in it. */
export function redactedText(text: string): string {
  if (text.length >= LEAST_ENCODED && BASE64.test(text)) {
    const decoded = Buffer.from(text, 'base64');
    const inside = decoded.toString('utf8');
    if (redactedText(inside) !== inside) return `${HIDDEN}, ${decoded.length} bytes`;
  }
  let shown = text;
  for (const [pattern, replacement] of PATTERNS) shown = shown.replace(pattern, replacement);
  return shown;
}

function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value);
  if (Array.isArray(value)) return value.map(redactedValue);
  if (typeof value !== 'object' || value === null) return value;
  const isVariable = 'name' in value && typeof value.name === 'string' && VARIABLE.test(value.name);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const isCredential =
        typeof each === 'string' && each !== '' && (FIELD.test(key) || (isVariable && key === 'value'));
      return [key, isCredential ? HIDDEN : redactedValue(each)];
    }),
  );
}
