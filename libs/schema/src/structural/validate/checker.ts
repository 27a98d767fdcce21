/** One schema node made ready to check values. Children are made ready when first met. */
import { type JsonObject, deepEqual, plainFloat } from '@capstan/meta';
import type { Correlation } from '../schema/correlation.js';
import type { Findings } from './findings.js';
import { effectiveFormat, stringFormat } from './formats.js';
import { isInt64 } from './int64.js';
import { type Junctors, checkJunctors } from './junctors.js';
import { NumberChecks, isWhole } from './numbers.js';
import { type Pattern, patternOf } from '../schema/pattern.js';
import { type SchemaNode, valueSchemaOf } from '../schema/schema-node.js';
import { codePoints, isLonger } from './text-length.js';

/** How a schema is taken. */
export interface CheckerOptions {
  /** The minor release of Kubernetes 1.x whose rules apply. */
  readonly minor: number;
  /** Take formats and int-or-string as written, as the server does where it checks defaults. */
  readonly literal?: boolean;
}

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return isInt64(value) ? 'integer' : 'number';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

/** The format the server infers from a decoded value. */
function inferredFormat(kind: Kind): string {
  return kind === 'integer' ? 'int64' : kind === 'number' ? 'float64' : '';
}

/** Equal after converting the value to the allowed value's type, as the server does: 1.5 is then the integer 1. */
function equalsAllowed(value: unknown, kind: Kind, allowed: unknown): boolean {
  if (allowed === null || allowed === undefined) return false;
  if (value === allowed) return true;
  const allowedKind = kindOf(allowed);
  if (kind === allowedKind) return deepEqual(value, allowed);
  if (kind === 'number' && allowedKind === 'integer') return Math.trunc(Number(value)) === Number(allowed);
  if (kind === 'integer' && allowedKind === 'number') return Number(value) === allowed;
  if (kind === 'integer' && allowedKind === 'string') return codePointText(Number(value)) === allowed;
  return false;
}

function codePointText(code: number): string {
  const valid = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return String.fromCodePoint(valid ? code : 0xfffd);
}

