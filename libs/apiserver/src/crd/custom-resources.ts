import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { publishSchema } from '@capstan/schema';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { BrokenInvariant } from '../errors.js';
import type { Core } from '../registry/core.js';
import type { ResourceIndex } from '../registry/resource-index.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { StoreEvent } from '../store/index.js';
import { CompiledSchema, customResource } from './custom-resource.js';
import { DEFINITIONS, isTrue, specOf, statusOf } from '../builtin/apiextensions/crd.js';
import { DefinitionLifecycle } from './lifecycle.js';
import { Tenure } from './tenure.js';
import { WebhookConverter, type ConversionOutcome } from './webhook-converter.js';

export interface CustomResourcesOptions {
  readonly core: Core;
  readonly resources: ResourceIndex;
  /** Called with every review that was sent to a conversion webhook. */
  readonly onConversion?: (outcome: ConversionOutcome) => void;
  /** The release whose schema rules hold. */
  readonly schemaMinor?: number;
}

/** What of a CRD decides about what is served; equal texts mean the same. */
interface State {
  /** Another one comes with every change of the spec. */
  readonly spec: string;
  readonly names: string;
  /** Names and conditions. */
  readonly state: string;
  readonly isServed: boolean;
}

function stateOf(definition: KubeObject): State {
  const { uid = '', generation = 0 } = definition.metadata;
  const isServed = isTrue(definition, 'Established') || isTrue(definition, 'NamesAccepted');
  const names = JSON.stringify(statusOf(definition).acceptedNames);
  return {
    spec: `${uid}/${generation}`,
    names,
    state: `${isServed}/${isTrue(definition, 'Terminating')}/${names}`,
    isServed,
  };
}

/** What is served for one CRD, and what it was made from. */
interface Installed extends State {
  readonly tenure: Tenure;
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
  readonly served: readonly ServedResource[];
}

/** Conditions come and go under the same tenure; another spec or other names begin a new one. */
function tenureOf(before: Installed | undefined, next: State): Tenure {
  return before?.spec === next.spec && before.names === next.names ? before.tenure : new Tenure();
}

/**
 * The custom resources: what is served follows the stored CRDs, commit by commit, so that a client that has
 * seen a CRD established finds its resources served.
 */
