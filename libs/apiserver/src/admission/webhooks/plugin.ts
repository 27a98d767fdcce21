import type { KubeObject } from '@capstan/meta';
import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission-chain.js';
import type { Flow } from '../../registry/effects.js';
import type { DispatchParts } from './dispatch.js';
import { isExempt } from './match.js';
import { mutateByWebhooks } from './mutating.js';
import { validateByWebhooks } from './validating.js';
import { WebhookIndex } from './webhook-index.js';

/** The mutating and validating webhooks that are configured in the store. */
export class WebhookAdmission implements AdmissionPlugin {
  readonly names = { admit: 'MutatingAdmissionWebhook', validate: 'ValidatingAdmissionWebhook' };
  readonly #parts: DispatchParts;
  readonly #mutating: WebhookIndex;
  readonly #validating: WebhookIndex;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#mutating = new WebhookIndex(parts.store, 'mutatingwebhookconfigurations');
    this.#validating = new WebhookIndex(parts.store, 'validatingwebhookconfigurations');
  }

  get isIdle(): boolean {
    return this.#mutating.all().length === 0 && this.#validating.all().length === 0;
  }

  *mutate(attributes: AdmissionAttributes): Flow<KubeObject | undefined> {
    const webhooks = this.#mutating.all();
    if (webhooks.length === 0 || isExempt(attributes)) return attributes.object;
    return yield* mutateByWebhooks(this.#parts, webhooks, attributes);
  }

  *validate(attributes: AdmissionAttributes): Flow<void> {
    const webhooks = this.#validating.all();
    if (webhooks.length > 0 && !isExempt(attributes)) yield* validateByWebhooks(this.#parts, webhooks, attributes);
  }
}
