/** What a finding was derived from, kept apart from what is reported of it. */
import type { Draft } from './site.js';
import type { Finding } from '../report.js';

const drafts = new WeakMap<Finding, Draft>();

/** The finding, which remembers its draft. */
export function withDraft(finding: Finding, draft: Draft): Finding {
  drafts.set(finding, draft);
  return finding;
}

/** The draft of a finding about schemas; undefined for others. */
export function draftOf(finding: Finding): Draft | undefined {
  return drafts.get(finding);
}
