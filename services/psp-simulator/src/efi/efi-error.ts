import { OwnRefusal } from '#src/bacen/problem.ts';

/** A refusal in Efí's own form: a name for machines and a sentence. */
export class EfiError extends OwnRefusal {
  constructor(status: number, nome: string, mensagem: string) {
    super(status, nome, { nome, mensagem });
  }
}
