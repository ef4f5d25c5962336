// @ts-check
// Pictures over the page, one after the other (page.js loads this when somebody opens one): those of the messages
// around, with what was written to them.
'use strict'

/** @returns {{index: number, message: any}} */
const pictureOf = ({ index, attachment, ...message }) => ({
  index,
  message: { ...message, key: keyOf(message.id), attachments: { [index]: attachment } },
})
/** Whether a picture that is listed can be shown. */
const isShown = (thing) => {
  const { message, index } = pictureOf(thing)
  return state.source.thumbnail(message, index) && state.source.file(message, index)
}

state.viewer = { box: null, shown: null, before: [], things: null, scale: 1, x: 0, y: 0, fingers: new Map() }

const viewer = {
  /** Opens one of the pictures that are listed, among them: the list has the newest first, and grows. */
  openThing(thing, things, from, scope) {
    const open = viewer.open(pictureOf(thing).message, thing.index, from, things)
    state.viewer.scope = scope
    return open
  },

  /** Opens a picture of a message; the element has the focus again in the end. */
  open(message, index, from, things = null) {
    Object.assign(state.viewer, { from, things, before: [], scope: state.list.conversation })
    const image = state.viewer.image = make('img', { draggable: false, decoding: 'async' }),
      text = state.viewer.text = make('div.caption')
    const turn = (label, sign, step, place) =>
      make(`button.turn.${place}`, {
        type: 'button',
        'aria-label': label,
        title: label,
        onclick: () => viewer.step(step),
      }, sign)
    const box = state.viewer.box = make(
      'dialog',
      { id: 'viewer', 'aria-label': 'Picture' },
      make('div.picture-stage', null, image),
      state.viewer.older = turn('Older picture', '‹', -1, 'older'),
      state.viewer.newer = turn('Newer picture', '›', 1, 'newer'),
      make(
        'aside',
        null,
        make(
          'header',
          null,
          make('span.quiet', null, titled(state.list.conversation.name)),
          state.viewer.end = make('button', { type: 'button', 'aria-label': 'Close', onclick: viewer.close }, '×'),
        ),
        text,
      ),
    )
    box.oncancel = (event) => {
      event.preventDefault()
      viewer.close()
    }
    box.onkeydown = viewer.key
    const stage = box.firstChild
    stage.onpointerdown = viewer.touch
    stage.onpointermove = viewer.move
    stage.onpointerup = stage.onpointercancel = viewer.lift
    stage.onwheel = (event) => {
      event.preventDefault()
      viewer.zoom(state.viewer.scale * Math.exp(-event.deltaY / 300))
    }
    stage.ondblclick = () => viewer.zoom(state.viewer.scale > 1 ? 1 : 2.5)
    document.body.append(box)
    box.showModal()
    covers.add(viewer.hide)
    state.viewer.end.focus()
    return viewer.show({ message, index })
  },

  close: () => covers.close(viewer.hide),

  hide() {
    const { box, from } = state.viewer
    state.viewer.box = null
    box.close()
    box.remove()
    ;(from.isConnected ? from : room).focus({ preventScroll: true })
  },

  /**
   * The pictures that are known, oldest first: those before what is held, and those of what is held; or those that are
   * listed.
   */
  all() {
    if (state.viewer.things) {
      return [...state.viewer.before, ...state.viewer.things.filter(isShown).map(pictureOf).reverse()]
    }
    const held = state.list.rows.flatMap(({ message }) =>
      (message.attachments || []).flatMap((_, index) =>
        state.source.thumbnail(message, index) && state.source.file(message, index) ? [{ message, index }] : []
      )
    )
    const first = held[0]?.message.key
    return [...state.viewer.before.filter(({ message }) => first === undefined || message.key < first), ...held]
  },

  at: (all, { message, index }) => all.findIndex((each) => each.message.id === message.id && each.index === index),

  async show(shown) {
    state.viewer.shown = shown
    const { message, index } = shown,
      { name, width, height, bytes: size } = message.attachments[index],
      { image } = state.viewer
    const all = viewer.all(),
      at = viewer.at(all, shown),
      file = state.source.file(message, index),
      small = state.source.thumbnail(message, index)
    viewer.place(1, 0, 0)
    // What is small is there at once, and what is large takes its place.
    const larger = state.source.preview(message, index)?.url || file
    image.alt = line(name) || 'picture'
    image.width = width || 0
    image.height = height || 0
    if (!width) {
      image.removeAttribute('width')
      image.removeAttribute('height')
    }
    image.src = small
    const better = new Image()
    better.onload = () => {
      if (state.viewer.shown === shown) image.src = larger
    }
    better.src = larger
    viewer.tell()
    state.viewer.text.replaceChildren(
      make(
        'div.who',
        null,
        disc(message.sender),
        make('span', null, named(message.sender), make('br'), make('time', null, briefly(message))),
      ),
      textIn(message.text, [], message.marks),
      make(
        'p.quiet',
        null,
        [line(name), width && `${width} × ${height}`, size && bytes(size)].filter(Boolean).join(' · '),
      ),
      make(
        'p',
        null,
        make('a', { href: file, target: '_blank', rel: 'noopener noreferrer' }, 'Open the file'),
        ' · ',
        make('a', { href: file, download: line(name) || 'picture' }, 'Save'),
      ),
      press('show', 'Show the message', () => {
        viewer.close()
        mode.toggle('peeking', mode.contains('paneled'))
        goTo(message)
      }),
    )
    // Both neighbours are known before somebody asks for them.
    if (at <= 0) await viewer.fetch(true)
    if (at === all.length - 1 && state.viewer.shown === shown) await viewer.fetch(false)
  },

  /** Looks for more, as somebody comes to the last picture that is known. */
  async fetch(isOlder) {
    const { shown } = state.viewer,
      { conversation } = state.list,
      isSame = () => state.viewer.box && state.viewer.shown === shown
    if (isOlder && (state.viewer.things || !isSite)) await viewer.fetchOlder()
    else if (!state.viewer.things) {
      for (let reads = 0; reads < 20 && isSame() && (isOlder ? state.list.hasOlder : state.list.hasNewer); reads++) {
        const all = viewer.all(), at = viewer.at(all, shown), edge = state.list.rows.at(isOlder ? 0 : -1)
        if (at < 0 || (isOlder ? at > 0 : at < all.length - 1)) break
        await list.extend(isOlder)
        if (edge === state.list.rows.at(isOlder ? 0 : -1) || conversation !== state.list.conversation) break
      }
    }
    if (isSame()) viewer.tell()
  },

  async fetchOlder() {
    const { shown, scope } = state.viewer
    for (let before = shown.message.id, reads = 0; before && reads < 5 && state.viewer.box; reads++) {
      const { shared, next } = await state.source.ask('shared', {
        ...keysOf(scope),
        sort: 'pictures',
        before,
        limit: 20,
      })
      const found = shared.filter(isShown).map(pictureOf), known = viewer.all()
      state.viewer.before.unshift(...found.reverse().filter((each) => viewer.at(known, each) < 0))
      if (found.length) return
      before = next
    }
  },

  /** Says which picture this is, and whether there are others. */
  tell() {
    const all = viewer.all(), at = viewer.at(all, state.viewer.shown)
    state.viewer.older.disabled = at <= 0
    state.viewer.newer.disabled = at < 0 || at === all.length - 1
  },

  step(step) {
    const all = viewer.all(), next = all[viewer.at(all, state.viewer.shown) + step]
    return next ? viewer.show(next) : viewer.fetch(step < 0)
  },

  key(event) {
    event.stopPropagation()
    const work = {
      ArrowLeft: () => viewer.step(-1),
      ArrowRight: () => viewer.step(1),
      '+': () => viewer.zoom(state.viewer.scale * 1.4),
      '-': () => viewer.zoom(state.viewer.scale / 1.4),
      0: () => viewer.zoom(1),
    }[event.key]
    if (work && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      work()
    }
  },

  place(scale, x, y) {
    Object.assign(state.viewer, { scale, x, y })
    state.viewer.image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
  },

  zoom(scale) {
    const to = clamp(scale, 1, 8)
    viewer.place(to, to > 1 ? state.viewer.x : 0, to > 1 ? state.viewer.y : 0)
  },

  // Fingers: one moves what is enlarged, or leads to the next picture; two enlarge.

  touch(event) {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    state.viewer.fingers.set(event.pointerId, [event.clientX, event.clientY])
    state.viewer.begun = {
      x: event.clientX,
      y: event.clientY,
      ...state.viewer.fingers.size > 1 && { span: viewer.span(), scale: state.viewer.scale },
    }
  },

  span() {
    const [[ax, ay], [bx, by]] = [...state.viewer.fingers.values()]
    return Math.hypot(ax - bx, ay - by) || 1
  },

  move(event) {
    const held = state.viewer.fingers.get(event.pointerId)
    if (!held) return
    state.viewer.fingers.set(event.pointerId, [event.clientX, event.clientY])
    if (state.viewer.fingers.size > 1) viewer.zoom(state.viewer.begun.scale * viewer.span() / state.viewer.begun.span)
    else if (state.viewer.scale > 1) {
      viewer.place(
        state.viewer.scale,
        state.viewer.x + event.clientX - held[0],
        state.viewer.y + event.clientY - held[1],
      )
    }
  },

  lift(event) {
    if (!state.viewer.fingers.delete(event.pointerId) || state.viewer.fingers.size) return
    const { x, y, span } = state.viewer.begun, across = event.clientX - x, down = event.clientY - y
    if (span || state.viewer.scale > 1 || event.type === 'pointercancel') return
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down)) viewer.step(across > 0 ? -1 : 1)
    else if (down > 90 || (Math.hypot(across, down) < 5 && event.target !== state.viewer.image)) viewer.close()
  },
}
