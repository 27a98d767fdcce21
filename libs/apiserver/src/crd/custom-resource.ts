/** One served version of a custom resource, ready for the verbs. */
import type { ResourceDefinition, SubresourceDefinition } from '@capstan/api/kubernetes';
import { compareVersionPriority, deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { StructuralSchema, bundleProblem, selectableFields } from '@capstan/schema';
import type { SelectableField } from '@capstan/schema';
import type { ReplicasPaths } from '../apply/index.js';
import type { ServedResource } from '../registry/served-resource.js';
import { customPrinter } from '../table/index.js';
import { customApplyScopes } from './custom-apply-scope.js';
import { createCustomCodec } from './custom-codec.js';
import { createCustomStrategy } from './custom-strategy.js';
import { CustomView } from './custom-view.js';
import { conversionBundle, isTrue, specOf, statusOf, type DefinitionVersion } from '../builtin/apiextensions/crd.js';
import { embeddedMetadataProblem } from './embedded-metadata.js';
import type { Tenure } from './tenure.js';
import type { WebhookConverter } from './webhook-converter.js';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];
/** Of a version nobody defined nothing is known. */
const NO_SCHEMA = new StructuralSchema({ type: 'object' });
const OPEN_SCHEMA: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** What is made from one version's schema, once, when first needed; shared by all states of the CRD that have it. */
export class CompiledSchema {
  readonly source: JsonObject;
  /** Unlike that of any other schema. */
  readonly id: number;
  readonly #minor: number | undefined;
  #structural: StructuralSchema | undefined;

  constructor(source: JsonObject | undefined, id: number, minor?: number) {
    this.source = source ?? OPEN_SCHEMA;
    this.id = id;
    this.#minor = minor;
  }

  readonly structural = (): StructuralSchema =>
    (this.#structural ??= new StructuralSchema(this.source, this.#minor === undefined ? {} : { minor: this.#minor }));

  isOf(source: JsonObject | undefined): boolean {
    return deepEqual(this.source, source ?? OPEN_SCHEMA);
  }
}

export interface CustomResourceInput {
  readonly tenure: Tenure;
  readonly definition: KubeObject;
  readonly version: DefinitionVersion;
  readonly schema: CompiledSchema;
  /** Of all versions, by their names. */
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
  /** Present where the CRD asks a webhook. */
  readonly webhook: WebhookConverter | undefined;
}

function subresourcesOf({ subresources }: DefinitionVersion, kind: string): SubresourceDefinition[] {
  const result: SubresourceDefinition[] = [];
  if (subresources?.status) result.push({ name: 'status', kind, verbs: SUBRESOURCE_VERBS });
  if (subresources?.scale)
    result.push({ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: SUBRESOURCE_VERBS });
  return result;
}

function definitionOf({ definition, version }: CustomResourceInput): ResourceDefinition {
  const { group, scope } = specOf(definition);
  const { plural, singular = '', kind, listKind, shortNames, categories } = statusOf(definition).acceptedNames;
  return {
    group,
    version: version.name,
    kind,
    listKind: listKind ?? `${kind}List`,
    plural,
    singular,
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    namespaced: scope === 'Namespaced',
    // Nothing new comes in while the CRD is going.
    verbs: isTrue(definition, 'Terminating')
      ? VERBS.filter((verb) => verb !== 'create' && verb !== 'patch' && verb !== 'update')
      : VERBS,
    subresources: subresourcesOf(version, kind),
  };
}

function viewOf(input: CustomResourceInput, apiVersion: string): CustomView {
  const { definition, schemas, webhook } = input;
  const { group, versions } = specOf(definition);
  const storage = versions.find((each) => each.storage)?.name ?? input.version.name;
  const schemaIds = [...schemas.values()].map(({ id }) => id).join();
  const { uid, generation } = definition.metadata;
  return new CustomView({
    apiVersion,
    storageVersion: `${group}/${storage}`,
    schemaOf: (wanted) =>
      wanted.startsWith(`${group}/`) ? schemas.get(wanted.slice(group.length + 1))?.structural() : undefined,
    // Another webhook may say otherwise.
    key: `${apiVersion}#${schemaIds}${webhook === undefined ? '' : `#${uid}/${generation}`}`,
    ...(webhook === undefined ? {} : { webhook }),
  });
}

/** A deprecated version without a warning of its own names the newest served version as its replacement. */
function deprecationOf({ definition, version: { name, ...version } }: CustomResourceInput): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = specOf(definition);
  const [better] = versions
    .filter((each) => each.served && each.deprecated !== true && compareVersionPriority(each.name, name) < 0)
    .toSorted((one, other) => compareVersionPriority(one.name, other.name));
  const warning = `${group}/${name} ${names.kind} is deprecated`;
  return better === undefined ? warning : `${warning}; use ${group}/${better.name} ${names.kind}`;
}

/** Where each version has its replicas; a version without scale has none. */
function replicasPathsOf(definition: KubeObject): ReplicasPaths {
  const { group, versions } = specOf(definition);
  const paths = versions.map(({ name, subresources }): [string, readonly string[] | null] => {
    const path = subresources?.scale?.specReplicasPath;
    return [`${group}/${name}`, path === undefined ? null : path.split('.').filter((part) => part !== '')];
  });
  return Object.fromEntries(paths);
}

/** Makes the served resource of one version. */
export function customResource(input: CustomResourceInput): ServedResource {
  const { definition: stored, version, schema } = input;
  const definition = definitionOf(input);
  const { group, kind, plural } = definition;
  const apiVersion = `${group}/${version.name}`;
  const view = viewOf(input, apiVersion);
  const paths = (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath);
  let selectable: readonly SelectableField[] | undefined;
  const strategy = createCustomStrategy({
    schema: schema.structural,
    hasStatus: Boolean(version.subresources?.status),
    scale: version.subresources?.scale ?? undefined,
    selectable: () => (selectable ??= selectableFields(paths, schema.structural().root)),
    selectableNames: paths.map((path) => path.replace(/^\./, '')),
  });
  const deprecation = deprecationOf(input);
  return {
    definition,
    apiVersion,
    groupKind: { group, kind },
    groupResource: { group, resource: plural },
    storage: `${group}/${plural}`,
    strategy,
    codec: createCustomCodec(kind, apiVersion, schema.structural),
    conversion: view,
    bareItems: false,
    applyScope: customApplyScopes({
      group,
      kind,
      apiVersion,
      versions: specOf(stored).versions,
      schemaOf: (name) => input.schemas.get(name)?.source,
      viewOf: (wanted) => (wanted === apiVersion ? view : viewOf(input, wanted)),
    }),
    replicasPaths: replicasPathsOf(stored),
    printer: customPrinter(version.additionalPrinterColumns),
    custom: {
      isTerminating: isTrue(stored, 'Terminating'),
      isBroken: bundleProblem(conversionBundle(stored)) !== undefined,
      schema: schema.source,
      strangerErrors: (value, callerErrors) =>
        schema.structural().validateStranger(value, callerErrors, embeddedMetadataProblem).errors,
      codecOf: (name) =>
        createCustomCodec(kind, `${group}/${name}`, input.schemas.get(name)?.structural ?? (() => NO_SCHEMA)),
      onEnd: (listener) => input.tenure.onEnd(listener),
      ...(deprecation === undefined ? {} : { deprecation }),
    },
  };
}
