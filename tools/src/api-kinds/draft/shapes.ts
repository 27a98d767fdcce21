import type { Schema } from '@capstan/api/model';

import { shapeKey } from '../shape-key.js';
import { pascal, singular, versionSuffix } from './names.js';

/** A version of a kind that is being drafted. */
export interface DraftVersion {
  readonly kind: string;
  readonly version: string;
  readonly storage: boolean;
  readonly schema: Schema;
}

/** A shape that gets a name, because several places share it or because it is the spec or status of a kind. */
export interface Shape {
  readonly key: string;
  readonly schema: Schema;
  /** The name that documents use. */
  readonly name: string;
  /** The name of the TypeScript type; other than `name` where two versions differ. */
  readonly typeName: string;
  /** The kind whose file holds the shape; undefined for shapes of several kinds. */
  readonly owner?: string;
}

interface Seen {
  readonly schema: Schema;
  readonly contexts: Map<string, Context>;
}

interface Context {
  /** The shape the place lies in. */
  readonly enclosing?: string;
  readonly kind: string;
  readonly version: string;
  readonly path: readonly string[];
  readonly forced?: string;
}

/** Collects the shapes of a group and decides which of them get names. */
export class Shapes {
  readonly #seen = new Map<string, Seen>();
  /** Names that the sources prescribe, by shape. */
  readonly #hinted: ReadonlyMap<string, string>;
  readonly #storage: ReadonlySet<string>;
  readonly #reserved: ReadonlySet<string>;

  constructor(versions: readonly DraftVersion[], hints: Readonly<Record<string, string>>, reserved: Iterable<string>) {
    this.#hinted = hintedShapes(versions, hints);
    this.#reserved = new Set(reserved);
    this.#storage = new Set(versions.filter((each) => each.storage).map((each) => each.version));
    // The stored version first: it gives the names.
    for (const each of versions.toSorted((a, b) => Number(b.storage) - Number(a.storage))) this.#root(each);
  }

