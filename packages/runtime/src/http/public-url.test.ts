import { expect, test } from 'vitest';
import { isLocalUrl, warnOfLocalUrl } from '#src/http/public-url.ts';
import { createLogger } from '#src/telemetry/logger.ts';

test.each([
  ['http://127.0.0.1:8080', true],
  ['http://localhost', true],
  ['https://192.168.1.4', true],
  ['https://172.31.0.9/', true],
  ['http://[::1]:8080', true],
  ['http://[fd00::1]', true],
  ['http://api-gateway:8080', true],
  ['https://pay.cluster.local', true],
  ['https://pay.example.com', false],
  ['https://local.example', false],
  ['https://8.8.8.8', false],
  ['https://172.32.0.1', false],
  ['https://[2606:4700::1111]', false],
])('%s: that only this machine or network reaches it is %s', (url, expected) => {
  expect(isLocalUrl(url)).toBe(expected);
});

test('a local address is warned of where providers are live, and nowhere else', () => {
  const warned: unknown[] = [];
  const logger = Object.assign(createLogger('ledger', 'silent'), { warn: (about: unknown) => warned.push(about) });
  warnOfLocalUrl(logger, 'https://pay.example.com', true, 'none');
  warnOfLocalUrl(logger, undefined, true, 'none');
  warnOfLocalUrl(logger, 'http://localhost', false, 'none');
  expect(warned).toEqual([]);
  warnOfLocalUrl(logger, 'http://localhost', true, 'links');
  expect(warned).toEqual([{ publicUrl: 'http://localhost', consequence: 'links' }]);
});
