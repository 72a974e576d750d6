import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { NotFoundError } from '@gateway/contracts/errors';
import { sendTagged, type TaggedBytes, taggedText } from '#src/http/entity-tag.ts';
import { referencePolicy } from '#src/reference/layout.ts';
import { pageScripts, searchLibrary } from '#src/reference/page-scripts.ts';
import { type Reference, renderIndex, renderReference } from '#src/reference/pages.ts';
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
  readonly cacheControl: string;
  readonly page: TaggedBytes;
}

const asked = 'no-cache';
/** Of what has the hash of its content in its name. */
const forever = 'public, max-age=31536000, immutable';

/** The descriptions as pages to read, which need no script (api.md 7), with what their search finds, and as Markdown. */
export function serveReference(app: FastifyInstance, { bases, references, guard }: ServedReference): void {
  let kept: ReadonlyMap<string, ServedPage> | undefined;
  const options = guard ? { onRequest: guard } : {};
  const paths = bases.flatMap((base) => [base, `${base}.md`, `${base}/*`]);
  for (const route of [...paths, indexOfTexts, allTexts]) {
    app.get(route, options, (request, reply) => {
      kept ??= keep(references());
      const [path = ''] = request.url.split('?', 1);
      const served = kept.get(path.replace(/\/$/, ''));
      if (!served) throw new NotFoundError('page');
      void reply
        .header('content-type', `${served.type}; charset=utf-8`)
        .header('cache-control', served.cacheControl)
        .header('content-security-policy', referencePolicy);
      return sendTagged(request, reply, served.page);
    });
  }
}

function keep(references: readonly Reference[]): ReadonlyMap<string, ServedPage> {
  const entry =
    (type: string, cacheControl = asked) =>
    ([path, text]: readonly [path: string, text: string]) => {
      const served: ServedPage = { type, cacheControl, page: taggedText(text) };
      return [path, served] as const;
    };
  const scripts = [...pageScripts, searchLibrary].map(({ path, text }) => [path, text] as const);
  return new Map([
    ...references.flatMap((reference) => [...renderReference(reference)]).map(entry('text/html')),
    ...references.map(renderIndex).map(entry('application/json')),
    ...scripts.map(entry('text/javascript', forever)),
    ...[...renderTexts(references)].map(entry('text/markdown')),
  ]);
}
