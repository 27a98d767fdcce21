// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Kind } from '../model/index.js';
import { compatibilityRequirement } from './tables/compatibility-requirement.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [compatibilityRequirement];

export { compatibilityRequirement };
export type {
  CompatibilityRequirement,
  CompatibilityRequirementSpec,
  CompatibilityRequirementStatus,
  CompatibilitySchema,
  ExcludedField,
  NonEmptyLabelSelector,
  ObjectSchemaValidation,
} from './tables/compatibility-requirement.js';
