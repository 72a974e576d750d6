import type { Mutant } from '../mutant.ts';

const rules = 'services/ledger/src/witnesses/witness.test.ts';
const writer = 'services/ledger/test/witnesses.test.ts';
const kept = 'packages/messaging/test/ledger-seen.test.ts';

/** What keeps a ledger that has lost its last decisions from deciding. */
export const witnesses: readonly Mutant[] = [
  {
    id: 'N1',
    file: 'services/ledger/src/witnesses/witness.ts',
    replaced: "if (seen.incarnation > chain.incarnation) return 'ahead';",
    by: '',
    test: rules,
    named: 'a link of an incarnation that the ledger does not know',
    guarantee: 'A backup from before an incarnation is found to be one.',
  },
  {
    id: 'N2',
    file: 'services/ledger/src/witnesses/witness.ts',
    replaced: "return chain.kept === null ? 'ahead' : null;",
    by: 'return null;',
    test: rules,
    named: 'the chain does not reach it',
    guarantee: 'A chain that has lost its end is found to be shorter.',
  },
  {
    id: 'N3',
    file: 'services/ledger/src/witnesses/witness.ts',
    replaced: "chain.hash === seen.hash ? null : 'differs'",
    by: 'chain.hash === seen.hash ? null : null',
    test: rules,
    named: 'the chain has another link there',
    guarantee: 'Decisions that took the places of lost ones are found.',
  },
  {
    id: 'N4',
    file: 'services/ledger/src/writer/shard-witnesses.ts',
    replaced: 'if (contradictions.length > 0) return await this.#approvedFor(contradictions, session);',
    by: '',
    test: writer,
    named: 'decides nothing on a chain that is behind one of its witnesses',
    guarantee: 'Nothing is decided on a chain that has lost its end.',
  },
  {
    id: 'N5',
    file: 'services/ledger/src/writer/shard-witnesses.ts',
    replaced: 'if (contradictions.length > 0) throw this.#becomeBehind(contradictions);',
    by: '',
    test: writer,
    named: 'ends when one returns that has seen more',
    guarantee: 'A witness that answers late still ends the decisions on a chain that has lost its end.',
  },
  {
    id: 'N6',
    file: 'services/ledger/src/witnesses/incarnation.ts',
    replaced: 'rows.find((pending) => contradictions.every((each) => isKnownTo(pending, each)))',
    by: 'rows[0]',
    test: writer,
    named: 'opens nothing when a witness has seen more than its operators knew of',
    guarantee: 'Two operators have known of everything that a new incarnation gives up.',
  },
  {
    id: 'N7',
    file: 'services/ledger/src/witnesses/lost-range.ts',
    replaced: "and head_sequence = $6 and head_hash = decode($7, 'hex')",
    by: '',
    test: writer,
    named: 'and on one that has gone on since',
    guarantee: 'An approval is for the end of the chain that its operators saw.',
  },
  {
    id: 'N8',
    file: 'services/ledger/src/witnesses/lost-range.ts',
    replaced: 'Math.max(incarnation, ...contradictions.map(({ seen }) => seen.incarnation)) + 1',
    by: 'incarnation + 1',
    test: writer,
    named: 'has a number beyond every one that a witness has seen',
    guarantee: 'No two incarnations of a chain have one number.',
  },
  {
    id: 'N9',
    file: 'packages/messaging/src/ledger-client/ledger-seen.ts',
    replaced: 'where (ledger_seen.incarnation, ledger_seen.sequence) < (excluded.incarnation, excluded.sequence)',
    by: '',
    test: kept,
    named: 'and never less than another one has written',
    guarantee: 'A witness never forgets what another process of its service has seen.',
  },
  {
    id: 'N10',
    file: 'packages/messaging/src/ledger-client/ledger-command-client.ts',
    replaced: 'if (environment && link) this.#onLink?.(environment, link);',
    by: '',
    test: 'test/ledger-journey.test.ts',
    named: 'a ledger restored from an older backup decides nothing until two operators agree',
    guarantee: 'The services that the ledger answers are its witnesses.',
  },
];
