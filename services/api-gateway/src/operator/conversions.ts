import { getOperatorConversion, listOperatorConversions } from '@gateway/contracts/conversions';
import { callRpc } from '@gateway/messaging';
import {
  operatorConversionResourceSchema,
  operatorConversionsQuerySchema,
  pageOf,
  presentOperatorConversion,
  recordFilterOf,
  wrapped,
} from '@gateway/public-api';
import { idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';

export const conversionEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions',
    operation: 'listConversions',
    summary: 'List the conversions of all accounts, newest first',
    description: 'Answers with the conversions of all accounts, newest first. Every filter that is given has to hold.',
    query: operatorConversionsQuerySchema,
    answers: { 200: pageOf(operatorConversionResourceSchema) },
    handle: async ({ query }, { bus }) => {
      const { limit, cursor } = query;
      const request = { limit, cursor, ...recordFilterOf(query) };
      const { conversions, nextCursor } = await callRpc(bus, listOperatorConversions, request);
      return { status: 200, body: { data: conversions.map(presentOperatorConversion), next_cursor: nextCursor } };
    },
  }),
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions/:id',
    operation: 'getConversion',
    summary: 'Read a conversion of any account',
    description: 'Answers with a conversion of any account, with its amounts and its rate.',
    answers: { 200: wrapped({ conversion: operatorConversionResourceSchema })['0.1'] },
    handle: async (call, { bus }) => {
      const { conversion } = await callRpc(bus, getOperatorConversion, { id: idIn(call, 'conversion') });
      return { status: 200, body: { conversion: presentOperatorConversion(conversion) } };
    },
  }),
];
