import Foundation
import HistoryModel
import MessageModel
import MessageStorage
import TestSupport

/// The history that a scenario measures with, in the shapes that it needs; each is made once and kept in a folder.
struct Setting {
  /// The number of messages of the history.
  let size: Int
  let folder: URL
  /// The thoroughness of the run.
  let depth: Depth

  init(size: Int, folder: String, depth: Depth = .full) throws {
    self.size = size
    self.depth = depth
    self.folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
  }

  /// Whether the history is so large that nothing but its store is kept: it comes through a pipe, tools that read its text have
  /// no turn, and what writes does so into the store itself.
  var isVast: Bool { size > Self.textLimit }
  /// The most messages of which a text is kept.
  static let textLimit = 10_000_000

  /// Whether a quick run leaves out what takes long with that many messages.
  func isSpared(from count: Int) -> Bool { depth == .quick && size >= count }

  /// The command, as it was built beside this program.
  var scrollback: String { BuiltProduct.path(of: "scrollback") }

  /// Returns the path of a store that holds the history; takes as long as an import the first time.
  func store(conversations: Int = 1) throws -> String {
    // A store of another form would be read with distrust.
    try made("\(storeName(conversations)).db") {
      if isVast {
        try pipe(into: $0, conversations: conversations)
      } else {
        try fill($0, conversations: conversations)
      }
    }
  }

  /// Returns how the store of a vast history was filled, by an import through a pipe.
  func importOfStore() throws -> Finding {
    _ = try store()
    let kept = URL(fileURLWithPath: path("\(storeName(1))-import.json"))
    guard let finding = try Finding.all(in: kept).first else {
      throw StoreError(.notFound, "'\(kept.path)' says nothing of the import")
    }
    return finding
  }

  /// Returns the path of a store to write into: a copy, or of a vast history the store itself.
  func storeToWrite(named name: String = "copy") throws -> String {
    isVast ? try store() : try copyOfStore(named: name)
  }

  private func storeName(_ conversations: Int) -> String {
    "store-\(size)-\(conversations)-\(SynchronousMessageStore.formKey.prefix(8))"
  }

  /// Returns the path of a store of its own for a scenario that writes, a copy of that of the history.
  func copyOfStore(conversations: Int = 1, named name: String = "copy") throws -> String {
    let original = try store(conversations: conversations)
    let copy = noStore(named: name)
    try FileManager.default.copyItem(atPath: original, toPath: copy)
    // Else the first to make a message durable waits for all of the copy to come to the disk.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try file.synchronize()
    try file.close()
    return copy
  }

  /// Returns the path of a store that is not there yet.
  func noStore(named name: String) -> String {
    let path = path("\(name)-\(size).db")
    StoreFiles.remove(path)
    return path
  }

  /// Returns the path of the history as text, as `export --format text` writes it.
  func text() throws -> String { try exported("text") }

  /// Returns a generator of a history of this size.
  ///
  /// - Parameter isLater: Whether it begins when that of a store has ended.
  func generator(conversations: Int, isLater: Bool = false) -> HistoryGenerator {
    var options = HistoryGenerator.Options(count: size, conversations: conversations)
    if isLater {
      options.start = options.end
      options.end = Timestamp(utc: CivilTime(year: 2025, month: 1, day: 1))
    }
    return HistoryGenerator(options)
  }

  /// Returns the path of a history in Scrollback's JSON Lines.
  func jsonLines(conversations: Int, isLater: Bool = false) throws -> String {
    try made("history-\(size)-\(conversations)\(isLater ? "-later" : "").jsonl") { path in
      var generator = generator(conversations: conversations, isLater: isLater)
      let file = try OutputFile(creating: path)
      var hasMore = true
      while hasMore {
        var buffer: [UInt8] = []
        hasMore = generator.appendJSONLines(to: &buffer, upTo: 1 << 20, withIDs: false)
        try file.write(buffer)
      }
      try file.close()
    }
  }

