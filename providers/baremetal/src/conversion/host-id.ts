/** The ID of the host that a machine runs on. */
import { sameProviderId } from '@capstan/convert/machine-api';
import type { MachineRule } from '@capstan/convert/machine-api';

/** Fields that name one host. */
export const identity: readonly MachineRule[] = sameProviderId({
  // Without the UID, as it was written before hosts could be replaced under their name.
  pattern: /^baremetalhost:\/\/\/[^/]+\/[^/]+(?:\/[^/]+)?$/,
  form: 'baremetalhost:///<namespace>/<name>/<uid>',
  use: 'Machine API finds hosts by',
});
