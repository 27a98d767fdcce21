import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { JsonObject } from '@capstan/meta';
import { readYaml } from '@capstan/meta/yaml';
import { unpackTar } from 'modern-tar';
import { ReleaseError } from '../errors.js';
import type { Descriptor, Manifest, RepositoryClient } from '../registry/client.js';
import type { ReleasePayload } from './payload.js';

/** Where a release image keeps what it is made of. */
export const IMAGE_REFERENCES = 'release-manifests/image-references';
/** Where it keeps which machine images belong to it. */
export const BOOT_IMAGES = 'release-manifests/0000_50_installer_coreos-bootimages.yaml';
/** Annotation of a component with the versions of what it was built from. */
export const BUILD_VERSIONS = 'io.openshift.build.versions';

/** The most an unpacked layer may hold, and all that are looked at together. */
const MOST_UNPACKED_BYTES = 1024 * 1024 * 1024;
const MOST_UNPACKED_BYTES_IN_ALL = 4 * MOST_UNPACKED_BYTES;
/** The most of a file that is read; those of releases have 300 kB. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;
const MOST_LAYERS = 128;

interface Tag {
  readonly name?: string;
  readonly from?: { readonly name?: string };
  readonly annotations?: Readonly<Record<string, string>> | null;
}

interface ImageStream {
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown };
  readonly spec?: { readonly tags?: readonly Tag[] };
}

/** What lies in a release image. */
export type PayloadFacts = Omit<ReleasePayload, 'pullSpec' | 'reference'>;

/** Reads the payload of the image a manifest names; of an index, that of one of its images: they say the same. */
export async function readPayload(client: RepositoryClient, top: Manifest): Promise<PayloadFacts> {
  const images = linuxImages(top);
  const manifest = await imageManifest(client, top);
  const layers = manifest.layers ?? [];
  if (layers.length > MOST_LAYERS)
    throw new ReleaseError('NoRelease', `the image has ${layers.length} layers; a release has few`);
  // The payload is put on top of everything else.
  let unpackedBytes = 0;
  for (const layer of layers.toReversed()) {
    const { bytes, files } = await filesOf(client, layer);
    unpackedBytes += bytes;
    if (unpackedBytes > MOST_UNPACKED_BYTES_IN_ALL)
      throw new ReleaseError(
        'NoRelease',
        `the image has more than ${MOST_UNPACKED_BYTES_IN_ALL} bytes; a release has few`,
      );
    const references = files.get(IMAGE_REFERENCES);
    if (references !== undefined) {
      const architectures = top.manifests === undefined ? await architectureOf(client, manifest) : named(images);
      return { ...factsOf(references), architectures, bootImages: bootImagesOf(files.get(BOOT_IMAGES)) };
    }
  }
  throw new ReleaseError('NoRelease', `the image holds no ${IMAGE_REFERENCES}; it is not a release`);
}

/** The manifest of an image; of an index, that of one of its images. */
export async function imageManifest(client: RepositoryClient, top: Manifest): Promise<Manifest> {
  if (top.manifests === undefined) return top;
  const images = linuxImages(top);
  const chosen = images.find(({ platform }) => platform?.architecture === 'amd64') ?? images[0];
  return client.manifest(requireDescriptor(chosen).digest);
}

function linuxImages({ manifests = [] }: Manifest): readonly Descriptor[] {
  return manifests.filter(({ platform }) => platform?.os === undefined || platform.os === 'linux');
}

/** The configuration of an image, as far as it is read here. */
export interface ImageConfig {
  readonly architecture?: string;
  readonly config?: { readonly Labels?: Readonly<Record<string, string>> | null } | null;
}

/** The configuration of an image; empty when its manifest names none. */
export async function imageConfig(client: RepositoryClient, { config }: Manifest): Promise<ImageConfig> {
  if (config === undefined) return {};
  return (jsonOf(await client.blob(config), 'its configuration') ?? {}) as ImageConfig;
}

