/** PodTemplates and ReplicationControllers. */
import { forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { counted, specAndStatus, statusUpdate } from '../base.js';
import { replicasScale } from '../shared/scale.js';
import type { Errors } from '../shared/checks.js';
import { checkNonNegative } from '../shared/checks.js';
import { defaultTo, ensure, fields, integer, record, textMap } from '../shared/json.js';
import { checkReplicaCounts } from '../shared/replicas.js';
import type { ResourceStrategy } from '../strategy.js';
import { defaultPodTemplate } from './pod-defaults.js';
import { checkPodTemplate } from './pod-spec.js';
import { hostnameWarnings, podWarnings } from './pod-warnings.js';

function validateTemplate(template: KubeObject): FieldError[] {
  const out: Errors = [];
  checkPodTemplate(out, 'template', template['template']);
  return out;
}

const templateWarnings = (template: KubeObject): string[] => {
  const inner = fields(template['template']);
  return podWarnings('template', inner['metadata'], inner['spec']);
};

/** Strategy of pod templates. */
export const podTemplateStrategy: ResourceStrategy = counted(['template'], {
  returnsDeletedObject: true,
  applyDefaults: (template) => defaultPodTemplate(ensure(template, 'template')),
  validate: validateTemplate,
  validateUpdate: validateTemplate,
  warningsOnCreate: templateWarnings,
});

function defaults(controller: KubeObject): void {
  const spec = ensure(controller, 'spec');
  const template = record(spec['template']);
  const labels = record(fields(template?.['metadata'])['labels']);
  if (labels) {
    if (Object.keys(textMap(spec['selector'])).length === 0) spec['selector'] = { ...labels };
    if (Object.keys(textMap(controller.metadata.labels)).length === 0)
      controller.metadata.labels = { ...(labels as Record<string, string>) };
  }
  defaultTo(spec, 'replicas', 1);
  defaultPodTemplate(template);
}

function checkTemplate(out: Errors, spec: Readonly<JsonObject>): void {
  const path = 'spec.template';
  const template = record(spec['template']);
  if (!template) {
    out.push(required(path));
    return;
  }
  const selector = textMap(spec['selector']);
  const labels = textMap(fields(template['metadata'])['labels']);
  if (Object.keys(selector).some((key) => labels[key] !== selector[key])) {
    out.push(
      invalid(
        `${path}.metadata.labels`,
        record(fields(template['metadata'])['labels']) ?? null,
        '`selector` does not match template `labels`',
      ),
    );
  }
  checkPodTemplate(out, path, template);
  const pod = fields(template['spec']);
  if (pod['restartPolicy'] !== 'Always')
    out.push(notSupported(`${path}.spec.restartPolicy`, pod['restartPolicy'], ['Always']));
  if (pod['activeDeadlineSeconds'] !== undefined) {
    out.push(
      forbidden(
        `${path}.spec.activeDeadlineSeconds`,
        'activeDeadlineSeconds in ReplicationController is not Supported',
      ),
    );
  }
}

function validate(controller: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(controller['spec']);
  checkNonNegative(out, 'spec.minReadySeconds', spec['minReadySeconds']);
  if (Object.keys(textMap(spec['selector'])).length === 0) out.push(required('spec.selector'));
  checkNonNegative(out, 'spec.replicas', spec['replicas']);
  checkTemplate(out, spec);
  return out;
}

/** Strategy of replication controllers. */
export const replicationControllerStrategy: ResourceStrategy = specAndStatus(
  { replicas: 0 },
  {
    nameValidator: 'declared-subdomain',
    defaultGarbageCollection: 'Orphan',
    applyDefaults: defaults,
    validate,
    validateUpdate: validate,
    warningsOnCreate: (controller) => {
      const template = fields(fields(controller['spec'])['template']);
      const names = hostnameWarnings(controller.metadata.name, 'Pod names and hostnames');
      return [...names, ...podWarnings('spec.template', template['metadata'], template['spec'])];
    },
    subresources: {
      status: statusUpdate((controller) => {
        const out: Errors = [];
        checkReplicaCounts(out, fields(controller['status']), [
          'fullyLabeledReplicas',
          'readyReplicas',
          'availableReplicas',
        ]);
        return out;
      }),
    },
    fieldLabels: { 'status.replicas': (controller) => String(integer(fields(controller['status'])['replicas']) ?? 0) },
    scale: replicasScale((controller) => ({ matchLabels: fields(controller['spec'])['selector'] })),
  },
);
