import { checkReleases, releaseImages } from '@capstan/hosting';
import { dataOf } from '../decide.js';
import { requeueAfter, setFinding } from '../state.js';
import type { Finding, State } from '../state.js';

/** ValidReleaseImage while there is no pull secret. */
const NO_PULL_SECRET: Finding = {
  type: 'ValidReleaseImage',
  status: 'False',
  reason: 'SecretNotFound',
  message: 'The release image cannot be looked up without a pull secret: see ValidConfiguration',
};

/** Reads the release image: its version comes from the payload, never from the tag. */
export async function release(state: State): Promise<void> {
  const { controlPlane, hostedCluster, dependencies, snapshot, signal } = state;
  const source = snapshot.sources.get(`Secret ${hostedCluster.spec?.pullSecret.name ?? ''}`);
  const pullSecret = source === undefined ? undefined : dataOf(source, '.dockerconfigjson');
  if (pullSecret === undefined) return setFinding(state, NO_PULL_SECRET);
  const { releases } = dependencies;
  const images = releaseImages(hostedCluster);
  const own = await releases.lookup(images.controlPlane, pullSecret, signal);
  const isOne = images.cluster === images.controlPlane;
  const guest = isOne ? own : await releases.lookup(images.cluster, pullSecret, signal);
  const { condition, retryAfterMs } = checkReleases(hostedCluster, isOne ? [own] : [own, guest], controlPlane);
  setFinding(state, condition);
  if (retryAfterMs !== undefined) requeueAfter(state, retryAfterMs);
  if ('payload' in own && condition.status === 'True') state.release = own.payload;
  if ('payload' in guest && condition.status === 'True') state.guestRelease = guest.payload;
}
