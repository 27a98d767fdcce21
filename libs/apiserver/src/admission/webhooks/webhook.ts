import { LabelMatcher, compileLabelSelector, type KubeObject, type LabelSelector } from '@capstan/meta';
import type { WebhookClientConfig } from '../../webhook/call.js';
import { MatchConditions, type MatchCondition } from '../cel/match-conditions.js';

/** One rule of a webhook, as configurations write it. */
export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope?: string;
}

/** One webhook of a configuration, as it is written there. */
interface WebhookSpec {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}

/** A webhook, ready to be matched and called. */
export interface Webhook {
  /** Unlike that of any other of its kind. */
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  readonly client: WebhookClientConfig;
  readonly rules: readonly WebhookRule[];
  /** What it cannot be asked about passes. */
  readonly failsOpen: boolean;
  /** Its rules speak of all versions of a resource. */
  readonly matchesEquivalent: boolean;
  readonly namespaceSelector: LabelMatcher;
  readonly objectSelector: LabelMatcher;
  readonly conditions: MatchConditions;
  readonly hasSideEffects: boolean;
  readonly timeoutMs: number;
  /** The first that is known is spoken; undefined: none is. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** Asked once more when others changed the object after it. */
  readonly isReinvoked: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** The webhooks of a configuration, in its order. */
export function compileConfiguration(configuration: KubeObject): Webhook[] {
  const specs = (configuration['webhooks'] ?? []) as readonly WebhookSpec[];
  const name = configuration.metadata.name ?? '';
  const seen = new Map<string, number>();
  return specs.map((spec) => {
    const count = seen.get(spec.name) ?? 0;
    seen.set(spec.name, count + 1);
    return compileWebhook(spec, name, `${name}/${spec.name}/${count}`);
  });
}

function compileWebhook(spec: WebhookSpec, configuration: string, id: string): Webhook {
  const failsOpen = spec.failurePolicy === 'Ignore';
  const versions = spec.admissionReviewVersions ?? [];
  return {
    id,
    name: spec.name,
    configuration,
    client: spec.clientConfig,
    rules: spec.rules ?? [],
    failsOpen,
    matchesEquivalent: spec.matchPolicy === 'Equivalent',
    namespaceSelector: compileLabelSelector(spec.namespaceSelector ?? {}),
    objectSelector: compileLabelSelector(spec.objectSelector ?? {}),
    conditions: new MatchConditions(spec.matchConditions ?? [], { ignoresErrors: failsOpen }),
    hasSideEffects: spec.sideEffects !== 'None' && spec.sideEffects !== 'NoneOnDryRun',
    timeoutMs: (spec.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    reviewVersion: versions.find((version): version is 'v1' | 'v1beta1' => version === 'v1' || version === 'v1beta1'),
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
  };
}
