import { z } from 'zod';
import { getOperatorConversion, listOperatorConversions } from '@gateway/contracts/conversions';
import { callRpc } from '@gateway/messaging';
import {
  operatorConversionResourceSchema,
  operatorConversionsQuerySchema,
  pageOf,
  presentOperatorConversion,
  recordFilterOf,
} from '@gateway/public-api';
import { idIn, operatorEndpoint } from '#src/operator/operator-endpoint.ts';

export const conversionEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/conversions',
    summary: 'List the conversions of all accounts, newest first',
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
    summary: 'Read a conversion of any account',
    answers: { 200: z.object({ conversion: operatorConversionResourceSchema }) },
    handle: async (call, { bus }) => {
      const { conversion } = await callRpc(bus, getOperatorConversion, { id: idIn(call, 'conversion') });
      return { status: 200, body: { conversion: presentOperatorConversion(conversion) } };
    },
  }),
];
