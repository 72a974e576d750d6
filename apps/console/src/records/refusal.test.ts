import { expect, test } from 'vitest';
import { bodyOf, type Refusal } from '#src/records/refusal.ts';

const refused = async (answer: Parameters<typeof bodyOf>[0]) =>
  await bodyOf(answer).then(
    () => undefined,
    (error: unknown) => error as Refusal,
  );

test('the body of a success is answered', async () => {
  expect(await bodyOf(Promise.resolve({ data: { id: 1 }, response: new Response() }))).toEqual({ id: 1 });
});

test('a refusal has its code, its request id and its faults by field', async () => {
  const error = {
    error: {
      code: 'VALIDATION_ERROR',
      message: 'the request is not valid',
      request_id: 'req_1',
      details: [{ path: 'evidence', message: 'must have 1 to 2000 characters' }],
    },
  };
  const refusal = await refused(Promise.resolve({ error, response: new Response('', { status: 400 }) }));
  expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, requestId: 'req_1', isUnknown: false });
  expect(refusal?.faults).toEqual({ evidence: 'must have 1 to 2000 characters' });
});

test('without an answer, or with one that came too late, it is not known whether it was done', async () => {
  expect(await refused(Promise.reject(new TypeError('failed to fetch')))).toMatchObject({ isUnknown: true });
  const late = { error: '<html>', response: new Response('', { status: 504 }) };
  expect(await refused(Promise.resolve(late))).toMatchObject({ code: 'NO_ANSWER', isUnknown: true });
  const away = { error: undefined, response: new Response('', { status: 503 }) };
  expect(await refused(Promise.resolve(away))).toMatchObject({ isUnknown: false });
});
