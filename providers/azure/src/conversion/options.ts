/** What can be switched on and off of a machine. */
import { addError, enumeration, getAt, move, presentNested, same, setAt } from '@capstan/convert';
import { absentMeans, joint, machineParts, optionalText, refused, textMap } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, Reading } from '@capstan/convert/machine-api';
import { goQuote, parseQuantity } from '@capstan/meta';

function isQuantity(value: unknown): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'string') return false;
  try {
    parseQuantity(value);
    return true;
  } catch {
    return false;
  }
}

function priceOf<Name extends string>(read: Reading<Name | 'maxPrice'>): unknown {
  const value = read.value('maxPrice');
  if (value === undefined || isQuantity(value)) return value;
  read.error('maxPrice', 'must be a quantity');
  return undefined;
}

/** What the webhook of AzureMachines fills in. */
function webhookPolicy(read: Reading<string>): string {
  const { infrastructure } = machineParts(read.root);
  return getAt(infrastructure, ['osDisk', 'diffDiskSettings', 'option']) === 'Local' ? 'Delete' : 'Deallocate';
}

/** Machine API deletes machines that the cloud takes back: written out, as Cluster API would keep them. */
const spot = presentNested<MachineContext>('spotVMOptions', 'spotVMOptions', [
  joint({
    left: { maxPrice: 'maxPrice' },
    right: { maxPrice: 'maxPrice', evictionPolicy: 'evictionPolicy' },
    forward: (read) => ({ maxPrice: priceOf(read), evictionPolicy: 'Delete' }),
    backward: (read) => {
      const explicit = read.text('evictionPolicy');
      const policy = explicit ?? webhookPolicy(read);
      const means = explicit === undefined ? `is not set, which means ${goQuote(policy)}` : `is ${goQuote(policy)}`;
      if (policy !== 'Delete')
        read.error('evictionPolicy', `${means}, and cannot be kept: Machine API deletes machines the cloud takes back`);
      return { maxPrice: priceOf(read) };
    },
  }),
]);

const ACCOUNTS = new Map([
  ['AzureManaged', 'Managed'],
  ['CustomerManaged', 'UserManaged'],
]);
const MANAGED_BY = new Map([...ACCOUNTS].map(([left, right]) => [right, left]));

const known = (names: Iterable<string>): string => [...names].map((name) => goQuote(name)).join(', ');

const MAX_ADDRESS = 1024;

/** The address of a storage account goes with those of the owner alone. */
function addressOf(read: Reading<'account' | 'address'>, isOwn: boolean): string | undefined {
  const address = read.text('address');
  if (isOwn && address === undefined) read.error('address', 'must be set: it is the address of the storage account');
  if (isOwn && address !== undefined && (!address.startsWith('https://') || address.length > MAX_ADDRESS))
    read.error('address', `must begin with https:// and have at most ${MAX_ADDRESS} characters`);
  if (!isOwn && address !== undefined) read.error('address', 'is set, but storageAccountType is for other accounts');
  return isOwn ? address : undefined;
}

/** Machine API has none when absent, Cluster API those that the cloud manages. */
const diagnostics = joint<'account' | 'address', 'account' | 'address'>({
  left: {
    account: 'diagnostics.boot.storageAccountType',
    address: 'diagnostics.boot.customerManaged.storageAccountURI',
  },
  right: {
    account: 'diagnostics.boot.storageAccountType',
    address: 'diagnostics.boot.userManaged.storageAccountURI',
  },
  forward: (read) => {
    const found = read.text('account');
    const account = found === undefined ? 'Disabled' : ACCOUNTS.get(found);
    if (account === undefined)
      read.error('account', `Unsupported value: ${goQuote(found ?? '')}: supported values: ${known(ACCOUNTS.keys())}`);
    return { account, address: addressOf(read, found === 'CustomerManaged') };
  },
  backward: (read) => {
    const found = read.text('account') ?? 'Managed';
    const account = MANAGED_BY.get(found);
    if (account === undefined && found !== 'Disabled')
      read.error(
        'account',
        `Unsupported value: ${goQuote(found)}: supported values: ${known([...MANAGED_BY.keys(), 'Disabled'])}`,
      );
    return { account, address: addressOf(read, found === 'UserManaged') };
  },
});

const ultraDisks = absentMeans(
  enumeration([
    ['Enabled', true],
    ['Disabled', false],
  ]),
  {},
);

const OPERATIONS = ['disableExtensionOperations'];
const BOOTSTRAP = ['disableVMBootstrapExtension'];

/** Machine API installs no extensions, and Cluster API must install none either. */
const extensions: MachineRule = {
  claims: {
    left: [],
    right: [
      { path: 'disableExtensionOperations', fate: 'mapped' },
      { path: 'disableVMBootstrapExtension', fate: 'mapped' },
    ],
  },
  convert: (scope) => {
    if (scope.run.to === 'right') setAt(scope.target, OPERATIONS, true);
    if (scope.run.to === 'right' || scope.run.from === 'left') return;
    for (const path of [OPERATIONS, BOOTSTRAP]) {
      const found = getAt(scope.source, path);
      if (found !== undefined && typeof found !== 'boolean') addError(scope, path, 'must be true or false');
    }
    if (getAt(scope.source, BOOTSTRAP) === false)
      addError(scope, BOOTSTRAP, 'Machine API installs no extensions: remove it, or set it to true');
  },
};

/** What stands by itself. */
export const options: readonly MachineRule[] = [
  spot,
  diagnostics,
  move('ultraSSDCapability', 'additionalCapabilities.ultraSSDEnabled', ultraDisks),
  extensions,
  same('sshPublicKey', optionalText),
  same('capacityReservationGroupID', optionalText),
  move('tags', 'additionalTags', textMap),
  refused('left', 'availabilitySet', 'Cluster API chooses availability sets by itself: remove it, or name a zone'),
  refused('right', 'vmExtensions', 'Machine API installs no extensions: remove them'),
];
