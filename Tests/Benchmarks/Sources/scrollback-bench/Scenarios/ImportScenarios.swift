import CBaseline
import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// Imports of whole files, everything on, against C that writes the same tables from fields that are already taken
/// apart, and against the shell of SQLite.
struct ImportScenarios {
  private static let plainC = "C, fields taken apart"

  let setting: Setting
  /// How often each is done: loads of millions take long, and differ little.
  private var rounds: Int {
    setting.size > 1_000_000 || setting.isSpared(from: 1_000_000) || setting.depth == .trial ? 1 : 5
  }

  /// Imports into an empty store.
  func run() throws -> [Finding] {
    guard !setting.isVast else { return [try setting.importOfStore()] }
    SynchronousMessageStore.forgoMemoryFigures()
    let findings = try ofOneHistory()
    guard !setting.isSpared(from: 100_000) else { return findings }
    return findings + [
      try comparison("import of JSON Lines, 1,000 conversations", conversations: 1_000) {
        setting.noStore(named: $0)
      },
      try comparison(
        "import of JSON Lines, nothing for the search index", conversations: 12, isIndexed: false
      ) {
        setting.noStore(named: $0)
      },
    ]
  }

  /// Imports a tenth of the history into a store that holds half of it.
  static func runOnto(_ setting: Setting) throws -> [Finding] {
    SynchronousMessageStore.forgoMemoryFigures()
    let folder = setting.folder.path
    let full = try Setting(size: setting.size / 2, folder: folder, depth: setting.depth)
    let tenth = ImportScenarios(
      setting: try Setting(size: setting.size / 10, folder: folder, depth: setting.depth))
    return [
      try tenth.comparison(
        "import of a tenth in JSON Lines onto half of the history", conversations: 12,
        onto: full.size, isLater: true
      ) {
        try full.copyOfStore(conversations: 12, named: $0)
      }
    ]
  }

  // MARK: One history

  /// The same history in C, from JSON Lines, by `.import` and from IRC logs, in turns: that from JSON Lines is held
  /// against the two beside it, and the last is held against that.
  private func ofOneHistory() throws -> [Finding] {
    let lines = try setting.jsonLines(conversations: 12)
    let logs = setting.isSpared(from: 1_000_000) ? nil : try setting.dailyLogs(conversations: 12)
    let shell = try bareTable()
    var (ours, plainC, bare, irc) = (Measurement(), Measurement(), Measurement(), Measurement())
    for _ in 0..<rounds {
      let store = setting.noStore(named: "baseline")
      plainC.add(try baseline(setting.generator(conversations: 12), into: store, isIndexed: true))
      let imported = setting.noStore(named: "import")
      try load(lines, into: imported, &ours)
      for path in [store, imported] { try setting.expect(setting.size, in: path) }
      _ = setting.noStore(named: "shell")
      try shell?.run(into: &bare)
      if let logs { try load(logs, into: setting.noStore(named: "irc"), &irc) }
    }
    if logs != nil { try setting.expect(setting.size, in: setting.path("irc-\(setting.size).db")) }
    if shell == nil { print(toStandardError: "import against .import: sqlite3 is not installed") }
    var findings = [Finding(name: "import of JSON Lines", ours: ours, baseline: (Self.plainC, plainC))]
    if logs != nil {
      findings.append(Finding(name: "import of IRC logs", ours: irc, baseline: ("JSON Lines", ours)))
    }
    findings.append(
      Finding(
        name: "import of JSON Lines against .import", ours: ours,
        baseline: shell.map { _ in ("sqlite3 .import, FTS5 afterwards", bare) }))
    return findings
  }

  private func load(_ history: String, into store: String, _ measurement: inout Measurement) throws {
    let program = Program(setting.scrollback, "import", "--quiet", "--store", store, history)
    try program.run(into: &measurement)
  }

