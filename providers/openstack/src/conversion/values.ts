/** Values as OpenStack has them in the two APIs. Left is Machine API. */
import { addWarning } from '@capstan/convert';
import type { Codec, Field } from '@capstan/convert';
import { textOf, textProblem } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, TextForm } from '@capstan/convert/machine-api';

/** The form in which Cluster API takes IDs, with or without dashes. */
export const UUID: TextForm = {
  form: {
    pattern: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
    mustBe: 'must be a UUID',
  },
};

/** An ID that may be left out. */
export const uuid: Codec<MachineContext> = textOf(UUID);

/** An ID that must be there. */
export const neededUuid: Codec<MachineContext> = textOf({ ...UUID, needed: 'is needed' });

/** The text at a place, when it is not empty. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const opposite = (value: unknown, field: Field<MachineContext>): unknown => {
  if (value === undefined) return undefined;
  if (typeof value === 'boolean') return !value;
  field.error('must be true or false');
  return undefined;
};

/** Something is on here, and the same is off there. */
export const negated: Codec<MachineContext> = { forward: opposite, backward: opposite };

/** Tags behind commas, of which empty and repeated ones are ignored. */
function splitTags(value: string): string[] {
  return [...new Set(value.split(',').filter((tag) => tag !== ''))];
}

/** Tags of a filter: one text with commas here, a list there. */
export const tags: Codec<MachineContext> = {
  forward: (value, field) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') {
      field.error('must be a string');
      return undefined;
    }
    const found = splitTags(value);
    return found.length === 0 ? undefined : found;
  },
  backward: (value, field) => {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      field.error('must be a list');
      return undefined;
    }
    const bad = value.some((tag) => textProblem(tag, {}) !== undefined || tag === '' || (tag as string).includes(','));
    if (bad) field.error('must be a list of texts without commas, none of them empty');
    return bad || value.length === 0 ? undefined : [...new Set(value as string[])].join(',');
  },
  normal: {
    left: (value) => (typeof value === 'string' ? nonEmptyText(splitTags(value).join(',')) : value),
    right: (value) => (Array.isArray(value) ? [...new Set<unknown>(value)] : value),
  },
};

/** Fields that Machine API ignores: they are dropped with a warning, and do not come back. */
export function ignored(...names: readonly string[]): MachineRule[] {
  return names.map((name) => ({
    claims: { left: [{ path: name, fate: 'warned' }], right: [] },
    convert: (scope) => {
      const { from, to } = scope.run;
      if (from === 'left' && to === 'right' && (scope.source[name] ?? undefined) !== undefined)
        addWarning(scope, [name], 'is ignored by Machine API, and left out');
    },
  }));
}
