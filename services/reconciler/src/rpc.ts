import * as contracts from '@gateway/contracts/reconciler';
import { answering, type RpcRoute } from '@gateway/messaging';
import { listDays } from '#src/days/list-days.ts';
import { closeByHand, closeDays, type DaysDependencies } from '#src/days/statement-days.ts';
import { getException, listExceptions } from '#src/exceptions/exception-rows.ts';
import { readExplained } from '#src/exceptions/read-explained.ts';
import { propose, reopen, resolve, type ResolvingDependencies } from '#src/exceptions/resolve-exception.ts';
import { importStatementFile } from '#src/files/import-statement-file.ts';
import { approveStatementMapping, draftStatementMapping, listStatementMappings } from '#src/files/mappings.ts';
import {
  appendStatementFile,
  beginStatementFile,
  type ReceivingDependencies,
} from '#src/files/receive-statement-file.ts';
import { getStatementFile, listStatementFiles } from '#src/files/statement-file.ts';
import { linesOfRecords } from '#src/lines/lines-of-records.ts';
import { listLines } from '#src/lines/read-lines.ts';
import { sweep } from '#src/matching/sweep.ts';

/** Every question this service answers, besides those about its health and its dead letters. */
export function rpcRoutes(
  dependencies: ReceivingDependencies & DaysDependencies & ResolvingDependencies,
): readonly RpcRoute[] {
  return [
    answering(contracts.beginStatementFile, (request) => beginStatementFile(dependencies, request)),
    answering(contracts.appendStatementFile, (request) => appendStatementFile(dependencies, request)),
    answering(contracts.importStatementFile, (request) => importStatementFile(dependencies, request)),
    answering(contracts.listStatementFiles, (request) => listStatementFiles(dependencies, request)),
    answering(contracts.getStatementFile, (request) => getStatementFile(dependencies, request)),
    answering(contracts.draftStatementMapping, (request) => draftStatementMapping(dependencies, request)),
    answering(contracts.approveStatementMapping, (request) => approveStatementMapping(dependencies, request)),
    answering(contracts.listStatementMappings, (request) => listStatementMappings(dependencies, request)),
    answering(contracts.listExceptions, (request) => listExceptions(dependencies, request)),
    answering(contracts.getException, (request) => getException(dependencies, request)),
    answering(contracts.getExplained, (request) => readExplained(dependencies, request)),
    answering(contracts.proposeResolution, (request) => propose(dependencies, request)),
    answering(contracts.resolveException, (request) => resolve(dependencies, request)),
    answering(contracts.reopenException, (request) => reopen(dependencies, request)),
    answering(contracts.listLines, (request) => listLines(dependencies, request)),
    answering(contracts.listRecordLines, (request) => linesOfRecords(dependencies, request)),
    answering(contracts.listStatementDays, (request) => listDays(dependencies, request)),
    answering(contracts.closeStatementDay, (request) => closeByHand(dependencies, request)),
    answering(contracts.sweepMatches, async () => {
      await sweep(dependencies);
      await closeDays(dependencies);
      return {};
    }),
  ];
}
