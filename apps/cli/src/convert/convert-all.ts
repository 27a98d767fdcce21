import {
  CLUSTER_API_MEMBER,
  healthCheckToClusterApi,
  healthCheckToMachineApi,
  MachineConverter,
  providerSpecIn,
  stateWarnings,
} from '@capstan/convert/machine-api';
import type { ClusterApiParts, Conversion, MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import { errorText } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { refusedEntry, skippedEntry } from './entry.js';
import type { Entry, Wrong } from './entry.js';
import { API_NAMES, isObject, kindOf, nameOf, otherApi, placeText, textAt } from './model.js';
import type { Api, Source } from './model.js';
import type { Progress } from './progress.js';
import { partKey } from './sort.js';
import type { Convertible, Lonely, Sorted } from './sort.js';
import type { Surroundings } from './surroundings.js';

/** Why objects are left out that are of the API to convert to. */
export const ALREADY: Readonly<Record<Api, string>> = {
  'cluster-api': `is of ${API_NAMES['cluster-api']} already`,
  'machine-api': `is of ${API_NAMES['machine-api']} already`,
};
const LEAVE = 'leave the object to the API it is of';

const FAULT = { message: 'a bug in this program', change: 'leave the object out, and report the bug' };

/** Looks at the clock and the screen after so many objects. */
const SHOW_EVERY = 100;

/** The objects of Cluster API in a conversion, their infrastructure objects, and the fields that refer to those. */
const ROLES: Readonly<
  Record<string, { readonly self: string; readonly part: string; readonly at: readonly string[] } | undefined>
> = {
  Machine: { self: 'machine', part: 'infrastructure', at: ['spec', 'infrastructureRef'] },
  MachineSet: { self: 'machineSet', part: 'template', at: ['spec', 'template', 'spec', 'infrastructureRef'] },
  ControlPlaneMachineSet: {
    self: 'set',
    part: 'template',
    at: ['spec', 'template', CLUSTER_API_MEMBER, 'spec', 'infrastructureRef'],
  },
};

/** The reference of an object of Cluster API to what it is made of; undefined where its kind has none. */
export function referenceOf(object: JsonObject): unknown {
  return ROLES[kindOf(object)]?.at.reduce<unknown>(
    (value, name) => (isObject(value) ? value[name] : undefined),
    object,
  );
}

/** What a conversion of many objects needs. */
export interface Conversions {
  readonly to: Api;
  readonly platforms: ConversionPlatforms;
  readonly surroundings: Surroundings;
  readonly progress: Progress;
}

/** Converts all there is to the API named; what is of that API already is left out. */
export class BulkConverter {
  readonly #of: Conversions;
  readonly #parts: ReadonlyMap<string, Source>;
  readonly #used = new Set<string>();
  readonly #converters = new Map<MachinePlatform, MachineConverter>();

  constructor(parts: ReadonlyMap<string, Source>, conversions: Conversions) {
    this.#of = conversions;
    this.#parts = parts;
  }

  /** All objects in the order in which they were read; what belongs to none of them behind. */
  run({ convertible, lonely, others }: Sorted): Entry[] {
    const entries: Entry[] = [];
    const { length } = convertible;
    convertible.forEach((each, index) => {
      entries.push(this.#convert(each));
      if (index % SHOW_EVERY === 0) this.#of.progress.show('converting', index, length);
    });
    return withoutDuplicates([...entries, ...lonely.map((each) => this.#lonely(each)), ...this.#unused(), ...others]);
  }

  /** The converter of a platform by its type; undefined where nothing of it was converted. */
  converterFor(type: string): MachineConverter | undefined {
    return [...this.#converters.values()].find(({ platform }) => platform.type === type);
  }

  /** The converter of a platform: what it is made of is put together once. */
  converterOf(platform: MachinePlatform): MachineConverter {
    let made = this.#converters.get(platform);
    if (made === undefined) {
      made = new MachineConverter(platform);
      this.#converters.set(platform, made);
    }
    return made;
  }

  #lonely(source: Lonely): Entry {
    const { api, change, message } = source;
    return api === this.#of.to ? already(source, api) : refusedEntry(source, { path: 'kind', message, change });
  }

  #convert(source: Convertible): Entry {
    const { to } = this.#of;
    if (source.api === to) return already(source, to);
    return to === 'cluster-api' ? this.#toClusterApi(source) : this.#toMachineApi(source);
  }

  #toClusterApi(source: Source): Entry {
    const { object } = source;
    const found = providerSpecIn(object);
    if (found === undefined)
      return this.#converted(source, undefined, (context) => healthCheckToClusterApi(object, context));
    const path = `${found.at}.kind`;
    const kind = textAt(found.value, 'kind');
    const { platforms } = this.#of;
    const platform = platforms.ofProviderSpec(kind);
    if (platform === undefined) {
      const message =
        kind === '' ? 'must name the kind of the provider spec' : `is ${kind}, which no platform here writes`;
      return refusedEntry(source, { path, message, change: `write one of ${platforms.providerSpecKinds.join(', ')}` });
    }
    if ('refused' in platform)
      return refusedEntry(source, { path, message: platform.refused, change: LEAVE, platform: platform.type });
    return this.#converted(source, platform, (context) => this.converterOf(platform).toClusterApi(object, context));
  }

  #toMachineApi(source: Source): Entry {
    const { object } = source;
    const role = ROLES[kindOf(object)];
    if (role === undefined)
      return this.#converted(source, undefined, (context) => healthCheckToMachineApi(object, context));
    const reference = referenceOf(object);
    const [group, kind, name] = [textAt(reference, 'apiGroup'), textAt(reference, 'kind'), textAt(reference, 'name')];
    const platform = this.#of.platforms.ofInfrastructure(group, kind);
    const refused = (message: string, change: string): Entry =>
      refusedEntry(source, { path: role.at.join('.'), message, change, platform: platform?.type });
    if (kind === '' || name === '')
      return refused('must name the infrastructure of the machine', 'name it by apiGroup, kind and name');
    if (platform === undefined)
      return refused(`names ${kind}.${group}, which belongs to no platform known here`, LEAVE);
    const key = partKey(group, kind, name);
    const part = this.#parts.get(key);
    if (part === undefined)
      return refused(`names the ${kind} ${name}, which was not given`, 'give it as well: it describes the machine');
    this.#used.add(key);
    const parts = { [role.self]: object, [role.part]: part.object } as ClusterApiParts;
    const convert = (context: MachineContext): Conversion => this.converterOf(platform).toMachineApi(parts, context);
    return { ...this.#converted(source, platform, convert), parts: { ...parts } };
  }

  #converted(
    source: Source,
    platform: MachinePlatform | undefined,
    convert: (context: MachineContext) => Conversion,
  ): Entry {
    const context = this.#of.surroundings.of(source.object, platform);
    if (context === undefined)
      return refusedEntry(source, {
        path: '',
        message: 'belongs to a cluster whose name is unknown',
        change: 'give it with --cluster-name, or the Infrastructure with --infrastructure',
        platform: platform?.type,
      });
    let made: Conversion;
    try {
      made = convert(context);
    } catch (error) {
      // An object that a rule fails on must not keep the others out of the report.
      return refusedEntry(source, {
        path: '',
        ...FAULT,
        message: `${FAULT.message}: ${errorText(error)}`,
        platform: platform?.type,
      });
    }
    const { errors, objects, warnings } = made;
    const result = errors.length === 0 ? 'converted' : 'refused';
    const about = [...warnings, ...stateWarnings(source.object)];
    return { source, platform: platform?.type, result, objects, errors, warnings: about, context };
  }

  /** Infrastructure that nothing of what was given is made of. */
  #unused(): Entry[] {
    const { to } = this.#of;
    const reason = to === 'cluster-api' ? ALREADY[to] : 'belongs to no machine or set that was given';
    return [...this.#parts].filter(([key]) => !this.#used.has(key)).map(([, source]) => skippedEntry(source, reason));
  }
}

function identity(object: JsonObject): string {
  return `${textAt(object, 'apiVersion')}/${kindOf(object)}/${nameOf(object)}`;
}

/** Two objects that become one and the same: neither may win. */
function withoutDuplicates(entries: readonly Entry[]): Entry[] {
  const seen = new Map<string, Source>();
  return entries.map((entry) => {
    for (const object of entry.objects) {
      const key = identity(object);
      const before = seen.get(key);
      if (before === undefined) seen.set(key, entry.source);
      else return refusedEntry(entry.source, { ...duplicateError(object, before), platform: entry.platform });
    }
    return entry;
  });
}

function duplicateError(object: JsonObject, { place }: Source): Wrong {
  const message = `becomes the ${kindOf(object)} ${nameOf(object)}, as what is in ${placeText(place)} does`;
  return { path: 'metadata.name', message, change: 'give it once' };
}

function already(source: Source, api: Api): Entry {
  return skippedEntry(source, ALREADY[api]);
}

/** The API to convert to, if no option names it. */
export function guessedDirection(apis: Iterable<Api>): Api | 'mixed' | undefined {
  const found = new Set(apis);
  if (found.size > 1) return 'mixed';
  const [only] = found;
  return only === undefined ? undefined : otherApi(only);
}
