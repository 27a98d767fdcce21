/** Selectors of sets: their labels read on the other side as those of the machines they select. */
import type { JsonObject } from '@capstan/meta';
import { setOwn } from '@capstan/meta';
import type { Path } from '../engine/path.js';
import { claimPath, getAt, isRecord, setAt } from '../engine/path.js';
import type { Scope } from '../engine/rule.js';
import { addError } from '../engine/rule.js';
import { labelConversion, roleNames } from './labels.js';
import { NODE_ROLE_PREFIX, ROLE_LABEL, TYPE_LABEL } from './names.js';
import type { MachineContext, MachineRule } from './platform.js';
import type { TextConversion, Texts } from './texts.js';
import { texts } from './texts.js';

/** The labels that machines of the set have in Machine API. */
interface SelectorFacts {
  readonly labels: Texts;
}

const isRole = (key: string): boolean => key === ROLE_LABEL || key === TYPE_LABEL;

const matchLabels: TextConversion<SelectorFacts> = {
  toClusterApi([selector = {}], { labels }) {
    const roles = roleNames(labels);
    const made: Record<string, unknown> = {};
    for (const key of Object.keys(selector)) {
      const stands = roles !== undefined && isRole(key) && selector[key] === labels[key];
      if (stands) made[`${NODE_ROLE_PREFIX}${String(selector[key])}`] = '';
      else setOwn(made, key, selector[key]);
    }
    return made;
  },
  toMachineApi(selector, { labels }) {
    const roles = roleNames(labels);
    const made: Record<string, unknown> = {};
    for (const key of Object.keys(selector)) {
      const role = key.startsWith(NODE_ROLE_PREFIX) && selector[key] === '' ? key.slice(NODE_ROLE_PREFIX.length) : '';
      if (roles?.includes(role) !== true) {
        setOwn(made, key, selector[key]);
        continue;
      }
      for (const label of [ROLE_LABEL, TYPE_LABEL]) if (labels[label] === role) made[label] = role;
    }
    return [made];
  },
};

/** Where a set has its selector, and the labels of its machines. */
export interface SelectorPlaces {
  readonly left: Path;
  readonly right: Path;
  readonly leftLabels: readonly Path[];
  readonly rightLabels: Path;
}

function labelsIn(record: JsonObject, paths: readonly Path[]): Texts {
  const maps = paths.map((path) => getAt(record, path)).filter(isRecord);
  return Object.assign({}, ...maps) as Texts;
}

/** The rules of a selector. They run after those of the labels. */
export function selectorRules(places: SelectorPlaces): MachineRule[] {
  const facts = ({ run, source, target }: Scope<MachineContext>): SelectorFacts => {
    if (run.from === 'left') return { labels: labelsIn(source, places.leftLabels) };
    if (run.to === 'left') return { labels: labelsIn(target, places.leftLabels) };
    const [own = {}] = labelConversion.toMachineApi(labelsIn(source, [places.rightLabels]), run.context, 1);
    return { labels: own };
  };
  const expressions = { left: [...places.left, 'matchExpressions'], right: [...places.right, 'matchExpressions'] };
  return [
    texts(matchLabels, {
      left: [[...places.left, 'matchLabels']],
      right: [...places.right, 'matchLabels'],
      facts,
    }),
    {
      claims: {
        left: [{ path: claimPath(expressions.left), fate: 'mapped', copiedTo: claimPath(expressions.right) }],
        right: [{ path: claimPath(expressions.right), fate: 'mapped', copiedTo: claimPath(expressions.left) }],
      },
      convert: (scope) => {
        const list = getAt(scope.source, expressions[scope.run.from]);
        if (list === undefined) return;
        setAt(scope.target, expressions[scope.run.to], list);
        if (!Array.isArray(list) || scope.run.from === scope.run.to) return;
        list.forEach((item, index) => {
          const key: unknown = isRecord(item) ? item['key'] : undefined;
          if (typeof key !== 'string' || !(isRole(key) || key.startsWith(NODE_ROLE_PREFIX))) return;
          addError(
            scope,
            [...expressions[scope.run.from], String(index), 'key'],
            `is "${key}", which the other API writes otherwise: say it in matchLabels`,
          );
        });
      },
    },
  ];
}
