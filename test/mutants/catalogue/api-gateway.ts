import type { Mutant } from '../mutant.ts';

export const apiGateway: readonly Mutant[] = [
  {
    id: 'G06',
    file: 'services/api-gateway/src/limits/spending-exchange.ts',
    replaced: '!spending || spending.gateway === this.#gateway',
    by: '!spending',
    test: 'services/api-gateway/test/accounts/rate-limit.test.ts',
    named: 'what a key has spent at a gateway is deducted there once',
    guarantee: 'What a gateway let pass is deducted from its own limit once.',
  },
];
