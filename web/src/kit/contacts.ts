import type { AppSettings } from '#contract/auth.ts'
import { defaultSettings, useAppSettings } from './settings.ts'
import { texts } from './texts.ts'

/** The settings; contacts that nobody has named are called as in the person's language. */
export function useContacts(): AppSettings {
  const settings = useAppSettings()
  const { contactName, adminName } = settings
  return {
    ...settings,
    contactName: contactName === defaultSettings.contactName ? texts.contact : contactName,
    adminName: adminName === defaultSettings.adminName ? texts.admin : adminName,
  }
}
