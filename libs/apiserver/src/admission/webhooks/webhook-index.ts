import type { Store, Stored } from '../../store/index.js';
import { compileConfiguration, type Webhook } from './webhook.js';

/** The configured webhooks of one kind, compiled once per change of a configuration. */
export class WebhookIndex {
  readonly #store: Store;
  readonly #partition: string;
  readonly #compiled = new WeakMap<Stored, readonly Webhook[]>();
  #webhooks: readonly Webhook[] | undefined;

  constructor(store: Store, plural: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations') {
    this.#store = store;
    this.#partition = `admissionregistration.k8s.io/${plural}`;
    store.subscribe(() => (this.#webhooks = undefined), { resource: this.#partition });
  }

  /** By the names of their configurations, then in their order. */
  all(): readonly Webhook[] {
    return (this.#webhooks ??= this.#store.list(this.#partition).items.flatMap((stored) => this.#of(stored)));
  }

  #of(stored: Stored): readonly Webhook[] {
    let webhooks = this.#compiled.get(stored);
    if (webhooks === undefined) this.#compiled.set(stored, (webhooks = compileConfiguration(stored.object())));
    return webhooks;
  }
}
