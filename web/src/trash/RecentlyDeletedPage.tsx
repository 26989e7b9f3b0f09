import { ArchiveRestore, X } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { DeletedFile } from '#contract/trash.ts'
import { useCan, useMe } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Button } from '../ui/Button.tsx'
import { CloseOnBack } from '../ui/CloseOnBack.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Dock } from '../ui/Dock.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ScrollSentinel } from '../ui/ScrollSentinel.tsx'
import { DeletedTile } from './DeletedTile.tsx'
import { fetchDeletedIds, useDeletedFiles, useRestore, type Whose } from './queries.ts'
import { texts } from './texts.ts'

/** The files that this person deleted or uploaded; for admins, all deleted files. */
export function RecentlyDeletedPage() {
  usePageTitle(texts.page)
  const { trashDays: days } = useAppSettings()
  const all = useCan('trash.manage-others')
  const [search] = useSearchParams()
  const whose = search.get('whose') === 'own' ? 'own' : 'all'
  const query = useDeletedFiles(whose)
  const subtitle = whose === 'own' ? texts.subtitle.byOthers : all ? texts.subtitle.all : texts.subtitle.own
  return (
    <>
      <PageHeader heading={texts.heading} subtitle={subtitle({ days })} />
      {whose === 'own' && (
        <Link
          to="/recently-deleted"
          className="-mt-4 mb-3 inline-flex min-h-touch items-center font-semibold text-accent underline underline-offset-4"
        >
          {texts.showAll}
        </Link>
      )}
      {query.data !== undefined ? (
        <Files key={whose} whose={whose} showWho={all} />
      ) : (
        <LoadingOrError query={query} texts={texts} />
      )}
    </>
  )
}

function Files({ whose, showWho }: { whose: Whose; showWho: boolean }) {
  const me = useMe()
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeletedFiles(whose)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const { restore, progress } = useRestore()
  const [enlarged, setEnlarged] = useState<DeletedFile | null>(null)
  const files = data?.pages.flat() ?? []
  const allSelected = files.every(({ id }) => selected.has(id)) && (!hasNextPage || selected.size > files.length)

  async function restoreThese(ids: readonly number[]) {
    const restored = await restore(ids)
    setSelected(now => without(now, new Set(restored)))
  }

  async function selectAll() {
    const ids = await fetchDeletedIds(whose)
    if (ids !== undefined) setSelected(new Set(ids))
  }

  if (files.length === 0) {
    return (
      <EmptyState title={texts.empty.title} text={texts.empty.text}>
        <Link to="/" className="font-semibold text-accent underline underline-offset-4">
          {texts.empty.back}
        </Link>
      </EmptyState>
    )
  }
  return (
    <>
      <div className="mb-3 flex items-center justify-between gap-3">
        <p className="text-ink-soft">{texts.howToRestore}</p>
        {allSelected ? (
          <Button onClick={() => setSelected(new Set())}>{texts.selectNone}</Button>
        ) : (
          <Button onClick={() => void selectAll()}>{texts.selectAll}</Button>
        )}
      </div>
      <ul
        aria-label={texts.grid}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(30%,9.5rem),1fr))] gap-1 pb-(--bottom-bar)"
      >
        {files.map((file: DeletedFile) => (
          <DeletedTile
            key={file.id}
            file={file}
            showWho={showWho || file.deleted_by?.id !== me?.id}
            selected={selected.has(file.id)}
            onToggle={() => setSelected(now => toggled(now, file.id))}
            onEnlarge={() => setEnlarged(file)}
          />
        ))}
      </ul>
      {hasNextPage && !isFetchingNextPage && (
        <ScrollSentinel key={files.length} margin={1_000} onVisible={() => void fetchNextPage()} />
      )}
      <Dock open={selected.size > 0} label={texts.bar}>
        <CloseOnBack onBack={() => setSelected(new Set())} />
        <IconButton label={texts.clear} onClick={() => setSelected(new Set())}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
        <p role="status" className="mr-auto font-semibold">
          {progress !== null && progress.done > 0
            ? texts.restoring(progress)
            : texts.selected({ count: selected.size })}
        </p>
        <Button
          variant="primary"
          icon={<ArchiveRestore aria-hidden="true" className="size-5" />}
          busy={progress !== null}
          onClick={() => void restoreThese([...selected])}
        >
          {texts.restore}
        </Button>
      </Dock>
      <Dialog
        large
        open={enlarged !== null}
        onOpenChange={opens => opens || setEnlarged(null)}
        title={enlarged?.original_name ?? ''}
      >
        {enlarged?.preview_url && (
          <img src={enlarged.preview_url} alt="" className="max-h-[66svh] min-h-0 object-contain" />
        )}
        <DialogButtons>
          <Button onClick={() => setEnlarged(null)}>{texts.close}</Button>
          <Button
            variant="primary"
            icon={<ArchiveRestore aria-hidden="true" className="size-5" />}
            busy={progress !== null}
            onClick={() => {
              if (enlarged !== null) void restoreThese([enlarged.id])
              setEnlarged(null)
            }}
          >
            {texts.restore}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}

function without(ids: ReadonlySet<number>, others: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...ids].filter(id => !others.has(id)))
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const changed = new Set(ids)
  if (!changed.delete(id)) changed.add(id)
  return changed
}
