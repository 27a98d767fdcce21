import { HOSTED_CLUSTERS, runningVersion } from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { minorOf, minorText, parseVersion, ReleaseError } from '@capstan/release';
import { SECRETS } from '../../kinds.js';
import type { Migration, StepAction } from '../model.js';
import { decideOperatorImage } from '../../operator-image/decide.js';
import { overridden, readOperatorImageRecord, restored } from '../../operator-image/record.js';
import { MigrationFailure } from '../reasons.js';
import { clusterApiDeployments, isControlPlaneOperator, writeDeployment } from '../workloads/deployments.js';
import type { Container, Deployment } from '../workloads/deployments.js';
import { controlPlaneOf, hasMoved } from './hold.js';

/**
 * Makes sure that the control plane operator will add sidecars: keeps its image where a label declares so, or names another
 * one on the HostedCluster. Its Deployment gets that with its own sidecar, once no pod of it runs.
 */
export const operatorImage: StepAction = async (migration) => {
  const { hostedCluster: before, parts, signal } = migration;
  if (readOperatorImageRecord(before) !== undefined || (await hasMoved(migration))) return undefined;
  const deployment = (await clusterApiDeployments(migration)).find(isControlPlaneOperator);
  const image = deployment === undefined ? undefined : operatorContainer(deployment)?.image;
  if (image === undefined) return undefined;
  const { overrides } = parts.operatorImages;
  const found = await supportOf(migration, image);
  if (typeof found !== 'boolean') return { message: `waiting for the registry: ${found.message}` };
  const minor = await minorVersion(migration);
  const facts = { image, isSupported: found, minor, overrides };
  const decision = decideOperatorImage(facts);
  if (decision.do === 'fail') throw new MigrationFailure('cpo-unsupported', decision.message);
  if (decision.do === 'keep') return undefined;
  const after = overridden(before, { image, override: decision.image, minor });
  const options = { optimisticLock: true, signal };
  migration.hostedCluster = await patchFrom(parts.client, HOSTED_CLUSTERS, { before, after }, options);
  parts.logger.info('Control plane operator image overridden', { ...nameOf(before), image: decision.image });
  return undefined;
};

/** Whether the image adds sidecars, or why that cannot be read now. An image that cannot be read at all is a failure. */
async function supportOf({ hostedCluster, parts, signal }: Migration, image: string): Promise<boolean | ReleaseError> {
  const pullSecret = await pullSecretOf({ hostedCluster, parts, signal });
  try {
    return await parts.operatorImages.isSupported(image, { pullSecret, signal });
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    if (error.isTransient) return error;
    const message = `the label of the control plane operator cannot be read: ${error.message}`;
    throw new MigrationFailure('cpo-unsupported', message, { cause: error });
  }
}

async function pullSecretOf({
  hostedCluster,
  parts,
  signal,
}: Pick<Migration, 'hostedCluster' | 'parts' | 'signal'>): Promise<string | undefined> {
  const name = hostedCluster.spec?.pullSecret.name ?? '';
  if (name === '') return undefined;
  const { namespace } = hostedCluster.metadata;
  const secret = await parts.client.get<Secret>(SECRETS, name, { namespace, signal }).catch(ignoreNotFound);
  const data = secret?.data?.['.dockerconfigjson'];
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString();
}

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The minor version of the control plane: its nodes may have another. */
async function minorVersion(migration: Migration): Promise<string | undefined> {
  const controlPlane = await controlPlaneOf(migration);
  const version = parseVersion(controlPlane?.status?.version ?? runningVersion(migration.hostedCluster) ?? '');
  const minor = version === undefined ? undefined : minorOf(version);
  return minor === undefined ? undefined : minorText(minor);
}

/** The Deployment of the control plane operator with the image that the HostedCluster names for private types. */
export function withOverride(deployment: Deployment, { hostedCluster }: Pick<Migration, 'hostedCluster'>): Deployment {
  const record = readOperatorImageRecord(hostedCluster);
  return record === undefined ? deployment : withImage(deployment, record.override);
}

/** Gives the control plane operator its image back, on its Deployment before on the HostedCluster. */
export const restoreOperatorImage: StepAction = async (migration) => {
  const { hostedCluster: before, parts, signal } = migration;
  const record = readOperatorImageRecord(before);
  if (record !== undefined)
    for (const deployment of (await clusterApiDeployments(migration)).filter(isControlPlaneOperator))
      if (operatorContainer(deployment)?.image === record.override)
        await writeDeployment(migration, deployment, withImage(deployment, record.image));
  const options = { optimisticLock: true, signal };
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before, after: restored(before) },
    options,
  );
  return undefined;
};

function operatorContainer({ metadata, spec }: Deployment): Container | undefined {
  const { containers } = spec.template.spec;
  return containers.find(({ name }) => name === metadata.name) ?? containers[0];
}

function withImage(deployment: Deployment, image: string): Deployment {
  const { spec } = deployment;
  const operator = operatorContainer(deployment);
  if (operator?.image === image) return deployment;
  const containers = spec.template.spec.containers.map((each) => (each === operator ? { ...each, image } : each));
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return { ...deployment, spec: { ...spec, template } };
}

function nameOf({ metadata: { name, namespace } }: KubeObject): {
  readonly namespace: unknown;
  readonly name: unknown;
} {
  return { namespace, name };
}
