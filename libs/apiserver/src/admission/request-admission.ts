import type { KubeObject } from '@capstan/meta';
import { managedFieldsAfterAdmission } from '../apply/index.js';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmittedKind,
  EquivalentKind,
  RequestAdmission,
} from '../registry/admission-chain.js';
import { shownOf } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import { setManagedFields } from '../registry/field-tracking.js';
import { NAMESPACES } from '../registry/namespaces.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { DeleteOptions } from '../request/delete-options.js';
import type { Call } from '../verbs/context.js';
import {
  carriedKind,
  equivalentCarrier,
  equivalentKind,
  servedKind,
  withoutPlaceholder,
  type CarriedKind,
} from './admitted-kinds.js';
import { deleteOptionFields, writeOptionFields } from './operation-options.js';

/** What of a request differs between the verbs. */
export interface AdmittedRequest {
  readonly dryRun: boolean;
  /** Of a delete; other verbs have theirs in the query. */
  readonly deleteOptions?: DeleteOptions | undefined;
  /** What the request carries where that is not the resource itself; it goes through the pipeline as it is. */
  readonly carried?: CarriedKind | undefined;
}

/** Binds the chain to one request; undefined where nothing is configured that would be asked. */
export function admissionOf(call: Call, request: AdmittedRequest): RequestAdmission | undefined {
  return call.admission.isIdle ? undefined : new BoundAdmission(call, request);
}

class BoundAdmission implements RequestAdmission {
  readonly #call: Call;
  readonly #request: AdmittedRequest;
  readonly #kind: AdmittedKind;
  /** What a create was called when it came; mutation does not change what it is known as. */
  #name: string | undefined;

  constructor(call: Call, request: AdmittedRequest) {
    this.#call = call;
    this.#request = request;
    const { carried } = request;
    this.#kind = carried === undefined ? servedKind(call.served) : carriedKind(call.served, carried);
  }

  *mutate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<KubeObject> {
    const { admission, served, info, warnings } = this.#call;
    this.#name ??= info.name === '' ? (object.metadata.name ?? '') : info.name;
    const before = this.#attributes(operation, this.#spoken(object), old);
    const after = yield* admission.mutate(before);
    if (after === undefined || after === before.object) return object;
    const { managedFields } = after.metadata;
    setManagedFields(after, managedFieldsAfterAdmission(object.metadata.managedFields, managedFields, warnings));
    if (this.#request.carried !== undefined) return after;
    // What was not pruned while webhooks looked at it is now.
    const read = served.custom === undefined ? after : served.codec.decode(after).object;
    return served.conversion === undefined ? read : served.conversion.toStorage(read);
  }

  *validate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<void> {
    yield* this.#call.admission.validate(this.#attributes(operation, this.#spoken(object), old));
  }

  *delete(old: KubeObject, grace: number | undefined): Flow<void> {
    const { admission } = this.#call;
    const { deleteOptions } = this.#request;
    const options = deleteOptions && deleteOptionFields(deleteOptions, grace);
    const attributes = { ...this.#attributes('DELETE', undefined, old), options };
    yield* admission.mutate(attributes);
    yield* admission.validate(attributes);
  }

  /** Objects go through the pipeline in the stored version, unless their kind is admitted as the client speaks it. */
  #spoken(object: KubeObject): KubeObject {
    return this.#request.carried === undefined ? shownOf(this.#call.served, object) : object;
  }

  #attributes(
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    old: KubeObject | undefined,
  ): AdmissionAttributes {
    const { served, info, namespace, user, warnings } = this.#call;
    const { dryRun } = this.#request;
    const oldObject = old && this.#spoken(old);
    const name = info.name || this.#name || (object?.metadata.name ?? '');
    return {
      ...this.#kind,
      operation,
      subresource: info.subresource,
      namespace: served.storage === NAMESPACES ? name : namespace,
      name,
      object: object && withoutPlaceholder(object),
      oldObject,
      user,
      dryRun,
      options: operation === 'CREATE' || operation === 'UPDATE' ? writeOptionFields(operation, info.query) : undefined,
      equivalents: () => this.#equivalents(),
      warnings,
      annotate: (key, value) => this.#call.audit?.annotate(key, value),
    };
  }

  #equivalents(): readonly EquivalentKind[] {
    const { served, info, resources } = this.#call;
    const { carried } = this.#request;
    const others = resources.versionsOf(served).filter((other) => other !== served && offers(other, info.subresource));
    return others.map((other) =>
      carried === undefined ? equivalentKind(served, other) : equivalentCarrier(other, carried),
    );
  }
}

function offers({ definition }: ServedResource, subresource: string): boolean {
  return subresource === '' || definition.subresources.some(({ name }) => name === subresource);
}