function requireDescriptor(found: Descriptor | undefined): Descriptor {
  if (found !== undefined) return found;
  throw new ReleaseError('NoRelease', 'the index names no image for Linux');
}

function named(images: readonly Descriptor[]): string[] {
  return [...new Set(images.map(({ platform }) => platform?.architecture ?? 'amd64'))].toSorted();
}

async function architectureOf(client: RepositoryClient, manifest: Manifest): Promise<string[]> {
  const { architecture = 'amd64' } = await imageConfig(client, manifest);
  return [architecture];
}

const unpackLater = promisify(gunzip) as (packed: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;
/** Longer layers are unpacked off the event loop. That takes real time, which simulations do not have. */
const LONG_LAYER_BYTES = 4 * 1024 * 1024;

function unpack(packed: Uint8Array): Buffer | Promise<Buffer> {
  const options = { maxOutputLength: MOST_UNPACKED_BYTES };
  return packed.length < LONG_LAYER_BYTES ? gunzipSync(packed, options) : unpackLater(packed, options);
}

async function filesOf(
  client: RepositoryClient,
  layer: Descriptor,
): Promise<{ readonly bytes: number; readonly files: ReadonlyMap<string, Uint8Array> }> {
  const packed = await client.blob(layer);
  try {
    const archive = packed[0] === 0x1f ? await unpack(packed) : packed;
    const wanted = (name: string): string => name.replace(/^(?:\.?\/)+/, '');
    const entries = await unpackTar(archive, {
      filter: ({ name, size }) => size <= MOST_FILE_BYTES && [IMAGE_REFERENCES, BOOT_IMAGES].includes(wanted(name)),
    });
    const files = new Map(
      entries.flatMap(({ data, header }) => (data === undefined ? [] : [[wanted(header.name), data] as const])),
    );
    return { bytes: archive.length, files };
  } catch (error) {
    throw new ReleaseError('NoRelease', `layer ${layer.digest} cannot be unpacked`, { cause: error });
  }
}

function jsonOf(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw new ReleaseError('NoRelease', `${what} is not JSON`, { cause: error });
  }
}

/** Version and components of `image-references`. */
function factsOf(bytes: Uint8Array): Omit<PayloadFacts, 'architectures' | 'bootImages'> {
  const { kind, metadata, spec } = (jsonOf(bytes, IMAGE_REFERENCES) ?? {}) as ImageStream;
  const version = metadata?.name;
  if (kind !== 'ImageStream' || typeof version !== 'string' || version === '')
    throw new ReleaseError('NoRelease', `${IMAGE_REFERENCES} is no ImageStream with the version as its name`);
  const tags = spec?.tags ?? [];
  const images = new Map(tags.flatMap(({ from, name = '' }) => (from?.name === undefined ? [] : [[name, from.name]])));
  return {
    version,
    kubernetesVersion: tags.map((tag) => builtFrom(tag)).find((found) => found !== undefined) ?? '',
    components: [...images.keys()].toSorted(),
    image: (name) => images.get(name),
  };
}

/** The Kubernetes version that a component declares it was built from. */
function builtFrom({ annotations }: Tag): string | undefined {
  return /(?:^|,)kubernetes=([^,]+)/.exec(annotations?.[BUILD_VERSIONS] ?? '')?.[1];
}

/** The stream metadata inside the ConfigMap; undefined when there is none to be read. */
function bootImagesOf(bytes: Uint8Array | undefined): JsonObject | undefined {
  if (bytes === undefined) return undefined;
  try {
    const [document] = readYaml(Buffer.from(bytes).toString('utf8'));
    const { data } = (document?.value ?? {}) as { data?: { stream?: string } };
    return data?.stream === undefined ? undefined : (JSON.parse(data.stream) as JsonObject);
  } catch {
    // Machine images are asked for by platforms that need them, and they say that they are missing.
    return undefined;
  }
}
