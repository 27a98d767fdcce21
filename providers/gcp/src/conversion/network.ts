/** The interface of an instance, and as whom it speaks to the cloud. */
import { addError, listOfOne, move } from '@capstan/convert';
import { joint, ofCluster, optionalFlag, optionalText, refused, textList } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { networkProject } from './cluster.js';

/** What the controller of Cluster API gives an instance when absent. */
const DEFAULT_ACCOUNT = { email: 'default', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

/** A list of Machine API that Cluster API would fill by itself must not be empty. Claims nothing. */
function needsItem(list: string, reason: string): MachineRule {
  return {
    claims: { left: [], right: [] },
    convert: (scope) => {
      const items = scope.source[list] ?? [];
      if (scope.run.from === 'left' && scope.run.to === 'right' && Array.isArray(items) && items.length === 0)
        addError(scope, [list], reason);
    },
  };
}

const networkInterface = listOfOne<MachineContext>({
  side: 'left',
  list: 'networkInterfaces',
  record: '',
  more: 'machines of Cluster API have one interface',
  rules: [
    move('publicIP', 'publicIP', optionalFlag),
    move('subnetwork', 'subnet', optionalText),
    ofCluster('network', { path: 'spec.network.name', toProviderSpec: (value) => value ?? 'default' }),
    networkProject,
  ],
});

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const account = joint({
  left: { email: 'email', scopes: 'scopes' },
  right: { email: 'email', scopes: 'scopes' },
  forward: (read) => {
    const [email, scopes] = [read.text('email'), read.value('scopes') ?? []];
    if (email === undefined) read.error('email', 'must be set');
    if (!isTexts(scopes)) read.error('scopes', 'must be a list of strings');
    return { email, scopes };
  },
  backward: (read) => {
    const [email, scopes] = [read.text('email'), read.value('scopes')];
    if (email === undefined && scopes === undefined) return DEFAULT_ACCOUNT;
    if (email === undefined) read.error('email', 'must be set');
    if (scopes !== undefined && !isTexts(scopes)) read.error('scopes', 'must be a list of strings');
    return { email, scopes: scopes ?? [] };
  },
});

const serviceAccount = listOfOne<MachineContext>({
  side: 'left',
  list: 'serviceAccounts',
  record: 'serviceAccounts',
  more: 'machines of Cluster API have one service account',
  rules: [account],
});

/** All that an instance has to do with others. */
export const network: readonly MachineRule[] = [
  networkInterface,
  needsItem('networkInterfaces', 'must have one, as every machine of Cluster API is in a network'),
  serviceAccount,
  needsItem('serviceAccounts', 'must have one, as Cluster API would take the default account of the project'),
  move('tags', 'additionalNetworkTags', textList()),
  refused('left', 'targetPools', 'Cluster API puts machines of the control plane into instance groups: remove them'),
  refused('right', 'aliasIPRanges', 'Machine API has no ranges of addresses for single machines: remove them'),
];
