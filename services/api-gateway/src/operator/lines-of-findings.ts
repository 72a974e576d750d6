import type { ReconciliationFinding } from '@gateway/contracts/ledger';
import { listRecordLines } from '@gateway/contracts/reconciler';
import { type Askable, callRpc } from '@gateway/messaging';
import { presentFinding } from '@gateway/public-api';
import { askSources } from '#src/operator/ask-sources.ts';

/** Without an answer by then, findings are shown without their lines. */
const linesTimeout = { timeoutMs: 800 };

/** Findings as they are shown, each beside the line of the provider's statement in which its record is. */
export async function presentWithLines(bus: Askable, findings: readonly ReconciliationFinding[]) {
  const records = [...new Set(findings.flatMap(liveRecordOf))];
  const read = async () =>
    records.length === 0 ? [] : (await callRpc(bus, listRecordLines, { records }, linesTimeout)).lines;
  const { found, incomplete } = await askSources([{ name: 'reconciler', read }]);
  const lines = new Map(found.map((line) => [line.recordId, line]));
  return findings.map((finding) => {
    const [record] = liveRecordOf(finding);
    if (record === undefined) return presentFinding(finding, null);
    return presentFinding(finding, incomplete.length > 0 ? undefined : (lines.get(record) ?? null));
  });
}

/** No statement of a provider has what happens in test mode. */
function liveRecordOf({ environment, recordId }: ReconciliationFinding): string[] {
  return environment === 'live' && recordId !== null ? [recordId] : [];
}
