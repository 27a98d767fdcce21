/** Numbers of a machine. */
import type { Codec, Field } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { parseQuantity, stringifyJson } from '@capstan/meta';

const MAX_INT32 = 2 ** 31 - 1;

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

/** As text: a number is read alike on both sides, and written so by neither. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

function checkedQuantity(value: unknown, field: Field<MachineContext>): unknown {
  const text = asText(value);
  if (typeof text !== 'string' || !isQuantity(text)) {
    field.error(`must be a quantity such as 16Gi, and is ${stringifyJson(value ?? null)}`);
    return undefined;
  }
  return text;
}

/** A size that must be there. */
export const quantity: Codec<MachineContext> = {
  forward: checkedQuantity,
  backward: checkedQuantity,
  normal: { left: asText, right: asText },
};

function checkedCount(value: unknown, field: Field<MachineContext>): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MAX_INT32)
    field.error(`must be a whole number from 1 to ${MAX_INT32}, and is ${stringifyJson(value ?? null)}`);
  return value;
}

/** A number of something there is at least one of. */
export const count: Codec<MachineContext> = { forward: checkedCount, backward: checkedCount, keepsShape: true };

function checkedIndex(value: unknown, field: Field<MachineContext>): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INT32) return value;
  field.error(`must be a whole number from 0 to ${MAX_INT32}, and is ${stringifyJson(value)}`);
  return undefined;
}

/** A place in a row: the first one when absent, which Cluster API fills in. */
export const index: Codec<MachineContext> = {
  forward: (value, field) => checkedIndex(value ?? 0, field),
  backward: (value, field) => {
    const found = checkedIndex(value ?? 0, field);
    return found === 0 ? undefined : found;
  },
  normal: { left: (value) => (value === 0 ? undefined : value), right: (value) => value ?? 0 },
  keepsShape: true,
};
