import {
  ApiError,
  JsonPatchError,
  JsonSyntaxError,
  apiErrors,
  applyJsonPatch,
  deepEqual,
  goQuote,
  parseJson,
} from '@capstan/meta';
import type { JsonPatchOperation, KubeObject } from '@capstan/meta';
import { describeValue } from '../../codec/index.js';
import type { AdmissionAttributes, EquivalentKind } from '../../registry/admission-chain.js';
import { callWebhooks, type Flow } from '../../registry/effects.js';
import type { VersionedObjects } from '../cel/activation.js';
import {
  conditionsHold,
  faulted,
  prepareCall,
  refused,
  type DispatchParts,
  type Invocation,
  type Outcome,
} from './dispatch.js';
import { matchWebhook } from './match.js';
import type { ReviewResponse } from './review.js';
import type { Webhook } from './webhook.js';

/** Asks the webhooks one after the other, each with what those before it made of the object. */
export function mutateByWebhooks(
  parts: DispatchParts,
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
): Flow<KubeObject | undefined> {
  return new Mutation(parts, attributes).run(webhooks);
}

/** Audit events say of each webhook whether it changed anything. */
const MUTATION = 'mutation.webhook.admission.k8s.io/';

/** One request on its way through the mutating webhooks. */
class Mutation {
  readonly #parts: DispatchParts;
  readonly #attributes: AdmissionAttributes;
  /** The object in the version of the request; behind the times while a view of another version is dirty. */
  #object: KubeObject | undefined;
  #view: { readonly as: EquivalentKind | undefined; readonly objects: VersionedObjects; isDirty: boolean } | undefined;
  /** Asked already, and to be asked again should others change the object. */
  #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #isChanged = false;

  constructor(parts: DispatchParts, attributes: AdmissionAttributes) {
    this.#parts = parts;
    this.#attributes = attributes;
    this.#object = attributes.object;
  }

