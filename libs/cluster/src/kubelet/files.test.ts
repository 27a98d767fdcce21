import { describe, expect, it } from 'vitest';
import { MemoryFiles, MountedFiles } from './files.js';

async function tree(): Promise<MountedFiles> {
  const [config, scratch] = [new MemoryFiles(), new MemoryFiles()];
  config.write('a', Buffer.from('A'));
  config.write('deep/b', Buffer.from('B'));
  const readOnly = { read: (path: string) => config.read(path), paths: () => config.paths() };
  const volumes = new Map([
    ['config', readOnly],
    ['scratch', scratch],
  ]);
  const files = new MountedFiles(
    [
      { name: 'config', mountPath: '/etc/config/' },
      { name: 'config', mountPath: '/one-file', subPath: 'deep/b' },
      { name: 'config', mountPath: '/part', subPath: 'deep' },
      { name: 'scratch', mountPath: '/tmp' },
      { name: 'scratch', mountPath: '/same', readOnly: true },
    ],
    (name) => volumes.get(name) ?? new MemoryFiles(),
    () => () => undefined,
  );
  files.write('/tmp/x', 'shared');
  files.write('/own', 'mine');
  return files;
}

describe('MountedFiles', () => {
  it.each([
    ['/etc/config/a', 'A'],
    ['/etc/config/deep/../a', 'A'],
    ['/etc/config/deep/b', 'B'],
    ['/one-file', 'B'],
    ['/part/b', 'B'],
    ['/same/x', 'shared'],
    ['/own', 'mine'],
  ])('reads %s', async (path, content) => {
    expect(Buffer.from(await (await tree()).read(path)).toString()).toBe(content);
  });

  it.each(['/etc/config/none', '/tmp', '/tmpx', '/own/x'])('has no file %s', async (path) => {
    await expect((await tree()).read(path)).rejects.toThrow(`open ${path}: no such file or directory`);
  });

  it.each<[string, string[]]>([
    ['/', ['etc', 'one-file', 'own', 'part', 'same', 'tmp']],
    ['/etc/config', ['a', 'deep']],
    ['/part', ['b']],
    ['/own', ['own']],
  ])('lists %s', async (path, names) => {
    expect((await tree()).list(path)).toEqual(names);
  });

  it.each(['/etc/config/a', '/same/x'])('writes nothing to %s', async (path) => {
    const files = await tree();
    expect(() => files.write(path, '')).toThrow(`open ${path}: read-only file system`);
    expect(() => files.remove(path)).toThrow(`unlink ${path}: read-only file system`);
  });
});
