import type { Benchmark } from '../benchmark.ts';
import { answersHold, closedLoop, costsOf, figuresOf, machineNotes, measureInTurns } from '../compare.ts';
import { creationStep as depositStep } from '../deposits/full-flow.ts';
import { startEnvironment } from '../environment/environment.ts';
import { createMerchants, fundMerchants } from '../environment/merchants.ts';
import type { LoadStep } from '../load/load.ts';
import { creationStep as payoutStep, fundsCents } from '../payouts/payouts-hold.ts';

const body = JSON.stringify({ amount_cents: 1_500, external_id: '{n}', metadata: { channel: 'app' } });
const floor = (path: string): LoadStep => ({ method: 'POST', path: `/floor/${path}`, body, expect: 200 });

/**
 * What this machine asks for the least that an operation needs, and the distance of ours to it. A creation needs one
 * exchange over HTTP and one commit; a delivery one exchange and one signature.
 */
export const floorsBenchmark: Benchmark = {
  name: 'floors',
  measures: 'creations of deposits and payouts beside the least they need: one HTTP exchange with one commit',
  run: async (options) => {
    await using environment = await startEnvironment(options);
    const { stack, baseline } = environment;
    await baseline.query('create table floor (id bigint generated always as identity primary key)');
    const merchants = await createMerchants(stack, 1);
    await fundMerchants(stack, merchants, fundsCents);
    const [{ headers } = { headers: {} }] = merchants;
    const { connections } = options;
    const bare = { origin: baseline.origin, caller: {}, connections };
    const product = { origin: stack.baseUrl, caller: headers, connections };
    const measurements = await measureInTurns(
      'floor',
      [
        closedLoop(environment, 'one HTTP exchange', { ...bare, step: floor('exchange') }),
        closedLoop(environment, 'one HTTP exchange, one signature', { ...bare, step: floor('signature') }),
        closedLoop(environment, 'one HTTP exchange, one commit', { ...bare, step: floor('commit') }),
        { ...closedLoop(environment, 'POST /v1/deposits', { ...product, step: depositStep }), against: 2 },
        { ...closedLoop(environment, 'POST /v1/payouts', { ...product, step: payoutStep }), against: 2 },
      ],
      options,
    );
    return {
      figures: figuresOf(measurements),
      costs: costsOf(measurements),
      gates: [],
      invariants: answersHold(measurements),
      notes: machineNotes(measurements),
    };
  },
};
