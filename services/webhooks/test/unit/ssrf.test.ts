import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AddressPolicy } from '#src/http/address-policy.ts';
import { ResolveError, type GuardedResolver } from '#src/http/guarded-resolver.ts';
import { checkTarget, hostOf, parseTarget, TargetError, type TargetRules } from '#src/http/target.ts';

const vectors = JSON.parse(readFileSync(new URL('../vectors/ssrf.json', import.meta.url), 'utf8')) as {
  forbidden: string[];
  allowed: string[];
};

const strict = new AddressPolicy({ allowInsecure: false, forbiddenRanges: [] });
const strictRules: TargetRules = { allowInsecure: false, forbiddenHosts: ['gateway.example'], addresses: strict };
const insecure = new AddressPolicy({ allowInsecure: true, forbiddenRanges: [] });
const insecureRules: TargetRules = { allowInsecure: true, forbiddenHosts: [], addresses: insecure };

describe('an address', () => {
  test.each(vectors.forbidden)('%j is not called', (address) => {
    expect(strict.isForbidden(address)).toBe(true);
  });

  test.each(vectors.allowed)('%j may be called', (address) => {
    expect(strict.isForbidden(address)).toBe(false);
  });

  test('of the deployment itself is not called, even where private ones are', () => {
    const policy = new AddressPolicy({ allowInsecure: true, forbiddenRanges: ['8.8.8.0/24', '10.1.0.0/16'] });
    expect(policy.isForbidden('8.8.8.8')).toBe(true);
    expect(policy.isForbidden('10.1.2.3')).toBe(true);
    expect(policy.isForbidden('10.2.2.3')).toBe(false);
  });

  test.each(['127.0.0.1', '10.0.0.1', '172.16.5.4', '192.168.1.1', '::1', 'fd00::1'])(
    'of a developer’s network, %s, is called where that is allowed',
    (address) => expect(insecure.isForbidden(address)).toBe(false),
  );

  test.each([
    '169.254.169.254',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    '224.0.0.1',
  ])('%s is never called', (address) => expect(insecure.isForbidden(address)).toBe(true));
});

/**
 * The special-purpose ranges by their first and last address, from the registries of IANA: the policy writes them as
 * prefixes, so that a wrong one shows here.
 */
const specialRanges = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const;

/** The addresses right before and right behind those ranges, where these are public. */
const publicNeighbours = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.1.255', '192.0.3.0', '192.31.195.255', '192.31.197.0'],
  ...['192.52.192.255', '192.52.194.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
  ...['192.175.47.255', '192.175.49.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0'],
  ...['203.0.112.255', '203.0.114.0', '223.255.255.255', '2000::', '2000:ffff::', '2001:200::', '2001:db7:ffff::'],
  ...['2001:db9::', '2001:ffff::', '2003::', '3ffe:ffff::', '3fff:1000::', '2620:4f:7fff:ffff::', '2620:4f:8001::'],
];

