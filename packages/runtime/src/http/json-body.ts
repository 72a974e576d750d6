import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { parse, type Reviver } from 'secure-json-parse';
import { DomainError } from '@gateway/contracts/errors';
import { jsonNestingLevelsMax, jsonShapeOf } from '#src/http/json-shape.ts';

/** What a number written with an exponent is read as, by its name, its value and the text it was written as. */
export type ReadExponent = (name: string, value: unknown, source: string) => unknown;

/**
 * JSON in UTF-8 only (RFC 8259, 8.1). Bytes that are none are refused: replaced by a placeholder, two references that
 * differ would become one. An empty body is no body: operations whose body is optional are called without one.
 */
export function acceptOnlyJson(app: FastifyInstance, readExponent?: ReadExponent): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (charsetOf(request.headers['content-type']) !== 'utf-8')
      return done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'the body must be in UTF-8'));
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      return done(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'the body must not be compressed'));
    const bytes = body as Buffer;
    if (!isUtf8(bytes)) return done(refused('the body is not valid UTF-8'));
    const { isTooDeep, hasExponent } = jsonShapeOf(bytes);
    if (isTooDeep) return done(refused(`the body is nested deeper than ${jsonNestingLevelsMax} levels`));
    try {
      // A reviver is called for every member: only bodies that have something for it to read pay for that.
      const reviver = readExponent && hasExponent ? reviverOf(readExponent) : null;
      done(null, parse(bytes.toString('utf8'), reviver));
    } catch (error) {
      done(refused(reasonOf(error)));
    }
  });
}

function reviverOf(readExponent: ReadExponent): Reviver {
  const reviver = (name: string, value: unknown, { source }: { readonly source?: string }): unknown =>
    typeof value === 'number' && source !== undefined && /e/i.test(source) ? readExponent(name, value, source) : value;
  return reviver as Reviver;
}

function refused(message: string): DomainError {
  return new DomainError('VALIDATION_ERROR', message);
}

/** The parser has one word for members that would reach into prototypes; anything else is no JSON. */
function reasonOf(error: unknown): string {
  const forbidden = error instanceof Error && error.message.includes('forbidden prototype property');
  return forbidden
    ? 'the body has a member that is not allowed: __proto__ or constructor'
    : 'the body is not valid JSON';
}

function charsetOf(contentType: string | undefined): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return charset.toLowerCase().replace(/^utf8$/, 'utf-8');
}
