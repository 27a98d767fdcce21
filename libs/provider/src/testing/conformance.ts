import type { HostingPlatform } from '../hosting/platform.js';
import { createChecks } from './conformance-create.js';
import { fieldChecks } from './conformance-fields.js';
import { objectChecks } from './conformance-objects.js';
import type { ConformanceCheck, HostingExamples } from './conformance-subject.js';

/** What must be true of every platform: give each check to your test runner. */
export function hostingConformance(platform: HostingPlatform, examples: HostingExamples): readonly ConformanceCheck[] {
  const subject = { platform, examples };
  return [...objectChecks(subject), ...fieldChecks(subject), ...createChecks(subject)];
}
