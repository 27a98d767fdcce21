/** Tags: a list here, a map there. */
import { listToMap, same } from '@capstan/convert';
import type { Codec, KeyedItems } from '@capstan/convert';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';

const value: Codec<MachineContext> = {
  keepsShape: true,
  forward: (each, field) => checked(each, field),
  backward: (each, field) => checked(each, field),
  normal: { left: (each) => each ?? '' },
};

/** A tag without a value has the empty one. */
function checked(each: unknown, field: Parameters<Codec<MachineContext>['forward']>[1]): unknown {
  if (each !== undefined && typeof each !== 'string') field.error('must be a string');
  return each ?? '';
}

/** How a tag is an item of a list. */
export const tagItems: KeyedItems = { key: 'name', value: 'value' };

/** The value of a tag. */
export const tagValue: MachineRule = same<MachineContext>('value', value);

/** The tags of an instance. Two of one name are an error: Machine API takes the first, and a map the last. */
export const tags: MachineRule = listToMap('tags', 'additionalTags', tagItems, [tagValue]);
