import { setTimeout as delay } from 'node:timers/promises';
import { deliveryResourceSchema, depositResourceSchema, entryResourceSchema } from '@gateway/public-api';
import type { BenchOptions } from '../benchmark.ts';
import type { Environment } from '../environment/environment.ts';
import { feeCents, readBalance, type Merchant, readList, registerWebhook } from '../environment/merchants.ts';
import type { LoadJob, LoadResult, Pace, Unit, LoadStep } from '../load/load.ts';
import { percentile } from '../load/percentile.ts';
import { untilQuiet } from '../machine/cpu.ts';
import type { Figures, Invariant, Report } from '../report/report.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const steadyPerSecond = 100;
const connectionsSteady = 32;
const deliveryDeadlineMs = 120_000;
const pollMs = 20;

export const payStep = { method: 'POST', path: '/v1/test/deposits/{id}/pay', expect: 200 } as const;

/** Charge, payment, credit and webhook: first as fast as it goes, then at a steady rate for the time it takes. */
export async function measureFullFlow(
  environment: Environment,
  merchant: Merchant,
  options: BenchOptions,
): Promise<Report> {
  await using receiver = await startWebhookReceiver();
  const webhookId = await registerWebhook(environment.stack, merchant, { url: receiver.url, events: ['deposit.paid'] });
  const flow = (name: string, pace: Pace) => runFlow(environment, merchant, receiver, { name, pace });
  const durationMs = options.seconds * 1_000;
  await flow('flow-warmup', {
    kind: 'closed',
    connections: options.connections,
    durationMs: options.warmupSeconds * 1_000,
  });
  const { connections } = options;
  const fast = await flow('flow-fast', { kind: 'closed', connections, durationMs });
  const steadyPace = { connections: connectionsSteady, ratePerSecond: steadyPerSecond, durationMs };
  const steady = await flow('flow-steady', { kind: 'open', ...steadyPace });
  options.progress(`full flow: ${Math.round(fast.figures.ratePerSecond)}/s at ${connections} connections`);
  return {
    figures: [
      { ...fast.figures, what: `charge → paid → webhook, ${connections} connections` },
      { ...steady.figures, what: `charge → paid → webhook, open loop ${steadyPerSecond}/s` },
    ],
    gates: [
      {
        what: `charge → paid → webhook at ${steadyPerSecond}/s, p50`,
        value: steady.figures.p50Ms,
        unit: 'ms',
        atMost: 25,
      },
    ],
    invariants: await flowHolds(environment, merchant, webhookId, receiver),
    notes: [
      'charge → paid → webhook: rate until the last webhook arrived; times from the charge’s request to its arrival',
    ],
  };
}

interface Flow {
  readonly figures: Omit<Figures, 'what'>;
}

async function runFlow(
  { stack, load }: Environment,
  { headers }: Merchant,
  receiver: WebhookReceiver,
  { name, pace }: Pick<LoadJob, 'name' | 'pace'>,
): Promise<Flow> {
  const steps = [creationStep, payStep];
  const result = await load.run({ name, origin: stack.baseUrl, steps, callers: [headers], pace, listUnits: true });
  await allArrived(result, receiver);
  await untilQuiet();
  return { figures: flowFigures(result.units, receiver) };
}

async function allArrived({ units }: LoadResult, { arrivedAtMs }: WebhookReceiver): Promise<void> {
  const deadline = performance.now() + deliveryDeadlineMs;
  while (performance.now() < deadline && units.some(({ id }) => !arrivedAtMs.has(id))) await delay(pollMs);
}

function flowFigures(units: readonly Unit[], { arrivedAtMs }: WebhookReceiver): Omit<Figures, 'what'> {
  const arrived = units.flatMap(({ id, startedAtMs }) => {
    const atMs = arrivedAtMs.get(id);
    return atMs === undefined ? [] : [{ startedAtMs, atMs }];
  });
  const firstMs = Math.min(...units.map(({ startedAtMs }) => startedAtMs));
  const lastMs = arrived.reduce((latest, { atMs }) => Math.max(latest, atMs), firstMs);
  const ascending = Float64Array.from(arrived, ({ startedAtMs, atMs }) => atMs - startedAtMs).sort();
  return {
    ratePerSecond: (arrived.length * 1_000) / (lastMs - firstMs),
    p50Ms: percentile(ascending, 0.5),
    p99Ms: percentile(ascending, 0.99),
  };
}

/** Everything that was charged was credited once and delivered once, by what the API itself shows. */
async function flowHolds(
  { stack }: Environment,
  merchant: Merchant,
  webhookId: string,
  receiver: WebhookReceiver,
): Promise<Invariant[]> {
  const charges = new Set<string>();
  for await (const { id } of readList(stack, merchant, '/v1/deposits', depositResourceSchema)) charges.add(id);
  const credits = new Set<string>();
  let entries = 0;
  for await (const entry of readList(stack, merchant, '/v1/transactions', entryResourceSchema)) {
    credits.add(entry.ref_id);
    entries += 1;
  }
  const delivered = new Set<string>();
  const log = `/v1/webhooks/${webhookId}/deliveries?status=DELIVERED`;
  for await (const delivery of readList(stack, merchant, log, deliveryResourceSchema)) delivered.add(delivery.data_id);
  const { brl } = await readBalance(stack, merchant);
  const owed = charges.size * (amountCents - feeCents);
  return [
    ratioIsOne('credits / charges', credits.size, charges.size),
    ratioIsOne('webhooks delivered / charges, by the delivery log', delivered.size, charges.size),
    ratioIsOne('webhooks received / charges, by the receiver', receiver.arrivedAtMs.size, charges.size),
    { what: 'one entry per credit', holds: entries === credits.size, found: `${entries} entries` },
    {
      what: 'available = what was paid, net',
      holds: brl.available_cents === owed,
      found: `${brl.available_cents} cents`,
    },
  ];
}

function ratioIsOne(what: string, some: number, all: number): Invariant {
  return { what, holds: some === all && all > 0, found: `${some} / ${all} = ${(some / all).toFixed(3)}` };
}

const amountCents = 1_500;

/** A charge with nothing but what is required. */
export const plainCreationStep: LoadStep = {
  method: 'POST',
  path: '/v1/deposits',
  body: '{"amount_cents":1000,"external_id":"{n}"}',
  expect: 201,
};

/** A charge as merchants send it: with its payer and a little metadata. */
export const creationStep: LoadStep = {
  method: 'POST',
  path: '/v1/deposits',
  body: JSON.stringify({
    amount_cents: amountCents,
    external_id: '{n}',
    payer: { name: 'Maria da Silva', email: 'maria@example.com', document: '52998224725' },
    metadata: { channel: 'app', campaign: 'november' },
  }),
  expect: 201,
};
