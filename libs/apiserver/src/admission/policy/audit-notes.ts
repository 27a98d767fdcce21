import type { Binding } from './policy.js';

const FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';
const MAX_VALUE_LENGTH = 10 * 1024;

/** What one policy has to say to the audit log about one request. */
export class AuditNotes {
  readonly #policy: string;
  readonly #annotate: (key: string, value: string) => void;
  readonly #values = new Map<string, string[]>();

  constructor(policy: string, annotate: (key: string, value: string) => void) {
    this.#policy = policy;
    this.#annotate = annotate;
  }

  /** Parameters may lead to several values; the same one counts once. */
  add(key: string, value: string): void {
    const text = value.slice(0, MAX_VALUE_LENGTH);
    const values = this.#values.get(key);
    if (values === undefined) this.#values.set(key, [text]);
    else if (!values.includes(text)) values.push(text);
  }

  /** A validation that failed where that is only to be recorded. */
  failure({ name, actions }: Binding, expressionIndex: number, message: string): void {
    const failure = { message, policy: this.#policy, binding: name, expressionIndex, validationActions: actions };
    this.#annotate(FAILURE_KEY, JSON.stringify([failure]));
  }

  publish(): void {
    for (const [key, values] of this.#values) this.#annotate(`${this.#policy}/${key}`, values.join(', '));
  }
}
