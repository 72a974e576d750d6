import type { z } from 'zod';
import type { Askable } from '@gateway/messaging';
import { pageOf } from '@gateway/public-api';
import type { AuditedRead } from '#src/approvals/audit.ts';
import type { EndpointNotes } from '#src/http/endpoint.ts';
import {
  type OperatorCall,
  operatorEndpoint,
  type OperatorEndpointRow,
  type OperatorServices,
} from '#src/operator/operator-endpoint.ts';
import { answerPage, csvMedia, type ListPage, type PageAsked, type PageQuery } from '#src/statements/list-answer.ts';

/** What a page is read with: behind the first one of a list in CSV, a bus without the deadline of the request. */
type PageServices = Omit<OperatorServices, 'bus'> & { readonly bus: Askable };

interface OperatorList<Query extends PageQuery> extends Omit<EndpointNotes, 'answers' | 'otherMedia'> {
  readonly path: string;
  readonly permission: OperatorEndpointRow['permission'];
  readonly query: z.ZodType<Query>;
  /** The name of its file. */
  readonly name: string;
  /** What its records are shown as: its members are the columns. */
  readonly schema: z.ZodType;
  /** The name of the read in the audit trail, where the records hold personal data. */
  readonly reads?: AuditedRead['action'];
  readonly page: (
    call: OperatorCall & { readonly query: Query },
    services: PageServices,
    page: PageAsked,
  ) => Promise<ListPage>;
}

/** A list of the operator API, as every one is served: a page as JSON, or all of it as CSV. */
export function operatorList<Query extends PageQuery>({
  name,
  schema,
  page: read,
  ...row
}: OperatorList<Query>): OperatorEndpointRow {
  return operatorEndpoint<undefined, z.ZodType<Query>>({
    ...row,
    method: 'GET',
    answers: { 200: pageOf(schema) },
    otherMedia: csvMedia,
    handle: async (call, services) => {
      const page = (bus: Askable, asked: PageAsked) => read(call, { ...services, bus }, asked);
      return await answerPage(call, services.bus, { name, schema, page });
    },
  });
}
