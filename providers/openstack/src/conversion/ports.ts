/**
 * What connects servers to networks. Machine API has networks and ports, and connects a server to all of the first
 * before all of the second; Cluster API has ports alone. A port that stands for a network has its trunk written, as
 * Machine API's own controllers write it; one that stands for a port has it only where it differs from the machine.
 */
import { addError, addWarning, bothOutward, isRecord, listSource, runRules, setAt, stepInto } from '@capstan/convert';
import type { Claim, Path, Scope, Step } from '@capstan/convert';
import { isZeroValue, textProblem } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { letsThrough, movingAddresses } from './addresses.js';
import { kindOf } from './port-kind.js';
import { networkRules, portRules, subnetRules } from './port-rules.js';
import { nonEmptyText } from './values.js';

type MachineScope = Scope<MachineContext>;

/** A record of the source, and where it is. */
interface Place {
  readonly source: JsonObject;
  readonly at: Step;
}

/** One connection of a server. */
interface Connection extends Place {
  readonly kind: 'network' | 'port';
  /** Of a network: the subnets it has addresses in. */
  readonly subnets: readonly Place[];
}

/** The records of a list; what is none is an error. */
function places(scope: MachineScope, path: Path): Place[] {
  const before = stepInto(scope.at, path);
  return (listSource(scope, path) ?? []).flatMap((source, index): Place[] => {
    const at: Step = { before, kind: 'index', name: String(index) };
    if (isRecord(source)) return [{ source, at }];
    addError({ ...scope, at }, [], 'must be an object');
    return [];
  });
}

const inside = (scope: MachineScope, { source, at }: Place): MachineScope => ({ ...scope, source, at });

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Networks that are not named are made of their subnets, with a port for each. */
function ofNetwork(scope: MachineScope, place: Place): Connection[] {
  const subnets = places(inside(scope, place), ['subnets']);
  const { filter, uuid } = place.source;
  const isNamed = isSet(uuid) || (isRecord(filter) ? Object.values(filter).some(isSet) : isSet(filter));
  if (isNamed) return [{ ...place, kind: 'network', subnets }];
  if (subnets.length === 0 && scope.run.to === 'right')
    addWarning({ ...scope, at: place.at }, [], 'names neither a network nor a subnet, and is left out');
  return subnets.map((subnet) => ({ ...place, kind: 'network', subnets: [subnet] }));
}

function readLeft(scope: MachineScope): Connection[] {
  return [
    ...places(scope, ['networks']).flatMap((place) => ofNetwork(scope, place)),
    ...places(scope, ['ports']).map((place): Connection => ({ ...place, kind: 'port', subnets: [] })),
  ];
}

const pathText = (path: Path): string => path.join('.').replaceAll(/\.(\d+)/g, '[$1]');

/** A path with places in lists, as steps. */
function stepsTo(at: Step, path: Path): Step {
  return path.reduce<Step>((before, name) => ({ before, kind: /^\d+$/.test(name) ? 'index' : 'field', name }), at);
}

/** What is wrong with a port on the way to Machine API, given that it is of that kind. */
function complain(scope: MachineScope, place: Place, kind: ReturnType<typeof kindOf>, isBehind: boolean): void {
  const { network, port } = kind;
  const { source } = place;
  const fixedIPs: readonly unknown[] = Array.isArray(source['fixedIPs']) ? source['fixedIPs'] : [];
  const isNowhere = network?.length === 1 && isZeroValue(source['network']);
  const error = (path: Path, message: string): void => addError({ ...scope, at: stepsTo(place.at, path) }, [], message);
  if (isNowhere && fixedIPs.length === 0)
    error([], 'names no network: Machine API knows no network of the cluster, so name it');
  else if (isNowhere && fixedIPs.length > 1)
    error(['fixedIPs'], 'has several subnets, for each of which Machine API would create a port: name their network');
  if (network === undefined) return;
  if (port !== undefined)
    error(
      port,
      `can be set in Machine API only for ports that name networks and subnets by ID, and not together with ${pathText(network)}`,
    );
  else if (isBehind)
    error(
      [],
      `has ${pathText(network)}, as only networks of Machine API have, which come before all ports: move it ahead`,
    );
}

function readRight(scope: MachineScope, hasTrunk: boolean, addresses: readonly string[] | undefined): Connection[] {
  let isBehind = false;
  return places(scope, ['ports']).map((place): Connection => {
    const kind = kindOf(place.source, hasTrunk, addresses);
    if (scope.run.to === 'left') complain(scope, place, kind, isBehind);
    const isMarked = typeof place.source['trunk'] === 'boolean' && !isBehind;
    const isNetwork = kind.network !== undefined || (kind.port === undefined && isMarked);
    isBehind ||= !isNetwork;
    if (!isNetwork) return { ...place, kind: 'port', subnets: [] };
    return { ...place, kind: 'network', subnets: places(inside(scope, place), ['fixedIPs']) };
  });
}

/** Texts of a list, each once; what is none is an error. */
function texts(scope: MachineScope, name: string): string[] {
  const all = listSource(scope, [name]) ?? [];
  const bad = all.find((item) => textProblem(item, {}) !== undefined || item === '');
  if (bad !== undefined) addError(scope, [name], `has an item that cannot be kept: ${stringifyJson(bad)}`);
  return [...new Set(all.filter((item) => nonEmptyText(item) !== undefined) as string[])];
}

