import { Button } from '../ui/Button.tsx'
import type { useComments } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  kind: 'notes' | 'comments'
  list: ReturnType<typeof useComments>
}

/** Above a list that has more than one page. */
export function EarlierComments({ kind, list: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) {
  if (!hasNextPage) return null
  return (
    <div>
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {texts[kind].earlier}
      </Button>
    </div>
  )
}
