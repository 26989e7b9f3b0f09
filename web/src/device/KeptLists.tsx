import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { KeptList } from '../kit/device-store.ts'
import { filterPath } from '../kit/filter-path.ts'
import { readKept, removeKept } from '../kit/kept-store.ts'
import { useKeepFocus } from '../ui/hooks.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { texts } from './keep-texts.ts'
import { keptInWords } from './kept-in-words.ts'

const POLL = 1_000

/** Albums and folders that are kept, each with its size. */
export function KeptLists() {
  const client = useQueryClient()
  const keepFocus = useKeepFocus<HTMLUListElement>()
  const { data = [] } = useQuery({
    queryKey: ['kept on this device'],
    queryFn: readKept,
    // Another tab may be loading it.
    refetchInterval: ({ state }) => (state.data?.some(list => list.state === 'loading') ? POLL : false),
  })
  if (data.length === 0) return null

  async function remove({ key }: KeptList) {
    await removeKept(key)
    await client.invalidateQueries({ queryKey: ['kept on this device'] })
  }
  return (
    <ul {...keepFocus} aria-label={texts.list} className="flex flex-col focus-visible:outline-none">
      {data.map(list => (
        <li key={list.key} className="flex min-h-touch items-center justify-between gap-2">
          <p className="min-w-0">
            <Link to={pathOf(list)} className="font-semibold text-accent underline-offset-4 hover:underline">
              <bdi>{list.name}</bdi>
            </Link>
            <span className="block text-ink-soft text-small">{keptInWords(list)}</span>
          </p>
          <IconButton label={texts.removeNamed({ name: list.name })} onClick={() => void remove(list)}>
            <Trash2 aria-hidden="true" className="size-5" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function pathOf({ kind, id }: KeptList): string {
  return kind === 'album' ? `/albums/${id}` : filterPath({ folder_id: id })
}
