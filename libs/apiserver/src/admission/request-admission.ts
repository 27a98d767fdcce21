import type { KubeObject } from '@capstan/meta';
import type { AdmissionAttributes, AdmissionOperation, RequestAdmission } from '../registry/admission-chain.js';
import type { Call } from '../verbs/context.js';

/** Binds the chain to one request; undefined where there is no chain. */
export function admissionOf(call: Call, dryRun: boolean, options: unknown): RequestAdmission | undefined {
  const { admission, served, info, namespace, user, warnings } = call;
  if (admission === undefined) return undefined;
  const { conversion } = served;
  // Kinds that are admitted in the version the client speaks come as they are; others were converted already.
  const shown = (object: KubeObject): KubeObject =>
    conversion === undefined || conversion.encode !== undefined ? object : conversion.fromStorage(object);
  const attributes = (
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    old: KubeObject | undefined,
  ): AdmissionAttributes => ({
    operation,
    served,
    subresource: info.subresource,
    namespace,
    name: object?.metadata.name ?? old?.metadata.name ?? '',
    object: object && shown(object),
    oldObject: old && (conversion === undefined ? old : conversion.fromStorage(old)),
    user,
    dryRun,
    options,
    warnings,
    annotate: (key, value) => call.audit?.annotate(key, value),
  });
  return {
    *mutate(operation, object, old) {
      const before = attributes(operation, object, old);
      const after = yield* admission.mutate(before);
      if (after === undefined || after === before.object) return object;
      return conversion === undefined ? after : conversion.toStorage(after);
    },
    validate: (operation, object, old) => admission.validate(attributes(operation, object, old)),
  };
}
