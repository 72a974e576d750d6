import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PythonTools, type Finished } from './python-tools.ts';

const source = join(import.meta.dirname, '../../sdks/python');
let tools: PythonTools;
beforeAll(async () => {
  tools = await PythonTools.prepare();
});

/** Runs the tests of a Python module on the code as it stands in this repository. */
function unittest(name: string): Promise<Finished> {
  return tools.run(['-m', 'unittest', `tests.${name}`], { cwd: source, env: { PYTHONPATH: join(source, 'src') } });
}

describe('the Python SDK', () => {
  test('repeats a call by what is known of its outcome, synchronous and asynchronous alike', async () => {
    expect(await unittest('test_repetition')).toMatchObject({ code: 0 });
  });

  test('reads answers, refusals and lists, and shows the secret key in nothing', async () => {
    expect(await unittest('test_answers')).toMatchObject({ code: 0 });
  });

  test('follows the stream of events over lost connections, and has each event once', async () => {
    expect(await unittest('test_stream')).toMatchObject({ code: 0 });
  });

  test('verifies webhooks as they are signed, and as Standard Webhooks does', async () => {
    expect(await unittest('test_webhooks')).toMatchObject({ code: 0 });
  });

  test('has a method for every operation, which calls it as it is described', async () => {
    expect(await unittest('test_operations')).toMatchObject({ code: 0 });
  });

  test('agrees with mypy in every line, its tests too', async () => {
    const cache = join(source, '../../.gateway/tools/python-sdk/mypy');
    const checked = await tools.run(['-m', 'mypy', '--cache-dir', cache, 'src', 'tests'], { cwd: source });
    expect(checked).toEqual({ code: 0, output: expect.stringContaining('Success') });
  });
});
