#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serverOf, version } from './server.ts';
import { connectionOf } from './settings/connection.ts';

const help = `gateway-mcp: tools of the payment gateway for MCP clients, over standard input and output

  --local        the test key of npm start, by .gateway/dev.json here or above
  --profile P    a profile of the command line, by $XDG_CONFIG_HOME/gateway/config.json
  --allow-live   takes a live key, and reads with it; nothing is ever changed with one
  --version

Without --local and --profile: GATEWAY_BASE_URL, GATEWAY_API_KEY and GATEWAY_API_SECRET.
`;

const options = {
  local: { type: 'boolean', default: false },
  profile: { type: 'string' },
  'allow-live': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

try {
  const { values } = parseArgs({ options });
  if (values.help) process.stdout.write(help);
  else if (values.version) process.stdout.write(`${version}\n`);
  else {
    const { local, profile, 'allow-live': allowLive } = values;
    const connection = connectionOf({ local, profile, allowLive }, process.env, process.cwd());
    serveStdio(() => serverOf(connection));
  }
} catch (error) {
  // Standard output belongs to the protocol.
  process.stderr.write(`gateway-mcp: ${error instanceof Error ? error.message : 'it cannot start'}\n`);
  process.exitCode = 2;
}
