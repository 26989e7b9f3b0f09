import './places.css'
import { Images } from 'lucide-react'
import { Link } from 'react-router'
import { useCan } from '../kit/me.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { texts } from './texts.ts'

/** Instead of the map and of the places, while no photo has one. */
export function NoPlaces() {
  const mayEdit = useCan('media.edit')
  const { title, text, textForEditors, toPhotos } = texts.map.empty
  if (!mayEdit) return <EmptyState title={title} text={text} />
  return (
    <EmptyState title={title} text={textForEditors}>
      <Link to="/" className="place-link">
        <Images aria-hidden="true" className="size-5" />
        {toPhotos}
      </Link>
    </EmptyState>
  )
}
