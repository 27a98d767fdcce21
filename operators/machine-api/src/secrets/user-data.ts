/** User data of machines in the two forms in which the APIs keep them. Pure. */
import { parseJson } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** A Secret, as far as it is copied. */
export interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const encode = (text: string): string => Buffer.from(text).toString('base64');

/** Ignition configurations are JSON with a version of their own; other user data are what cloud-init reads. */
function formatOf(data: string): 'ignition' | 'cloud-config' {
  try {
    const { value } = parseJson(Buffer.from(data, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null && 'ignition' in value ? 'ignition' : 'cloud-config';
  } catch {
    return 'cloud-config';
  }
}

/** As Cluster API reads them; undefined when there are none. */
export function bootstrapData({ data }: Secret): NonNullable<Secret['data']> | undefined {
  const found = data?.['userData'];
  return found === undefined ? undefined : { value: found, format: encode(formatOf(found)) };
}

/** As Machine API reads them; undefined when there are none. */
export function userData({ data }: Secret): NonNullable<Secret['data']> | undefined {
  const found = data?.['value'];
  return found === undefined ? undefined : { userData: found };
}
