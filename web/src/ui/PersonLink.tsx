import { Link } from 'react-router'

/** A person's name, which leads to their page. Plain text where the id is not known: a former member, or a guest's page. */
export function PersonLink({ id, name }: { id: number | undefined; name: string }) {
  if (id === undefined) return <bdi>{name}</bdi>
  return (
    <Link
      to={`/people/${id}`}
      className="underline decoration-line underline-offset-4 hover:decoration-current pointer-coarse:py-2.5"
    >
      <bdi>{name}</bdi>
    </Link>
  )
}
