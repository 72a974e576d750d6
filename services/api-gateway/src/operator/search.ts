import type { Environment } from '@gateway/contracts/values';
import type { Askable } from '@gateway/messaging';
import { type IdKind, isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import { inferPixKey, parseDocument } from '@gateway/pix';
import { type FoundResource, searchAnswerSchema, searchQuerySchema } from '@gateway/public-api';
import { AccountEntity } from '#src/accounts/account.ts';
import { askSources, unlessMissing } from '#src/operator/ask-sources.ts';
import { accountFound, type FoundRecord, listedBy, readById } from '#src/operator/found-records.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';

const accountsMax = 20;

interface Sources {
  readonly bus: Askable;
  readonly database: Database;
}

/** One question to one service. */
interface Lookup {
  readonly source: string;
  readonly matched: string;
  readonly find: () => Promise<FoundRecord[]>;
}

type Hit = Omit<FoundResource, 'account_name' | 'amount'>;

export const searchEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/search',
    operation: 'searchRecords',
    permission: 'records:read',
    summary: 'Find records of all accounts by one exact value',
    description:
      'The value is looked up as everything that it can be. Only the name of an account is searched for by a part of it.',
    query: searchQuerySchema,
    answers: { 200: searchAnswerSchema },
    reads: 'search',
    handle: async ({ query: { q, environment } }, sources) => {
      const { hits, incomplete } = await ask(lookupsOf(sources, q.trim(), environment));
      const wanted = hits.filter(
        (hit) => environment === undefined || (hit.environment ?? environment) === environment,
      );
      const data = await withNames(sources.database, wanted);
      return { status: 200, body: { data, incomplete }, written: { records: data.length } };
    },
  }),
];

/** A record that is found in two ways is named once. */
async function ask(lookups: readonly Lookup[]): Promise<{ hits: Hit[]; incomplete: string[] }> {
  const sources = lookups.map(({ source, matched, find }) => ({
    name: source,
    read: async () => (await find()).map((record) => ({ ...record, matched })),
  }));
  const { found, incomplete } = await askSources(sources);
  const once = new Map<string, Hit>();
  for (const hit of found) if (!once.has(hit.id)) once.set(hit.id, hit);
  return { hits: [...once.values()], incomplete };
}

/** What the text can be decides what is asked. */
function lookupsOf(sources: Sources, q: string, environment: Environment | undefined): Lookup[] {
  const ofId = byId(sources, q, 'id');
  if (ofId.length > 0) return ofId;
  const document = parseDocument(q);
  return [
    ...['dep', 'pyt', 'rfd'].flatMap((prefix) => byId(sources, `${prefix}_${q}`, 'reference')),
    ...(/^[A-Za-z0-9]{20,35}$/.test(q) ? byE2eId(sources, q, environment) : []),
    ...(document.ok ? byDocument(sources, document.value, environment) : []),
    ...byKey(sources, q, environment),
    ...byExternalId(sources, q, environment),
    accountsBy(sources, 'name', { name: { $ilike: `%${q.replace(/[\\%_]/g, '\\$&')}%` } }),
  ];
}

function byId({ bus, database }: Sources, id: string, matched: string): Lookup[] {
  if (isId('account', id)) return [accountsBy({ bus, database }, matched, { id })];
  return Object.entries(readById).flatMap(([kind, { source, read }]) => {
    const find = async () => {
      const record = await read(bus, id).catch(unlessMissing);
      return record ? [record] : [];
    };
    return isId(kind as IdKind, id) ? [{ source, matched, find }] : [];
  });
}

/** Of payments on the rail and of what goes back. */
function byE2eId({ bus }: Sources, e2eId: string, environment: Environment | undefined): Lookup[] {
  const filter = { e2eId, environment };
  const matched = 'e2e_id';
  return [
    { source: 'deposits', matched, find: () => listedBy.deposits(bus, filter) },
    { source: 'payouts', matched, find: () => listedBy.payouts(bus, filter) },
    { source: 'deposits', matched, find: () => listedBy.refunds(bus, filter) },
    { source: 'deposits', matched, find: () => listedBy.orphanReceipts(bus, filter) },
    { source: 'deposits', matched, find: () => listedBy.disputes(bus, filter) },
  ];
}

function byDocument(sources: Sources, document: string, environment: Environment | undefined): Lookup[] {
  const { bus } = sources;
  const matched = 'document';
  return [
    { source: 'deposits', matched, find: () => listedBy.deposits(bus, { payerDocument: document, environment }) },
    { source: 'payouts', matched, find: () => listedBy.payouts(bus, { recipientDocument: document, environment }) },
    accountsBy(sources, matched, { document }),
  ];
}

function byKey({ bus }: Sources, q: string, environment: Environment | undefined): Lookup[] {
  const key = inferPixKey(q);
  const text = key.ok ? key.value : /^\d{18}$/.test(q) ? q : undefined;
  if (text === undefined) return [];
  return [{ source: 'payouts', matched: 'key', find: () => listedBy.payouts(bus, { key: text, environment }) }];
}

function byExternalId({ bus }: Sources, externalId: string, environment: Environment | undefined): Lookup[] {
  const filter = { externalId, environment };
  const matched = 'external_id';
  return [
    { source: 'deposits', matched, find: () => listedBy.deposits(bus, filter) },
    { source: 'payouts', matched, find: () => listedBy.payouts(bus, filter) },
    { source: 'deposits', matched, find: () => listedBy.refunds(bus, filter) },
    { source: 'ledger', matched, find: () => listedBy.conversions(bus, filter) },
  ];
}

function accountsBy({ database }: Sources, matched: string, where: object): Lookup {
  const order = { orderBy: { id: 'desc' as const }, limit: accountsMax };
  const find = async () => (await database.reader().find(AccountEntity, where, order)).map(accountFound);
  return { source: 'api-gateway', matched, find };
}

async function withNames(database: Database, hits: readonly Hit[]): Promise<FoundResource[]> {
  const ids = [...new Set(hits.map((hit) => hit.account_id))];
  const accounts = ids.length === 0 ? [] : await database.reader().find(AccountEntity, { id: { $in: ids } });
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return hits.map((hit) => ({ ...hit, amount: hit.amount_cents, account_name: names.get(hit.account_id) ?? null }));
}
