/** Semantic versions. */
import { compareBytes, goQuote } from '@capstan/meta';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { noOverload } from '../values/order.js';
import { boolType, intType, stringType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelError, CelOpaque, normalInt } from '../values/values.js';
import type { CelValue } from '../values/values.js';
import { semverType } from './kinds.js';

type PreRelease = string | bigint;

class CelSemver extends CelOpaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly pre: readonly PreRelease[];
  constructor(numbers: readonly [bigint, bigint, bigint], pre: readonly PreRelease[]) {
    super();
    this.numbers = numbers;
    this.pre = pre;
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelSemver && compareVersions(this, other) === 0;
  }
}

class SemverError extends Error {}

const names = ['major', 'minor', 'patch'] as const;
const numeric = /^\d+$/;
const identifier = /^[0-9A-Za-z-]+$/;

function parseNumber(text: string, name: string): bigint {
  if (!/^\d*$/.test(text)) throw new SemverError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  if (text.length > 1 && text.startsWith('0')) {
    const title = name[0]?.toUpperCase() + name.slice(1);
    throw new SemverError(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  }
  if (text === '') throw new SemverError('strconv.ParseUint: parsing "": invalid syntax');
  return parseUint(text);
}

function parseUint(text: string): bigint {
  const value = BigInt(text);
  if (value < 2n ** 64n) return value;
  throw new SemverError(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
}

function parsePre(text: string): PreRelease {
  if (text === '') throw new SemverError('Prerelease is empty');
  if (numeric.test(text)) {
    if (text.length === 1 || !text.startsWith('0')) return parseUint(text);
    throw new SemverError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
  }
  if (!identifier.test(text)) throw new SemverError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  return text;
}

function checkBuild(text: string): void {
  if (text === '') throw new SemverError('Build meta data is empty');
  if (!identifier.test(text)) throw new SemverError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
}

function cut(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parseVersion(text: string): CelSemver {
  if (text === '') throw new SemverError('Version string empty');
  const [major = '', minor, ...more] = text.split('.');
  if (minor === undefined || more.length === 0) throw new SemverError('No Major.Minor.Patch elements found');
  const first = parseNumber(major, names[0]);
  const second = parseNumber(minor, names[1]);
  const [beforeBuild, build] = cut(more.join('.'), '+');
  const [patch, pre] = cut(beforeBuild, '-');
  const numbers = [first, second, parseNumber(patch, names[2])] as const;
  const parts = pre === undefined ? [] : pre.split('.').map(parsePre);
  if (build !== undefined) build.split('.').forEach(checkBuild);
  return new CelSemver(numbers, parts);
}

/** Drops a leading v, fills in missing parts and strips leading zeros. */
function normalized(text: string): string {
  const plain = text.replace(/^v/, '');
  const [major = '', minor, ...more] = plain.split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(more.length === 0 ? [] : [more.join('.')])];
  const stripped = parts.map((part) => (part.length > 1 ? part.replace(/^0+/, '').replace(/^(?!\d)/, '0') : part));
  if (stripped.length < 3 && /[+-]/.test(stripped.at(-1) ?? '')) {
    throw new SemverError('short version cannot contain PreRelease/Build meta data');
  }
  while (stripped.length < 3) stripped.push('0');
  return stripped.join('.');
}

function comparePre(a: PreRelease, b: PreRelease): number {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  if (typeof a === 'string' && typeof b === 'string') return Math.sign(compareBytes(a, b));
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareVersions(a: CelSemver, b: CelSemver): number {
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0)
    return Math.sign(Number(a.pre.length === 0) - Number(b.pre.length === 0));
  for (const [i, part] of a.pre.entries()) {
    const other = b.pre[i];
    if (other === undefined) return 1;
    const order = comparePre(part, other);
    if (order !== 0) return order;
  }
  return a.pre.length < b.pre.length ? -1 : 0;
}

const toSemver: Implementation = (text, normalize) => {
  if (typeof text !== 'string') return noOverload;
  try {
    return parseVersion(normalize === true ? normalized(text) : text);
  } catch (error) {
    if (error instanceof SemverError) return new CelError(error.message);
    throw error;
  }
};

const isSemver: Implementation = (...args) => toSemver(...args) instanceof CelSemver;

function compared(run: (order: number) => CelValue): Implementation {
  return (a, b) => (a instanceof CelSemver && b instanceof CelSemver ? run(compareVersions(a, b)) : noOverload);
}

function both(name: string, id: string, type: CelType, run: Implementation): FunctionDeclaration {
  return { name, overloads: [method(id, [semverType, semverType], type, run)] };
}

function component(index: 0 | 1 | 2): FunctionDeclaration {
  const run: Implementation = (version) =>
    version instanceof CelSemver ? normalInt(BigInt.asIntN(64, version.numbers[index])) : noOverload;
  return {
    name: names[index],
    overloads: [method(`semver_${names[index]}`, [semverType], intType, run)],
  };
}

/** Functions on semantic versions. */
export const semverFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'semver',
    overloads: [
      global('string_to_semver', [stringType], semverType, toSemver),
      global('string_bool_to_semver', [stringType, boolType], semverType, toSemver),
    ],
  },
  {
    name: 'isSemver',
    overloads: [
      global('is_semver_string', [stringType], boolType, isSemver),
      global('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
    ],
  },
  both(
    'isGreaterThan',
    'semver_is_greater_than',
    boolType,
    compared((order) => order > 0),
  ),
  both(
    'isLessThan',
    'semver_is_less_than',
    boolType,
    compared((order) => order < 0),
  ),
  both(
    'compareTo',
    'semver_compare_to',
    intType,
    compared((order) => order),
  ),
  component(0),
  component(1),
  component(2),
];
