import type { JsonObject } from '@capstan/meta';

/** The metadata of a release image. */
export interface ReleasePayload {
  /** The reference it was asked for by. */
  readonly reference: string;
  /** The same image by its digest: `registry/name@sha256:…`. */
  readonly pullSpec: string;
  /** `4.22.0`, from the payload. */
  readonly version: string;
  /** `1.35.2`, from the payload; empty when it does not say. */
  readonly kubernetesVersion: string;
  /** Architectures it can be run on: `amd64`, `arm64`, …; more than one for a multi-architecture release. */
  readonly architectures: readonly string[];
  /** Names of its components, sorted. */
  readonly components: readonly string[];
  /** The image of a component by digest; undefined when the payload has none. */
  image(component: string): string | undefined;
  /** The machine images of each platform (CoreOS stream metadata). */
  readonly bootImages?: JsonObject | undefined;
}

/** Finds out what a release image holds. */
export interface ReleaseProvider {
  /**
   * Rejects with a {@link ReleaseError}.
   *
   * @param pullSecret The text of `.dockerconfigjson`; undefined where none is needed.
   */
  lookup(reference: string, pullSecret: string | undefined, signal?: AbortSignal): Promise<ReleasePayload>;
}
