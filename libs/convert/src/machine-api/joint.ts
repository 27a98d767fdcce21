/** Fields that only mean something together, by names of their own. */
import type { JsonObject } from '@capstan/meta';
import { together } from '../engine/joint-rules.js';
import type { PathLike } from '../engine/path.js';
import type { Field, IssueCode } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

/** The fields of one side as a conversion reads them. An error has the path of its field. */
export class Reading<Name extends string> {
  readonly context: MachineContext;
  /** The whole source. */
  readonly root: JsonObject;
  /** The record of the source that holds the fields. */
  readonly record: JsonObject;
  readonly #names: readonly Name[];
  readonly #values: readonly unknown[];
  /** None where a value is only brought into its normal form, and nobody listens. */
  readonly #fields: readonly Field<MachineContext>[];

  constructor(
    names: readonly Name[],
    values: readonly unknown[],
    fields: readonly Field<MachineContext>[],
    { context, record, root }: Pick<Field<MachineContext>, 'context' | 'record' | 'root'>,
  ) {
    this.#names = names;
    this.#values = values;
    this.#fields = fields;
    this.context = context;
    this.root = root;
    this.record = record;
  }

  value(name: Name): unknown {
    return this.#values[this.#names.indexOf(name)];
  }

  /** A text; absent when it is empty, or no text at all, which is an error. */
  text(name: Name): string | undefined {
    const value = this.value(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    this.error(name, 'must be a string');
    return undefined;
  }

  /** A flag; absent when it is none, which is an error. */
  flag(name: Name): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    this.error(name, 'must be true or false');
    return undefined;
  }

  error(name: Name, message: string, code?: IssueCode): void {
    this.#fields[this.#names.indexOf(name)]?.error(message, code);
  }

  warn(name: Name, message: string, code?: IssueCode): void {
    this.#fields[this.#names.indexOf(name)]?.warn(message, code);
  }
}

/** Several fields here that are several fields there. */
export interface JointFields<Left extends string, Right extends string> {
  readonly left: Readonly<Record<Left, PathLike>>;
  readonly right: Readonly<Record<Right, PathLike>>;
  readonly forward: (read: Reading<Left>) => Readonly<Partial<Record<Right, unknown>>>;
  readonly backward: (read: Reading<Right>) => Readonly<Partial<Record<Left, unknown>>>;
}

/** Fields that have to be read together. Their normal form is what comes back of them. */
export function joint<Left extends string, Right extends string>(declaration: JointFields<Left, Right>): MachineRule {
  const { backward, forward } = declaration;
  const lefts = Object.keys(declaration.left) as Left[];
  const rightNames = Object.keys(declaration.right) as Right[];
  const paths = (side: Readonly<Record<string, PathLike>>): PathLike[] => Object.values(side);
  const toRight = (read: Reading<Left>): unknown[] => {
    const made = forward(read);
    return rightNames.map((name) => made[name]);
  };
  const toLeft = (read: Reading<Right>): unknown[] => {
    const made = backward(read);
    return lefts.map((name) => made[name]);
  };
  // Rules have at least one field on each side, so that there is always one to ask for the context.
  const about = (fields: readonly Field<MachineContext>[]): Field<MachineContext> => fields[0] as Field<MachineContext>;
  return together<MachineContext>({
    left: paths(declaration.left),
    right: paths(declaration.right),
    forward: (values, fields) => toRight(new Reading(lefts, values, fields, about(fields))),
    backward: (values, fields) => toLeft(new Reading(rightNames, values, fields, about(fields))),
    normal: {
      left: (values, fields) => {
        const there = toRight(new Reading(lefts, values, [], about(fields)));
        return toLeft(new Reading(rightNames, there, [], about(fields)));
      },
      right: (values, fields) => {
        const there = toLeft(new Reading(rightNames, values, [], about(fields)));
        return toRight(new Reading(lefts, there, [], about(fields)));
      },
    },
  });
}