  /// Returns what fills a bare table with the same two keys by `.import` and builds an FTS5 index on it afterwards;
  /// `nil` where the shell of SQLite is not installed.
  private func bareTable() throws -> Program? {
    guard let shell = Program.installed("sqlite3") else { return nil }
    return Program(
      "/bin/sh", "-c",
      """
      exec "$0" "$1" 'PRAGMA journal_mode = WAL; CREATE TABLE message(conversation INTEGER,
        id INTEGER, sender INTEGER, kind INTEGER, text TEXT, PRIMARY KEY(conversation, id)) WITHOUT ROWID;
        CREATE UNIQUE INDEX message_id ON message(id);' '.mode csv' ".import '$2' message" "
        CREATE VIRTUAL TABLE search USING fts5(text, content='message', content_rowid='id');
        INSERT INTO search(search) VALUES ('rebuild');"
      """,
      shell, setting.path("shell-\(setting.size).db"), try setting.commaSeparated(by: shell))
  }

  // MARK: Against C

  private func comparison(
    _ name: String, conversations: Int, onto held: Int = 0, isLater: Bool = false, isIndexed: Bool = true,
    _ store: (String) throws -> String
  ) throws -> Finding {
    let file =
      try isIndexed
      ? setting.jsonLines(conversations: conversations, isLater: isLater)
      : setting.unindexedJSONLines(conversations: conversations)
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<rounds {
      let (path, other) = (try store("import"), try store("baseline"))
      try load(file, into: path, &ours)
      let generator = setting.generator(conversations: conversations, isLater: isLater)
      theirs.add(try baseline(generator, into: other, isIndexed: isIndexed))
      for path in [path, other] { try setting.expect(held + setting.size, in: path) }
    }
    return Finding(name: name, ours: ours, baseline: (Self.plainC, theirs))
  }

  /// Writes the same messages in C, and returns how long the writing took, without the making up.
  private func baseline(
    _ generator: HistoryGenerator, into path: String, isIndexed: Bool
  ) throws -> Duration {
    var generator = generator
    let numbers = try prepare(path, generator)
    guard let load = cbaseline_load_open(path, 8_192, isIndexed ? 1 : 0) else {
      throw Baseline.failure("cannot write into '\(path)'")
    }
    var time = Duration.zero
    var chunk = Chunk(conversations: numbers)
    while chunk.fill(&generator) {
      let start = ContinuousClock.now
      guard chunk.write(load) else { throw Baseline.failure("cannot write into '\(path)'") }
      time += ContinuousClock.now - start
    }
    let start = ContinuousClock.now
    cbaseline_load_close(load)
    return time + (ContinuousClock.now - start)
  }

  /// Makes the conversations and senders, and returns the numbers of the former.
  private func prepare(_ path: String, _ generator: HistoryGenerator) throws -> [Int64] {
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    return try generator.conversationNames.map { name in
      try store.conversation(named: name)?.id.rawValue ?? store.makeConversation(named: name).id.rawValue
    }
  }

  /// Messages of one transaction, taken apart.
  private struct Chunk {
    let conversations: [Int64]
    private var messages: [cbaseline_message] = []
    private var text: [UInt8] = []

    init(conversations: [Int64]) { self.conversations = conversations }

    mutating func fill(_ generator: inout HistoryGenerator) -> Bool {
      messages.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
      while messages.count < 16_384, generator.advance() {
        let line = generator.line
        messages.append(
          cbaseline_message(
            id: line.id.rawValue, conversation: conversations[line.conversation],
            sender: Int64(line.sender + 1), kind: Int32(line.kind.rawValue), precision: 0, features: 0,
            offset: UInt32(text.count),
            count: UInt32(generator.text.count)))
        text += generator.text
      }
      return !messages.isEmpty
    }

    func write(_ load: OpaquePointer) -> Bool {
      text.withUnsafeBytes { bytes in
        cbaseline_load_add(
          load, messages, Int32(messages.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self)) == 1
      }
    }
  }
}
