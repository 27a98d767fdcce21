import { duplicate, required } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { plain } from './base.js';
import type { Errors } from './shared/checks.js';
import { checkImmutable, checkLabel, checkLabels } from './shared/checks.js';
import { structText } from './shared/internal.js';
import { fields, record, records, text } from './shared/json.js';
import { metadataAgain, type ResourceStrategy } from './strategy.js';
import { checkTolerations } from './core/affinity.js';
import { checkContainerResources } from './core/resources.js';

function validate(runtimeClass: KubeObject): FieldError[] {
  const out: Errors = [];
  const handler = text(runtimeClass['handler']);
  if (handler === '') out.push(required('handler'));
  else checkLabel(out, 'handler', handler);
  const overhead = record(runtimeClass['overhead']);
  if (overhead) checkContainerResources(out, 'overhead', { limits: overhead['podFixed'] });
  const scheduling = fields(runtimeClass['scheduling']);
  checkLabels(out, 'scheduling.nodeSelector', scheduling['nodeSelector']);
  checkTolerations(out, 'scheduling.tolerations', scheduling['tolerations']);
  const seen = new Set<string>();
  records(scheduling['tolerations']).forEach((toleration, i) => {
    const key = ['key', 'operator', 'value', 'effect'].map((part) => text(toleration[part])).join('\u0000');
    if (seen.has(key)) {
      const { key: name, operator, value, effect, tolerationSeconds } = toleration;
      const shown = {
        Key: text(name),
        Operator: text(operator),
        Value: text(value),
        Effect: text(effect),
        TolerationSeconds: tolerationSeconds ?? null,
      };
      out.push(duplicate(`scheduling.tolerations[${i}]`, structText(shown)));
    }
    seen.add(key);
  });
  return out;
}

/** Strategy of runtime classes. */
export const runtimeClassStrategy: ResourceStrategy = plain({
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate,
  validateUpdate: (runtimeClass, old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    const out: Errors = [...asNew, ...validate(runtimeClass), ...asChange];
    checkImmutable(out, 'handler', runtimeClass['handler'], old['handler']);
    return out;
  },
});
