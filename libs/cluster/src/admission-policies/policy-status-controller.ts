import { ignoreNotFound, isNotFound, parseApiVersion } from '@capstan/meta';
import type { GroupVersionKind, KubeObject } from '@capstan/meta';
import { Discovery } from '@capstan/kube';
import type { Informer, ResourceRef, WorkResult } from '@capstan/kube';
import { openApiKindType, typeCheckPolicy } from '@capstan/schema';
import type { CheckedPolicy, TypedKind } from '@capstan/schema';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { matchedKinds, type PolicyRules } from './matched-kinds.js';

const MANAGER = 'validatingadmissionpolicy-status';

const POLICIES: ResourceRef = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};

interface Policy extends KubeObject {
  spec?: CheckedPolicy & PolicyRules & { readonly paramKind?: { readonly apiVersion: string; readonly kind: string } };
  status?: { readonly observedGeneration?: number };
}

/** Checks the expressions of each admission policy against the types of the kinds it matches. */
export class PolicyStatusController extends QueueController {
  readonly #policies: Informer<Policy>;
  readonly #discovery: Discovery;

  constructor(options: WorkloadOptions) {
    super(options, MANAGER);
    this.#policies = this.informers.of<Policy>(POLICIES);
    this.#discovery = new Discovery(this.client, { clock: this.clock });
    this.follow(this.#policies);
  }

  protected async sync(name: string): Promise<WorkResult> {
    const policy = this.#policies.store.get(name);
    const { generation = 0 } = policy?.metadata ?? {};
    if (policy?.spec === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return 'done';
    const expressionWarnings = await this.#check(policy.spec);
    const value = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      status: {
        observedGeneration: generation,
        typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
      },
    };
    const options = { fieldManager: MANAGER, force: true, subresource: 'status' } as const;
    await this.client.patch(POLICIES, name, { type: 'apply', value }, options).catch(ignoreNotFound);
    return 'done';
  }

  async #check(spec: NonNullable<Policy['spec']>): Promise<ReturnType<typeof typeCheckPolicy>> {
    // CRDs are created and deleted: discovery may be outdated.
    const { resources } = await this.#discovery.refresh();
    const documents = new Map<string, Promise<unknown>>();
    const typed = async (gvk: GroupVersionKind): Promise<TypedKind> => {
      const path = gvk.group === '' ? `api/${gvk.version}` : `apis/${gvk.group}/${gvk.version}`;
      let document = documents.get(path);
      if (document === undefined) documents.set(path, (document = this.#document(path)));
      return { gvk, type: openApiKindType(await document, gvk) };
    };
    const kinds = await Promise.all(matchedKinds(spec, resources).map(typed));
    const { paramKind } = spec;
    const params =
      paramKind === undefined
        ? undefined
        : await typed({ ...parseApiVersion(paramKind.apiVersion), kind: paramKind.kind });
    const known = kinds.filter(({ type }) => type !== undefined);
    return typeCheckPolicy(spec, known, params?.type);
  }

  async #document(path: string): Promise<unknown> {
    try {
      const { body } = await this.client.request({ method: 'GET', target: `/openapi/v3/${path}` });
      return body.type === 'payload' ? body.value() : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
