import { joinLines } from '@capstan/crd-compat';
import type { ObjectVerdict } from '@capstan/crd-compat';
import { fieldErrorMessage } from '@capstan/meta';
import type { Action } from '../definitions/decide.js';

/** What becomes of the write of an object. */
export interface ObjectDecision {
  /** Why it is refused. */
  readonly denial?: string | undefined;
  readonly warnings: readonly string[];
}

/** More than this of a refusal nobody reads. */
const MESSAGE_LIMIT = 16_384;

/** What a requirement has done about what is wrong with an object. */
export function decideObject(
  { errors, warnings }: ObjectVerdict,
  { action, heading, requirement }: { readonly action: Action; readonly heading: string; readonly requirement: string },
): ObjectDecision {
  const problems = [...new Set(errors.map(fieldErrorMessage))].sort();
  const remarks = [...new Set(warnings)].sort();
  const say = (line: string): string => `${requirement}: ${line}`;
  if (action === 'Warn' || problems.length === 0) return { warnings: [...problems, ...remarks].map(say) };
  return { denial: joinLines([heading, ...problems.map(say)], MESSAGE_LIMIT), warnings: remarks.map(say) };
}

/** The requirement that a path of the webhook names. */
export interface Addressed {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
}

/** Reads the path below the webhook's own: name, uid and generation. */
export function addressedBy(path: string): Addressed | undefined {
  const [generation = '', uid = '', name = ''] = path.split('/').reverse();
  return name === '' || uid === '' || !/^\d+$/.test(generation)
    ? undefined
    : { name, uid, generation: Number(generation) };
}
