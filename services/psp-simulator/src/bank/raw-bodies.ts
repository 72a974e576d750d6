import type { FastifyInstance, FastifyRequest } from 'fastify';

const rawBodies = new WeakMap<FastifyRequest, string>();

/** The bytes that a signature is over; empty without a body. */
export function rawBodyOf(request: FastifyRequest): string {
  return rawBodies.get(request) ?? '';
}

/** Bodies are read as JSON and kept as they came. @param notJson the dialect's refusal of one that is not JSON */
export function keepRawBodies(scope: FastifyInstance, notJson: () => Error): void {
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    rawBodies.set(request, text);
    try {
      done(null, text === '' ? undefined : JSON.parse(text));
    } catch {
      done(notJson());
    }
  });
}
