import CYardstick
import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// Imports of whole files, everything on, against C that writes the same tables from fields that are already taken
/// apart, and against the shell of SQLite.
struct ImportScenarios {
  let setting: Setting
  /// How often each is done: loads of millions take long, and differ little.
  private var rounds: Int { setting.size >= 1_000_000 ? 1 : 5 }

  /// Imports into an empty store.
  func run() throws -> [Finding] {
    MessageStore.forgoMemoryFigures()
    let ours = try setting.jsonLines(conversations: 12)
    return [
      try comparison("import of JSON Lines", conversations: 12) { setting.noStore(named: $0) },
      try comparison("import of JSON Lines, 1,000 conversations", conversations: 1_000) {
        setting.noStore(named: $0)
      },
      try comparison(
        "import of JSON Lines, nothing for the search index", conversations: 12, isIndexed: false
      ) {
        setting.noStore(named: $0)
      },
      try Program.compare(
        "import of IRC logs", importing(try setting.dailyLogs(conversations: 12), into: "irc"),
        with: importing(ours, into: "import"), named: "JSON Lines", times: rounds),
      try shell(ours),
    ]
  }

  /// Imports a tenth of the history into a store that holds half of it.
  static func runOnto(_ setting: Setting) throws -> [Finding] {
    MessageStore.forgoMemoryFigures()
    let folder = setting.folder.path
    let full = try Setting(size: setting.size / 2, folder: folder)
    let tenth = ImportScenarios(setting: try Setting(size: setting.size / 10, folder: folder))
    return [
      try tenth.comparison(
        "import of a tenth in JSON Lines onto half of the history", conversations: 12, isLater: true
      ) {
        try full.copyOfStore(conversations: 12, named: $0)
      }
    ]
  }

  // MARK: Against C

  private func comparison(
    _ name: String, conversations: Int, isLater: Bool = false, isIndexed: Bool = true,
    _ store: (String) throws -> String
  ) throws -> Finding {
    let file =
      try isIndexed
      ? setting.jsonLines(conversations: conversations, isLater: isLater)
      : setting.unindexedJSONLines(conversations: conversations)
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<rounds {
      let path = try store("import")
      try Program(setting.scrollback, "import", "--quiet", "--store", path, file).run(into: &ours)
      let generator = setting.generator(conversations: conversations, isLater: isLater)
      theirs.add(try yardstick(generator, into: try store("yardstick"), isIndexed: isIndexed))
    }
    return Finding(name: name, ours: ours, yardstick: ("C, fields taken apart", theirs))
  }

  /// Writes the same messages in C, and returns how long the writing took, without the making up.
  private func yardstick(
    _ generator: HistoryGenerator, into path: String, isIndexed: Bool
  ) throws -> Duration {
    var generator = generator
    let numbers = try prepare(path, generator)
    guard let load = cyardstick_load_open(path, 8_192, isIndexed ? 1 : 0) else {
      throw StoreError(.inputOutput, "cannot measure '\(path)'")
    }
    var time = Duration.zero
    var chunk = Chunk(conversations: numbers)
    while chunk.fill(&generator) {
      let start = ContinuousClock.now
      guard chunk.write(load) else { throw StoreError(.inputOutput, "cannot write into '\(path)'") }
      time += ContinuousClock.now - start
    }
    let start = ContinuousClock.now
    cyardstick_load_close(load)
    return time + (ContinuousClock.now - start)
  }

  /// Makes the conversations and senders, and returns the numbers of the former.
  private func prepare(_ path: String, _ generator: HistoryGenerator) throws -> [Int64] {
    let store = try MessageStore(path: path)
    defer { store.close() }
    return try generator.conversationNames.map { name in
      try store.conversation(named: name)?.id.rawValue ?? store.makeConversation(named: name).id.rawValue
    }
  }

  /// Messages of one transaction, taken apart.
  private struct Chunk {
    let conversations: [Int64]
    private var messages: [cyardstick_message] = []
    private var text: [UInt8] = []

    init(conversations: [Int64]) { self.conversations = conversations }

    mutating func fill(_ generator: inout HistoryGenerator) -> Bool {
      messages.removeAll(keepingCapacity: true)
      text.removeAll(keepingCapacity: true)
      while messages.count < 16_384, generator.advance() {
        let line = generator.line
        messages.append(
          cyardstick_message(
            id: line.id.rawValue, conversation: conversations[line.conversation],
            sender: Int64(line.sender + 1), time: line.id.time.millisecondsSince1970,
            kind: Int32(line.kind.rawValue), precision: 0, features: 0, offset: UInt32(text.count),
            count: UInt32(generator.text.count)))
        text += generator.text
      }
      return !messages.isEmpty
    }

    func write(_ load: OpaquePointer) -> Bool {
      text.withUnsafeBytes { bytes in
        cyardstick_load_add(
          load, messages, Int32(messages.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self)) == 1
      }
    }
  }

  // MARK: Against other programs

  /// An import into a store that is made anew each time.
  private func importing(_ file: String, into name: String) -> Program {
    let store = setting.path("\(name)-\(setting.size).db")
    return Program(
      "/bin/sh", "-c", "rm -f \"$1\" \"$1\"-*; exec \"$0\" import --quiet --store \"$1\" \"$2\"",
      setting.scrollback, store, file)
  }

  /// A bare table with the same two keys, filled by `.import`, and an FTS5 index that is built on it afterwards.
  private func shell(_ file: String) throws -> Finding {
    let shell = Program.installed("sqlite3")
    let theirs = try shell.map { shell in
      Program(
        "/bin/sh", "-c",
        """
        rm -f "$1" "$1"-*; exec "$0" "$1" 'PRAGMA journal_mode = WAL; CREATE TABLE message(conversation INTEGER,
          id INTEGER, sender INTEGER, kind INTEGER, text TEXT, PRIMARY KEY(conversation, id)) WITHOUT ROWID;
          CREATE UNIQUE INDEX message_id ON message(id);' '.mode csv' ".import '$2' message" "
          CREATE VIRTUAL TABLE search USING fts5(text, content='message', content_rowid='id');
          INSERT INTO search(search) VALUES ('rebuild');"
        """,
        shell, setting.path("shell-\(setting.size).db"), try setting.commaSeparated(by: shell))
    }
    return try Program.compare(
      "import of JSON Lines against .import", importing(file, into: "import"), with: theirs,
      named: "sqlite3 .import, FTS5 afterwards", times: rounds)
  }
}
