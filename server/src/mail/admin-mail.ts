import type { Locale } from '#messages/locales.ts'
import { textsIn } from '../kit/messages.ts'
import type { MailContent } from './render.ts'

/** A mail to an admin: what is the matter, and a link to the admin page. */
export function adminContent(
  { config, publicUrl }: { config: { title: string }; publicUrl: URL },
  locale: Locale,
  { subject, heading, lines, open }: { subject: string; heading: string; lines: readonly string[]; open: string },
): { content: MailContent } {
  const { footer } = textsIn('mail', locale)
  return {
    content: {
      subject,
      blocks: [
        { type: 'title', text: heading },
        ...lines.map(text => ({ type: 'text', text }) as const),
        { type: 'button', text: open, url: new URL('/admin', publicUrl).href },
      ],
      footer: [{ type: 'text', text: footer.admin({ library: config.title }) }],
    },
  }
}
