import { type Html, html } from '../platform/http/html.ts';
import type { InboxMessage } from './inbox.ts';

const brandMark = html`<svg viewBox="0 0 28 28" aria-hidden="true"><path fill="currentColor" d="M4 5.5A2.5 2.5 0 0 1 6.5 3H13v4.5L9.5 10.5 13 13.5v1L9.5 17.5 13 20.5V25H6.5A2.5 2.5 0 0 1 4 22.5Z"/><path fill="currentColor" opacity=".55" d="M15 1h6.5A2.5 2.5 0 0 1 24 3.5v17a2.5 2.5 0 0 1-2.5 2.5H15v-2.5l3.5-3L15 14.5v-1l3.5-3L15 7.5Z"/></svg>`;

const bareStick = html`<svg viewBox="0 0 160 44" aria-hidden="true"><path fill="#D2A56C" d="M4.5 2H160L154 20H0V6.5A4.5 4.5 0 0 1 4.5 2Z"/><path fill="#EBCB9C" d="M4.5 2H160l-.5 1.5H1.2A4.5 4.5 0 0 1 4.5 2Z"/><path fill="#9A6B3A" d="M0 24H128L122 42H4.5A4.5 4.5 0 0 1 0 37.5Z"/></svg>`;

interface Page {
  title: string;
  body: Html;
  /** The list shows new mail without being asked. */
  refreshSeconds?: number;
  /** What is said of the mail above all pages. */
  ribbon?: string;
  /** One page up; without it, the site. */
  back?: { href: string; label: string };
  styles?: string;
}

const toSite = { href: '/', label: 'Back to site' };
const allMessages = { href: '/dev/inbox', label: 'All messages' };

export function page({ title, body, refreshSeconds, back = toSite, ...shown }: Page): string {
  const { ribbon = 'Demo. This mail has not left this machine.', styles = '/dev/inbox.css' } = shown;
  const refresh = refreshSeconds ? html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">` : '';
  const link = html`<a class="back" href="${back.href}">${back.label}</a>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
${refresh}
<title>${title}</title>
<link rel="stylesheet" href="${styles}">
</head>
<body>
<aside class="ribbon">${ribbon}</aside>
<div class="page">
<header class="top"><a class="brand" href="/" aria-label="Home">${brandMark}</a>${link}</header>
<main>
${body}
</main>
</div>
</body>
</html>
`.markup;
}

/** 'Sun, 15 Nov 2026 14:32:05 UTC' */
function time(instant: Date): Html {
  return html`<time datetime="${instant.toISOString()}">${instant.toUTCString().replace('GMT', 'UTC')}</time>`;
}

function subjectOf(message: InboxMessage): string {
  return message.subject || '(no subject)';
}

const emptyCard = html`<div class="card empty">${bareStick}<b>No mail yet</b><p>Create an account or ask for a new password: the letter appears here by itself.</p><a class="button" href="/signup">Sign Up</a></div>`;

function row(message: InboxMessage): Html {
  return html`<li><a class="row" href="/dev/inbox/${message.id}"><b>${subjectOf(message)}</b>${time(message.receivedAt)}<span>To ${message.to}</span></a></li>`;
}

export function listPage(messages: InboxMessage[]): string {
  const list = messages.length === 0 ? emptyCard : html`<ul class="card rows">${messages.map(row)}</ul>`;
  return page({
    title: 'Development inbox',
    refreshSeconds: 5,
    body: html`<h1>Development inbox</h1><p class="lede">Newest first. This page looks for new mail every five seconds.</p>${list}`,
  });
}

/** Without allow-scripts nothing in a letter can run; a press on its button may leave for the page it names. */
export function letterFrame(address: string): Html {
  return html`<div class="card"><iframe class="letter" title="The letter" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" src="${address}"></iframe></div>`;
}

export function messagePage(message: InboxMessage): string {
  const letter = message.html ? letterFrame(`/dev/inbox/${message.id}/html`) : '';
  const headers = message.headers.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`);
  return page({
    title: subjectOf(message),
    back: allMessages,
    body: html`<h1>${subjectOf(message)}</h1>
<dl class="facts"><dt>From</dt><dd>${message.from}</dd><dt>To</dt><dd>${message.to}</dd><dt>Received</dt><dd>${time(message.receivedAt)}</dd></dl>
${letter}
<h2>As plain text</h2>
<pre class="card text">${message.text.trimEnd()}</pre>
<details><summary>All headers</summary><dl class="facts">${headers}</dl></details>`,
  });
}

export function notFoundPage(): string {
  return page({
    title: 'No such message',
    back: allMessages,
    body: html`<h1>No such message</h1><p class="lede">It may have been cleared away: the inbox keeps the newest 500.</p>`,
  });
}

/** Links of a letter lead out of the frame it is shown in. */
export function framedLetter(letter: string): string {
  const base = '<base target="_top">';
  return /<head[^>]*>/i.test(letter) ? letter.replace(/<head[^>]*>/i, (head) => head + base) : base + letter;
}
