internal import Foundation
package import MessageInterchange
internal import MessageModel
package import MessageStorage
internal import TerminalText

/// Records that an import skipped: their number, and sentences about the first.
///
/// Files skipped for one reason are one entry, since a folder may have thousands. So are records of a file
/// without a place in it, and all records of a file with an unexpected format.
package struct SkippedRecords {
  package private(set) var count = 0
  private var entries: [Entry] = []
  private var places: [Kind: Int] = [:]
  /// The first items left out on purpose, reported if nothing else was found.
  private var leftOut: [String] = []
  private let rejects: RejectsFile?
  private static let shownCount = 10

  private struct Entry {
    let first: SkippedRecord
    var count = 1
    var recordCount: Int

    init(_ record: SkippedRecord) {
      first = record
      recordCount = max(record.recordCount, 1)
    }

    mutating func add(_ record: SkippedRecord) {
      count += 1
      recordCount += max(record.recordCount, 1)
    }
  }

  /// Files skipped for one reason, or records of a file without a place in it.
  private struct Kind: Hashable {
    private var path: String?
    private var reason: String
    private var shape = ""

    init?(_ record: SkippedRecord) {
      reason = record.reason
      if record.scope == .file {
        if record.isUnknown { shape = FirstLook(record.record).shape }
      } else if record.line == nil, record.offset == nil {
        path = record.path
      } else {
        return nil
      }
    }
  }

  /// - Parameters:
  ///   - path: The file for all skipped records.
  ///   - inputs: The paths being read, which must not be overwritten.
  ///   - files: The store's files, which must not be overwritten.
  /// - Throws: ``UsageError`` or ``StoreError`` if the file cannot be created, or is an input or a file of
  ///   the store.
  package init(rejects path: String?, inputs: [String], sparing files: StoreFiles?) throws {
    rejects = try path.map { try RejectsFile(path: $0, inputs: inputs, sparing: files) }
  }

  /// Items left out on purpose do not count.
  package mutating func append(_ record: SkippedRecord) {
    guard record.scope != .ignored else {
      if leftOut.count < Self.shownCount { leftOut.append(record.description(in: \.typed)) }
      return
    }
    if record.recordCount > 0 { withdraw(recordsOf: record.path) } else { count += 1 }
    rejects?.write(record)
    guard let kind = Kind(record) else { return add(record) }
    if let place = places[kind] {
      entries[place].add(record)
    } else if entries.count < Self.shownCount {
      places[kind] = entries.count
      add(record)
    }
  }

  private mutating func add(_ record: SkippedRecord) {
    if entries.count < Self.shownCount { entries.append(Entry(record)) }
  }

  /// Withdraws entries of a file's records: one entry stands for the file.
  private mutating func withdraw(recordsOf path: String) {
    entries.removeAll { $0.first.scope == .record && $0.first.path == path }
    places = [:]
    for (place, entry) in entries.enumerated() {
      if let kind = Kind(entry.first) { places[kind] = place }
    }
  }

  /// A line for each of the first, after `word`, and one for the others.
  package func lines(_ word: String, keepsTabs: Bool = true) -> [String] {
    let shown = entries.map { "\(word) \(VisibleText.of(Self.text($0), keepsTabs: keepsTabs))" }
    let rest = entries.reduce(count) { $0 - $1.recordCount }
    guard rest > 0 else { return shown }
    return shown + ["… and \(NumberText.grouped(rest)) more (all of them: --rejects FILE)"]
  }

  /// The first items left out on purpose, which explain why nothing was found.
  package func linesOnNothing() -> [String] {
    guard count == 0 else { return [] }
    guard !leftOut.isEmpty else { return ["nothing to import: no file found"] }
    return leftOut.map { "skipped \(VisibleText.of($0, keepsTabs: false))" }
  }

  private static func text(_ entry: Entry) -> String {
    let (record, others) = (entry.first, entry.count - 1)
    guard record.scope == .file else {
      return record.description(in: \.typed)
        + (others == 0 ? "" : " (\(NumberText.counted(entry.count, "record")))")
    }
    let path = others == 0 ? record.path : "\(record.path) and \(NumberText.grouped(others)) like it"
    let look = record.isUnknown ? FirstLook(record.record).sentence : ""
    return "\(path): \(record.reason(in: \.typed))\(look)"
  }
}

struct FirstLook {
  private let line: String

  private static let shownCount = 60
  private static let shapeCount = 12

  init(_ start: [UInt8]) {
    let lines = start.split(separator: 0x0A)
    // A lone bracket says little.
    let telling = lines.first { $0.contains { ($0 | 0x20) &- 0x61 < 26 || $0 >= 0x80 } } ?? lines.first ?? []
    line = String(decoding: telling.prefix(4 * Self.shownCount), as: UTF8.self)
  }

  /// The line's shape: one sign per run of letters or digits, the rest unchanged.
  var shape: String {
    var shape = ""
    for character in line {
      let sign: Character = character.isLetter ? "a" : character.isNumber ? "0" : character
      if shape.last == sign, sign == "a" || sign == "0" { continue }
      shape.append(sign)
      if shape.count == Self.shapeCount { break }
    }
    return shape
  }

  /// Empty if there is nothing to show.
  var sentence: String {
    guard !line.isEmpty else { return "" }
    let shown = line.count > Self.shownCount ? line.prefix(Self.shownCount) + "…" : line[...]
    return "; it begins with '\(shown)' (--format NAME if you know it)"
  }
}

struct RejectsFile {
  private let handle: FileHandle
  private let isTerminal: Bool

  init(path: String, inputs: [String], sparing files: StoreFiles?) throws {
    let doing = "cannot make '\(path)'"
    try files?.spare(path, doing: doing)
    if let target = try? RealPath.of(path), inputs.contains(where: { (try? RealPath.of($0)) == target }) {
      throw UsageError(doing, cause: "it is what is imported", remedy: "another name", status: .cannotCreate)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageError(doing, cause: String(cString: strerror(errno)), status: .cannotCreate)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    isTerminal = isatty(descriptor) == 1
    try files?.spare(descriptor: descriptor, doing: doing)
    // A pipe or a terminal cannot be truncated.
    ftruncate(descriptor, 0)
  }

  func write(_ record: SkippedRecord) {
    var bytes = Array("# \(record.description(in: \.typed))\n".utf8)
    bytes += record.record
    if bytes.last != 0x0A { bytes.append(0x0A) }
    try? handle.write(contentsOf: isTerminal ? VisibleText.lines(bytes) : bytes)
  }
}
