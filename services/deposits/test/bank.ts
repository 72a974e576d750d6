import type { FeedPage, FeedQuery, StoredNotification } from '@gateway/contracts/providers';
import { newId } from '@gateway/money';
import type {
  Asked,
  ChargeReceipt,
  DisputeFact,
  Feed,
  FeedItem,
  FeedName,
  NotificationGrade,
  PaymentProvider,
  ProviderEvent,
} from '@gateway/providers';
import { asked, graded, notificationResult } from '@gateway/providers/testing';
import { metricsText } from '@gateway/runtime';

/** An event of a list: when it happened, and from when on the list has it. */
interface Listed {
  readonly event: ProviderEvent;
  readonly at: Date;
  readonly isUnreadable?: boolean;
}

type PaidEvent = Extract<ProviderEvent, { type: 'charge.paid' }>;

/**
 * A provider as a test arranges it: what it holds is what it answers when it is asked, whatever its lists and notifications report.
 * Notifications are the events themselves, of the grade the test sets.
 */
export class Bank {
  readonly id: string;
  readonly receipts = new Map<string, Asked<ChargeReceipt>[]>();
  readonly disputes = new Map<string, Asked<DisputeFact>[]>();
  readonly lists: Record<'payments' | 'returns' | 'disputes', Listed[]> = { payments: [], returns: [], disputes: [] };
  readonly questions: string[] = [];
  isAway = false;
  instead: (name: FeedName, query: FeedQuery) => FeedPage | null = () => null;

  constructor(id = 'wired') {
    this.id = id;
  }

  /** What stands in the way of the sandbox's own answers. */
  wired(grade: NotificationGrade, rest: Partial<PaymentProvider> = {}): Partial<PaymentProvider> {
    return {
      id: this.id,
      verifyAndParseNotification: async ({ rawBody }) => {
        const events = JSON.parse(Buffer.from(rawBody).toString()) as (ProviderEvent & { at: string })[];
        return notificationResult(
          grade,
          events.map((event) => ({ ...event, at: new Date(event.at) })),
        );
      },
      getCharge: async ({ ref }) => {
        this.questions.push(`charge ${ref}`);
        if (this.isAway) return { status: 'UNAVAILABLE', cause: 'timeout' };
        const [first, ...others] = this.receipts.get(ref) ?? [];
        return first ? { status: 'PAID', receipts: [first, ...others] } : { status: 'OPEN' };
      },
      getDisputes: async ({ e2eId }) => {
        this.questions.push(`disputes ${e2eId}`);
        if (this.isAway) return { status: 'UNAVAILABLE', cause: 'timeout' };
        const disputes = this.disputes.get(e2eId);
        return disputes ? { status: 'FOUND', disputes } : { status: 'NOT_FOUND' };
      },
      feeds: (['payments', 'returns', 'disputes'] as const).map((name) => this.#feed(name)),
      ...rest,
    };
  }

  /** The money has arrived there. */
  receives({ ref, e2eId, money, at }: PaidEvent, payer?: ChargeReceipt['payer']): void {
    const receipt = asked<ChargeReceipt>({ e2eId, money, paidAt: at, ...(payer ? { payer } : {}) });
    this.receipts.set(ref, [...(this.receipts.get(ref) ?? []), receipt]);
  }

  /** It answers so about the payment's disputes from now on. */
  decides(...facts: readonly DisputeFact[]): void {
    for (const { e2eId } of facts) this.disputes.set(e2eId, facts.filter((fact) => fact.e2eId === e2eId).map(asked));
  }

  #feed(name: 'payments' | 'returns' | 'disputes'): Feed {
    return {
      name,
      windowBy: 'creation',
      rereadAfterHours: name === 'returns' ? [1, 7, 30, 91].map((days) => days * 24) : [1, 24],
      readPage: async (query): Promise<FeedPage> => {
        this.questions.push(`list ${name}`);
        if (this.isAway) return { kind: 'unavailable', cause: '401' };
        const instead = this.instead(name, query);
        if (instead) return instead;
        const items = this.lists[name].filter(({ at }) => at >= query.from && at < query.to);
        return { kind: 'page', rows: items.map((raw) => ({ key: raw.event.dedupeKey, raw })), next: null };
      },
      read: ({ raw }): FeedItem => {
        const item = raw as Listed;
        if (item.isUnreadable) return { kind: 'unreadable', shape: 'an object with a status nobody described' };
        if (item.event.type === 'ignored') return { kind: 'pointer', events: [] };
        const event = { ...item.event, at: new Date(item.event.at) };
        return { kind: 'pointer', events: [graded('hint', event)] };
      },
    };
  }
}

export function notificationOf(events: readonly ProviderEvent[], provider = 'wired'): { data: StoredNotification } {
  const rawBody = Buffer.from(JSON.stringify(events)).toString('base64');
  const facts = { receivedAt: 1, headers: {}, query: {}, pathSuffix: '', remoteIp: '192.0.2.1' };
  return { data: { id: newId('event'), provider, rawBody, ...facts } };
}

let payments = 0;
export function paid(ref: string, at: Date, amount = 10_000): PaidEvent {
  const e2eId = `E12345678202603040507${String(++payments).padStart(12, '0')}`;
  return { type: 'charge.paid', dedupeKey: e2eId, at, raw: null, ref, e2eId, money: { currency: 'BRL', amount } };
}

export function disputed(
  e2eId: string,
  type: DisputeFact['type'],
  at: Date,
  amount: number | null = 10_000,
): DisputeFact {
  const money = amount === null ? {} : { money: { currency: 'BRL', amount } as const };
  const disputeRef = `d-${e2eId}`;
  return { type, dedupeKey: `${type}:${e2eId}:${at.getTime()}`, at, raw: null, disputeRef, e2eId, ...money };
}

/** Events of notifications that are counted for alerts, whatever became of them. */
export async function countedOf({ id }: Bank, grade: NotificationGrade): Promise<number> {
  const name = `gateway_provider_events_total{provider="${id}",grade="${grade}"`;
  const lines = (await metricsText()).text.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
