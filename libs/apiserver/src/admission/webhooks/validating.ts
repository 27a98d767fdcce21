import type { AdmissionAttributes, EquivalentKind } from '../../registry/admission-chain.js';
import { callWebhooks, type Flow } from '../../registry/effects.js';
import type { VersionedObjects } from '../cel/activation.js';
import {
  asRequested,
  conditionsHold,
  prepareCall,
  type DispatchParts,
  type Invocation,
  type PreparedCall,
} from './dispatch.js';
import { matchWebhook } from './match.js';
import type { Webhook } from './webhook.js';

/** Asks all webhooks that the request concerns, at once; the first refusal in their order is the answer. */
export function* validateByWebhooks(
  parts: DispatchParts,
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
): Flow<void> {
  const prepared: { invocation: Invocation; call: PreparedCall }[] = [];
  const views = new Map<string, VersionedObjects>();
  for (const webhook of webhooks) {
    const match = matchWebhook(webhook, attributes, attributes.object, parts.store);
    if (match === undefined) continue;
    const versioned = yield* viewOf(attributes, match.as, views);
    const observed = { webhook: webhook.name, type: 'validating', operation: attributes.operation } as const;
    const place = `round_0_index_${prepared.length}`;
    const invocation = { webhook, attributes, versioned, observed, place };
    if (conditionsHold(parts, invocation)) prepared.push({ invocation, call: prepareCall(parts, invocation) });
  }
  if (prepared.length === 0) return;
  const calls = prepared.flatMap(({ call }) => ('call' in call ? [call.call] : []));
  const answers = calls.length === 0 ? [] : yield* callWebhooks(calls);
  let at = 0;
  const outcomes = prepared.map(({ call, invocation }) => {
    if ('outcome' in call) return call.outcome;
    const answer = answers[at++];
    if (answer === undefined) return { type: 'ignored' } as const;
    const outcome = call.settle(answer);
    if (outcome.type === 'allowed') parts.metrics.called(invocation.observed, answer.durationMs / 1000, 200, false);
    return outcome;
  });
  for (const outcome of outcomes) if (outcome.type === 'refused') throw outcome.error;
}

/** The objects in the version a webhook speaks of, converted once. */
function* viewOf(
  attributes: AdmissionAttributes,
  as: EquivalentKind | undefined,
  views: Map<string, VersionedObjects>,
): Flow<VersionedObjects> {
  const { object, oldObject } = attributes;
  if (as === undefined) return asRequested(attributes, object);
  const key = `${as.resource.group}/${as.resource.version}`;
  const known = views.get(key);
  if (known !== undefined) return known;
  const made: VersionedObjects = {
    kind: as.kind,
    resource: as.resource,
    object: object && (yield* as.fromRequest(object)),
    oldObject: oldObject && (yield* as.fromRequest(oldObject)),
  };
  views.set(key, made);
  return made;
}
