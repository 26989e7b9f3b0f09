import { FileVideo, Image, Undo2 } from 'lucide-react'
import { useId } from 'react'
import type { DeletedFile } from '#contract/admin.ts'
import { formatDate, formatSize } from '../../kit/format.ts'
import { Button } from '../../ui/Button.tsx'
import { PagedList } from './PagedList.tsx'
import { useDeletedFiles, useRestore } from './queries.ts'
import { texts } from './texts.ts'

export function DeletedFiles() {
  const files = useDeletedFiles()
  return (
    <PagedList {...files} empty={texts.deleted.empty}>
      {file => <DeletedRow file={file} />}
    </PagedList>
  )
}

function DeletedRow({ file }: { file: DeletedFile }) {
  const nameId = useId()
  const restore = useRestore()
  const day = formatDate(file.deleted_at)
  return (
    <>
      <Picture file={file} />
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="wrap-anywhere font-semibold">
          <bdi>{file.original_name}</bdi>{' '}
          <span className="font-normal text-ink-soft">{formatSize(file.file_size)}</span>
        </p>
        <p className="text-small text-ink-soft">
          {file.deleted_by ? texts.deleted.by(file.deleted_by.name, day) : texts.deleted.on(day)}
        </p>
        <p className="text-fine text-ink-soft">{texts.deleted.until(file.purged_at)}</p>
      </div>
      <Button
        icon={<Undo2 aria-hidden="true" className="size-5" />}
        busy={restore.busy}
        aria-describedby={nameId}
        onClick={() => restore.run({ params: { id: file.id } })}
      >
        {texts.restore.label}
      </Button>
    </>
  )
}

function Picture({ file }: { file: DeletedFile }) {
  if (file.thumbnail_url) {
    return (
      <img src={file.thumbnail_url} alt="" loading="lazy" className="size-16 rounded-control bg-sunken object-cover" />
    )
  }
  const Icon = file.file_type === 'video' ? FileVideo : Image
  return (
    <span className="grid size-16 place-items-center rounded-control bg-sunken text-ink-soft">
      <Icon aria-hidden="true" className="size-6" />
    </span>
  )
}
