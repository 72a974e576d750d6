import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AddressPolicy } from '#src/http/address-policy.ts';
import { parseTarget, TargetError, type TargetRules } from '#src/http/target.ts';

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
