import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type FamilyMember, listFamily } from '#contract/family.ts'
import type { Cover } from '#contract/places.ts'
import { useMe } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { query } from '../kit/queries.ts'
import { backgroundColour } from '../media/thumbhash.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from './Section.tsx'
import { texts } from './texts.ts'

const words = texts.people

/** Everybody in the family as cards, and below them those who have left. Each leads to the page of that person. */
export function PeoplePage() {
  usePageTitle(words.page)
  const family = useQuery({ ...query(listFamily, {}, words.loadFailed), staleTime: 60_000 })
  const { data } = family
  return (
    <>
      <PageHeader heading={words.page} subtitle={words.subtitle} />
      {data === undefined ? (
        <LoadingOrError query={family} texts={{ loading: texts.loading, failed: words.failed }} />
      ) : (
        <People members={data.members} />
      )}
    </>
  )
}

function People({ members }: { members: readonly FamilyMember[] }) {
  const { true: left = [], false: here = [] } = Object.groupBy(members, ({ former }) => `${former}`)
  return (
    <div className="flex flex-col gap-10">
      <ul
        aria-label={words.everybody}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4 sm:gap-5"
      >
        {here.map(member => (
          <li key={member.id} className="flex">
            <Card member={member} />
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <Section heading={words.former.heading}>
          <p className="text-ink-soft text-small">{words.former.text}</p>
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {left.map(member => (
              <li key={member.id}>
                <PersonLine member={member} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

function Card({ member }: { member: FamilyMember }) {
  const me = useMe()
  const { id, name, email, avatar_url, recent } = member
  return (
    <Link
      to={`/people/${id}`}
      className="group flex min-w-0 flex-1 flex-col overflow-hidden rounded-card border border-line bg-raised hover:border-edge"
    >
      <Photos recent={recent} />
      <span className="flex flex-1 items-start gap-3 px-4 pt-3 pb-4">
        <Avatar name={name} src={avatar_url} size="large" />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="wrap-anywhere line-clamp-2 font-semibold font-serif text-lead leading-tight group-hover:underline">
              {name}
            </bdi>
            {me?.id === id && <span className="text-accent-strong text-small"> {words.you}</span>}
          </span>
          {email && <span className="wrap-anywhere text-fine text-ink-soft"> {email}</span>}
          <span className="text-ink-soft text-small"> {whatTheyLeft(member)}</span>
        </span>
      </span>
    </Link>
  )
}

/** One, two beside each other, or a large one and two small ones. */
function Photos({ recent }: { recent: readonly Cover[] }) {
  const shown = recent.slice(0, 3)
  const columns = ['grid-cols-1', 'grid-cols-1', 'grid-cols-2', 'grid-cols-3 grid-rows-2'][shown.length]
  return (
    <span aria-hidden="true" className={`grid aspect-2/1 gap-1 bg-sunken ${columns}`}>
      {shown.map((cover, i) => (
        <Photo key={cover.media_id} cover={cover} isLarge={shown.length === 3 && i === 0} />
      ))}
      {shown.length === 0 && <span className="grid place-items-center text-ink-soft text-small">{words.noPhotos}</span>}
    </span>
  )
}

function Photo({ cover: { thumbnail_url: url, thumbhash }, isLarge }: { cover: Cover; isLarge: boolean }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span
      style={thumbhash === null ? undefined : { backgroundColor: backgroundColour(thumbhash) }}
      className={`relative overflow-hidden ${isLarge ? 'col-span-2 row-span-2' : ''}`}
    >
      {url !== null && url !== failed && (
        <img
          src={url}
          alt=""
          loading="lazy"
          draggable={false}
          onError={() => setFailed(url)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  )
}

function PersonLine({ member }: { member: FamilyMember }) {
  const { id, name, email, avatar_url } = member
  return (
    <Link to={`/people/${id}`} className="flex min-h-touch items-center gap-2 hover:underline">
      <Avatar name={name} src={avatar_url} />
      <span className="flex flex-col">
        <bdi className="wrap-anywhere font-semibold">{name}</bdi>
        <span className="text-fine text-ink-soft">
          {' '}
          {email && `${email} · `}
          {whatTheyLeft(member)}
        </span>
      </span>
    </Link>
  )
}

/** As in "29 photos · 12 favourites · 4 notes". */
function whatTheyLeft({ added, loved, written }: FamilyMember): string {
  const parts = [
    added > 0 && words.photos({ count: added }),
    loved > 0 && words.favourites({ count: loved }),
    written > 0 && words.notes({ count: written }),
  ].filter(part => part !== false)
  return parts.length === 0 ? words.nothing : parts.join(' · ')
}
