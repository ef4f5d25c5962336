extension CommandTable {
  static let searching: [Entry] = [
    Entry(
      name: "search", effect: .reads, arguments: "[QUERY]",
      summary: "to the nearest hit; without QUERY the search ends",
      details: [
        "/search tea cup          both words, in any case, with any accents",
        "/search \"cup of tea\"    these words one after the other",
        "/search tea* OR coffee   a beginning; one or the other",
        "/search tea -green       one without the other",
        "/search c++              also #channel, .NET, addresses: just that",
        "/search from:ali* tea    by whom; also in: since: until: on: before: after: has: kind:",
        "/search on:march 2019 -from:bob     times as people say them",
        "/search regex:te+a       a regular expression; this reads all texts",
        "While it is typed its last word is a beginning, and Enter keeps that: /search wobb is wobb*.",
        "A space behind the word, or quotes, find the word alone. In scripts words are words.",
        "It begins with the newest hit up to the messages in view. Older hits: /prev or Alt-p;",
        "newer ones: /next or Alt-n. /back returns to where it began.",
      ], completes: .query
    ) { .search(String($0)) },
    Entry(name: "next", effect: .reads, arguments: "", summary: "the next newer hit") {
      CommandArguments.bare($0, .hit(.newer))
    },
    Entry(name: "prev", effect: .reads, arguments: "", summary: "the next older hit") {
      CommandArguments.bare($0, .hit(.older))
    },
    Entry(
      name: "hits", effect: .reads, arguments: "[QUERY]",
      summary: "a list of all hits, newest first, to choose from",
      details: [
        "/hits tea     all that /search tea finds: date, name and text, the messages around below",
        "/hits         those of the present search, where they were listed before; also Alt-h",
        "Up, Down, PageUp, PageDown choose, Alt-End and Alt-Home the newest and the oldest; what is",
        "typed narrows the list. Enter goes there, Esc is back where one was.",
        "In a script the newest 20 are printed, with their ids.",
      ]
    ) { .hits(String($0)) },
    Entry(
      name: "best", effect: .reads, arguments: "[QUESTION]",
      summary: "a list of what answers a question best, to choose from",
      details: [
        "/best what did Ann say about the boiler    some words may be missing, rare ones count more",
        "/best plumber from:ann since:2023          terms narrow it, as in /search",
        "/best     the words of the present search; in a list of hits Alt-o does that, too",
        "Up and Down choose, Enter goes there; what is typed narrows the list. /hits lists by time,",
        "what has all of the words. In a script ten are printed.",
      ], completes: .query
    ) { .best(String($0)) },
    Entry(
      name: "links", effect: .reads, arguments: "[QUERY]",
      summary: "a list of messages with links, newest first, to choose from",
      details: ["/links from:ann since:2024", "Keys are those of /hits; /url shows the links of a message."],
      completes: .query
    ) { .hits(CommandTable.listing("has:link", $0)) },
    Entry(
      name: "files", effect: .reads, arguments: "[QUERY]",
      summary: "a list of messages with attached files, newest first, to choose from",
      details: ["/files file:*.pdf", "Keys are those of /hits; /save writes the files of a message."],
      completes: .query
    ) { .hits(CommandTable.listing("has:attachment", $0)) },
    Entry(
      name: "gallery", effect: .reads, arguments: "[QUERY]",
      summary: "the pictures, newest first, to choose from",
      details: [
        "/gallery from:ann since:2024",
        "A grid where pictures can be drawn, else a list. Arrows choose, Enter goes to the message, Esc is back where one",
        "was; a query that is typed shows other ones. In a script the newest 20 are printed, with their ids.",
      ], completes: .query
    ) { .gallery(String($0)) },
    Entry(
      name: "stars", effect: .reads, arguments: "[QUERY]",
      summary: "a list of messages with a star, newest first, to choose from",
      details: [
        "/stars from:ann", "Keys are those of /hits; /star gives a message a star, or removes it.",
      ],
      completes: .query
    ) { .hits(CommandTable.listing("is:starred", $0)) },
    Entry(
      name: "filter", effect: .reads, arguments: "[FILTERS|NAME|add FILTERS|not|drop|save NAME]",
      summary: "show only some messages; all again without FILTERS",
      details: [
        "/filter from:alice from:bo*     of some senders; -from:bob of all others",
        "/filter since:2024 until:may    also on:\"mar 15\", before:, after:, since:3 weeks ago",
        "/filter has:link                also attachment, reply, edit; is:starred with a star, is:unread",
        "/filter file:*.pdf              with a file of that name; file:invoice by a word of it",
        "/filter kind:join               also text, action, notice, part, topic …; said for text and actions",
        "/filter text                    the same as kind:said: no events",
        "/filter -kind:step              without what assistants think and do",
        "/filter \"red tape\" OR from:bob  words as /search takes them, also in parentheses",
        "/filter thread:a                the thread of a message, by its letter or #ID",
        "/filter regex:colou?r           a regular expression",
        "/filter add has:link            also this; /filter drop removes it again (Alt-k, Alt-j)",
        "/filter not                     what it hides: inverts what was added last (Alt-i)",
        "/filter save teatime            keep the present filter by a name, with its counts",
        "/filter teatime                 the saved filter; with others: filter:teatime since:2024",
        "Quotes keep words together: from:\"bob b\". The place in view is kept.",
      ], completes: .filters
    ) { .filter(String($0)) },
    Entry(
      name: "person", effect: .reads, arguments: "[NAME]",
      summary: "show only what one person wrote; all again without NAME",
      details: [
        "/person ann     the same as /filter person:ann: from all accounts that are linked to Ann",
        "People are linked in the shell: scrollback people link Ann ann_ U024BE7LH",
      ], completes: .people
    ) { .person(String($0)) },
  ]

  private static func listing(_ term: String, _ query: some StringProtocol) -> String {
    query.allSatisfy(\.isWhitespace) ? term : "\(term) (\(query))"
  }
}
