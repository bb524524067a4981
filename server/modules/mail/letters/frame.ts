import { type Html, html } from '../../../platform/http/html.ts';
import { type Content, type Part, riskLine, type Site } from './letter.ts';

// Mail programs know little CSS: everything is a table with inline styles, in the light colours of the design alone.
const canvas = '#F4F6F9';
const surface = '#FFFFFF';
const line = '#E0E5ED';
const text = '#0D1830';
const text2 = '#414D66';
const text3 = '#59657C';
const accent = '#1F4AC2';
const accentPale = '#8EA5E0';
const accentTint = '#E8EEFB';
const fonts = html`'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif`;

const layout = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

function paragraph(words: string): Html {
  return html`<p style="margin:0 0 20px;font-size:16px;line-height:25px;color:${text2}">${words}</p>`;
}

/** The code is one word, spaced by style alone: selected and copied it is four digits and nothing else. */
function codeBox(code: string): Html {
  return html`<table ${layout} width="100%" style="margin:4px 0 24px"><tr><td align="center" bgcolor="${accentTint}" style="background:${accentTint};border-radius:14px;padding:22px 8px;font-size:44px;line-height:48px;font-weight:700;letter-spacing:14px;text-indent:14px;color:${text};font-variant-numeric:tabular-nums">${code}</td></tr></table>`;
}

function factRows(facts: { label: string; value: string }[]): Html {
  const rows = facts.map(({ label, value }, at) => {
    const edge = at === 0 ? 'none' : `1px solid ${line}`;
    return html`<tr><td valign="top" width="32%" style="border-top:${edge};padding:10px 0 10px 18px;font-size:14px;line-height:21px;word-break:normal;overflow-wrap:normal;color:${text3}">${label}</td><td valign="top" style="border-top:${edge};padding:10px 18px 10px 12px;font-size:14px;line-height:21px;color:${text}">${value}</td></tr>`;
  });
  return html`<table ${layout} width="100%" bgcolor="${canvas}" style="margin:4px 0 24px;background:${canvas};border-radius:14px;border-collapse:separate">${rows}</table>`;
}

function button(label: string, url: string): Html {
  return html`<table ${layout} style="margin:0 0 4px"><tr><td bgcolor="${accent}" style="background:${accent};border-radius:10px"><a href="${url}" style="display:inline-block;padding:14px 22px;font-size:16px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none">${label}</a></td></tr></table>`;
}

function partHtml(part: Part): Html {
  switch (part.kind) {
    case 'paragraph':
      return paragraph(part.text);
    case 'code':
      return codeBox(part.code);
    case 'facts':
      return factRows(part.facts);
    case 'link':
      return button(part.label, part.url);
  }
}

function brand(name: string): Html {
  const half = (colour: string, radius: string) =>
    html`<td bgcolor="${colour}" style="width:13px;height:28px;background:${colour};border-radius:${radius};font-size:0;line-height:0">&nbsp;</td>`;
  return html`<table ${layout}><tr>${half(accent, '3px 0 0 3px')}<td style="width:2px;font-size:0;line-height:0">&nbsp;</td>${half(accentPale, '0 3px 3px 0')}<td style="padding-left:10px;font-size:20px;line-height:28px;font-weight:700;letter-spacing:-.4px;color:${text}">${name}</td></tr></table>`;
}

function footer({ name, address, supportEmail, sample }: Site): Html {
  const sampleAddress = sample ? ' (sample address)' : '';
  const sampleContact = sample ? ' (sample)' : '';
  return html`${name}, ${address}${sampleAddress}<br>Questions: <a href="mailto:${supportEmail}" style="color:${text3}">${supportEmail}</a>${sampleContact}<br>${riskLine}`;
}

/** The card all letters share. */
export function renderHtml(content: Content, site: Site): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${content.subject}</title>
</head>
<body style="margin:0;padding:0;background:${canvas}">
<div style="display:none;max-height:0;overflow:hidden">${content.preview}</div>
<table ${layout} width="100%" bgcolor="${canvas}" style="background:${canvas}"><tr><td align="center" style="padding:32px 12px">
<!--[if mso]><table ${layout} width="560"><tr><td><![endif]-->
<table ${layout} width="100%" style="max-width:560px;font-family:${fonts};color:${text};text-align:left;word-break:break-word;overflow-wrap:anywhere">
<tr><td style="padding:0 8px 20px">${brand(site.name)}</td></tr>
<tr><td bgcolor="${surface}" style="background:${surface};border:1px solid ${line};border-radius:16px;padding:32px 28px">
<h1 style="margin:0 0 12px;font-size:24px;line-height:30px;font-weight:600;letter-spacing:-.4px;color:${text}">${content.title}</h1>
${content.parts.map(partHtml)}
<table ${layout} width="100%" style="margin:24px 0 0"><tr><td style="border-top:1px solid ${line};padding-top:18px;font-size:14px;line-height:21px;color:${text3}">${content.notice}</td></tr></table>
</td></tr>
<tr><td style="padding:20px 8px 0;font-size:13px;line-height:20px;color:${text3}">${footer(site)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
  return page.markup;
}
