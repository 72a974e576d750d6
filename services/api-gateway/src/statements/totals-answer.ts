import type { Environment } from '@gateway/contracts/values';
import { getTotals } from '@gateway/contracts/webhooks';
import { type Askable, callRpc } from '@gateway/messaging';
import { presentTotals, type TotalsQuery } from '@gateway/public-api';
import type { Answer } from '#src/http/endpoint.ts';
import { boundsOf } from '#src/statements/totals-period.ts';

interface TotalsOwner {
  readonly environment: Environment;
  /** Of all accounts together without it. */
  readonly accountId?: string | undefined;
  readonly byProvider?: boolean | undefined;
}

/** The totals of an account. @throws ValidationError naming `from` for a period that is too long, or none */
export async function answerTotals(bus: Askable, owner: TotalsOwner, query: TotalsQuery, now: Date): Promise<Answer> {
  return { status: 200, body: presentTotals(await askTotals(bus, owner, query, now)) };
}

/** The totals of an account, or of all. @throws ValidationError as `answerTotals` */
export async function askTotals(bus: Askable, owner: TotalsOwner, query: TotalsQuery, now: Date) {
  const { by, zone, currency, event: events } = query;
  return await callRpc(bus, getTotals, { ...owner, ...boundsOf(query, now), by, zone, currency, events });
}
