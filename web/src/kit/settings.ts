import { useQuery } from '@tanstack/react-query'
import { type AppSettings, appSettings } from '#contract/auth.ts'
import { query } from './queries.ts'

/** Used until the server's settings are loaded, or if that fails. */
export const defaultSettings: AppSettings = {
  title: 'Heirloom',
  contactName: 'Mum',
  adminName: 'the admin',
  uploadsUrl: null,
  transcoderCoreUrl: null,
  trashDays: 30,
  demo: false,
}

/** The library's title, contacts and limits. */
export function useAppSettings(): AppSettings {
  return useQuery({ ...query(appSettings, {}), staleTime: Number.POSITIVE_INFINITY }).data ?? defaultSettings
}
