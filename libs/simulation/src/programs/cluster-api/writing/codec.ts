import type { KubeObject } from '@capstan/meta';

/** Between the version the program thinks in and the one the server serves. */
export interface CoreCodec {
  /** The version that is asked for. */
  readonly version: string;
  /** From the server; may give the very same object. */
  decode(object: KubeObject): KubeObject;
  /** To the server; may give the very same object. */
  encode(object: KubeObject): KubeObject;
}

/** The server serves the version the program thinks in. */
export const v1beta2Codec: CoreCodec = {
  version: 'v1beta2',
  decode: (object) => object,
  encode: (object) => object,
};
