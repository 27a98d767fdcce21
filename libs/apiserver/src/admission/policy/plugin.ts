import { ApiError, apiErrors, pushAll } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import type { AdmissionAttributes, AdmissionPlugin, EquivalentKind } from '../../registry/admission-chain.js';
import type { Flow } from '../../registry/effects.js';
import { NAMESPACES } from '../../registry/namespaces.js';
import type { Store } from '../../store/index.js';
import type { Authorizer } from '../../auth/access.js';
import { activationOf, type VersionedObjects } from '../cel/activation.js';
import { isExempt } from '../webhooks/match.js';
import { AuditNotes } from './audit-notes.js';
import { evaluatePolicy, type PolicyDecision, type PolicyVerdict } from './evaluate.js';
import { matchConstraints } from './match.js';
import type { EnforcementAction, PolicyMetrics } from './metrics.js';
import { collectParams, paramResource, type KindFinder } from './params.js';
import { PolicyIndex, type BoundPolicy } from './policy-index.js';
import type { Binding, Policy } from './policy.js';

export interface PolicyParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly authorize: Authorizer;
  readonly findKind: KindFinder;
  readonly metrics: PolicyMetrics;
}

/** Why a request is refused: the first denial is reported. */
interface Denial {
  readonly policy: string;
  /** Absent when the policy itself is at fault. */
  readonly binding?: string;
  readonly message: string;
  readonly reason: string;
}

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
  Unauthorized: 401,
};
const ACTIONS: Readonly<Record<string, EnforcementAction>> = { Audit: 'audit', Deny: 'deny', Warn: 'warn' };

/** The validating admission policies that are bound in the store. */
export class PolicyAdmission implements AdmissionPlugin {
  readonly names = { admit: 'ValidatingAdmissionPolicy', validate: 'ValidatingAdmissionPolicy' };
  readonly #parts: PolicyParts;
  readonly #index: PolicyIndex;

  constructor(parts: PolicyParts) {
    this.#parts = parts;
    this.#index = new PolicyIndex(parts.store);
  }

  get isIdle(): boolean {
    return this.#index.all().length === 0;
  }

  *validate(attributes: AdmissionAttributes): Flow<void> {
    if (isExempt(attributes)) return;
    const denials: Denial[] = [];
    for (const bound of this.#index.all()) pushAll(denials, yield* this.#enforce(bound, attributes));
    const [first] = denials;
    if (first !== undefined) throw refusal(attributes, first);
  }

  *#enforce({ policy, bindings }: BoundPolicy, attributes: AdmissionAttributes): Flow<Denial[]> {
    const { store, findKind } = this.#parts;
    const match = matchConstraints(policy.constraints, attributes, store);
    if (match === undefined) return [];
    const params = paramResource(policy.paramKind, findKind);
    if (params !== undefined && 'error' in params) return misconfigured(policy, undefined, params.error);
    const denials: Denial[] = [];
    const notes = new AuditNotes(policy.name, attributes.annotate);
    let versioned: VersionedObjects | undefined;
    for (const binding of bindings) {
      if (matchConstraints(binding.constraints, attributes, store) === undefined) continue;
      const collected = yield* collectParams(binding, params?.served, attributes.namespace, store);
      if ('error' in collected) pushAll(denials, misconfigured(policy, binding, collected.error));
      else {
        for (const param of collected.params) {
          versioned ??= yield* viewOf(attributes, match.as);
          pushAll(denials, this.#evaluate({ policy, binding, attributes, versioned, param, notes }));
        }
      }
    }
    notes.publish();
    return denials;
  }

  #evaluate(invocation: PolicyInvocation): Denial[] {
    const { policy, binding, attributes, versioned, param, notes } = invocation;
    const { authorize, clock, metrics } = this.#parts;
    const started = clock.monotonic();
    const activation = activationOf(attributes, versioned, {
      authorize,
      namespaceObject: this.#namespaceOf(attributes),
      params: param,
    });
    const verdict: PolicyVerdict = evaluatePolicy(policy, activation, () => {});
    const seconds = (clock.monotonic() - started) / 1000;
    const names = { policy: policy.name, binding: binding.name };
    const denials: Denial[] = [];
    verdict.decisions.forEach((decision, index) => {
      if (!decision.denies) {
        if (decision.isError) metrics.observe(names, decision, 'allow', seconds);
        return;
      }
      for (const action of binding.actions) {
        metrics.observe(names, decision, ACTIONS[action] ?? 'deny', seconds);
        if (action === 'Deny') denials.push({ ...names, message: decision.message, reason: decision.reason });
        else if (action === 'Warn') attributes.warnings.push(warningText(names, decision));
        else notes.failure(binding, index, decision.message);
      }
    });
    for (const { key, value } of verdict.annotations) notes.add(key, value);
    for (const message of verdict.annotationErrors) {
      metrics.observe(names, { message }, 'deny', seconds);
      denials.push({ ...names, message, reason: '' });
    }
    return denials;
  }

  #namespaceOf({ kind, namespace }: AdmissionAttributes): KubeObject | undefined {
    if (namespace === '' || (kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace')) return undefined;
    const stored = this.#parts.store.get(NAMESPACES, '', namespace);
    if (stored === undefined) throw apiErrors.notFound({ group: '', resource: 'namespaces' }, namespace);
    return stored.object();
  }
}

interface PolicyInvocation {
  readonly policy: Policy;
  readonly binding: Binding;
  readonly attributes: AdmissionAttributes;
  readonly versioned: VersionedObjects;
  readonly param: KubeObject | undefined;
  readonly notes: AuditNotes;
}

function warningText({ policy, binding }: { policy: string; binding: string }, { message }: PolicyDecision): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;
}

/** A policy that cannot be used refuses, unless it may be missed. */
function misconfigured(policy: Policy, binding: Binding | undefined, error: string): Denial[] {
  if (policy.failsOpen) return [];
  return binding === undefined
    ? [{ policy: policy.name, message: `failed to configure policy: ${error}`, reason: '' }]
    : [{ policy: policy.name, binding: binding.name, message: `failed to configure binding: ${error}`, reason: '' }];
}

/** The objects of the request in the version the policy speaks of. */
function* viewOf(attributes: AdmissionAttributes, as: EquivalentKind | undefined): Flow<VersionedObjects> {
  const { kind, resource, object, oldObject } = attributes;
  if (as === undefined) return { kind, resource, object, oldObject };
  return {
    kind: as.kind,
    resource: as.resource,
    object: object && (yield* as.fromRequest(object)),
    oldObject: oldObject && (yield* as.fromRequest(oldObject)),
  };
}

function refusal({ resource, name, object }: AdmissionAttributes, denial: Denial): ApiError {
  const { policy, binding, message } = denial;
  const bound = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${bound} denied request: ${message}`;
  // A collection has no name to report.
  const shown = name || object?.metadata.name || 'Unknown';
  const { status } = apiErrors.forbidden({ group: resource.group, resource: resource.resource }, shown, text);
  const reason = denial.reason === '' ? 'Invalid' : denial.reason;
  return new ApiError({
    ...status,
    reason,
    details: { ...status.details, causes: [{ message: text }] },
    code: CODES[reason] ?? 422,
  });
}