  *run(webhooks: readonly Webhook[]): Flow<KubeObject | undefined> {
    yield* this.#round(webhooks);
    // At most once more, whatever happens then.
    if (this.#isChanged && this.#again.size > 0) yield* this.#round(webhooks, this.#again);
    yield* this.#settle();
    return this.#object;
  }

  *#round(webhooks: readonly Webhook[], only?: ReadonlySet<string>): Flow<void> {
    for (const [at, webhook] of webhooks.entries()) {
      if (only !== undefined && !only.has(webhook.id)) continue;
      const current = this.#view?.objects.object ?? this.#object;
      const match = matchWebhook(webhook, this.#attributes, current, this.#parts.store);
      const place = `round_${only === undefined ? 0 : 1}_index_${at}`;
      if (match !== undefined) yield* this.#ask(webhook, match.as, place);
    }
  }

  *#ask(webhook: Webhook, as: EquivalentKind | undefined, place: string): Flow<void> {
    const attributes = this.#attributes;
    const observed = { webhook: webhook.name, type: 'admit', operation: attributes.operation } as const;
    const versioned = yield* this.#look(as);
    const invocation = { webhook, attributes, versioned, observed, place };
    if (!conditionsHold(this.#parts, invocation)) return;
    const outcome = yield* this.#call(invocation);
    const mutated = this.#view?.objects.object !== versioned.object && outcome.type === 'allowed';
    const { configuration, name } = webhook;
    attributes.annotate(`${MUTATION}${place}`, JSON.stringify({ configuration, webhook: name, mutated }));
    if (webhook.isReinvoked) this.#invoked.add(webhook.id);
    if (outcome.type === 'refused') throw outcome.error;
  }

  *#call(invocation: Invocation): Flow<Outcome> {
    const prepared = prepareCall(this.#parts, invocation);
    if ('outcome' in prepared) return prepared.outcome;
    const [answer] = yield* callWebhooks([prepared.call]);
    if (answer === undefined) return { type: 'ignored' };
    const outcome = prepared.settle(answer);
    if (outcome.type !== 'allowed') return outcome;
    return this.#take(invocation, outcome.response, answer.durationMs / 1000);
  }

  /** Lays the patch of a webhook over the object. */
  #take(invocation: Invocation, response: ReviewResponse, seconds: number): Outcome {
    const { webhook, versioned, observed } = invocation;
    const patch = patchOf(response);
    if (typeof patch === 'string') return faulted(this.#parts, invocation, { fault: patch, code: 503 }, seconds);
    const failed = (error: ApiError): Outcome => refused(this.#parts, observed, error, seconds);
    if (patch.length > 0) {
      if (versioned.object === undefined) return failed(apiErrors.internal(cannotModify(webhook.name)));
      if (response.patchType !== 'JSONPatch') {
        const fault = `unsupported patch type ${goQuote(response.patchType)}`;
        return faulted(this.#parts, invocation, { fault, code: 400 }, seconds);
      }
      const next = this.#patched(versioned.object, patch);
      if (next instanceof ApiError) return failed(next);
      this.#put(next, !deepEqual(next, versioned.object));
    }
    this.#parts.metrics.called(observed, seconds, 200, false);
    return { type: 'allowed', response };
  }

  #patched(object: KubeObject, patch: readonly JsonPatchOperation[]): KubeObject | ApiError {
    try {
      const decoder = this.#view?.as ?? this.#attributes;
      return decoder.decode(applyJsonPatch(object, patch));
    } catch (error) {
      if (error instanceof JsonPatchError) return apiErrors.internal(error.message, { cause: error });
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  #put(object: KubeObject, isChanged: boolean): void {
    if (this.#view === undefined || !isChanged) return;
    this.#view = { ...this.#view, objects: { ...this.#view.objects, object }, isDirty: true };
    this.#isChanged = true;
    for (const id of this.#invoked) this.#again.add(id);
    this.#invoked = new Set();
  }

  /** The objects in the version a webhook speaks of. */
  *#look(as: EquivalentKind | undefined): Flow<VersionedObjects> {
    if (this.#view !== undefined && isSameVersion(this.#view.as, as)) return this.#view.objects;
    yield* this.#settle();
    const { kind, resource } = as ?? this.#attributes;
    const object = yield* seenAs(as, this.#object);
    const oldObject = yield* seenAs(as, this.#attributes.oldObject);
    this.#view = { as, objects: { kind, resource, object, oldObject }, isDirty: false };
    return this.#view.objects;
  }

  /** Brings what was changed in another version back to that of the request. */
  *#settle(): Flow<void> {
    const view = this.#view;
    if (view === undefined || !view.isDirty) return;
    const { object } = view.objects;
    this.#object = object === undefined || view.as === undefined ? object : yield* view.as.toRequest(object);
    this.#view = undefined;
  }
}

function isSameVersion(a: EquivalentKind | undefined, b: EquivalentKind | undefined): boolean {
  return a?.resource.version === b?.resource.version && a?.resource.group === b?.resource.group;
}

function* seenAs(as: EquivalentKind | undefined, object: KubeObject | undefined): Flow<KubeObject | undefined> {
  return as === undefined || object === undefined ? object : yield* as.fromRequest(object);
}

function cannotModify(webhook: string): string {
  return `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`;
}

/** The steps of the patch; a string is the reason why it cannot be read. */
function patchOf({ patch }: ReviewResponse): readonly JsonPatchOperation[] | string {
  if (patch === undefined) return [];
  const undecodable = (reason: string): string => `received undecodable patch in webhook response: ${reason}`;
  try {
    const { value } = parseJson(patch);
    if (value === null) return [];
    if (!Array.isArray(value))
      return undecodable(`json: cannot unmarshal ${describeValue(value)} into Go value of type jsonpatch.Patch`);
    const odd = value.find((each) => each !== null && (typeof each !== 'object' || Array.isArray(each)));
    if (odd !== undefined)
      return undecodable(`json: cannot unmarshal ${describeValue(odd)} into Go value of type jsonpatch.Operation`);
    return value as JsonPatchOperation[];
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undecodable(error.message);
    throw error;
  }
}
