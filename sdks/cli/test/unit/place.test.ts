import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Place } from '#src/listening/place.ts';

test('a place that another process has is refused, and the refusal says what to do', () => {
  const home = mkdtempSync(join(tmpdir(), 'gateway-place-'));
  try {
    const variables = { XDG_STATE_HOME: home };
    using place = new Place(variables, 'pk_test_shop', ['deposit.*']);
    const folder = join(home, 'gateway/listen');
    const [lock = ''] = readdirSync(folder).filter((name) => name.endsWith('.lock'));
    // As a process that runs holds it: the parent of this one.
    writeFileSync(join(folder, lock), String(process.ppid));
    expect(() => new Place(variables, 'pk_test_shop', ['deposit.*'])).toThrow(
      `process ${process.ppid} listens with this key and filter, and two would share one place in the log: end it, choose ` +
        'other events with -e, or another key with --profile',
    );
    using other = new Place(variables, 'pk_test_shop', ['payout.*']);
    expect([place.read(), other.read()]).toEqual([undefined, undefined]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
