import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BOOT_IMAGES, BUILD_VERSIONS, IMAGE_REFERENCES } from '@capstan/release';
import { packTar } from 'modern-tar';

/** A release to be found in a registry. */
export interface FixtureRelease {
  /** `4.22.0`: the version in the payload, and by default its tag. */
  readonly version: string;
  /** `1.35.2` */
  readonly kubernetesVersion: string;
  /** Default: its version. */
  readonly tag?: string | undefined;
  /** Names of its components. */
  readonly components: readonly string[];
  /** More than one makes it a release of several architectures. Default amd64. */
  readonly architectures?: readonly string[] | undefined;
  /** Labels of images of its components, by their name; only those images are in the registry. Default: {@link LABELS}. */
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** The machine images of each platform in the payload. Default: none. */
  readonly bootImages?: object | undefined;
}

export interface FixtureRegistryOptions {
  /** What references to its images begin with: `127.0.0.1:5000`, `registry.capstan.internal`. */
  readonly host: string;
  /** The accounts it accepts, by name and password. Default: any. */
  readonly logins?: Readonly<Record<string, string>> | undefined;
}

/** A request as the registry sees it. */
export interface FixtureRequest {
  /** Path and query. */
  readonly target: string;
  readonly authorization?: string | undefined;
}

export interface FixtureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

interface Stored {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Where releases lie, and where the images of their components do. */
export const RELEASE_REPOSITORY = 'openshift/release';
export const COMPONENT_REPOSITORY = 'openshift';

/** The control plane operator of a release supports private types of Cluster API. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hypershift: { 'io.openshift.hypershift.private-capi-types': 'true' },
};

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const TOKEN = 'fixture';

/** A registry in memory, with releases and nothing else, that answers as one on the network would. */
export class FixtureRegistry {
  readonly #options: FixtureRegistryOptions;
  readonly #blobs = new Map<string, Stored>();
  readonly #tags = new Map<string, string>();

  constructor(options: FixtureRegistryOptions) {
    this.#options = options;
  }

  /** Puts a release there; gives the reference by its tag and by its digest. */
  async add(release: FixtureRelease): Promise<{ readonly byTag: string; readonly byDigest: string }> {
    const { architectures = ['amd64'], tag = release.version } = release;
    const layer = this.#store(LAYER, await this.#layer(release));
    const manifests = architectures.map((architecture) => ({
      ...this.#manifest(architecture, layer),
      platform: { architecture, os: 'linux' },
    }));
    const only = manifests.length === 1 ? manifests[0] : undefined;
    const digest = only?.digest ?? this.#store(INDEX, json({ schemaVersion: 2, mediaType: INDEX, manifests })).digest;
    this.#tags.set(tag, digest);
    const repository = `${this.#options.host}/${RELEASE_REPOSITORY}`;
    return { byTag: `${repository}:${tag}`, byDigest: `${repository}@${digest}` };
  }

  /** Adds an image without files; gives the reference by its digest. */
  addImage(name: string, labels: Readonly<Record<string, string>>): string {
    const config = this.#store(CONFIG, json({ architecture: 'amd64', os: 'linux', config: { Labels: labels } }));
    const { digest } = this.#store(MANIFEST, json({ schemaVersion: 2, mediaType: MANIFEST, config, layers: [] }));
    return `${this.#options.host}/${COMPONENT_REPOSITORY}/${name}@${digest}`;
  }

  /** Answers a GET. */
  handle({ authorization, target }: FixtureRequest): FixtureResponse {
    const { pathname } = new URL(target, 'http://registry');
    if (pathname === '/token') return this.#token(authorization);
    if (this.#options.logins !== undefined && authorization !== `Bearer ${TOKEN}`) return this.#challenge();
    const [, name, kind, reference = ''] =
      /^\/v2\/openshift\/([^/]+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    if (pathname === '/v2/') return reply(200, 'application/json', json({}));
    const tagged = name === 'release' && kind === 'manifests' ? this.#tags.get(reference) : undefined;
    const digest = tagged ?? reference;
    const found = this.#blobs.get(digest);
    if (found === undefined) return failed(404, kind === 'blobs' ? 'BLOB_UNKNOWN' : 'MANIFEST_UNKNOWN');
    return reply(200, found.mediaType, found.bytes, { 'docker-content-digest': digest });
  }

  #token(authorization: string | undefined): FixtureResponse {
    const { logins = {} } = this.#options;
    const [, encoded = ''] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
    const [name = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const isKnown = Object.hasOwn(logins, name) && logins[name] === password;
    return isKnown ? reply(200, 'application/json', json({ token: TOKEN })) : failed(401, 'UNAUTHORIZED');
  }

  #challenge(): FixtureResponse {
    const { host } = this.#options;
    const scheme = /^(?:localhost|127\.)/.test(host) ? 'http' : 'https';
    const challenge = `Bearer realm="${scheme}://${host}/token",service="${host}",scope="repository:${RELEASE_REPOSITORY}:pull"`;
    return failed(401, 'UNAUTHORIZED', { 'www-authenticate': challenge });
  }

  #manifest(architecture: string, layer: { readonly digest: string }): { readonly digest: string } {
    const config = this.#store(CONFIG, json({ architecture, os: 'linux' }));
    return this.#store(MANIFEST, json({ schemaVersion: 2, mediaType: MANIFEST, config, layers: [layer] }));
  }

  #store(mediaType: string, bytes: Uint8Array): { mediaType: string; digest: string; size: number } {
    const digest = sha256(bytes);
    this.#blobs.set(digest, { mediaType, bytes });
    return { mediaType, digest, size: bytes.length };
  }

  async #layer(release: FixtureRelease): Promise<Uint8Array> {
    const { bootImages, components, kubernetesVersion, labels = LABELS, version } = release;
    const image = (name: string): string =>
      labels[name] === undefined
        ? componentImage(this.#options.host, name, version)
        : this.addImage(name, { ...labels[name], version });
    const tags = components.map((name) => ({
      name,
      annotations: name === 'hyperkube' ? { [BUILD_VERSIONS]: `kubernetes=${kubernetesVersion}` } : null,
      from: { kind: 'DockerImage', name: image(name) },
    }));
    const references = {
      kind: 'ImageStream',
      apiVersion: 'image.openshift.io/v1',
      metadata: { name: version },
      spec: { tags },
    };
    const files: [string, string][] = [[IMAGE_REFERENCES, JSON.stringify(references, undefined, 2)]];
    if (bootImages !== undefined) {
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', data: { stream: JSON.stringify(bootImages) } };
      // JSON is YAML too.
      files.push([BOOT_IMAGES, JSON.stringify(configMap)]);
    }
    const archive = await packTar(
      files.map(([name, body]) => ({ header: { name, size: Buffer.byteLength(body), mtime: new Date(0) }, body })),
    );
    return gzipSync(archive);
  }
}

/** The image of a component: by digest, as payloads have it. */
function componentImage(host: string, name: string, version: string): string {
  return `${host}/${COMPONENT_REPOSITORY}/${name}@${sha256(Buffer.from(`${name} ${version}`))}`;
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function reply(
  status: number,
  type: string,
  body: Uint8Array,
  more: Readonly<Record<string, string>> = {},
): FixtureResponse {
  return { status, headers: { 'content-type': type, 'content-length': String(body.length), ...more }, body };
}

function failed(status: number, code: string, more?: Readonly<Record<string, string>>): FixtureResponse {
  return reply(status, 'application/json', json({ errors: [{ code, message: code.toLowerCase() }] }), more);
}
