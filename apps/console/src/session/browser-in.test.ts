import { expect, test } from 'vitest';
import { browserIn } from '#src/session/browser-in.ts';

test('a session is told by its browser and its system, and by all of its name where that is none', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36';
  expect(browserIn(chrome)).toBe('Chrome · Linux');
  expect(browserIn('curl/8.5.0')).toBe('curl/8.5.0');
});
