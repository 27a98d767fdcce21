import type { GroupMapping } from '../groups/mapping.js';

/** A name that may be a group, with what may stand before it at a dot. */
const GROUP = String.raw`[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?`;

/** How the names of CRDs are built, by the resource and the kind that messages name. */
const NAMED_BY_GROUP = String.raw`(?:customresourcedefinitions|CustomResourceDefinition)\.apiextensions\.k8s\.io|(?:apiservices|APIService)\.apiregistration\.k8s\.io`;

type Change = (mapping: GroupMapping, name: string) => string;

const swap: Change = (mapping, group) => mapping.swap(group);
const swapApiVersion: Change = (mapping, apiVersion) => mapping.swapApiVersion(apiVersion);
const swapAfterDot: Change = (mapping, name) => mapping.swapAfterDot(name);

/**
 * The places of messages at which servers write groups: what is before, and what the name after it is. Anything else in
 * a message is quoted from an object: a finalizer, a field, a value.
 */
const PLACES: readonly (readonly [pattern: RegExp, change: Change])[] = [
  // machines.G "x" not found; Machine.G "x" is invalid: …; machines.G is forbidden: …
  [new RegExp(String.raw`(^[A-Za-z0-9/]+\.)(${GROUP})(?= )`, 'g'), swap],
  [new RegExp(String.raw`(^Operation cannot be fulfilled on [a-z0-9/]+\.)(${GROUP})(?= )`, 'g'), swap],
  [
    new RegExp(String.raw`(^(?:Operation cannot be fulfilled on )?(?:${NAMED_BY_GROUP}) ")(${GROUP})(?=")`, 'g'),
    swapAfterDot,
  ],
  [new RegExp(String.raw`(cannot [a-z]+ resource "[^"]*" in API group ")(${GROUP})(?=")`, 'g'), swap],
  [
    new RegExp(String.raw`(no matches for kind "[^"]*" in (?:version|group) ")(${GROUP}(?:/[a-z0-9]+)?)(?=")`, 'g'),
    groupOrVersion,
  ],
  [new RegExp(String.raw`(conversion webhook for )(${GROUP}/[a-z0-9]+)(?=, Kind=)`, 'g'), swapApiVersion],
  [new RegExp(String.raw`(API version in the data \()(${GROUP}/[a-z0-9]+)(?=\))`, 'g'), swapApiVersion],
  [new RegExp(String.raw`(expected API version \()(${GROUP}/[a-z0-9]+)(?=\))`, 'g'), swapApiVersion],
  [new RegExp(String.raw`(an invalid group/version: )(${GROUP}/[a-z0-9]+)`, 'g'), swapApiVersion],
  [new RegExp(String.raw`(invalid object type: )(/?${GROUP}/[a-z0-9]+)(?=, Kind=)`, 'g'), swapApiVersion],
];

function groupOrVersion(mapping: GroupMapping, name: string): string {
  return name.includes('/') ? mapping.swapApiVersion(name) : mapping.swap(name);
}

/** A message of a Status with its groups renamed. */
export function swapMessage(mapping: GroupMapping, message: string): string {
  if (!mapping.needles.some((needle) => message.includes(needle))) return message;
  let swapped = message;
  for (const [pattern, change] of PLACES) {
    swapped = swapped.replace(pattern, (_, before: string, name: string) => before + change(mapping, name));
  }
  return swapped;
}

/** `299 - "G/V Kind is deprecated; use G/V Kind"`, the first and the second name. */
const DEPRECATIONS: readonly RegExp[] = [
  new RegExp(String.raw`(\b299 [^\s"]+ ")(${GROUP}/[a-z0-9]+)(?= [A-Za-z0-9]+ is deprecated)`, 'g'),
  new RegExp(
    String.raw`(\b299 [^\s"]+ "${GROUP}/[a-z0-9]+ [A-Za-z0-9]+ is deprecated; use )(${GROUP}/[a-z0-9]+)(?= [A-Za-z0-9])`,
    'g',
  ),
];

/** A Warning header: only deprecation warnings name groups; the rest quotes objects. */
export function swapWarning(mapping: GroupMapping, warning: string): string {
  let swapped = warning;
  for (const pattern of DEPRECATIONS) {
    swapped = swapped.replace(pattern, (_, before: string, name: string) => before + mapping.swapApiVersion(name));
  }
  return swapped;
}

/** The text of a deprecation as a CRD holds it; a client gets it in a Warning header. */
export function swapDeprecation(mapping: GroupMapping, text: string): string {
  const before = '299 - "';
  return swapWarning(mapping, before + text).slice(before.length);
}
