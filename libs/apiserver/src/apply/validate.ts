/** Whether a value fits its type, with the server's words where it does not. */
import { goFormat, goTypeName } from '@capstan/meta';
import type { ApplyList, ApplyMap, ApplyType, ScalarKind } from './apply-type.js';
import { asList, asMap, memberType, ownMember, shapeOf } from './apply-type.js';
import { goSyntax } from './go-json.js';
import { ItemError, elementText, itemElement } from './path-element.js';
import { ApplyTypeError } from './type-error.js';
import type { Misfit } from './type-error.js';

/** Throws {@link ApplyTypeError} when the value does not fit; repeated list items fit only where they are allowed. */
export function requireFit(value: unknown, type: ApplyType, options?: { readonly allowDuplicates?: boolean }): void {
  const misfits: Misfit[] = [];
  new Checker(misfits, options?.allowDuplicates === true).check(value, type, '');
  if (misfits.length > 0) throw new ApplyTypeError(misfits);
}

class Checker {
  readonly #misfits: Misfit[];
  readonly #allowDuplicates: boolean;

  constructor(misfits: Misfit[], allowDuplicates: boolean) {
    this.#misfits = misfits;
    this.#allowDuplicates = allowDuplicates;
  }

  check(value: unknown, type: ApplyType, path: string): void {
    switch (shapeOf(type, value)) {
      case 'map':
        if (type.map !== undefined && value !== null) this.#checkMap(value, type.map, path);
        break;
      case 'list':
        if (type.list !== undefined && value !== null) this.#checkList(value, type.list, path);
        break;
      case 'scalar':
        if (type.scalar !== undefined) this.#checkScalar(value, type.scalar, path);
        break;
    }
  }

  #note(path: string, text: string): void {
    this.#misfits.push({ path, text });
  }

  #checkScalar(value: unknown, kind: ScalarKind, path: string): void {
    if (value === null) return;
    switch (kind) {
      case 'numeric':
        if (typeof value !== 'number' && typeof value !== 'bigint') {
          this.#note(path, `expected numeric (int or float), got ${goTypeName(value)}`);
        }
        break;
      case 'string':
        if (typeof value !== 'string') {
          this.#note(path, `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        }
        break;
      case 'boolean':
        if (typeof value !== 'boolean') this.#note(path, `expected boolean, got &{${goFormat(value)}}`);
        break;
      case 'untyped':
        if (typeof value === 'object') this.#note(path, `expected any scalar, got &{${goFormat(value)}}`);
        break;
    }
  }

  #checkMap(value: unknown, map: ApplyMap, path: string): void {
    const object = asMap(value);
    if (object === undefined) {
      this.#note(path, `expected map, got &{${goFormat(value)}}`);
      return;
    }
    for (const key in object) {
      const member = ownMember(object, key);
      if (member === undefined) continue;
      const at = `${path}.${key}`;
      const type = memberType(map, key);
      if (type === undefined) {
        this.#note(at, 'field not declared in schema');
        return;
      }
      this.check(member, type, at);
    }
  }

  #checkList(value: unknown, list: ApplyList, path: string): void {
    const items = asList(value);
    if (items === undefined) {
      this.#note(path, `expected list, got &{${goFormat(value)}}`);
      return;
    }
    const seen = new Set<string>();
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      if (list.atomic) {
        this.check(item, list.element, `${path}[${at}]`);
        continue;
      }
      const element = this.#element(list, item, at, path);
      if (element === undefined) return;
      if (seen.has(element) && !this.#allowDuplicates) {
        this.#note(path, `duplicate entries for key ${elementText(element, 'exactly')}`);
      }
      seen.add(element);
      this.check(item, list.element, `${path}${elementText(element, 'exactly')}`);
    }
  }

  #element(list: ApplyList, item: unknown, at: number, path: string): string | undefined {
    try {
      return itemElement(list, item);
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      this.#note(path, `element ${at}: ${error.message}`);
      return undefined;
    }
  }
}
