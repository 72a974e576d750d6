import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { sendTagged, type TaggedBytes, taggedText } from '#src/http/entity-tag.ts';

export interface ServedDescription {
  /** `/openapi.json` */
  readonly path: string;
  /** Written once, when it is first asked for: that takes longer than most requests do. */
  readonly document: () => object;
  /** What a call has to pass first. */
  readonly guard?: onRequestAsyncHookHandler;
}

/** A description, or a collection of its calls, at its address (spec 9.1). */
export function serveDescription(app: FastifyInstance, { path, document, guard }: ServedDescription): void {
  let kept: TaggedBytes | undefined;
  app.get(path, guard ? { onRequest: guard } : {}, (request, reply) => {
    kept ??= taggedText(JSON.stringify(document()));
    void reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-cache');
    return sendTagged(request, reply, kept);
  });
}
