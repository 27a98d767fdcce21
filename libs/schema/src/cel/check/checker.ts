/** Types every node, resolves overloads, and reports what does not fit. */
import { instantiate, mostGeneral, Substitution, unwrapOptional } from '../types/assignability.js';
import { childrenOf, qualifiedName } from '../syntax/ast.js';
import type { CallNode, CelNode, FoldNode, ListNode, MapNode, SelectNode, StructNode } from '../syntax/ast.js';
import type { Declarations, FunctionDeclaration } from '../library/declarations.js';
import type { CelIssue } from '../syntax/issues.js';
import {
  boolType,
  dynType,
  errorType,
  formatSignature,
  formatType,
  intType,
  isOptional,
  listType,
  mapType,
  optionalType,
  sameType,
  scalarType,
  stringType,
  typeOfType,
} from '../types/types.js';
import type { CelType } from '../types/types.js';
import { kindOf } from '../values/values.js';

interface Scope {
  readonly name: string;
  readonly type: CelType;
  readonly outer: Scope | undefined;
}

/** Checks one expression. */
export class Checker {
  readonly issues: CelIssue[] = [];
  readonly #env: Declarations;
  readonly #types = new Substitution();
  #scope: Scope | undefined;

  constructor(env: Declarations) {
    this.#env = env;
  }

  /** Types the whole tree; the result holds when there are no issues. */
  checkAll(root: CelNode): CelType {
    this.#check(root);
    this.#settle(root);
    return root.type ?? errorType;
  }

