/** An object in the namespace of a HostedCluster that its spec names. */
export interface Reference {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Where the spec names it. */
  readonly path: string;
}

/** Fields of the configuration that name a ConfigMap, wherever they stand. */
const CONFIG_MAP_FIELDS: ReadonlySet<string> = new Set([
  'additionalTrustedCA',
  'ca',
  'clientCA',
  'issuerCertificateAuthority',
  'oauthMetadata',
  'policy',
  'trustedCA',
]);
/** Those that name a Secret. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'activeKey',
  'backupKey',
  'bindPassword',
  'clientSecret',
  'credentials',
  'error',
  'fileData',
  'kubeConfig',
  'login',
  'providerSelection',
  'servingCertKeyPairSecret',
  'servingCertificate',
  'tlsClientCert',
  'tlsClientKey',
]);

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name in `{ name }`; undefined for anything else, and for no name. */
function nameIn(value: unknown): string | undefined {
  const name = isRecord(value) ? value['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function kindOf(field: string): Reference['kind'] | undefined {
  if (CONFIG_MAP_FIELDS.has(field)) return 'ConfigMap';
  return SECRET_FIELDS.has(field) ? 'Secret' : undefined;
}

function* within(value: unknown, path: string): Generator<Reference> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* within(item, `${path}[${index}]`);
    return;
  }
  if (!isRecord(value)) return;
  for (const [field, child] of Object.entries(value)) {
    const [kind, name] = [kindOf(field), nameIn(child)];
    if (kind !== undefined && name !== undefined) yield { kind, name, path: `${path}.${field}` };
    else yield* within(child, `${path}.${field}`);
  }
}

/** Under which name, and of which kind, an object named by a spec is found in the control plane namespace. */
export interface Copy extends Reference {
  readonly as: string;
}

/** Objects with a name of their own in the control plane namespace, by the field that names them. */
const RENAMED = [
  { field: 'pullSecret', kind: 'Secret', as: 'pull-secret' },
  { field: 'sshKey', kind: 'Secret', as: 'ssh-key' },
  { field: 'additionalTrustBundle', kind: 'ConfigMap', as: 'user-ca-bundle' },
] as const;

/** By spec object, which is immutable: the references are asked for many times. */
const known = new WeakMap<object, readonly Copy[]>();

/** Every object that the spec of a HostedCluster names, apart from its platform. */
export function copiesOf({ spec }: { readonly spec?: object | undefined }): readonly Copy[] {
  if (spec === undefined) return [];
  const copies = known.get(spec) ?? copiesIn(spec as Json);
  known.set(spec, copies);
  return copies;
}

function copiesIn(fields: Json): readonly Copy[] {
  const renamed = RENAMED.flatMap(({ as, field, kind }): Copy[] => {
    const name = nameIn(fields[field]);
    return name === undefined ? [] : [{ as, kind, name, path: `spec.${field}` }];
  });
  const direct = ['auditWebhook', 'serviceAccountSigningKey'].flatMap((field): Reference[] => {
    const name = nameIn(fields[field]);
    return name === undefined ? [] : [{ kind: 'Secret', name, path: `spec.${field}` }];
  });
  const nested = ['configuration', 'etcd', 'secretEncryption'].flatMap((field) => [
    ...within(fields[field], `spec.${field}`),
  ]);
  const snapshot = new Set<string>();
  return [...renamed, ...[...direct, ...nested].map((each) => ({ ...each, as: each.name }))].filter(({ as, kind }) => {
    const key = `${kind} ${as}`;
    return !snapshot.has(key) && snapshot.add(key);
  });
}
