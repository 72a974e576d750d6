import { z } from 'zod';
import type { MessageLanguage } from '#src/values/index.ts';

/**
 * Why evidence is not with the provider:
 *
 * - refused: the provider refused it.
 * - too_late: the dispute was decided before it could be handed over.
 * - by_hand: the provider takes none over its interface, and an operator hands it over.
 */
export const evidenceFailureSchema = z.enum(['refused', 'too_late', 'by_hand']);
export type EvidenceFailure = z.infer<typeof evidenceFailureSchema>;

type Message = Readonly<Record<MessageLanguage, string>>;

/** What a merchant reads of it (api.md 8); the provider's own words are for operators. */
const evidenceFailureMessages: Readonly<Record<EvidenceFailure, Message>> = {
  refused: {
    en: 'The provider refused the evidence.',
    pt: 'O provedor recusou as provas.',
    es: 'El proveedor rechazó las pruebas.',
  },
  too_late: {
    en: 'The dispute was decided before the evidence could be handed over.',
    pt: 'A contestação foi decidida antes que as provas pudessem ser entregues.',
    es: 'La disputa se decidió antes de que se pudieran entregar las pruebas.',
  },
  by_hand: {
    en: 'The provider takes no evidence over its interface; an operator hands it over.',
    pt: 'O provedor não recebe provas por sua interface; um operador as entrega.',
    es: 'El proveedor no recibe pruebas por su interfaz; un operador las entrega.',
  },
};

export function evidenceFailureMessageOf(failure: EvidenceFailure, language: MessageLanguage = 'en'): string {
  return evidenceFailureMessages[failure][language];
}
