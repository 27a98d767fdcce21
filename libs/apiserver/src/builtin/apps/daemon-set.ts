/** DaemonSets and the ControllerRevisions that DaemonSets and StatefulSets remember templates in. */
import { goQuote, invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { keepField, plain, setGeneration, specAndStatus, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import {
  checkAtMost100Percent,
  checkImmutable,
  checkIntOrPercent,
  checkLabelSelector,
  checkNonNegative,
  intOrPercentNumber,
  isEmptySelector,
  isUsableSelector,
} from '../shared/checks.js';
import { structText } from '../shared/internal.js';
import { defaultText, defaultTo, ensure, equalJson, fields, record, text, textMap } from '../shared/json.js';
import { checkCollisions } from '../shared/replicas.js';
import type { ResourceStrategy } from '../strategy.js';
import { defaultPodTemplate } from '../core/pod-defaults.js';
import { checkPodTemplate } from '../core/pod-spec.js';
import { checkAlwaysRestarts, checkTemplateMatches, templateWarnings } from './workload.js';

// The template's generation lives in an annotation in this version of the API.
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function templateGeneration(set: KubeObject): number {
  const value = textMap(set.metadata.annotations)[TEMPLATE_GENERATION] ?? '';
  return /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0;
}

function generationProblem(set: KubeObject): string | undefined {
  const value = textMap(set.metadata.annotations)[TEMPLATE_GENERATION];
  if (value === undefined) return undefined;
  const parsing = `strconv.ParseInt: parsing ${goQuote(value)}`;
  if (!/^[+-]?[0-9]+$/.test(value)) return `${parsing}: invalid syntax`;
  const number = BigInt(value.replace('+', ''));
  return BigInt.asIntN(64, number) === number ? undefined : `${parsing}: value out of range`;
}

function setTemplateGeneration(set: KubeObject, generation: number): void {
  set.metadata.annotations = { ...set.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function defaults(set: KubeObject): void {
  const spec = ensure(set, 'spec');
  const strategy = ensure(spec, 'updateStrategy');
  defaultText(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensure(strategy, 'rollingUpdate');
    defaultTo(rolling, 'maxUnavailable', 1);
    defaultTo(rolling, 'maxSurge', 0);
  }
  defaultTo(spec, 'revisionHistoryLimit', 10);
  defaultPodTemplate(ensure(spec, 'template'));
}

/** Under the server's internal names. */
function shownRolling(value: unknown): JsonObject | null {
  const rolling = record(value);
  return rolling ? { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 } : null;
}

function checkStrategy(out: Errors, strategy: Readonly<JsonObject>): void {
  const type = text(strategy['type']);
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    out.push(
      notSupported(
        'spec.updateStrategy',
        structText({ Type: type, RollingUpdate: shownRolling(strategy['rollingUpdate']) }),
        ['RollingUpdate', 'OnDelete'],
      ),
    );
    return;
  }
  const path = 'spec.updateStrategy.rollingUpdate';
  const { maxUnavailable, maxSurge } = fields(strategy['rollingUpdate']);
  checkIntOrPercent(out, `${path}.maxUnavailable`, maxUnavailable);
  checkIntOrPercent(out, `${path}.maxSurge`, maxSurge);
  checkAtMost100Percent(out, `${path}.maxUnavailable`, maxUnavailable);
  checkAtMost100Percent(out, `${path}.maxSurge`, maxSurge);
  const misses = intOrPercentNumber(maxUnavailable) !== 0;
  const surges = intOrPercentNumber(maxSurge) !== 0;
  if (misses && surges)
    out.push(invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  else if (!misses && !surges) out.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
}

function checkSet(out: Errors, set: KubeObject): void {
  const spec = fields(set['spec']);
  const selector = record(spec['selector']);
  checkLabelSelector(out, 'spec.selector', selector);
  if (!selector || isUsableSelector(selector)) checkTemplateMatches(out, spec, selector);
  if (selector && isEmptySelector(selector))
    out.push(invalid('spec.selector', selector, 'empty selector is invalid for daemonset'));
  checkPodTemplate(out, 'spec.template', spec['template']);
  checkAlwaysRestarts(out, spec, 'DaemonSet');
  checkNonNegative(out, 'spec.minReadySeconds', spec['minReadySeconds']);
  checkStrategy(out, fields(spec['updateStrategy']));
  checkNonNegative(out, 'spec.revisionHistoryLimit', spec['revisionHistoryLimit']);
}

const COUNTS = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

const STATUS = statusUpdate((set, old) => {
  const out: Errors = [];
  const status = fields(set['status']);
  for (const key of COUNTS) checkNonNegative(out, `status.${key}`, status[key]);
  checkCollisions(out, status, fields(old['status']));
  return out;
});

/** Strategy of daemon sets. */
export const daemonSetStrategy: ResourceStrategy = {
  ...specAndStatus({}, {}),
  applyDefaults: defaults,
  conversionProblem: generationProblem,
  standInAnnotations: [TEMPLATE_GENERATION],
  prepareForCreate: (set) => {
    set['status'] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    set.metadata.generation = 1;
    setTemplateGeneration(set, Math.max(1, templateGeneration(set)));
  },
  validate: (set) => {
    const out: Errors = [];
    checkSet(out, set);
    return out;
  },
  warningsOnCreate: (set) => templateWarnings(set),
  prepareForUpdate: (set, old) => {
    keepField(set, old, 'status');
    const changed = !equalJson(fields(set['spec'])['template'], fields(old['spec'])['template']);
    setTemplateGeneration(set, templateGeneration(old) + (changed ? 1 : 0));
    setGeneration(set, old, changed || !equalJson(set['spec'], old['spec']));
  },
  validateUpdate: (set, old) => {
    const out: Errors = [];
    checkImmutable(out, 'spec.selector', fields(set['spec'])['selector'], fields(old['spec'])['selector']);
    checkSet(out, set);
    return out;
  },
  warningsOnUpdate: (set, old) => (templateGeneration(set) === templateGeneration(old) ? [] : templateWarnings(set)),
  subresources: {
    status: {
      ...STATUS,
      // It belongs to the spec, which stays.
      prepareForUpdate: (set, old, context) => {
        STATUS.prepareForUpdate?.(set, old, context);
        setTemplateGeneration(set, templateGeneration(old));
      },
    },
  },
};

function validateRevision(revision: KubeObject): FieldError[] {
  const out: Errors = [];
  checkNonNegative(out, 'revision', revision['revision']);
  const data = revision['data'];
  if (data === undefined || data === null) out.push(required('data', 'data is mandatory'));
  else if (typeof data !== 'object' || Array.isArray(data))
    out.push(required('data', 'data must be a valid JSON object'));
  return out;
}

/** Strategy of controller revisions. */
export const controllerRevisionStrategy: ResourceStrategy = plain({
  validate: validateRevision,
  validateUpdate: (revision, old) => {
    const out: Errors = [];
    checkNonNegative(out, 'revision', revision['revision']);
    checkImmutable(out, 'data', revision['data'], old['data']);
    return out;
  },
});
