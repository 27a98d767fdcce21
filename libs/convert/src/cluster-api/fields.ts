/** The fields of the core kinds, as their schemas have them. */
import { kinds } from '@capstan/api/cluster-api';
import { structuralSchema } from '@capstan/api/model';
import type { FieldList } from '../engine/field-list.js';
import { fieldsOfSchema } from '../engine/field-list.js';
import type { Side } from '../engine/rule.js';

/** The field lists of a kind, v1beta1 on the left and v1beta2 on the right; throws for a kind that is none of these. */
export function clusterApiFields(kind: string): Readonly<Record<Side, FieldList>> {
  const found = kinds.find((each) => each.kind === kind);
  if (found === undefined) throw new RangeError(`${kind} is no core kind of Cluster API`);
  const fieldsIn = (version: string): FieldList => fieldsOfSchema(structuralSchema(found, version));
  return { left: fieldsIn('v1beta1'), right: fieldsIn('v1beta2') };
}
