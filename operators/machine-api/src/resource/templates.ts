/** Templates that were made for a set, and are needed no more. */
import type { Inputs, Progress } from './inputs.js';
import { REASONS } from './reasons.js';
import { isDeleting } from '../shared/model.js';

/** The next template to delete: none that any set refers to, and never one that a user made. */
export function collectTemplate({ templates, tools, usedTemplates }: Inputs, current: string): Progress {
  const old = templates.filter(({ metadata: { name = '' } }) => name !== current && !usedTemplates.has(name));
  const next = old.find((each) => !isDeleting(each));
  const [waiting] = old;
  if (waiting === undefined) return {};
  const problem = {
    reason: REASONS.collectingTemplates,
    message: `waiting for the deletion of ${tools.templates.kind} ${waiting.metadata.name ?? ''}, which nothing uses`,
    isFinal: false,
  } as const;
  if (next === undefined) return { problem };
  return { problem, step: { slot: 'elsewhere', change: { verb: 'delete', kind: tools.templates, object: next } } };
}
