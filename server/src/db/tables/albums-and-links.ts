import type { Generated } from 'kysely'
import type { AlbumOrder } from '#contract/albums.ts'

/** Albums, links for guests, and the files that guests send. */
export interface AlbumAndLinkTables {
  albums: AlbumsTable
  smart_album_counts: SmartAlbumCountsTable
  album_files: AlbumFilesTable
  links: LinksTable
  link_files: LinkFilesTable
  guests: GuestsTable
  guest_uploads: GuestUploadsTable
}

interface AlbumsTable {
  id: Generated<number>
  title: string
  /** The title, normalised by `searchable`. */
  search_text: string
  description: string
  file_order: AlbumOrder
  /** When its files were first ordered manually; null: their positions are those of their adding. */
  manual_order_since: number | null
  /** The filter that fills a smart album, as JSON; null: people add the files. */
  search: string | null
  /** Null: the first file. Ignored while the file is not in the album. */
  cover_id: number | null
  created_at: number
  created_by: number
  deleted_at: number | null
  deleted_by: number | null
}

/** What the search of a smart album found last. */
interface SmartAlbumCountsTable {
  album_id: number
  files: number
  videos: number
  /** The headings of its earliest and latest file, in EDTF. */
  first_date: string | null
  last_date: string | null
  cover_id: number | null
  counted_at: number
}

interface AlbumFilesTable {
  album_id: number
  media_id: number
  /** The manual order, with gaps. */
  position: number
  added_at: number
  added_by: number
  /** The name of the guest who sent it, if `added_by` took it in. */
  guest: string | null
  /** Kept for a while, so that an undo restores the position and who added it. */
  removed_at: number | null
  removed_by: number | null
}

/** Secret addresses for people without an account. */
interface LinksTable {
  id: Generated<number>
  token_hash: string
  /** To show the link again, as `kit/token-encryption.ts` writes it; null: it cannot be shown again. */
  encrypted_token: string | null
  /** With its salt; null: it needs none. */
  password_hash: string | null
  title: string | null
  /** Shows what this album holds; null: the files in `link_files`. */
  album_id: number | null
  created_by: number
  created_at: number
  expires_at: number | null
  /** Whether guests may download originals: 1 or 0. */
  originals: number
  /** Whether guests see captions: 1 or 0. */
  captions: Generated<number>
  views: Generated<number>
  last_viewed_at: number | null
  ended_at: number | null
  ended_by: number | null
  /** Takes files for this album, and shows none; the other two are set with it. */
  upload_album_id: number | null
  max_files: number | null
  max_bytes: number | null
  /** 1: made for one photo by one tap in the viewer, and used again for the same photo. */
  quick: Generated<number>
}

interface LinkFilesTable {
  link_id: number
  media_id: number
}

/** People without an account who send files by a link. */
interface GuestsTable {
  id: Generated<number>
  /** Null once the link is removed. */
  link_id: number | null
  name: string
  created_at: number
}

/** Files that guests send. They are in `media` too, hidden as `media/hidden-files.sql.ts` says until they are accepted. */
interface GuestUploadsTable {
  id: Generated<number>
  /** Of the resumable upload. */
  upload_id: string
  link_id: number | null
  guest_id: number
  /** Null once the album is removed for good. */
  album_id: number | null
  /** `sending`: started, and reserves its size. */
  state: 'sending' | 'waiting' | 'accepted' | 'rejected'
  /** Both null while it is sent. */
  name: string | null
  sent_at: number | null
  size: number
  started_at: number
  /** The bytes that the guest sent; null while they are sent, and once they are purged. */
  media_id: number | null
  /** The file that the library had already, when this one was accepted. */
  duplicate_id: number | null
  /** As of the file when it arrived: nothing that the guest sees depends on what becomes of it. */
  incomplete: Generated<number>
  expected_size: number | null
  /** 1: accepting it added a file to the album, which an undo removes. */
  added_to_album: Generated<number>
  decided_at: number | null
  decided_by: number | null
}
