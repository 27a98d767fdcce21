import type { KubeObject } from '@capstan/meta';
import type { Store, Stored } from '../../store/index.js';
import { compileBinding, compilePolicy, type Binding, type Policy } from './policy.js';

const POLICIES = 'admissionregistration.k8s.io/validatingadmissionpolicies';
const BINDINGS = 'admissionregistration.k8s.io/validatingadmissionpolicybindings';

/** A policy that is in force, by its bindings. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
}

/** The policies that have a binding, compiled once per change of theirs. */
export class PolicyIndex {
  readonly #store: Store;
  readonly #policies = new Compiler(compilePolicy);
  readonly #bindings = new Compiler(compileBinding);
  #bound: readonly BoundPolicy[] | undefined;

  constructor(store: Store) {
    this.#store = store;
    for (const resource of [POLICIES, BINDINGS]) store.subscribe(() => (this.#bound = undefined), { resource });
  }

  /** By the names of policies, then of bindings. */
  all(): readonly BoundPolicy[] {
    return (this.#bound ??= this.#gather());
  }

  #gather(): BoundPolicy[] {
    const byPolicy = new Map<string, Binding[]>();
    for (const stored of this.#store.list(BINDINGS).items) {
      const binding = this.#bindings.of(stored);
      const others = byPolicy.get(binding.policyName);
      if (others === undefined) byPolicy.set(binding.policyName, [binding]);
      else others.push(binding);
    }
    if (byPolicy.size === 0) return [];
    return this.#store.list(POLICIES).items.flatMap((stored) => {
      const bindings = byPolicy.get(stored.name);
      return bindings === undefined ? [] : [{ policy: this.#policies.of(stored), bindings }];
    });
  }
}

class Compiler<T> {
  readonly #compile: (object: KubeObject) => T;
  readonly #known = new WeakMap<Stored, { readonly result: T }>();

  constructor(compile: (object: KubeObject) => T) {
    this.#compile = compile;
  }

  of(stored: Stored): T {
    let known = this.#known.get(stored);
    if (known === undefined) this.#known.set(stored, (known = { result: this.#compile(stored.object()) }));
    return known.result;
  }
}
