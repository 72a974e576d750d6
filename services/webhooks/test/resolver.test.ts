import { describe, expect, test } from 'vitest';
import { newSecret } from '#src/endpoints/signing-secrets.ts';
import { AddressPolicy } from '#src/http/address-policy.ts';
import { checkTarget } from '#src/http/target.ts';
import { GuardedResolver } from '#src/http/guarded-resolver.ts';
import { Sender } from '#src/http/sender.ts';
import { RawServer } from './support/faulty-receivers.ts';
import { NameServer, type Zone } from './support/name-server.ts';
import { Receiver } from './support/receiver.ts';

const policy = new AddressPolicy({ allowInsecure: false, forbiddenRanges: [] });

async function resolverFor(zone: Zone, ttlSec = 0) {
  const server = await NameServer.start(zone, ttlSec);
  let nowMs = 0;
  const resolver = new GuardedResolver({
    policy,
    allowInsecure: false,
    servers: [server.address],
    nowMs: () => nowMs,
  });
  return {
    resolver,
    server,
    pass: (ms: number) => (nowMs += ms),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('a name', () => {
  test('resolves to its addresses', async () => {
    await using dns = await resolverFor(() => ['93.184.216.34', '8.8.8.8']);
    expect(await dns.resolver.resolve('shop.example')).toEqual(['93.184.216.34', '8.8.8.8']);
  });

  test('with one forbidden address among public ones is refused', async () => {
    await using dns = await resolverFor(() => ['93.184.216.34', '169.254.169.254']);
    await expect(dns.resolver.resolve('mixed.example')).rejects.toMatchObject({ failure: 'ssrf_blocked' });
  });

  test('that points inside the second time is refused the second time', async () => {
    await using dns = await resolverFor((_name, asked) => [asked === 1 ? '93.184.216.34' : '10.0.0.1']);
    expect(await dns.resolver.resolve('rebind.example')).toEqual(['93.184.216.34']);
    dns.pass(1);
    await expect(dns.resolver.resolve('rebind.example')).rejects.toMatchObject({ failure: 'ssrf_blocked' });
  });

  test.each([
    ['nxdomain', 'dns_nxdomain'],
    ['servfail', 'dns_failed'],
    ['silence', 'dns_timeout'],
  ] as const)('that ends in %s is %s', async (answer, failure) => {
    await using dns = await resolverFor(() => answer);
    await expect(dns.resolver.resolve('gone.example')).rejects.toMatchObject({ failure });
  });

  test('is asked for once by many at the same time, and again when its TTL is over', async () => {
    await using dns = await resolverFor(() => ['93.184.216.34'], 60);
    await Promise.all(Array.from({ length: 50 }, () => dns.resolver.resolve('shop.example')));
    dns.pass(59_000);
    await dns.resolver.resolve('shop.example');
    expect(dns.server.asked('shop.example')).toBe(1);
    dns.pass(2_000);
    await dns.resolver.resolve('shop.example');
    expect(dns.server.asked('shop.example')).toBe(2);
  });

  test('that is silent does not hold up the others', async () => {
    await using dns = await resolverFor((name) => (name.startsWith('silent') ? 'silence' : ['93.184.216.34']));
    const silent = Array.from({ length: 100 }, (_, i) => dns.resolver.resolve(`silent-${i}.example`));
    const order: string[] = [];
    const all = Promise.allSettled(silent).then(() => order.push('silent'));
    await dns.resolver.resolve('shop.example').then(() => order.push('shop'));
    await all;
    expect(order).toEqual(['shop', 'silent']);
  });

  test('of this machine is not taken from /etc/hosts', async () => {
    await using dns = await resolverFor(() => 'nxdomain');
    await expect(dns.resolver.resolve('localhost')).rejects.toMatchObject({ failure: 'dns_nxdomain' });
  });
});

describe('a connection', () => {
  /** Of a deployment whose network this machine is in; the rules of the URL and the resolver let everything pass. */
  const inner = new AddressPolicy({ allowInsecure: true, forbiddenRanges: ['127.0.0.0/8'] });
  const anything = new AddressPolicy({ allowInsecure: true, forbiddenRanges: [] });
  const send = async (url: string) => {
    await using sender = new Sender({
      policy: inner,
      resolver: new GuardedResolver({ policy: anything, allowInsecure: true }),
      rules: { allowInsecure: true, forbiddenHosts: [], addresses: anything },
    });
    const ids = { eventId: 'evt_1', deliveryId: 'dlv_1', attempt: 1 };
    return await sender.send({ ...ids, url, secret: newSecret(), body: Buffer.from('{}') });
  };

  test('to a forbidden address is not used, whatever its name resolved to', async () => {
    await using receiver = await Receiver.start();
    const { error } = await send(receiver.url.replace('127.0.0.1', 'localhost'));
    expect([error, receiver.received.length]).toEqual(['ssrf_blocked', 0]);
  });

  test('is not even opened to a forbidden address that the URL names itself', async () => {
    let connections = 0;
    await using server = await RawServer.start(() => void connections++);
    const { error } = await send(server.url);
    expect([error, connections]).toEqual(['ssrf_blocked', 0]);
  });
});

describe('a registration', () => {
  const rules = { allowInsecure: false, forbiddenHosts: [], addresses: policy };

  test('is refused naming url when the name points inside', async () => {
    await using dns = await resolverFor(() => ['192.168.0.10']);
    await expect(checkTarget('https://inside.example/hook', { rules, resolver: dns.resolver })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'url' }],
    });
  });

  test('is accepted while the name does not resolve', async () => {
    await using dns = await resolverFor(() => 'nxdomain');
    await checkTarget('https://soon.example/hook', { rules, resolver: dns.resolver });
  });
});
