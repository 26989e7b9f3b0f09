import { PackageOpen } from 'lucide-react'
import type { MediaFilter } from '#contract/media-filter.ts'
import { mediaIds } from '#contract/media-list.ts'
import { showFailure } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { useDownloadInParts } from '../media/chosen-download.ts'
import { Button } from '../ui/Button.tsx'
import { MenuItem } from '../ui/Menu.tsx'
import { texts } from './texts.ts'

interface Props {
  list: MediaFilter
  title: string
}

const icon = <PackageOpen aria-hidden="true" className="size-5 shrink-0" />

/** In the menu of an album. */
export function DownloadInPartsItem(props: Props) {
  return (
    <MenuItem icon={icon} onClick={useOpen(props)}>
      {texts.downloadInParts}
    </MenuItem>
  )
}

/** On the page of a folder, which has no menu of its own. */
export function DownloadInPartsButton(props: Props) {
  return (
    <Button variant="bare" icon={icon} onClick={useOpen(props)}>
      {texts.downloadInParts}
    </Button>
  )
}

function useOpen({ list, title }: Props): () => void {
  const open = useDownloadInParts()
  return () => {
    call(mediaIds, { query: list }).then(
      ({ ids }) => open({ fileIds: ids, title }),
      error => showFailure(texts.downloadInPartsFailed, error),
    )
  }
}
