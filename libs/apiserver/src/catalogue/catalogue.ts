import { apiErrors, parseJson } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock } from '@capstan/meta';
import { ComputedResources } from './computed-resources.js';
import type { ComputedResource } from './computed-resources.js';
import { CustomResources, type CustomResourcesOptions } from '../crd/index.js';
import { DiscoveryIndex, defaultRegistration, defaultStorage, isBuiltinGroup } from '../discovery/index.js';
import { AutoRegistration } from '../registration/auto-registration.js';
import { OPENAPI_V2_PROTOBUF, OpenApiIndex, minimalOpenApiV2 } from '../openapi/index.js';
import { builtinServedResources } from '../registry/builtin-resources.js';
import type { Core } from '../registry/core.js';
import { ResourceIndex } from '../registry/resource-index.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { RequestInfo } from '../request/request-info.js';
import { EncodedPayload } from '../response/payload.js';
import { KUBERNETES_VERSION } from '../system/version.js';

export interface CatalogueOptions {
  readonly core: Core;
  readonly clock: Clock;
  readonly serverAddress?: string | undefined;
  readonly onConversion: NonNullable<CustomResourcesOptions['onConversion']>;
  readonly schemaMinor?: number | undefined;
  readonly computed?: readonly ComputedResource[] | undefined;
}

/** What is served, built-in and custom, and the discovery and OpenAPI documents that describe it. */
export class Catalogue {
  readonly resources: ResourceIndex;
  readonly #custom: CustomResources;
  readonly #computed: ComputedResources;
  readonly #discovery: DiscoveryIndex;
  readonly #openapi: OpenApiIndex;
  readonly #registration: AutoRegistration;
  #shownChanges: number;
  #shownRegistrations = -1;

  constructor({ core, clock, serverAddress, onConversion, schemaMinor, computed = [] }: CatalogueOptions) {
    const resources = new ResourceIndex(builtinServedResources(schemaMinor));
    this.resources = resources;
    const custom = new CustomResources({
      core,
      resources,
      onConversion,
      ...(schemaMinor === undefined ? {} : { schemaMinor }),
    });
    this.#custom = custom;
    this.#registration = new AutoRegistration(core, resources);
    this.#computed = new ComputedResources(computed);
    this.#shownChanges = custom.changes;
    const definitions = resources.all().map(({ definition }) => definition);
    const { major, minor } = KUBERNETES_VERSION;
    this.#discovery = new DiscoveryIndex([...definitions, ...this.#computed.definitions], {
      ...(serverAddress === undefined ? {} : { serverAddress }),
      storageVersion: (resource) => custom.storageOf(resource) ?? defaultStorage(resource),
    });
    this.#openapi = new OpenApiIndex(definitions, {
      clock,
      serverVersion: `${major}.${minor}`,
      schemaOf: (resource) => custom.schemaOf(resource),
    });
  }

  /** Registers what is served as APIServices, and keeps them registered from then on. */
  startRegistration(): void {
    this.#registration.start();
  }

  /** Answers what asks for a resource that is computed. */
  compute(info: RequestInfo): ApiResponse | undefined {
    return this.#computed.respond(info);
  }

  /** The resource of a request; undefined where not even its path is served. */
  find(info: RequestInfo): ServedResource | undefined {
    const served = this.resources.find(info.group, info.version, info.resource);
    if (served === undefined) {
      if (!isBuiltinGroup(info.group)) return undefined;
      throw apiErrors.resourceNotServed();
    }
    if (served.custom !== undefined) return isMisplaced(served, info) ? undefined : served;
    const isNamespaceItself = served.storage === '/namespaces';
    if (!served.definition.namespaced && info.namespace !== '' && !isNamespaceItself)
      throw apiErrors.resourceNotServed();
    return served;
  }

  /** Answers what asks for a document of discovery or OpenAPI. */
  respond(request: ApiRequest, info: RequestInfo): ApiResponse | undefined {
    this.#showChanges();
    const document = this.#discovery.respond(info.path, request.headers);
    if (document !== undefined) {
      if (info.verb !== 'get') throw apiErrors.methodNotAllowed();
      const body = new EncodedPayload(
        () => document.bytes(),
        () => document.value,
      );
      return { status: document.status, headers: document.headers, body };
    }
    if (info.path === '/openapi/v2' && (request.headers['accept'] ?? '').includes('proto-openapi.spec.v2'))
      return openApiV2();
    const openapi = this.#openapi.respond(request.target, request.headers);
    if (openapi === undefined) return undefined;
    const body = new EncodedPayload(
      () => openapi.bytes(),
      () => parseJson(openapi.bytes()).value,
    );
    return { status: openapi.status, headers: openapi.headers, body };
  }

  /** The paths of groups and their versions. */
  paths(): string[] {
    this.#showChanges();
    return this.#discovery.groups().flatMap(({ group, versions }) => {
      const root = group === '' ? '/api' : `/apis/${group}`;
      return [root, ...versions.map(({ version }) => `${root}/${version}`)];
    });
  }

  /** Discovery and OpenAPI learn about custom resources when they are next requested. */
  #showChanges(): void {
    this.#showRegistrations();
    const { changes } = this.#custom;
    if (changes === this.#shownChanges) return;
    this.#shownChanges = changes;
    const definitions = this.resources.all().map(({ definition }) => definition);
    this.#discovery.setResources([...definitions, ...this.#computed.definitions]);
    this.#openapi.setResources(definitions);
  }

  /** `/apis` lists APIServices; what is computed has none here, and is listed as if it had. */
  #showRegistrations(): void {
    const { changes } = this.#registration;
    if (changes === this.#shownRegistrations) return;
    this.#shownRegistrations = changes;
    const computed = new Map(
      this.#computed.definitions.map(({ group, version }) => [
        `${group}/${version}`,
        defaultRegistration(group, version),
      ]),
    );
    this.#discovery.setRegistrations([...this.#registration.local(), ...computed.values()]);
  }
}

/** Whether the path has a namespace where the custom resource has none, or the other way round. */
function isMisplaced({ definition: { namespaced } }: ServedResource, { namespace, verb }: RequestInfo): boolean {
  return namespaced ? namespace === '' && verb !== 'list' && verb !== 'watch' : namespace !== '';
}

function openApiV2(): ApiResponse {
  const { major, minor, patch } = KUBERNETES_VERSION;
  const bytes = minimalOpenApiV2(`v${major}.${minor}.${patch}`);
  const body = new EncodedPayload(
    () => bytes,
    () => bytes,
  );
  return { status: 200, headers: { 'content-type': OPENAPI_V2_PROTOBUF }, body };
}
