import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { quotedRows, serializedWithoutRows } from '#src/telemetry/without-rows.ts';

export type { Logger } from 'pino';

/** Members that never reach a log, at any of the depths we log at (design.md 9). */
const secretMembers = [
  'secret',
  'secretKey',
  'secret_key',
  'password',
  'token',
  'authorization',
  'apiSecret',
  'securityParaphrase',
  'document',
  'key',
  'pixKey',
  'pix_key',
  'email',
  'phone',
];

const redactedPaths = [
  ...secretMembers.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
  'headers["x-api-secret"]',
  'headers.authorization',
  'req.headers["x-api-secret"]',
  'req.headers.authorization',
];

/** One JSON line per record on stdout, with the trace it belongs to. */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    base: { service: name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    serializers: { err: loggedError, error: loggedError },
    mixin: () => {
      const context = trace.getActiveSpan()?.spanContext();
      return context && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
    },
  });
}

/** An error as a log may hold it. */
export function loggedError(error: unknown): unknown {
  const rows = quotedRows(error);
  const logged: unknown = pino.stdSerializers.err(error as Error);
  return rows.length === 0 ? logged : serializedWithoutRows(logged, rows);
}
