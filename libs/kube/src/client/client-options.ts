import type { Clock, Random, UserInfo } from '@capstan/meta';

/** How a client presents itself, and the clock and randomness it uses. */
export interface ClientOptions {
  /** Names the program to the server, and is the default field manager there up to its first `/`. */
  readonly userAgent?: string | undefined;
  /** Who asks; only transports that end in this process look at it. */
  readonly user?: UserInfo | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** How often one request is repeated when the server asks to come back later. Default 10. */
  readonly maxRetries?: number | undefined;
  readonly onWarning?: ((text: string) => void) | undefined;
  /** A request is about to be sent again, after this code or `<error>`. */
  readonly onRetry?: ((code: string, method: string) => void) | undefined;
}
