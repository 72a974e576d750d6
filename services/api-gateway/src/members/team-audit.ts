import { z } from 'zod';
import { requestText } from '@gateway/contracts/values';
import { type Database, pageOf, wantedIds } from '@gateway/persistence';
import { auditQuerySchema, secondsOfPeriod } from '@gateway/public-api';
import { type AuditEntity, gatewayName, merchantName } from '#src/approvals/audit.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import { memberEndpoint } from '#src/members/member-endpoint.ts';

const querySchema = auditQuerySchema
  .pick({ limit: true, cursor: true, action: true, target: true, from: true, to: true, zone: true })
  .extend({ kind: z.enum(['change', 'read']).default('change'), person: requestText(1, 64).optional() });

export const teamAuditEndpoints = [
  memberEndpoint({
    method: 'GET',
    path: '/team/audit',
    operation: 'listTeamAudit',
    permission: 'team:read',
    summary: 'Who did what in the team, the approvals and the keys of the account, newest first',
    description:
      'Of the environment of the request, and what belongs to none. `kind=read`, in live mode: who read personal data of the ' +
      'account, operators included, whose names are not shown. `before` and `after` are null while the outcome is unknown.',
    query: querySchema,
    answers: { 200: z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullable() }) },
    handle: async ({ member, query }, { database }) => {
      const { rows, nextCursor } = await readTeamAudit(database, member, query);
      return { status: 200, body: { data: rows.map(presentEntry), next_cursor: nextCursor } };
    },
  }),
];

type Row = Pick<AuditEntity, 'id' | 'kind' | 'operator' | 'action' | 'target' | 'before' | 'after' | 'filter'> & {
  readonly request_id: string;
  readonly created_at: Date;
};

interface Revealed {
  readonly reveal?: string;
  readonly fields?: readonly string[];
}

/**
 * What the people of an account did in it, and what operators did about its team and its keys. What operators decide among
 * themselves is theirs. A read names no environment: it is shown where live rights are.
 */
export const teamAuditSql = `
  select id, kind, operator, action, target, before, after, filter, request_id, created_at from audit
   where account_id = $1 and kind = $3
     and (kind = 'read' and $2 = 'live'
          or kind = 'change'
             and (action like any (array['team.%', 'key.%', 'first-owner.%'])
                  or action like 'approval.%' and coalesce(after ->> 'kind', before ->> 'kind') like 'team.%')
             and coalesce(after ->> 'environment', before ->> 'environment', $2) = $2)
     and ($4::text is null or operator = $4) and ($5::text is null or action = $5) and ($6::text is null or target = $6)
     and ($7::text is null or id < $7) and ($8::text is null or id >= $8)
   order by id desc limit $9`;

async function readTeamAudit(
  database: Database,
  { accountId, environment }: Member,
  { limit, cursor, kind, person, action, target, ...period }: z.infer<typeof querySchema>,
) {
  const { $lt: before, $gte: from } = wantedIds('audit', { cursor, ...secondsOfPeriod(period) }).id ?? {};
  const operator = person === undefined ? null : `${merchantName}:${person}`;
  const named = [operator, action ?? null, target ?? null, before ?? null, from ?? null];
  const rows = await database.query<Row>(teamAuditSql, [accountId, environment, kind, ...named, limit + 1]);
  return pageOf(rows, limit);
}

function presentEntry({ id, kind, operator, action, target, before, after, filter, request_id, created_at }: Row) {
  const by = actorOf(operator);
  const { reveal = null, fields = [] } = (filter ?? {}) as Revealed;
  return {
    ...{ id, object: 'team_audit', kind, action, target, by },
    before: before ?? null,
    after: after ?? null,
    /** Why personal data was asked for unmasked; what operators write is theirs. */
    reason: by.kind === 'person' ? reveal : null,
    /** The members of the record that were shown unmasked. */
    fields,
    request_id,
    created_at: Math.floor(created_at.getTime() / 1_000),
  };
}

const ofPerson = `${merchantName}:`;

/** Operators have no name for merchants: the operator as a whole answers for what they do. */
function actorOf(operator: string): { readonly kind: string; readonly name: string | null } {
  if (operator.startsWith(ofPerson)) return { kind: 'person', name: operator.slice(ofPerson.length) };
  if (operator === merchantName) return { kind: 'link', name: null };
  return { kind: operator === gatewayName ? 'gateway' : 'operator', name: null };
}