  #root({ kind, version, schema }: DraftVersion): void {
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      if (key === 'metadata' || key === 'apiVersion' || key === 'kind') continue;
      this.#visit(property, { kind, version, path: [key], forced: `${kind}${pascal(key)}` });
    }
  }

  #visit(schema: Schema, context: Context): void {
    let inner = context;
    if (Object.keys(schema.properties ?? {}).length > 0) {
      const key = shapeKey(schema);
      const place = `${context.enclosing ?? `${context.kind}@${context.version}`}:${context.path.join('.')}`;
      const known = this.#seen.get(key);
      if (known !== undefined) {
        known.contexts.set(place, context);
        return;
      }
      this.#seen.set(key, { schema, contexts: new Map([[place, context]]) });
      inner = { ...context, enclosing: key };
    }
    const { forced: _forced, ...below } = inner;
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      this.#visit(property, { ...below, path: [...context.path, key] });
    }
    if (schema.items !== undefined) this.#visit(schema.items, { ...below, path: [...context.path, '[]'] });
    if (schema.values !== undefined) this.#visit(schema.values, { ...below, path: [...context.path, '{}'] });
  }

  /** The named shapes, each after those it uses. */
  named(): Shape[] {
    const chosen = [...this.#seen].filter(([key, seen]) => this.#deservesName(key, seen));
    const names = this.#names(chosen);
    return chosen
      .map(([key, { schema }]) => {
        const { name = '', typeName = '' } = names.get(key) ?? {};
        const kinds = this.#kinds(key);
        const [only] = kinds;
        return { key, schema, name, typeName, ...(kinds.size === 1 && only !== undefined ? { owner: only } : {}) };
      })
      .toSorted((a, b) => a.key.length - b.key.length);
  }

  #deservesName(key: string, { schema, contexts }: Seen): boolean {
    const uses = [...contexts.values()];
    if (uses.some((each) => each.forced !== undefined) || this.#hinted.has(key)) return true;
    return uses.length > 1 && Object.keys(schema.properties ?? {}).length > 1;
  }

  /** The kinds that hold a shape, directly or inside other shapes. */
  #kinds(key: string): Set<string> {
    const contexts = [...(this.#seen.get(key)?.contexts.values() ?? [])];
    return new Set(
      contexts.flatMap((each) => [each.kind, ...(each.enclosing === undefined ? [] : this.#kinds(each.enclosing))]),
    );
  }

  #versions(key: string): Set<string> {
    const contexts = [...(this.#seen.get(key)?.contexts.values() ?? [])];
    return new Set(
      contexts.flatMap((each) => [
        each.version,
        ...(each.enclosing === undefined ? [] : this.#versions(each.enclosing)),
      ]),
    );
  }

  #names(chosen: readonly (readonly [string, Seen])[]): Map<string, { name: string; typeName: string }> {
    const wanted = chosen.map(([key, { contexts }]) => ({ key, ...this.#wantedName(key, [...contexts.values()]) }));
    const taken = new Set<string>();
    const names = new Map<string, { name: string; typeName: string }>();
    // Prescribed names come before names that were only guessed.
    for (const { key, choices } of wanted.toSorted((a, b) => b.weight - a.weight)) {
      const versions = this.#versions(key);
      const old = [...versions].every((version) => !this.#storage.has(version));
      const suffix = old ? versionSuffix([...versions][0] ?? '') : '';
      const name = choices.find((each) => !taken.has(each + suffix) && !this.#reserved.has(each + suffix));
      if (name === undefined) {
        const context = [...(this.#seen.get(key)?.contexts.values() ?? [])][0];
        throw new Error(
          `no free name for ${context?.kind ?? ''}.${context?.path.join('.') ?? ''}: ${choices.join(', ')}`,
        );
      }
      taken.add(name + suffix);
      names.set(key, { name, typeName: name + suffix });
    }
    return names;
  }

  #wantedName(key: string, contexts: readonly Context[]): { choices: string[]; weight: number } {
    const paths = contexts.map(({ kind, path }) => [kind, ...path]);
    const hint = this.#hinted.get(key);
    if (hint !== undefined) return { choices: [hint], weight: 3 };
    const forced = contexts.flatMap((each) => each.forced ?? []).toSorted((a, b) => a.length - b.length);
    if (forced.length > 0) return { choices: forced, weight: 2 };
    return { choices: guesses(paths), weight: 1 };
  }
}

/** The shapes that hints point at; one that points nowhere is a mistake. */
function hintedShapes(versions: readonly DraftVersion[], hints: Readonly<Record<string, string>>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [place, name] of Object.entries(hints)) {
    const [kind = '', ...path] = place.split('.');
    const schemas = versions
      .filter((each) => kind === each.kind || kind === `${each.kind}@${each.version}`)
      .flatMap((each) => schemaAt(each.schema, path) ?? []);
    if (schemas.length === 0) throw new Error(`nothing is at ${place}, which is to be called ${name}`);
    for (const schema of schemas) found.set(shapeKey(schema), name);
  }
  return found;
}

/** What lies at a path of properties, lists and maps being passed through. */
function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  const inner = schema.items ?? schema.values;
  if (inner !== undefined) return schemaAt(inner, path);
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const property = schema.properties?.[key];
  return property === undefined ? undefined : schemaAt(property, rest);
}

/** Names from the last word of the path on, the commonest first, then longer and longer ones. */
function guesses(paths: readonly (readonly string[])[]): string[] {
  const parts = paths.map((path) =>
    path.flatMap((part, at) => {
      if (part === '[]' || part === '{}') return [];
      return [path[at + 1] === '[]' ? pascal(singular(part)) : pascal(part)];
    }),
  );
  const found: string[] = [];
  const longest = Math.max(...parts.map((each) => each.length));
  for (let length = 1; length <= longest; length++) {
    const counts = new Map<string, number>();
    for (const each of parts) {
      const name = each.slice(-length).join('');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a, x], [b, y]) => y - x || a.length - b.length || (a < b ? -1 : 1));
    found.push(...sorted.map(([name]) => name));
  }
  return found;
}
