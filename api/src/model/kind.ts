import { UnknownVersion } from './errors.js';
import type { ObjectMeta } from './object-meta.js';
import type { Flat, Infer, Schema } from './schema.js';

declare const versionTypes: unique symbol;

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly format?: string;
  readonly priority?: number;
  readonly description?: string;
}

/** Where a scale subresource finds its numbers. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One version of a kind. */
export interface KindVersion<N extends string = string> {
  readonly name: N;
  /** Served unless false. */
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  /** The object without `apiVersion`, `kind` and, unless it has rules of its own, `metadata`. */
  readonly schema: Schema;
  readonly columns?: readonly Column[];
  readonly subresources?: { readonly status?: boolean; readonly scale?: ScalePaths };
  /** JSON paths that field selectors may use. */
  readonly selectableFields?: readonly string[];
}

/** Where a conversion webhook is, unless the installer of the CRD sets another place. */
export interface ConversionWebhook {
  readonly service: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly reviewVersions?: readonly string[];
}

/**
 * Sentences by `Kind`, `Kind.path.to.field` or `Shape.field`; `Kind@version…` goes before `Kind…`, and `*.field` is for a
 * field name that means the same wherever nothing more specific is declared.
 */
export type Meanings = Readonly<Record<string, string>>;

/** What is declared about a kind. */
export interface KindDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** Labels and annotations of the CustomResourceDefinition. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly versions: readonly KindVersion[];
  readonly conversion?: ConversionWebhook;
  readonly meanings?: Meanings;
}

/** A kind; `V` holds the TypeScript type of each version. */
export interface Kind<G extends string = string, K extends string = string, V = unknown> extends KindDefinition {
  readonly group: G;
  readonly kind: K;
  readonly [versionTypes]?: V;
}

/** The types of the versions of a definition, by name. */
export type VersionTypes<V extends readonly KindVersion[]> = {
  [E in V[number] as E['name']]: Infer<E['schema']>;
};

/** Defines a kind. */
export function kind<const G extends string, const K extends string, const V extends readonly KindVersion[]>(
  definition: KindDefinition & { readonly group: G; readonly kind: K; readonly versions: V },
): Kind<G, K, VersionTypes<V>> {
  return Object.freeze(definition);
}

/** The TypeScript type of the objects of a kind in one version. */
export type KindOf<D, N extends keyof TypesOf<D> & string> =
  D extends Kind<infer G, infer K, infer V>
    ? N extends keyof V
      ? Flat<{ apiVersion: `${G}/${N}`; kind: K; metadata: ObjectMeta } & Omit<V[N], 'metadata'>>
      : never
    : never;

type TypesOf<D> = D extends Kind<string, string, infer V> ? V : never;

/** How a client addresses the objects of a kind. */
export interface KindResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly kind: string;
}

/** The resource of one version of a kind; of the stored version when none is named. */
export function resource(of: Kind, version?: string): KindResource {
  const { name } = versionOf(of, version);
  return { group: of.group, version: name, plural: of.plural, namespaced: of.scope === 'Namespaced', kind: of.kind };
}

/** One version of a kind by name, the stored one when none is named. */
export function versionOf(of: Kind, name?: string): KindVersion {
  const found = of.versions.find((each) => (name === undefined ? each.storage === true : each.name === name));
  if (found === undefined) throw new UnknownVersion(of.kind, name);
  return found;
}
