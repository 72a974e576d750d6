import { answerParent } from '../load/child.ts';
import { callInLoop } from '../load/closed-loop.ts';
import type { LoadResult } from '../load/load.ts';
import type { CallingJob } from './calling.ts';

interface Deposit {
  readonly id: string;
}

/** What of the package is used. */
interface Sdk {
  readonly Gateway: new (options: object) => { readonly deposits: { create(params: object): PromiseLike<Deposit> } };
}

const keys = { publicKey: 'pk_test_benchmark', secretKey: 'sk_test_benchmark' };

answerParent(call);

async function call({ by, module, origin, ...pace }: CallingJob): Promise<LoadResult> {
  const create = by === 'sdk' ? await creationBySdk(module, origin) : creationByFetch(origin);
  let count = 0;
  return await callInLoop(async () => {
    try {
      const { id } = await create({
        amount_cents: 1_500,
        external_id: `order-${count++}`,
        metadata: { channel: 'app' },
      });
      return id.startsWith('dep_') ? undefined : 'another answer';
    } catch (error) {
      return (error as Error).name;
    }
  }, pace);
}

async function creationBySdk(module: string, baseUrl: string): Promise<(params: object) => PromiseLike<Deposit>> {
  const { Gateway } = (await import(module)) as Sdk;
  const gateway = new Gateway({ ...keys, baseUrl, maxRetries: 0 });
  return (params) => gateway.deposits.create(params);
}

/** The same call as a program makes it that has no client. */
function creationByFetch(origin: string): (params: object) => PromiseLike<Deposit> {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': keys.publicKey,
    'x-api-secret': keys.secretKey,
    'x-api-version': '0.1',
  };
  return async (params) => {
    const response = await fetch(`${origin}/v1/deposits`, { method: 'POST', headers, body: JSON.stringify(params) });
    return (await response.json()) as Deposit;
  };
}
