import {
  LEGACY_OPERATOR_NAME,
  OPERATOR_NAME,
  servingSecretOf,
  VERSION_ANNOTATION,
} from '@capstan/hypershift/manifests';
import type { Client, ResourceRef } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { clientVersion } from '../client-version.js';
import { CliError } from '../errors.js';
import { objectsOf } from './components.js';
import { operatorObjects } from './hypershift.js';
import { groupsOfCrds } from './settings.js';
import { keepVariables } from './variables.js';

interface PodSpec {
  readonly containers: readonly {
    readonly name: string;
    readonly image?: string;
    readonly command?: readonly string[];
  }[];
  readonly [field: string]: unknown;
}

interface Deployment extends KubeObject {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const DEPLOYMENTS: ResourceRef = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const SECRETS: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
/** What administrators set so that a pod finds a node and its image. */
const OF_ADMINISTRATORS = ['affinity', 'imagePullSecrets', 'nodeSelector', 'tolerations'];

/** The image of the operator on private types: the legacy operator is the same program. Undefined: there is no such Deployment. */
export async function operatorImage(client: Client, namespace: string): Promise<string | undefined> {
  return containerOf(await operatorIn(client, namespace))?.image;
}

function operatorIn(client: Client, namespace: string): Promise<Deployment | undefined> {
  return client.get<Deployment>(DEPLOYMENTS, OPERATOR_NAME, { namespace }).catch(ignoreNotFound);
}

function containerOf(operator: Deployment | undefined): PodSpec['containers'][number] | undefined {
  return operator?.spec.template.spec.containers.find(({ name }) => name === OPERATOR_NAME);
}

/** The legacy operator as an installation of the operator that is there has it: same image, variables, nodes and pull secrets. */
export async function legacyOperatorObjects(client: Client, namespace: string): Promise<readonly KubeObject[]> {
  const operator = await operatorIn(client, namespace);
  const container = containerOf(operator);
  if (operator === undefined || container?.image === undefined)
    throw new CliError(
      `deployment.apps/${OPERATOR_NAME} is not in namespace ${namespace}, and the legacy operator has its image`,
      'name the namespace of the operators with --operator-namespace',
    );
  const secret = servingSecretOf('legacy');
  // Only certificates of our own have their CA next to them.
  const { data = {} } = (await client.get<Secret>(SECRETS, secret, { namespace }).catch(ignoreNotFound)) ?? {};
  const settings = {
    namespace,
    image: container.image,
    // An image of its own, as `capstan up` has it, has an entry point.
    operator: container.command === undefined ? { image: container.image, env: {} } : undefined,
    version: operator.metadata.annotations?.[VERSION_ANNOTATION] ?? clientVersion(),
    caBundles: data['ca.crt'] === undefined ? {} : { [secret]: data['ca.crt'] },
    groups: await groupsOfCrds(client),
    monitor: false,
    native: true,
  };
  const objects = (await operatorObjects(settings, 'legacy')).map((object) => likeOperator(object, operator));
  const stages = [{ objects, deployments: [LEGACY_OPERATOR_NAME] }];
  return objectsOf(
    await keepVariables(client, { definitions: [], platformDefinitions: [], stages, once: [] }, { namespace }),
  );
}

function likeOperator(object: KubeObject, { spec: { template: there } }: Deployment): KubeObject {
  if (object.kind !== 'Deployment') return object;
  const { spec } = object as Deployment;
  const { template } = spec;
  const fields = OF_ADMINISTRATORS.filter((field) => there.spec[field] !== undefined);
  const own = Object.fromEntries(fields.map((field) => [field, there.spec[field]]));
  return { ...object, spec: { ...spec, template: { ...template, spec: { ...template.spec, ...own } } } };
}
