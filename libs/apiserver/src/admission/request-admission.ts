import { setOwn } from '@capstan/meta';
import type { JsonObject, KubeObject, UserInfo } from '@capstan/meta';
import { managedFieldsAfterAdmission } from '../apply/index.js';
import type {
  AdmissionAttributes,
  AdmissionChain,
  AdmissionOperation,
  AdmittedKind,
  EquivalentKind,
  RequestAdmission,
} from '../registry/admission-chain.js';
import { shownOf } from '../registry/conversion.js';
import type { Flow } from '../registry/effects.js';
import { setManagedFields } from '../registry/field-tracking.js';
import { NAMESPACES } from '../registry/namespaces.js';
import type { ResourceIndex } from '../registry/resource-index.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { DeleteOptions } from '../request/delete-options.js';
import type { RequestInfo } from '../request/request-info.js';
import {
  carriedKind,
  equivalentCarrier,
  equivalentKind,
  servedKind,
  withoutPlaceholder,
  type CarriedKind,
} from './admitted-kinds.js';
import { deleteOptionFields, writeOptionFields } from './operation-options.js';

/** What admission needs to know of a resource request. */
export interface AdmissionCall {
  readonly admission: AdmissionChain;
  readonly served: ServedResource;
  readonly resources: ResourceIndex;
  readonly info: RequestInfo;
  readonly namespace: string;
  readonly user: UserInfo;
  /** Texts for Warning headers. */
  readonly warnings: string[];
  /** Absent when the request is not audited. */
  readonly audit: { annotate(key: string, value: string): void } | undefined;
}

/** What of a request differs between the verbs. */
export interface AdmittedRequest {
  readonly dryRun: boolean;
  /** Of a delete; other verbs have theirs in the query. */
  readonly deleteOptions?: DeleteOptions | undefined;
  /** What the request carries where that is not the resource itself; it goes through the pipeline as it is. */
  readonly carried?: CarriedKind | undefined;
}

/** Binds the chain to one request; undefined where nothing is configured that would be asked. */
export function admissionOf(call: AdmissionCall, request: AdmittedRequest): RequestAdmission | undefined {
  return call.admission.isIdleFor(call.user) ? undefined : new BoundAdmission(call, request);
}

/** Asks about what connects to a pod, service or node; gives the options as the mutating parts want them. */
export function* admitConnect(call: AdmissionCall, carried: () => CarriedKind, options: object): Flow<object> {
  if (call.admission.isIdleFor(call.user)) return options;
  return yield* new BoundAdmission(call, { dryRun: false, carried: carried() }).connect(options);
}

class BoundAdmission implements RequestAdmission {
  readonly #call: AdmissionCall;
  readonly #request: AdmittedRequest;
  readonly #kind: AdmittedKind;
  /** What a create was called when it came; mutation does not change what it is known as. */
  #name: string | undefined;
  /** Mutating webhooks changed the object, and may have added what its schema does not know. */
  #isUnpruned = false;

  constructor(call: AdmissionCall, request: AdmittedRequest) {
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
    this.#isUnpruned = served.custom !== undefined;
    return served.conversion === undefined ? after : served.conversion.toStorage(after);
  }

  *validate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Flow<KubeObject> {
    const spoken = this.#spoken(object);
    yield* this.#call.admission.validate(this.#attributes(operation, spoken, old));
    if (!this.#isUnpruned) return object;
    const { codec, conversion } = this.#call.served;
    const read = pruned(spoken, codec.decode(spoken).object);
    return conversion === undefined ? read : conversion.toStorage(read);
  }

  *delete(old: KubeObject, grace: number | undefined): Flow<void> {
    const { admission } = this.#call;
    const { deleteOptions } = this.#request;
    const options = deleteOptions && deleteOptionFields(deleteOptions, grace);
    const attributes = { ...this.#attributes('DELETE', undefined, old), options };
    yield* admission.mutate(attributes);
    yield* admission.validate(attributes);
  }

  *connect(options: object): Flow<object> {
    const { admission } = this.#call;
    const asked = { ...this.#attributes('CONNECT', undefined, undefined), object: options as KubeObject };
    const object = yield* admission.mutate(asked);
    yield* admission.validate({ ...asked, object });
    return object ?? options;
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

/** The members of an object that were read, with their names and metadata as they were: those have been settled. */
function pruned(object: KubeObject, read: KubeObject): KubeObject {
  const left: JsonObject = {};
  for (const key of Object.keys(object)) {
    const isSettled = key === 'apiVersion' || key === 'kind' || key === 'metadata';
    if (isSettled || Object.hasOwn(read, key)) setOwn(left, key, isSettled ? object[key] : read[key]);
  }
  return left as KubeObject;
}

function offers({ definition }: ServedResource, subresource: string): boolean {
  return subresource === '' || definition.subresources.some(({ name }) => name === subresource);
}
