import { array, map, named, object, optional } from './composites.js';
import { int64, string, time } from './scalars.js';
import type { Infer, Schema } from './schema.js';

const conditionShape = object({
  lastTransitionTime: time(),
  message: string({ maxLength: 32768 }),
  observedGeneration: optional(int64({ minimum: 0 })),
  reason: string({ maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  status: string({ enum: ['True', 'False', 'Unknown'] }),
  type: string({
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
});

/** A condition as most kinds write it. */
export interface Condition extends Infer<typeof conditionShape> {}

/** One aspect of the state of an object. */
export const condition: Schema<Condition> = named('Condition', conditionShape);

const labelSelectorShape = object(
  {
    matchExpressions: optional(
      array(object({ key: string(), operator: string(), values: optional(array(string(), { listType: 'atomic' })) }), {
        listType: 'atomic',
      }),
    ),
    matchLabels: optional(map(string())),
  },
  { mapType: 'atomic' },
);

/** A selector of objects by their labels. */
export interface LabelSelector extends Infer<typeof labelSelectorShape> {}

/** Selects objects by their labels. */
export const labelSelector: Schema<LabelSelector> = named('LabelSelector', labelSelectorShape);

/** What the shapes of Kubernetes itself mean, for every group. */
export const wellKnownMeanings: Readonly<Record<string, string>> = {
  Condition: 'One aspect of the state of the object.',
  'Condition.lastTransitionTime': 'When `status` last changed.',
  'Condition.message': 'Details for people; may be empty.',
  'Condition.observedGeneration': 'The generation of the object that the condition was found for.',
  'Condition.reason': 'The reason in one CamelCase word, for programs.',
  'Condition.status': 'Whether it holds.',
  'Condition.type': 'Which aspect.',
  // Of every kind.
  'Object.metadata': 'The metadata of the object.',
  'Object.spec': 'What is wanted.',
  'Object.status': 'What was found.',
  LabelSelector: 'Selects objects by their labels; every requirement must hold.',
  'LabelSelector.matchExpressions': 'Requirements on keys and their values.',
  'LabelSelector.matchExpressions.key': 'The label the requirement is about.',
  'LabelSelector.matchExpressions.operator': 'In, NotIn, Exists or DoesNotExist.',
  'LabelSelector.matchExpressions.values': 'The values for In and NotIn; empty for the others.',
  'LabelSelector.matchLabels': 'Labels that must have exactly these values.',
};
