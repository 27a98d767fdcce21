/** Deployments and ReplicaSets. */
import { forbidden, invalid, notSupported } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { keepField, setGeneration, specAndStatus, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkImmutable, checkNonNegative } from '../shared/checks.js';
import { structText } from '../shared/internal.js';
import { assign, defaultText, defaultTo, ensure, equalJson, fields, integer, record, text } from '../shared/json.js';
import { checkCollisions, checkReplicaCounts } from '../shared/replicas.js';
import { replicasScale } from '../shared/scale.js';
import type { ResourceStrategy } from '../strategy.js';
import { defaultPodTemplate } from '../core/pod-defaults.js';
import { hostnameWarnings } from '../core/pod-warnings.js';
import { checkReplicaTemplate, checkRollingUpdate, checkSelector, templateWarnings } from './workload.js';

function deploymentDefaults(deployment: KubeObject): void {
  const spec = ensure(deployment, 'spec');
  defaultTo(spec, 'replicas', 1);
  const strategy = ensure(spec, 'strategy');
  defaultText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensure(strategy, 'rollingUpdate');
    defaultTo(rolling, 'maxUnavailable', '25%');
    defaultTo(rolling, 'maxSurge', '25%');
  }
  defaultTo(spec, 'revisionHistoryLimit', 10);
  defaultTo(spec, 'progressDeadlineSeconds', 600);
  defaultPodTemplate(ensure(spec, 'template'));
}

/** Under the server's internal names. */
function shownRolling(rolling: JsonObject | undefined): JsonObject | null {
  return rolling ? { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 } : null;
}

function checkStrategy(out: Errors, strategy: Readonly<JsonObject>): void {
  const type = text(strategy['type']);
  const rolling = record(strategy['rollingUpdate']);
  if (type === 'RollingUpdate') checkRollingUpdate(out, 'spec.strategy.rollingUpdate', rolling ?? {});
  else if (type !== 'Recreate') {
    // The whole strategy is shown, under the server's internal names.
    out.push(
      notSupported('spec.strategy', structText({ Type: type, RollingUpdate: shownRolling(rolling) }), [
        'Recreate',
        'RollingUpdate',
      ]),
    );
  } else if (rolling) {
    out.push(forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"));
  }
}

function validateDeployment(deployment: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(deployment['spec']);
  checkNonNegative(out, 'spec.replicas', spec['replicas']);
  checkSelector(out, spec['selector'], 'deployment');
  checkReplicaTemplate(out, spec);
  checkStrategy(out, fields(spec['strategy']));
  checkNonNegative(out, 'spec.minReadySeconds', spec['minReadySeconds']);
  checkNonNegative(out, 'spec.revisionHistoryLimit', spec['revisionHistoryLimit']);
  const deadline = integer(spec['progressDeadlineSeconds']);
  if (deadline !== undefined) {
    checkNonNegative(out, 'spec.progressDeadlineSeconds', deadline);
    if (deadline <= (integer(spec['minReadySeconds']) ?? 0)) {
      out.push(invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
    }
  }
  return out;
}

function withImmutableSelector(
  validate: (obj: KubeObject) => FieldError[],
): (obj: KubeObject, old: KubeObject) => FieldError[] {
  return (obj, old) => {
    const out = validate(obj);
    checkImmutable(out, 'spec.selector', fields(obj['spec'])['selector'], fields(old['spec'])['selector']);
    return out;
  };
}

const nameAndTemplateWarnings = (obj: KubeObject): string[] => [
  ...hostnameWarnings(obj.metadata.name, 'Pod names and hostnames'),
  ...templateWarnings(obj),
];

/** Strategy of deployments. */
export const deploymentStrategy: ResourceStrategy = specAndStatus(
  {},
  {
    applyDefaults: deploymentDefaults,
    validate: validateDeployment,
    warningsOnCreate: nameAndTemplateWarnings,
    prepareForUpdate: (deployment, old) => {
      keepField(deployment, old, 'status');
      // Annotations count: the rollout machinery reads them.
      const annotated = !equalJson(deployment.metadata.annotations ?? {}, old.metadata.annotations ?? {});
      setGeneration(deployment, old, annotated || !equalJson(deployment['spec'], old['spec']));
    },
    validateUpdate: withImmutableSelector(validateDeployment),
    warningsOnUpdate: templateWarnings,
    subresources: {
      status: statusUpdate(
        (deployment, old) => {
          const out: Errors = [];
          const status = fields(deployment['status']);
          checkReplicaCounts(out, status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']);
          checkCollisions(out, status, fields(old['status']));
          return out;
        },
        (deployment, old) => assign(deployment.metadata as JsonObject, 'labels', old.metadata.labels),
      ),
    },
    scale: replicasScale(),
  },
);

function validateReplicaSet(replicaSet: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(replicaSet['spec']);
  checkNonNegative(out, 'spec.replicas', spec['replicas']);
  checkNonNegative(out, 'spec.minReadySeconds', spec['minReadySeconds']);
  checkSelector(out, spec['selector'], 'deployment');
  checkReplicaTemplate(out, spec);
  return out;
}

/** Strategy of replica sets. */
export const replicaSetStrategy: ResourceStrategy = specAndStatus(
  { replicas: 0 },
  {
    applyDefaults: (replicaSet) => {
      const spec = ensure(replicaSet, 'spec');
      defaultTo(spec, 'replicas', 1);
      defaultPodTemplate(ensure(spec, 'template'));
    },
    validate: validateReplicaSet,
    warningsOnCreate: nameAndTemplateWarnings,
    validateUpdate: withImmutableSelector(validateReplicaSet),
    warningsOnUpdate: templateWarnings,
    subresources: {
      status: statusUpdate((replicaSet) => {
        const out: Errors = [];
        checkReplicaCounts(out, fields(replicaSet['status']), [
          'fullyLabeledReplicas',
          'readyReplicas',
          'availableReplicas',
        ]);
        return out;
      }),
    },
    scale: replicasScale(),
  },
);
