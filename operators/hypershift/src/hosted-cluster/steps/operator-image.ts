import { CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION, HOSTED_CLUSTERS, releaseRetryMs } from '@capstan/hosting';
import { minorOf, minorText, parseVersion, ReleaseError } from '@capstan/release';
import type { ReleasePayload } from '@capstan/release';
import { DEPLOYMENTS } from '../../kinds.js';
import { chooseOperatorImage } from '../../operator-image/choose.js';
import type { ChoiceFacts } from '../../operator-image/choose.js';
import { overridden, readOperatorImageRecord, restored } from '../../operator-image/record.js';
import type { OperatorImages } from '../../operator-image/images.js';
import { dataOf } from '../decide.js';
import { CONTROL_PLANE_OPERATOR_IMAGE, imageOf } from '../desired/images.js';
import { CONTROL_PLANE_OPERATOR } from '../desired/own-components.js';
import { requeueAfter, setFinding } from '../state.js';
import type { State } from '../state.js';

/** A registry is asked again after so long. */
const WAIT_MS = 30_000;

/**
 * Makes sure that the control plane operator of a cluster on private types adds the API proxy to its components, in the release
 * that is wanted now: otherwise the cluster is neither created nor upgraded.
 */
export async function operatorImage(state: State): Promise<void> {
  const { blocked, converger, dependencies, hostedCluster: before, release } = state;
  const { operatorImages } = dependencies;
  if (operatorImages === undefined || release === undefined || blocked !== undefined) return;
  const own = restored(before);
  const image = imageOf(CONTROL_PLANE_OPERATOR_IMAGE, { hostedCluster: own, release, env: dependencies.env });
  // What is missing in a release is reported with its other images.
  if (image === undefined) return;
  const choice = chooseOperatorImage(await factsOf(state, { image, images: operatorImages, release }));
  if (choice.do === 'wait' || choice.do === 'fail') {
    const message = `cpo-unsupported: ${choice.message}`;
    setFinding(state, {
      type: 'ValidReleaseInfo',
      status: 'False',
      reason: 'ControlPlaneOperatorUnsupported',
      message,
    });
    state.blocked = `ValidReleaseInfo is false: ${message}`;
    requeueAfter(state, WAIT_MS);
    return;
  }
  if (choice.do === 'keep') return;
  const minor = minorVersion(release);
  const after = choice.do === 'restore' ? own : overridden(own, { image, override: choice.image, minor });
  state.hostedCluster = await converger.patch(HOSTED_CLUSTERS, before, after);
}

async function factsOf(
  state: State,
  {
    image,
    images,
    release,
  }: { readonly image: string; readonly images: OperatorImages; readonly release: ReleasePayload },
): Promise<ChoiceFacts> {
  const { converger, hostedCluster, namespace } = state;
  const record = readOperatorImageRecord(hostedCluster);
  const { [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION]: named } = hostedCluster.metadata.annotations ?? {};
  const deployment = await converger.find(DEPLOYMENTS, CONTROL_PLANE_OPERATOR, namespace);
  return {
    image,
    isSupported: await supportOf(state, images, image),
    minor: minorVersion(release),
    overrides: images.overrides,
    // A user has named another image since: the override is not in effect any more.
    record: record !== undefined && named === record.override ? record : undefined,
    isRunning: JSON.stringify(deployment?.['spec'] ?? {}).includes(JSON.stringify(image)),
  };
}

async function supportOf(
  state: State,
  { isSupported }: OperatorImages,
  image: string,
): Promise<ChoiceFacts['isSupported']> {
  const { hostedCluster, signal, snapshot } = state;
  const source = snapshot.sources.get(`Secret ${hostedCluster.spec?.pullSecret.name ?? ''}`);
  const pullSecret = source === undefined ? undefined : dataOf(source, '.dockerconfigjson');
  try {
    return await isSupported(image, { pullSecret, signal });
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    requeueAfter(state, releaseRetryMs(error));
    return { unknown: error.message };
  }
}

function minorVersion({ version }: ReleasePayload): string | undefined {
  const parsed = parseVersion(version);
  const minor = parsed === undefined ? undefined : minorOf(parsed);
  return minor === undefined ? undefined : minorText(minor);
}
