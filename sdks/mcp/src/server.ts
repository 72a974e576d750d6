import { McpServer } from '@modelcontextprotocol/server';
import { Gateway, type FetchLike } from '@gateway/sdk';
import { guardedFetch } from './guard/guarded-fetch.ts';
import { answerOf, answerSchema, refusalOf } from './output/result.ts';
import type { Connection } from './settings/connection.ts';
import { readPages, type Page } from './tools/pages.ts';
import { isOffered } from './tools/tool.ts';
import { tools } from './tools/tools.ts';

export const version = '0.1.0';

/** A server of the tools that the key may have. Calls of others find no such tool, and their requests would not be sent. */
export function serverOf(connection: Connection, retries?: number): McpServer {
  const { publicKey, secretKey, baseUrl, environment } = connection;
  const server = new McpServer({ name: 'gateway', version }, { capabilities: { tools: {} } });
  const gateway = new Gateway({
    ...{ publicKey, secretKey, baseUrl, appInfo: `gateway-mcp/${version}` },
    ...(retries === undefined ? {} : { maxRetries: retries }),
    fetch: guardedFetch(environment, baseUrl, globalThis.fetch as unknown as FetchLike),
  });
  let pages: Promise<readonly Page[]> | undefined;
  const context = {
    gateway,
    pages: () => (pages ??= readPages(gateway.baseUrl).catch((error: unknown) => forget(error))),
  };
  // What could not be read is asked for again the next time.
  const forget = (error: unknown): never => {
    pages = undefined;
    throw error;
  };
  for (const tool of tools.filter((each) => isOffered(each, environment))) {
    const { name, title, description, hints, input, result } = tool;
    const config = { title, description, annotations: { title, ...hints }, inputSchema: input };
    server.registerTool(name, { ...config, outputSchema: answerSchema(result) }, async (given: object) => {
      try {
        return answerOf(await tool.run(context, given as never), environment, [secretKey]);
      } catch (error) {
        return refusalOf(error, [secretKey]);
      }
    });
  }
  return server;
}
