internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `search`: shows what is found.
struct SearchCommand: Sendable {
  var choice: ConversationChoice
  var pattern: SearchPattern
  /// What else must hold for a hit.
  var predicate: MessagePredicate
  var order: FetchRequest.Order
  /// The most hits to show; `nil` for all.
  var limit: Int?
  /// How many hits to pass over first.
  var offset: Int
  /// How many messages of the same conversation to show on both sides of a hit.
  var context: Int

  /// Creates the command.
  init(
    choice: ConversationChoice = .all, pattern: SearchPattern, predicate: MessagePredicate = .everything,
    order: FetchRequest.Order = .newestFirst, limit: Int? = nil, offset: Int = 0, context: Int = 0
  ) {
    self.choice = choice
    self.pattern = pattern
    self.predicate = predicate
    self.order = order
    self.limit = limit
    self.offset = offset
    self.context = context
  }

  /// Writes the hits as lines of text, each under the name of its conversation if several were searched, and marks
  /// what was found where there are colours. With context, hits begin with `>` and groups are parted by `--`.
  func run(_ store: MessageStore, zone: TimeZone, _ console: Console) throws -> ExitStatus {
    var selection = try choice.selection(in: store)
    selection.predicate = predicate
    let naming: PrintedText.Naming = try choice.isOfSeveral(in: store) ? .inLines : .none
    let format = PrintedText(console.printing(zone: zone, naming: naming, partsDays: false))
    var writer = HitWriter(store: store, format: format, console: console, context: context)
    let status = try run(store, selection, console) { try writer.write($0) }
    try writer.finish()
    console.flush()
    return status
  }

  /// Writes the hits whole, as JSON Lines, without context.
  func runJSON(_ store: MessageStore, _ console: Console) throws -> ExitStatus {
    var selection = try choice.selection(in: store)
    selection.predicate = predicate
    var format = try ExportFormats.named("jsonl")
    var names: [Conversation.ID: String] = [:]
    return try run(store, selection, console) { hits in
      var bytes: [UInt8] = []
      for hit in hits {
        let one = Selection(hit.message.conversation, where: .ids(hit.id...hit.id))
        let page = try store.records(FetchRequest(one, fetchLimit: 1, wantsCounts: false))
        let id = hit.message.conversation
        let name = try names[id] ?? store.conversation(id)?.name ?? ""
        names[id] = name
        for record in page.records { format.write(ExportRecord(record, conversation: name), to: &bytes) }
      }
      console.write(bytes)
    }
  }

  private func run(
    _ store: MessageStore, _ selection: Selection, _ console: Console,
    _ write: ([SearchHit]) throws -> Void
  ) throws -> ExitStatus {
    var (rest, skipped) = (limit ?? .max, offset)
    var found = false
    guard rest > 0 else { return .done }
    try search(store, selection) { hits in
      let shown = Array(hits.dropFirst(skipped).prefix(rest))
      skipped -= min(skipped, hits.count)
      rest -= shown.count
      found = found || !shown.isEmpty
      try write(shown)
      // What was found so far is shown while it goes on.
      console.flush()
      return rest > 0
    }
    console.flush()
    return CostlyMessages.tell(of: store, console, else: found ? .done : .nothingFound)
  }

  /// Calls `body` with the hits in order, some at a time, until it answers `false`.
  private func search(
    _ store: MessageStore, _ selection: Selection, _ body: ([SearchHit]) throws -> Bool
  ) throws {
    let isCancelled = { @Sendable in Interruption.isAskedFor }
    if order == .newestFirst {
      return try store.search(for: pattern, in: selection, isCancelled: isCancelled, body)
    }
    var place = Message.ID.lowest
    while true {
      let ids = try store.nextHits(pattern, in: selection, after: place, limit: 200, isCancelled: isCancelled)
      guard let last = ids.last, try body(ids.compactMap { try store.hit($0, of: pattern) }) else { return }
      place = last
    }
  }
}
