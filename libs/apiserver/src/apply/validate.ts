/** Whether a value fits its type, with the server's words where it does not. */
import { goFormat, goTypeName, getOwn } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType, ScalarKind } from './apply-type.js';
import { asList, asMap, memberType, shapeOf } from './apply-type.js';
import { goSyntax } from './go-json.js';
import { ItemError, elementText, itemElement } from './path-element.js';
import { ApplyTypeError } from './type-error.js';
import type { Misfit } from './type-error.js';

export interface FitOptions {
  /** Repeated list items fit, too. */
  readonly allowDuplicates?: boolean;
  /** A value that fits: parts that are the very same are not looked at. Only where duplicates are allowed. */
  readonly since?: unknown;
}

/** Throws {@link ApplyTypeError} when the value does not fit; repeated list items fit only where they are allowed. */
export function requireFit(value: unknown, type: ApplyType, options?: FitOptions): void {
  const misfits: Misfit[] = [];
  const allowDuplicates = options?.allowDuplicates === true;
  new Checker(misfits, allowDuplicates).check(value, type, allowDuplicates ? options?.since : undefined);
  if (misfits.length > 0) throw new ApplyTypeError(misfits);
}

/** Whether the value fits, repeated list items or not; `since` does. */
export function fitsType(value: unknown, type: ApplyType, since?: unknown): boolean {
  try {
    requireFit(value, type, { allowDuplicates: true, since });
    return true;
  } catch (error) {
    if (error instanceof ApplyTypeError) return false;
    throw error;
  }
}

/** A step of a path: the name of a field, the place in a list, or an item that is known by its content. */
type Step = string | number | { readonly list: ApplyList; readonly item: unknown };

function stepText(step: Step): string {
  if (typeof step === 'string') return `.${step}`;
  return typeof step === 'number' ? `[${step}]` : elementText(itemElement(step.list, step.item), 'exactly');
}

/** Whether it is plain that an item of an associative list has a path element. */
function isPlainItem(list: ApplyList, item: unknown): boolean {
  const [key] = list.keys;
  if (key === undefined) return typeof item === 'string';
  const object = asMap(item);
  return object !== undefined && list.element.map !== undefined && typeof getOwn(object, key) === 'string';
}

class Checker {
  readonly #misfits: Misfit[];
  readonly #allowDuplicates: boolean;
  /** Where the walk is. Hardly anything misfits, so that it is put into words only then. */
  readonly #path: Step[] = [];

  constructor(misfits: Misfit[], allowDuplicates: boolean) {
    this.#misfits = misfits;
    this.#allowDuplicates = allowDuplicates;
  }

  check(value: unknown, type: ApplyType, since: unknown): void {
    switch (shapeOf(type, value)) {
      case 'map':
        if (type.map !== undefined && value !== null) this.#checkMap(value, type.map, since);
        break;
      case 'list':
        if (type.list !== undefined && value !== null) this.#checkList(value, type.list, since);
        break;
      case 'scalar':
        if (type.scalar !== undefined) this.#checkScalar(value, type.scalar);
        break;
    }
  }

  #note(text: string): void {
    this.#misfits.push({ path: this.#path.map(stepText).join(''), text });
  }

  #below(step: Step, value: unknown, type: ApplyType, since: unknown): void {
    this.#path.push(step);
    this.check(value, type, since);
    this.#path.pop();
  }

  #checkScalar(value: unknown, kind: ScalarKind): void {
    if (value === null) return;
    switch (kind) {
      case 'numeric':
        if (typeof value !== 'number' && typeof value !== 'bigint') {
          this.#note(`expected numeric (int or float), got ${goTypeName(value)}`);
        }
        break;
      case 'string':
        if (typeof value !== 'string') {
          this.#note(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        }
        break;
      case 'boolean':
        if (typeof value !== 'boolean') this.#note(`expected boolean, got &{${goFormat(value)}}`);
        break;
      case 'untyped':
        if (typeof value === 'object') this.#note(`expected any scalar, got &{${goFormat(value)}}`);
        break;
    }
  }

  #checkMap(value: unknown, map: ApplyMap, since: unknown): void {
    const object = asMap(value);
    if (object === undefined) {
      this.#note(`expected map, got &{${goFormat(value)}}`);
      return;
    }
    const before = asMap(since);
    for (const key in object) {
      // No value is one that is inherited.
      if (object[key] === before?.[key]) continue;
      const member = getOwn(object, key);
      const was = before && getOwn(before, key);
      if (member === undefined) continue;
      const type = memberType(map, key);
      if (type === undefined) {
        this.#path.push(key);
        this.#note('field not declared in schema');
        this.#path.pop();
        return;
      }
      this.#below(key, member, type, was);
    }
  }

  #checkList(value: unknown, list: ApplyList, since: unknown): void {
    const items = asList(value);
    if (items === undefined) {
      this.#note(`expected list, got &{${goFormat(value)}}`);
      return;
    }
    const seen = list.atomic || this.#allowDuplicates ? undefined : new Set<string>();
    const before = asList(since);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (before !== undefined && at < before.length && item === before[at]) continue;
      if (!list.atomic && !this.#isItem(list, item, at, seen)) return;
      this.#below(list.atomic ? at : { list, item }, item, list.element, before?.[at]);
    }
  }

  /** Whether an item has a path element; notes where that of another is the same, unless nobody wants to know. */
  #isItem(list: ApplyList, item: unknown, at: number, seen: Set<string> | undefined): boolean {
    if (seen === undefined && isPlainItem(list, item)) return true;
    const element = this.#element(list, item, at);
    if (element === undefined) return false;
    if (seen?.has(element) === true) this.#note(`duplicate entries for key ${elementText(element, 'exactly')}`);
    seen?.add(element);
    return true;
  }

  #element(list: ApplyList, item: unknown, at: number): string | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      this.#note(`element ${at}: ${error.message}`);
      return undefined;
    }
  }
}
