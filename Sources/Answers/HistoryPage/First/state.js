// @ts-check
// What changes while the page is open, all in one object. The objects of the other files have functions only, which
// read and write it; what a file of `Later` needs is added when that is loaded. `.ci/page` checks both.

/**
 * @typedef {any} Message A message of docs/json.md; its `key` is its id as a number.
 * @typedef {any} Scope What can be open: a conversation, everything, what there is with a person, or
 *   with `base` and `query`, some messages of one of these.
 * @typedef {{message: Message, element: any, look: string, units: number, isWhole?: boolean}} Row
 */

/**
 * The run of messages that is held: neighbours without a hole, `first` being the number of the oldest of `total`.
 * @typedef {object} ListState
 * @property {Scope} conversation What is open.
 * @property {Row[]} rows
 * @property {number} first
 * @property {number} total
 * @property {boolean} [hasOlder]
 * @property {boolean} [hasNewer]
 * @property {boolean} atEnd Whether the newest message stays in sight as others come.
 * @property {number} seen How many messages there were when the end was last in sight.
 * @property {Row | null} [selected]
 * @property {number} generation Counts what was opened: an answer to an older one is dropped.
 * @property {Record<string, number | null>} loading The generation that asked for rows at an end.
 * @property {Row[] | null} held The rows whose `tops` are remembered, when the list was scrolled to `at`.
 * @property {number[]} tops
 * @property {number} at
 * @property {{id?: string, top?: number}} [place] The message at the top of the screen.
 * @property {Map<string, Message> | null} [coming] Messages that rows are being made for.
 * @property {boolean} [isBare] Whether the store has no messages.
 */

/**
 * The conversations and people beside the messages.
 * @typedef {object} SideState
 * @property {Scope[]} all
 * @property {boolean} isWhole Whether `all` has all of them yet.
 * @property {Scope[]} people
 * @property {boolean} isOfPeople
 * @property {Scope[]} shown
 * @property {Scope} chosen The one that arrows have come to.
 * @property {number[]} tops Where those that are shown lie, and the `height` of all.
 * @property {number} height
 * @property {Map<number, string>} groups The name above a shown one, by its index.
 * @property {Promise<any> | null} [loading]
 */

/**
 * What is looked for, and what was found.
 * @typedef {object} SearchState
 * @property {string} words
 * @property {any[]} hits
 * @property {Map<string, any[]>} matches Where the words stand, by id.
 * @property {Map<string, string>} texts Whole texts of long hits, by id.
 * @property {string | null} next Where reading goes on.
 * @property {number} index The hit that was gone to.
 * @property {number} cutCount Hits that were let go of in front.
 * @property {string} count
 * @property {boolean} isWide Whether it looks everywhere.
 * @property {boolean} isBest
 * @property {any} [list] The element of the hits, and of their `total`.
 * @property {any} [total]
 * @property {Map<string, any[]> | null} [isLoading] The `matches` that hits are asked for.
 */

/**
 * Threads: what is known of those that messages began, and those that are shown where they stand.
 * @typedef {object} ThreadState
 * @property {Map<string, any>} known
 * @property {Set<string>} asked
 * @property {Set<string>} open
 * @property {any} [timer]
 * @property {string | null} [scope] The id of what it was asked for whether it has `any`.
 * @property {Promise<boolean>} [any]
 */

/**
 * What is heard of the store: its version and id, and that of the page.
 * @typedef {object} LiveState
 * @property {string | null} version
 * @property {string | null} store
 * @property {string | null} page
 * @property {Set<number>} conversations Those that changed, until the sidebar is drawn.
 * @property {string[]} edited
 * @property {string[]} deleted
 * @property {BroadcastChannel} [channel]
 * @property {EventSource | null} [stream]
 * @property {Record<string, any>} [known] What the stream greeted with.
 * @property {(() => void)} [leave]
 * @property {any} [retry]
 * @property {any} [timer]
 * @property {any} [panelTimer]
 * @property {boolean} [isLost]
 * @property {boolean} [isReading]
 * @property {boolean} [isBehind] Whether more came while it was reading.
 */