export class CustomResources {
  readonly #options: CustomResourcesOptions;
  readonly #lifecycle: DefinitionLifecycle;
  readonly #installed = new Map<string, Installed>();
  readonly #schemaOf = new WeakMap<ResourceDefinition, { schema: CompiledSchema; selectable: readonly string[] }>();
  readonly #storageVersions = new WeakMap<ResourceDefinition, string>();
  readonly #published = new WeakMap<CompiledSchema, JsonObject>();
  #nextSchema = 1;
  #changes = 0;

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    const { core, resources } = options;
    const definitions = resources.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    if (definitions === undefined) throw new BrokenInvariant('custom resource definitions are not served');
    this.#lifecycle = new DefinitionLifecycle({
      core,
      definitions,
      instances: (definition) => this.#instances(definition),
      isBuiltin: (group, plural) => resources.isBuiltin(group, plural),
    });
    core.store.subscribe((event) => this.#observe(event), { resource: DEFINITIONS });
    // What a snapshot brought along is served at once, and goes on where it stopped.
    for (const stored of core.store.list(DEFINITIONS).items) this.#install(stored.name, stored.object());
    for (const { name } of core.store.list(DEFINITIONS).items) this.#lifecycle.advance(name);
  }

  /** Grows with every change of what is served. */
  get changes(): number {
    return this.#changes;
  }

  /** The published schema of a custom resource; undefined for others. */
  schemaOf(resource: ResourceDefinition): JsonObject | undefined {
    const known = this.#schemaOf.get(resource);
    if (known === undefined) return undefined;
    let published = this.#published.get(known.schema);
    if (published === undefined) {
      const { group, version, kind } = resource;
      published = publishSchema(
        known.schema.structural().root,
        { group, version, kind },
        { selectableFields: known.selectable },
      );
      this.#published.set(known.schema, published);
    }
    return published;
  }

  /** The group and version a custom resource is stored in; undefined for others. */
  storageOf(resource: ResourceDefinition): readonly [group: string, version: string] | undefined {
    const version = this.#storageVersions.get(resource);
    return version === undefined ? undefined : [resource.group, version];
  }

  #observe({ type, name, current }: StoreEvent): void {
    const definition = current.object();
    const { group } = specOf(definition);
    if (type === 'delete') {
      this.#uninstall(name);
      this.#lifecycle.reconsider(group, name);
      return;
    }
    // Another write may have followed already: it is the newest state that counts.
    const newest = this.#options.core.store.get(DEFINITIONS, '', name)?.object();
    if (newest === undefined) return;
    const before = this.#installed.get(name)?.names;
    this.#install(name, newest);
    this.#lifecycle.advance(name);
    if (before !== this.#installed.get(name)?.names) this.#lifecycle.reconsider(group, name);
  }

  #uninstall(name: string): void {
    const installed = this.#installed.get(name);
    if (installed === undefined) return;
    this.#installed.delete(name);
    this.#options.resources.replaceCustom(installed.served, []);
    this.#changes += 1;
    installed.tenure.end();
  }

  #install(name: string, definition: KubeObject): void {
    const before = this.#installed.get(name);
    const next = stateOf(definition);
    if (before !== undefined && before.spec === next.spec && before.state === next.state) return;
    const schemas = before?.spec === next.spec ? before.schemas : this.#schemas(definition, before);
    const tenure = tenureOf(before, next);
    const served = next.isServed ? this.#serve(definition, schemas, tenure) : [];
    this.#installed.set(name, { ...next, schemas, served, tenure });
    this.#options.resources.replaceCustom(before?.served ?? [], served);
    this.#changes += 1;
    if (before?.tenure !== tenure) before?.tenure.end();
  }

  /** A version whose schema is what it was keeps everything made from it. */
  #schemas(definition: KubeObject, before: Installed | undefined): Map<string, CompiledSchema> {
    const schemas = new Map<string, CompiledSchema>();
    for (const { name, schema } of specOf(definition).versions) {
      const known = before?.schemas.get(name);
      const source = schema?.openAPIV3Schema;
      schemas.set(
        name,
        known?.isOf(source) === true
          ? known
          : new CompiledSchema(source, this.#nextSchema++, this.#options.schemaMinor),
      );
    }
    return schemas;
  }

  #serve(definition: KubeObject, schemas: ReadonlyMap<string, CompiledSchema>, tenure: Tenure): ServedResource[] {
    const { versions, conversion } = specOf(definition);
    const { core, onConversion } = this.#options;
    const webhook =
      conversion?.strategy === 'Webhook'
        ? new WebhookConverter({ core, definition, observe: onConversion })
        : undefined;
    const storage = versions.find((each) => each.storage)?.name ?? '';
    return versions.flatMap((version) => {
      const schema = schemas.get(version.name);
      if (!version.served || schema === undefined) return [];
      const served = customResource({ definition, version, schema, schemas, webhook, tenure });
      this.#schemaOf.set(served.definition, {
        schema,
        selectable: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
      });
      this.#storageVersions.set(served.definition, storage);
      return [served];
    });
  }

  /** Without conversion: nobody has to be asked for what is only to be removed. */
  #instances(definition: KubeObject): ServedResource | undefined {
    const name = definition.metadata.name ?? '';
    const version = specOf(definition).versions.find((each) => each.storage);
    const { schemas, tenure } = this.#installed.get(name) ?? {};
    const schema = version && schemas?.get(version.name);
    if (version === undefined || schemas === undefined || schema === undefined || tenure === undefined)
      return undefined;
    const served = customResource({ definition, version, schema, schemas, webhook: undefined, tenure });
    const { conversion: _conversion, ...stored } = served;
    return stored;
  }
}
