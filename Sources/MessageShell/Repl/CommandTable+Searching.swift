extension CommandTable {
  /// Commands that show some messages only, or find them.
  static let searching: [Entry] = [
    Entry(
      name: "filter", arguments: "[FILTERS]", summary: "show only some messages; all again without FILTERS",
      details: [
        "/filter from:alice              of one sender; several may be named",
        "/filter since:2024 until:2024-05-01",
        "/filter has:link                also attachment, reply, edit",
        "/filter kind:join               also text, action, notice, part, topic …",
        "/filter text                    what people said and did: no events",
        "/filter \"red tape\" from:bob     found by a full-text query",
        "/filter regex:colou?r           found by a regular expression",
        "Quotes keep words together: since:\"2024-05-01 14:30\". The place in view is kept.",
      ], completes: .filters
    ) { .filter(String($0)) }
  ]
}
