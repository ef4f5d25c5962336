internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// The accounts of a numbered document: counts of each conversation and what is missing there, then the sources
/// with their hashes.
///
/// Memory holds the counts of one conversation, and a number for each import that was met.
struct ExportEvidence {
  private let store: SynchronousMessageStore
  private let conversations: [Conversation]
  /// The conversations that are accounted for together: all of them when merging.
  private var places: [Conversation.ID: Int] = [:]
  private let merges: Bool
  private let isRedacted: Bool
  private let zone: TimeZone
  private var current: (conversation: Conversation.ID, name: String)?
  private var counts = Counts()
  private var lastNumber = 0
  private var imports: [Int64: Int] = [:]

  private static let mostGaps = 100

  init(
    _ store: SynchronousMessageStore, of conversations: [Conversation], merges: Bool, isRedacted: Bool,
    zone: TimeZone
  ) {
    (self.store, self.conversations, self.merges) = (store, conversations, merges)
    (self.isRedacted, self.zone) = (isRedacted, zone)
    for (index, conversation) in conversations.enumerated() { places[conversation.id] = index }
  }

  private struct Counts {
    var messages = 0
    var deleted = 0
    var edited = 0
    /// Edited messages with an earlier text.
    var withEarlierTexts = 0
    var files = 0
    var missingFiles = 0
    var isBeside = false
    var coarse: [TimePrecision: Int] = [:]
    var imports: [Int64: Int] = [:]
    var withoutImport = 0

    mutating func add(_ record: ExportRecord) {
      messages += 1
      if record.deletion != nil { deleted += 1 }
      if record.isEdited { edited += 1 }
      if !record.edits.isEmpty { withEarlierTexts += 1 }
      files += record.attachments.count
      missingFiles += record.attachments.count { !$0.isStored }
      isBeside = isBeside || record.hasFilesBeside
      if record.precision != .millisecond { coarse[record.precision, default: 0] += 1 }
      if let number = record.importNumber { imports[number, default: 0] += 1 } else { withoutImport += 1 }
    }
  }

  /// Counts a message, and returns the account of the conversation before if it begins another one.
  mutating func add(_ record: ExportRecord, of conversation: Conversation.ID) throws -> ExportAccount? {
    let account = current?.conversation == conversation || merges ? nil : try account()
    current = (conversation, record.conversation)
    counts.add(record)
    return account
  }

  /// Returns the account of the last conversation, and that of the sources.
  mutating func finish() throws -> [ExportAccount] {
    let last = try account()
    var rows: [ExportAccount.Row] = []
    for number in imports.keys.sorted() { rows.append(try row(ofImport: number)) }
    if isRedacted {
      rows.append(
        .init(
          "Redacted",
          "Names, texts or files were replaced or left out by rules before this document was written. "
            + "The names, times and hashes of its sources are left out, too."))
    }
    rows.append(.init("Time zone", "\(zone.identifier); times that end in Z are in UTC"))
    rows.append(.init("Not known", Self.unknown))
    return [last, ExportAccount("Sources", isOfSources: true, rows)].compactMap(\.self)
  }

  private static let unknown = """
    The store keeps no hash of the files that it imported: each SHA-256 above was computed while this document was written, of the file that was at its path then.
    Whether the sources were complete and unaltered when they were imported, and what their programs had left out, edited or deleted before, is not recorded.
    """

  // MARK: A conversation

  private mutating func account() throws -> ExportAccount? {
    guard let current, counts.messages > 0 else { return nil }
    defer {
      lastNumber += counts.messages
      imports.merge(counts.imports, uniquingKeysWith: +)
      counts = Counts()
    }
    let all = merges ? conversations : places[current.conversation].map { [conversations[$0]] } ?? []
    return ExportAccount(
      merges ? "All messages above" : current.name,
      [
        .init("Messages", messages(of: all)), .init("Deleted", try deleted(from: all)),
        .init("Edited", edited), .init("Attachments", attachments),
        .init("Times", times), .init("From", from), .init("Missing", try missing(from: all)),
      ])
  }

  private func messages(of all: [Conversation]) -> String {
    let stored = all.reduce(0) { $0 + $1.messageCount }
    let numbers =
      counts.messages == 1
      ? "number \(lastNumber + 1)" : "numbers \(lastNumber + 1) to \(lastNumber + counts.messages)"
    return stored == counts.messages
      ? "\(counts.messages), all that the store has: \(numbers)"
      : "\(counts.messages) of the \(stored) that the store has, as this document was asked for: \(numbers)"
  }

  private func deleted(from all: [Conversation]) throws -> String {
    let removed = try all.reduce(0) { try $0 + store.deletionCount(of: $1.id) }
    let shown =
      counts.deleted == 0 ? "none is shown as deleted" : "\(counts.deleted), shown without their contents"
    return removed == 0
      ? shown
      : "\(shown); \(removed) more \(removed == 1 ? "was" : "were") removed from the store without a note in their place"
  }

  private var edited: String {
    counts.edited == 0
      ? "none is marked as edited"
      : "\(counts.edited); of \(counts.withEarlierTexts) the earlier texts are known and follow the present one"
  }

