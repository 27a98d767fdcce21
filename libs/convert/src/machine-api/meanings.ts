/** Values with limits, and what it means on a side that a value is not there. */
import { stringifyJson } from '@capstan/meta';
import type { Codec } from '../engine/codec.js';
import type { Field, Side } from '../engine/rule.js';
import type { MachineContext } from './platform.js';

/** Stands for an absent value: that other value of the side; or an error, as the other side has no word for it. */
export type AbsentMeaning = string | number | boolean | { readonly error: string };

/** A codec for values that are there. An absent value or the empty text means the value given here. */
export function absentMeans(
  codec: Codec<MachineContext>,
  meanings: Readonly<Partial<Record<Side, AbsentMeaning>>>,
): Codec<MachineContext> {
  const present = (side: Side, value: unknown, field: Field<MachineContext>): unknown => {
    if (value !== undefined && value !== '') return value;
    const meaning = meanings[side];
    if (typeof meaning !== 'object') return meaning;
    field.error(meaning.error);
    return undefined;
  };
  const normal = (side: Side) => (value: unknown, field: Field<MachineContext>) => {
    const meant = present(side, value, field);
    const inner = codec.normal?.[side];
    return inner === undefined ? meant : inner(meant, field);
  };
  return {
    forward: (value, field) => codec.forward(present('left', value, field), field),
    backward: (value, field) => codec.backward(present('right', value, field), field),
    normal: { left: normal('left'), right: normal('right') },
    ...(codec.keepsShape === true ? { keepsShape: true } : {}),
  };
}

/** A whole number within limits, whichever width it has on either side; zero is one like others. */
export function integerBetween(least: number, most: number): Codec<MachineContext> {
  const convert: Codec<MachineContext>['forward'] = (value, field) => {
    if (value === undefined) return undefined;
    if (!Number.isSafeInteger(value)) field.error('must be a whole number');
    else if ((value as number) < least || (value as number) > most)
      field.error(`must be from ${least} to ${most}, and is ${stringifyJson(value)}`);
    else return value;
    return undefined;
  };
  return { forward: convert, backward: convert };
}
