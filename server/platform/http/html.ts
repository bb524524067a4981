/** Markup that is safe to send. The class stays here, so only the `html` tag makes one and nothing unescaped gets in. */
class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type { Html };

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markupOf(value: string | Html | Html[]): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map((part) => part.markup).join('');
  return value.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Escapes every string put into the template; other `Html` goes in as it is. */
export function html(fixed: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  return new Html(fixed.reduce((markup, piece, at) => markup + markupOf(values[at - 1] ?? '') + piece));
}
