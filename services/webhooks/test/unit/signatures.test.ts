import { describe, expect, test } from 'vitest';
import { SecretBox } from '@gateway/runtime';
import {
  callbackSecretOwner,
  gatewaySignature,
  newSecret,
  secretsInForce,
  standardSignature,
} from '#src/endpoints/signing-secrets.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const timestamp = 1_614_265_330;

describe('X-Gateway-Signature', () => {
  test.each([
    ['{"test": 2432232314}', '2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964'],
    ['', 'efe43455f3b9613f149ea0bb700a7837d374d778e46ceed68c4c5e8ada127744'],
    ['{ "a" : 1 }\n', '70821292d6b5fcc14633f18347e5bea75a841fcef629c43acdca7e3458f4ace1'],
  ])('of %j is the published vector', (body, hex) => {
    expect(gatewaySignature(secret, timestamp, Buffer.from(body))).toBe(`sha256=${hex}`);
  });
});

describe('webhook-signature', () => {
  test('is the vector of Standard Webhooks', () => {
    const signature = standardSignature(
      secret,
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp,
      Buffer.from('{"test": 2432232314}'),
    );
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('a secret', () => {
  test('is new each time, and its rest is base64 of 32 bytes', () => {
    const first = newSecret();
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(first);
  });

  test('comes out of the box as it went in, also after the key was replaced', () => {
    const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const sealed = new SecretBox([old]).seal(secret, 'whk_1');
    expect(sealed).not.toContain(secret);
    expect(new SecretBox([current, old]).open(sealed, 'whk_1')).toBe(secret);
    expect(() => new SecretBox([current]).open(sealed, 'whk_1')).toThrow('is not configured');
  });

  test('does not open for another endpoint, nor when a bit was changed', () => {
    const box = new SecretBox([Buffer.alloc(32, 1)]);
    const sealed = box.seal(secret, 'whk_1');
    expect(() => box.open(sealed, 'whk_2')).toThrow();
    const [id = '', text = ''] = sealed.split('.');
    const changed = Buffer.from(text, 'base64url');
    changed[20]! ^= 1;
    expect(() => box.open(`${id}.${changed.toString('base64url')}`, 'whk_1')).toThrow();
  });
});

describe('the secrets that sign a delivery', () => {
  const box = new SecretBox([Buffer.alloc(32, 1)]);
  const sealed = { id: 'whk_1', sealedSecret: box.seal('old', 'whk_1') };
  const rotation = { ...sealed, nextSealedSecret: box.seal('next', 'whk_1'), nextSecretAt: new Date(1_000) };

  test('are one without a rotation', () => {
    for (const facts of [sealed, { ...rotation, nextSealedSecret: null }, { ...rotation, nextSecretAt: null }]) {
      expect(secretsInForce(facts, box, new Date(999))).toEqual({ secret: 'old', nextSecret: undefined });
    }
  });

  test('are both until the overlap of a rotation ends, and then the new one alone', () => {
    expect(secretsInForce(rotation, box, new Date(999))).toEqual({ secret: 'old', nextSecret: 'next' });
    expect(secretsInForce(rotation, box, new Date(1_000))).toEqual({ secret: 'next', nextSecret: undefined });
  });

  test('are none where the endpoint has none, which is an error and no unsigned delivery', () => {
    for (const sealedSecret of [null, undefined, '']) {
      expect(() => secretsInForce({ ...rotation, sealedSecret }, box, new Date(0))).toThrow('whk_1 has no secret');
    }
  });

  test('of an account’s callbacks are sealed for that account and environment', () => {
    expect(callbackSecretOwner({ environment: 'live', accountId: 'acc_1' })).toBe('callback live acc_1');
  });

  test('may lack their prefix: the key of webhook-signature is the decoded rest', () => {
    const body = Buffer.from('{}');
    const bare = standardSignature(secret.slice('whsec_'.length), 'm', timestamp, body);
    expect(bare).toBe(standardSignature(secret, 'm', timestamp, body));
    expect(gatewaySignature(secret.slice('whsec_'.length), timestamp, body)).not.toBe(
      gatewaySignature(secret, timestamp, body),
    );
  });
});
