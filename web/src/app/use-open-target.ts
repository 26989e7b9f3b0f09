import { useLocation, useNavigate } from 'react-router'
import type { NotificationTarget } from '#contract/notifications.ts'
import { useChat } from '../chat/ChatProvider.tsx'

/** Navigates to what a notification or message is about. */
export function useOpenTarget() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { show } = useChat()

  /** Opens the viewer over the current list, or over the whole library from another page. */
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
      case 'album':
        return navigate(`/albums/${openTarget.album_id}#comment-${openTarget.comment_id ?? 's'}`)
      case 'guest-uploads':
        return navigate(`/guest-uploads?album=${openTarget.album_id}`)
      case 'recently-deleted':
        return navigate('/recently-deleted?whose=own')
      case 'conversation':
        return show(openTarget.conversation_id)
      case 'memories':
        return navigate(`/memories?${new URLSearchParams({ day: openTarget.day })}`)
      case 'admin':
        return navigate('/admin')
      case 'library':
        return navigate('/')
    }
  }
  return { openPhoto, openTarget }
}
