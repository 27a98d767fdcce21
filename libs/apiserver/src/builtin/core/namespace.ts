/** Namespaces: what is in them dies first, so they keep a finalizer of their own in the spec. */
import { invalid } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { BASE, keepField } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkQualifiedName } from '../shared/checks.js';
import { assign, defaultTo, ensure, fields, text, texts } from '../shared/json.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

// Also on updates: the label cannot be removed. With generateName there is no name yet, so it is set again before storing.
function label(namespace: KubeObject): void {
  const name = namespace.metadata.name;
  if (name) namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: name };
}

function checkFinalizers(out: Errors, finalizers: readonly string[], pathOf: (i: number) => string): void {
  finalizers.forEach((finalizer, i) => {
    checkQualifiedName(out, pathOf(i), finalizer);
    if (!finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer)) {
      out.push(invalid(pathOf(i), finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
    }
  });
}

function validate(namespace: KubeObject): FieldError[] {
  const out: Errors = [];
  checkFinalizers(out, texts(fields(namespace['spec'])['finalizers']), () => 'spec.finalizers');
  return out;
}

function validateStatus(namespace: KubeObject): FieldError[] {
  const phase = text(fields(namespace['status'])['phase']);
  const deleting = Boolean(namespace.metadata.deletionTimestamp);
  if (!deleting && phase !== 'Active')
    return [invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  if (deleting && phase !== 'Terminating') {
    return [invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  return [];
}

function validateFinalize(namespace: KubeObject): FieldError[] {
  const out: Errors = [];
  checkFinalizers(out, texts(fields(namespace['spec'])['finalizers']), (i) => `spec.finalizers[${i}]`);
  return out;
}

/** Strategy of namespaces. */
export const namespaceStrategy: ResourceStrategy = {
  ...BASE,
  nameValidator: 'dns1123-label',
  returnsDeletedObject: true,
  applyDefaults: (namespace) => {
    label(namespace);
    defaultTo(ensure(namespace, 'status'), 'phase', 'Active');
    ensure(namespace, 'spec');
  },
  prepareForCreate: (namespace) => {
    label(namespace);
    namespace['status'] = { phase: 'Active' };
    const spec = ensure(namespace, 'spec');
    const finalizers = texts(spec['finalizers']);
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
  },
  validate,
  prepareForUpdate: (namespace, old) => {
    label(namespace);
    assign(ensure(namespace, 'spec'), 'finalizers', fields(old['spec'])['finalizers']);
    keepField(namespace, old, 'status');
  },
  validateUpdate: (namespace, _old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    return [...asNew, ...validate(namespace), ...asChange];
  },
  subresources: {
    status: { prepareForUpdate: (namespace, old) => keepField(namespace, old, 'spec'), validateUpdate: validateStatus },
    finalize: {
      prepareForUpdate: (namespace, old) => keepField(namespace, old, 'status'),
      validateUpdate: validateFinalize,
    },
  },
  fieldLabels: { 'status.phase': (namespace) => text(fields(namespace['status'])['phase']) },
};
