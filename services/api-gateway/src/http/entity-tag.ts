import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A strong entity tag (RFC 9110, 8.8.3) of these very bytes. */
export function entityTagOf(bytes: Buffer): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

export interface TaggedBytes {
  readonly bytes: Buffer;
  readonly entityTag: string;
}

/** A text that is sent again and again, as the bytes to send. */
export function taggedText(text: string): TaggedBytes {
  const bytes = Buffer.from(text);
  return { bytes, entityTag: entityTagOf(bytes) };
}

/** Sends bytes with their tag, or 304 to a client that has them already (RFC 9110, 13.1.2). */
export function sendTagged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, entityTag }: TaggedBytes,
): FastifyReply {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  void reply.header('etag', entityTag);
  if (known.includes(entityTag) || known.includes('*')) return reply.removeHeader('content-type').code(304).send();
  return reply.send(bytes);
}
