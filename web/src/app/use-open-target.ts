import { useLocation, useNavigate } from 'react-router'
import type { NotificationTarget } from '#contract/notifications.ts'
import { useChat } from '../chat/ChatProvider.tsx'

/** The ways to what notifications and messages speak of. */
export function useOpenTarget() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { show } = useChat()

  /** Above the list that somebody is looking at, or above the whole library. */
  function openPhoto(id: number, noteId: number | null = null) {
    const params = new URLSearchParams(pathname === '/' ? search : '')
    params.set('file', String(id))
    params.delete('note')
    if (noteId !== null) params.set('note', String(noteId))
    navigate(`/?${params}`)
  }

  function openTarget(openTarget: NotificationTarget) {
    switch (openTarget.kind) {
      case 'media':
        return openPhoto(openTarget.media_id, openTarget.note_id)
      case 'conversation':
        return show(openTarget.conversation_id)
      case 'admin':
        return navigate('/admin')
      case 'library':
        return navigate('/')
    }
  }
  return { openPhoto, openTarget }
}
