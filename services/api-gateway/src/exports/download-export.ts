import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { gunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { NotFoundError } from '@gateway/contracts/errors';
import type { Export } from '@gateway/contracts/exports';
import { environmentSchema } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import type { LinkTokens } from '@gateway/runtime';
import { findExport } from '#src/exports/export.ts';
import { formatOf } from '#src/exports/files.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';

const decompress = promisify(gunzip);

const linkSeconds = 15 * 60;
/** A receiver that takes nothing for this long is given up. */
const stalledReceiverMs = 60_000;

/** The stored content of a file, a part at a time. */
export async function* partsOf(database: Database, exportId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [part] = await database.query<{ content: Buffer }>(
      `select content from export_part where export_id = $1 and number = $2`,
      [exportId, number],
    );
    if (!part) return;
    yield await decompress(part.content);
  }
}

/** Links to files: each works for 15 minutes, for one file, without key headers. */
export class ExportLinks {
  readonly #tokens: LinkTokens;
  readonly #publicUrl: string;

  constructor(tokens: LinkTokens, publicUrl: string) {
    this.#tokens = tokens;
    this.#publicUrl = publicUrl;
  }

  /** Null where there is no file: not yet, not any more, or never. */
  linkTo({ id, environment, accountId, status, expiresAt }: Export, now: Date): string | null {
    const second = Math.floor(now.getTime() / 1_000);
    if (status !== 'COMPLETED' || expiresAt === null || expiresAt <= second) return null;
    const until = Math.min(second + linkSeconds, expiresAt);
    const token = this.#tokens.issue(resourceOf(id), { environment, accountId, expiresAt: until });
    return `${this.#publicUrl}/exports/${id}/${token}`;
  }

  /** @throws NotFoundError when the token is forged, of another file, or its time is up: one answer for all */
  ownerOf(id: string, token: string, now: Date) {
    const grant = isId('export', id) ? this.#tokens.verify(token, resourceOf(id), now) : null;
    if (!grant) throw new NotFoundError('export');
    return { environment: environmentSchema.parse(grant.environment), accountId: grant.accountId };
  }
}

function resourceOf(id: string): string {
  return `export ${id}`;
}

interface DownloadServices {
  readonly database: Database;
  readonly exportLinks: ExportLinks;
  readonly open: OpenLimits;
}

interface DownloadRoute {
  readonly Params: { readonly id: string; readonly token: string };
}

/**
 * `GET /exports/{id}/{token}`: the file of an export. Its length is announced, so that a receiver sees that a file was
 * cut off.
 */
export function registerExportDownloads(app: FastifyInstance, { database, exportLinks, open }: DownloadServices): void {
  app.get<DownloadRoute>(
    '/exports/:id/:token',
    { onRequest: (request, reply) => open.admit('pictures', request, reply) },
    async ({ params: { id, token } }, reply) => {
      const now = new Date();
      const exported = await findExport(database, exportLinks.ownerOf(id, token, now), id);
      if (!exported || exportLinks.linkTo(exported, now) === null) throw new NotFoundError('export');
      const [size] = await database.query<{ bytes: number }>(
        `select coalesce(sum(bytes), 0)::bigint as bytes from export_part where export_id = $1`,
        [id],
      );
      const { mediaType, extension } = formatOf({ format: exported.format, raw: false, camtVersion: null });
      reply.raw.setTimeout(stalledReceiverMs, () => reply.raw.destroy());
      return await reply
        .header('content-type', mediaType)
        .header('content-length', String(size?.bytes ?? 0))
        .header('content-disposition', `attachment; filename="${nameOf(exported)}.${extension}"`)
        .header('cache-control', 'private, no-store')
        .send(Readable.from(partsOf(database, id), { objectMode: false, highWaterMark: 1 }));
    },
  );
}

/** `statement-BRL-2026-11-20`, or with both days where there are several. */
function nameOf({ kind, currency, fromDate, toDate }: Export): string {
  return [kind, currency, ...new Set([fromDate, toDate])].join('-');
}
