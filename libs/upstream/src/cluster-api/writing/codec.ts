import { clusterApiConverter, contractContext } from '@capstan/convert/cluster-api';
import type { DefinitionLabels } from '@capstan/convert/cluster-api';
import { formatApiVersion, looseGvk } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { annotations, CORE_API_VERSION, CORE_GROUP } from '../names.js';
import { plain } from './plain.js';

/** Between the version that the controllers work in and the one the server serves. */
export interface CoreCodec {
  /** The version that is asked for. */
  readonly version: string;
  /** From the server; may give the very same object. */
  readonly decode: (object: KubeObject) => KubeObject;
  /** To the server; may give the very same object. */
  readonly encode: (object: KubeObject) => KubeObject;
  /** Any object, with owners of ours named in the version that the controllers work in. */
  readonly decodeOwners: (object: KubeObject) => KubeObject;
  /** Any object, with owners of ours named in a version the server serves. */
  readonly encodeOwners: (object: KubeObject) => KubeObject;
}

const same = (object: KubeObject): KubeObject => object;

/** The server serves the version that the controllers work in. */
export const v1beta2Codec: CoreCodec = {
  version: 'v1beta2',
  decode: same,
  encode: same,
  decodeOwners: same,
  encodeOwners: same,
};

const OLD = 'v1beta1';

/** A kind that cannot be converted. */
export class NoConversion extends Error {
  override readonly name = 'NoConversion';
}

/** The server serves the older version alone; CRDs determine which version references name in it. */
export function v1beta1Codec(labelsOf: DefinitionLabels): CoreCodec {
  const kinds = new Map(clusterApiConverter(contractContext(labelsOf)).map((each) => [each.kind, each.spokes[OLD]]));
  const spokeOf = (kind: string): NonNullable<ReturnType<(typeof kinds)['get']>> => {
    const spoke = kinds.get(kind);
    if (spoke === undefined) throw new NoConversion(`there is no conversion of ${kind}`);
    return spoke;
  };
  const decodeOwners = (object: KubeObject): KubeObject => withOwnersOf(object, CORE_API_VERSION);
  const encodeOwners = (object: KubeObject): KubeObject =>
    withOwnersOf(object, formatApiVersion({ group: CORE_GROUP, version: OLD }));
  return {
    version: OLD,
    decode: (object) => decodeOwners(spokeOf(object.kind).toHub(object)),
    encode: (object) => encodeOwners(withoutData(spokeOf(object.kind).fromHub(plain(object)))),
    decodeOwners,
    encodeOwners,
  };
}

/** What the older version cannot express is not kept in an annotation: no client of that version would read it. */
function withoutData(object: KubeObject): KubeObject {
  const { [annotations.conversionData]: data, ...kept } = object.metadata.annotations ?? {};
  if (data === undefined) return object;
  const { annotations: _, ...metadata } = object.metadata;
  return { ...object, metadata: Object.keys(kept).length === 0 ? metadata : { ...metadata, annotations: kept } };
}

function withOwnersOf(object: KubeObject, apiVersion: string): KubeObject {
  const { ownerReferences } = object.metadata;
  const isOther = (owner: OwnerReference): boolean =>
    owner.apiVersion !== apiVersion && looseGvk(owner.apiVersion, owner.kind).group === CORE_GROUP;
  if (ownerReferences === undefined || !ownerReferences.some(isOther)) return object;
  const renamed = ownerReferences.map((owner) => (isOther(owner) ? { ...owner, apiVersion } : owner));
  return { ...object, metadata: { ...object.metadata, ownerReferences: renamed } };
}
