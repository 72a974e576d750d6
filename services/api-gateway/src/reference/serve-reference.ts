import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { NotFoundError } from '@gateway/contracts/errors';
import { sendTagged, type TaggedBytes, taggedText } from '#src/http/entity-tag.ts';
import { referencePolicy } from '#src/reference/layout.ts';
import { type Reference, renderReference } from '#src/reference/pages.ts';
import { allTexts, indexOfTexts, renderTexts } from '#src/reference/texts.ts';

export interface ServedReference {
  /** `/docs`: with every path below it. */
  readonly bases: readonly string[];
  /** What its pages show; all are written when the first is asked for. */
  readonly references: () => readonly Reference[];
  /** What a call has to pass first. */
  readonly guard?: onRequestAsyncHookHandler;
}

interface ServedPage {
  readonly type: string;
  readonly page: TaggedBytes;
}

/** The descriptions as pages to read, without a script (api.md 7), and as Markdown. */
export function serveReference(app: FastifyInstance, { bases, references, guard }: ServedReference): void {
  let kept: ReadonlyMap<string, ServedPage> | undefined;
  const options = guard ? { onRequest: guard } : {};
  const paths = bases.flatMap((base) => [base, `${base}.md`, `${base}/*`]);
  for (const path of [...paths, indexOfTexts, allTexts]) {
    app.get(path, options, (request, reply) => {
      kept ??= keep(references());
      const [asked = ''] = request.url.split('?', 1);
      const served = kept.get(asked.replace(/\/$/, ''));
      if (!served) throw new NotFoundError('page');
      void reply
        .header('content-type', `${served.type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', referencePolicy);
      return sendTagged(request, reply, served.page);
    });
  }
}

function keep(references: readonly Reference[]): ReadonlyMap<string, ServedPage> {
  const entry = (type: string) => (written: readonly [path: string, text: string]) => {
    const served: ServedPage = { type, page: taggedText(written[1]) };
    return [written[0], served] as const;
  };
  return new Map([
    ...references.flatMap((reference) => [...renderReference(reference)]).map(entry('text/html')),
    ...[...renderTexts(references)].map(entry('text/markdown')),
  ]);
}