describe('the bounds of the ranges that are not called', () => {
  test.each(specialRanges)('from %s to %s', (first, last) => {
    expect([strict.isForbidden(first), strict.isForbidden(last)]).toEqual([true, true]);
  });

  test.each(publicNeighbours)('%s, right beside one, may be called', (address) => {
    expect(strict.isForbidden(address)).toBe(false);
  });

  test.each([
    ['10.0.0.0', '10.255.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['::1', '::1'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('from %s to %s, of a developer’s network, may be called where that is allowed', (first, last) => {
    expect([insecure.isForbidden(first), insecure.isForbidden(last)]).toEqual([false, false]);
  });

  test('reach no further in a developer’s network', () => {
    for (const address of ['100.64.0.1', '192.0.0.1', '198.18.0.1', '::2', 'fbff::1', 'fe00::1']) {
      expect(insecure.isForbidden(address), address).toBe(true);
    }
  });
});

/** @returns what a merchant reads, or null where the URL is accepted */
function reasonOf(text: string, rules: TargetRules = strictRules): string | null {
  try {
    parseTarget(text, rules);
    return null;
  } catch (error) {
    if (error instanceof TargetError) return error.reason;
    throw error;
  }
}

describe('a refused URL', () => {
  test.each([
    ['https://shop.example/ x', 'must not contain spaces, control characters or backslashes'],
    [`https://shop.example/${'a'.repeat(2_028)}`, 'must have at most 2048 characters'],
    [`https://shop.example/${'ü'.repeat(400)}`, 'must have at most 2048 characters'],
    ['shop.example', 'is not a valid URL'],
    ['https:shop.example', 'is not a valid URL'],
    ['x https://shop.example/', 'must not contain spaces, control characters or backslashes'],
    ['http://shop.example/', 'must be https'],
    ['https://user@shop.example/', 'must not contain credentials'],
    ['https://:password@shop.example/', 'must not contain credentials'],
    ['https://shop.example/#', 'must not contain a fragment'],
    ['https://shop.example:1023/', 'must not use port 1023'],
    ['https://shop.example:80/', 'must not use port 80'],
    ['https://shop.example:5432/', 'must not use port 5432'],
    ['https://10.0.0.1/', 'must not be a private or special address'],
    ['https://gateway.example/', 'must not be a name of the gateway itself'],
    ['https://api.gateway.example./', 'must not be a name of the gateway itself'],
    ['https://kubernetes/', 'must be a public host name'],
    [`https://${'a.'.repeat(126)}co/`, 'is not a valid URL'],
  ])('%j names its rule: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
    expect(() => parseTarget(text, strictRules)).toThrow(
      expect.objectContaining({ name: 'TargetError', message: `url ${reason}` }) as Error,
    );
  });

  test('is one that reads otherwise than it acts, whatever scheme is allowed', () => {
    expect(reasonOf('ftp://shop.example/', insecureRules)).toBe('must be http or https');
    expect(reasonOf('http:shop.example', insecureRules)).toBe('is not a valid URL');
    expect(reasonOf('http:///shop.example/', insecureRules)).toBe('is not a valid URL');
    expect(reasonOf('http://shop.example:81/', insecureRules)).toBe('must not use port 81');
    expect(reasonOf('HTTPS://shop.example/')).toBeNull();
  });

  test.each(['localhost', 'local', 'internal', 'svc', 'cluster.local', 'home.arpa', 'lan'])(
    'is one under the inner name %s, and not one that only ends like it',
    (suffix) => {
      expect(reasonOf(`https://shop.${suffix}/`)).toBe('must be a public host name');
      expect(reasonOf(`https://shop.a${suffix}/`)).toBe(
        suffix === 'cluster.local' ? 'must be a public host name' : null,
      );
    },
  );

  const infrastructurePorts = [
    ...[1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 4369, 5432, 5672, 5900, 5984, 6222, 6379],
    ...[6432, 6443, 7000, 7001, 8222, 9042, 9092, 9160, 9200, 9300, 10_250, 10_255, 11_211, 15_672, 26_379, 27_017],
    27_018,
  ];
  test.each(infrastructurePorts)('is one at port %i, which belongs to infrastructure', (port) => {
    expect(reasonOf(`https://shop.example:${port}/`)).toBe(`must not use port ${port}`);
    expect(reasonOf(`https://shop.example:${port}/`, insecureRules)).toBe(`must not use port ${port}`);
  });
});

describe('an accepted URL', () => {
  test('may have the longest text, the longest name and the first free port', () => {
    expect(reasonOf(`https://shop.example/${'a'.repeat(2_048 - 21)}`)).toBeNull();
    expect(reasonOf(`https://${'a.'.repeat(125)}com/`)).toBeNull();
    expect(reasonOf('https://shop.example:1024/')).toBeNull();
    expect(reasonOf('http://shop.example/', insecureRules)).toBeNull();
    expect(reasonOf('https://notgateway.example/')).toBeNull();
  });

  test('has its host without brackets and without a dot at its end', () => {
    expect(hostOf(new URL('https://[2606:4700::1111]/'))).toBe('2606:4700::1111');
    expect(hostOf(new URL('https://Shop.Example./'))).toBe('shop.example');
  });
});

describe('a URL that is checked with its addresses', () => {
  const guard = (resolve: () => Promise<readonly string[]>) => ({
    rules: strictRules,
    resolver: { resolve } as unknown as GuardedResolver,
  });
  const refusalOf = (member: string, message: string) => ({
    code: 'VALIDATION_ERROR',
    details: [{ path: member, message }],
  });
  const notCalled = async () => expect.fail('the name was resolved');

  test('is refused with the member it came in and the rule it breaks, before its name is resolved', async () => {
    const refusal = refusalOf('callback_url', 'must be https');
    await expect(checkTarget('http://shop.example/', guard(notCalled), 'callback_url')).rejects.toMatchObject(refusal);
  });

  test('is refused when its name leads to an address that may not be called', async () => {
    const blocked = guard(async () => await Promise.reject(new ResolveError('ssrf_blocked', 'shop.example')));
    const refusal = refusalOf('url', 'must not resolve to a private or special address');
    await expect(checkTarget('https://shop.example/', blocked)).rejects.toMatchObject(refusal);
  });

  test('is accepted when its name does not resolve yet, or leads to a public address', async () => {
    for (const failure of ['dns_nxdomain', 'dns_timeout', 'dns_failed'] as const) {
      const unresolved = guard(async () => await Promise.reject(new ResolveError(failure, 'shop.example')));
      await expect(checkTarget('https://shop.example/', unresolved)).resolves.toBeUndefined();
    }
    await expect(
      checkTarget(
        'https://shop.example/',
        guard(async () => ['8.8.8.8']),
      ),
    ).resolves.toBeUndefined();
  });

  test('is not resolved when its host is an address, and a fault of ours is no refusal', async () => {
    await expect(checkTarget('https://8.8.8.8/', guard(notCalled))).resolves.toBeUndefined();
    const broken = guard(async () => await Promise.reject(new Error('a bug')));
    await expect(checkTarget('https://shop.example/', broken)).rejects.toThrow('a bug');
  });
});

