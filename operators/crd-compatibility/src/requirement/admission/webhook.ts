import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ServerRelease } from '@capstan/crd-compat';
import type { ValidatingWebhook } from '@capstan/kube';
import { AdmissionDenied } from '@capstan/kube';
import { fieldErrorsMessage } from '@capstan/meta';
import { REQUIREMENTS } from '../../kinds.js';
import { CHECKER } from '../../names.js';
import { checkRequirement } from './check.js';
import { readRequirement } from '../../requirement-cache/read.js';

/** Refuses requirements that could not be enforced. */
export function requirementWebhook(
  server: () => Promise<ServerRelease | undefined>,
): ValidatingWebhook<CompatibilityRequirement> {
  return {
    for: { group: REQUIREMENTS.group, kind: REQUIREMENTS.kind },
    validate: async ({ object, old }) => {
      if (object === undefined) return;
      const reading = await readRequirement(object.spec, await server());
      const known = old === undefined ? undefined : await targetOf(old);
      const errors = checkRequirement(object, reading, known);
      if (errors.length === 0) return;
      const message = `${CHECKER}: ${REQUIREMENTS.kind} "${object.metadata.name ?? ''}" is invalid: ${fieldErrorsMessage(errors)}`;
      throw new AdmissionDenied(message, { code: 422, reason: 'Invalid' });
    },
  };
}

/** What a requirement is about, by its status once there is one; a requirement that makes no sense may become any. */
async function targetOf(requirement: CompatibilityRequirement): Promise<string | undefined> {
  const { crdName } = requirement.status ?? {};
  if (crdName !== undefined) return crdName;
  const reading = await readRequirement(requirement.spec);
  return 'ok' in reading ? reading.ok.crdName : undefined;
}
