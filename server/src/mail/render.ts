import { asName } from '#contract/common.ts'
import type { Locale } from '#messages/locales.ts'
import { escapeHtml } from '../kit/escape-html.ts'

/** What a mail says, for both of its forms. */
export interface MailContent {
  subject: string
  blocks: readonly Block[]
  /** Small, at the end. */
  footer: readonly Block[]
}

export type Block =
  | { type: 'title' | 'heading' | 'text'; text: string }
  | { type: 'link' | 'button'; text: string; url: string }
  | { type: 'pictures'; pictures: readonly Picture[] }

export interface Picture {
  cid: string
  alt: string
  url: string
  width: number
  height: number
}

/** Texts of people in a mail: one line, without control characters, not too long. */
export function oneLine(text: string, longest = 140): string {
  const characters = [...asName(text)]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest).join('').trimEnd()}…`
}

/** A name that no mail program makes a link of, whatever people call themselves. */
export function plainName(name: string): string {
  return oneLine(name, 60).replace(/[./:@\\](?=\S)/g, '$& ')
}

export function renderText({ blocks, footer }: MailContent): string {
  const lines = [...blocks.flatMap(textOf), '', '-- ', ...footer.flatMap(textOf)]
  return `${lines.join('\n').trim()}\n`
}

function textOf(block: Block): string[] {
  switch (block.type) {
    case 'title':
    case 'heading':
      return ['', block.text, '']
    case 'text':
      return [block.text]
    case 'link':
      return [`- ${block.text}`, `  ${block.url}`]
    case 'button':
      return ['', `${block.text}:`, block.url, '']
    case 'pictures':
      return []
  }
}

const light = { paper: '#f6f2ea', card: '#fffdfa', ink: '#33291f', soft: '#6a5d50', accent: '#9c4a2b', line: '#e4dccf' }
const dark = { paper: '#1f1a16', card: '#2a231e', ink: '#efe6da', soft: '#bcae9f', accent: '#e79a78', line: '#453b32' }
const SANS = "'Segoe UI', Helvetica, Arial, sans-serif"
const SERIF = "Georgia, 'Times New Roman', serif"
const WIDTH = 600
const INNER = WIDTH - 2 * 24

/**
 * Tables and inline styles, because Outlook renders mails like Word. Programs that know style elements and have a dark
 * mode get its colours by the classes.
 */
export function renderHtml(content: MailContent, locale: Locale): string {
  return `<!doctype html>
<html lang="${locale}" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) { ${darkRules('')} }
${darkRules('[data-ogsc] ')}
@media (max-width: 620px) { .card { padding: 20px 16px !important; } }
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${light.paper};">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper" bgcolor="${light.paper}" style="background-color:${light.paper};">
<tr><td align="center" style="padding:16px 8px;">
<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:${WIDTH}px;">
<tr><td class="card" bgcolor="${light.card}" style="background-color:${light.card};padding:28px 24px;border-radius:10px;">
${content.blocks.map(htmlOf).join('\n')}
</td></tr>
<tr><td style="padding:16px 24px;">
${content.footer.map(smallHtmlOf).join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

/** Important, since they replace inline styles. */
function darkRules(scope: string): string {
  const { paper, card, ink, soft, accent, line } = dark
  return [
    `${scope}.paper { background-color: ${paper} !important; }`,
    `${scope}.card { background-color: ${card} !important; }`,
    `${scope}.ink { color: ${ink} !important; }`,
    `${scope}.soft { color: ${soft} !important; }`,
    `${scope}.accent { color: ${accent} !important; }`,
    `${scope}.button { background-color: ${accent} !important; }`,
    `${scope}.button a { color: ${paper} !important; }`,
    `${scope}.line { border-color: ${line} !important; }`,
  ].join(' ')
}

function htmlOf(block: Block): string {
  switch (block.type) {
    case 'title':
      return `<h1 class="ink" style="margin:0 0 16px;font-family:${SERIF};font-size:24px;line-height:1.3;font-weight:bold;color:${light.ink};">${words(block.text)}</h1>`
    case 'heading':
      return `<h2 class="ink line" style="margin:24px 0 8px;padding:16px 0 0;border-top:1px solid ${light.line};font-family:${SERIF};font-size:18px;line-height:1.3;font-weight:bold;color:${light.ink};">${words(block.text)}</h2>`
    case 'text':
      return `<p class="ink" style="margin:0 0 8px;font-family:${SANS};font-size:16px;line-height:1.5;color:${light.ink};">${words(block.text)}</p>`
    case 'link':
      return `<p style="margin:0 0 8px;font-family:${SANS};font-size:16px;line-height:1.5;"><a href="${escapeHtml(block.url)}" class="accent" style="color:${light.accent};text-decoration:underline;">${words(block.text)}</a></p>`
    case 'button':
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 4px;"><tr><td class="button" bgcolor="${light.accent}" style="background-color:${light.accent};border-radius:8px;padding:12px 22px;"><a href="${escapeHtml(block.url)}" style="font-family:${SANS};font-size:16px;line-height:20px;font-weight:bold;color:#ffffff;text-decoration:none;">${words(block.text)}</a></td></tr></table>`
    case 'pictures':
      return rowsOf(block.pictures).map(htmlOfRow).join('\n')
  }
}

function smallHtmlOf(block: Block): string {
  const style = `margin:0 0 6px;font-family:${SANS};font-size:13px;line-height:1.5;`
  if (block.type === 'text') {
    return `<p class="soft" style="${style}color:${light.soft};">${words(block.text)}</p>`
  }
  if (block.type !== 'link') throw new Error(`A footer has no ${block.type}`)
  return `<p style="${style}"><a href="${escapeHtml(block.url)}" class="soft" style="color:${light.soft};text-decoration:underline;">${words(block.text)}</a></p>`
}

/** The direction of each text is its own, since names may be of any script. */
function words(text: string): string {
  return `<span dir="auto">${escapeHtml(text)}</span>`
}

const GAP = 6

/** Three in a row, or two rows of two. */
function rowsOf(pictures: readonly Picture[]): Picture[][] {
  const perRow = pictures.length === 4 ? 2 : 3
  return Array.from({ length: Math.ceil(pictures.length / perRow) }, (_, row) =>
    pictures.slice(row * perRow, (row + 1) * perRow),
  )
}

/** All of one height, as large as the stored pictures allow: their widths share the row in their proportions. */
function htmlOfRow(row: readonly Picture[]): string {
  const widths = row.map(({ width, height }) => Math.min(3, Math.max(0.4, width / height)))
  const sum = widths.reduce((all, width) => all + width, 0)
  const height = Math.min(190, (INNER - GAP * row.length) / sum)
  const total = Math.round(height * sum + GAP * row.length)
  const cells = row.map(({ cid, alt, url }, index) => {
    const width = Math.round(height * (widths[index] ?? 1))
    const share = ((width + GAP) / total) * 100
    return `<td width="${share.toFixed(2)}%" valign="top" style="padding:0 ${GAP}px ${GAP}px 0;"><a href="${escapeHtml(url)}"><img src="cid:${cid}" width="${width}" height="${Math.round(height)}" alt="${escapeHtml(alt)}" border="0" style="display:block;width:100%;height:auto;border-radius:4px;"></a></td>`
  })
  return `<table role="presentation" width="${total}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${total}px;margin:8px 0 0;"><tr>${cells.join('')}</tr></table>`
}
