import { GatewayError } from '@gateway/sdk';

/** A guide up to its first heading, a section of it, or an operation of the API. */
export interface Page {
  readonly title: string;
  /** The guide that it is a section of, or the path of the operation. */
  readonly place: string;
  readonly address: string;
  readonly text: string;
}

const guides = [
  ...['merchant', 'start', 'payments', 'refunds', 'disputes', 'payouts', 'webhooks', 'verifying-a-webhook', 'events'],
  ...['retries', 'test-mode', 'statement', 'finance', 'contract-1.0', 'connector', 'going-live', 'limits', 'versions'],
  ...['cli', 'sdk-typescript', 'sdk-python', 'mcp'],
];
const timeoutMs = 10_000;

/** The gateway's guides by their sections and its operations, as the gateway in use serves them; no credentials are sent. */
export async function readPages(baseUrl: string): Promise<readonly Page[]> {
  const [description, ...guidePages] = await Promise.all([
    read(`${baseUrl}/openapi.json`),
    ...guides.map(async (name) => sectionsOf(name, `${baseUrl}/docs/guide/${name}`)),
  ]);
  return [...guidePages.flat(), ...operationsOf(baseUrl, description)];
}

async function sectionsOf(name: string, address: string): Promise<Page[]> {
  const page = await read(address);
  const main = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? page;
  const [start = '', ...sections] = main.split(/(?=<h[23] id=")/);
  // A guide without headings, such as that of the limits, is its start alone.
  const whole = { title: name.replaceAll('-', ' '), place: name, address, text: plain(start) };
  const found = sections.map((section) => {
    const [heading, anchor = '', title = ''] = /^<h[23] id="([^"]*)">([\s\S]*?)<\/h[23]>/.exec(section) ?? [''];
    return {
      title: plain(title),
      place: name,
      address: `${address}#${anchor}`,
      text: plain(section.slice(heading.length)),
    };
  });
  return [whole, ...found];
}

interface Described {
  readonly summary?: string;
  readonly description?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

function operationsOf(baseUrl: string, description: string): Page[] {
  const { paths } = JSON.parse(description) as { readonly paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, described]) => {
      const { summary = '', description: text = '', operationId = '', tags: [tag = ''] = [] } = described;
      return {
        title: `${method.toUpperCase()} ${path}: ${summary}`,
        place: operationId,
        // As the reference has its pages: one for each tag.
        address: `${baseUrl}/docs/${tag.replaceAll(' ', '-')}#${operationId}`,
        text,
      };
    }),
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
