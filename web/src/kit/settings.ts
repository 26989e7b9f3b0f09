import { useQuery } from '@tanstack/react-query'
import { type AppSettings, appSettings } from '#contract/auth.ts'
import { query } from './queries.ts'
import { texts } from './texts.ts'

/** Used until the server's settings are loaded, or if that fails. */
const defaultSettings: AppSettings = {
  title: 'Heirloom',
  contactName: 'Mum',
  adminName: 'the admin',
  uploadsUrl: null,
  transcoderCoreUrl: null,
  trashDays: 30,
  demo: false,
}

/** The library's title, contacts and limits. Contacts that nobody has named are called as in the person's language. */
export function useAppSettings(): AppSettings {
  const { data = defaultSettings } = useQuery({ ...query(appSettings, {}), staleTime: Number.POSITIVE_INFINITY })
  const { contactName, adminName } = data
  return {
    ...data,
    contactName: contactName === defaultSettings.contactName ? texts.contact : contactName,
    adminName: adminName === defaultSettings.adminName ? texts.admin : adminName,
  }
}
