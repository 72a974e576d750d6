import * as contracts from '@gateway/contracts/reconciler';
import { answering, type RpcRoute } from '@gateway/messaging';
import { importStatementFile } from '#src/files/import-statement-file.ts';
import { approveStatementMapping, draftStatementMapping, listStatementMappings } from '#src/files/mappings.ts';
import {
  appendStatementFile,
  beginStatementFile,
  type ReceivingDependencies,
} from '#src/files/receive-statement-file.ts';
import { getStatementFile, listStatementFiles } from '#src/files/statement-file.ts';

/** Every question this service answers, besides those about its health and its dead letters. */
export function rpcRoutes(dependencies: ReceivingDependencies): readonly RpcRoute[] {
  return [
    answering(contracts.beginStatementFile, (request) => beginStatementFile(dependencies, request)),
    answering(contracts.appendStatementFile, (request) => appendStatementFile(dependencies, request)),
    answering(contracts.importStatementFile, (request) => importStatementFile(dependencies, request)),
    answering(contracts.listStatementFiles, (request) => listStatementFiles(dependencies, request)),
    answering(contracts.getStatementFile, (request) => getStatementFile(dependencies, request)),
    answering(contracts.draftStatementMapping, (request) => draftStatementMapping(dependencies, request)),
    answering(contracts.approveStatementMapping, (request) => approveStatementMapping(dependencies, request)),
    answering(contracts.listStatementMappings, (request) => listStatementMappings(dependencies, request)),
  ];
}