  /** Replaces the parameters left in the types of all nodes. */
  #settle(node: CelNode): void {
    node.type = this.#types.resolve(node.type ?? errorType, true);
    // The path of a name declared as a whole was never typed.
    if (node.kind === 'select' && node.resolved !== undefined) return;
    for (const child of childrenOf(node)) this.#settle(child);
  }

  #complain(node: { readonly at: number }, message: string): void {
    this.issues.push({ offset: node.at, message });
  }

  #mismatch(node: CelNode, expected: CelType, actual: CelType): void {
    this.#complain(node, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #undeclared(node: { readonly at: number }, name: string): CelType {
    this.#complain(node, `undeclared reference to '${name}' (in container '')`);
    return errorType;
  }

  #check(node: CelNode): CelType {
    const type = this.#typeOf(node);
    node.type = type;
    return type;
  }

  #typeOf(node: CelNode): CelType {
    switch (node.kind) {
      case 'literal':
        return scalarType(kindOf(node.value));
      case 'ident':
        return this.#lookup(node.name) ?? this.#undeclared(node, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#struct(node);
      case 'fold':
        return this.#fold(node);
    }
  }

  #lookup(name: string): CelType | undefined {
    const plain = name.startsWith('.') ? name.slice(1) : name;
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      if (scope.name === plain) return scope.type;
    }
    const declared = this.#env.variables.get(plain) ?? this.#env.typeNames.get(plain);
    if (declared !== undefined) return declared;
    const struct = this.#env.structs?.(plain);
    return struct && typeOfType(struct);
  }

  #select(node: SelectNode): CelType {
    const name = qualifiedName(node);
    const known = name === undefined ? undefined : this.#lookup(name);
    if (known !== undefined && name !== undefined) {
      node.resolved = name.startsWith('.') ? name.slice(1) : name;
      return known;
    }
    const type = this.#field(node, node.operand, node.field, false);
    return node.test ? boolType : this.#types.resolve(type, false);
  }

  #field(node: CelNode, operand: CelNode, field: string, optional: boolean): CelType {
    const operandType = this.#types.resolve(this.#check(operand), false);
    const target = unwrapOptional(operandType);
    let type = dynType;
    if (target.kind === 'map') type = target.params[1] ?? dynType;
    else if (target.kind === 'object') type = this.#fieldType(node, target, field);
    else if (target.kind === 'param') this.#types.assignable(dynType, target);
    else if (target.kind !== 'dyn' && target.kind !== 'error') {
      this.#complain(node, `type '${formatType(target)}' does not support field selection`);
    }
    return optional || isOptional(operandType) ? optionalType(type) : type;
  }

  #fieldType(node: { readonly at: number }, object: CelType, name: string): CelType {
    const field = object.fields.get(name);
    if (field !== undefined) return field.type;
    this.#complain(node, `undefined field '${name}'`);
    return errorType;
  }

  #call(node: CallNode): CelType {
    const { args, target } = node;
    if (node.fn === '_?._') {
      const [operand, field] = args;
      node.overloads = ['select_optional_field'];
      if (operand === undefined || field?.kind !== 'literal') return errorType;
      field.type = stringType;
      return this.#types.resolve(this.#field(node, operand, String(field.value), true), false);
    }
    const argTypes = args.map((arg) => this.#check(arg));
    if (target === undefined) {
      const name = node.fn.startsWith('.') ? node.fn.slice(1) : node.fn;
      const declaration = this.#env.functions.get(name);
      if (declaration === undefined) return this.#undeclared(node, node.fn);
      node.fn = name;
      return this.#resolve(node, declaration, argTypes);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix && this.#env.functions.get(`${prefix}.${node.fn}`);
    if (qualified) {
      node.fn = qualified.name;
      node.target = undefined;
      return this.#resolve(node, qualified, argTypes);
    }
    argTypes.unshift(this.#check(target));
    const declaration = this.#env.functions.get(node.fn);
    return declaration === undefined ? this.#undeclared(node, node.fn) : this.#resolve(node, declaration, argTypes);
  }

  #resolve(node: CallNode, declaration: FunctionDeclaration, args: CelType[]): CelType {
    const { name } = declaration;
    if (name === '_&&_' || name === '_||_') return this.#logical(node, args);
    const matches: string[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.member !== (node.target !== undefined)) continue;
      // Also for overloads that take another number of arguments: messages show how many were drawn.
      const fresh = new Map(overload.params.map((param) => [param, this.#types.newParam()]));
      const expected = fresh.size === 0 ? overload.args : overload.args.map((arg) => instantiate(arg, fresh));
      if (!this.#types.allAssignable(args, expected)) continue;
      matches.push(overload.id);
      const own = this.#types.resolve(instantiate(overload.result, fresh), false);
      if (result === undefined) result = own;
      else if (result.kind !== 'dyn' && !sameType(own, result)) result = dynType;
    }
    if (result === undefined) {
      const shown = args.map((arg) => this.#types.resolve(arg, true));
      const signature = formatSignature(shown, node.target !== undefined);
      this.#complain(node, `found no matching overload for '${name}' applied to '${signature}'`);
      return errorType;
    }
    node.overloads = matches;
    return result;
  }

  #logical(node: CallNode, args: readonly CelType[]): CelType {
    node.overloads = [node.fn === '_&&_' ? 'logical_and' : 'logical_or'];
    let valid = true;
    args.forEach((type, i) => {
      const arg = node.args[i];
      if (arg === undefined || this.#types.assignable(type, boolType)) return;
      this.#mismatch(arg, boolType, this.#types.resolve(type, false));
      valid = false;
    });
    return valid ? boolType : errorType;
  }

  /** The type of an element or entry written with a `?`. */
  #unwrapped(node: CelNode, type: CelType): CelType {
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(node, optionalType(type), type);
    return unwrapOptional(type);
  }

  /** Mixed aggregates are dyn here; the validators refuse them where the server does. */
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#types.assignable(previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #list(node: ListNode): CelType {
    let type: CelType | undefined;
    node.elements.forEach((element, i) => {
      const own = this.#check(element);
      type = this.#join(type, node.optional[i] === true ? this.#unwrapped(element, own) : own);
    });
    return listType(type ?? this.#types.newParam());
  }

  #map(node: MapNode): CelType {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    for (const { key, value, optional } of node.entries) {
      keyType = this.#join(keyType, this.#check(key));
      const own = this.#check(value);
      valueType = this.#join(valueType, optional ? this.#unwrapped(value, own) : own);
    }
    return mapType(keyType ?? this.#types.newParam(), valueType ?? this.#types.newParam());
  }

  #struct(node: StructNode): CelType {
    const named = this.#lookup(node.name);
    if (named === undefined) return this.#undeclared(node, node.name);
    const object = named.kind === 'type' ? named.params[0] : undefined;
    if (object?.kind !== 'object') {
      this.#complain(node, `'${formatType(object ?? named)}' is not a ${object === undefined ? '' : 'message '}type`);
      return errorType;
    }
    for (const field of node.fields) {
      const own = this.#check(field.value);
      const type = this.#fieldType(field, object, field.field);
      const value = field.optional ? this.#unwrapped(field.value, own) : own;
      if (this.#types.assignable(type, value)) continue;
      const shown = `'${formatType(type)}' but provided type is '${formatType(value)}'`;
      this.#complain(field, `expected type of field '${field.field}' is ${shown}`);
    }
    return object;
  }

  /** Types of the iteration variables. */
  #iterated(node: FoldNode, range: CelType): [CelType, CelType] {
    const two = node.iterVar2 !== '';
    const [first = dynType, second = dynType] = range.params;
    if (range.kind === 'list') return two ? [intType, first] : [first, dynType];
    if (range.kind === 'map') return [first, second];
    if (range.kind === 'dyn' || range.kind === 'error' || range.kind === 'param') {
      this.#types.assignable(dynType, range);
      return [dynType, dynType];
    }
    const text = `expression of type '${formatType(range)}' cannot be range of a comprehension`;
    this.#complain(node.range, `${text} (must be list, map, or dynamic)`);
    return [errorType, errorType];
  }

  #declare(name: string, type: CelType): void {
    this.#scope = { name, type, outer: this.#scope };
  }

  #assert(node: CelNode, type: CelType): void {
    const own = node.type ?? errorType;
    if (!this.#types.assignable(type, own)) this.#mismatch(node, type, own);
  }

  #fold(node: FoldNode): CelType {
    const range = this.#types.resolve(this.#check(node.range), false);
    const accu = this.#check(node.init);
    const outer = this.#scope;
    const [first, second] = this.#iterated(node, range);
    this.#declare(node.accuVar, accu);
    const withAccu = this.#scope;
    this.#declare(node.iterVar, first);
    if (node.iterVar2 !== '') this.#declare(node.iterVar2, second);
    this.#check(node.condition);
    this.#assert(node.condition, boolType);
    this.#check(node.step);
    this.#assert(node.step, accu);
    this.#scope = withAccu;
    const result = this.#check(node.result);
    this.#scope = outer;
    return this.#types.resolve(result, false);
  }
}
