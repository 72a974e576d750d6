import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '@gateway/contracts';

/** What a member that is neither list nor object is read as, by its name, its value and the text it was written as. */
export type ReadMember = (name: string, value: unknown, source: string) => unknown;

/**
 * JSON in UTF-8 only (RFC 8259, 8.1). Bytes that are none are refused: replaced by a placeholder, two references that
 * differ would become one. An empty body is no body: operations whose body is optional are called without one.
 */
export function acceptOnlyJson(app: FastifyInstance, readMember?: ReadMember): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (charsetOf(request.headers['content-type']) !== 'utf-8')
      return done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'the body must be in UTF-8'));
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      return done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'the body must not be compressed'));
    const bytes = body as Buffer;
    if (!isUtf8(bytes)) return done(notJson('the body is not valid UTF-8'));
    const text = bytes.toString('utf8');
    return parseJson(request, text, (error, value) => {
      if (error) return done(notJson(reasonOf(error)));
      done(null, readMember ? reread(text, readMember) : value);
    });
  });
}

/** The parser has told by now that it is JSON, and that nothing in it is forbidden. */
function reread(text: string, readMember: ReadMember): unknown {
  const reviver = (name: string, value: unknown, { source }: { readonly source?: string }): unknown =>
    source === undefined ? value : readMember(name, value, source);
  return JSON.parse(text, reviver as (name: string, value: unknown) => unknown);
}

function notJson(message: string): DomainError {
  return new DomainError('VALIDATION_ERROR', message);
}

function reasonOf(error: Error): string {
  const forbidden = error.message.includes('forbidden prototype property');
  return forbidden
    ? 'the body has a member that is not allowed: __proto__ or constructor'
    : 'the body is not valid JSON';
}

function charsetOf(contentType: string | undefined): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return charset.toLowerCase().replace(/^utf8$/, 'utf-8');
}
