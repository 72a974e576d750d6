import { expect, test } from 'vitest';
import { Gateway } from '@gateway/sdk';
import { deliveryErrorTable } from '#src/generated/errors.ts';
import { explainDelivery } from '#src/tools/explain-delivery.ts';

/** A call that came to no connection: none of its steps has a time. */
const call = { number: 1, dns_ms: null, connect_ms: null, first_byte_ms: null, response_status: null };

/** What the tool says of a delivery, which the gateway answers with these members. */
async function causeOf(members: object): Promise<string> {
  const delivery = {
    id: 'dlv_1',
    status: 'FAILED',
    error: null,
    response_status: null,
    attempt_log: [call],
    ...members,
  };
  const gateway = new Gateway({
    ...{ baseUrl: 'https://gateway.example', publicKey: 'pk_test_shop', secretKey: 'sk_test_x' },
    fetch: async () => Response.json(delivery),
  });
  const answer = await explainDelivery.run({ gateway, pages: async () => [] }, { id: 'dlv_1' });
  return (answer as { readonly ownWords: { readonly likely_cause: string } }).ownWords.likely_cause;
}

test('a delivery is explained by the word that the gateway has for its failure, each by its own', async () => {
  const causes = await Promise.all(deliveryErrorTable.map(({ error }) => causeOf({ error })));
  expect(causes).toEqual(deliveryErrorTable.map(({ meaning, action }) => `${meaning} ${action}`));
  expect(await causeOf({ error: 'refused' })).toMatch(/^Nothing listens at the address and port\./);
  expect(await causeOf({ error: 'tls_expired' })).toContain('certificate has expired');
});

test.each([
  [{ status: 'DELIVERED', response_status: 200 }, 'It was delivered'],
  [{ status: 'PENDING', attempt_log: [] }, 'No attempt was made yet.'],
  [{ error: 'http_4xx', response_status: 401 }, 'another secret'],
  [{ error: 'http_4xx', response_status: 404 }, 'no such route'],
  [{ error: 'http_4xx', response_status: 422 }, 'The receiver refused the event.'],
  [{ error: 'newer_than_this_package' }, 'no reason that is known here'],
])('a delivery of which %j is known is explained by it', async (members, cause) => {
  expect(await causeOf(members)).toContain(cause);
});
