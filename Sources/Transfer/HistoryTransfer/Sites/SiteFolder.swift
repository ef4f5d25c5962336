internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// The folder of a site. Only its owner can read what is written there: people said it in private.
final class SiteFolder {
  let path: String
  /// The redaction that looks at all that is written; `nil` if there is none.
  var redaction: HistoryRedaction?
  /// The folders that were made.
  private var made: Set<String> = []

  private static let progressName = "data/progress.json"
  private static let indexName = "data/index.js"

  /// The name of a run of words.
  static func run(_ number: Int) -> String { "data/runs/\(number)" }

  /// Makes the folder, or takes one that a site was written into.
  ///
  /// - Throws: ``StoreError`` of kind `cannotCreate` if something else is there, it cannot be made, or it belongs to the
  ///   store.
  init(_ path: String, sparing files: StoreFiles) throws(StoreError) {
    self.path = path
    let found = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let isSite = [Self.progressName, Self.indexName].contains {
      FileManager.default.fileExists(atPath: "\(path)/\($0)")
    }
    guard found.isEmpty || isSite else {
      throw StoreError(
        .cannotCreate, "cannot write a site into '\(path)'", cause: "it holds other files",
        remedy: .writeIntoNewFolder)
    }
    try files.makeFolder(path)
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a piece of data as a script: `scrollback.piece("NAME", VALUE)`.
  ///
  /// - Parameter json: The value in JSON, without line ends.
  func put(_ name: String, _ json: some Sequence<UInt8>) throws {
    var bytes = Array("scrollback.piece(\"\(name)\",".utf8)
    // Nothing in it can end a script, wherever it is copied to: `<` stands only in strings.
    for byte in json {
      if byte == 0x3C { bytes.append("\\u003c") } else { bytes.append(byte) }
    }
    bytes.append(")\n")
    try write(bytes, to: "data/\(name).js")
  }

  func put(_ name: String, _ json: String) throws { try put(name, json.utf8) }

  /// Writes a file below the folder, over one that an export before has left there, and never through a link.
  ///
  /// - Parameter isOurs: Whether it is a file of the program, which has nothing that anybody said.
  func write(_ bytes: [UInt8], to name: String, isOurs: Bool = false) throws {
    if !isOurs { try redaction?.look(atFile: name, bytes) }
    let target = path(of: name)
    try makeFolder(of: name)
    unlink(target)
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failed(target, .cannotCreate) }
    defer { close(descriptor) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failed(target, .inputOutput) }
      sent += count
    }
  }

  private func makeFolder(of name: String) throws {
    guard let end = name.lastIndex(of: "/") else { return }
    try makeFolder(String(name[..<end]))
  }

  /// Makes a folder below this one.
  func makeFolder(_ name: String) throws {
    guard !made.contains(name) else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: path(of: name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .cannotCreate, "cannot make '\(path(of: name))'", cause: (error as NSError).localizedDescription)
    }
    // As many as conversations: only the last ones are met again.
    if made.count > 64 { made.removeAll() }
    made.insert(name)
  }

  /// Gives a file below the folder another name, over what has it.
  func rename(_ name: String, to other: String) throws {
    guard Foundation.rename(path(of: name), path(of: other)) == 0 else {
      throw Self.failed(path(of: other), .inputOutput)
    }
  }

  /// Removes what is below the folder under a name, if there is anything.
  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: path(of: name)) }

  private static func failed(_ path: String, _ kind: StoreError.Kind) -> StoreError {
    StoreError(kind, "cannot write '\(path)'", cause: String(cString: strerror(errno)))
  }

  // MARK: Going on

  /// Returns how far an export with the same wishes came that was stopped; `nil` if there was none, or the store was written
  /// to since: then all that it had written is removed.
  func progress(for wish: String, _ version: SourceVersion) throws -> SiteProgress? {
    let file = URL(fileURLWithPath: path(of: Self.progressName))
    if let data = try? Data(contentsOf: file),
      let progress = try? JSONDecoder().decode(SiteProgress.self, from: data), progress.fits(wish, version)
    {
      return progress
    }
    // A site that was there stays whole up to here. What was attached to it may not be wanted any more.
    clear()
    return nil
  }

  /// Removes all that was written of a history.
  func clear() { for name in ["files", "data"] { remove(name) } }

  func keep(_ progress: SiteProgress) throws {
    try write(AnswerEncoder.bytes(of: progress), to: "\(Self.progressName).new")
    try rename("\(Self.progressName).new", to: Self.progressName)
  }

  func forgetProgress() {
    remove("data/runs")
    remove(Self.progressName)
  }
}

/// The progress of an export.
struct SiteProgress: Codable {
  /// The request, and the form that was asked for.
  var wish: String
  var version: SourceVersion
  var messageCount = 0
  var conversationCount = 0
  /// The pieces of all conversations.
  var pieceCount = 0
  var failedFileCount = 0
  /// The lists of conversations written, and what the next one has already.
  var listCount = 0
  var listed: [String] = []
  /// The runs of words written.
  var runCount = 0
  /// The conversation that was finished last.
  var lastName: String?
  /// The one that was begun.
  var current: SiteConversation?

  init(wish: String, version: SourceVersion) { (self.wish, self.version) = (wish, version) }

  func fits(_ wish: String, _ version: SourceVersion) -> Bool {
    self.wish == wish && self.version == version && self.version.origin == version.origin
  }
}
