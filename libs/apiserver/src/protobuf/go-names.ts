import type { FieldDef } from '@capstan/api/kubernetes';

/** Abbreviations that Go spells in capitals at the start of a field's name. */
const ABBREVIATIONS =
  /^(?:api|aws|cel|cidr|csi|dns|fc|gce|gid|gmsa|grpc|http|ip|iqn|iscsi|nfs|os|qos|rbd|ssl|tcp|tls|tty|uid|url|wwid)(?=s?(?:[A-Z]|$))/;

/** Names that follow no rule. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['caBundle', 'CABundle'],
  ['cephfs', 'CephFS'],
  ['chapAuthDiscovery', 'DiscoveryCHAPAuth'],
  ['chapAuthSession', 'SessionCHAPAuth'],
  ['diskURI', 'DataDiskURI'],
  ['externalID', 'DoNotUseExternalID'],
  ['fsGroup', 'FSGroup'],
  ['fsGroupChangePolicy', 'FSGroupChangePolicy'],
  ['fsGroupPolicy', 'FSGroupPolicy'],
  ['fsType', 'FSType'],
  ['jsonPatch', 'JSONPatch'],
  ['jsonPath', 'JSONPath'],
  ['lastState', 'LastTerminationState'],
  ['monitors', 'CephMonitors'],
  ['pdName', 'PDName'],
  ['reportingComponent', 'ReportingController'],
  ['seLinuxChangePolicy', 'SELinuxChangePolicy'],
  ['seLinuxMount', 'SELinuxMount'],
  ['seLinuxOptions', 'SELinuxOptions'],
  ['serviceAccount', 'DeprecatedServiceAccount'],
  ['storageos', 'StorageOS'],
  ['ttlSecondsAfterFinished', 'TTLSecondsAfterFinished'],
]);

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The Go name of a field, for messages. */
export function goFieldName(field: FieldDef): string {
  const { name, type } = field;
  if (type.kind === 'struct' && (field.inline || name === 'metadata')) return type.struct.name;
  const irregular = IRREGULAR.get(name);
  if (irregular !== undefined) return irregular;
  if (name.startsWith('x-kubernetes-'))
    return `X${name.slice('x-kubernetes-'.length).split('-').map(capitalised).join('')}`;
  return capitalised(name.replace(ABBREVIATIONS, (word) => word.toUpperCase()));
}