  /// Returns the path of the same history with all messages of a kind that the search index leaves out.
  func unindexedJSONLines(conversations: Int) throws -> String {
    let history = try jsonLines(conversations: conversations)
    return try made("history-\(size)-\(conversations)-unindexed.jsonl") { path in
      var program = Program("/usr/bin/env", "sed", #"s/"kind":"[a-z]*"/"kind":"quit"/"#, history)
      program.output = path
      try program.run()
    }
  }

  /// Returns the path of a history as a folder of daily IRC logs.
  func dailyLogs(conversations: Int) throws -> String {
    try made("logs-\(size)-\(conversations)") { path in
      try? FileManager.default.removeItem(atPath: path)
      var generator = generator(conversations: conversations)
      try DailyLogs(folder: path).write(&generator)
    }
  }

  /// Returns the path of the store's messages as comma-separated values, as the shell of SQLite writes them.
  func commaSeparated(by shell: String) throws -> String {
    let store = try store()
    return try made("history-\(size).csv") { path in
      var program = Program(
        shell, "-readonly", "-csv", store, "SELECT conversation, id, sender, kind, text FROM message")
      program.output = path
      try program.run()
    }
  }

  /// Returns the path of a file in the folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func exported(_ format: String) throws -> String {
    let store = try store()
    return try made("history-\(size).\(format)") { path in
      try Program(scrollback, "export", "--store", store, "--format", format, "--output", path).run()
    }
  }

  /// Looks that a store holds what was imported: what was refused took no time.
  func expect(_ count: Int, in path: String) throws {
    let store = try SynchronousMessageStore(path: path, options: .readOnly)
    defer { store.close() }
    let found = try store.conversations().reduce(0) { $0 + $1.messageCount }
    guard found == count else {
      throw Program.Failure("'\(path)' holds \(found) messages", cause: "\(count) were to be imported")
    }
  }

  /// Makes a file under another name until it is whole.
  func made(_ name: String, by making: (String) throws -> Void) throws -> String {
    let finished = path(name)
    if FileManager.default.fileExists(atPath: finished) { return finished }
    let unfinished = finished + ".part"
    StoreFiles.remove(unfinished)
    try making(unfinished)
    guard rename(unfinished, finished) == 0 else {
      throw StoreError(.inputOutput, "cannot rename '\(unfinished)'")
    }
    return finished
  }

  /// Fills a store by an import of what is made up meanwhile, and keeps how long that took.
  private func pipe(into path: String, conversations: Int) throws {
    var ours = Measurement()
    let command = #""$0" generate "$1" --conversations "$2" | "$3" import --quiet --store "$4" -"#
    try Program(
      "/bin/sh", "-c", command, Program.own, "\(size)", "\(conversations)", scrollback, path
    ).run(into: &ours)
    // A pipe ends as its last program does, whatever became of the first.
    try expect(size, in: path)
    let file = URL(fileURLWithPath: self.path("\(storeName(conversations))-import.json"))
    try JSONEncoder().encode([Finding(name: "import of JSON Lines", ours: ours)]).write(to: file)
  }

  private func fill(_ path: String, conversations: Int) throws {
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
    defer { store.close() }
    let load = try BulkImport(
      into: store, BulkImport.Description(name: "made up", format: "generated", zone: "UTC"))
    var generator = generator(conversations: conversations)
    var batch = ImportBatch()
    while generator.advance() {
      batch.take(generator)
      if batch.count == 8_192 {
        try load.add(batch, isContinuation: true)
        batch.removeAll()
      }
    }
    try load.add(batch, isContinuation: true)
    _ = try load.finish()
  }
}

extension ImportBatch {
  /// Takes in the message that was made last.
  fileprivate mutating func take(_ generator: HistoryGenerator) {
    let line = generator.line
    let conversation = conversation(named: generator.conversationNames[line.conversation])
    let sender = store(generator.senderNames[line.sender])
    let text = generator.text.withUnsafeBytes { store($0) }
    append(
      Entry(
        time: line.id.placeTime, precision: .millisecond, kind: line.kind, conversation: conversation,
        sender: sender,
        text: text))
  }
}
