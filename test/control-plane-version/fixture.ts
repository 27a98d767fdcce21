import type { ControlPlaneVersionStatus, HostedControlPlane } from '@capstan/api/hypershift';
import { releaseImages } from '@capstan/control-plane';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { ControlPlaneFixture } from '../control-plane/control-plane-fixture.js';
import { payload } from '../control-plane/objects.js';

/** Images that no release may lack; what others run is left out here, so that control planes are small. */
const NEEDED: ReadonlySet<string> = new Set([
  'cluster-autoscaler',
  'cluster-machine-approver',
  'cluster-version-operator',
  'etcd',
  'hyperkube',
  'hypershift',
]);
const WITHOUT = releaseImages().filter((image) => !NEEDED.has(image));

/** The states and versions of a history, newest first: `Completed 4.22.0`. */
export function historyOf({ history = [] }: Partial<ControlPlaneVersionStatus> = {}): string[] {
  return history.map(({ state, version }) => `${state} ${version}`);
}

/** A history whose entries are in order, of which only the first may be open. */
export function expectWellFormed({ history = [] }: Partial<ControlPlaneVersionStatus> = {}): void {
  for (const [at, { completionTime, startedTime, state }] of history.entries()) {
    const newer = history[at - 1];
    if (newer !== undefined) expect(completionTime).toBe(newer.startedTime);
    else expect(completionTime == null).toBe(state === 'Partial');
    if (typeof completionTime === 'string') expect(completionTime >= startedTime).toBe(true);
  }
}

/** A management cluster with one control plane whose version is looked at. */
export class VersionFixture extends ControlPlaneFixture {
  override async open(): Promise<void> {
    await super.open();
    this.release('4.22.0');
  }

  /** Makes a release known, under a tag of its own. */
  release(version: string, build = version): string {
    const reference = `registry.example.com/release:${build}`;
    const pullSpec = `registry.example.com/release@sha256:${build}`;
    this.releases.known.set(reference, { ...payload(version, WITHOUT), reference, pullSpec });
    return reference;
  }

  /** Asks for a release. */
  async ask(version: string, build?: string): Promise<void> {
    await this.merge({ spec: { releaseImage: this.release(version, build) } });
  }

  async version(): Promise<ControlPlaneVersionStatus | undefined> {
    return (await this.plane()).status?.controlPlaneVersion;
  }

  /** Waits until the history is what a test waits for. */
  async untilHistory(expected: readonly string[]): Promise<ControlPlaneVersionStatus> {
    await expect.poll(async () => historyOf(await this.version()), { timeout: 60_000, interval: 50 }).toEqual(expected);
    const version = (await this.version()) ?? ({} as ControlPlaneVersionStatus);
    expectWellFormed(version);
    return version;
  }

  /** Writes a whole status, as a client does that does not know the fields it leaves out. */
  async writeStatus(change: (status: NonNullable<HostedControlPlane['status']>) => object): Promise<void> {
    await this.until(async () => {
      const plane = await this.plane();
      const status = change(plane.status ?? { initialized: false, ready: false });
      return this.client
        .update(HOSTED_CONTROL_PLANES, { ...plane, status } as KubeObject, { subresource: 'status' })
        .then(
          () => true,
          () => false,
        );
    });
  }
}
