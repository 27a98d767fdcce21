/** How a machine guards itself: encryption, and what it starts from. */
import { move } from '@capstan/convert';
import { flag, joint } from '@capstan/convert/machine-api';
import type { MachineRule, Reading } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';

const TYPES = ['ConfidentialVM', 'TrustedLaunch'] as const;
type SecurityType = (typeof TYPES)[number];

/** Machine API has the settings below the type that they belong to. */
const SETTINGS = {
  ConfidentialVM: { secureBoot: 'confidentialSecureBoot', vTpm: 'confidentialVTpm' },
  TrustedLaunch: { secureBoot: 'trustedSecureBoot', vTpm: 'trustedVTpm' },
} as const;

type Setting = (typeof SETTINGS)[SecurityType]['secureBoot' | 'vTpm'];
type MachineApiField = 'securityType' | Setting;
type ClusterApiField = 'securityType' | 'secureBootEnabled' | 'vTpmEnabled';

function typeOf<Name extends string>(read: Reading<Name | 'securityType'>): SecurityType | undefined {
  const found = read.text('securityType');
  if (found === undefined || found === 'ConfidentialVM' || found === 'TrustedLaunch') return found;
  const known = TYPES.map((each) => goQuote(each)).join(', ');
  read.error('securityType', `Unsupported value: ${goQuote(found)}: supported values: ${known}`);
  return undefined;
}

/** Off when absent, as Machine API has it: written out, for Cluster API would leave it to the cloud. */
function isEnabled(read: Reading<MachineApiField>, name: Setting): boolean {
  const found = read.text(name);
  if (found !== undefined && found !== 'Enabled' && found !== 'Disabled')
    read.error(name, `Unsupported value: ${goQuote(found)}: supported values: "Enabled", "Disabled"`);
  return found === 'Enabled';
}

function toClusterApi(read: Reading<MachineApiField>): Partial<Record<ClusterApiField, unknown>> {
  const securityType = typeOf(read);
  for (const type of TYPES) {
    if (type === securityType) continue;
    for (const name of Object.values(SETTINGS[type]))
      if (read.text(name) !== undefined) read.error(name, `is set, but securityType is not ${goQuote(type)}`);
  }
  if (securityType === undefined) return {};
  const { secureBoot, vTpm } = SETTINGS[securityType];
  return { securityType, secureBootEnabled: isEnabled(read, secureBoot), vTpmEnabled: isEnabled(read, vTpm) };
}

const policy = (isOn: boolean | undefined): string => (isOn === true ? 'Enabled' : 'Disabled');

function toMachineApi(read: Reading<ClusterApiField>): Partial<Record<MachineApiField, unknown>> {
  const securityType = typeOf(read);
  const settings = { secureBoot: read.flag('secureBootEnabled'), vTpm: read.flag('vTpmEnabled') };
  if (securityType === undefined) {
    const message = 'is set, but securityType is not: Machine API has it below the type alone';
    if (settings.secureBoot !== undefined) read.error('secureBootEnabled', message);
    if (settings.vTpm !== undefined) read.error('vTpmEnabled', message);
    return {};
  }
  const { secureBoot, vTpm } = SETTINGS[securityType];
  return { securityType, [secureBoot]: policy(settings.secureBoot), [vTpm]: policy(settings.vTpm) };
}

const settings = 'securityProfile.settings';

/** Both sides of `securityProfile`. */
export const security: readonly MachineRule[] = [
  move('securityProfile.encryptionAtHost', 'securityProfile.encryptionAtHost', flag),
  joint<MachineApiField, ClusterApiField>({
    left: {
      securityType: `${settings}.securityType`,
      confidentialSecureBoot: `${settings}.confidentialVM.uefiSettings.secureBoot`,
      confidentialVTpm: `${settings}.confidentialVM.uefiSettings.virtualizedTrustedPlatformModule`,
      trustedSecureBoot: `${settings}.trustedLaunch.uefiSettings.secureBoot`,
      trustedVTpm: `${settings}.trustedLaunch.uefiSettings.virtualizedTrustedPlatformModule`,
    },
    right: {
      securityType: 'securityProfile.securityType',
      secureBootEnabled: 'securityProfile.uefiSettings.secureBootEnabled',
      vTpmEnabled: 'securityProfile.uefiSettings.vTpmEnabled',
    },
    forward: toClusterApi,
    backward: toMachineApi,
  }),
];
