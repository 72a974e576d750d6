import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiVersion } from '@gateway/contracts/values';
import { contractOf } from '@gateway/public-api';
import { readBytesMax } from '#src/request-log/redact.ts';
import type { KeyUsage } from '#src/request-log/key-usage.ts';
import type { RequestLog } from '#src/request-log/request-log.ts';

/** Where requests are noted. */
interface Notes {
  readonly log: RequestLog;
  readonly usage: KeyUsage;
}

/** Notes the requests of a scope whose callers are known, once each is answered. */
export function watchRequests(app: FastifyInstance, { log, usage }: Notes): void {
  const answers = new WeakMap<FastifyRequest, string>();
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.caller && log.wants(request.caller, reply.statusCode)) {
      const answer = textOf(payload, reply.getHeader('content-type'));
      if (answer !== undefined) answers.set(request, answer);
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request;
    if (caller) usage.note({ caller, apiVersion: versionOf(request), status: reply.statusCode, atMs: Date.now() });
    if (caller && log.wants(caller, reply.statusCode)) log.note(seenIn(request, reply.elapsedTime, reply.statusCode));
    done();
  });

  function seenIn(request: FastifyRequest, elapsedMs: number, status: number) {
    const { headers, body, caller } = request;
    if (!caller) throw new Error('a request without a caller is not logged');
    return {
      caller: { environment: caller.environment, publicKey: caller.publicKey, account: { id: caller.account.id } },
      requestId: request.id,
      method: request.method,
      url: request.url,
      status,
      elapsedMs,
      address: request.ip,
      apiVersion: versionOf(request),
      // The former is of a client in a runtime that lets no program name itself.
      userAgent: headers['x-gateway-client']?.toString() ?? headers['user-agent'],
      // A file is no body that is shown.
      body: isPlain(body) ? body : null,
      bodyBytes: isPlain(body) ? bytesOf(headers) : 0,
      answer: answers.get(request),
      atMs: Date.now(),
    };
  }
}

/** The contract that a request is answered in: the one that it names, else that of its body, else that of its key. */
function versionOf({ headers, body, caller }: FastifyRequest): ApiVersion | null {
  if (!caller) return null;
  const { apiVersion: keyVersion } = caller;
  return contractOf({ header: headers['x-api-version'], body, keyVersion }) ?? keyVersion;
}

/** Of an answer in JSON, which the owner of the records may have written as bytes; undefined of files and streams. */
function textOf(payload: unknown, type: unknown): string | undefined {
  if (typeof payload === 'string') return payload;
  if (!(payload instanceof Uint8Array) || typeof type !== 'string' || !type.startsWith('application/json')) return;
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8');
}

/** At most: of a body that comes in chunks nothing says how long it is. */
function bytesOf(headers: FastifyRequest['headers']): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : readBytesMax;
}

function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
}