  private var attachments: String {
    let rest =
      counts.isBeside ? "the others are files beside this document" : "no file is beside this document"
    return counts.files == 0
      ? "none" : "\(counts.files); the content of \(counts.missingFiles) is not here; \(rest)"
  }

  private var times: String {
    let coarse = TimePrecision.allCases.compactMap { precision in
      counts.coarse[precision].map { "\($0) to the \(precision.name)" }
    }
    let known =
      coarse.isEmpty
      ? "all to the millisecond" : "known exactly only for some: \(coarse.joined(separator: ", "))"
    return "\(known), as their sources say; shown to the second"
  }

  private var from: String {
    var parts = counts.imports.sorted { $0.key < $1.key }.map { "import \($0.key): \($0.value)" }
    if counts.withoutImport > 0 { parts.append("not from a recorded import: \(counts.withoutImport)") }
    return parts.joined(separator: "; ")
  }

  private func missing(from all: [Conversation]) throws -> String {
    var gaps: [MessageGap] = []
    for conversation in all where gaps.count <= Self.mostGaps {
      gaps += try store.gaps(of: conversation.id, limit: Self.mostGaps + 1)
    }
    guard !gaps.isEmpty else {
      return "No gap is recorded. Most sources do not say what they leave out."
    }
    let isMore = gaps.count > Self.mostGaps
    var lines = [
      "\(isMore ? "More than \(Self.mostGaps)" : "\(gaps.count)") recorded, where messages may be missing:"
    ]
    if !isRedacted { for gap in gaps.prefix(Self.mostGaps) { lines.append(try line(gap)) } }
    return lines.joined(separator: "\n")
  }

  private func line(_ gap: MessageGap) throws -> String {
    let size = gap.size.map { "; \($0) messages" } ?? "; how many is not known"
    let after = try gap.after.map { "after \(try moment(of: $0))" } ?? "from the beginning"
    let before = try gap.before.map { "before \(try moment(of: $0))" } ?? "up to the end"
    return "\(after), \(before)\(size)"
  }

  /// When a message at the end of a gap was written; of one that does not exist, the time of its place.
  private func moment(of id: Message.ID) throws -> String {
    ExportAccount.moment(try store.message(id)?.time ?? id.placeTime)
  }

  // MARK: A source

  private func row(ofImport number: Int64) throws -> ExportAccount.Row {
    let term = "Import \(number)"
    guard let found = try store.imports(after: number - 1, limit: 1).first, found.id == number else {
      return .init(term, "it was undone while this document was written")
    }
    let count = "\(imports[number, default: 0]) of the \(found.addedCount) messages that it brought are here"
    guard !isRedacted else { return .init(term, "format \(found.description.format); \(count)") }
    let end = found.isFinished ? "" : "; it did not end"
    let head =
      "\(found.description.name)\nformat \(found.description.format), imported "
      + "\(ExportAccount.moment(found.time))\(end); \(count)"
    let files = SourceFiles.named(found.description.name).map { $0.line(importedAt: found.time) }
    return .init(term, ([head] + files).joined(separator: "\n"))
  }
}

/// A file that an import was made of, as far as its path still leads there.
private struct SourceFiles {
  private let path: String
  private let isThere: Bool

  /// The most words of a path with spaces.
  private static let mostWords = 16

  /// Returns the paths in the name of an import: what was typed, with spaces between.
  static func named(_ name: String) -> [SourceFiles] {
    if exists(name) { return [SourceFiles(path: name, isThere: true)] }
    let words = name.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    var (files, lost, start) = ([SourceFiles](), [String](), 0)
    func close() {
      if !lost.isEmpty { files.append(SourceFiles(path: lost.joined(separator: " "), isThere: false)) }
      lost = []
    }
    while start < words.count {
      let ends = start..<min(start + mostWords, words.count)
      if let end = ends.last(where: { exists(words[start...$0].joined(separator: " ")) }) {
        close()
        files.append(SourceFiles(path: words[start...end].joined(separator: " "), isThere: true))
        start = end + 1
      } else {
        lost.append(words[start])
        start += 1
      }
    }
    close()
    return files
  }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  func line(importedAt time: Timestamp) -> String {
    guard path != "-" else { return "standard input: there was no file, so there is no SHA-256" }
    guard isThere else { return "'\(path)' is not at its path now: its SHA-256 is not known" }
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let facts = (try? FileManager.default.attributesOfItem(atPath: real)) ?? [:]
    guard facts[.type] as? FileAttributeType != .typeDirectory else {
      return "'\(path)' is a folder: it has no SHA-256 of its own"
    }
    guard let key = ContentFile.key(of: real) else {
      return "'\(path)' cannot be read: its SHA-256 is not known"
    }
    let size = (facts[.size] as? NSNumber).map { ", \($0.intValue) bytes" } ?? ""
    return "'\(path)': SHA-256 \(key)\(size)\(Self.change(facts, since: time))"
  }

  private static func change(_ facts: [FileAttributeKey: Any], since time: Timestamp) -> String {
    guard let date = facts[.modificationDate] as? Date else { return "" }
    let changed = Timestamp(date)
    return ", last changed \(ExportAccount.moment(changed))"
      + (changed > time ? ", after the import: it may differ from what was imported" : ", before the import")
  }
}