/** The type fields of the root are the same before and after, whatever the versions were. */
function memberCorrelation(parent: Correlation | undefined, path: string, name: string): Correlation | undefined {
  if (parent === undefined || (path === '' && (name === 'apiVersion' || name === 'kind'))) return undefined;
  return parent.key(name);
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Checks values against one schema node and everything below it. */
export class Checker {
  readonly #node: SchemaNode;
  readonly #options: CheckerOptions;
  readonly #types: readonly string[];
  readonly #format: string;
  readonly #checkFormat: ((text: string) => boolean) | undefined;
  readonly #numbers: NumberChecks;
  readonly #members = new Map<string, Checker>();
  readonly #hasJunctors: boolean;
  readonly #extra: SchemaNode | undefined;
  #junctors: Junctors | undefined;
  #values: Checker | undefined;
  #items: Checker | undefined;
  #pattern: Pattern | undefined;

  constructor(node: SchemaNode, options: CheckerOptions) {
    const { minor, literal = false } = options;
    this.#node = node;
    this.#options = options;
    this.#types = node.intOrString && !literal ? ['integer', 'string'] : node.type === '' ? [] : [node.type];
    const single = this.#types.length === 1 ? node.type : '';
    this.#format = literal ? node.format : effectiveFormat(single, node.format, minor);
    this.#checkFormat = this.#format === '' ? undefined : stringFormat(this.#format, minor);
    // Older releases never passed the type to this check, so it bounds nothing there.
    const numeric = minor < 36 ? '' : single;
    this.#numbers = new NumberChecks(node, numeric, numericFormat(numeric, this.#format));
    this.#hasJunctors =
      node.anyOf.length > 0 || node.oneOf.length > 0 || node.allOf.length > 0 || node.not !== undefined;
    this.#extra = valueSchemaOf(node);
  }

  /** Reports what is wrong with the value; with a correlation, not what was already wrong in an unchanged value. */
  check(value: unknown, path: string, out: Findings, correlation?: Correlation): void {
    const before = out.errors.length;
    if (value === null || value === undefined) this.#checkNull(path, out);
    else this.#checkValue(value, path, out, correlation);
    if (correlation !== undefined && out.errors.length > before && correlation.unchanged()) out.forgive(before);
  }

  /** {@link check} of a member or an item: how it correlates is found out only where that matters. */
  #checkPart(value: unknown, path: string, out: Findings, correlation: () => Correlation | undefined): void {
    if (typeof value === 'object' && value !== null) {
      this.check(value, path, out, correlation());
      return;
    }
    const before = out.errors.length;
    this.check(value, path, out);
    if (out.errors.length > before && correlation()?.unchanged() === true) out.forgive(before);
  }

  #checkNull(path: string, out: Findings): void {
    const { nullable, enum: allowed } = this.#node;
    if (this.#types.length > 0 && !nullable && !this.#types.includes('null')) {
      out.wrongType(path, this.#types.join(','), 'null');
    } else {
      out.matches++;
    }
    // Null equals no allowed value, not even null.
    if (allowed !== undefined) out.notInEnum(path, null, allowed);
  }

  #checkValue(given: unknown, path: string, out: Findings, correlation: Correlation | undefined): void {
    const value = plainFloat(given);
    const kind = given === value ? kindOf(value) : 'number';
    if (this.#types.length > 0 || this.#format !== '') {
      if (this.#checkType(value, kind, path, out)) out.matches++;
      out.matches++;
    }
    if (this.#hasJunctors) checkJunctors((this.#junctors ??= this.#prepareJunctors()), given, path, out);
    // The junctors' own and the steps that a value of any kind passes; the rest is counted by kind.
    out.matches += 4;
    if (kind === 'string') this.#checkString(value as string, path, out);
    else if (kind === 'integer' || kind === 'number') {
      this.#numbers.check(value as number | bigint, kind === 'integer', path, out);
      out.matches += 2;
    } else if (kind === 'array') this.#checkItems(value as readonly unknown[], path, out, correlation);
    this.#checkEnum(value, kind, path, out);
    if (kind === 'object') this.#checkMembers(value as JsonObject, path, out, correlation);
  }

  #checkEnum(value: unknown, kind: Kind, path: string, out: Findings): void {
    const { enum: allowed } = this.#node;
    if (allowed === undefined || allowed.some((item) => equalsAllowed(value, kind, item))) return;
    out.notInEnum(path, value, allowed);
  }

  #prepareJunctors(): Junctors {
    const { anyOf, oneOf, allOf, not } = this.#node;
    const prepare = (node: SchemaNode): Checker => new Checker(node, this.#options);
    return {
      anyOf: anyOf.map(prepare),
      oneOf: oneOf.map(prepare),
      allOf: allOf.map(prepare),
      not: not && prepare(not),
    };
  }

  #checkType(value: unknown, kind: Kind, path: string, out: Findings): boolean {
    const types = this.#types;
    if (types.includes(kind) || this.#converts(value, kind)) return true;
    const format = this.#format;
    const textual = kind === 'string' || kind === 'array';
    if (!textual && format !== '' && inferredFormat(kind) !== format) {
      out.wrongType(path, format, inferredFormat(kind));
      return false;
    }
    // A list passes for a text with a format: the server looks no further there.
    if (textual && format !== '' && !types.includes('number') && !types.includes('integer')) return true;
    out.wrongType(path, types.join(','), kind);
    return false;
  }

  #converts(value: unknown, kind: Kind): boolean {
    if (kind === 'integer') return this.#types.includes('number');
    return kind === 'number' && this.#types.includes('integer') && isWhole(Number(value));
  }

  #checkString(text: string, path: string, out: Findings): void {
    const { maxLength, minLength, pattern } = this.#node;
    out.matches++;
    if (maxLength !== undefined && isLonger(text, maxLength)) out.tooLong(path, maxLength);
    else if (minLength !== undefined && (text.length < minLength || codePoints(text) < minLength)) {
      out.constraint(path, text, `should be at least ${minLength} chars long`);
    } else if (pattern !== '') this.#checkPattern(text, pattern, path, out);
    if (this.#checkFormat === undefined) return;
    out.matches++;
    if (!this.#checkFormat(text)) {
      // The value stands in for the type here, as it does in the server.
      out.wrongType(path, this.#format, text);
    }
  }

  #checkPattern(text: string, pattern: string, path: string, out: Findings): void {
    const compiled = (this.#pattern ??= patternOf(pattern));
    if ('error' in compiled) {
      out.constraint(path, text, `should match '${pattern}, but pattern is invalid: ${compiled.error}'`);
    } else if (!compiled.test(text)) {
      out.constraint(path, text, `should match '${pattern}'`);
    }
  }

  #checkItems(list: readonly unknown[], path: string, out: Findings, correlation: Correlation | undefined): void {
    const { items, minItems, maxItems } = this.#node;
    if (items !== undefined && list.length > 0) {
      const checker = (this.#items ??= new Checker(items, this.#options));
      for (let at = 0; at < list.length; at++) {
        if (correlation?.keepsItem(at, list[at]) === true) continue;
        checker.check(list[at], `${path}[${at}]`, out, correlation?.index(at));
      }
    }
    out.matches += 2;
    const size = list.length;
    if (minItems !== undefined && size < minItems) {
      out.constraint(path, size, `should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && size > maxItems) out.tooMany(path, size, maxItems);
  }

  #member(name: string): Checker | undefined {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const node = this.#node.properties?.get(name);
    if (node === undefined) return undefined;
    const checker = new Checker(node, this.#options);
    this.#members.set(name, checker);
    return checker;
  }

  #checkMembers(object: JsonObject, path: string, out: Findings, correlation: Correlation | undefined): void {
    const { required, additionalProperties } = this.#node;
    out.matches++;
    this.#checkSize(object, path, out);
    if (additionalProperties === false || this.#extra !== undefined) this.#checkExtra(object, path, out, correlation);
    if (this.#node.properties !== undefined) this.#checkProperties(object, path, out, correlation);
    for (const name of required) {
      if (!Object.hasOwn(object, name) || object[name] === undefined) out.required(`${path}.${name}`);
    }
  }

  #checkProperties(object: JsonObject, path: string, out: Findings, correlation: Correlation | undefined): void {
    for (const name in object) {
      const checker = this.#member(name);
      const member = object[name];
      if (checker === undefined || member === undefined || correlation?.keepsMember(name, member) === true) continue;
      checker.#checkPart(member, memberPath(path, name), out, () => memberCorrelation(correlation, path, name));
    }
  }

  #checkSize(object: JsonObject, path: string, out: Findings): void {
    const { minProperties, maxProperties } = this.#node;
    if (minProperties === undefined && maxProperties === undefined) return;
    let size = 0;
    for (const name in object) if (object[name] !== undefined) size++;
    if (minProperties !== undefined && size < minProperties) {
      out.constraint(path, size, `should have at least ${minProperties} properties`);
    }
    if (maxProperties !== undefined && size > maxProperties) out.tooMany(path, size, maxProperties);
  }

  #checkExtra(object: JsonObject, path: string, out: Findings, correlation: Correlation | undefined): void {
    for (const name in object) {
      const member = object[name];
      if (member === undefined || this.#node.properties?.has(name) === true) continue;
      if (this.#extra === undefined) {
        out.invalid(path, name, `${path}.${name} in body is a forbidden property`);
        continue;
      }
      if (correlation?.keepsMember(name, member) === true) continue;
      const values = (this.#values ??= new Checker(this.#extra, this.#options));
      values.#checkPart(member, `${path}.${name}`, out, () => memberCorrelation(correlation, path, name));
    }
  }
}

/** A numeric format bounds values of its own type only. */
function numericFormat(type: string, format: string): string {
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  return type === 'number' && (format === 'float' || format === 'double') ? format : '';
}
