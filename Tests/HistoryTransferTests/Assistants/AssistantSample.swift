import Foundation
import GRDB
import HistoryModel
import HistoryTransfer
import MessageInterchange
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// A file of an assistant among the fixtures. Every format of the table of assistants has some, so that one that is
/// added is tried as the others are.
struct AssistantSample: Sendable, CustomTestStringConvertible {
  let format: String
  /// Its path in the folder of its format.
  let path: String
  let nature: Nature

  /// The way in which a file is written.
  enum Nature: Sendable {
    case database
    /// A value of JSON.
    case document
    /// An object of JSON a line.
    case rows
    case text
  }

  var testDescription: String { "\(format)/\(path)" }

  private static let fixtures = GoldenFile.root.appending(path: "Fixtures")

  /// The names of the formats of assistants.
  static let formats = Set(ImportFormats.assistants.map(\.format)).sorted()

  /// All files with messages, by their formats.
  static let all: [AssistantSample] = formats.flatMap { (try? samples(of: $0)) ?? [] }

  /// Two files of each format and nature; all in the long form of the tests.
  static let some: [AssistantSample] = {
    let groups = Dictionary(grouping: all.indices) { "\(all[$0].format) \(all[$0].nature)" }
    return isLong ? all : groups.values.flatMap { $0.prefix(2) }.sorted().map { all[$0] }
  }()

  static let databases = all.filter { $0.nature == .database }

  private static func samples(of format: String) throws -> [AssistantSample] {
    let folder = fixtures.appending(path: format).path
    var reader = try ImportReader([folder])
    var paths: [String] = []
    while let event = reader.next() {
      if case .file(let file) = event, file.format == format { paths.append(file.path) }
    }
    return try paths.compactMap { path in
      guard try ReadHistory(path, format: format).messageCount > 0 else { return nil }
      let nature = try Nature(of: Data(contentsOf: URL(filePath: path)))
      return AssistantSample(format: format, path: String(path.dropFirst(folder.count + 1)), nature: nature)
    }
  }

  /// The bytes of the file.
  func bytes() throws -> [UInt8] {
    try Array(Data(contentsOf: Self.fixtures.appending(path: "\(format)/\(path)")))
  }

  /// Opens a copy of a database as its program would.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// The path of the file among the fixtures.
  var fixture: String { Self.fixtures.appending(path: "\(format)/\(path)").path }

  /// Calls `body` with the path of a copy of the file, which lies among copies of what it lies among.
  func withCopy<Result>(_ body: (String) throws -> Result) throws -> Result {
    let home = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let folder = home.appending(path: format)
    try FileManager.default.copyItem(at: Self.fixtures.appending(path: format), to: folder)
    return try body(folder.appending(path: path).path)
  }
}

extension AssistantSample.Nature {
  init(of data: Data) throws {
    let isObject = { (data: Data) in (try? JSONSerialization.jsonObject(with: data)) is [String: Any] }
    let lines = data.split(separator: 0x0A)
    if data.starts(with: Data("SQLite format 3".utf8)) {
      self = .database
    } else if lines.count > 1, lines.dropLast().allSatisfy({ isObject(Data($0)) }) {
      self = .rows
    } else if (try? JSONSerialization.jsonObject(with: data)) != nil {
      self = .document
    } else {
      self = .text
    }
  }
}

/// What is read of a file.
struct ReadHistory {
  /// What a message says.
  struct Said: Hashable {
    var kind: Message.Kind
    var text: String
  }

  /// The messages by their ids.
  private(set) var said: [String: Said] = [:]
  private(set) var messageCount = 0
  private(set) var skipped: [SkippedRecord] = []
  private(set) var formats: [String] = []

  /// Reads what lies at a path.
  init(_ path: String, format: String? = nil) throws {
    var reader = try ImportReader([path], options: ImportOptions(format: format, timeZone: .gmt))
    while let event = reader.next() {
      switch event {
      case .file(let file): formats.append(file.format)
      case .skipped(let record): skipped.append(record)
      case .batch(let batch): note(batch.entries)
      }
    }
  }

  private mutating func note(_ entries: ImportBatch) {
    for (index, entry) in entries.entries.enumerated() {
      messageCount += 1
      guard let id = entries.details[index]?.source?.id else { continue }
      said[id] = Said(kind: entry.kind, text: entries.string(entry.text) ?? "")
    }
  }

  /// The files and records of which something was lost.
  var losses: [SkippedRecord] { skipped.filter { $0.scope != .ignored } }

  var ids: Set<String> { Set(said.keys) }

  /// The words of all messages, but for what questions have cost.
  var words: Set<Substring> {
    let texts = said.filter { !$0.key.hasSuffix("/usage") }.values.map(\.text)
    return Set(texts.flatMap { $0.split { !$0.isLetter && !$0.isNumber } })
  }

  func count(of kind: Message.Kind) -> Int { said.values.count { $0.kind == kind } }
}

/// A store into which histories are imported.
final class ImportedStore {
  let store: SynchronousMessageStore
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    let path = folder.appending(path: "store.db").path
    try StoreTemplate.copyEmpty(to: path)
    store = try SynchronousMessageStore(path: path)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Imports a file; returns what came of it.
  @discardableResult
  func take(_ path: String, format: String? = nil) throws -> BulkImport.Counts {
    let reader = try ImportReader([path], options: ImportOptions(format: format, timeZone: .gmt))
    let store = store
    let intake = HistoryIntake(named: path, zone: "UTC", into: { store })
    let isCancelled = { false }
    _ = try intake.takeAhead(reader, isCancelled: isCancelled) { _, _ in true }
    return try intake.finish(isCancelled: isCancelled)
  }

  /// Undoes the newest import.
  func undo() throws {
    let newest = try store.imports().map(\.id).max()
    if let newest { try store.undoImport(newest) }
  }

  /// What all messages say, by their ids.
  func said() throws -> [String: ReadHistory.Said] { try Self.said(in: store) }

  static func said(in store: SynchronousMessageStore) throws -> [String: ReadHistory.Said] {
    let page = try store.records(PageRequest(Selection.everything, anchor: .newest, fetchLimit: 100_000))
    return Dictionary(
      page.records.map {
        ($0.source?.id ?? "", ReadHistory.Said(kind: $0.message.kind, text: $0.message.text))
      }, uniquingKeysWith: { first, _ in ReadHistory.Said(kind: first.kind, text: "twice: \(first.text)") })
  }
}
