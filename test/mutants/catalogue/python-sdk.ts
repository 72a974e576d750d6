import type { Mutant } from '../mutant.ts';

const test = 'test/python-sdk/unit-tests.test.ts';
const source = 'sdks/python/src/gateway_sdk';
const repetition = 'repeats a call by what is known of its outcome, synchronous and asynchronous alike';
const answers = 'reads answers, refusals and lists, and shows the secret key in nothing';
const webhooks = 'verifies webhooks as they are signed, and as Standard Webhooks does';
const receiver = 'handles each event of a webhook once, and again where a process ended within it';

export const pythonSdk: readonly Mutant[] = [
  {
    id: 'Y01',
    file: `${source}/_core/retry.py`,
    replaced: 'if "payout_id" in ids:',
    by: 'if "payout_id" in ids and status < 500:',
    test,
    named: repetition,
    guarantee: 'A payout whose outcome the gateway does not know is read, not sent again.',
  },
  {
    id: 'Y02',
    file: `${source}/_core/retry.py`,
    replaced: 'return repeat != "never"',
    by: 'return True',
    test,
    named: repetition,
    guarantee: 'A call of which a second one makes a second record is not repeated.',
  },
  {
    id: 'Y03',
    file: `${source}/_core/answer.py`,
    replaced: 'if not made.meta.created and not (options or {}).get("allow_reused", False):',
    by: 'if (options or {}).get("allow_reused") is False:',
    test,
    named: repetition,
    guarantee: 'The record of another payment is not taken for the one asked for.',
  },
  {
    id: 'Y04',
    file: `${source}/_sync/send.py`,
    replaced: 'message = redacted(shown, self._settings.credentials.secrets())',
    by: 'message = shown',
    test,
    named: answers,
    guarantee: 'No error shows the secret key.',
  },
  {
    id: 'Y05',
    file: `${source}/_core/signatures.py`,
    replaced: 'if age > tolerance:',
    by: 'if age > tolerance * 2:',
    test,
    named: webhooks,
    guarantee: 'A delivery that was recorded is not taken again later.',
  },
  {
    id: 'Y06',
    file: `${source}/_core/signatures.py`,
    replaced: 'if isinstance(signed_id, str) else',
    by: 'if "webhook-id" not in headers else',
    test,
    named: webhooks,
    guarantee: 'Events are de-duplicated by what is signed.',
  },
  {
    id: 'Y07',
    file: `${source}/_sync/receiver.py`,
    replaced: 'self.seen.release(event_id, *token)',
    by: 'self.seen.release(event_id)',
    test,
    named: receiver,
    guarantee: 'A delivery ends its own claim of an event.',
  },
  {
    id: 'Y08',
    file: `${source}/_core/clock_async.py`,
    replaced: 'await asyncio.shield(task)',
    by: 'await task',
    test,
    named: receiver,
    guarantee: 'A request that is cancelled keeps no event from being handled.',
  },
  {
    id: 'Y09',
    file: `${source}/_async/receiver.py`,
    replaced: 'await taken(self._claim, self._release, event_id)',
    by: 'await self._claim(event_id)',
    test,
    named: receiver,
    guarantee: 'A request that is cancelled within its claim keeps no event.',
  },
  {
    id: 'Y10',
    file: `${source}/_core/signatures.py`,
    replaced: 'known.get("x-gateway-timestamp" if own else "webhook-timestamp")',
    by: 'known.get("x-gateway-timestamp", known.get("webhook-timestamp"))',
    test,
    named: webhooks,
    guarantee: 'A delivery that was recorded is not taken again later, whatever its headers are changed to.',
  },
  {
    id: 'Y11',
    file: `${source}/_core/reused.py`,
    replaced: '    ("quote_id", "quote_id"),\n',
    by: '',
    test,
    named: repetition,
    guarantee: 'The conversion by another quote is not taken for the one asked for.',
  },
];
