/** Keys that disks are encrypted with: only those of the key management service exist in both APIs. */
import { joint, refused } from '@capstan/convert/machine-api';
import type { MachineRule, Reading } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';
import { NO_PROJECT, projectOf } from './cluster.js';

type MachineApiField = 'name' | 'keyRing' | 'projectID' | 'location' | 'account';
type ClusterApiField = 'keyType' | 'kmsKeyName' | 'account';

const PARTS = ['name', 'keyRing', 'location'] as const;
const PART = /^[-_A-Za-z0-9]+$/;
const KEY_NAME =
  /^projects\/([-_A-Za-z0-9]+)\/locations\/([-_A-Za-z0-9]+)\/keyRings\/([-_A-Za-z0-9]+)\/cryptoKeys\/([-_A-Za-z0-9]+)$/;
/** As the CRD of GCPMachines has it. */
const ACCOUNT = /[-_[A-Za-z0-9]+@[-_[A-Za-z0-9]+.iam.gserviceaccount.com/;
const MAX_KEY_NAME = 160;
const MAX_ACCOUNT = 85;

/** The parts of the name of a key. */
export type KeyParts = Readonly<Partial<Record<'name' | 'keyRing' | 'location' | 'projectID', string | undefined>>>;

/** A key by the name the cloud knows it by. */
export function keyNameOf({ keyRing = '', location = '', name = '', projectID = '' }: KeyParts): string {
  return `projects/${projectID}/locations/${location}/keyRings/${keyRing}/cryptoKeys/${name}`;
}

function partOf(read: Reading<MachineApiField>, name: Exclude<MachineApiField, 'account'>): string | undefined {
  const part = read.text(name);
  if (part === undefined) read.error(name, 'must be set, as it is part of the name of the key');
  else if (!PART.test(part))
    read.error(name, `is ${goQuote(part)}: must have letters, digits, dashes and underscores alone`);
  else return part;
  return undefined;
}

function accountOf<Name extends string>(read: Reading<Name | 'account'>): string | undefined {
  const account = read.text('account');
  if (account === undefined || (ACCOUNT.test(account) && account.length <= MAX_ACCOUNT)) return account;
  read.error('account', `is ${goQuote(account)}: must be <name>@<project>.iam.gserviceaccount.com`);
  return undefined;
}

function toClusterApi(read: Reading<MachineApiField>): Partial<Record<ClusterApiField, unknown>> {
  const account = accountOf(read);
  if ([...PARTS, 'projectID' as const].every((name) => read.value(name) === undefined)) {
    if (account !== undefined) read.error('account', 'is set, but there is no key: set kmsKey, or remove it');
    return {};
  }
  const [name, keyRing, location] = PARTS.map((part) => partOf(read, part));
  const hasProject = read.text('projectID') !== undefined;
  const projectID = hasProject ? partOf(read, 'projectID') : projectOf(read.context);
  if (!hasProject && projectID === undefined) read.error('name', NO_PROJECT, 'ClusterUnknown');
  const kmsKeyName = keyNameOf({ name, keyRing, location, projectID });
  if (kmsKeyName.length > MAX_KEY_NAME)
    read.error('name', `makes a name of ${kmsKeyName.length} characters, and Cluster API takes ${MAX_KEY_NAME}`);
  return { keyType: 'Managed', kmsKeyName, account };
}

function toMachineApi(read: Reading<ClusterApiField>): Partial<Record<MachineApiField, unknown>> {
  const keyType = read.text('keyType');
  const kmsKeyName = read.text('kmsKeyName');
  const account = accountOf(read);
  if (keyType === undefined && kmsKeyName === undefined && account === undefined) return {};
  if (keyType !== 'Managed') {
    const actual = keyType === undefined ? 'is not set' : `is ${goQuote(keyType)}`;
    read.error('keyType', `${actual}: Machine API has keys of the key management service alone, which are "Managed"`);
    return {};
  }
  const parts = KEY_NAME.exec(kmsKeyName ?? '');
  if (parts === null) {
    read.error('kmsKeyName', 'must be projects/<project>/locations/<location>/keyRings/<ring>/cryptoKeys/<key>');
    return {};
  }
  const [, projectID, location, keyRing, name] = parts;
  return { name, keyRing, projectID, location, account };
}

/** The key of a disk, which is `encryptionKey` in Machine API. */
export function encryptionKey(right: 'encryptionKey' | 'rootDiskEncryptionKey'): readonly MachineRule[] {
  return [
    joint<MachineApiField, ClusterApiField>({
      left: {
        name: 'encryptionKey.kmsKey.name',
        keyRing: 'encryptionKey.kmsKey.keyRing',
        projectID: 'encryptionKey.kmsKey.projectID',
        location: 'encryptionKey.kmsKey.location',
        account: 'encryptionKey.kmsKeyServiceAccount',
      },
      right: {
        keyType: `${right}.keyType`,
        kmsKeyName: `${right}.managedKey.kmsKeyName`,
        account: `${right}.kmsKeyServiceAccount`,
      },
      forward: toClusterApi,
      backward: toMachineApi,
    }),
    refused(
      'right',
      `${right}.suppliedKey`,
      'Machine API has keys of the key management service alone: use one of them',
    ),
  ];
}