/** Tags of a port: those of the network, and of each subnet. */
function tagsOf(scope: MachineScope, connection: Connection): string[] {
  if (scope.run.from === 'right') return texts(inside(scope, connection), 'tags');
  const all = [connection, ...connection.subnets].flatMap((place) => texts(inside(scope, place), 'portTags'));
  return [...new Set(all)];
}

/** Whether the addresses of the cluster may come through the port. */
function isOpen(scope: MachineScope, { source, at }: Connection, addresses: readonly string[] | undefined): boolean {
  if (scope.run.from === 'right')
    return addresses !== undefined && letsThrough(source['allowedAddressPairs'], addresses);
  const closed = source['noAllowedAddressPairs'] ?? false;
  if (typeof closed !== 'boolean') addError({ ...scope, at }, ['noAllowedAddressPairs'], 'must be true or false');
  if (closed === false && addresses === undefined && scope.run.to === 'right')
    addError(
      { ...scope, at },
      [],
      'lets the addresses of the API server and of ingress through, which the Infrastructure has, and it is not given',
      'ClusterUnknown',
    );
  return closed !== true;
}

/** A filter of nothing but fields that are ignored would look for any network. */
function checkNamed(scope: MachineScope, { at, source }: Connection, target: JsonObject): void {
  const filter = isRecord(source['filter']) ? source['filter'] : {};
  const hasId = isSet(source['uuid']) || isSet(filter['id']);
  if (!hasId && target['network'] === undefined && Object.values(filter).some(isSet))
    addError({ ...scope, at }, ['filter'], 'has nothing by which a network is found: leave it out');
}

/** What is known of the machine and its cluster. */
interface Around {
  readonly hasTrunk: boolean;
  readonly addresses: readonly string[] | undefined;
}

/** What a port that stands for a network has as well. */
function writePort(target: JsonObject, isNetworkOpen: boolean, { addresses, hasTrunk }: Around): void {
  target['trunk'] = hasTrunk;
  if (isNetworkOpen && addresses !== undefined && addresses.length > 0)
    target['allowedAddressPairs'] = addresses.map((ipAddress) => ({ ipAddress }));
}

/** A network as the other side has it. */
function networkTarget(scope: MachineScope, connection: Connection, around: Around): JsonObject {
  const { from, to } = scope.run;
  const target: JsonObject = {};
  const at = (place: Place, into: JsonObject): MachineScope => ({ ...inside(scope, place), target: into });
  runRules(networkRules, at(connection, target));
  if (from === 'left' && to === 'right') checkNamed(scope, connection, target);
  const subnets = connection.subnets.map((subnet) => runRules(subnetRules, at(subnet, {})));
  const tags = tagsOf(scope, connection);
  const isNetworkOpen = isOpen(scope, connection, around.addresses);
  if (subnets.length > 0) target[to === 'left' ? 'subnets' : 'fixedIPs'] = subnets;
  if (tags.length > 0) target[to === 'left' ? 'portTags' : 'tags'] = tags;
  if (to === 'right') writePort(target, isNetworkOpen, around);
  else if (!isNetworkOpen && around.addresses?.length !== 0) target['noAllowedAddressPairs'] = true;
  return target;
}

/** A port as the other side has it. */
function portTarget(scope: MachineScope, place: Place, hasTrunk: boolean): JsonObject {
  const target = runRules(portRules, { ...inside(scope, place), target: {} });
  const trunk = place.source['trunk'] ?? undefined;
  if (trunk !== undefined && typeof trunk !== 'boolean')
    addError({ ...scope, at: place.at }, ['trunk'], 'must be true or false');
  else if (trunk !== undefined && trunk !== hasTrunk) target['trunk'] = trunk;
  return target;
}

/** Each path once: ports of Cluster API stand for both. */
function distinct(claims: readonly Claim[]): Claim[] {
  return [...new Map(claims.map(({ path, fate }) => [path, { path, fate }])).values()];
}

const claimed = (paths: readonly string[]): Claim[] => paths.map((path) => ({ path, fate: 'mapped' }));
const ofNetworks = bothOutward(networkRules, { left: 'networks[]', right: 'ports[]' });
const ofSubnets = bothOutward(subnetRules, { left: 'networks[].subnets[]', right: 'ports[].fixedIPs[]' });
const ofPorts = bothOutward(portRules, { left: 'ports[]', right: 'ports[]' });

/** Networks and ports here, ports there. */
export const ports: MachineRule = {
  claims: {
    left: [
      ...ofNetworks.left,
      ...ofSubnets.left,
      ...ofPorts.left,
      ...claimed(['networks[].portTags', 'networks[].subnets[].portTags', 'networks[].noAllowedAddressPairs']),
      ...claimed(['ports[].trunk']),
    ],
    right: distinct([...ofNetworks.right, ...ofSubnets.right, ...ofPorts.right, ...claimed(['ports[].trunk'])]),
  },
  convert: (scope) => {
    const hasTrunk = scope.source['trunk'] === true;
    const addresses = movingAddresses(scope.run.context);
    const found = scope.run.from === 'left' ? readLeft(scope) : readRight(scope, hasTrunk, addresses);
    const made = found.map((each) =>
      each.kind === 'network' ? networkTarget(scope, each, { hasTrunk, addresses }) : portTarget(scope, each, hasTrunk),
    );
    const write = (name: string, items: readonly JsonObject[]): void => {
      if (items.length > 0) setAt(scope.target, [name], items);
    };
    if (scope.run.to === 'right') return write('ports', made);
    write(
      'networks',
      made.filter((_, at) => found[at]?.kind === 'network'),
    );
    write(
      'ports',
      made.filter((_, at) => found[at]?.kind === 'port'),
    );
  },
};
