import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Who does not take notice of the end of a connection in so long is not waited for. */
const LATE_MS = 2000;

/** One address for several replicas: every connection goes to the next of them, as behind a Service. */
export class Balancer {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #targets: readonly string[] = [];
  #next = 0;
  /** Connections are accepted, and never answered. */
  isSilent = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server);
    server.on('connection', (socket) => balancer.#forward(socket));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  add(url: string): void {
    this.#targets = [...this.#targets, url];
  }

  remove(url: string): void {
    this.#targets = this.#targets.filter((each) => each !== url);
  }

  /** Ends the connections that are kept open, and waits until their clients know: none is used once more in vain. */
  async quiesce(): Promise<void> {
    const ended = [...this.#open].map(
      (socket) =>
        new Promise<void>((resolve) => {
          const late = setTimeout(() => socket.destroy(), LATE_MS);
          socket.once('close', () => {
            clearTimeout(late);
            resolve();
          });
          socket.end();
        }),
    );
    await Promise.all(ended);
  }

  /** Ends the connections that are kept open, so that the next ones go where they should now. */
  drop(): void {
    for (const socket of this.#open) socket.destroy();
  }

  close(): Promise<void> {
    this.drop();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }

  #forward(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => this.#open.delete(socket));
    if (this.isSilent) return;
    const target = this.#targets[this.#next++ % Math.max(1, this.#targets.length)];
    if (target === undefined) return void socket.destroy();
    const { hostname, port } = new URL(target);
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  }
}
