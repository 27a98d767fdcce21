/** How the value of one field is written on either side. */
import { cloneJson, deepEqual, goQuote, stringifyJson } from '@capstan/meta';
import type { Field, Side } from './rule.js';
import { otherSide } from './rule.js';

/** A pair of pure functions. `undefined` is an absent field, both as argument and as answer. */
export interface Codec<C = unknown> {
  readonly forward: (value: unknown, field: Field<C>) => unknown;
  readonly backward: (value: unknown, field: Field<C>) => unknown;
  /** The sides whose values may have to be put aside, because the other side cannot hold all of them. */
  readonly keeps?: readonly Side[];
  /** Set where an absent field is simply absent on the other side: then nobody is asked about it. */
  readonly keepsAbsence?: true;
  /** Set where both sides have the same fields, and only what they hold differs: totality then compares them. */
  readonly keepsShape?: true;
  /** The form in which a value of a side comes back from the other one; the value itself when not given. */
  readonly normal?: Readonly<Partial<Record<Side, (value: unknown, field: Field<C>) => unknown>>>;
}

/** A scalar that an enumeration may hold. */
export type EnumValue = string | number | boolean;

const shown = (value: unknown): string => (typeof value === 'string' ? goQuote(value) : stringifyJson(value));

function oneWay(pairs: ReadonlyMap<unknown, unknown>): (value: unknown, field: Field<unknown>) => unknown {
  return (value, field) => {
    if (value === undefined) return undefined;
    const other = pairs.get(value);
    if (other === undefined) {
      const known = [...pairs.keys()].map((each) => shown(each)).join(', ');
      field.error(`Unsupported value: ${shown(value)}: supported values: ${known}`);
    }
    return other;
  };
}

/** Value for value. Anything else is an error that lists what is known. */
export function enumeration(pairs: readonly (readonly [left: EnumValue, right: EnumValue])[]): Codec {
  const toRight = new Map(pairs);
  const toLeft = new Map(pairs.map(([left, right]) => [right, left] as const));
  if (pairs.length === 0) throw new RangeError('an enumeration has at least one value');
  if (toRight.size !== pairs.length || toLeft.size !== pairs.length) {
    throw new RangeError('an enumeration that runs both ways names each value once on each side');
  }
  return { forward: oneWay(toRight), backward: oneWay(toLeft), keepsAbsence: true };
}

/**
 * How a side holds its zero value.
 * `omit`: zero and absent are one, written as absent. `fill`: they are one, written as zero.
 * `distinguish`: they differ; where the other side cannot tell them apart, the difference is put aside.
 */
export type ZeroStyle = 'omit' | 'fill' | 'distinguish';

/** Optional on one side, a plain value on the other. */
export function zeroValue(zero: unknown, styles: Readonly<Record<Side, ZeroStyle>>): Codec {
  // A record of its own for each target: other rules may write into it.
  const fresh = (): unknown => cloneJson(zero);
  const isZero = (value: unknown): boolean => value === undefined || deepEqual(value, zero);
  const write = (from: ZeroStyle, to: ZeroStyle) => {
    return (value: unknown, field: Field<unknown>): unknown => {
      if (from === 'distinguish' && value !== undefined && to !== 'distinguish') field.preserve(value);
      if (!isZero(value) || (from === 'distinguish' && to === 'distinguish')) return value;
      if (to === 'omit') return undefined;
      if (to === 'fill') return fresh();
      const restored = field.restored();
      return restored !== undefined && isZero(restored) ? fresh() : undefined;
    };
  };
  const normal = (style: ZeroStyle) => (value: unknown) => {
    if (style === 'distinguish' || !isZero(value)) return value;
    return style === 'fill' ? fresh() : undefined;
  };
  const keeps = (['left', 'right'] as const).filter(
    (side) => styles[side] === 'distinguish' && styles[otherSide(side)] !== 'distinguish',
  );
  return {
    keeps,
    keepsShape: true,
    forward: write(styles.left, styles.right),
    backward: write(styles.right, styles.left),
    normal: { left: normal(styles.left), right: normal(styles.right) },
  };
}

/** One after the other: `first` is the one nearer to the left side. */
export function compose<C>(first: Codec<C>, second: Codec<C>): Codec<C> {
  const normal: Partial<Record<Side, (value: unknown, field: Field<C>) => unknown>> = {};
  if (first.normal?.left !== undefined) normal.left = first.normal.left;
  if (second.normal?.right !== undefined) normal.right = second.normal.right;
  return {
    forward: (value, field) => second.forward(first.forward(value, field), field),
    backward: (value, field) => first.backward(second.backward(value, field), field),
    normal,
    keeps: [...(first.keeps ?? []), ...(second.keeps ?? [])],
    ...(first.keepsAbsence === true && second.keepsAbsence === true ? { keepsAbsence: true as const } : {}),
  };
}

/**
 * The restored value wins over the value of the source, also when it is absent: for fields that the other side can show
 * but not hold exactly.
 */
export function restoredFirst<C>(to: Side, codec: Codec<C>): Codec<C> {
  const guard = (side: Side, convert: Codec<C>['forward']): Codec<C>['forward'] => {
    return (value, field) => {
      if (to === side) return field.hasRestored ? field.restored() : convert(value, field);
      if (value !== undefined) field.preserve(value);
      return convert(value, field);
    };
  };
  const wrapped = { forward: guard('right', codec.forward), backward: guard('left', codec.backward), keeps: [to] };
  return codec.normal === undefined ? wrapped : { ...wrapped, normal: codec.normal };
}
