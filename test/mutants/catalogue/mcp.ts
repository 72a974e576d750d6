import type { Mutant } from '../mutant.ts';

const test = 'sdks/mcp/test/unit/safety.test.ts';

export const mcp: readonly Mutant[] = [
  {
    id: 'MC01',
    file: 'sdks/mcp/src/guard/guarded-fetch.ts',
    replaced: "if (environment !== 'test') return false;",
    by: '',
    test,
    named: 'sends nothing that changes, whatever is called with it',
    guarantee: 'With a live key no changing request of the MCP server leaves its process.',
  },
  {
    id: 'MC02',
    file: 'sdks/mcp/src/tools/tool.ts',
    replaced: "return environment === 'test' || hints.readOnlyHint;",
    by: 'return true;',
    test,
    named: 'has no tool that changes anything',
    guarantee: 'The MCP server offers a live key nothing that changes.',
  },
  {
    id: 'MC03',
    file: 'sdks/mcp/src/settings/connection.ts',
    replaced: "if (environment === 'live' && !flags.allowLive)",
    by: 'if (false as boolean)',
    test,
    named: 'is refused without --allow-live',
    guarantee: 'The MCP server takes a live key only where it was allowed.',
  },
  {
    id: 'MC04',
    file: 'sdks/mcp/src/output/separate.ts',
    replaced: 'if (isOwn || (ownMembers.has(name) && ownText.test(text))) return text;',
    by: 'return text;',
    test,
    named: 'stands apart as data, wherever it was',
    guarantee: 'Texts of merchants and payers reach an assistant as data alone.',
  },
];
