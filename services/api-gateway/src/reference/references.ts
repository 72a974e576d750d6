import { readFileSync } from 'node:fs';
import type { ApiVersion } from '@gateway/contracts/values';
import type { ApiDocument } from '#src/description/document.ts';
import { guideLinks, readGuides } from '#src/reference/guides.ts';
import type { Link } from '#src/reference/layout.ts';
import type { SdkExamples } from '#src/reference/operations.ts';
import type { Reference } from '#src/reference/pages.ts';

/** By contract, as `npm run generate` wrote them from the methods of the SDKs. */
const sdkExamples = JSON.parse(readFileSync(new URL('./assets/examples.json', import.meta.url), 'utf8')) as Readonly<
  Record<ApiVersion, SdkExamples>
>;

const publicPages: readonly Link[] = [
  { href: '/docs', label: 'Contract 0.1' },
  { href: '/docs/1.0', label: 'Contract 1.0 (beta)' },
  { href: '/compat/docs', label: 'Connector' },
];

const keyHeaders = ['x-api-key: $GATEWAY_API_KEY', 'x-api-secret: $GATEWAY_API_SECRET'];

const merchantSteps = [
  ['createDeposit', 'a charge for your payer, with the code to show.'],
  ['simulateDepositPayment', 'pay it in test mode, as the payer would.'],
  ['getBalance', 'the money is there as soon as the deposit is PAID.'],
  ['createWebhook', 'hear of payments instead of asking.'],
  ['createPayout', 'send money to a PIX key, once per `external_id`.'],
  ['createRefund', 'send money back to its payer.'],
] as const;

/** The pages of a contract, at `/docs` and `/docs/1.0`. */
export function merchantReference(contract: ApiVersion, document: ApiDocument): Reference {
  const isBeta = contract === '1.0';
  return {
    base: isBeta ? '/docs/1.0' : '/docs',
    document,
    source: isBeta ? '/openapi-1.0.json' : '/openapi.json',
    collection: isBeta ? '/postman-1.0.json' : '/postman.json',
    others: publicPages,
    credentials: isBeta ? [...keyHeaders, 'x-api-version: 1.0'] : keyHeaders,
    examples: sdkExamples[contract],
    guides: guideLinks,
    // They are at the same addresses for every reader, so one reference serves them.
    pages: isBeta ? [] : readGuides(),
    foundElsewhere: isBeta ? readGuides() : [],
    steps: merchantSteps,
  };
}

/** The pages of the connector's interface, at `/compat/docs`. */
export function connectorReference(document: ApiDocument): Reference {
  return {
    base: '/compat/docs',
    document,
    source: '/compat/openapi.json',
    others: publicPages,
    credentials: ['authorization: Bearer $TOKEN'],
    examples: {},
    guides: guideLinks.toSorted((a, b) => Number(isOfConnector(b)) - Number(isOfConnector(a))),
    pages: [],
    foundElsewhere: readGuides(),
    steps: [
      ['createToken', 'a token for eight hours, from a key pair.'],
      ['createPix', 'a charge with its code.'],
      ['createPixPayout', 'a transfer to a PIX key.'],
    ],
  };
}

function isOfConnector({ href }: Link): boolean {
  return href.endsWith('/connector');
}

/** The pages of the operators' listener. */
export function operatorReference(document: ApiDocument): Reference {
  return {
    base: '/docs',
    document,
    source: '/openapi.json',
    others: [],
    credentials: ['authorization: Bearer $OPERATOR_TOKEN'],
    examples: {},
    guides: [],
    pages: [],
    foundElsewhere: [],
    steps: [],
  };
}
