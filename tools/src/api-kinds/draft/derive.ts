import type { JsonSchema } from '@capstan/api/model';

import type { PublishedCrd } from './crd-file.js';
import { schemaAt } from './crd-file.js';

/** A kind of ours that holds by itself what a kind of others embeds. */
export interface Derivation {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Where what becomes its spec is embedded: `v1beta1.spec.platform.aws`. */
  readonly spec: string;
  /** Fields of its spec that are embedded elsewhere, by name. */
  readonly borrowed?: Readonly<Record<string, string>>;
  readonly status: JsonSchema;
  /** Fields of its status that are embedded elsewhere, by name. */
  readonly borrowedStatus?: Readonly<Record<string, string>>;
  /** Embedded fields that it does not have, by their path in the spec, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
  /** Fields that it may leave out though the embedded ones may not, each with the reason. */
  readonly optional?: Readonly<Record<string, string>>;
  readonly columns: readonly Readonly<Record<string, unknown>>[];
}

/** The definition of a kind that is derived from another. */
export function deriveCrd(from: PublishedCrd, derivation: Derivation): PublishedCrd {
  const { group, version, kind, plural, columns } = derivation;
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          subresources: { status: {} },
          schema: { openAPIV3Schema: rootOf(from, derivation) },
        },
      ],
    },
  };
}

function rootOf(from: PublishedCrd, derivation: Derivation): JsonSchema {
  const spec = structuredClone(embedded(from, derivation.spec));
  for (const path of Object.keys(derivation.without ?? {})) leaveOut(spec, path, derivation.spec);
  for (const name of Object.keys(derivation.optional ?? {})) {
    if (spec.required?.includes(name) !== true) throw new Error(`${derivation.spec} does not require ${name}`);
    spec.required = spec.required.filter((each) => each !== name);
  }
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: borrow(from, spec, derivation.borrowed),
      status: borrow(from, structuredClone(derivation.status), derivation.borrowedStatus),
    },
  };
}

function leaveOut(spec: JsonSchema, path: string, where: string): void {
  const [name = '', ...above] = path.split('.').toReversed();
  const parent = above.toReversed().reduce<JsonSchema | undefined>((at, key) => at?.properties?.[key], spec);
  if (parent?.properties?.[name] === undefined) throw new Error(`${where} has no ${path} to leave out`);
  delete parent.properties[name];
  parent.required = (parent.required ?? []).filter((each) => each !== name);
}

function embedded(from: PublishedCrd, path: string): JsonSchema {
  const found = schemaAt(from, path);
  if (found === undefined) throw new Error(`${from.spec.names.kind} has nothing at ${path}`);
  return found;
}

function borrow(from: PublishedCrd, into: JsonSchema, fields: Readonly<Record<string, string>> = {}): JsonSchema {
  const borrowed = Object.entries(fields).map(([name, path]) => [name, structuredClone(embedded(from, path))] as const);
  return { ...into, properties: { ...into.properties, ...Object.fromEntries(borrowed) } };
}
