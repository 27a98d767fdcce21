import { apiErrors, parseDuration } from '@capstan/meta';

const NANOS_PER_MS = 1_000_000n;

/** How long a request may take by its own word (`timeout`), and no longer than the most. Throws where that is no duration. */
export function limitOf(query: URLSearchParams, mostMs: number): number {
  const text = query.get('timeout') ?? '';
  const given = text === '' ? 0 : Number(parseDuration(text) / NANOS_PER_MS);
  return given > 0 ? Math.min(given, mostMs) : mostMs;
}

/** Answered with 504 from outside the handlers, which is why it is a text and names no kind. */
export function tooLateText(): string {
  const { metadata, status, message, reason, code } = apiErrors.requestTimeout().status;
  return `${JSON.stringify({ metadata, status, message, reason, details: {}, code })}\n`;
}
