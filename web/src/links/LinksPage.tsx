import { useState } from 'react'
import { Link as PageLink } from 'react-router'
import type { Link } from '#contract/links.ts'
import { formatDate, formatPhotos } from '../kit/format.ts'
import { useCan, useMe } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ScrollSentinel } from '../ui/ScrollSentinel.tsx'
import { AddressButtons, AddressDialog } from './Address.tsx'
import { EditDialog, expiryOf } from './EditDialog.tsx'
import { linkName } from './link-name.ts'
import { useEndLink, useLinks } from './queries.ts'
import { texts } from './texts.ts'

/** The links that this person made; for admins, those of everyone. */
export function LinksPage() {
  usePageTitle(texts.page)
  const all = useCan('links.manage-others')
  const query = useLinks()
  return (
    <>
      <PageHeader heading={texts.page} subtitle={all ? texts.subtitleOfAll : texts.subtitle} />
      {query.data !== undefined ? <Links showWho={all} /> : <LoadingOrError query={query} texts={texts} />}
    </>
  )
}

function Links({ showWho }: { showWho: boolean }) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useLinks()
  const mayMake = useCan('links.make')
  const links = data?.pages.flat() ?? []
  if (links.length === 0) {
    return (
      <EmptyState title={texts.empty.title} text={mayMake ? texts.empty.text : texts.empty.forViewers}>
        <PageLink to="/" className="font-semibold text-accent underline underline-offset-4">
          {texts.empty.back}
        </PageLink>
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="flex flex-col gap-3">
        {links.map(link => (
          <LinkRow key={link.id} link={link} showWho={showWho} />
        ))}
      </ul>
      {hasNextPage && !isFetchingNextPage && (
        <ScrollSentinel key={links.length} margin={1_000} onVisible={() => void fetchNextPage()} />
      )}
    </>
  )
}

function LinkRow({ link, showWho }: { link: Link; showWho: boolean }) {
  const end = useEndLink()
  const mayReview = useCan('albums.edit')
  const me = useMe()
  const isMine = link.created_by.id === me?.id
  const mayMake = useCan('links.make')
  const mayEdit = mayMake && (isMine || showWho)
  const [editing, setEditing] = useState(false)
  const [address, setAddress] = useState<'link' | 'qr' | null>(null)
  const shown = link.album_deleted ? texts.albumDeleted : formatPhotos(link.file_count)
  const title = linkName(link)
  const thumbnail = link.first_file?.thumbnail_url
  const madeOn = formatDate(link.created_at)
  const facts = [
    link.uploads !== null ? texts.uploads : link.album !== null && texts.album,
    link.uploads !== null && !link.album_deleted ? texts.sent({ count: link.uploads.files }) : title !== shown && shown,
    showWho || !isMine ? texts.madeBy({ name: link.created_by.name, date: madeOn }) : texts.made({ date: madeOn }),
    expiryOf(link),
    link.has_password && texts.locked,
    link.originals && texts.originals,
    link.captions && texts.captions,
    texts.views({ count: link.views }),
  ]
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-raised p-4">
      {thumbnail && (
        <img src={thumbnail} alt="" loading="lazy" className="size-14 shrink-0 rounded-photo object-cover" />
      )}
      <div className="wrap-anywhere min-w-0 flex-[1_1_14rem]">
        <h2 className="font-semibold">
          <bdi>{title}</bdi>
        </h2>
        <p className="text-ink-soft text-small">{facts.filter(Boolean).join(' · ')}</p>
        {mayReview && link.uploads !== null && link.uploads.waiting > 0 && (
          <PageLink
            to={link.album === null ? '/guest-uploads' : `/guest-uploads?album=${link.album.id}`}
            className="inline-flex min-h-touch items-center font-semibold text-accent underline underline-offset-4"
          >
            {texts.waiting({ count: link.uploads.waiting })}
          </PageLink>
        )}
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-auto">
        {mayEdit && <AddressButtons link={link} title={title} onShow={setAddress} />}
        {mayEdit && (
          <Button aria-label={texts.edit.labelOf({ title })} aria-haspopup="dialog" onClick={() => setEditing(true)}>
            {texts.edit.label}
          </Button>
        )}
        <Button
          variant="dangerQuiet"
          busy={end.busy}
          aria-label={texts.endOf({ title })}
          onClick={() => void end.run({ params: { id: link.id }, body: { ended: true } })}
        >
          {texts.end}
        </Button>
      </div>
      {address !== null && <AddressDialog link={link} initialQr={address === 'qr'} onClose={() => setAddress(null)} />}
      {editing && <EditDialog link={link} onClose={() => setEditing(false)} />}
    </li>
  )
}
