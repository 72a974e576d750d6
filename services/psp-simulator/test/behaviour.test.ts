import { afterAll, beforeAll, describe } from 'vitest';
import { describePaymentProvider, type ProviderUnderTest } from '@gateway/providers/testing';
import { magicKeys } from '#src/faults/magic.ts';
import { magicClabes } from '#src/fintoc/bank.ts';
import { WireBench, type ProviderId } from './wire-bench.ts';

const clabe = (value: string) => ({ type: 'clabe', value }) as const;
const email = (value: string) => ({ type: 'email', value }) as const;

describe('on the wire', () => {
  let bench: WireBench;
  beforeAll(async () => {
    bench = await WireBench.start();
  });
  afterAll(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const setup = (id: ProviderId) => async (): Promise<ProviderUnderTest> => ({
    currency: 'BRL',
    provider: bench.provider(id),
    destinations: {
      paid: { type: 'cpf', value: '12345678909' },
      refused: { destination: email(magicKeys.refuse), code: 'key_not_found' },
      failed: { destination: email(magicKeys.fail), code: 'invalid_account' },
      unanswered: email(magicKeys.timeout),
      foreign: email(magicKeys.owner),
    },
    now: bench.now,
    passTime: (ms) => bench.passTime(ms),
    pay: (charge) => bench.pay(charge),
    others: {
      returnPayout: async ({ ref }, amount) =>
        void (await bench.control('POST', `/transfers/${ref}/return`, { amount_cents: amount })),
      contest: async (e2eId) => String((await bench.control('POST', `/payments/${e2eId}/dispute`))['id']),
      accept: async (claim) => void (await bench.control('POST', `/disputes/${claim}/resolve`, { result: 'ACCEPTED' })),
    },
    [Symbol.asyncDispose]: async () => {},
  });

  const setupSpei = async (): Promise<ProviderUnderTest> => ({
    ...(await setup('spei')()),
    currency: 'MXN',
    returnsWhole: true,
    destinations: {
      paid: clabe('032180000118359719'),
      refused: { destination: clabe(magicClabes.refuse), code: 'invalid_account' },
      failed: { destination: clabe(magicClabes.fail), code: 'invalid_account' },
      unanswered: clabe(magicClabes.timeout),
      foreign: clabe(magicClabes.owner),
    },
  });

  describePaymentProvider('bacen', setup('bacen'), { payouts: false });
  describePaymentProvider('efi', setup('efi'));
  describePaymentProvider('spei', setupSpei);
  describePaymentProvider('woovi', setup('woovi'));
});
