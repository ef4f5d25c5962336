// @ts-check
// A mark on each conversation in sight: the program that it is from, as its newest message says. Page.js loads this
// behind the first messages.
'use strict'

const BUBBLE = 'M3 3.5h10v7H8l-3 2.5v-2.5H3z',
  PLANE = 'M2 8l12-5-3 10-3.5-3L11 6',
  LETTER = 'M2.5 4h11v8h-11zM2.5 4.5L8 9l5.5-4.5',
  HASH = 'M6 3L5 13M11 3l-1 10M3 6h10.5M2.5 10H13',
  SPARK = 'M8 2.5v11M2.5 8h11M4.5 4.5l7 7M11.5 4.5l-7 7',
  LINES = 'M3 4.5h10M3 8h7M3 11.5h10'

/**
 * The drawing, colour and name of a platform; any other has its beginning as a mark.
 * @type {Record<string, [string, string, string]>}
 */
const PLATFORMS = {
  slack: [HASH, '#611f69', 'Slack'],
  discord: [BUBBLE, '#4752c4', 'Discord'],
  irc: [LINES, '#4b5a67', 'IRC'],
  mail: [LETTER, '#8a5a00', 'mail'],
  telegram: [PLANE, '#1b74a8', 'Telegram'],
  whatsapp: [BUBBLE, '#0f7a3c', 'WhatsApp'],
  signal: [BUBBLE, '#2f55d4', 'Signal'],
  imessage: [BUBBLE, '#257a2d', 'iMessage'],
  sms: [BUBBLE, '#5d6470', 'SMS'],
  messenger: [BUBBLE, '#7a35c9', 'Messenger'],
  matrix: [LINES, '#0b6b57', 'Matrix'],
  mattermost: [HASH, '#1e4a8c', 'Mattermost'],
  zulip: [HASH, '#5357b8', 'Zulip'],
  rocketchat: [HASH, '#b3261e', 'Rocket.Chat'],
  teams: [HASH, '#4b53bc', 'Teams'],
  'google-chat': [BUBBLE, '#17723a', 'Google Chat'],
  'claude-code': [SPARK, '#a8481f', 'Claude Code'],
  'claude-ai': [SPARK, '#a8481f', 'Claude'],
  codex: [SPARK, '#35404d', 'Codex'],
  chatgpt: [SPARK, '#0c6b52', 'ChatGPT'],
}

state.platforms = { known: new Map() }

const platforms = {
  /** Puts its mark on each conversation in sight, and asks about those that none is known of. */
  draw() {
    const { known, timer } = state.platforms
    for (const { id, lastID } of platforms.inSight()) {
      const platform = known.get(id), box = $(`c${id}`).firstChild
      if (platform && !box?.querySelector('.platform')) box?.append(platforms.mark(platform))
      if (platform === undefined && lastID && !timer) state.platforms.timer = setTimeout(platforms.ask, 150)
    }
  },

  inSight: () => state.side.shown.filter(({ id, keys }) => !keys && $(`c${id}`)),

  mark(platform) {
    const [path, colour, name] = PLATFORMS[platform] || [null, '#5d6470', titled(platform)]
    const mark = make('span.platform', { role: 'img', 'aria-label': name, title: name }, path ? '' : initialOf(name))
    mark.style.background = colour
    if (path) mark.append(drawing(path))
    return mark
  },

  /** Reads the newest messages of those in sight, a few at a time. */
  async ask() {
    const { known } = state.platforms
    const wanted = platforms.inSight().filter(({ id, lastID }) => lastID && !known.has(id)).slice(0, 40)
    // What is not answered is not asked about again.
    wanted.forEach(({ id }) => known.set(id, ''))
    const answer = wanted[0] &&
      await attempt(() => state.source.ask('messages', { ids: wanted.map(({ lastID }) => lastID).join(',') }))
    const found = new Map(answer?.messages.map((message) => [message.id, message]))
    for (const { id, lastID } of wanted) {
      const { conversationSource, source } = found.get(lastID) || {}
      known.set(id, (conversationSource || source)?.platform || '')
    }
    state.platforms.timer = null
    platforms.draw()
  },
}
