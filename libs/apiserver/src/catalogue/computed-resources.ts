import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { apiErrors, parseFieldSelector, parseLabelSelector } from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import { requireReadableSelectors } from '../request/selectors.js';
import { ValuePayload } from '../response/payload.js';

/** A resource whose objects are not stored but computed when they are read: it has the verbs get and list alone. */
export interface ComputedResource {
  readonly definition: ResourceDefinition;
  /** All objects of a namespace; of all namespaces for the empty name. */
  readonly list: (namespace: string) => readonly KubeObject[];
}

/** Computed resources by group, version and plural name. */
export class ComputedResources {
  readonly #byPath: ReadonlyMap<string, ComputedResource>;
  readonly definitions: readonly ResourceDefinition[];

  constructor(resources: readonly ComputedResource[]) {
    this.definitions = resources.map(({ definition }) => definition);
    this.#byPath = new Map(
      resources.map((resource) => {
        const { group, plural, version } = resource.definition;
        return [`${group}/${version}/${plural}`, resource];
      }),
    );
  }

  /** Answers a request for one of them; undefined where it is for something else. */
  respond(info: RequestInfo): ApiResponse | undefined {
    const resource = this.#byPath.get(`${info.group}/${info.version}/${info.resource}`);
    if (resource === undefined || info.subresource !== '') return undefined;
    const { group, namespaced, plural } = resource.definition;
    if (!namespaced && info.namespace !== '') return undefined;
    if (info.verb === 'list') return answer(listOf(resource, info));
    if (info.verb !== 'get') throw apiErrors.methodNotAllowed();
    const found = resource.list(info.namespace).find(({ metadata }) => metadata.name === info.name);
    if (found === undefined) throw apiErrors.notFound({ group, resource: plural }, info.name);
    return answer(found);
  }
}

function answer(value: object): ApiResponse {
  return { status: 200, headers: {}, body: new ValuePayload(value) };
}

function listOf({ definition, list }: ComputedResource, { fieldSelector, namespace, query }: RequestInfo): object {
  const { group, kind, listKind = `${kind}List`, version } = definition;
  const labelSelector = query.get('labelSelector') ?? '';
  requireReadableSelectors(labelSelector, fieldSelector);
  const hasLabels = parseLabelSelector(labelSelector);
  const hasFields = parseFieldSelector(fieldSelector);
  const items = list(namespace).filter(({ metadata }) => {
    return hasLabels.matches(metadata.labels ?? {}) && hasFields.matches((field) => fieldOf(metadata, field));
  });
  return { kind: listKind, apiVersion: `${group}/${version}`, metadata: {}, items };
}

function fieldOf({ name = '', namespace = '' }: KubeObject['metadata'], field: string): string {
  if (field === 'metadata.name') return name;
  if (field === 'metadata.namespace') return namespace;
  throw apiErrors.unknownFieldSelector(field);
}
