import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { canonicalHash } from '@capstan/meta';
import type { JsonObject, KubeObject, OwnerReference } from '@capstan/meta';
import { DEFINITIONS, REQUIREMENTS, VALIDATING_WEBHOOKS } from '../kinds.js';
import { MANAGED_BY, OWN_DEFINITION, PATHS, STATIC_CONFIGURATION, WEBHOOKS } from '../names.js';
import type { ReadRequirement } from '../requirement-cache/read.js';
import { asksAfter, PROBE_DEFINITION } from './probe-definition.js';

/** Where API servers reach the webhooks of this program. */
export interface WebhookAddress {
  /** A Service, or where the program itself listens. */
  readonly at:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port: number } }
    | { readonly url: string };
  /** PEM of who vouches for the certificate; undefined where the service CA puts it in. */
  readonly caPem?: string | undefined;
}

/** What happens to a write while nobody answers. */
export type FailurePolicy = 'Fail' | 'Ignore';

/** One webhook of a configuration, with every field that a server would fill in: only so two can be compared. */
export interface Webhook extends WebhookParts {
  name: string;
}

interface WebhookParts extends JsonObject {
  failurePolicy: FailurePolicy;
  clientConfig: JsonObject;
}

/** A configuration of webhooks. */
export interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

const INJECT_BUNDLE = 'service.beta.openshift.io/inject-cabundle';
/** Handlers wait for their caches at most half of it. */
export const WEBHOOK_TIMEOUT_SECONDS = 10;
/** A prefix of the hash that distinguishes configurations. */
const HASH_LENGTH = 16;

function clientConfig({ at, caPem }: WebhookAddress, path: string): JsonObject {
  const bundle = caPem === undefined ? {} : { caBundle: Buffer.from(caPem).toString('base64') };
  if ('url' in at) return { url: `${at.url}${path}`, ...bundle };
  return { service: { ...at.service, path }, ...bundle };
}

function webhook(name: string, more: WebhookParts): Webhook {
  return {
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    matchPolicy: 'Equivalent',
    timeoutSeconds: WEBHOOK_TIMEOUT_SECONDS,
    namespaceSelector: {},
    objectSelector: {},
    ...more,
  };
}

const CRD_RULE = {
  apiGroups: [DEFINITIONS.group],
  apiVersions: [DEFINITIONS.version],
  resources: [DEFINITIONS.plural],
  scope: 'Cluster',
};

/** Answers a dry run that only the checker sends, which proves that the server uses this configuration. */
function probeWebhook(address: WebhookAddress, configuration: string, hash: string): Webhook {
  return webhook(WEBHOOKS.probe, {
    rules: [{ ...CRD_RULE, operations: ['CREATE'] }],
    failurePolicy: 'Ignore',
    clientConfig: clientConfig(address, `${PATHS.probe}/${configuration}/${hash}`),
    matchConditions: [{ name: 'asks-after-this', expression: asksAfter(configuration) }],
  });
}

/** A configuration as it should be. */
export interface Desired {
  readonly configuration: WebhookConfiguration;
  /** Identifies this content; the probe answers with it. */
  readonly hash: string;
}

interface Named {
  readonly name: string;
  readonly address: WebhookAddress;
  readonly owner?: OwnerReference | undefined;
}

function desired({ address, name, owner }: Named, webhooks: readonly Webhook[]): Desired {
  const hash = canonicalHash(webhooks).slice(0, HASH_LENGTH);
  const annotations = address.caPem === undefined ? { annotations: { [INJECT_BUNDLE]: 'true' } } : {};
  const configuration: WebhookConfiguration = {
    apiVersion: `${VALIDATING_WEBHOOKS.group}/${VALIDATING_WEBHOOKS.version}`,
    kind: VALIDATING_WEBHOOKS.kind,
    metadata: {
      name,
      labels: { ...MANAGED_BY },
      ...annotations,
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    webhooks: [...webhooks, probeWebhook(address, name, hash)],
  };
  return { configuration, hash };
}

/** Has every write of a CRD and of a requirement checked. */
export function staticConfiguration(address: WebhookAddress, failurePolicy: FailurePolicy): Desired {
  return desired({ name: STATIC_CONFIGURATION, address }, [
    webhook(WEBHOOKS.definitions, {
      rules: [{ ...CRD_RULE, operations: ['CREATE', 'UPDATE', 'DELETE'] }],
      failurePolicy,
      clientConfig: clientConfig(address, PATHS.definitions),
      matchConditions: [
        {
          name: 'is-not-of-the-checker-itself',
          expression: `!((object == null ? oldObject : object).metadata.name in ['${OWN_DEFINITION}', '${PROBE_DEFINITION}'])`,
        },
      ],
    }),
    webhook(WEBHOOKS.requirements, {
      rules: [
        {
          apiGroups: [REQUIREMENTS.group],
          apiVersions: [REQUIREMENTS.version],
          resources: [REQUIREMENTS.plural],
          operations: ['CREATE', 'UPDATE'],
          scope: 'Cluster',
        },
      ],
      failurePolicy,
      clientConfig: clientConfig(address, PATHS.requirements),
      // Finalizers, labels and owners can be changed while no replica answers, so that a requirement can always be deleted.
      matchConditions: [{ name: 'spec-changed', expression: 'oldObject == null || object.spec != oldObject.spec' }],
    }),
  ]);
}

/** The path on which the objects of a requirement are reviewed; servers accept no other characters in it. */
export function objectPath(requirement: CompatibilityRequirement): string {
  const { generation = 0, name = '', uid = '' } = requirement.metadata;
  return `${PATHS.objects}/${name}/${uid}/${generation}`;
}

/** The configuration that has objects checked; the requirement must ask for that. */
export function objectConfiguration(
  requirement: CompatibilityRequirement,
  read: Pick<ReadRequirement, 'definition' | 'versions'>,
  { address, failurePolicy }: { readonly address: WebhookAddress; readonly failurePolicy: FailurePolicy },
): Desired {
  const { name = '', uid = '' } = requirement.metadata;
  const {
    matchConditions = [],
    namespaceSelector = {},
    objectSelector = {},
  } = requirement.spec.objectSchemaValidation ?? {};
  const { group, names, scope, versions } = read.definition['spec'] as DefinitionSpec;
  const has = (subresource: 'scale' | 'status'): boolean =>
    versions.some((each) => read.versions.includes(each.name) && each.subresources?.[subresource] != null);
  const resources = [
    names.plural,
    ...(['status', 'scale'] as const).filter(has).map((each) => `${names.plural}/${each}`),
  ];
  const owner = {
    apiVersion: `${REQUIREMENTS.group}/${REQUIREMENTS.version}`,
    kind: REQUIREMENTS.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return desired({ name, address, owner }, [
    webhook(WEBHOOKS.objects, {
      rules: [
        { apiGroups: [group], apiVersions: [...read.versions], resources, operations: ['CREATE', 'UPDATE'], scope },
      ],
      failurePolicy,
      clientConfig: clientConfig(address, objectPath(requirement)),
      namespaceSelector: namespaceSelector as JsonObject,
      objectSelector: objectSelector as JsonObject,
      ...(matchConditions.length === 0 ? {} : { matchConditions: matchConditions as unknown as JsonObject[] }),
    }),
  ]);
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly scope: string;
  readonly versions: readonly {
    readonly name: string;
    readonly subresources?: { readonly scale?: unknown; readonly status?: unknown } | null;
  }[];
}
