import { expect } from 'vitest';
import type { Answer, Json } from '../../support/merchant-client.ts';
import type { Provider, Scene } from './scene.ts';

/** Something that a provider has done, or claims to have done, with a record. */
export interface Fact {
  readonly name: string;
  /** Makes the record that it happens to. */
  prepare(scene: Scene): Promise<FactAtHand>;
}

export interface FactAtHand {
  /** It happens at the provider, which notifies of it. */
  happen(): Promise<unknown>;
  /** What has to hold in the end, of the record and of its money. */
  holds(): Promise<void>;
}

const paid = (provider: Provider): Fact => ({
  name: `a payment at ${provider} is credited once`,
  prepare: async (scene) => {
    const { id, reference } = await scene.charge(provider);
    return {
      happen: () => scene.control(`/charges/${reference}/pay`),
      holds: async () => {
        expect(await scene.read(`/v1/deposits/${id}`)).toMatchObject({ status: 'PAID' });
        expect(await scene.entriesOf(id)).toEqual(['DEPOSIT_NET 10000']);
        expect(deliveriesOf(scene, 'deposit.paid', id)).toHaveLength(1);
      },
    };
  },
});

/** Sent back by the receiving bank, 89 days after the payment. */
const returned = (provider: 'efi' | 'spei', parts: readonly number[]): Fact => ({
  name: `a payout of ${provider} that comes back after 89 days is credited, each of its parts once: ${parts.join(', ')}`,
  prepare: async (scene) => {
    const { id, reference } = await scene.payout(provider);
    await scene.control(`/transfers/${reference}/age`, { days: 89 });
    return {
      happen: async () => {
        for (const amount_cents of parts) await scene.control(`/transfers/${reference}/return`, { amount_cents });
      },
      holds: async () => {
        const returns = parts.map((part) => `PAYOUT_RETURN ${part}`);
        expect(await scene.entriesOf(id)).toEqual(['PAYOUT -5000', ...returns].sort());
        expect(deliveriesOf(scene, 'payout.returned', id)).toHaveLength(parts.length);
      },
    };
  },
});

const ended = (result: 'paid' | 'failed'): Fact => ({
  name: `a payout that its provider reports as ${result} ends so, and its money moves once`,
  prepare: async (scene) => {
    const { id, reference } = await scene.payout('efi', { pix_key: 'hold@simulator.test' });
    return {
      happen: () => scene.control(`/transfers/${reference}/settle`, { result }),
      holds: async () => {
        const status = result === 'paid' ? 'PAID' : 'FAILED';
        expect(await scene.read(`/v1/payouts/${id}`)).toMatchObject({ payout: { status } });
        const reversal = result === 'paid' ? [] : ['PAYOUT_REVERSAL 5000'];
        expect(await scene.entriesOf(id)).toEqual(['PAYOUT -5000', ...reversal]);
        expect(deliveriesOf(scene, `payout.${result}`, id)).toHaveLength(1);
      },
    };
  },
});

async function disputeOf(scene: Scene, depositId: string): Promise<Json> {
  const { data } = await scene.read(`/v1/disputes?deposit_id=${depositId}`);
  expect(data).toHaveLength(1);
  return data[0];
}

const takenBack: Fact = {
  name: 'a payment of a day before that is taken back under MED is lost, whole and once',
  prepare: async (scene) => {
    const { id, e2eId } = await scene.paidCharge('bacen');
    await scene.control(`/payments/${e2eId}/age`, { days: 1 });
    return {
      happen: async () => {
        const { id: dispute } = await scene.control(`/payments/${e2eId}/dispute`);
        await scene.control(`/disputes/${dispute}/resolve`, { result: 'ACCEPTED' });
        await scene.control('/lies', { about: 'dispute', reference: e2eId, signing: 'ours' });
      },
      holds: async () => {
        const dispute = await disputeOf(scene, id);
        expect(dispute).toMatchObject({ status: 'LOST', returned_cents: 10_000, blocked_cents: 0 });
        expect(await scene.entriesOf(dispute.id)).toEqual(['MED_BLOCK -10000']);
        expect(await scene.read(`/v1/deposits/${id}`)).toMatchObject({ status: 'REFUNDED' });
      },
    };
  },
};

const reversedTwice: Fact = {
  name: 'a dispute that is lost, won and lost again while the ledger does not answer is lost, and its money taken once',
  prepare: async (scene) => {
    const { id, e2eId } = await scene.paidCharge('woovi');
    return {
      happen: async () => {
        const { id: dispute } = await scene.control(`/payments/${e2eId}/dispute`, { amount_cents: 4_000 });
        for (const result of ['ACCEPTED', 'REJECTED', 'ACCEPTED']) {
          await scene.control(`/disputes/${dispute}/resolve`, { result });
        }
      },
      holds: async () => {
        const dispute = await disputeOf(scene, id);
        expect(dispute).toMatchObject({ status: 'LOST', returned_cents: 4_000, blocked_cents: 0 });
        const entries = (await scene.entriesOf(dispute.id)).map((entry) => Number(entry.split(' ')[1]));
        expect(entries.reduce((sum, amount) => sum + amount, 0)).toBe(-4_000);
      },
    };
  },
};

