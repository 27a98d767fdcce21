import { TranslationError } from '../errors.js';

/** A group and its private name. With `suffix`, every group that ends with it at a dot is meant as well. */
export interface GroupRule {
  /** The name that clients use. */
  readonly standard: string;
  /** The name under which the objects are stored. */
  readonly private: string;
  /** Default true: `infrastructure.<standard>` is renamed too. */
  readonly suffix?: boolean | undefined;
}

/** What is renamed, as data. */
export interface GroupRules {
  readonly rules: readonly GroupRule[];
  /** Standard groups that are shared as they are. */
  readonly shared?: readonly string[] | undefined;
}

const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const LONGEST_GROUP = 253;

/** Whether a group is one of those a name stands for: itself, or one that ends with it at a dot. */
export function isBelow(group: string, suffix: string): boolean {
  return group === suffix || (group.endsWith(suffix) && group.charCodeAt(group.length - suffix.length - 1) === 0x2e);
}

/** Refuses rules under which a group could have two names, or two groups one. */
export function checkRules({ rules, shared = [] }: GroupRules): void {
  if (rules.length === 0)
    throw new TranslationError('BAD_RULES', 'there are no rules: name at least one pair of groups');
  const names: { readonly name: string; readonly suffix: boolean; readonly rule: number }[] = [];
  for (const [index, rule] of rules.entries()) {
    for (const name of [rule.standard, rule.private]) {
      if (!GROUP.test(name) || name.length > LONGEST_GROUP)
        throw new TranslationError('BAD_RULES', `${JSON.stringify(name)} is not the name of an API group`);
      names.push({ name, suffix: rule.suffix !== false, rule: index });
    }
  }
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index + 1)) {
      if (overlap(one, other))
        throw new TranslationError('BAD_RULES', `${one.name} and ${other.name} overlap: a group could have two names`);
    }
  }
  for (const group of shared) {
    if (!names.some(({ name, suffix }) => (suffix ? isBelow(group, name) : group === name)))
      throw new TranslationError('BAD_RULES', `${group} is shared already: no rule renames it`);
  }
}

function overlap(
  one: { readonly name: string; readonly suffix: boolean },
  other: { readonly name: string; readonly suffix: boolean },
): boolean {
  if (one.name === other.name) return true;
  return (one.suffix && isBelow(other.name, one.name)) || (other.suffix && isBelow(one.name, other.name));
}
