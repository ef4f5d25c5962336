internal import Foundation
package import MessageInterchange
internal import MessageModel
package import MessageStorage
internal import TerminalText

/// The records that an import passed over: their number, and a sentence on each of the first.
package struct SkippedRecords {
  /// The number of records and files.
  package private(set) var count = 0
  private var first: [String] = []
  private let rejects: RejectsFile?
  private static let shownCount = 10

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - path: The file to write all of them to, as they stood.
  ///   - inputs: The paths that are read, and so not written over.
  ///   - files: The store's files, which are not written to either.
  /// - Throws: ``UsageError`` or ``StoreError`` if the file cannot be made, or is one that is read or belongs to the
  ///   store.
  package init(rejects path: String?, inputs: [String], sparing files: StoreFiles?) throws {
    rejects = try path.map { try RejectsFile(path: $0, inputs: inputs, sparing: files) }
  }

  /// Takes note of a record; what is ignored on purpose does not count.
  package mutating func note(_ record: SkippedRecord) {
    guard record.scope != .ignored else { return }
    count += 1
    if first.count < Self.shownCount { first.append(record.description) }
    rejects?.write(record)
  }

  /// A line for each of the first, `word` before it, and one for the others.
  package func lines(_ word: String, keepsTabs: Bool = true) -> [String] {
    let shown = first.map { "\(word) \(VisibleText.of($0, keepsTabs: keepsTabs))" }
    guard count > first.count else { return shown }
    return shown + ["… and \(NumberText.grouped(count - first.count)) more (all of them: --rejects FILE)"]
  }
}

/// The records that an import could not place, one after the other as they stood.
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
    // What is no file (a pipe, a terminal) cannot be cut.
    ftruncate(descriptor, 0)
  }

  func write(_ record: SkippedRecord) {
    var bytes = Array("# \(record.description)\n".utf8)
    bytes += record.record
    if bytes.last != 0x0A { bytes.append(0x0A) }
    try? handle.write(contentsOf: isTerminal ? VisibleText.lines(bytes) : bytes)
  }
}
