import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchRow, Measurement } from '../../model.js';
import { cpuMs, rate } from './cost.js';
import type { Behind, Served } from './programs.js';

const START_LIMIT_MS = 10_000;
/** As many as the crowd has, so that none is opened twice. */
const KEPT = 16;
/** Where a system keeps it although it is on nobody's path. */
const SBIN = '/usr/sbin';

/** The nginx of this machine; undefined where there is none. */
export function nginxPath(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = [...(env['PATH'] ?? '').split(delimiter), SBIN];
  return folders.map((folder) => join(folder, 'nginx')).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Plain HTTP in, TLS out over connections that are kept, one process, and nothing that is read or changed. It does not
 * look for addresses in certificates, so it asks for the name of this machine.
 */
function configuration(dir: string, port: number, { token, url }: Behind): string {
  const { host } = new URL(url);
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
master_process off;
pid ${dir}/pid;
error_log ${dir}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  ${scratch.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')}
  keepalive_requests 1000000000;
  upstream server { server ${host}; keepalive ${KEPT}; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass https://server;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host ${host};
      proxy_set_header Authorization "Bearer ${token}";
      proxy_ssl_trusted_certificate ${dir}/ca.crt;
      proxy_ssl_verify on;
      proxy_ssl_name localhost;
    }
  }
}
`;
}

/** Starts nginx before a server; resolves once it takes connections. */
export async function startNginx(program: string, behind: Behind): Promise<Served> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-nginx-'));
  const port = await freePort();
  writeFileSync(join(dir, 'ca.crt'), behind.caPem);
  writeFileSync(join(dir, 'nginx.conf'), configuration(dir, port, behind), { mode: 0o600 });
  const child = spawn(program, ['-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit');
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await takes(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} did not start: ${errors}`);
    await delay(20);
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function takes(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Ours against a proxy that translates nothing and is written in C. */
export function nginxRows(ours: Served, nginx: Served | undefined, quick: boolean): BenchRow[] {
  const thousands = quick ? 2 : 5;
  const against = (measure: (proxy: Served) => Measurement): Pick<BenchRow, 'reference' | 'missing'> =>
    nginx === undefined ? { missing: 'nginx: not installed' } : { reference: { name: 'nginx', run: measure(nginx) } };
  return [
    {
      name: 'small bodies over TLS, against nginx',
      unit: 'ops/s',
      better: 'higher',
      run: rate(ours),
      ...against(rate),
    },
    {
      name: 'processor time of 1,000 small bodies over TLS, against nginx',
      unit: 'ms',
      better: 'lower',
      run: cpuMs(ours, thousands),
      ...against((proxy) => cpuMs(proxy, thousands)),
    },
  ];
}
