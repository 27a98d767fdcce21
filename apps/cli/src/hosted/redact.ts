import type { KubeObject } from '@capstan/meta';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What others may see of an object: of Secrets the keys and how long each value is, and nobody's field lists. */
export function redacted(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const shown = { ...object, metadata };
  return object.kind === 'Secret' ? withoutValues(shown) : shown;
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
