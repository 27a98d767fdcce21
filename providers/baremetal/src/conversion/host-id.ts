/** The host that a machine runs on, and its ID. */
import { getAt } from '@capstan/convert';
import { sameProviderId } from '@capstan/convert/machine-api';
import type { HostKind, MachineRule } from '@capstan/convert/machine-api';

/** Written by the machine controllers of both APIs when they choose a host. */
const HOST_ANNOTATION = 'metal3.io/BareMetalHost';

/** The host of a machine: `<namespace>/<name>` in its annotation. */
export const hostOf: HostKind['of'] = (machine) => {
  const found = getAt(machine, ['metadata', 'annotations', HOST_ANNOTATION]);
  const [namespace = '', name = '', ...more] = typeof found === 'string' ? found.split('/') : [];
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
};

/** Fields that name one host. */
export const identity: readonly MachineRule[] = sameProviderId({
  // Without the UID, as it was written before hosts could be replaced under their name.
  pattern: /^baremetalhost:\/\/\/[^/]+\/[^/]+(?:\/[^/]+)?$/,
  form: 'baremetalhost:///<namespace>/<name>/<uid>',
  use: 'Machine API finds hosts by',
});
