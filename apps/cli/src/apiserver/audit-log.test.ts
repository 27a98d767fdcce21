import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '@capstan/apiserver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AuditLog, openAuditLog } from './audit-log.js';

type Mode = 'batch' | 'blocking' | 'blocking-strict';

/** Standard output that can be full. */
class Fixture {
  readonly lines: string[] = [];
  readonly logged: string[] = [];
  isFull = false;
  readonly #io = {
    out: (text: string) => {
      if (this.isFull) throw new Error('ENOSPC: no space left on device, write');
      this.lines.push(...text.split('\n').filter((line) => line !== ''));
    },
    err: (text: string) => void this.logged.push(text.slice(text.indexOf(' ') + 1).trim()),
  };

  async open(auditLogMode: Mode, auditLogPath = '-'): Promise<AuditLog> {
    return (await openAuditLog({ auditLogMode, auditLogPath }, this.#io)) as AuditLog;
  }
}

function send({ options }: AuditLog, ...ids: string[]): boolean[] {
  return ids.map((auditID) => options.sink({ auditID, stage: 'ResponseComplete' } as AuditEvent));
}

function errors({ options }: AuditLog, plugin = 'log'): number | undefined {
  return options.metrics?.[0]?.value([plugin]);
}

const idsOf = (lines: readonly string[]): string[] =>
  lines.map((line) => (JSON.parse(line) as { auditID: string }).auditID);

describe('an audit log that cannot be written', () => {
  let fixture: Fixture;

  beforeEach(() => {
    vi.useFakeTimers();
    fixture = new Fixture();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<Mode>(['batch', 'blocking'])('in mode %s lets requests go on, and has their events later', async (mode) => {
    const log = await fixture.open(mode);
    send(log, 'a');
    await vi.advanceTimersByTimeAsync(200);
    fixture.isFull = true;
    expect(send(log, 'b', 'c')).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([idsOf(fixture.lines), errors(log)]).toEqual([['a'], 2]);
    fixture.isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);
    send(log, 'd');
    log.close();
    expect(idsOf(fixture.lines)).toEqual(['a', 'b', 'c', 'd']);
    expect(fixture.logged).toEqual([
      expect.stringMatching(/^ERROR cannot write the audit log .*"reason":"Error: ENOSPC: no space left/),
      'WARN the audit log is written again {"path":"-","waiting":0,"lost":0}',
    ]);
  });

  it('in mode blocking has written an event when the request goes on', async () => {
    send(await fixture.open('blocking'), 'a');
    expect(idsOf(fixture.lines)).toEqual(['a']);
  });

  it('in mode blocking-strict refuses what was received, and keeps what cannot be refused any more', async () => {
    const log = await fixture.open('blocking-strict');
    expect(log.options.policy).toEqual({ rules: [{ level: 'Metadata' }] });
    fixture.isFull = true;
    const received = { auditID: 'a', stage: 'RequestReceived' } as AuditEvent;
    expect([log.options.sink(received), ...send(log, 'b')]).toEqual([false, false]);
    expect([log.options.sink(received), errors(log)]).toEqual([false, 3]);
    fixture.isFull = false;
    expect(log.options.sink({ ...received, auditID: 'c' })).toBe(true);
    expect(idsOf(fixture.lines)).toEqual(['b', 'c']);
  });

  it.each<[Mode, string]>([
    ['batch', 'buffered'],
    ['blocking', 'log'],
  ])('in mode %s keeps so many events and counts the others', async (mode, plugin) => {
    const log = await fixture.open(mode);
    fixture.isFull = true;
    for (let count = 0; count < 10_005; count++) send(log, String(count));
    await vi.advanceTimersByTimeAsync(61_000);
    expect(errors(log, plugin)).toBe(mode === 'batch' ? 5 : 10_005);
    fixture.isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(idsOf(fixture.lines)).toHaveLength(10_000);
    expect(fixture.logged).toHaveLength(3);
    expect(fixture.logged[2]).toBe('WARN the audit log is written again {"path":"-","waiting":0,"lost":5}');
  });

  it('logs how many events are missing when it closes', async () => {
    const log = await fixture.open('blocking');
    fixture.isFull = true;
    send(log, 'a');
    log.close();
    expect(fixture.logged[1]).toBe('ERROR events are missing from the audit log {"path":"-","waiting":1,"lost":0}');
  });
});

describe('an audit log in a file', () => {
  it('is for the owner alone, and goes on where it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-audit-'));
    try {
      const path = join(folder, 'audit.log');
      for (const id of ['a', 'b']) {
        const log = await new Fixture().open('batch', path);
        send(log, id);
        log.close();
      }
      expect(idsOf(readFileSync(path, 'utf8').trim().split('\n'))).toEqual(['a', 'b']);
      writeFileSync(path, '{"half');
      const log = await new Fixture().open('blocking', path);
      send(log, 'c');
      log.close();
      expect(readFileSync(path, 'utf8')).toMatch(/^\{"half\n\{"auditID":"c",.*\}\n$/);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('survives a device without room', async () => {
    const fixture = new Fixture();
    const log = await fixture.open('blocking', '/dev/full');
    expect(send(log, 'a', 'b')).toEqual([true, true]);
    expect([errors(log), fixture.logged.length]).toEqual([2, 1]);
    log.close();
  });

  it('that cannot be opened is refused in words', async () => {
    await expect(new Fixture().open('blocking', '/proc/none/audit.log')).rejects.toMatchObject({
      message: 'cannot use /proc/none/audit.log as audit log: there is no place for it',
      hint: 'name a file you may write with --audit-log-path',
    });
  });
});
