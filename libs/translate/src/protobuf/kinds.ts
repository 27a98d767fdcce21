import { builtinResources, structByName, structOf } from '@capstan/api/kubernetes';
import type { StructDef } from '@capstan/api/kubernetes';
import { TranslationError } from '../errors.js';
import type { GroupMapping } from '../groups/mapping.js';
import type { Direction, Naming, ProtobufRoute } from './naming.js';
import { namingOf, refusingPrivate } from './naming.js';
import { JSON_ONLY, LIKE_V1, WITHOUT_TABLE } from './places.js';
import type { Changes, FieldPlan, MessagePlan } from './plan.js';
import { Planner, plannedStruct } from './plan.js';

const OBJECT_META = 'meta/v1.ObjectMeta';
const LIST = 'List';
/** The number of the metadata in every object, and of the items in every list but one. */
const METADATA = 1;
const ITEMS = 2;
/** Kinds are named by clients: what is remembered must stay bounded. */
const REMEMBERED_KINDS = 1024;

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The plans of all kinds, made when a kind is first met. */
export class KindPlans {
  readonly #mapping: GroupMapping;
  readonly #direction: Direction | undefined;
  readonly #changes: Changes;
  readonly #planner: Planner;
  readonly #known = new Map<string, MessagePlan>();

  /** Without a direction everything is renamed: nothing is hidden, nothing refused. */
  constructor(mapping: GroupMapping, changes: Omit<Changes, 'definedGroup'>, direction?: Direction) {
    this.#mapping = mapping;
    this.#direction = direction;
    const definedGroup =
      direction === 'request' ? refusingPrivate(mapping, changes.group, (group) => group) : changes.group;
    this.#changes = { ...changes, definedGroup };
    this.#planner = new Planner(this.#changes, direction === 'response' ? this.#isStandard : undefined);
  }

  /** What is done with the message of a kind. Throws for kinds that are not translated in protobuf. */
  planOf(apiVersion: string, kind: string, route: ProtobufRoute | undefined): MessagePlan {
    const key = `${apiVersion} ${kind} ${route?.group} ${route?.version} ${route?.resource}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const plan = this.#make(kindOf(apiVersion, kind, route), route);
    if (this.#known.size < REMEMBERED_KINDS) this.#known.set(key, plan);
    return plan;
  }

  /** Whether an object in a watch on the route is left out. */
  isHidden(name: string, route: ProtobufRoute): boolean {
    if (this.#direction !== 'response') return false;
    const naming = namingOf(this.#mapping, route.group, route.resource);
    return naming !== undefined && this.#isStandard(naming.group(name));
  }

  readonly #isStandard = (group: string): boolean => this.#mapping.side(group) === 'standard';

  #make(of: Kind, route: ProtobufRoute | undefined): MessagePlan {
    if (JSON_ONLY.has(of.kind)) {
      const message = `${of.kind} is translated as JSON, not as protobuf: ask for application/json`;
      throw new TranslationError('UNSUPPORTED', message);
    }
    const naming = this.#naming(of, route);
    if (of.kind.endsWith(LIST) && of.kind !== LIST) return this.#list(of, naming);
    const object = this.#tablePlan(of) ?? this.#metadataAlone(of);
    return naming === undefined ? object : this.#named(object, naming);
  }

  #list(of: Kind, naming: Naming | undefined): MessagePlan {
    const item: Kind = { ...of, kind: of.kind.slice(0, -LIST.length) };
    const message = this.#tablePlan(of)?.fields[ITEMS]?.message ?? this.#metadataAlone(item);
    const field: FieldPlan =
      naming === undefined
        ? { message }
        : {
            message: this.#named(message, naming),
            isHidden: (name) => this.#direction === 'response' && this.#isStandard(naming.group(name)),
          };
    // The older list of metadata has its fields the other way round.
    const isReversed = of.group === 'meta.k8s.io' && of.version === 'v1beta1';
    return { fields: withField([], isReversed ? METADATA : ITEMS, field) };
  }

  #tablePlan(of: Kind): MessagePlan | undefined {
    const struct = structFor(of);
    // A struct without any place is known, and left alone.
    return struct === undefined ? undefined : (this.#planner.plan(struct) ?? { fields: [] });
  }

  /** Of kinds without a table: metadata is at the same place everywhere. */
  #metadataAlone({ group, kind }: Kind): MessagePlan {
    const fields = withField([], METADATA, { message: plannedStruct(this.#planner, OBJECT_META) });
    const more = WITHOUT_TABLE.get(`${group} ${kind}`);
    if (more === undefined) return { fields };
    const [first = 0, ...rest] = more.path;
    return { fields: withField(fields, first, nested(rest, { text: this.#changes[more.meaning] })) };
  }

  /** The plan, with the name in the metadata changed too. */
  #named(plan: MessagePlan, { change, group }: Naming): MessagePlan {
    const metadata = plan.fields[METADATA]?.message ?? { fields: [] };
    const text = this.#direction === 'request' ? refusingPrivate(this.#mapping, change, group) : change;
    const renamed: MessagePlan = { fields: withField(metadata.fields, 1, { text }) };
    return { fields: withField(plan.fields, METADATA, { message: renamed }) };
  }

  /** Objects shown by their metadata alone are of the kind of the route. */
  #naming({ group, kind }: Kind, route: ProtobufRoute | undefined): Naming | undefined {
    const isMetadata = group === 'meta.k8s.io' && kind.startsWith('PartialObjectMetadata');
    if (isMetadata) return route === undefined ? undefined : namingOf(this.#mapping, route.group, route.resource);
    return namingOf(this.#mapping, group, kind.endsWith(LIST) ? kind.slice(0, -LIST.length) : kind);
  }
}

function structFor({ group, version, kind }: Kind): StructDef | undefined {
  const own = structOf(group, version, kind);
  if (own !== undefined) return own;
  if (LIKE_V1.get(group)?.has(version) === true) return structOf(group, 'v1', kind);
  // Options are sent with the group and version of whatever they are options for.
  return kind.endsWith('Options') ? structByName(`meta/v1.${kind}`) : undefined;
}

/** What the server takes a body for: the kind in it, or else the kind of its path. */
function kindOf(apiVersion: string, kind: string, route: ProtobufRoute | undefined): Kind {
  if (apiVersion !== '' && kind !== '') {
    const slash = apiVersion.indexOf('/');
    return { group: apiVersion.slice(0, Math.max(0, slash)), version: apiVersion.slice(slash + 1), kind };
  }
  const { group = '', version = '', resource } = route ?? {};
  const found = builtinResources.find(
    (each) => each.group === group && each.version === version && each.plural === resource,
  );
  return { group, version, kind: kind === '' ? (found?.kind ?? '') : kind };
}

function withField(fields: MessagePlan['fields'], number: number, field: FieldPlan): (FieldPlan | undefined)[] {
  const copy = [...fields];
  copy[number] = field;
  return copy;
}

function nested(path: readonly number[], last: FieldPlan): FieldPlan {
  const [number, ...rest] = path;
  return number === undefined ? last : { message: { fields: withField([], number, nested(rest, last)) } };
}