/**
 * The messages that were on the screen, under a `key` of the browser's.
 * @typedef {object} SeenState
 * @property {string | null} key
 * @property {Record<string, [number, number][]>} runs Runs of numbers of messages, by conversation.
 * @property {any} [kept] The id of the open conversation, if a part of it was marked as unread.
 * @property {any} [timer]
 * @property {any} [marking]
 */

/**
 * The scroll bar: the part of the way it is `held` at, and the one that is `wanted`.
 * @typedef {object} BarState
 * @property {number | null} held
 * @property {number | null} wanted
 * @property {string} text
 * @property {any} fading
 * @property {number} [grip]
 * @property {Promise<void> | null} [going]
 */

/**
 * What is open over or beside the messages, by what hides it; the step in the browser's history that is free, or left.
 * @typedef {object} CoverState
 * @property {(() => void)[]} open
 * @property {boolean} isFree
 * @property {Promise<void> | null} leaving
 * @property {(() => void) | null} [left]
 */

/**
 * @typedef {object} State
 * @property {any} source Where answers come from: `server`, or the files of a site.
 * @property {Record<string, AbortController>} wishes What is asked for, by place of the page.
 * @property {Record<string, Promise<any>>} loaded Files of `Later` by name.
 * @property {number} busy How many slow answers are waited for.
 * @property {any} troubleEnd
 * @property {ListState} list
 * @property {SideState} side
 * @property {SearchState} search
 * @property {ThreadState} threads
 * @property {{known: Map<string, any>, wanted: Map<string, any[]>}} quotes Quoted messages, and the rows that want one.
 * @property {LiveState} live
 * @property {{waiting: number, marks: boolean, stars: boolean}} server Whether it takes read marks and stars.
 * @property {SeenState} seen
 * @property {BarState} bar
 * @property {CoverState} covers
 * @property {{from: any, again: ((news?: any) => any) | null}} panel What had the focus before the panel, and what it
 *   does when the store changes.
 * @property {any} [filters] From here on: of files that are loaded later.
 * @property {{row: Row | null}} [actions]
 * @property {{from: string | null}} [range]
 * @property {{known: Map<number, string>, timer?: any}} [platforms] The platforms of conversations, '' where none is
 *   known.
 * @property {any} [viewer]
 * @property {{scope: Scope | null, total: number, starts: Map<string, number>}} [years]
 */

const nothing = () => ({
  words: '',
  hits: [],
  matches: new Map(),
  texts: new Map(),
  next: null,
  index: -1,
  cutCount: 0,
  count: '',
})

/** @type {State} */
const state = {
  source: null,
  wishes: {},
  loaded: {},
  busy: 0,
  troubleEnd: null,
  list: {
    conversation: null,
    rows: [],
    first: 1,
    total: 0,
    atEnd: true,
    seen: 0,
    generation: 0,
    loading: {},
    held: [],
    tops: [],
    at: 0,
  },
  side: {
    all: [],
    isWhole: false,
    people: [],
    isOfPeople: false,
    shown: [],
    chosen: null,
    tops: [],
    height: 0,
    groups: new Map(),
  },
  search: { ...nothing(), isWide: false, isBest: false },
  threads: { known: new Map(), asked: new Set(), open: new Set() },
  quotes: { known: new Map(), wanted: new Map() },
  live: { version: null, store: null, page: null, conversations: new Set(), edited: [], deleted: [] },
  server: { waiting: 0, marks: false, stars: false },
  seen: { key: null, runs: {} },
  bar: { held: null, wanted: null, text: '', fading: 0 },
  covers: { open: [], isFree: false, leaving: null },
  panel: { from: null, again: null },
}
