import type { FastifyPluginAsync } from 'fastify';
import type { Site } from '../modules/mail/letters/letter.ts';
import { type Letter, renderLetter } from '../modules/mail/rules.ts';
import { html } from '../platform/http/html.ts';
import { letterFrame, page } from './inbox-pages.ts';
import { pageHeaders, sendLetter, sendPage, styles } from './inbox-routes.ts';
import { contactLetter, letters } from './sample-letters.ts';

const stylesheet = '/dev/letters.css';
const ribbon = 'Demo. These are samples, none was sent.';
const config = { scope: 'public' } as const;
const samples = new Map<string, Letter>(
  [...Object.values(letters), contactLetter].map((letter) => [letter.kind, letter]),
);

interface OneLetter {
  Params: { kind: string };
}

/** Every letter there is, filled in with sample values, so that a changed one can be looked at without being sent. */
export function lettersRoutes(site: Site): FastifyPluginAsync {
  function listPage(): string {
    const rows = [...samples.values()].map(
      (letter) =>
        html`<li><a class="row" href="/dev/letters/${letter.kind}"><b>${renderLetter(letter, site).subject}</b><span>${letter.kind}</span></a></li>`,
    );
    const lede = html`<p class="lede">Each with sample values, as it would be sent from here.</p>`;
    const body = html`<h1>Letters</h1>${lede}<ul class="card rows">${rows}</ul>`;
    return page({ title: 'Letters', ribbon, styles: stylesheet, body });
  }

  function letterPage(letter: Letter): string {
    const { subject, text } = renderLetter(letter, site);
    return page({
      title: subject,
      ribbon,
      styles: stylesheet,
      back: { href: '/dev/letters', label: 'All letters' },
      body: html`<h1>${subject}</h1><p class="lede">${letter.kind}</p>
${letterFrame(`/dev/letters/${letter.kind}/html`)}
<h2>As plain text</h2>
<pre class="card text">${text.trimEnd()}</pre>`,
    });
  }

  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.headers(pageHeaders));
    app.get('/dev/letters', { config }, async (_request, reply) => sendPage(reply, listPage()));
    app.get(stylesheet, { config }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(styles),
    );
    app.get<OneLetter>('/dev/letters/:kind', { config }, async ({ params }, reply) => {
      const letter = samples.get(params.kind);
      return letter ? sendPage(reply, letterPage(letter)) : reply.callNotFound();
    });
    app.get<OneLetter>('/dev/letters/:kind/html', { config }, async ({ params }, reply) => {
      const letter = samples.get(params.kind);
      return letter ? sendLetter(reply, renderLetter(letter, site).html) : reply.callNotFound();
    });
  };
}