describe('a URL', () => {
  test.each([
    'https://shop.example/hook',
    'https://shop.example:8443/hook?a=b',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://bücher.example/',
  ])('%s is accepted', (text) => {
    expect(parseTarget(text, strictRules)).toBeInstanceOf(URL);
  });

  test.each([
    ['http://shop.example/hook', 'scheme'],
    ['ftp://shop.example/hook', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https:shop.example', 'no slashes'],
    ['https://', 'no host'],
    ['https:///shop.example/', 'no host before its path'],
    ['shop.example/hook', 'no scheme'],
    ['', 'empty'],
    ['https://user:password@shop.example/', 'credentials'],
    ['https://user@shop.example/', 'user'],
    ['https://shop.example/#part', 'fragment'],
    ['https://shop.example/#', 'empty fragment'],
    ['https://shop.example/\r\nX-Evil: 1', 'line break'],
    ['https://shop.example/\thook', 'tab'],
    [' https://shop.example/', 'leading space'],
    ['https://shop.example\\@10.0.0.1/', 'backslash'],
    ['https://127.0.0.1/', 'loopback'],
    ['https://127.1/', 'short loopback'],
    ['https://2130706433/', 'decimal'],
    ['https://0x7f000001/', 'hexadecimal'],
    ['https://0x7f.1/', 'mixed'],
    ['https://0177.0.0.1/', 'octal'],
    ['https://127。0。0。1/', 'ideographic dots'],
    ['https://①②⑦.⓪.⓪.①/', 'enclosed digits'],
    ['https://127.0.0.1./', 'trailing dot'],
    ['https://169.254.169.254/latest/meta-data/', 'metadata'],
    ['https://0/', 'zero'],
    ['https://10.0.0.1/', 'private'],
    ['https://[::1]/', 'loopback v6'],
    ['https://[::]/', 'unspecified v6'],
    ['https://[::ffff:127.0.0.1]/', 'mapped'],
    ['https://[::ffff:a9fe:a9fe]/', 'mapped metadata'],
    ['https://[64:ff9b::7f00:1]/', 'NAT64'],
    ['https://[fd00:ec2::254]/', 'unique local'],
    ['https://[fe80::1%25eth0]/', 'zone'],
    ['https://localhost/', 'localhost'],
    ['https://LOCALHOST./', 'localhost with a dot'],
    ['https://api.localhost/', 'under localhost'],
    ['https://kubernetes/', 'single label'],
    ['https://kubernetes.default.svc/', 'service'],
    ['https://db.default.svc.cluster.local/', 'cluster'],
    ['https://metadata.google.internal/', 'internal'],
    ['https://printer.local/', 'mDNS'],
    ['https://api.gateway.example/', 'ourselves'],
    ['https://shop.example:22/', 'ssh'],
    ['https://shop.example:25/', 'smtp'],
    ['https://shop.example:80/', 'low port'],
    ['https://shop.example:5432/', 'postgres'],
    ['https://shop.example:6379/', 'redis'],
    ['https://shop.example:4222/', 'nats'],
    ['https://shop.example:0/', 'port zero'],
    [`https://shop.example/${'a'.repeat(2_048)}`, 'too long'],
    [`https://shop.example/${'ü'.repeat(700)}`, 'too long once encoded'],
  ])('%j is refused: %s', (text) => {
    expect(() => parseTarget(text, strictRules)).toThrow(TargetError);
  });

  test.each([
    'http://127.0.0.1:3000/hook',
    'http://localhost/hook',
    'http://receiver:8080/',
    'https://localhost:3000/',
  ])('%s is accepted where insecure receivers are allowed', (text) =>
    expect(parseTarget(text, insecureRules)).toBeInstanceOf(URL),
  );

  test.each(['http://169.254.169.254/', 'http://127.0.0.1:5432/', 'ftp://localhost/', 'http://u:p@localhost/'])(
    '%s is refused even there',
    (text) => expect(() => parseTarget(text, insecureRules)).toThrow(TargetError),
  );
});
