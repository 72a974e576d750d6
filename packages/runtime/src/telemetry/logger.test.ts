import { symbols } from 'pino';
import { expect, test, vi } from 'vitest';
import { createLogger } from '#src/telemetry/logger.ts';

function logging() {
  const lines: string[] = [];
  const logger = createLogger('test', 'info');
  const { [symbols.streamSym]: stream } = logger as unknown as Record<symbol, { write: (line: string) => void }>;
  vi.spyOn(stream!, 'write').mockImplementation((line) => void lines.push(line));
  return { logger, lines };
}

test('an error in a log quotes no row that PostgreSQL refused', () => {
  const { logger, lines } = logging();
  const detail = 'Failing row contains (hidden-1, -5).';
  const refused = Object.assign(new Error(`violates a constraint: ${detail}`), { code: '23514', detail });
  logger.error({ err: refused }, 'x');
  logger.error({ error: new Error('outer', { cause: refused }) }, 'x');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toContain('hidden-1');
});

test('no secret reaches a log line, at the top, in a member or in a member of that', () => {
  const { logger, lines } = logging();
  const secrets = { secretKey: 'hidden-1', password: 'hidden-2', document: 'hidden-3', pixKey: 'hidden-4' };
  logger.info(
    { ...secrets, id: 'shown-1', body: { ...secrets, id: 'shown-2', payer: { ...secrets, id: 'shown-3' } } },
    'x',
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('hidden');
  for (const shown of ['shown-1', 'shown-2', 'shown-3']) expect(lines[0]).toContain(shown);
});
