import { DataMap } from '../cel/values/data.js';
import type { Activation, CostBudget } from '../cel/program.js';
import { dynType, listType, mapType, objectType, type CelType } from '../cel/types/types.js';
import { CelError, isError, type CelValue } from '../cel/values/values.js';
import {
  compileExpression,
  type AdmissionExpression,
  type ExpressionError,
  type ExpressionOptions,
} from './expression.js';

/** A named expression of a policy. */
export interface VariableSpec {
  readonly name: string;
  readonly expression: string;
}

type CompiledVariable = AdmissionExpression | ExpressionError;

const SCALARS = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'null', 'string', 'timestamp', 'uint']);

/** What of a type others can rely on; objects are read as they come. */
function declaredType(type: CelType): CelType {
  const [first, second] = type.params;
  if (type.kind === 'list' && first !== undefined) return listType(declaredType(first));
  if (type.kind === 'map' && first !== undefined && second !== undefined)
    return mapType(declaredType(first), declaredType(second));
  return SCALARS.has(type.kind) ? type : dynType;
}

function variablesType(fields: ReadonlyMap<string, CelType>): CelType {
  return objectType('kubernetes.variables', fields, { computed: true });
}

/** The variables of a policy: each may speak of those before it. */
export class Composition {
  /** The type of `variables` once all are declared. */
  readonly type: CelType;
  readonly compiled: ReadonlyMap<string, CompiledVariable>;
  /** All of them, also those whose name comes again. */
  readonly inOrder: readonly CompiledVariable[];

  constructor(variables: readonly VariableSpec[], scope: ExpressionOptions) {
    const fields = new Map<string, CelType>();
    const compiled = new Map<string, CompiledVariable>();
    const inOrder: CompiledVariable[] = [];
    for (const { name, expression } of variables) {
      const known = variablesType(new Map(fields));
      const result = compileExpression(expression, [], { ...scope, hasAuthorizer: true, variables: known });
      fields.set(name, 'error' in result ? dynType : declaredType(result.program.outputType));
      compiled.set(name, result);
      inOrder.push(result);
    }
    this.type = variablesType(fields);
    this.compiled = compiled;
    this.inOrder = inOrder;
  }

  /** The activation with the variables in it, each worked out when it is first asked for, at the budget's cost. */
  activate(activation: Activation, budget: CostBudget): Activation {
    const whole: Record<string, unknown> = { ...activation };
    whole['variables'] = new LazyVariables(this, whole, budget);
    return whole;
  }
}

class LazyVariables extends DataMap {
  readonly #composition: Composition;
  readonly #activation: Activation;
  readonly #budget: CostBudget;
  readonly #values = new Map<string, CelValue>();

  constructor(composition: Composition, activation: Activation, budget: CostBudget) {
    super({}, composition.type);
    this.#composition = composition;
    this.#activation = activation;
    this.#budget = budget;
  }

  override find(name: string): CelValue {
    if (!this.#values.has(name)) this.#values.set(name, this.#evaluate(name));
    return this.#values.get(name);
  }

  override keys(): string[] {
    return [...this.#composition.compiled.keys()];
  }

  #evaluate(name: string): CelValue {
    const variable = this.#composition.compiled.get(name);
    if (variable === undefined) return undefined;
    if ('error' in variable) return new CelError(`composited variable "${name}" fails to compile: ${variable.error}`);
    const value = variable.program.evaluate(this.#activation, this.#budget);
    if (!isError(value)) return value;
    return new CelError(`composited variable "${name}" fails to evaluate: ${(value as CelError).message}`);
  }
}
