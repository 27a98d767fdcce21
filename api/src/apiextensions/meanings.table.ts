import type { Meanings } from '../model/index.js';

/** What the kinds of the CRD compatibility checker and their fields mean. */
export const meanings: Meanings = {
  CompatibilityRequirement:
    'States what one user of a CustomResourceDefinition needs of it, so that a change that would break that user is warned about or refused.',
  'CompatibilityRequirementSpec.compatibilitySchema': 'The definition that the live one must stay compatible with.',
  'CompatibilityRequirementSpec.customResourceDefinitionSchemaValidation':
    'What happens to a change of the CustomResourceDefinition that is not compatible; not checked when left out.',
  'CompatibilityRequirementSpec.customResourceDefinitionSchemaValidation.action':
    'Refuse the change, or let it pass with a warning.',
  'CompatibilityRequirementSpec.objectSchemaValidation':
    'What happens to objects that the required definition would not take; not checked when left out.',
  'CompatibilityRequirementStatus.conditions': 'Whether the requirement could be read, is in force, and holds.',
  'CompatibilityRequirementStatus.crdName':
    'The CustomResourceDefinition the requirement is about; never changes once written.',
  'CompatibilityRequirementStatus.observedCRD': 'The state of that definition which the conditions speak of.',
  'CompatibilityRequirementStatus.observedCRD.generation': 'Its generation.',
  'CompatibilityRequirementStatus.observedCRD.uid': 'Its identity; another one means that it was created again.',
  CompatibilitySchema: 'The required definition and what of it counts.',
  'CompatibilitySchema.customResourceDefinition': 'The required CustomResourceDefinition itself.',
  'CompatibilitySchema.customResourceDefinition.data': 'Its text.',
  'CompatibilitySchema.customResourceDefinition.type': 'How the text is written.',
  'CompatibilitySchema.excludedFields': 'Fields that may differ.',
  'CompatibilitySchema.requiredVersions': 'The versions that must be compatible.',
  'CompatibilitySchema.requiredVersions.additionalVersions': 'Versions besides those of the selection.',
  'CompatibilitySchema.requiredVersions.defaultSelection': 'Only the stored version, or every version that is served.',
  ExcludedField: 'A field that may differ.',
  'ExcludedField.path': 'The way to the field, with dots; lists are passed through.',
  'ExcludedField.versions': 'The versions it may differ in; every selected one that has the field when left out.',
  NonEmptyLabelSelector: 'Selects objects by their labels, with at least one requirement.',
  'NonEmptyLabelSelector.matchExpressions': 'Requirements on keys and their values.',
  'NonEmptyLabelSelector.matchExpressions.key': 'The label the requirement is about.',
  'NonEmptyLabelSelector.matchExpressions.operator': 'In, NotIn, Exists or DoesNotExist.',
  'NonEmptyLabelSelector.matchExpressions.values': 'The values for In and NotIn; empty for the others.',
  'NonEmptyLabelSelector.matchLabels': 'Labels that must have exactly these values.',
  ObjectSchemaValidation: 'How objects are checked against the required definition.',
  'ObjectSchemaValidation.action': 'Refuse the object, or let it pass with a warning.',
  'ObjectSchemaValidation.matchConditions': 'CEL conditions that must all hold for an object to be checked.',
  'ObjectSchemaValidation.matchConditions.expression': 'The condition.',
  'ObjectSchemaValidation.matchConditions.name': 'Its name, unique in the list.',
  'ObjectSchemaValidation.namespaceSelector': 'Only objects in namespaces with these labels are checked.',
  'ObjectSchemaValidation.objectSelector': 'Only objects with these labels are checked.',
};
