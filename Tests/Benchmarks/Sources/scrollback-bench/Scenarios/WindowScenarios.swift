import MessageModel
import MessageSourceTesting
import MessageStorage
import MessageWindows

/// What the window promises over a store: any place is a few pages of work away, and scrolling all of a history takes
/// no more memory than scrolling a small one.
struct WindowScenarios {
  private let corpus: Corpus
  private let depth: Depth
  private var dice = SeededGenerator(seed: 2)

  private var store: SynchronousMessageStore { corpus.store }
  private var conversation: Conversation { corpus.conversation }

  /// Opens a store that has been filled.
  init(path: String, depth: Depth) throws {
    corpus = try Corpus(path: path)
    self.depth = depth
  }

  /// How many places are jumped to.
  private var jumpCount: Int { depth.times(10_000, quick: 2_000) }

  mutating func run() async throws -> [Finding] {
    [try jumps(), try await listJumps(), try scrolls(), try rereads()]
  }

  /// A place to jump to, and the end of the page that shows it.
  private struct Place {
    var id: Message.ID
    var end: Message.ID
  }

  /// Places all over the conversation, by id, as marks, replies and hits give them.
  private mutating func randomPlaces(_ count: Int, pageSize: Int = 100) throws -> [Place] {
    try (0..<count).compactMap { _ in
      let page = try store.page(
        PageRequest(
          Selection(conversation.id), anchor: .ordinal(corpus.randomOrdinal(&dice)), fetchLimit: pageSize,
          wantsCounts: false))
      guard let id = page.resolution.message, let end = page.messages.last?.id else { return nil }
      return Place(id: id, end: end)
    }
  }

  /// Reads in C the messages that a window reads, up to `end`.
  private func readPlainly(upTo end: Message.ID, _ count: Int) throws {
    try corpus.readPlainly(before: end.successor, count)
  }

  private mutating func jumps() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    var window = MessageWindow(Selection(conversation.id))
    for place in try randomPlaces(jumpCount) {
      try theirs.time { try readPlainly(upTo: place.end, 100) }
      try ours.time { _ = try window.perform(.jump(to: .around(place.id)), in: store) }
    }
    return Finding(
      name: "jump of a window to a random message", ours: ours, baseline: ("C page of 100", theirs))
  }

  private mutating func listJumps() async throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    let list = MessageList(Selection(conversation.id), in: AwaitedSource(store))
    var snapshots = list.snapshots().makeAsyncIterator()
    _ = await snapshots.next()
    for place in try randomPlaces(jumpCount) {
      try theirs.time { try readPlainly(upTo: place.end, 100) }
      await ours.time {
        await list.perform(.jump(to: .around(place.id)))
        while let snapshot = await snapshots.next(), snapshot.header.position?.id != place.id {}
      }
    }
    await list.close()
    return Finding(
      name: "the same through a list, to its snapshot", ours: ours, baseline: ("C page of 100", theirs))
  }

  private mutating func scrolls() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    var window = MessageWindow(Selection(conversation.id))
    for place in try randomPlaces(depth.times(100)) {
      try window.perform(.jump(to: .around(place.id)), in: store)
      for _ in 0..<20 {
        guard let oldest = window.messages.first?.id else { continue }
        try theirs.time { try corpus.readPlainly(before: oldest, 50) }
        try ours.time { _ = try window.perform(.scroll(.older), in: store) }
      }
    }
    return Finding(name: "scrolling a window by a page", ours: ours, baseline: ("C page of 50", theirs))
  }

  private mutating func rereads() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    var window = MessageWindow(Selection(conversation.id))
    for place in try randomPlaces(depth.times(1_000)) {
      try window.perform(.jump(to: .around(place.id)), in: store)
      try theirs.time { try readPlainly(upTo: window.messages.last?.id ?? place.end, window.count) }
      try ours.time { _ = try window.perform(.sourceChanged, in: store) }
    }
    return Finding(
      name: "answering a commit in a window of 100", ours: ours, baseline: ("C page of 100", theirs))
  }
}
