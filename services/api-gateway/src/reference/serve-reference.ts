import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { NotFoundError } from '@gateway/contracts/errors';
import { sendTagged, type TaggedBytes, taggedText } from '#src/http/entity-tag.ts';
import { referencePolicy } from '#src/reference/layout.ts';
import { type Reference, renderReference } from '#src/reference/pages.ts';

export interface ServedReference {
  /** `/docs`: with every path below it. */
  readonly bases: readonly string[];
  /** What its pages show; all are written when the first is asked for. */
  readonly references: () => readonly Reference[];
  /** What a call has to pass first. */
  readonly guard?: onRequestAsyncHookHandler;
}

/** The descriptions as pages to read, without a script (api.md 7). */
export function serveReference(app: FastifyInstance, { bases, references, guard }: ServedReference): void {
  let kept: ReadonlyMap<string, TaggedBytes> | undefined;
  const options = guard ? { onRequest: guard } : {};
  for (const path of bases.flatMap((base) => [base, `${base}/*`])) {
    app.get(path, options, (request, reply) => {
      kept ??= keep(references());
      const [asked = ''] = request.url.split('?', 1);
      const page = kept.get(asked.replace(/\/$/, ''));
      if (!page) throw new NotFoundError('page');
      void reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('content-security-policy', referencePolicy);
      return sendTagged(request, reply, page);
    });
  }
}

function keep(references: readonly Reference[]): ReadonlyMap<string, TaggedBytes> {
  const pages = references.flatMap((reference) => [...renderReference(reference)]);
  return new Map(pages.map(([path, text]) => [path, taggedText(text)] as const));
}