const opened: Fact = {
  name: 'a dispute that is opened blocks its amount, however often it is told',
  prepare: async (scene) => {
    const { id, e2eId } = await scene.paidCharge('woovi');
    return {
      happen: async () => {
        await scene.control(`/payments/${e2eId}/dispute`, { amount_cents: 2_500 });
        await scene.control('/lies', {
          ...{ about: 'dispute', reference: e2eId, status: 'OPEN', amount_cents: 2_500, copies: 3 },
        });
      },
      holds: async () => {
        const dispute = await disputeOf(scene, id);
        expect(dispute).toMatchObject({ status: 'OPEN', blocked_cents: 2_500 });
        expect(await scene.entriesOf(dispute.id)).toEqual(['MED_BLOCK -2500']);
      },
    };
  },
};

const secondPayment: Fact = {
  name: 'a second payment of one charge is sent back, and credited nothing',
  prepare: async (scene) => {
    const { id, reference } = await scene.paidCharge('efi');
    return {
      happen: () => scene.control(`/charges/${reference}/pay`),
      holds: async () => {
        const { data } = await scene.operator.call('GET', `/ops/orphan-receipts?deposit_id=${id}`);
        expect(data).toMatchObject([{ state: 'RETURNED', cause: 'second_payment', amount_cents: 10_000 }]);
        expect(await scene.entriesOf(id)).toEqual(['DEPOSIT_NET 10000']);
      },
    };
  },
};

/** Calls that money leaves by: the merchant repeats them until they are answered. */
const refunded: Fact = {
  name: 'a refund that is asked for is debited and sent once',
  prepare: async (scene) => {
    const { id } = await scene.paidCharge('efi');
    const wanted = { amount_cents: 3_000, external_id: `refund of ${id}` };
    let answered: Promise<Answer>;
    return {
      happen: async () => void (answered = scene.merchant.clients.live.post(`/v1/deposits/${id}/refunds`, wanted)),
      holds: async () => {
        const { refund } = (await answered).body;
        expect((await scene.read(`/v1/deposits/${id}/refunds`)).data).toMatchObject([
          { id: refund.id, status: 'DONE' },
        ]);
        expect(await scene.entriesOf(refund.id)).toEqual(['DEPOSIT_REFUND -3000']);
      },
    };
  },
};

const paidOut: Fact = {
  name: 'a payout that is asked for is transferred once where it was debited, and not where it was not',
  prepare: async (scene) => {
    let answered: Promise<{ id: string; reference: string }>;
    return {
      happen: async () => void (answered = scene.askForPayout('efi')),
      holds: async () => {
        const { id, reference } = await answered;
        const sums = (await scene.entriesOf(id)).map((entry) => Number(entry.split(' ')[1]));
        const times = (await scene.merchant.bank.transfers()).get(reference) ?? 0;
        expect([sums.reduce((sum, amount) => sum + amount, 0), times]).toEqual([-5_000, 1]);
      },
    };
  },
};

const forged = (provider: 'efi' | 'woovi'): Fact => ({
  name: `what ${provider} never did moves nothing, however it is signed`,
  prepare: async (scene) => {
    const [open, { id, e2eId }, payout] = [
      await scene.charge(provider),
      await scene.paidCharge(provider),
      await scene.payout('efi'),
    ];
    const signing = provider === 'woovi' ? 'platform' : 'ours';
    return {
      happen: async () => {
        await scene.control('/lies', { about: 'payment', reference: open.reference, signing });
        await scene.control('/lies', { about: 'dispute', reference: e2eId, signing });
        await scene.control('/lies', { about: 'transfer', reference: payout.reference, result: 'failed' });
        await scene.control('/lies', { about: 'return', reference: payout.reference, amount_cents: 900 });
      },
      holds: async () => {
        expect(await scene.read(`/v1/deposits/${open.id}`)).toMatchObject({ status: 'PENDING' });
        expect((await scene.read(`/v1/disputes?deposit_id=${id}`)).data).toEqual([]);
        expect(await scene.entriesOf(payout.id)).toEqual(['PAYOUT -5000']);
        expect(await scene.read(`/v1/payouts/${payout.id}`)).toMatchObject({ payout: { status: 'PAID' } });
      },
    };
  },
});

/** Webhooks of one event for one record, each delivery counted once. */
function deliveriesOf(scene: Scene, event: string, id: string): string[] {
  const ids = scene.stage.receiver.of(event, id).map(({ body }) => String(body.id));
  return [...new Set(ids)];
}

export const facts: readonly Fact[] = [
  ...(['bacen', 'efi', 'woovi', 'spei'] as const).map(paid),
  returned('efi', [2_000, 3_000]),
  returned('spei', [5_000]),
  ended('paid'),
  ended('failed'),
  takenBack,
  opened,
  reversedTwice,
  secondPayment,
  refunded,
  paidOut,
  forged('efi'),
  forged('woovi'),
];
