import { expect, test } from 'vitest';
import { chosenLanguage } from '#src/texts/language.tsx';
import { formatAge, formatDay, formatDays, fromUnix } from '#src/texts/time.ts';

const start = new Date('2026-01-02T10:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

test('an age is the largest whole unit, and never less than a minute', () => {
  expect(formatAge(start, after(5), 'en')).toBe('1 min');
  expect(formatAge(start, after(41 * 60 + 59), 'en')).toBe('41 min');
  expect(formatAge(start, after(3_600 * 3 + 1), 'en')).toBe('3 hr');
  expect(formatAge(after(86_400 * 2), start, 'pt-BR')).toBe('2 dias');
});

test('a day is the same day for every reader, and a period of one day names it once', () => {
  expect(formatDay('2026-11-20', 'en')).toBe('Fri, Nov 20, 2026');
  expect(formatDays('2026-11-20', '2026-11-20', 'en')).toBe('Fri, Nov 20, 2026');
  expect(formatDays('2026-11-20', '2026-11-21', 'en').replaceAll(/\s/g, ' ')).toBe('Fri, Nov 20 – Sat, Nov 21, 2026');
  expect(formatDays(null, '2026-11-21', 'en')).toBe('– … 2026-11-21');
});

test('times of records are Unix seconds', () => {
  expect(fromUnix(1_767_348_000).toISOString()).toBe('2026-01-02T10:00:00.000Z');
});

test('the language is the one chosen before, then the first of the browser that there is, then English', () => {
  expect(chosenLanguage('es-MX', ['pt-BR'])).toBe('es-MX');
  expect(chosenLanguage('klingon', ['fr', 'pt-PT', 'en'])).toBe('pt-BR');
  expect(chosenLanguage(null, ['fr'])).toBe('en');
});
