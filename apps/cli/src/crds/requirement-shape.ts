import { compatibilityRequirement } from '@capstan/api/apiextensions';
import { structuralSchema } from '@capstan/api/model';
import type { FieldError } from '@capstan/meta';
import { StructuralSchema } from '@capstan/schema';
import { REQUIREMENTS } from './lists.js';

/** What a server would refuse of a requirement before anything reads it: a file may hold anything. */
export function requirementErrors(object: unknown): readonly FieldError[] {
  return new StructuralSchema(structuralSchema(compatibilityRequirement, REQUIREMENTS.version)).validateSchema(object);
}
