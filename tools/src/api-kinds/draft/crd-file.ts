import { readFile } from 'node:fs/promises';
import type { JsonSchema } from '@capstan/api/model';
import { parse } from 'yaml';

/** One version in a published CustomResourceDefinition. */
export interface PublishedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
  readonly additionalPrinterColumns?: readonly Readonly<Record<string, unknown>>[];
  readonly subresources?: { readonly status?: object; readonly scale?: Readonly<Record<string, string>> };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** A CustomResourceDefinition as its authors publish it. */
export interface PublishedCrd {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly kind: string;
      readonly listKind?: string;
      readonly plural: string;
      readonly singular?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly PublishedVersion[];
  };
}

/** Reads a published CustomResourceDefinition. */
export async function readCrd(path: string): Promise<PublishedCrd> {
  const crd = parse(await readFile(path, 'utf8')) as PublishedCrd & { kind?: string };
  if (crd.kind !== 'CustomResourceDefinition') throw new Error(`${path} is no CustomResourceDefinition`);
  return crd;
}

/** The value of a CRD at a path that begins with a version; lists and maps on the way are passed through. */
export function schemaAt(crd: PublishedCrd, path: string): JsonSchema | undefined {
  const [version = '', ...keys] = path.split('.');
  const root = crd.spec.versions.find((each) => each.name === version)?.schema.openAPIV3Schema;
  return keys.reduce((found, key) => elementOf(found)?.properties?.[key], root);
}

/** What a list or map holds in the end; anything else itself. */
export function elementOf(schema: JsonSchema | undefined): JsonSchema | undefined {
  const inner = schema?.items ?? schema?.additionalProperties;
  return inner === undefined ? schema : elementOf(inner);
}
