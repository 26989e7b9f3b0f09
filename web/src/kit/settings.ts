import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type AppSettings, appSettings } from '#contract/auth.ts'
import { formatBadge } from './format.ts'
import { query } from './queries.ts'
import { useUnread } from './unread.ts'

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

/** Names the browser's tab after the page, with how much is unread: "(3) Admin · Heirloom". */
export function usePageTitle(page: string): void {
  const { title } = useAppSettings()
  const unread = useUnread()
  useEffect(() => {
    document.title = `${unread === 0 ? '' : `(${formatBadge(unread)}) `}${page} · ${title}`
  }, [page, title, unread])
}
