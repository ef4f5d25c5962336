import ChatSession
import Foundation
import HistoryQueries
import MessageInterchange
import MessageModel
import MessageSourceTesting
import MessageStorage
internal import TerminalText

/// A path that is taken so often that its instructions are counted.
enum HotPath: String, CaseIterable {
  /// A page of 50 messages at a random place.
  case page
  /// A page of 50 messages of one sender at a random place.
  case senderPage
  /// The same, asked as a question and answered in JSON: what the server does for a page, and the command `query`.
  case answer
  /// One message appended and committed.
  case append
  /// One message of a history imported, from its line to the search index, all threads together.
  case `import`
  /// A line of JSON Lines read into a draft.
  case line
  /// One message looked at by a check of everything.
  case check
  /// The text of one message searched for a regular expression that it does not match.
  case expression
  /// A screen of 24 rows moved by a page, laid out and turned into bytes.
  case screen

  /// The number of times that it is taken to be counted.
  var count: Int {
    switch self {
    case .page, .senderPage, .answer: 100
    case .append: 50
    case .import, .check, .expression: 6_000
    case .line: 2_000
    case .screen: 40
    }
  }

  /// Makes what it reads, which is not to be counted with it.
  func prepare(_ count: Int, folder: String) throws {
    let setting = try Setting(size: count, folder: folder)
    switch self {
    case .check, .expression: _ = try setting.store()
    case .import: _ = try setting.jsonLines(conversations: 12)
    case .line: _ = try Self.equalLines(setting)
    case .page, .senderPage, .answer, .screen: _ = try Setting(size: Repeat.size, folder: folder).store()
    case .append: break
    }
  }

  /// Does it `count` times.
  func run(_ count: Int, _ setting: Setting) throws {
    switch self {
    case .page: try Self.pages(count, setting)
    case .senderPage: try Self.senderPages(count, setting)
    case .answer: try Self.answers(count, setting)
    case .append: try Self.appends(count, setting)
    case .import: try Self.imports(count, setting)
    case .line: try Self.lines(count, setting)
    case .check: try Self.checks(count, setting)
    case .expression: try Self.expressions(count, setting)
    case .screen: try Self.screens(count, setting)
    }
  }

  private static func opened(_ setting: Setting) throws -> (SynchronousMessageStore, Conversation) {
    let store = try SynchronousMessageStore(
      path: try setting.store(), options: StoreOptions(access: .readOnly))
    guard let conversation = try store.conversations().first else {
      throw StoreError(.notFound, "there is no conversation to read")
    }
    return (store, conversation)
  }

  private static func pages(_ count: Int, _ setting: Setting) throws {
    let (store, conversation) = try opened(setting)
    defer { store.close() }
    var dice = SeededGenerator(seed: 1)
    for _ in 0..<count {
      let anchor = PageAnchor.ordinal(Int(dice.next() % UInt64(conversation.messageCount)))
      _ = try store.page(PageRequest(Selection(conversation.id), anchor: anchor, fetchLimit: 50))
    }
  }

  private static func senderPages(_ count: Int, _ setting: Setting) throws {
    let (store, conversation) = try opened(setting)
    defer { store.close() }
    let newest = try store.page(PageRequest(Selection(conversation.id), fetchLimit: 50))
    let senders = newest.messages.compactMap { $0.sender?.id }
    var dice = SeededGenerator(seed: 4)
    for index in 0..<count {
      let selection = Selection(conversation.id, where: .sender([senders[index % senders.count]]))
      let anchor = PageAnchor.percent(Double(dice.next() % 100_000) / 1_000)
      _ = try store.page(PageRequest(selection, anchor: anchor, fetchLimit: 50, wantsCounts: false))
    }
  }

  private static func answers(_ count: Int, _ setting: Setting) throws {
    let (store, conversation) = try opened(setting)
    defer { store.close() }
    var dice = SeededGenerator(seed: 1)
    for _ in 0..<count {
      let place = PageStart(.ordinal(Int(dice.next() % UInt64(conversation.messageCount))))
      let question = PageQuestion(conversations: [.id(conversation.id)], at: place, limit: 50)
      let answer = try store.atOneMoment { () throws(StoreError) in
        AnyHistoryAnswer(try QuestionAnswerer(store).answer(question), to: question)
      }
      _ = try AnswerEncoder.bytes(of: answer)
    }
  }

  private static func checks(_ count: Int, _ setting: Setting) throws {
    let sized = try Setting(size: count, folder: setting.folder.path)
    let store = try SynchronousMessageStore(path: try sized.store(), options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let check = try store.check()
    guard check.isSound, check.messageCount == count else {
      throw StoreError(
        .damaged, "'\(store.path)' is not what was made", cause: check.problems.first?.sentence)
    }
  }

  private static func expressions(_ count: Int, _ setting: Setting) throws {
    let sized = try Setting(size: count, folder: setting.folder.path)
    let store = try SynchronousMessageStore(path: try sized.store(), options: StoreOptions(access: .readOnly))
    defer { store.close() }
    try store.search(for: .regex("[#@]nowhere[0-9]+x")) { _ in true }
  }

  private static func appends(_ count: Int, _ setting: Setting) throws {
    let path = setting.path("guard.db")
    StoreFiles.remove(path)
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
    defer { store.close() }
    let conversation = try store.makeConversation(named: "general").id
    for number in 0..<count {
      try store.append(
        [NewMessage("message number \(number), of a usual length", from: "alice")], to: conversation)
    }
  }

  private static func imports(_ count: Int, _ setting: Setting) throws {
    SynchronousMessageStore.forgoMemoryFigures()
    let history = try Setting(size: count, folder: setting.folder.path).jsonLines(conversations: 12)
    let path = setting.noStore(named: "guard")
    let outcome = try ImportCommand(paths: [history]).load(
      into: { try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process)) },
      note: { _ in }, redraw: { _ in }, isCancelled: { false })
    guard outcome.status == .done else {
      throw Program.Failure("cannot import '\(history)'", cause: outcome.summary)
    }
  }

  private static func lines(_ count: Int, _ setting: Setting) throws {
    let sized = try Setting(size: count, folder: setting.folder.path)
    var reader = try ImportReader([try equalLines(sized)])
    while reader.next() != nil {}
  }

  /// Returns the path of a history of as many lines, all the same.
  private static func equalLines(_ setting: Setting) throws -> String {
    let line = """
      {"conversation":"general","time":"2024-05-01T12:34:56.789Z","sender":"alice","kind":"text","text":"a message of a usual length"}

      """
    return try setting.made("guard-\(setting.size).jsonl") {
      try Data(String(repeating: line, count: setting.size).utf8).write(to: URL(fileURLWithPath: $0))
    }
  }

  private static func screens(_ count: Int, _ setting: Setting) throws {
    let (store, conversation) = try opened(setting)
    defer { store.close() }
    let settings = LayoutSettings(columns: 80, zone: .gmt)
    var view = HistoryView(of: Selection(conversation.id), in: store, settings: settings, height: 22)
    var painter = ScreenPainter(StyleEncoder(.indexed))
    try view.jump(to: .newest)
    for _ in 0..<count {
      try view.scroll(rows: -22)
      _ = painter.paint(Screen(rows: view.shown.map(\.row), columns: 80))
    }
  }
}
