/** Of this kind are CRDs. */
export const CRD_KIND = 'CustomResourceDefinition';

/** What a manifest states about itself. */
export interface Head {
  readonly kind: string;
  readonly name: string;
}

/** Kind and name of anything that stands in a file; empty where it has none. */
export function headOf(object: unknown): Head {
  const { kind, metadata } = record(object);
  return { kind: text(kind), name: text(record(metadata)['name']) };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
