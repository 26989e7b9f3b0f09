// The page of an export, which shows it without Heirloom. It is opened from a disk, where a page can fetch nothing: its data are
// scripts. Every text of the library gets into the page as text, never as HTML. The server copies this file into each export
// (server/src/export/page.ts), so it is plain JavaScript and imports nothing.
;(() => {
  // A photo or video is an object with short names, for the size of the data:
  // p: path; d: date in EDTF; v: it is a video; s: browsers show it; e: the extension of its preview; k: path of the clip of a Live Photo;
  // r: how far it is turned; c: caption; w: place; f: folder; u: uploader; t: tags; h: who loves it; n: notes { by, at, text }.

  let texts = {}
  let library = { title: '', years: [], albums: [] }
  const years = new Map()
  const items = new Map()
  const language = navigator.language || 'en'

  // What the scripts of the data call.
  Object.assign(window, {
    heirloom: {
      texts(all) {
        const isGerman = /^de\b/i.test(language)
        document.documentElement.lang = isGerman ? 'de' : 'en'
        texts = all[isGerman ? 'de' : 'en'] ?? {}
      },
      library(data) {
        library = data
        start()
      },
      year(year, files) {
        years.set(year, files)
        for (const file of files) items.set(file.p, file)
      },
    },
  })

  const $ = id => document.getElementById(id)
  const word = key => texts[key] ?? key
  const number = count => count.toLocaleString(language)

  function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }

  /** Names may have characters that mean something in addresses. */
  const address = path => path.split('/').map(encodeURIComponent).join('/')

  function load(year) {
    const known = years.get(year)
    if (known) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      const script = element('script', { src: `data/${year}.js` })
      script.onload = () => resolve(years.get(year) ?? [])
      script.onerror = () => reject(new Error(word('missing')))
      document.head.append(script)
    })
  }

  /** The first folder of a path. */
  const yearOf = path => path.split('/')[0] ?? ''

  // Pages, by the part of the address behind the #.

  let shown = 0

  async function show() {
    const run = ++shown
    const [kind = '', rest = ''] = decoded(location.hash.slice(2)).split(/\/(.*)/s)
    const content = $('content')
    content.replaceChildren(element('p', { className: 'soft' }, word('loading')))
    markPlace(kind)
    try {
      const page =
        kind === 'albums'
          ? albumsPage()
          : kind === 'album'
            ? await albumPage(Number(rest))
            : kind === 'search'
              ? await searchPage(rest, () => run === shown)
              : await yearPage(kind || (library.years.at(0)?.year ?? ''))
      if (run !== shown) return
      stopWatching()
      content.replaceChildren(...page.flat())
      scrollTo(0, 0)
      watch()
    } catch (error) {
      if (run === shown)
        content.replaceChildren(element('p', {}, error instanceof Error ? error.message : word('missing')))
    }
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text)
    } catch {
      // Somebody has changed the address by hand.
      return ''
    }
  }

  function start() {
    document.title = library.title
    const [heading] = document.getElementsByTagName('h1')
    if (heading) heading.textContent = library.title
    $('places').ariaLabel = word('places')
    $('years').ariaLabel = word('years')
    $('places').append(
      element('a', { href: '#/' }, word('photos')),
      ...(library.albums.length > 0 ? [element('a', { href: '#/albums' }, word('albums'))] : []),
    )
    for (const { year } of library.years) $('years').append(element('a', { href: `#/${year}` }, nameOfYear(year)))
    const search = $('search')
    search.placeholder = word('search')
    search.ariaLabel = word('search')
    let waiting = 0
    search.oninput = () => {
      clearTimeout(waiting)
      waiting = window.setTimeout(() => {
        const wanted = search.value.trim()
        location.hash = wanted === '' ? '#/' : `#/search/${encodeURIComponent(wanted)}`
      }, 250)
    }
    window.onhashchange = () => void show()
    void show()
  }

  const nameOfYear = year => (year === 'undated' ? word('undated') : year)

  function markPlace(kind) {
    const year = kind || library.years.at(0)?.year
    for (const link of document.querySelectorAll('nav a')) {
      const target = link.getAttribute('href')
      const isHere =
        target === `#/${year}` ||
        (target === '#/albums' && kind.startsWith('album')) ||
        (target === '#/' && !['albums', 'album', 'search'].includes(kind))
      if (isHere) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    $('years').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }

  async function yearPage(year) {
    if (!library.years.some(known => known.year === year)) return [element('p', {}, word('nothing'))]
    const files = await load(year)
    // The folder of a file is its month, or its year where the month is not known.
    const months = Map.groupBy(files, ({ p }) => p.split('/').slice(0, -1).at(-1) ?? '')
    return [...months].map(([month, own]) => [heading(nameOfMonth(month), own.length), ...grid(own, files)])
  }

  function nameOfMonth(month) {
    const [year, of] = month.split('-')
    if (of === undefined) return nameOfYear(month)
    return inWords(Date.UTC(Number(year), Number(of) - 1), { month: 'long', year: 'numeric' })
  }

  function heading(text, files) {
    return element('h2', {}, text, ' ', element('small', {}, number(files)))
  }

  function albumsPage() {
    const cards = library.albums.map((album, index) => {
      const picture = element('span', { className: 'cover' })
      if (album.preview !== undefined) picture.append(pictureOf(album.preview))
      const count = album.search ? word('searchAlbum') : number(album.files.length)
      const name = element('strong', {}, album.title)
      return element(
        'a',
        { className: 'album', href: `#/album/${index}` },
        picture,
        name,
        element('span', { className: 'soft' }, count),
      )
    })
    return [element('div', { className: 'albums' }, ...cards)]
  }

  async function albumPage(index) {
    const album = library.albums[index]
    if (!album) return [element('p', {}, word('nothing'))]
    for (const year of new Set(album.files.map(yearOf))) await load(year)
    const files = album.files.flatMap(path => items.get(path) ?? [])
    return [
      heading(album.title, files.length),
      element('p', {}, album.description),
      ...(album.search ? [element('p', { className: 'soft' }, word('searchAlbumHint'))] : []),
      ...grid(files, files),
      ...album.comments.flatMap(({ by, at, text }) => noteOf({ by: by.name, at, text })),
    ]
  }

  async function searchPage(wanted, isWanted) {
    const found = []
    const words = comparable(wanted).split(/\s+/)
    for (const { year } of library.years) {
      if (!isWanted()) return []
      const files = await load(year)
      found.push(...files.filter(file => words.every(each => searchText(file).includes(each))))
    }
    const search = $('search')
    if (document.activeElement !== search) search.value = wanted
    return [
      heading(wanted, found.length),
      ...(found.length === 0 ? [element('p', {}, word('nothing'))] : grid(found, found)),
    ]
  }

  const searchTexts = new WeakMap()

  function searchText(item) {
    const known = searchTexts.get(item)
    if (known !== undefined) return known
    const { p, d = '', c = '', w = '', f = '', u, t = [], h = [], n = [] } = item
    const made = comparable([p, d, c, w, f, u, ...t, ...h, ...n.map(({ by, text }) => `${by} ${text}`)].join('\n'))
    searchTexts.set(item, made)
    return made
  }

  function comparable(text) {
    return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  }

  // Tiles. Only the blocks near the window have any, so that 100,000 photos do not freeze the page.

  const IN_BLOCK = 120
  const blocks = new Map()
  const nearby = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) {
        const block = blocks.get(target)
        if (!block) continue
        if (!isIntersecting) target.replaceChildren()
        else if (target.childElementCount === 0) target.append(...block.files.map(file => tileOf(file, block.all)))
      }
    },
    { rootMargin: '1200px' },
  )

  function grid(files, all) {
    const made = []
    for (let i = 0; i < files.length; i += IN_BLOCK) {
      const block = element('div', { className: 'tiles' })
      made.push(block)
      blocks.set(block, { files: files.slice(i, i + IN_BLOCK), all })
    }
    return made
  }

  function stopWatching() {
    nearby.disconnect()
    for (const block of blocks.keys()) if (block.isConnected) blocks.delete(block)
  }

  /** A block without tiles is as high as one with them. */
  function watch() {
    placeTiles()
    for (const block of blocks.keys()) nearby.observe(block)
  }

  function placeTiles() {
    const content = $('content')
    const { paddingLeft, paddingRight } = getComputedStyle(content)
    const width = content.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const columns = Math.max(3, Math.round(width / 190))
    const tile = (width - 4 * (columns - 1)) / columns
    content.style.setProperty('--columns', String(columns))
    for (const [block, { files }] of blocks) {
      const rows = Math.ceil(files.length / columns)
      block.style.minHeight = `${rows * tile + (rows - 1) * 4}px`
      block.style.marginBottom = '4px'
    }
  }
  window.addEventListener('resize', placeTiles)

  function tileOf(item, all) {
    const tile = element('button', { type: 'button', className: 'tile', onclick: () => open(item, all) })
    tile.ariaLabel = [item.c, nameOf(item), dateOf(item)].filter(Boolean).join(', ')
    const small = previewOf(item) ?? (item.s && !item.v ? item.p : undefined)
    if (small === undefined) tile.append(element('span', { className: 'name' }, nameOf(item)))
    else tile.append(pictureOf(small))
    const mark = [item.v ? '▶' : '', item.h ? '♥' : '', item.n ? '✎' : ''].filter(Boolean).join(' ')
    if (mark) tile.append(element('span', { className: 'mark', ariaHidden: 'true' }, mark))
    return tile
  }

  function pictureOf(path) {
    const picture = element('img', { alt: '', loading: 'lazy', decoding: 'async' })
    picture.onerror = () => picture.remove()
    picture.src = address(path)
    return picture
  }

  const nameOf = ({ p }) => p.slice(p.lastIndexOf('/') + 1)
  const previewOf = ({ p, e }) => (e === undefined ? undefined : `previews/${p}${e}`)

  // One photo.

  function open(item, all) {
    const dialog = $('viewer')
    const at = all.indexOf(item)
    const move = by => {
      const next = all[at + by]
      if (next) open(next, all)
    }
    const button = (className, label, sign, onclick) => {
      const made = element('button', { type: 'button', className, onclick }, sign)
      made.ariaLabel = word(label)
      return made
    }
    const stage = element(
      'div',
      { className: 'stage' },
      largeOf(item),
      ...(at > 0 ? [button('earlier', 'previous', '‹', () => move(-1))] : []),
      ...(at < all.length - 1 ? [button('later', 'next', '›', () => move(1))] : []),
      button('close', 'close', '×', () => dialog.close()),
    )
    const focused = dialog.open ? document.activeElement?.className : undefined
    dialog.ariaLabel = item.c ?? nameOf(item)
    dialog.replaceChildren(stage, detailsOf(item))
    dialog.onkeydown = event => {
      if (event.target instanceof HTMLVideoElement) return
      if (event.key === 'ArrowLeft') move(-1)
      if (event.key === 'ArrowRight') move(1)
    }
    // A video that goes on playing would be heard.
    dialog.onclose = () => dialog.replaceChildren()
    if (!dialog.open) dialog.showModal()
    else if (focused) stage.querySelector(`.${focused}`)?.focus()
  }

  function largeOf(item) {
    const { p, s, v, r } = item
    if (v && s) return element('video', { src: address(p), controls: true, preload: 'metadata' })
    const path = s && !v ? p : previewOf(item)
    if (path === undefined) return element('p', {}, word('noPreview'))
    // Previews are turned already.
    return element('img', { src: address(path), alt: item.c ?? '', className: s && !v && r ? `turned-${r}` : '' })
  }

  function detailsOf(item) {
    const { c, w, f, u, t, h, n = [], k, p } = item
    const facts = [
      ['date', dateOf(item)],
      ['place', w],
      ['tags', t?.join(', ')],
      ['hearts', h?.join(', ')],
      ['folder', f],
      ['uploadedBy', u],
    ]
    return element(
      'aside',
      {},
      element('h2', {}, c ?? nameOf(item)),
      element('a', { href: address(p), target: '_blank', rel: 'noreferrer' }, `${word('original')}: ${nameOf(item)}`),
      ...(k === undefined
        ? []
        : [element('br'), element('a', { href: address(k), target: '_blank', rel: 'noreferrer' }, word('clip'))]),
      element(
        'dl',
        {},
        ...facts.flatMap(([key, value]) => (value ? [element('dt', {}, word(key)), element('dd', {}, value)] : [])),
      ),
      ...n.flatMap(noteOf),
    )
  }

  function noteOf({ by, at, text }) {
    const when = inWords(Date.parse(at), { dateStyle: 'medium' })
    return [element('p', { className: 'soft' }, `${by}, ${when}`), element('p', {}, text)]
  }

  // Dates as people say them.

  function inWords(at, options) {
    return new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options }).format(at)
  }

  function dateOf({ d }) {
    if (d === undefined) return undefined
    const about = d.endsWith('~') ? `${word('about')} ` : ''
    const [, year = '', part, day, time] =
      /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T[\d:.]+)?)?)?(?:Z|[+-][\d:]+)?~?$/.exec(d) ?? []
    if (year === '') return intervalOf(d)
    const season = part === undefined ? undefined : seasons[part]
    if (season !== undefined) return `${about}${word(season)} ${year}`
    const at = Date.UTC(Number(year), Number(part ?? 1) - 1, Number(day ?? 1))
    if (time !== undefined)
      return inWords(Date.parse(`${d.slice(0, 10)}${time}Z`), { dateStyle: 'long', timeStyle: 'short' })
    if (day !== undefined) return about + inWords(at, { dateStyle: 'long' })
    if (part !== undefined) return about + inWords(at, { month: 'long', year: 'numeric' })
    return about + year
  }

  const seasons = { 21: 'spring', 22: 'summer', 23: 'autumn', 24: 'winter' }

  function intervalOf(edtf) {
    const decade = /^(\d{3})X~?$/.exec(edtf)?.[1]
    if (decade !== undefined) return word('decade').replace('0000', `${decade}0`)
    const [from = '', to = ''] = edtf.split('/')
    if (from === '..') return `${word('before')} ${to}`
    return to === '..' ? `${word('after')} ${from}` : edtf.replace('/', ' – ')
  }
})()
