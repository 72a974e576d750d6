import { GatewayError } from '@gateway/sdk';

/** A section of a guide, or an operation of the API. */
export interface Page {
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

const guides = [
  ...['merchant', 'start', 'payments', 'refunds', 'disputes', 'payouts', 'webhooks', 'verifying-a-webhook', 'events'],
  ...['retries', 'test-mode', 'statement', 'finance', 'contract-1.0', 'connector', 'going-live', 'limits', 'versions'],
];
const timeoutMs = 10_000;

/** The gateway's guides by their sections and its operations, as the gateway in use serves them; no credentials are sent. */
export async function readPages(baseUrl: string): Promise<readonly Page[]> {
  const [description, ...guidePages] = await Promise.all([
    read(`${baseUrl}/openapi.json`),
    ...guides.map(async (name) => sectionsOf(`${baseUrl}/docs/guide/${name}`)),
  ]);
  return [...guidePages.flat(), ...operationsOf(baseUrl, description)];
}

async function sectionsOf(address: string): Promise<Page[]> {
  const page = await read(address);
  const main = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? page;
  const [, ...sections] = main.split(/(?=<h[23] id=")/);
  return sections.map((section) => {
    const [heading, anchor = '', title = ''] = /^<h[23] id="([^"]*)">([\s\S]*?)<\/h[23]>/.exec(section) ?? [''];
    return {
      title: plain(title),
      address: `${address}#${anchor}`,
      text: plain(section.slice(heading.length)),
    };
  });
}

interface Described {
  readonly summary?: string;
  readonly description?: string;
  readonly operationId?: string;
}

function operationsOf(baseUrl: string, description: string): Page[] {
  const { paths } = JSON.parse(description) as { readonly paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary = '', description: text = '', operationId = '' }]) => ({
      title: `${method.toUpperCase()} ${path}: ${summary}`,
      address: `${baseUrl}/docs#${operationId}`,
      text,
    })),
  );
}

async function read(address: string): Promise<string> {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' }).catch(() => {
    throw new GatewayError(`${address} cannot be read`);
  });
  if (!response.ok) throw new GatewayError(`${address} answers with ${response.status}`);
  return response.text();
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function plain(html: string): string {
  return html
    .replaceAll(/<\/(?:td|th|li|p|pre|tr)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[^\S\n]+/g, ' ')
    .trim();
}
