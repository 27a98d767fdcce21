import { checkQualifiedName, copyMembers, deepEqual, goQuote } from '@capstan/meta';
import { embeddedMetadataProblem } from './embedded-metadata.js';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import type { SelectableField, StructuralSchema, ValidationResult } from '@capstan/schema';
import { BASE } from '../builtin/base.js';
import type { ResourceStrategy, StrategyContext, UpdateStrategy } from '../builtin/strategy.js';
import { refuseStranger } from './custom-kind.js';
import { checkScaleSpec, checkScaleStatus, scaleMapping } from './custom-scale.js';
import type { ScalePaths } from '../builtin/apiextensions/crd.js';
import { withFloats } from './whole-floats.js';

/** What a version of a CRD declares about writing its objects. */
export interface CustomStrategyOptions {
  readonly schema: () => StructuralSchema;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly selectable: () => readonly SelectableField[];
  readonly selectableNames: readonly string[];
}

const STANDARD_FINALIZERS = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

function finalizerWarnings(finalizer: string): string[] {
  const about = (complaint: string): string => `metadata.finalizers: ${goQuote(finalizer)}: ${complaint}`;
  const warnings = checkQualifiedName(finalizer).map(about);
  if (finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)) return warnings;
  const path = finalizer.includes('.') ? ' including a path (/)' : '';
  return [
    ...warnings,
    about(`prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`),
  ];
}

function newFinalizerWarnings(object: KubeObject, old?: KubeObject): string[] {
  const { finalizers = [] } = object.metadata;
  if (finalizers.length === 0 || finalizers === old?.metadata.finalizers) return [];
  const known = new Set(old?.metadata.finalizers);
  return [...new Set(finalizers)]
    .filter((each) => !known.has(each))
    .sort()
    .flatMap(finalizerWarnings);
}

function differsOutsideMetadata(object: KubeObject, old: KubeObject): boolean {
  for (const key of Object.keys(object)) if (key !== 'metadata' && !deepEqual(object[key], old[key])) return true;
  for (const key of Object.keys(old))
    if (old[key] !== undefined && object[key] === undefined && key !== 'metadata') return true;
  return false;
}

/** Takes the status, and what was recorded of who set it, and nothing else. */
function takeStatusOnly(object: KubeObject, old: KubeObject): void {
  const { status } = object as JsonObject;
  const { managedFields } = object.metadata;
  // Mostly there is nothing to delete: an object that something was deleted from is slower ever after.
  for (const key of Object.keys(object)) if (key !== 'status' && !Object.hasOwn(old, key)) delete object[key];
  const metadata = copyMembers(old.metadata);
  if (managedFields !== undefined) metadata.managedFields = managedFields;
  else if (metadata.managedFields !== undefined) delete metadata.managedFields;
  for (const key in old) if (key !== 'status' && key !== 'metadata') (object as JsonObject)[key] = old[key];
  object.metadata = metadata;
  if (status === undefined && Object.hasOwn(object, 'status')) delete object['status'];
}

/** The write path of one version of a custom resource. Old objects come in that version too, whichever is stored. */
export function createCustomStrategy(options: CustomStrategyOptions): ResourceStrategy {
  const { schema, hasStatus, scale } = options;
  const report = ({ errors, isSound, warnings }: ValidationResult, context: StrategyContext): FieldError[] => {
    const { known: writing, warn } = context;
    if (writing !== undefined) writing.isValid = isSound && errors.length === 0;
    // Warnings about unchanged values are sent even when something else is refused.
    for (const warning of warnings) warn?.(warning);
    return [...errors];
  };
  const scaleErrors = (object: KubeObject): FieldError[] => [
    ...checkScaleSpec(object, scale),
    ...checkScaleStatus(object, scale),
  ];
  const check = (given: KubeObject, context: StrategyContext, old?: KubeObject): FieldError[] => {
    refuseStranger(given);
    const object = withFloats(given);
    const more = scaleErrors(object);
    const metadataProblem = embeddedMetadataProblem;
    const isOldSound = old !== undefined && context.known?.since === old;
    // Rules are not asked where the metadata is wrong.
    const asked = { old, isOldSound, more, callerErrors: context.metadataErrors, metadataProblem };
    return report(schema().validate(object, asked), context);
  };
  const status: UpdateStrategy = {
    prepareForUpdate: (object, old) => takeStatusOnly(object, old),
    validateUpdate: (given, old, context) => {
      refuseStranger(given);
      const object = withFloats(given);
      const more = checkScaleStatus(object, scale);
      const isOldSound = context.known?.since === old;
      const asked = { old, isOldSound, more, callerErrors: context.metadataErrors };
      return report(schema().validateStatus(object, asked), context);
    },
  };
  return {
    ...BASE,
    hasGeneration: true,
    allowUnconditionalUpdate: false,
    prepareForCreate: (object) => {
      if (hasStatus && 'status' in object) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, before) => {
      if (hasStatus) {
        if (before['status'] === undefined) delete object['status'];
        else (object as JsonObject)['status'] = before['status'];
      }
      if (differsOutsideMetadata(object, before)) object.metadata.generation = (before.metadata.generation ?? 0) + 1;
    },
    validate: (object, context) => check(object, context),
    validateUpdate: (object, old, context) => check(object, context, old),
    warningsOnCreate: (object) => newFinalizerWarnings(object),
    warningsOnUpdate: (object, old) => newFinalizerWarnings(object, old),
    ...(hasStatus ? { subresources: { status } } : {}),
    fieldLabels: fieldLabels(options),
    ...(scale === undefined ? {} : { scale: scaleMapping(scale) }),
  };
}

function fieldLabels({ selectable, selectableNames }: CustomStrategyOptions): ResourceStrategy['fieldLabels'] {
  const labels: Record<string, (object: KubeObject) => string> = {};
  for (const [index, name] of selectableNames.entries()) {
    labels[name] = (object) => selectable()[index]?.read(object) ?? '';
  }
  return labels;
}
