import type { LedgerCommand } from '@gateway/contracts/ledger';
import { requestOf } from '#src/chain/canonical-request.ts';
import { genesisHash } from '#src/chain/link.ts';
import { apply, type BatchOutcome, type EarlierDecision } from '#src/decision/apply.ts';
import type { Decision } from '#src/decision/decision.ts';
import type { Reference } from '#src/posting/reference.ts';
import { LedgerState } from '#src/state/ledger-state.ts';

const shard = { environment: 'test', shard: 0 };

/** The pure ledger with a memory that forgets nothing: what PostgreSQL is to the writer. */
export class PureLedger {
  readonly state = new LedgerState({ sequence: 0, hash: genesisHash, decidedAtMs: 0 }, [], []);
  readonly decided = new Map<string, EarlierDecision>();
  readonly references = new Map<string, Reference>();
  readonly decisions: Decision[] = [];
  #entries = 0;

  constructor() {
    this.state.rememberProviders(['sandbox']);
  }

  applyAll(commands: readonly LedgerCommand[], atSec: number): BatchOutcome {
    this.state.rememberAccounts(
      commands.map((command) => command.accountId).filter((id) => !this.state.knowsAccount(id)),
      [],
    );
    const known = { decided: this.decided, references: this.references };
    const newEntryId = () => `led_${String(++this.#entries).padStart(26, '0')}`;
    const outcome = apply(shard, this.state, known, commands.map(requestOf), { atMs: atSec * 1_000, newEntryId });
    this.state.apply(outcome.change);
    for (const reference of outcome.change.references) this.references.set(reference.id, reference);
    for (const decision of outcome.decisions) {
      this.decisions.push(decision);
      const answer = outcome.answers.find((each) => each.commandId === decision.command.id);
      if (!answer) throw new Error(`no answer for ${decision.command.id}`);
      const { requestHash, command } = decision;
      this.decided.set(command.id, { requestHash, request: { ...command }, result: answer });
    }
    return outcome;
  }
}
