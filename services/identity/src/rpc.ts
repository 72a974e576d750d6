import * as contracts from '@gateway/contracts/identity';
import { answering, type RpcRoute } from '@gateway/messaging';
import { addPasskey, beginPasskey, listCredentials, removePasskey } from '#src/credentials/passkeys.ts';
import { beginTotp, createRecoveryCodes, setPassword } from '#src/credentials/passwords.ts';
import { listSignIns } from '#src/history/list-sign-ins.ts';
import { acceptInvitation } from '#src/invitations/accept-invitation.ts';
import { beginRecovery } from '#src/invitations/begin-recovery.ts';
import { confirmInvitation, revokeInvitation } from '#src/invitations/decide-invitation.ts';
import { createInvitation, listInvitations, readInvitation } from '#src/invitations/invite.ts';
import type { WithIssuers } from '#src/issuers/issuers.ts';
import { changeRoles, reinstatePerson, suspendPerson } from '#src/rights/change-person.ts';
import { checkSecondPerson, listPeople } from '#src/people/read-people.ts';
import {
  createServiceToken,
  listServiceTokens,
  resolveServiceToken,
  revokeServiceToken,
} from '#src/service-tokens/service-tokens.ts';
import { endSession, endSessions } from '#src/sessions/end-sessions.ts';
import { listSessions } from '#src/sessions/read-session.ts';
import { resolveSession } from '#src/sessions/resolve-session.ts';
import { beginIssuerSignIn, finishIssuerSignIn, getIssuer } from '#src/signing-in/with-issuer.ts';
import { signInWithLink } from '#src/signing-in/with-link.ts';
import { beginSignIn, finishSignIn } from '#src/signing-in/with-passkey.ts';
import type { WithPasswords } from '#src/passwords/password-hashes.ts';
import { signInWithPassword, signInWithRecoveryCode } from '#src/signing-in/with-password.ts';
import { beginStepUp, useStepUp } from '#src/step-up/step-up.ts';

/** Every question this service answers. */
export function rpcRoutes(dependencies: WithPasswords & WithIssuers): readonly RpcRoute[] {
  return [
    answering(contracts.beginSignIn, (request) => beginSignIn(dependencies, request)),
    answering(contracts.finishSignIn, (request) => finishSignIn(dependencies, request)),
    answering(contracts.signInWithPassword, (request) => signInWithPassword(dependencies, request)),
    answering(contracts.signInWithRecoveryCode, (request) => signInWithRecoveryCode(dependencies, request)),
    answering(contracts.signInWithLink, (request) => signInWithLink(dependencies, request)),
    answering(contracts.getIssuer, (request) => getIssuer(dependencies, request)),
    answering(contracts.beginIssuerSignIn, (request) => beginIssuerSignIn(dependencies, request)),
    answering(contracts.finishIssuerSignIn, (request) => finishIssuerSignIn(dependencies, request)),
    answering(contracts.resolveSession, (request) => resolveSession(dependencies, request)),
    answering(contracts.listSessions, (request) => listSessions(dependencies, request)),
    answering(contracts.endSession, (request) => endSession(dependencies, request)),
    answering(contracts.endSessions, (request) => endSessions(dependencies, request)),
    answering(contracts.listCredentials, (request) => listCredentials(dependencies, request)),
    answering(contracts.beginPasskey, (request) => beginPasskey(dependencies, request)),
    answering(contracts.addPasskey, (request) => addPasskey(dependencies, request)),
    answering(contracts.removePasskey, (request) => removePasskey(dependencies, request)),
    answering(contracts.beginTotp, (request) => beginTotp(dependencies, request)),
    answering(contracts.setPassword, (request) => setPassword(dependencies, request)),
    answering(contracts.createRecoveryCodes, (request) => createRecoveryCodes(dependencies, request)),
    answering(contracts.beginStepUp, (request) => beginStepUp(dependencies, request)),
    answering(contracts.useStepUp, (request) => useStepUp(dependencies, request)),
    answering(contracts.createInvitation, (request) => createInvitation(dependencies, request)),
    answering(contracts.readInvitation, (request) => readInvitation(dependencies, request)),
    answering(contracts.acceptInvitation, (request) => acceptInvitation(dependencies, request)),
    answering(contracts.confirmInvitation, (request) => confirmInvitation(dependencies, request)),
    answering(contracts.revokeInvitation, (request) => revokeInvitation(dependencies, request)),
    answering(contracts.listInvitations, (request) => listInvitations(dependencies, request)),
    answering(contracts.listPeople, (request) => listPeople(dependencies, request)),
    answering(contracts.changeRoles, (request) => changeRoles(dependencies, request)),
    answering(contracts.suspendPerson, (request) => suspendPerson(dependencies, request)),
    answering(contracts.reinstatePerson, (request) => reinstatePerson(dependencies, request)),
    answering(contracts.beginRecovery, (request) => beginRecovery(dependencies, request)),
    answering(contracts.checkSecondPerson, (request) => checkSecondPerson(dependencies, request)),
    answering(contracts.listSignIns, (request) => listSignIns(dependencies, request)),
    answering(contracts.createServiceToken, (request) => createServiceToken(dependencies, request)),
    answering(contracts.listServiceTokens, () => listServiceTokens(dependencies)),
    answering(contracts.revokeServiceToken, (request) => revokeServiceToken(dependencies, request)),
    answering(contracts.resolveServiceToken, (request) => resolveServiceToken(dependencies, request)),
  ];
}
