import MessageModel
import MessageSourceTesting
import MessageStorage

/// The promises of the store, each against C over the SQLite API or SQL's own way, turn by turn in one process.
struct StoreScenarios {
  private let corpus: Corpus
  private let depth: Depth
  /// Whether SQL's own way takes too long to be waited for at the deepest places.
  private let isVast: Bool
  private var dice = SeededGenerator(seed: 1)

  private var store: SynchronousMessageStore { corpus.store }
  private var conversation: Conversation { corpus.conversation }

  /// Opens a store that has been filled.
  init(path: String, setting: Setting) throws {
    corpus = try Corpus(path: path)
    depth = setting.depth
    isVast = setting.isVast
  }

  mutating func run() throws -> [Finding] {
    [
      try page(), try sequentialPages(), try deepestPage(), try datePage(), try percentPage(),
      try senderPage(),
      try ordinalOfID(), try idAtOrdinal(), try senderOrdinal(),
    ] + (try offsets())
  }

  private mutating func randomID() throws -> Message.ID { try corpus.randomMessage(&dice)?.id ?? .highest }

  /// The request for a page of 50, without counts, as C reads it.
  private func request(_ anchor: PageAnchor) -> PageRequest {
    PageRequest(Selection(conversation.id), anchor: anchor, fetchLimit: 50, wantsCounts: false)
  }

  // MARK: Pages

  private mutating func page() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<depth.times(2_000) {
      let id = try randomID()
      try theirs.time { try corpus.readPlainly(before: id, 50) }
      _ = try ours.time { try store.page(request(.before(id))) }
    }
    return Finding(name: "page of 50 at a random place", ours: ours, baseline: ("C page", theirs))
  }

  private func sequentialPages() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    var end = Message.ID.highest
    for _ in 0..<depth.times(2_000) {
      try theirs.time { try corpus.readPlainly(before: end, 50) }
      let page = try ours.time { try store.page(request(.before(end))) }
      end = page.hasOlder ? page.messages.first?.id ?? .highest : .highest
    }
    return Finding(name: "pages of 50, one after the other", ours: ours, baseline: ("C page", theirs))
  }

  private func deepestPage() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    let end = try store.page(request(.oldest)).messages.last?.id.successor ?? .highest
    for _ in 0..<depth.times(1_000) {
      try theirs.time { try corpus.readPlainly(before: end, 50) }
      _ = try ours.time { try store.page(request(.oldest)) }
    }
    return Finding(name: "page of 50 at the oldest", ours: ours, baseline: ("C page", theirs))
  }

  private mutating func datePage() throws -> Finding {
    try anchoredPages("page of 50 around a date") { dice, corpus in
      try corpus.randomMessage(&dice).map { .time($0.time) }
    }
  }

  private mutating func percentPage() throws -> Finding {
    try anchoredPages("page of 50 around a percentage") { dice, _ in
      .percent(Double(dice.next() % 1_000_000) / 10_000)
    }
  }

  /// Pages at anchors that are drawn, against C that is told where they end.
  private mutating func anchoredPages(
    _ name: String, _ draw: (inout SeededGenerator, Corpus) throws -> PageAnchor?
  ) throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<depth.times(1_000) {
      guard let anchor = try draw(&dice, corpus) else { continue }
      let end = try store.page(request(anchor)).messages.last?.id.successor ?? .highest
      try theirs.time { try corpus.readPlainly(before: end, 50) }
      _ = try ours.time { try store.page(request(anchor)) }
    }
    return Finding(name: name, ours: ours, baseline: ("C page", theirs))
  }

  private mutating func senderPage() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(500) {
      guard let message = try corpus.randomMessage(&dice), let sender = message.sender else { continue }
      let asked = PageRequest(
        Selection(conversation.id, where: .sender([sender.id])), anchor: .before(message.id), fetchLimit: 50,
        wantsCounts: false)
      _ = try ours.time { try store.page(asked) }
    }
    return Finding(name: "page of 50 by one sender at a random place", ours: ours)
  }

  // MARK: Ordinals

  private mutating func ordinalOfID() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(1_000) {
      let request = PageRequest(Selection(conversation.id), anchor: .before(try randomID()), fetchLimit: 0)
      _ = try ours.time { try store.page(request) }
    }
    return Finding(name: "ordinal of an id", ours: ours)
  }

  private mutating func idAtOrdinal() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(1_000) {
      let request = PageRequest(
        Selection(conversation.id), anchor: .ordinal(corpus.randomOrdinal(&dice)), fetchLimit: 1,
        wantsCounts: false)
      _ = try ours.time { try store.page(request) }
    }
    return Finding(name: "k-th message", ours: ours)
  }

  private mutating func senderOrdinal() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<depth.times(500) {
      guard let message = try corpus.randomMessage(&dice), let sender = message.sender else { continue }
      let filtered = Selection(conversation.id, where: .sender([sender.id]))
      let asked = PageRequest(filtered, anchor: .before(message.id), fetchLimit: 0)
      _ = try ours.time { try store.page(asked) }
    }
    return Finding(name: "ordinal of an id under a sender filter", ours: ours)
  }

  private func offsets() throws -> [Finding] {
    var offsets = [0]
    while let last = offsets.last, max(last, 1) * 10 < conversation.messageCount {
      offsets.append(max(last, 1) * 10)
    }
    offsets.append(max(conversation.messageCount - 50, 0))
    return try offsets.map { offset in
      var (ours, theirs) = (Measurement(), Measurement())
      let request = PageRequest(
        Selection(conversation.id), order: .newestFirst, fetchLimit: 50, fetchOffset: offset,
        wantsCounts: false)
      // A deep OFFSET takes long and empties the processor's caches: many of ours follow each of it.
      let isDeep = offset > 100_000
      let isCompared = !isVast || !isDeep
      for _ in 0..<depth.times(isDeep ? 11 : 201) {
        if isCompared { try theirs.time { try corpus.readPlainly(offset: offset, 50) } }
        for _ in 0..<(isDeep ? 20 : 1) { _ = try ours.time { try store.page(request) } }
      }
      return Finding(
        name: "fetchOffset \(offset)", ours: ours, baseline: isCompared ? ("SQL OFFSET", theirs) : nil)
    }
  }
}
