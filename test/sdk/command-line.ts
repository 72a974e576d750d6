import { afterAll, beforeAll, expect, test } from 'vitest';
import { PackedCli } from '../cli/packed-cli.ts';
import { newMerchant } from './new-merchant.ts';
import { publint, runtimes } from './runtimes.ts';
import type { Stage } from './stage.ts';

/** The command line from its package, beside the SDK's. */
export function describeCommandLine(given: () => Stage): void {
  let cli: PackedCli;
  beforeAll(async () => {
    cli = await PackedCli.install();
  });
  afterAll(() => cli[Symbol.dispose]());

  test('installs as its page says, without a registry, with the SDK alone, and is found in order by publint', async () => {
    expect(cli.installed()).toEqual(['@gateway/cli', '@gateway/sdk']);
    expect(await given().sdk.run(process.execPath, [publint, '--strict', cli.tarball])).toMatchObject({ code: 0 });
  });

  test('and the MCP server as its own page says', async () => {
    expect(await cli.installServer()).toBe('0.1.0');
  });

  test.each(['Node 24', 'Node 20'])(
    'does in %s what it does here: calls, events, scenarios, signatures',
    async (name) => {
      const [node] = runtimes[name]!;
      const { publicKey, secretKey, baseUrl } = await newMerchant(given().stack);
      const keys = { GATEWAY_BASE_URL: baseUrl, GATEWAY_API_KEY: publicKey, GATEWAY_API_SECRET: secretKey };
      const json = async (args: readonly string[]) => {
        const { code, output } = await cli.run(node, args, keys);
        expect([args, code, output]).toEqual([args, 0, expect.stringContaining('{')]);
        return JSON.parse(output);
      };
      const { output: version } = await cli.run(node, ['version']);
      expect(version).toContain('0.1.0');
      expect(await json(['deposits', 'create', '--amount', '10,50', '--external-id', 'order-1'])).toMatchObject({
        amount_cents: 1_050,
      });
      expect(await json(['trigger', 'deposit.paid'])).toMatchObject({ event: 'deposit.paid' });
      expect((await json(['run', 'shop'])).data.length).toBeGreaterThan(3);
      expect((await cli.run(node, ['events', 'list', '--nothing'], keys)).code).toBe(2);
      expect((await cli.run(node, ['completion', 'bash'])).output).toContain('_gateway');
    },
  );
}
