import { expect, test, vi } from 'vitest';
import { consoleFetch } from '#src/session/console-fetch.ts';

const url = 'http://localhost:9080/ops/approvals/apr_1/approve';
const approve = { method: 'POST', body: '{"reason":"seen"}', headers: { 'content-type': 'application/json' } };
const asked = { code: 'STEP_UP_REQUIRED', step_up_id: 'stp_1', step_up_passkey: '{"challenge":"c"}' };

function server(...answers: readonly Response[]) {
  const waiting = [...answers];
  const seen: { readonly headers: Headers; readonly body: string }[] = [];
  const send = async (input: RequestInfo | URL): Promise<Response> => {
    const request = input as Request;
    seen.push({ headers: request.headers, body: await request.text() });
    return waiting.shift() ?? new Response('', { status: 500 });
  };
  return { send, seen };
}

const refusal = (status: number, error: object) => Response.json({ error }, { status });

test('a refusal that asks for a confirmation is sent once more as it was, with the confirmation', async () => {
  const { send, seen } = server(refusal(403, asked), Response.json({ ok: 1 }));
  const confirm = vi.fn(async () => 'confirmed');
  const answer = await consoleFetch(send, { confirm, ended: vi.fn() })(url, approve);
  expect(await answer.json()).toEqual({ ok: 1 });
  expect(confirm).toHaveBeenCalledExactlyOnceWith({ id: 'stp_1', passkey: { challenge: 'c' }, password: false });
  expect(seen.map(({ body }) => body)).toEqual([approve.body, approve.body]);
  expect(seen.map(({ headers }) => headers.get('x-step-up'))).toEqual([null, 'confirmed']);
  expect(seen.map(({ headers }) => headers.get('x-console'))).toEqual(['1', '1']);
});

test('a person without a passkey is asked for password and code', async () => {
  const confirm = vi.fn(async () => undefined);
  const { send } = server(refusal(403, { code: 'STEP_UP_REQUIRED', step_up_id: 'stp_2', step_up_password: 'true' }));
  await consoleFetch(send, { confirm, ended: vi.fn() })(url, approve);
  expect(confirm).toHaveBeenCalledExactlyOnceWith({ id: 'stp_2', passkey: undefined, password: true });
});

test('nothing is sent again when the person leaves the confirmation, or when it is refused', async () => {
  const left = server(refusal(403, asked));
  const answer = await consoleFetch(left.send, { confirm: async () => undefined, ended: vi.fn() })(url, approve);
  expect(await answer.json()).toMatchObject({ error: { code: 'STEP_UP_REQUIRED' } });
  expect(left.seen).toHaveLength(1);
  const refused = server(refusal(403, asked), refusal(403, asked));
  await consoleFetch(refused.send, { confirm: async () => 'wrong', ended: vi.fn() })(url, approve);
  expect(refused.seen).toHaveLength(2);
});

test('a change without a body is an empty object of JSON, and a read has no body', async () => {
  const { send, seen } = server(Response.json({}), Response.json({}));
  const asking = consoleFetch(send, { confirm: async () => undefined, ended: vi.fn() });
  await asking(url, { method: 'POST' });
  await asking(url);
  expect(seen.map(({ body }) => body)).toEqual(['{}', '']);
  expect(seen.map(({ headers }) => headers.get('content-type'))).toEqual(['application/json', null]);
});

test('a file is sent as it is, with the boundary of its form, and once more after a confirmation', async () => {
  const { send, seen } = server(refusal(403, asked), Response.json({ ok: 1 }));
  const body = new FormData();
  body.append('file', new Blob(['%PDF-1.7']), 'receipt.pdf');
  await consoleFetch(send, { confirm: async () => 'confirmed', ended: vi.fn() })(url, { method: 'POST', body });
  const [first, second] = seen;
  expect(first?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
  expect(first?.body).toContain('filename="receipt.pdf"');
  expect(second?.body).toBe(first?.body);
  expect(second?.headers.get('x-step-up')).toBe('confirmed');
});

test('the end of the session is noticed, and the answer still reaches the caller', async () => {
  const ended = vi.fn();
  const { send } = server(refusal(401, { code: 'SESSION_ENDED' }), refusal(403, { code: 'PERMISSION_DENIED' }));
  const asking = consoleFetch(send, { confirm: async () => undefined, ended });
  expect((await asking(url, approve)).status).toBe(401);
  expect(ended).toHaveBeenCalledTimes(1);
  expect((await asking(url, approve)).status).toBe(403);
  expect(ended).toHaveBeenCalledTimes(1);
});
