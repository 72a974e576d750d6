import type { NatsConnection } from '@nats-io/nats-core';
import { z } from 'zod';
import { getBalance, listEntries } from '@gateway/contracts/ledger';
import { type LoadResult, monotonicMs } from '../load/load.ts';
import { summariseLatencies } from './commands.ts';

const readers = 4;
const timeoutMs = 30_000;
const pageEntries = 10;

const pageSchema = z.object({ ok: z.literal(true), data: listEntries.reply });

/** Some readers ask the same question over and over. */
async function read(nats: NatsConnection, subject: string, request: object, durationMs: number): Promise<LoadResult> {
  const startedAtMs = monotonicMs();
  const latenciesMs: number[] = [];
  const failures: Record<string, number> = {};
  const payload = JSON.stringify(request);
  const reader = async () => {
    while (monotonicMs() - startedAtMs < durationMs) {
      const fromMs = monotonicMs();
      const reply = (await nats.request(subject, payload, { timeout: timeoutMs })).json<{ ok: boolean }>();
      if (reply.ok) latenciesMs.push(monotonicMs() - fromMs);
      else failures['refused'] = (failures['refused'] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return summariseLatencies(latenciesMs, monotonicMs() - startedAtMs, failures);
}

export async function readBalances(nats: NatsConnection, accountId: string, durationMs: number): Promise<LoadResult> {
  return await read(nats, getBalance.subject, { environment: 'test', accountId }, durationMs);
}

export async function readPage(
  nats: NatsConnection,
  accountId: string,
  cursor: string | undefined,
  durationMs: number,
): Promise<LoadResult> {
  const request = { environment: 'test', accountId, limit: pageEntries, ...(cursor ? { cursor } : {}) };
  return await read(nats, listEntries.subject, request, durationMs);
}

/** The cursor that leads to the page of that number, found as a client finds it: by turning pages. */
export async function cursorOfPage(nats: NatsConnection, accountId: string, page: number): Promise<string> {
  const limit = 200;
  const before = (page - 1) * pageEntries;
  let cursor: string | undefined;
  for (let seen = 0; seen < before; seen += limit) {
    const request = {
      environment: 'test',
      accountId,
      limit: Math.min(limit, before - seen),
      ...(cursor ? { cursor } : {}),
    };
    const reply = await nats.request(listEntries.subject, JSON.stringify(request), { timeout: timeoutMs });
    const { data } = pageSchema.parse(reply.json());
    cursor = data.entries.at(-1)?.id;
  }
  if (cursor === undefined) throw new Error(`there is no page ${page}`);
  return cursor;
}
