import { TranslationError } from '../errors.js';
import type { GroupMapping } from '../groups/mapping.js';
import type { TextChange } from '../json/shape.js';

/** Which way a body goes. */
export type Direction = 'request' | 'response';

/** The kind of a body by its path. */
export interface ProtobufRoute {
  /** Of the resource, as the path names it; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
}

/** How objects of a kind are named after a group. */
export interface Naming {
  readonly change: TextChange;
  /** The group in a name. */
  readonly group: (name: string) => string;
}

/** What is named `plural.group` or `version.group`, by group and resource or kind. */
const AFTER_DOT: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io customresourcedefinitions',
  'apiextensions.k8s.io CustomResourceDefinition',
  'apiregistration.k8s.io apiservices',
  'apiregistration.k8s.io APIService',
]);

/** What is named `group.plural`. */
const BEFORE_DOT: ReadonlySet<string> = new Set([
  'internal.apiserver.k8s.io storageversions',
  'internal.apiserver.k8s.io StorageVersion',
]);

/** How a resource or kind of a group names its objects; undefined where names have nothing to do with groups. */
export function namingOf(mapping: GroupMapping, group: string, named: string): Naming | undefined {
  const key = `${group} ${named}`;
  if (AFTER_DOT.has(key)) return { change: (name) => mapping.swapAfterDot(name), group: afterDot };
  if (!BEFORE_DOT.has(key)) return undefined;
  const change: TextChange = (name) => mapping.swap(beforeLastDot(name)) + name.slice(beforeLastDot(name).length);
  return { change, group: beforeLastDot };
}

/** The same for what clients write: a private name would become the platform's, and must not. */
export function refusingPrivate(mapping: GroupMapping, change: TextChange, groupIn: TextChange): TextChange {
  return (text) => {
    const group = groupIn(text);
    if (mapping.side(group) === 'private')
      throw new TranslationError('HIDDEN', `the API group ${JSON.stringify(group)} is not served here`);
    return change(text);
  };
}

function afterDot(name: string): string {
  return name.includes('.') ? name.slice(name.indexOf('.') + 1) : '';
}

function beforeLastDot(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
