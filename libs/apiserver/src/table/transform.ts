import type { GroupKind } from '@capstan/meta';
import { isBuiltinGroup } from '../discovery/priorities.js';
import type { TransformKind } from '../negotiation/negotiate.js';
import type { IncludeObject } from './to-table.js';

/** Groups whose Go package is not called by the first word of the group. */
const packages: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
]);

function goType({ group, kind }: GroupKind, isList: boolean): string {
  if (!isBuiltinGroup(group)) return isList ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  return `*${packages.get(group) ?? group.split('.')[0]}.${kind}${isList ? 'List' : ''}`;
}

/** The 406 message where a list was asked for as one object or the other way round, or `undefined` where it fits. */
export function transformMismatch(as: TransformKind, of: GroupKind, isList: boolean): string | undefined {
  if (as === 'PartialObjectMetadata' && isList) {
    return `you requested PartialObjectMetadata, but the requested object is a list (${goType(of, true)})`;
  }
  if (as === 'PartialObjectMetadataList' && !isList) {
    return `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(of, false)})`;
  }
  return undefined;
}

/** Reads the `includeObject` parameter; a wrong one gives the message of the 400. */
export function parseIncludeObject(
  value: string | null | undefined,
): { readonly includeObject: IncludeObject } | { readonly error: string } {
  if (value === undefined || value === null || value === '') return { includeObject: 'Metadata' };
  if (value === 'None' || value === 'Metadata' || value === 'Object') return { includeObject: value };
  const quoted = JSON.stringify(value);
  return {
    error: `Unable to convert to Table as requested: includeObject: Invalid value: ${quoted}: must be 'Metadata', 'Object', 'None', or empty`,
  };
}
