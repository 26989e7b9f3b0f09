import { useQuery } from '@tanstack/react-query'
import { type AppSettings, appSettings } from '#contract/auth.ts'
import { query } from './queries.ts'

/** What stands until the server has told its own, or when it cannot. */
const defaultSettings: AppSettings = {
  title: 'Heirloom',
  contactName: 'Mum',
  adminName: 'the admin',
  uploadsUrl: null,
  transcoderCoreUrl: null,
  trashDays: 30,
  demo: false,
}

/** The title of this library and whom to call about access. */
export function useAppSettings(): AppSettings {
  return useQuery({ ...query(appSettings, {}), staleTime: Number.POSITIVE_INFINITY }).data ?? defaultSettings
}
