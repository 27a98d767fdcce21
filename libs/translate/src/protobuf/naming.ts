import type { GroupMapping } from '../groups/mapping.js';
import type { TextChange } from '../json/shape.js';

/** What a body is said to be by its path. */
export interface ProtobufRoute {
  /** Of the resource, as the path names it; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  /** Objects named after a standard group are left out of lists and watches: the platform's own definitions. */
  readonly hidesStandard?: boolean | undefined;
}

/** How objects of a kind are named after a group. */
export interface Naming {
  readonly change: TextChange;
  readonly isStandard: (name: string) => boolean;
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
  if (AFTER_DOT.has(key)) {
    return {
      change: (name) => mapping.swapAfterDot(name),
      isStandard: (name) => mapping.sideAfterDot(name) === 'standard',
    };
  }
  if (!BEFORE_DOT.has(key)) return undefined;
  return {
    change: (name) => mapping.swap(beforeLastDot(name)) + name.slice(beforeLastDot(name).length),
    isStandard: (name) => mapping.side(beforeLastDot(name)) === 'standard',
  };
}

function beforeLastDot(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
