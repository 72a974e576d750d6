import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Created, ResponseLike } from '@gateway/sdk';
import type { Session } from '../calls/session.ts';
import type { Flags } from '../command/command.ts';
import type { DescribedOperation } from '../description/operation.ts';
import { UsageError } from '../faults/errors.ts';
import { bodyOf, queryOf } from './body.ts';
import { creations } from './creations.ts';
import { explained } from './failures.ts';

interface Call {
  readonly id: string;
  readonly operation: DescribedOperation;
  readonly ids: readonly string[];
  readonly flags: Flags;
}

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor: string | null;
}

/** Calls an operation as it was typed, and shows what it answers. @returns its record */
export async function callOperation(session: Session, call: Call): Promise<object | undefined> {
  const { operation, flags } = call;
  const path = pathOf(operation.path, call.ids);
  const query = queryOf(operation.query, flags);
  if (operation.answer === 'list') await listAll(session, path, query, flags);
  if (operation.answer === 'text') await streamText(session, path, query);
  if (operation.answer === 'list' || operation.answer === 'text') return undefined;
  const body = operation.body === undefined ? undefined : bodyOf(operation.body, flags, session.contract);
  await session.permit({ method: operation.method, path });
  const answer = await change(session, call, path, query, body);
  if (answer === undefined) session.output.talk('done');
  else session.output.record(answer);
  return answer;
}

/** @returns the answer as JSON, or undefined where there is none */
async function change(
  session: Session,
  { id, operation: { method, body: members }, ids }: Call,
  path: `/${string}`,
  query: object,
  body: Record<string, unknown> | undefined,
): Promise<object | undefined> {
  const creation = Object.hasOwn(creations, id) ? creations[id] : undefined;
  if (creation !== undefined && body !== undefined && body['external_id'] === undefined) {
    body['external_id'] = `cli-${randomUUID()}`;
    session.output.talk(`external_id ${String(body['external_id'])}`);
  }
  const externalId = typeof body?.['external_id'] === 'string' ? body['external_id'] : undefined;
  const options = { signal: session.signal };
  try {
    if (creation === undefined) {
      const sent = members === undefined || Object.keys(body ?? {}).length === 0 ? {} : { body: body ?? {} };
      return await session.gateway().request<object | undefined>(method, path, { query, ...sent, ...options });
    }
    const record = (await creation.send(session.gateway(), ids, body as never)) as Created<object>;
    if (!record.meta.created) session.output.talk('it was there already: its external_id was used before');
    return creation.wrapped === undefined ? record : { [creation.wrapped]: record };
  } catch (error) {
    throw explained(error, { method, path }, session.connection.base_url, externalId);
  }
}

/** A page, or with `--all` every page: as one document, or page by page where the form has lines. */
async function listAll(session: Session, path: `/${string}`, query: object, flags: Flags): Promise<void> {
  const { output } = session;
  if (flags['csv'] === true) return streamText(session, path, { ...query, format: 'csv' });
  const isStreamed = output.form === 'jsonl' || output.form === 'quiet';
  const collected: Page['data'][number][] = [];
  let cursor: string | null | undefined = (query as { readonly cursor?: string }).cursor;
  for (;;) {
    const page: Page = await read<Page>(session, path, { ...query, cursor });
    const isLast = flags['all'] !== true || page.next_cursor === null || page.next_cursor === cursor;
    if (isStreamed) output.list(page.data, page);
    else collected.push(...page.data);
    if (isLast) {
      if (!isStreamed) output.list(collected, { ...page, data: collected });
      if (page.next_cursor !== null && output.form === 'table')
        output.talk(`there is more: --cursor ${page.next_cursor}, or --all`);
      return;
    }
    cursor = page.next_cursor;
  }
}

async function read<Answer>(session: Session, path: `/${string}`, query: object): Promise<Answer> {
  try {
    return await session.gateway().request<Answer>('GET', path, { query, signal: session.signal });
  } catch (error) {
    throw explained(error, { method: 'GET', path }, session.connection.base_url);
  }
}

/** What is no JSON goes to standard output as it comes. */
async function streamText(session: Session, path: `/${string}`, query: object): Promise<void> {
  const { output } = session;
  if (path.endsWith('.png') && output.streams.stdout.isTTY)
    throw new UsageError('a picture belongs into a file: > qr.png');
  try {
    await copy(session, await session.gateway().request('GET', path, { query, signal: session.signal }).raw());
  } catch (error) {
    throw explained(error, { method: 'GET', path }, session.connection.base_url);
  }
}

/** The bytes of an answer, as they are. */
export async function copy(session: Session, { body }: ResponseLike): Promise<void> {
  if (body === null) return;
  const bytes = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(bytes, session.output.streams.stdout, { end: false, signal: session.signal });
}

function pathOf(path: `/${string}`, ids: readonly string[]): `/${string}` {
  const waiting = [...ids];
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    const id = waiting.shift() ?? '';
    // An empty id would call the list instead of the record; two dots would climb to another path.
    if (id === '' || /^\.{1,2}$/.test(id)) throw new UsageError(`${JSON.stringify(id)} is not an id`);
    return encodeURIComponent(id);
  });
  return filled as `/${string}`;
}
