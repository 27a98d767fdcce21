/** As whom a machine speaks to the cloud. */
import { addError, getAt, listOfOne, move, setAt } from '@capstan/convert';
import type { Codec, Path, Scope } from '@capstan/convert';
import { refused } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';
import { NO_SUBSCRIPTION, resourceGroupOf, subscriptionOf } from './cluster.js';

const SUBSCRIPTIONS = '/subscriptions/';
const PROVIDER_ID = 'azure://';

/** Where identities are that Machine API knows by their name alone. */
function homeOf(context: MachineContext): string | undefined {
  const subscription = subscriptionOf(context);
  if (subscription === undefined) return undefined;
  const group = resourceGroupOf(context);
  return `${SUBSCRIPTIONS}${subscription}/resourcegroups/${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/`;
}

const isName = (text: string): boolean => text !== '' && !text.includes('/');

const toProviderId: Codec<MachineContext>['forward'] = (value, field) => {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') field.error('must be a string');
  else if (value.startsWith(SUBSCRIPTIONS)) return `${PROVIDER_ID}${value}`;
  else if (isName(value)) {
    const home = homeOf(field.context);
    if (home !== undefined) return `${PROVIDER_ID}${home}${value}`;
    field.error(NO_SUBSCRIPTION, 'ClusterUnknown');
  } else field.error('must be the name of an identity, or begin with /subscriptions/');
  return undefined;
};

const toName: Codec<MachineContext>['backward'] = (value, field) => {
  if (typeof value !== 'string') {
    field.error(value === undefined ? 'must be set' : 'must be a string');
    return undefined;
  }
  const id = value.startsWith(PROVIDER_ID) ? value.slice(PROVIDER_ID.length) : value;
  const home = homeOf(field.context);
  const isAtHome = home !== undefined && id.toLowerCase().startsWith(home.toLowerCase());
  if (isAtHome && isName(id.slice(home.length))) return id.slice(home.length);
  if (id.startsWith(SUBSCRIPTIONS)) return id;
  field.error('must begin with azure:///subscriptions/');
  return undefined;
};

const providerId: Codec<MachineContext> = {
  forward: toProviderId,
  backward: toName,
  normal: {
    left: (value, field) =>
      value === undefined || value === '' ? undefined : toName(toProviderId(value, field), field),
    right: (value, field) => toProviderId(toName(value, field), field),
  },
};

const KIND: Path = ['identity'];
const NAME: Path = ['managedIdentity'];
const LIST: Path = ['userAssignedIdentities'];

function isAssigned({ run, source }: Scope<MachineContext>): boolean {
  if (run.from === 'left') return (getAt(source, NAME) ?? '') !== '';
  const list = getAt(source, LIST);
  return Array.isArray(list) && list.length > 0;
}

function problemOf(kind: unknown, hasIdentity: boolean): string | undefined {
  if (kind === 'SystemAssigned')
    return 'is "SystemAssigned", which Machine API does not have: give the machine an identity of your own';
  if (kind === 'UserAssigned')
    return hasIdentity ? undefined : 'is "UserAssigned", but userAssignedIdentities names none';
  if (kind === 'None') return hasIdentity ? 'is "None", but userAssignedIdentities names one' : undefined;
  const shown = typeof kind === 'string' ? goQuote(kind) : stringifyJson(kind);
  return `Unsupported value: ${shown}: supported values: "None", "UserAssigned"`;
}

/** Which kind of identity a machine has follows from whether it has one. */
const identityKind: MachineRule = {
  claims: { left: [], right: [{ path: 'identity', fate: 'mapped' }] },
  convert: (scope) => {
    const hasIdentity = isAssigned(scope);
    if (scope.run.to === 'right') {
      setAt(scope.target, KIND, hasIdentity ? 'UserAssigned' : 'None');
      return;
    }
    if (scope.run.from === 'left') return;
    const problem = problemOf(getAt(scope.source, KIND) ?? 'None', hasIdentity);
    if (problem !== undefined) addError(scope, KIND, problem);
  },
};

const role = 'only identities that the system assigns have a role, and Machine API does not have them';

/** Both sides of `managedIdentity`. */
export const identity: readonly MachineRule[] = [
  identityKind,
  listOfOne<MachineContext>({
    side: 'right',
    list: 'userAssignedIdentities',
    record: '',
    more: 'machines of Machine API have one identity',
    rules: [move('managedIdentity', 'providerID', providerId)],
  }),
  refused('right', 'systemAssignedIdentityRole', role),
  refused('right', 'roleAssignmentName', role),
];
