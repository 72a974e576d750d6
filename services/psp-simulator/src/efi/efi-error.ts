/** A refusal in Efí's own form, beside the problems of the Pix API. */
export class EfiError extends Error {
  readonly status: number;
  readonly body: { readonly nome: string; readonly mensagem: string };

  constructor(status: number, nome: string, mensagem: string) {
    super(nome);
    this.status = status;
    this.body = { nome, mensagem };
  }
}
