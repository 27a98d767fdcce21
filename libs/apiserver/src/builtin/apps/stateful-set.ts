/** StatefulSets. */
import { forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { specAndStatus, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  checkLabel,
  checkAnnotations,
  checkLabels,
  checkNonNegative,
  intOrPercentNumber,
  isEmptySelector,
  isUsableSelector,
} from '../shared/checks.js';
import { structText } from '../shared/internal.js';
import { defaultText, defaultTo, ensure, equalJson, fields, integer, record, records, text } from '../shared/json.js';
import { checkCollisions, checkReplicaCounts } from '../shared/replicas.js';
import { replicasScale } from '../shared/scale.js';
import type { ResourceStrategy } from '../strategy.js';
import { checkClaimSpec } from '../core/claim-spec.js';
import { defaultPodTemplate } from '../core/pod-defaults.js';
import { checkPodAnnotations, checkPodTemplate } from '../core/pod-spec.js';
import { defaultClaim } from '../core/volume-claim.js';
import { checkAlwaysRestarts, checkSelector, checkTemplateMatches, templateWarnings } from './workload.js';

function defaults(set: KubeObject): void {
  const spec = ensure(set, 'spec');
  defaultText(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = ensure(spec, 'updateStrategy');
  if (text(strategy['type']) === '') {
    strategy['type'] = 'RollingUpdate';
    ensure(strategy, 'rollingUpdate');
  }
  const rolling = record(strategy['rollingUpdate']);
  if (strategy['type'] === 'RollingUpdate' && rolling) defaultTo(rolling, 'partition', 0);
  const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy');
  defaultText(retention, 'whenDeleted', 'Retain');
  defaultText(retention, 'whenScaled', 'Retain');
  defaultTo(spec, 'replicas', 1);
  defaultTo(spec, 'revisionHistoryLimit', 10);
  defaultPodTemplate(ensure(spec, 'template'));
  for (const claim of records(spec['volumeClaimTemplates'])) {
    claim['apiVersion'] = 'v1';
    claim['kind'] = 'PersistentVolumeClaim';
    defaultClaim(claim);
  }
}

function checkRolling(out: Errors, rolling: JsonObject): void {
  const path = 'spec.updateStrategy.rollingUpdate';
  checkNonNegative(out, `${path}.partition`, rolling['partition']);
  const missing = rolling['maxUnavailable'];
  if (missing === undefined) return;
  checkIntOrPercent(out, `${path}.maxUnavailable`, missing);
  if (intOrPercentNumber(missing) === 0) out.push(invalid(`${path}.maxUnavailable`, missing, 'cannot be 0'));
  checkAtMost100Percent(out, `${path}.maxUnavailable`, missing);
}

/** Under the server's internal names. */
function shownRolling(rolling: JsonObject): JsonObject {
  return { Partition: integer(rolling['partition']) ?? 0, MaxUnavailable: rolling['maxUnavailable'] ?? null };
}

function checkStrategies(out: Errors, spec: Readonly<JsonObject>): void {
  const management = text(spec['podManagementPolicy']);
  if (management === '') out.push(required('spec.podManagementPolicy'));
  else if (management !== 'OrderedReady' && management !== 'Parallel') {
    out.push(invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'"));
  }
  checkUpdateStrategy(out, fields(spec['updateStrategy']));
  const retention = fields(spec['persistentVolumeClaimRetentionPolicy']);
  for (const key of ['whenDeleted', 'whenScaled']) {
    const policy = text(retention[key]);
    if (policy === 'Retain' || policy === 'Delete') continue;
    out.push(notSupported(`spec.persistentVolumeClaimRetentionPolicy.${key}`, policy, ['Retain', 'Delete']));
  }
}

function checkUpdateStrategy(out: Errors, strategy: Readonly<JsonObject>): void {
  const rolling = record(strategy['rollingUpdate']);
  const type = text(strategy['type']);
  if (type === 'RollingUpdate') {
    if (rolling) checkRolling(out, rolling);
  } else if (type === 'OnDelete') {
    if (rolling) {
      const shown = structText(shownRolling(rolling));
      out.push(invalid('spec.updateStrategy.rollingUpdate', shown, "only allowed for updateStrategy 'RollingUpdate'"));
    }
  } else if (type === '') out.push(required('spec.updateStrategy'));
  else
    out.push(
      invalid(
        'spec.updateStrategy',
        structText({ Type: type, RollingUpdate: rolling ? shownRolling(rolling) : null }),
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
}

// The set gives its pods a host name and a volume per claim, so the template is validated as if it had them.
function templateAsRun(spec: Readonly<JsonObject>): JsonObject {
  const template = fields(spec['template']);
  const pod: JsonObject = { ...fields(template['spec']) };
  delete pod['subdomain'];
  delete pod['hostname'];
  const claims = records(spec['volumeClaimTemplates']).map((claim) => text(fields(claim['metadata'])['name']));
  if (claims.length > 0) {
    const own = records(pod['volumes']).filter((volume) => !claims.includes(text(volume['name'])));
    pod['volumes'] = [...new Set(claims)]
      .map((name) => ({ name, persistentVolumeClaim: { claimName: name } }) as JsonObject)
      .concat(own);
  }
  return { ...template, spec: pod };
}

/** Errors of labels and annotations are reported twice. */
function checkTemplate(out: Errors, template: JsonObject, skipsTemplate: boolean): void {
  if (!skipsTemplate) checkPodTemplate(out, 'spec.template', template);
  const { labels, annotations } = fields(template['metadata']);
  checkLabels(out, 'spec.template.labels', labels);
  checkAnnotations(out, 'spec.template.annotations', annotations);
  checkPodAnnotations(out, 'spec.template.annotations', annotations, fields(template['spec']));
}

function checkSet(out: Errors, spec: Readonly<JsonObject>, creating: boolean, skipsTemplate = false): void {
  checkStrategies(out, spec);
  if (creating) {
    records(spec['volumeClaimTemplates']).forEach((claim, i) =>
      checkClaimSpec(out, `spec.volumeClaimTemplates[${i}].spec`, fields(claim['spec'])),
    );
  }
  checkNonNegative(out, 'spec.replicas', spec['replicas']);
  checkNonNegative(out, 'spec.minReadySeconds', spec['minReadySeconds']);
  checkNonNegative(out, 'spec.ordinals.start', fields(spec['ordinals'])['start']);
  if (creating && text(spec['serviceName']) !== '') checkLabel(out, 'spec.serviceName', text(spec['serviceName']));
  checkSelector(out, spec['selector'], 'statefulset');
  const selector = record(spec['selector']);
  if (selector && !isUsableSelector(selector)) out.push(invalid('spec.selector', selector, ''));
  else {
    if (!selector || !isEmptySelector(selector)) checkTemplateMatches(out, spec, selector);
    checkTemplate(out, templateAsRun(spec), skipsTemplate);
  }
  checkAlwaysRestarts(out, spec, 'StatefulSet');
}

const MUTABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];
const FIXED_MESSAGE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function validateUpdate(set: KubeObject, old: KubeObject): FieldError[] {
  const [out, before]: [Errors, Errors] = [[], []];
  checkSet(before, fields(old['spec']), false);
  // A template is not validated by rules that are newer than it.
  checkSet(out, fields(set['spec']), false, before.length > 0);
  const rest = (obj: KubeObject): JsonObject => {
    const copy = { ...fields(obj['spec']) };
    for (const key of MUTABLE) delete copy[key];
    return copy;
  };
  if (!equalJson(rest(set), rest(old))) out.push(forbidden('spec', FIXED_MESSAGE));
  return out;
}

function warnings(set: KubeObject, old?: KubeObject): string[] {
  const out = templateWarnings(set, old);
  if ((integer(fields(set['spec'])['revisionHistoryLimit']) ?? 0) < 0) {
    out.push(
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    );
  }
  return out;
}

/** Strategy of stateful sets. */
export const statefulSetStrategy: ResourceStrategy = specAndStatus(
  { replicas: 0, availableReplicas: 0 },
  {
    nameValidator: 'dns1123-label',
    applyDefaults: defaults,
    validate: (set) => {
      const out: Errors = [];
      checkSet(out, fields(set['spec']), true);
      return out;
    },
    warningsOnCreate: (set) => warnings(set),
    validateUpdate,
    warningsOnUpdate: warnings,
    subresources: {
      status: statusUpdate((set, old) => {
        const out: Errors = [];
        const status = fields(set['status']);
        checkReplicaCounts(
          out,
          status,
          ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
          'status.readyReplicas',
        );
        checkCollisions(out, status, fields(old['status']));
        return out;
      }),
    },
    scale: replicasScale(),
  },
);
