import './folders.css'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronRight, FolderClosed } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { listSubfolders, type Subfolder } from '#contract/folders.ts'
import { query } from '../kit/queries.ts'
import { texts as kitTexts } from '../kit/texts.ts'
import { backgroundColour } from '../media/thumbhash.ts'
import { Button } from '../ui/Button.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { useFolders } from './queries.ts'
import { texts } from './texts.ts'
import { ancestorsOf } from './tree.ts'

interface Props {
  folderId: number
  /** The address of a folder in the gallery; null: all files. */
  hrefOf: (folderId: number | null) => string
}

/** The folders above the open one, before its heading; with `compact` only a link to the last of them. */
export function FolderPath({ folderId, hrefOf, compact }: Props & { compact: boolean }) {
  const { byId } = useFolders()
  if (!byId.has(folderId)) return null
  const parents = ancestorsOf(byId, folderId).flatMap(id => byId.get(id) ?? [])
  const above = { name: parents[0]?.name ?? texts.all, href: hrefOf(parents[0]?.id ?? null) }
  return (
    <nav aria-label={texts.breadcrumb} className="folder-path">
      {compact ? (
        <Link
          to={above.href}
          aria-label={texts.up({ folder: above.name })}
          title={texts.up({ folder: above.name })}
          className="folder-up"
        >
          <ArrowLeft aria-hidden="true" className="size-5" />
        </Link>
      ) : (
        <ol>
          <Step href={hrefOf(null)} name={texts.all} />
          {parents.reverse().map(({ id, name }) => (
            <Step key={id} href={hrefOf(id)} name={name} />
          ))}
        </ol>
      )}
    </nav>
  )
}

function Step({ href, name }: { href: string; name: string }) {
  return (
    <li>
      <Link to={href} className="folder-step" title={name} dir="auto">
        {name}
      </Link>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0" />
    </li>
  )
}

/** The folders in the open one. */
export function Subfolders({ folderId, hrefOf }: Props) {
  const { byId } = useFolders()
  const folder = byId.get(folderId)
  if (folder === undefined || ![...byId.values()].some(({ parent_id }) => parent_id === folderId)) return null
  return <Cards key={folderId} folderId={folderId} name={folder.name} hrefOf={hrefOf} />
}

/** The first cards, so that the photos of the folder are not pushed off the screen. */
const SHOWN_FIRST = { narrow: 4, wide: 12 }

function Cards({ folderId, name, hrefOf }: Props & { name: string }) {
  const { data } = useQuery(query(listSubfolders, { params: { id: folderId } }))
  const [all, setAll] = useState(false)
  const limit = useScreen('sm') ? SHOWN_FIRST.wide : SHOWN_FIRST.narrow
  const hidden = data === undefined || all ? 0 : Math.max(0, data.length - limit)
  // The room for one row, so that the photos do not jump when the cards arrive.
  if (data === undefined) return <div className="mt-1 min-h-40" />
  return (
    <section aria-label={texts.foldersIn({ name })} className="mt-1 mb-2">
      <ul className="subfolders">
        {data.slice(0, data.length - hidden).map(subfolder => (
          <li key={subfolder.id}>
            <Card subfolder={subfolder} href={hrefOf(subfolder.id)} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <div className="mt-2 flex justify-center">
          <Button onClick={() => setAll(true)}>{texts.showAllFolders({ count: data.length })}</Button>
        </div>
      )}
    </section>
  )
}

function Card({ subfolder: { name, file_count, cover }, href }: { subfolder: Subfolder; href: string }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const colour = cover?.thumbhash == null ? undefined : backgroundColour(cover.thumbhash)
  return (
    <Link to={href} aria-label={texts.withFiles({ name, count: file_count })} className="subfolder">
      <span className="subfolder-cover" style={colour === undefined ? undefined : { backgroundColor: colour }}>
        {cover === null || cover.thumbnail_url === failedUrl ? (
          <FolderClosed aria-hidden="true" className="size-8 text-ink-soft" />
        ) : (
          <img
            src={cover.thumbnail_url}
            alt=""
            loading="lazy"
            draggable={false}
            onError={() => setFailedUrl(cover.thumbnail_url)}
            className="size-full object-cover"
          />
        )}
      </span>
      <span className="line-clamp-2 font-semibold" dir="auto">
        {name}
      </span>
      <span className="text-fine text-ink-soft">{kitTexts.files({ count: file_count })}</span>
    </Link>
  )
}
