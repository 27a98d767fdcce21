/** What a name is known to hold: the content and the revision it has, or that there is nothing. */
export interface Version {
  readonly content: string;
  readonly revision: number;
}

interface Entry {
  /** As last acknowledged; undefined for nothing. */
  acknowledged: Version | undefined;
  /** The content that the write under way leads to, null where it deletes; undefined when none is. */
  pending: string | null | undefined;
  /** The greatest revision of it that a client was shown. */
  shown: number;
  /** The greatest one that is accounted for: acknowledged, or found after a kill. What had it may be deleted since. */
  settled: number;
}

/** Keeps what a server acknowledged, to compare it with what it serves after it was killed. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** The greatest revision the server ever spoke of. */
  #revision = 0;
  acknowledgedWrites = 0;

  /** A write is on its way. */
  begin(name: string, content: string | null): void {
    this.#entry(name).pending = content;
  }

  /** The write was acknowledged; a deletion without a version. */
  acknowledge(name: string, version: Version | undefined): void {
    const entry = this.#entry(name);
    entry.acknowledged = version;
    entry.pending = undefined;
    this.acknowledgedWrites++;
    if (version === undefined) return;
    entry.settled = version.revision;
    this.show(name, version.revision);
  }

  /** A client was shown this revision of it. */
  show(name: string, revision: number): void {
    const entry = this.#entry(name);
    entry.shown = Math.max(entry.shown, revision);
    this.reach(revision);
  }

  /** The server spoke of this revision. */
  reach(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  current(name: string): Version | undefined {
    return this.#entries.get(name)?.acknowledged;
  }

  /** The promises that the state breaks, in words. From here on the state is what is known. */
  settle(state: ReadonlyMap<string, Version>, revision: number): string[] {
    const broken: string[] = [];
    if (revision < this.#revision) broken.push(`the revision went back from ${this.#revision} to ${revision}`);
    for (const name of state.keys()) if (!this.#entries.has(name)) broken.push(`${name} was never written`);
    for (const [name, entry] of this.#entries) {
      const found = state.get(name);
      const complaint = complaintAbout(entry, found);
      if (complaint !== undefined) broken.push(`${name} ${complaint}`);
      entry.acknowledged = found;
      entry.pending = undefined;
      entry.settled = Math.max(entry.shown, found?.revision ?? 0);
    }
    this.#revision = Math.max(this.#revision, revision);
    return broken;
  }

  #entry(name: string): Entry {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = { acknowledged: undefined, pending: undefined, shown: 0, settled: 0 };
      this.#entries.set(name, entry);
    }
    return entry;
  }
}

function complaintAbout(entry: Entry, found: Version | undefined): string | undefined {
  if (found === undefined) return complaintAboutAbsence(entry);
  const { acknowledged, pending, shown } = entry;
  if (found.content === acknowledged?.content && found.revision === acknowledged.revision) {
    return shown > found.revision ? `is at revision ${found.revision}, ${shown} was shown` : undefined;
  }
  if (found.content === pending && found.revision > (acknowledged?.revision ?? 0)) return undefined;
  const known = acknowledged === undefined ? 'nothing' : `revision ${acknowledged.revision}`;
  return `is at revision ${found.revision} with content that was not written last; ${known} was acknowledged`;
}

/** What was shown and is gone must have been deleted. */
function complaintAboutAbsence({ acknowledged, pending, shown, settled }: Entry): string | undefined {
  if (pending === null) return undefined;
  if (acknowledged !== undefined) return `is gone, revision ${acknowledged.revision} was acknowledged`;
  return shown > settled ? `is gone, revision ${shown} was shown` : undefined;
}
