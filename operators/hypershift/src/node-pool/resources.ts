import type { KubeObject } from '@capstan/meta';

/** A Secret as the server keeps it: values in base64. */
export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The key of a Secret with which images are pulled. */
export const PULL_SECRET_KEY = '.dockerconfigjson';

/** The text of a key of a Secret. */
export function secretText(secret: Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
}

/** A value as a Secret keeps it. */
export function secretValue(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Whether an object is being deleted. */
export function isDeleting({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.deletionTimestamp != null;
}
