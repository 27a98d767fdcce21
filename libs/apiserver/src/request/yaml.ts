import { parse, stringify } from 'yaml';

/** YAML 1.1 as Kubernetes reads it: `yes` is true, times stay texts. */
export function readYaml(text: string): unknown {
  return parse(text, { version: '1.1', intAsBigInt: false, maxAliasCount: 100 }) as unknown;
}

/** A value as YAML. */
export function writeYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}
