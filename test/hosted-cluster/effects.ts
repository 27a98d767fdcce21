import { TransportError } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Transport } from '@capstan/meta';

/** How a request of a program goes wrong: it never leaves, or its answer never comes. */
export type Loss = 'request' | 'answer';

/** Writes a line for every write of a program, and loses one of them. */
export class Effects implements Transport {
  readonly lines: string[] = [];
  readonly #to: Transport;
  #requests = 0;
  #loss: { readonly at: number; readonly what: Loss } | undefined;

  constructor(to: Transport) {
    this.#to = to;
  }

  /** Loses the request of that number, counted from now on. */
  lose(at: number, what: Loss): void {
    this.#requests = 0;
    this.#loss = { at, what };
  }

  /** Whether the loss is still to come. */
  get isPending(): boolean {
    return this.#loss !== undefined;
  }

  /** The writes since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const isLost = this.#loss?.at === this.#requests;
    const what = this.#loss?.what;
    this.#requests += 1;
    if (isLost) this.#loss = undefined;
    if (isLost && what === 'request') throw lost(request);
    if (request.method !== 'GET') this.lines.push(lineOf(request));
    const response = await this.#to.send(request);
    if (isLost) throw lost(request);
    return response;
  }
}

function lost({ method, target }: ApiRequest): TransportError {
  return new TransportError('ECONNRESET', `${method} ${target} was lost`, true);
}

/** `DELETE clusters example-x7k2p`: without the way there. */
function lineOf({ method, target }: ApiRequest): string {
  const [path = ''] = target.split('?');
  const parts = path.split('/').filter((part) => part !== '');
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  return `${method} ${(rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest).join(' ')}`;
}
