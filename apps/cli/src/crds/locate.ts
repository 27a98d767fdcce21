/** Where in a file of CRDs that stands which a finding is about. */
import type { Finding } from '@capstan/crd-compat';
import { pushAll } from '@capstan/meta';
import { lineFinder } from '../yaml/lines.js';
import type { Steps } from '../yaml/lines.js';
import type { SourceObject } from './read.js';

type Json = Readonly<Record<string, unknown>>;

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

interface Followed {
  readonly steps: Steps;
  /** Nothing of the path was left over. */
  readonly isWhole: boolean;
}

/** A path of fields through a schema, as far as that has them: lists are passed through, values of maps are a star. */
function followSchema(schema: unknown, path: string): Followed {
  const steps: string[] = [];
  let node = record(schema);
  let left = path;
  while (left !== '') {
    const properties = record(node['properties']);
    const name = nameIn(properties, left);
    const into = name !== undefined ? ['properties', name] : [left.startsWith('*') ? 'additionalProperties' : 'items'];
    const below = into.reduce<unknown>((at, step) => record(at)[step], node);
    if (typeof below !== 'object' || below === null) return { steps, isWhole: false };
    pushAll(steps, into);
    node = record(below);
    if (into[0] !== 'items') left = left.slice((name ?? '*').length + 1);
  }
  return { steps, isWhole: true };
}

/** The property that a path begins with; names may have dots in them. */
function nameIn(properties: Json, path: string): string | undefined {
  const names = Object.keys(properties).filter((name) => path === name || path.startsWith(`${name}.`));
  return names.toSorted((a, b) => b.length - a.length)[0];
}

/** The way from a CRD to what a finding is about, or as near as there is something. */
export function stepsTo({ path, version }: Pick<Finding, 'path' | 'version'>, crd: unknown): Steps {
  const versions = record(record(crd)['spec'])['versions'];
  const list: readonly unknown[] = Array.isArray(versions) ? versions : [];
  const at = version === undefined ? -1 : list.findIndex((each) => record(each)['name'] === version);
  if (at < 0) return path.split(/[.[]/).map((step) => step.replace(/\]$/, ''));
  const own = ['spec', 'versions', at] as const;
  const found = followSchema(record(record(list[at])['schema'])['openAPIV3Schema'], path);
  const isAboutVersion = !found.isWhole && /^spec\.versions(?:\.|$)/.test(path);
  if (isAboutVersion) return [...own, ...path.split('.').slice(2)];
  return [...own, 'schema', 'openAPIV3Schema', ...found.steps];
}

/** Finds the lines of findings about a CRD; undefined where it was not read from a text. */
export async function findingLines(source: SourceObject): Promise<(finding: Finding) => number | undefined> {
  const { line, object, text } = source;
  if (text === undefined) return () => line;
  const find = await lineFinder(text.text);
  return (finding) => {
    const found = find(stepsTo(finding, object));
    return found === undefined ? line : found + text.firstLine - 1;
  };
}
